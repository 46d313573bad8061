//! ε, ρ and δ: the three quantities of an account, each a type of its own.

use std::fmt;
use std::iter::Sum;
use std::marker::PhantomData;
use std::ops::Add;
use std::str::FromStr;

use dashu_int::UBig;
use dashu_ratio::RBig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rational::{Rational, power_of_ten};
use super::relation::{AddRemove, Relation, Replace};
use super::upward;
use crate::error::{Error, Result};

/// Decimals of a quantity that had to be rounded.
pub const DECIMALS: usize = 12;

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name<R: Relation> {
            value: Rational,
            relation: PhantomData<R>,
        }

        impl<R: Relation> $name<R> {
            /// The quantity with this value.
            pub fn new(value: Rational) -> Self {
                Self {
                    value,
                    relation: PhantomData,
                }
            }

            /// The exact value.
            pub fn value(&self) -> &Rational {
                &self.value
            }

            /// So many times as much.
            pub fn scaled(&self, factor: &Rational) -> Self {
                Self::new(self.value.clone() * factor.clone())
            }

            /// What is left, unless it were negative.
            pub fn checked_sub(&self, other: &Self) -> Option<Self> {
                self.value.checked_sub(&other.value).map(Self::new)
            }
        }

        /// Sequential composition.
        impl<R: Relation> Add for $name<R> {
            type Output = Self;

            fn add(self, other: Self) -> Self {
                Self::new(self.value + other.value)
            }
        }

        impl<R: Relation> Sum for $name<R> {
            fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
                amounts.fold(Self::new(Rational::ZERO), Add::add)
            }
        }

        impl<R: Relation> FromStr for $name<R> {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self> {
                text.parse().map(Self::new)
            }
        }

        impl<R: Relation> fmt::Display for $name<R> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.value.fmt(f)
            }
        }
    };
}

quantity! {
    /// The ε of pure differential privacy: no output is more than e^ε times as likely on a table than on a neighbour.
    Epsilon
}

quantity! {
    /// The ρ of zero-concentrated differential privacy (Bun & Steinke 2016).
    Rho
}

impl Epsilon<AddRemove> {
    /// The same guarantee under replacing: to replace is to remove and to add. There is no way back.
    pub fn to_replace(&self) -> Epsilon<Replace> {
        Epsilon::new(self.value.clone() * Rational::from(2))
    }
}

impl<R: Relation> Epsilon<R> {
    /// What any pure step costs in ρ: ε²/2 (Bun & Steinke 2016, proposition 1.4).
    pub fn to_rho(&self) -> Rho<R> {
        Rho::new(half(self.value.squared()))
    }
}

pub(super) fn half(value: Rational) -> Rational {
    value * Rational::from_exact(RBig::from_parts(1.into(), 2_u8.into()))
}

impl Rho<AddRemove> {
    /// The same guarantee under replacing. Two steps from neighbour to neighbour cost 2² times ρ (Bun & Steinke 2016,
    /// proposition 1.9).
    pub fn to_replace(&self) -> Rho<Replace> {
        Rho::new(self.value.clone() * Rational::from(4))
    }
}

impl<R: Relation> Rho<R> {
    /// The ε that holds with this δ: ρ + 2√(ρ ln(1/δ)) (Bun & Steinke 2016, proposition 1.3), rounded up to
    /// [`DECIMALS`] decimals. It is never less than the true value, and more by hardly more than a unit of the last
    /// decimal.
    pub fn to_epsilon(&self, delta: &Delta) -> Epsilon<R> {
        self.to_epsilon_with(delta, DECIMALS)
    }

    fn to_epsilon_with(&self, delta: &Delta, decimals: usize) -> Epsilon<R> {
        // The bound for the logarithm is off by less than 2²² units of 2^−bits (rounded terms times halvings), so the
        // root by less than √(ρ · 2^(22 − bits)): below 2⁻²⁰ of the last decimal as long as ρ is less than 2¹⁰, however
        // close δ is to 1.
        let bits = 96 + 8 * decimals;
        let logarithm = upward::ln(delta.0.denominator(), &delta.0.numerator(), bits);
        let product = RBig::from(logarithm << bits) * self.value.exact();
        let product = UBig::try_from(product.ceil()).expect("a product of amounts is not negative");
        let root = upward::root(&product);
        let twice_root = RBig::from_parts((root << 1_usize).into(), UBig::ONE << bits);
        let epsilon = Rational::from_exact(self.value.exact() + twice_root);
        Epsilon::new(epsilon.rounded_up(decimals))
    }

    /// The largest ρ with [`DECIMALS`] decimals that keeps (ε, δ).
    pub fn within(epsilon: &Epsilon<R>, delta: &Delta) -> Self {
        let power = power_of_ten(DECIMALS);
        let rho = |units: &UBig| {
            let value = RBig::from_parts(units.clone().into(), power.clone());
            Self::new(Rational::from_exact(value))
        };
        // Units are kept as long as `least` units fit and `most` do not; ρ is never more than ε.
        let whole =
            epsilon.value.rounded_down(DECIMALS) * Rational::from_exact(power.clone().into());
        let (mut least, mut most) = (UBig::ZERO, whole.numerator() + UBig::ONE);
        while &most - &least > UBig::ONE {
            let middle = (&least + &most) >> 1_usize;
            if rho(&middle).to_epsilon_with(delta, 2 * DECIMALS) <= *epsilon {
                least = middle;
            } else {
                most = middle;
            }
        }
        rho(&least)
    }
}

/// The δ beside an ε: more than 0 and less than 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Rational", into = "Rational")]
pub struct Delta(Rational);

impl Delta {
    /// The exact value.
    pub fn value(&self) -> &Rational {
        &self.0
    }
}

impl TryFrom<Rational> for Delta {
    type Error = Error;

    fn try_from(value: Rational) -> Result<Self> {
        if value.is_zero() || value >= Rational::ONE {
            return Err(Error::spec("δ must be more than 0 and less than 1"));
        }
        Ok(Self(value))
    }
}

impl From<Delta> for Rational {
    fn from(delta: Delta) -> Self {
        delta.0
    }
}

impl FromStr for Delta {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        text.parse::<Rational>()?.try_into()
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// In which quantity an account is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// In ε of pure differential privacy.
    Pure,
    /// In ρ of zero-concentrated differential privacy.
    Concentrated,
}

impl Measure {
    /// The letter of its quantity.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Pure => "ε",
            Self::Concentrated => "ρ",
        }
    }

    /// The word in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Concentrated => "concentrated",
        }
    }

    /// The measure with this word.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Pure, Self::Concentrated]
            .into_iter()
            .find(|measure| measure.name() == name)
    }
}

/// An amount of privacy in one measure, under one relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cost<R: Relation> {
    /// An amount of ε.
    Pure(Epsilon<R>),
    /// An amount of ρ.
    Concentrated(Rho<R>),
}

impl<R: Relation> Cost<R> {
    pub(crate) fn new(measure: Measure, value: Rational) -> Self {
        match measure {
            Measure::Pure => Self::Pure(Epsilon::new(value)),
            Measure::Concentrated => Self::Concentrated(Rho::new(value)),
        }
    }

    /// In which quantity it is.
    pub fn measure(&self) -> Measure {
        match self {
            Self::Pure(_) => Measure::Pure,
            Self::Concentrated(_) => Measure::Concentrated,
        }
    }

    /// The exact value.
    pub fn value(&self) -> &Rational {
        match self {
            Self::Pure(epsilon) => epsilon.value(),
            Self::Concentrated(rho) => rho.value(),
        }
    }

    /// What it costs in another measure: ε also as ε²/2 of ρ, never the other way.
    pub(crate) fn in_measure(&self, measure: Measure) -> Option<Self> {
        match (self, measure) {
            (Self::Pure(epsilon), Measure::Concentrated) => {
                Some(Self::Concentrated(epsilon.to_rho()))
            }
            (Self::Concentrated(_), Measure::Pure) => None,
            _ => Some(self.clone()),
        }
    }
}

impl Cost<AddRemove> {
    /// The same guarantee under replacing.
    pub fn to_replace(&self) -> Cost<Replace> {
        match self {
            Self::Pure(epsilon) => Cost::Pure(epsilon.to_replace()),
            Self::Concentrated(rho) => Cost::Concentrated(rho.to_replace()),
        }
    }
}

impl<R: Relation> fmt::Display for Cost<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.measure().letter(), self.value())
    }
}
