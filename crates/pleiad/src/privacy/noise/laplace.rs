//! Geometric and discrete Laplace noise with a rational scale.
//!
//! # Geometric (Canonne, Kamath, Steinke 2020, algorithm 2, first part)
//! Scale n/d; wanted is P(Y = y) = (1 − r)·r^y for y = 0, 1, …, with r = exp(−d/n).
//! 1. U uniform below n, kept with probability exp(−U/n), else drawn again.
//! 2. V = number of heads before the first tails of a coin with probability exp(−1).
//! 3. X = U + n·V;  Y = ⌊X/d⌋.
//!
//! *Reason.* P(X = u + n·v) is proportional to exp(−u/n)·exp(−v) = exp(−(u + n·v)/n), and every x ≥ 0 is u + n·v in
//! exactly one way: X is geometric with ratio exp(−1/n). P(Y ≥ y) = P(X ≥ d·y) = exp(−d·y/n) = r^y. ∎
//!
//! *Bits.* A try of step 1 is kept with probability at least 1 − 1/e. So fewer than 1.6 uniform numbers below n on
//! average and as many coins exp(−U/n), each of which takes at most e·⌈log₂ n⌉·2 bits, and e/(e−1) coins exp(−1): a few
//! numbers of n's length, whatever the scale.
//!
//! # Discrete Laplace (the same, second part)
//! Wanted is P(Z = z) proportional to exp(−|z|·d/n) for every integer z. Draw Y as above and a fair sign; if the sign
//! is minus and Y = 0, start again; Z = ±Y.
//!
//! *Reason.* Each z ≠ 0 comes from one sign and from Y = |z|: ½(1 − r)·r^|z|. So does 0, as −0 is thrown away; without
//! that, 0 would have twice its weight. Given that nothing is thrown away, P(Z = z) = (1−r)/(1+r) · r^|z|. ∎
//!
//! *Privacy.* Added to an integer that changes by at most Δ between neighbours, the noise of scale Δ/ε is ε-DP:
//! P(z)/P(z′) = exp((|z′| − |z|)·ε/Δ) ≤ exp(ε) for |z − z′| ≤ Δ (Ghosh, Roughgarden, Sundararajan 2009).
//!
//! *Bits.* A round is thrown away with probability (1 − r)/2, so at most twice the geometric and 2 bits.

use dashu_int::{IBig, Sign, UBig};

use super::bernoulli::{bernoulli_exp_to_one, heads_of_inverse_e};
use super::clamped_sum;
use super::entropy::{Bits, PrivateRandom};
use super::fraction::Fraction;
use super::natural::{Natural, Pair};
use crate::error::Result;

/// P(y) = (1 − r)·r^y for y = 0, 1, 2, …, with r = exp(−1/scale).
///
/// It is also what a discrete Laplace variable of the same scale exceeds a threshold by, given that it reaches it.
#[derive(Clone, Debug)]
pub struct Geometric(pub(super) Pair);

impl Geometric {
    /// The distribution with this scale.
    ///
    /// # Errors
    /// If the scale is 0.
    pub fn with_scale(scale: &Fraction) -> Result<Self> {
        Ok(Self(Pair::from(scale.positive("the scale of noise")?)))
    }

    /// One draw.
    pub fn draw(&self, random: &mut PrivateRandom) -> UBig {
        self.draw_from(random)
    }

    #[inline]
    pub(super) fn draw_from(&self, random: &mut impl Bits) -> UBig {
        match &self.0 {
            Pair::Narrow(numerator, denominator) => geometric(numerator, denominator, random),
            Pair::Wide(numerator, denominator) => geometric(numerator, denominator, random),
        }
    }
}

/// P(z) proportional to exp(−|z|/scale), for every integer z.
#[derive(Clone, Debug)]
pub struct DiscreteLaplace(pub(super) Geometric);

impl DiscreteLaplace {
    /// The distribution with this scale: sensitivity over ε.
    ///
    /// # Errors
    /// If the scale is 0.
    pub fn with_scale(scale: &Fraction) -> Result<Self> {
        Geometric::with_scale(scale).map(Self)
    }

    /// One draw.
    pub fn draw(&self, random: &mut PrivateRandom) -> IBig {
        self.draw_from(random)
    }

    /// `value` and one draw together; a sum beyond the ends of `i128` is moved to the end, which costs no privacy.
    pub fn add_to(&self, value: i128, random: &mut PrivateRandom) -> i128 {
        clamped_sum(value, self.draw_from(random))
    }

    #[inline]
    pub(super) fn draw_from(&self, random: &mut impl Bits) -> IBig {
        loop {
            let size = self.0.draw_from(random);
            let negative = random.bits(1) == 1;
            if !(negative && size.is_zero()) {
                return IBig::from_parts(Sign::from(negative), size);
            }
        }
    }
}

#[inline]
fn geometric<N: Natural>(numerator: &N, denominator: &N, random: &mut impl Bits) -> UBig {
    let within = loop {
        let candidate = N::below(numerator, random);
        if bernoulli_exp_to_one(&candidate, numerator, random) {
            break candidate;
        }
    };
    within.wound_up(heads_of_inverse_e(random), numerator, denominator)
}
