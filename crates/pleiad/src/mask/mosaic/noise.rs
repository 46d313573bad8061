//! Whole numbers with discrete Laplace noise, and what they cost.

use crate::error::Result;
use crate::privacy::budget::{AddRemove, Charge, Mechanism, Positive, Rational};
use crate::privacy::noise::{DiscreteLaplace, Fraction, PrivateRandom};

/// Noise for whole numbers that one person can move by `sensitivity`, all moves added.
#[derive(Debug)]
pub(super) struct Noise {
    sensitivity: Rational,
    scale: Positive,
    sampler: DiscreteLaplace,
}

impl Noise {
    /// The noise that makes it ε.
    pub(super) fn new(sensitivity: u64, epsilon: &Rational) -> Result<Self> {
        let sensitivity = Rational::from(sensitivity);
        let scale = sensitivity.over(&Positive::try_from(epsilon.clone())?);
        Ok(Self {
            sampler: DiscreteLaplace::with_scale(&fraction(&scale)?)?,
            scale: scale.try_into()?,
            sensitivity,
        })
    }

    pub(super) fn charge(&self) -> Charge<AddRemove> {
        Charge::of(Mechanism::DiscreteLaplace {
            l1_sensitivity: self.sensitivity.clone(),
            scale: self.scale.clone(),
        })
    }

    /// A number and one draw together; what is beyond the ends of the type is moved there, which costs no privacy.
    pub(super) fn add_to(&self, value: u128, random: &mut PrivateRandom) -> i64 {
        let value = i128::try_from(value).unwrap_or(i128::MAX);
        into_i64(self.sampler.add_to(value, random))
    }

    /// Twice the square of the scale: the variance, but for a hair at scales below 1.
    pub(super) fn variance(&self) -> f64 {
        2.0 * as_float(self.scale.value()).powi(2)
    }
}

/// A noisy number in the width that files have.
pub(super) fn into_i64(noisy: i128) -> i64 {
    let end = if noisy < 0 { i64::MIN } else { i64::MAX };
    i64::try_from(noisy).unwrap_or(end)
}

/// An amount as the samplers take it.
pub(super) fn fraction(amount: &Rational) -> Result<Fraction> {
    Fraction::new(amount.numerator(), amount.denominator().clone())
}

/// An amount that is public, or noisy already, as a float.
pub(super) fn as_float(amount: &Rational) -> f64 {
    let (above, below) = (amount.numerator(), amount.denominator());
    above.to_f64().value() / below.to_f64().value()
}
