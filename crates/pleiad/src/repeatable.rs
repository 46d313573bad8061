//! Repeatable choices: starts of a clustering, permutations, ties.
//!
//! Never for privacy: whoever knows the seed knows every choice. Numbers are made from whole words by our own
//! arithmetic, so that a seed means the same choices in every version of the libraries below.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// A seeded source of choices.
#[derive(Debug)]
pub(crate) struct Repeatable(ChaCha8Rng);

impl Repeatable {
    /// The choices of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A whole number below `bound`, which must be above 0; each equally likely.
    pub(crate) fn below(&mut self, bound: u128) -> u128 {
        assert!(bound > 0, "a number below 0 does not exist");
        // Draws from the last, incomplete round of `bound` numbers are drawn again.
        let limit = u128::MAX - u128::MAX % bound;
        loop {
            let word = (u128::from(self.0.next_u64()) << 64) | u128::from(self.0.next_u64());
            if word < limit {
                return word % bound;
            }
        }
    }

    /// A permutation of `0..n`, each equally likely.
    pub(crate) fn permutation(&mut self, n: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n as u32).collect();
        for at in (1..n).rev() {
            order.swap(at, self.below(at as u128 + 1) as usize);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_promise() {
        let mut choices = Repeatable::new(7);
        let drawn: Vec<u128> = (0..6).map(|_| choices.below(100)).collect();
        assert_eq!(drawn, [54, 63, 78, 86, 27, 91]);
    }

    #[test]
    fn a_permutation_has_everything_once() {
        let mut order = Repeatable::new(1).permutation(1000);
        assert_ne!(order, (0..1000).collect::<Vec<u32>>());
        order.sort_unstable();
        assert_eq!(order, (0..1000).collect::<Vec<u32>>());
    }
}
