//! Coins: with a rational probability, and with probability exp(−n/d).
//!
//! # Probability n/d
//! Draw a uniform number below d; heads if it is below n. n of the d equally likely numbers are. *Bits:* fewer than
//! 2·⌈log₂ d⌉ on average.
//!
//! # Probability exp(−γ), γ = n/d (Canonne, Kamath, Steinke 2020, algorithm 1)
//! For γ ≤ 1: toss coins with probabilities γ/1, γ/2, γ/3, … until one falls tails, say the K-th; heads if K is odd.
//!
//! *Claim.* P(K odd) = exp(−γ). *Reason.* P(K > k) = γ/1 · γ/2 ⋯ γ/k = γ^k/k!, so P(K odd) =
//! Σ over even k of P(K > k) − P(K > k+1) = Σ over all k of (−γ)^k/k! = exp(−γ).
//!
//! The coin with probability γ/k is tossed as two independent ones, 1/k and n/d, both of which have to fall heads.
//! Their product is the same, and no denominator grows: nothing can overflow, whatever n and d are. The coin 1/k goes
//! first, as it takes a bit or two and mostly decides.
//!
//! For γ > 1: exp(−γ) = exp(−1)^⌊γ⌋ · exp(−(γ − ⌊γ⌋)), one coin each, all of which have to fall heads; the first tails
//! ends it. *Bits:* K is below e on average, and at most e/(e−1) coins exp(−1) are tossed on average, so the cost is
//! bounded however large γ is.

use super::entropy::{Bits, PrivateRandom};
use super::fraction::Fraction;
use super::natural::{Natural, Pair};
use crate::error::Result;

/// Heads with a rational probability.
#[derive(Clone, Debug)]
pub struct Bernoulli(Pair);

impl Bernoulli {
    /// The coin that falls heads with probability `probability`.
    ///
    /// # Errors
    /// If that is above 1.
    pub fn new(probability: &Fraction) -> Result<Self> {
        Ok(Self(Pair::from(probability.at_most_one("a probability")?)))
    }

    /// One toss.
    pub fn draw(&self, random: &mut PrivateRandom) -> bool {
        self.draw_from(random)
    }

    pub(super) fn draw_from(&self, random: &mut impl Bits) -> bool {
        match &self.0 {
            Pair::Narrow(numerator, denominator) => bernoulli(numerator, denominator, random),
            Pair::Wide(numerator, denominator) => bernoulli(numerator, denominator, random),
        }
    }
}

/// Heads with probability exp(−γ), γ rational.
#[derive(Clone, Debug)]
pub struct BernoulliExp(pub(super) Pair);

impl BernoulliExp {
    /// The coin that falls heads with probability exp(−`exponent`).
    pub fn new(exponent: &Fraction) -> Self {
        Self(Pair::from(exponent))
    }

    /// One toss.
    pub fn draw(&self, random: &mut PrivateRandom) -> bool {
        self.draw_from(random)
    }

    pub(super) fn draw_from(&self, random: &mut impl Bits) -> bool {
        match &self.0 {
            Pair::Narrow(numerator, denominator) => bernoulli_exp(numerator, denominator, random),
            Pair::Wide(numerator, denominator) => bernoulli_exp(numerator, denominator, random),
        }
    }
}

/// Heads with probability `numerator`/`denominator`, which is at most 1.
#[inline]
fn bernoulli<N: Natural>(numerator: &N, denominator: &N, random: &mut impl Bits) -> bool {
    numerator >= denominator || N::below(denominator, random) < *numerator
}

/// Heads with probability exp(−`numerator`/`denominator`).
pub(super) fn bernoulli_exp<N: Natural>(
    numerator: &N,
    denominator: &N,
    random: &mut impl Bits,
) -> bool {
    if numerator <= denominator {
        return bernoulli_exp_to_one(numerator, denominator, random);
    }
    let (mut whole, part) = numerator.divided_by(denominator);
    while whole.count_down() {
        if !bernoulli_inverse_e(random) {
            return false;
        }
    }
    bernoulli_exp_to_one(&part, denominator, random)
}

/// Heads with probability exp(−`numerator`/`denominator`), where that fraction is at most 1.
#[inline]
pub(super) fn bernoulli_exp_to_one<N: Natural>(
    numerator: &N,
    denominator: &N,
    random: &mut impl Bits,
) -> bool {
    first_tails(1, random, |random| {
        bernoulli(numerator, denominator, random)
    }) % 2
        == 1
}

/// Heads with probability exp(−1).
#[inline]
pub(super) fn bernoulli_inverse_e(random: &mut impl Bits) -> bool {
    first_tails(1, random, |_| true) % 2 == 1
}

/// Heads with probability 2/e: the coin exp(−1), given that the coin 1/2 among those it is made of fell heads.
pub(super) fn bernoulli_two_in_e(random: &mut impl Bits) -> bool {
    first_tails(3, random, |_| true) % 2 == 1
}

/// How many heads come before the first tails of a coin with probability exp(−1).
///
/// The count is a `u64`: to reach its end takes longer than the machine lasts.
#[inline]
pub(super) fn heads_of_inverse_e(random: &mut impl Bits) -> u64 {
    let mut heads = 0;
    while bernoulli_inverse_e(random) {
        heads += 1;
    }
    heads
}

/// The first k, counted from `first`, at which the coin 1/k or the coin `gamma` falls tails.
#[inline]
fn first_tails<B: Bits>(first: u64, random: &mut B, mut gamma: impl FnMut(&mut B) -> bool) -> u64 {
    let mut k = first;
    while bernoulli(&1, &u128::from(k), random) && gamma(random) {
        k += 1;
    }
    k
}
