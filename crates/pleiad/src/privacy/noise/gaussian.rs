//! Discrete Gaussian noise with a rational variance parameter.
//!
//! Wanted is P(z) proportional to exp(−z²/(2σ²)) for every integer z, σ² = a/b
//! (Canonne, Kamath, Steinke 2020, algorithm 3).
//! 1. t = ⌊σ⌋ + 1; Y discrete Laplace with scale t.
//! 2. Keep Y with probability exp(−(|Y| − σ²/t)²/(2σ²)), else draw again.
//!
//! *Reason.* P(Y = y)·P(kept | y) is proportional to exp(−|y|/t − (|y| − σ²/t)²/(2σ²))
//! = exp(−|y|/t − y²/(2σ²) + |y|/t − σ²/(2t²)), in which the terms in |y| cancel and the last one does not depend
//! on y: proportional to exp(−y²/(2σ²)). ∎ Any t ≥ 1 would be right; this one keeps most.
//!
//! In integers the exponent of step 2 is (|y|·b·t − a)² / (2·a·b·t²). ⌊σ⌋ = ⌊√⌊a/b⌋⌋, since m² ≤ a/b
//! and m² ≤ ⌊a/b⌋ say the same of an integer m.
//!
//! *Privacy.* Added to an integer vector whose Euclidean length of change between neighbours is at most Δ, it is
//! Δ²/(2σ²)-zCDP (the same paper, theorem 4 and its multivariate form). σ² is not quite the variance: that is at most σ².
//!
//! *Bits.* A candidate is kept with a probability bounded from below for every σ (the same paper), so a bounded number
//! of Laplace draws and coins.

use dashu_int::ops::SquareRoot;
use dashu_int::{IBig, UBig};

use super::bernoulli::bernoulli_exp;
use super::clamped_sum;
use super::entropy::{Bits, PrivateRandom};
use super::fraction::Fraction;
use super::laplace::{DiscreteLaplace, Geometric};
use super::natural::Pair;
use crate::error::Result;

/// P(z) proportional to exp(−z²/(2σ²)), for every integer z.
#[derive(Clone, Debug)]
pub struct DiscreteGaussian {
    proposal: DiscreteLaplace,
    keeping: Keeping,
    /// `None` if a number in `keeping` is beyond `u128`.
    narrow: Option<Keeping<u128>>,
}

/// The constants of (|y|·`slope` − `centre`)² / `spread`.
#[derive(Clone, Debug)]
struct Keeping<N = UBig> {
    slope: N,
    centre: N,
    spread: N,
}

impl DiscreteGaussian {
    /// The distribution with this σ². Not σ: an exact privacy cost needs σ² to be exact.
    ///
    /// # Errors
    /// If it is 0.
    pub fn with_variance(variance: &Fraction) -> Result<Self> {
        let variance = variance.positive("the variance of noise")?;
        let (a, b) = (variance.numerator(), variance.denominator());
        let t: UBig = (a / b).sqrt() + UBig::ONE;
        let slope = b * &t;
        let spread = (a * &slope * &t) << 1;
        let keeping = Keeping {
            slope,
            centre: a.clone(),
            spread,
        };
        Ok(Self {
            proposal: DiscreteLaplace(Geometric(Pair::new(&t, &UBig::ONE))),
            narrow: keeping.narrowed(),
            keeping,
        })
    }

    /// One draw.
    pub fn draw(&self, random: &mut PrivateRandom) -> IBig {
        self.draw_from(random)
    }

    /// `value` and one draw together; a sum beyond the ends of `i128` is moved to the end, which costs no privacy.
    pub fn add_to(&self, value: i128, random: &mut PrivateRandom) -> i128 {
        clamped_sum(value, self.draw_from(random))
    }

    pub(super) fn draw_from(&self, random: &mut impl Bits) -> IBig {
        loop {
            let candidate = self.proposal.draw_from(random);
            if self.keeps(&candidate, random) {
                return candidate;
            }
        }
    }

    fn keeps(&self, candidate: &IBig, random: &mut impl Bits) -> bool {
        let exponent = self
            .narrow
            .as_ref()
            .and_then(|narrow| Some((narrow.numerator(candidate)?, narrow.spread)));
        match exponent {
            Some((numerator, spread)) => bernoulli_exp(&numerator, &spread, random),
            None => bernoulli_exp(
                &self.keeping.numerator(candidate),
                &self.keeping.spread,
                random,
            ),
        }
    }

    /// The same distribution on big integers, whatever fits.
    #[cfg(test)]
    pub(super) fn widened(&self) -> Self {
        let Self {
            proposal: DiscreteLaplace(Geometric(scale)),
            keeping,
            ..
        } = self;
        Self {
            proposal: DiscreteLaplace(Geometric(scale.widened())),
            keeping: keeping.clone(),
            narrow: None,
        }
    }
}

impl Keeping {
    fn narrowed(&self) -> Option<Keeping<u128>> {
        Some(Keeping {
            slope: u128::try_from(&self.slope).ok()?,
            centre: u128::try_from(&self.centre).ok()?,
            spread: u128::try_from(&self.spread).ok()?,
        })
    }

    fn numerator(&self, candidate: &IBig) -> UBig {
        let (_, size) = candidate.clone().into_parts();
        let along = size * &self.slope;
        let distance = if along < self.centre {
            &self.centre - along
        } else {
            along - &self.centre
        };
        distance.sqr()
    }
}

impl Keeping<u128> {
    /// `None` on overflow.
    #[inline]
    fn numerator(&self, candidate: &IBig) -> Option<u128> {
        let size = i128::try_from(candidate).ok()?.unsigned_abs();
        let distance = size.checked_mul(self.slope)?.abs_diff(self.centre);
        distance.checked_mul(distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Step by step: Laplace and coin together leave y²/(2σ²) and a term without y, as exact integers.
    #[test]
    fn laplace_and_coin_make_a_gaussian() {
        for (a, b) in [
            (1_u32, 4_u32),
            (2, 3),
            (1, 1),
            (4, 1),
            (15, 1),
            (50, 7),
            (10_001, 3),
        ] {
            let variance = Fraction::new(a, b).unwrap();
            let gaussian = DiscreteGaussian::with_variance(&variance).unwrap();
            let Keeping {
                slope,
                centre,
                spread,
            } = &gaussian.keeping;
            let t = slope / b;
            assert!((&t - 1_u8).sqr() * b <= UBig::from(a) && t.sqr() * b > UBig::from(a));
            assert_eq!(centre, &UBig::from(a));
            assert_eq!(spread, &(t.sqr() * 2_u8 * a * b));
            for y in -40..=40_i32 {
                // |y|/t + exponent = y²·b/(2a) + a/(2b·t²), times 2ab·t².
                let exponent = gaussian.keeping.numerator(&IBig::from(y));
                let size = y.unsigned_abs();
                assert_eq!(
                    &t * 2_u8 * a * b * size + exponent,
                    t.sqr() * b * b * size * size + UBig::from(a).sqr()
                );
            }
        }
    }
}
