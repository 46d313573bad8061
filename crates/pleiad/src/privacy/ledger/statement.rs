//! What a ledger tells: each population's account, and each entry.

use schemars::JsonSchema;
use serde::Serialize;

use crate::privacy::budget::{AddRemove, Delta, Measure, Neighbours, Rational, Rho};

/// What was given to a population, what is spent and what is left. All amounts are exact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Statement {
    /// The name of the population.
    pub population: String,
    /// The neighbour relation under which its amounts add up.
    pub neighbours: Neighbours,
    /// In which quantity its amounts are.
    pub measure: Measure,
    /// What its owner declared.
    pub total: Rational,
    /// The sum of all acts, however they ended.
    pub spent: Rational,
    /// What can still be booked.
    pub left: Rational,
    /// The same as ε with a δ, where the amounts are in ρ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_epsilon: Option<AsEpsilon>,
    /// Acts that are under way, or that ended without a word.
    pub booked: u64,
    /// Acts whose outcome was published.
    pub published: u64,
    /// Acts that were broken off. What they cost stays spent.
    pub broken_off: u64,
    /// Looks at raw evaluations. A claim that comes after one covers the mechanism, not what was chosen by looking.
    pub looks: u64,
    /// When it was declared.
    pub declared_at: String,
}

/// Amounts of ρ read as ε with a δ, rounded up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AsEpsilon {
    /// The δ.
    pub delta: Delta,
    /// The ε of what was declared.
    pub total: Rational,
    /// The ε of what is spent.
    pub spent: Rational,
}

impl AsEpsilon {
    pub(super) fn new(delta: Delta, total: &Rational, spent: &Rational) -> Self {
        // The conversion is the same under either relation.
        let read = |rho: &Rational| {
            let epsilon = Rho::<AddRemove>::new(rho.clone()).to_epsilon(&delta);
            epsilon.value().clone()
        };
        Self {
            total: read(total),
            spent: read(spent),
            delta,
        }
    }
}

/// How an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Spent. It is under way, or it ended without a word.
    Booked,
    /// Spent, and its outcome is out.
    Published,
    /// Spent, and nothing came of it.
    BrokenOff,
    /// A look at a raw evaluation, which costs nothing and limits what later claims cover.
    Looked,
}

impl State {
    const ALL: [Self; 4] = [Self::Booked, Self::Published, Self::BrokenOff, Self::Looked];

    /// The word in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Booked => "booked",
            Self::Published => "published",
            Self::BrokenOff => "broken_off",
            Self::Looked => "looked",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// One line of a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LogEntry {
    /// Its number, which no other entry has.
    pub number: i64,
    /// The population.
    pub population: String,
    /// The method that spent.
    pub method: String,
    /// What its owner wrote beside it.
    pub note: String,
    /// In which quantity the method stated its cost.
    pub measure: Measure,
    /// The cost as the method stated it.
    pub amount: Rational,
    /// The cost in the quantity of the population.
    pub cost: Rational,
    /// How it stands.
    pub state: State,
    /// When it was booked.
    pub booked_at: String,
    /// When it was closed.
    pub closed_at: Option<String>,
}
