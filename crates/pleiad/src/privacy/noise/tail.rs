//! How many of many noise draws reach a threshold, without a draw for each.
//!
//! A release that keeps noisy counts from a threshold on has to noise the empty groups of its public domain too, and
//! there may be far more of those than rows. It is enough to draw how many of them reach the threshold, which of them
//! (uniformly), and by how much (geometric: what is beyond a threshold forgets how it came there).
//!
//! Scale n/d, r = exp(−d/n), threshold τ ≥ 0. P(Z ≥ τ) = (1−r)/(1+r) · (r^τ + r^(τ+1) + …) = r^τ/(1 + r) for discrete
//! Laplace Z. With γ = τ·d/n, w = ⌊γ⌋ and e^(−1) = ½ · 2/e this is a product,
//!
//! ```text
//! P(Z ≥ τ) = (1/2)^w · (2/e)^w · exp(−(γ − w)) · 1/(1 + r),
//! ```
//!
//! and binomial(N, p·q) is binomial(binomial(N, p), q): those that pass one test are put to the next. The first factor
//! is tested for all at once ([`binomial`](super::binomial)); the few that are left toss a coin for each other factor.
//! - 2/e: the coin exp(−1) of algorithm 1 ([`bernoulli`](super::bernoulli)) is tails for sure if its coin 1/2 is. Given
//!   that it is not, heads have probability exp(−1)/½. So the same coin, begun at 1/3.
//! - 1/(1 + r): toss a fair coin; heads ends it with heads. Else toss a coin r; heads ends it with tails. Else begin
//!   again. Per round ½ against ½·r, so heads win with probability 1/(1 + r).
//!
//! *Bits.* Fewer than 2N for the halves, and a few dozen for each of about N/2^w that are left.

use dashu_int::UBig;

use super::bernoulli::{bernoulli_exp, bernoulli_exp_to_one, bernoulli_two_in_e};
use super::binomial::binomial_half;
use super::entropy::{Bits, PrivateRandom};
use super::laplace::{DiscreteLaplace, Geometric};
use super::natural::{Natural, Pair};

impl DiscreteLaplace {
    /// How many of `draws` independent draws are `threshold` or more: binomial, with exactly their probability.
    ///
    /// Given that a draw reaches the threshold, it is the threshold and a draw of [`Geometric`] with the same scale.
    ///
    /// # Cost
    /// One random word for about 32 draws, and a few coins for each of the `draws`/2^⌊threshold/scale⌋ left.
    pub fn how_many_reach(&self, threshold: u64, draws: u64, random: &mut PrivateRandom) -> u64 {
        self.how_many_reach_from(threshold, draws, random)
    }

    pub(super) fn how_many_reach_from(
        &self,
        threshold: u64,
        draws: u64,
        random: &mut impl Bits,
    ) -> u64 {
        let Self(Geometric(scale)) = self;
        match scale {
            Pair::Narrow(numerator, denominator) => {
                if let Some(along) = denominator.checked_mul(u128::from(threshold)) {
                    reaching(&along, numerator, denominator, draws, random)
                } else {
                    let (numerator, denominator) =
                        (UBig::from(*numerator), UBig::from(*denominator));
                    let along = &denominator * threshold;
                    reaching(&along, &numerator, &denominator, draws, random)
                }
            }
            Pair::Wide(numerator, denominator) => {
                let along = denominator * threshold;
                reaching(&along, numerator, denominator, draws, random)
            }
        }
    }
}

/// How many of `draws` have a coin exp(−`along`/`numerator`) and a coin 1/(1 + exp(−`denominator`/`numerator`)) fall
/// heads.
fn reaching<N: Natural>(
    along: &N,
    numerator: &N,
    denominator: &N,
    draws: u64,
    random: &mut impl Bits,
) -> u64 {
    let (mut whole, part) = along.divided_by(numerator);
    let mut left = draws;
    let mut halves = 0_u64;
    while left > 0 && whole.count_down() {
        left = binomial_half(left, random);
        halves += 1;
    }
    let mut reached = 0;
    for _ in 0..left {
        let passes = (0..halves).all(|_| bernoulli_two_in_e(random))
            && bernoulli_exp_to_one(&part, numerator, random)
            && one_in_one_and_ratio(numerator, denominator, random);
        reached += u64::from(passes);
    }
    reached
}

/// Heads with probability 1/(1 + r), r = exp(−`denominator`/`numerator`).
fn one_in_one_and_ratio<N: Natural>(
    numerator: &N,
    denominator: &N,
    random: &mut impl Bits,
) -> bool {
    loop {
        if random.bits(1) == 1 {
            return true;
        }
        if bernoulli_exp(denominator, numerator, random) {
            return false;
        }
    }
}
