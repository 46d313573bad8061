//! Charges: mechanisms put together, under one neighbour relation.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::amounts::{Cost, Epsilon, Measure, Rho};
use super::mechanism::Mechanism;
use super::rational::Rational;
use super::relation::{AddRemove, Neighbours, Relation, Replace};
use crate::error::{Error, Result};

/// What is to be paid for a step, or for several steps as one.
///
/// Charges of different relations do not mix, and disjoint parts share a charge under [`AddRemove`] only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge<R: Relation> {
    composition: Composition,
    relation: PhantomData<R>,
}

/// How a charge is put together, as a manifest tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Composition {
    /// One step.
    Step(Mechanism),
    /// Steps on the same people: costs add up.
    Sequence(Vec<Composition>),
    /// The same step several times on the same people.
    Repeated {
        /// How often.
        times: u64,
        /// What.
        of: Box<Composition>,
    },
    /// Steps on parts of the table that share nobody: the dearest pays for all. Equal steps are told once.
    Parallel(Vec<Composition>),
    /// A guarantee under adding or removing, read as one under replacing.
    FromAddRemove(Box<Composition>),
}

impl Composition {
    pub(super) fn epsilon(&self) -> Option<Rational> {
        match self {
            Self::Step(mechanism) => mechanism.epsilon(),
            Self::Sequence(steps) => {
                let all: Option<Vec<Rational>> = steps.iter().map(Self::epsilon).collect();
                Some(all?.iter().sum())
            }
            Self::Repeated { times, of } => Some(of.epsilon()? * (*times).into()),
            Self::Parallel(parts) => {
                let all: Option<Vec<Rational>> = parts.iter().map(Self::epsilon).collect();
                Some(all?.into_iter().max().unwrap_or(Rational::ZERO))
            }
            Self::FromAddRemove(under_add_remove) => {
                let epsilon = Epsilon::<AddRemove>::new(under_add_remove.epsilon()?);
                Some(epsilon.to_replace().value().clone())
            }
        }
    }

    pub(super) fn rho(&self) -> Rational {
        match self {
            Self::Step(mechanism) => mechanism.rho(),
            Self::Sequence(steps) => {
                let all: Vec<Rational> = steps.iter().map(Self::rho).collect();
                all.iter().sum()
            }
            Self::Repeated { times, of } => of.rho() * (*times).into(),
            Self::Parallel(parts) => {
                let all = parts.iter().map(Self::rho);
                all.max().unwrap_or(Rational::ZERO)
            }
            Self::FromAddRemove(under_add_remove) => {
                let rho = Rho::<AddRemove>::new(under_add_remove.rho());
                rho.to_replace().value().clone()
            }
        }
    }

    /// Refuses what the types of [`Charge`] would not let anybody build: it may come from a file.
    pub(super) fn check_under(&self, neighbours: Neighbours) -> Result<()> {
        match self {
            Self::Step(_) => Ok(()),
            Self::Sequence(steps) => steps
                .iter()
                .try_for_each(|step| step.check_under(neighbours)),
            Self::Repeated { of, .. } => of.check_under(neighbours),
            Self::Parallel(_) if neighbours != Neighbours::AddRemove => Err(Error::refused(
                "disjoint parts share a charge under adding or removing only: who is replaced may move from one part to another",
            )),
            Self::Parallel(parts) => parts
                .iter()
                .try_for_each(|part| part.check_under(neighbours)),
            Self::FromAddRemove(under_add_remove) => {
                neighbours.check_is(Neighbours::Replace)?;
                under_add_remove.check_under(Neighbours::AddRemove)
            }
        }
    }
}

impl<R: Relation> Charge<R> {
    /// The charge for one step, whose sensitivities hold under this relation.
    pub fn of(mechanism: Mechanism) -> Self {
        Self::composed(Composition::Step(mechanism))
    }

    fn composed(composition: Composition) -> Self {
        Self {
            composition,
            relation: PhantomData,
        }
    }

    /// A charge out of a file.
    pub(super) fn checked(composition: Composition) -> Result<Self> {
        composition.check_under(R::NEIGHBOURS)?;
        Ok(Self::composed(composition))
    }

    /// This step, and another one on the same people.
    #[must_use]
    pub fn then(self, other: Self) -> Self {
        let mut steps = match self.composition {
            Composition::Sequence(steps) => steps,
            one => vec![one],
        };
        steps.push(other.composition);
        Self::composed(Composition::Sequence(steps))
    }

    /// This step several times on the same people: publishing the best of K runs costs K of them.
    #[must_use]
    pub fn times(self, times: u64) -> Self {
        Self::composed(Composition::Repeated {
            times,
            of: Box::new(self.composition),
        })
    }

    /// How it is put together.
    pub fn composition(&self) -> &Composition {
        &self.composition
    }

    /// The cost in ε; nothing if a step in it is not pure.
    pub fn epsilon(&self) -> Option<Epsilon<R>> {
        self.composition.epsilon().map(Epsilon::new)
    }

    /// The cost in ρ.
    pub fn rho(&self) -> Rho<R> {
        Rho::new(self.composition.rho())
    }

    /// The cost in a measure.
    ///
    /// # Errors
    /// The measure is ε and a step is not pure.
    pub fn cost(&self, measure: Measure) -> Result<Cost<R>> {
        match measure {
            Measure::Concentrated => Ok(Cost::Concentrated(self.rho())),
            Measure::Pure => self.epsilon().map(Cost::Pure).ok_or_else(|| {
                Error::refused("a step that is not pure cannot be paid in ε")
                    .hint("Gaussian noise needs a budget in ρ")
            }),
        }
    }
}

impl Charge<AddRemove> {
    /// One charge for steps on parts of the table that share nobody: the dearest pays for all.
    ///
    /// A person who is added or removed is in one part. One who is replaced may be in two, so there is no such thing
    /// for [`Replace`].
    pub fn parallel(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut different: Vec<Composition> = Vec::new();
        for part in parts {
            if !different.contains(&part.composition) {
                different.push(part.composition);
            }
        }
        Self::composed(Composition::Parallel(different))
    }

    /// The same steps under replacing: twice the ε, four times the ρ. There is no way back.
    pub fn to_replace(self) -> Charge<Replace> {
        Charge::composed(Composition::FromAddRemove(Box::new(self.composition)))
    }
}
