//! Exact non-negative rationals, the parameters of every sampler.

use std::fmt;

use dashu_int::UBig;
use dashu_int::ops::Gcd;

use crate::error::{Error, Result};

/// A non-negative rational in lowest terms: a scale, a variance, a weight or a probability.
///
/// There is no way in from a floating-point number: 0.1 as a float is not 1/10, and a promise of 1/10 has to be kept
/// with 1/10. An exact rational of another type goes in by its two integers:
///
/// ```
/// use pleiad::privacy::noise::{Fraction, UBig};
///
/// let third = Fraction::new(5_u64, 15_u64)?;
/// assert_eq!(third.to_string(), "1/3");
/// let huge = Fraction::new(UBig::from(10_u8).pow(60), 7_u8)?;
/// assert_eq!(huge.denominator(), &UBig::from(7_u8));
/// assert!(Fraction::new(1_u8, 0_u8).is_err());
/// # Ok::<(), pleiad::Error>(())
/// ```
///
/// What a sampler needs beyond that (a scale above 0, a probability of at most 1) it checks when it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: UBig,
    denominator: UBig,
}

impl Fraction {
    /// `numerator / denominator`.
    ///
    /// # Errors
    /// If the denominator is 0.
    pub fn new(numerator: impl Into<UBig>, denominator: impl Into<UBig>) -> Result<Self> {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        if denominator.is_zero() {
            return Err(Error::spec("a fraction cannot have the denominator 0"));
        }
        let common = (&numerator).gcd(&denominator);
        Ok(Self {
            numerator: numerator / &common,
            denominator: denominator / common,
        })
    }

    /// The number above the line.
    pub fn numerator(&self) -> &UBig {
        &self.numerator
    }

    /// The number below the line, at least 1.
    pub fn denominator(&self) -> &UBig {
        &self.denominator
    }

    /// This fraction, unless it is 0.
    pub(super) fn positive(&self, what: &str) -> Result<&Self> {
        if self.numerator.is_zero() {
            return Err(Error::spec(format!("{what} has to be above 0")));
        }
        Ok(self)
    }

    /// This fraction, unless it is above 1.
    pub(super) fn at_most_one(&self, what: &str) -> Result<&Self> {
        if self.numerator > self.denominator {
            return Err(Error::spec(format!(
                "{what} cannot be above 1, it is {self}"
            )));
        }
        Ok(self)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.numerator)?;
        if !self.denominator.is_one() {
            write!(formatter, "/{}", self.denominator)?;
        }
        Ok(())
    }
}
