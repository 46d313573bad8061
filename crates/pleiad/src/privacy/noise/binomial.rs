//! The number of successes in many independent trials, without a look at each.
//!
//! Think of trial i as a uniform real number Uᵢ of [0, 1), a success if Uᵢ < p, and write all of them and p in
//! binary, digit by digit. Trials whose digits so far are those of p are *open*; at first all are. At each digit, the
//! number Z of open trials that have a 0 there is binomial with one half.
//! - p has a 1: those Z are below p, hence successes, and the others stay open.
//! - p has a 0: the others are above p, hence failures, and those Z stay open.
//!
//! It ends when no trial is open, or when nothing but zeros is left of p: then what is open is not below p.
//!
//! *Claim.* The successes are binomial(n, p), exactly. *Reason.* The digits of a uniform real number are fair
//! independent coins, trials are independent, and P(Uᵢ < p) = p; the procedure only counts what these coins say, where
//! it is known that it no longer depends on which trial shows which. (The reduction to one half is the one of
//! Farach-Colton and Tsai 2015.) *Bits.* A binomial with one half of m trials is the number of ones in m bits. About half of
//! the open trials stay open at every digit, so fewer than 2n bits on average, taken 64 at a time: n/32 words.

use super::entropy::{Bits, PrivateRandom};
use super::fraction::Fraction;
use crate::error::Result;

/// P(k) = (n over k)·p^k·(1 − p)^(n − k) for k = 0, …, n, with a rational p.
#[derive(Clone, Debug)]
pub struct Binomial {
    trials: u64,
    probability: Fraction,
}

impl Binomial {
    /// `trials` independent trials, each a success with probability `probability`.
    ///
    /// # Errors
    /// If that is above 1.
    pub fn new(trials: u64, probability: &Fraction) -> Result<Self> {
        Ok(Self {
            trials,
            probability: probability.at_most_one("a probability")?.clone(),
        })
    }

    /// One draw.
    ///
    /// # Cost
    /// Linear in the number of trials, but with a small factor: one random word for about 32 trials.
    pub fn draw(&self, random: &mut PrivateRandom) -> u64 {
        self.draw_from(random)
    }

    pub(super) fn draw_from(&self, random: &mut impl Bits) -> u64 {
        let denominator = self.probability.denominator();
        // What is left of p after the digits so far is remainder/denominator of the last one's place.
        let mut remainder = self.probability.numerator().clone();
        if remainder == *denominator {
            return self.trials;
        }
        let mut open = self.trials;
        let mut successes = 0;
        while open > 0 && !remainder.is_zero() {
            let zeros = binomial_half(open, random);
            remainder <<= 1;
            if remainder >= *denominator {
                remainder -= denominator;
                successes += zeros;
                open -= zeros;
            } else {
                open = zeros;
            }
        }
        successes
    }
}

/// How many of `trials` fair coins fall heads.
pub(super) fn binomial_half(trials: u64, random: &mut impl Bits) -> u64 {
    let whole_words = (0..trials / 64)
        .map(|_| u64::from(random.bits(64).count_ones()))
        .sum::<u64>();
    whole_words + u64::from(random.bits((trials % 64) as u32).count_ones())
}
