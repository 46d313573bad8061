//! Accounts: what was paid for, in order, adding up exactly. A manifest carries one.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::amounts::{Cost, Measure};
use super::charge::{Charge, Composition};
use super::rational::Rational;
use super::relation::{AddRemove, Neighbours, Relation, Replace};
use crate::error::{Error, Result};

/// Everything that was paid for, in order, in one measure and under one relation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Record", try_from = "Record", bound = "")]
pub struct Account<R: Relation> {
    measure: Measure,
    entries: Vec<Entry<R>>,
    total: Rational,
}

/// A line of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<R: Relation> {
    what: String,
    charge: Charge<R>,
    cost: Cost<R>,
}

impl<R: Relation> Entry<R> {
    /// What was paid for, in words that are public.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The steps.
    pub fn charge(&self) -> &Charge<R> {
        &self.charge
    }

    /// What they cost.
    pub fn cost(&self) -> &Cost<R> {
        &self.cost
    }
}

impl<R: Relation> Account<R> {
    /// An account without entries.
    pub fn new(measure: Measure) -> Self {
        Self {
            measure,
            entries: Vec::new(),
            total: Rational::ZERO,
        }
    }

    /// Adds a line.
    ///
    /// # Errors
    /// The account is in ε and a step is not pure.
    pub fn add(&mut self, what: impl Into<String>, charge: Charge<R>) -> Result<()> {
        let cost = charge.cost(self.measure)?;
        self.total = self.total.clone() + cost.value().clone();
        self.entries.push(Entry {
            what: what.into(),
            charge,
            cost,
        });
        Ok(())
    }

    /// The lines, in the order in which they were paid.
    pub fn entries(&self) -> &[Entry<R>] {
        &self.entries
    }

    /// In which quantity it is kept.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// The exact sum.
    pub fn total(&self) -> Cost<R> {
        Cost::new(self.measure, self.total.clone())
    }
}

impl Account<AddRemove> {
    /// The same account under replacing. There is no way back.
    pub fn to_replace(&self) -> Account<Replace> {
        let mut account = Account::new(self.measure);
        for entry in &self.entries {
            account
                .add(entry.what.clone(), entry.charge.clone().to_replace())
                .expect("what is pure stays pure");
        }
        account
    }
}

/// An account as it stands in a file.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Account")]
struct Record {
    /// Which tables are neighbours.
    neighbours: Neighbours,
    /// In which quantity the costs are.
    measure: Measure,
    /// The exact sum of the costs.
    total: Rational,
    /// What was paid for, in order.
    entries: Vec<Line>,
}

/// A line as it stands in a file.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Line {
    /// What was paid for.
    what: String,
    /// What it cost.
    cost: Rational,
    /// The steps that the cost follows from.
    charge: Composition,
}

impl<R: Relation> From<Account<R>> for Record {
    fn from(account: Account<R>) -> Self {
        let line = |entry: Entry<R>| Line {
            what: entry.what,
            cost: entry.cost.value().clone(),
            charge: entry.charge.composition().clone(),
        };
        Self {
            neighbours: R::NEIGHBOURS,
            measure: account.measure,
            total: account.total,
            entries: account.entries.into_iter().map(line).collect(),
        }
    }
}

impl<R: Relation> TryFrom<Record> for Account<R> {
    type Error = Error;

    /// Works out every cost and the total anew, so that an account which was read adds up.
    fn try_from(record: Record) -> Result<Self> {
        R::NEIGHBOURS.check_is(record.neighbours)?;
        let mut account = Self::new(record.measure);
        for line in record.entries {
            account.add(line.what, Charge::checked(line.charge)?)?;
            let entry = account.entries.last().expect("it was added just now");
            if *entry.cost.value() != line.cost {
                return Err(Error::refused(format!(
                    "the entry `{}` costs {}, not {}",
                    entry.what,
                    entry.cost.value(),
                    line.cost
                )));
            }
        }
        if account.total != record.total {
            return Err(Error::refused(format!(
                "the entries add up to {}, not to {}",
                account.total, record.total
            )));
        }
        Ok(account)
    }
}

impl<R: Relation> JsonSchema for Account<R> {
    fn schema_name() -> Cow<'static, str> {
        Record::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Record::json_schema(generator)
    }
}
