//! Exact amounts: rationals that are never negative, read from text and written back without loss.
//!
//! `"0.1"` is one tenth here, not the float beside it. No float takes part, neither in reading nor in writing.

use std::borrow::Cow;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul};
use std::str::FromStr;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Longer texts are a mistake or an attack, no amount.
pub(crate) const MOST_CHARACTERS: usize = 4_000;
/// The largest power of ten that may be written behind an `e`.
const MOST_EXPONENT: usize = 1_000;
/// Rationals with so many decimals or fewer are written as decimals, others as fractions.
const MOST_DECIMALS: usize = 30;

/// An exact rational that is never negative.
///
/// ```
/// use pleiad::privacy::budget::Rational;
///
/// let tenth: Rational = "0.1".parse()?;
/// assert_eq!(tenth, "1/10".parse()?);
/// assert_eq!(tenth, "1e-1".parse()?);
/// assert_eq!((tenth.clone() + tenth.clone() + tenth).to_string(), "0.3");
/// assert!("-1".parse::<Rational>().is_err());
/// # Ok::<(), pleiad::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rational(RBig);

impl Rational {
    /// Nothing.
    pub const ZERO: Self = Self(RBig::ZERO);
    /// One.
    pub const ONE: Self = Self(RBig::ONE);

    /// A fraction.
    ///
    /// # Errors
    /// A denominator of 0.
    pub fn new(numerator: impl Into<UBig>, denominator: impl Into<UBig>) -> Result<Self> {
        let denominator = denominator.into();
        if denominator.is_zero() {
            return Err(Error::spec("a fraction cannot have the denominator 0"));
        }
        let numerator = IBig::from(numerator.into());
        Ok(Self(RBig::from_parts(numerator, denominator)))
    }

    /// An exact value that is known not to be negative.
    pub(super) fn from_exact(value: RBig) -> Self {
        assert!(value >= RBig::ZERO, "amounts are never negative");
        Self(value)
    }

    pub(super) fn exact(&self) -> &RBig {
        &self.0
    }

    /// The upper number of the reduced fraction.
    pub fn numerator(&self) -> UBig {
        let numerator = self.0.numerator().clone();
        numerator.try_into().expect("amounts are never negative")
    }

    /// The lower number of the reduced fraction.
    pub fn denominator(&self) -> &UBig {
        self.0.denominator()
    }

    /// Whether it is nothing.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// The difference, unless it were negative.
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        (self >= other).then(|| Self(&self.0 - &other.0))
    }

    /// The quotient.
    pub fn over(&self, divisor: &Positive) -> Self {
        Self(&self.0 / &divisor.0.0)
    }

    /// The square.
    pub fn squared(&self) -> Self {
        Self(&self.0 * &self.0)
    }

    /// The smallest number with so many decimals that is not less.
    pub fn rounded_up(&self, decimals: usize) -> Self {
        let power = power_of_ten(decimals);
        let scaled = &self.0 * RBig::from(power.clone());
        Self(RBig::from_parts(scaled.ceil(), power))
    }

    /// The largest number with so many decimals that is not more.
    pub fn rounded_down(&self, decimals: usize) -> Self {
        let power = power_of_ten(decimals);
        let scaled = &self.0 * RBig::from(power.clone());
        Self(RBig::from_parts(scaled.floor(), power))
    }
}

pub(super) fn power_of_ten(exponent: usize) -> UBig {
    UBig::from(10_u8).pow(exponent)
}

impl From<u64> for Rational {
    fn from(whole: u64) -> Self {
        Self(RBig::from(whole))
    }
}

impl Add for Rational {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Mul for Rational {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl<'a> Sum<&'a Rational> for Rational {
    fn sum<I: Iterator<Item = &'a Rational>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, |sum, amount| Self(sum.0 + &amount.0))
    }
}

impl FromStr for Rational {
    type Err = Error;

    /// Reads `2`, `0.1`, `1e-6`, `2.5e3` and `1/3`: digits only, no sign in front, no spaces.
    fn from_str(text: &str) -> Result<Self> {
        if text.len() > MOST_CHARACTERS {
            return Err(Error::spec(format!(
                "an amount of more than {MOST_CHARACTERS} characters is no amount"
            )));
        }
        if text.starts_with('-') {
            return Err(Error::spec(format!("`{text}` is negative")));
        }
        let not_a_number = || {
            Error::spec(format!("`{text}` is not an exact number"))
                .hint("write a decimal like 0.1, a power of ten like 1e-6 or a fraction like 1/3")
        };
        if let Some((numerator, denominator)) = text.split_once('/') {
            let numerator = whole(numerator).ok_or_else(not_a_number)?;
            let denominator = whole(denominator).ok_or_else(not_a_number)?;
            return Self::new(numerator, denominator);
        }
        decimal(text).ok_or_else(not_a_number)
    }
}

/// Digits and nothing else.
fn whole(digits: &str) -> Option<UBig> {
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| UBig::from_str_radix(digits, 10).expect("digits are a number"))
}

/// `digits[.digits][e[+-]digits]`.
fn decimal(text: &str) -> Option<Rational> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (before, after) = match mantissa.split_once('.') {
        Some((before, after)) => (whole(before)?, Some(after)),
        None => (whole(mantissa)?, None),
    };
    let mut value = RBig::from(before);
    if let Some(after) = after {
        value += RBig::from_parts(whole(after)?.into(), power_of_ten(after.len()));
    }
    if let Some(exponent) = exponent {
        let (is_negative, digits) = match exponent.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, exponent.strip_prefix('+').unwrap_or(exponent)),
        };
        let exponent = usize::try_from(&whole(digits)?).ok()?;
        if exponent > MOST_EXPONENT {
            return None;
        }
        let power = RBig::from(power_of_ten(exponent));
        value = if is_negative {
            value / power
        } else {
            value * power
        };
    }
    Some(Rational(value))
}

impl fmt::Display for Rational {
    /// A decimal where the number has one of reasonable length, else a fraction; read again it is the same number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numerator, denominator) = (self.numerator(), self.denominator());
        let decimals =
            (0..=MOST_DECIMALS).find(|&decimals| (power_of_ten(decimals) % denominator).is_zero());
        let text = match decimals {
            None => format!("{numerator}/{denominator}"),
            Some(0) => numerator.to_string(),
            Some(decimals) => {
                let digits = numerator * power_of_ten(decimals) / denominator;
                let digits = format!("{digits:0>width$}", width = decimals + 1);
                let (before, after) = digits.split_at(digits.len() - decimals);
                format!("{before}.{after}")
            }
        };
        f.pad(&text)
    }
}

impl TryFrom<String> for Rational {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Rational> for String {
    fn from(amount: Rational) -> Self {
        amount.to_string()
    }
}

impl JsonSchema for Rational {
    fn schema_name() -> Cow<'static, str> {
        "Rational".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "An exact number: a decimal or a fraction, never negative.",
            "pattern": r"^\d+(\.\d+)?([eE][+-]?\d+)?$|^\d+/\d+$"
        })
    }
}

/// A rational that is more than nothing: what one may divide by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Rational", into = "Rational")]
pub struct Positive(Rational);

impl Positive {
    /// The number.
    pub fn value(&self) -> &Rational {
        &self.0
    }
}

impl TryFrom<Rational> for Positive {
    type Error = Error;

    fn try_from(value: Rational) -> Result<Self> {
        if value.is_zero() {
            return Err(Error::spec("the number must be more than 0"));
        }
        Ok(Self(value))
    }
}

impl From<Positive> for Rational {
    fn from(value: Positive) -> Self {
        value.0
    }
}

impl FromStr for Positive {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        text.parse::<Rational>()?.try_into()
    }
}
