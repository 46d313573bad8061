//! The ledger: what was given to a population, and every private act that spent of it.
//!
//! An owner declares a population, the people behind one or more tables, and how much may ever be spent on it. Every
//! private act is booked before the first look at rows, in a file that survives crashes, power cuts and other
//! processes; it can then be published by showing the [`Booking`].
//!
//! ```
//! use pleiad::privacy::budget::{AddRemove, Cost};
//! use pleiad::privacy::ledger::{Act, Ledger, Total};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("pleiad.ledger");
//! let ledger = Ledger::create(&path)?;
//! ledger.declare("patients", &Total::<AddRemove>::Pure("2".parse()?))?;
//!
//! let cost: Cost<AddRemove> = Cost::Pure("0.5".parse()?);
//! let mut booking = ledger.book("patients", &cost, &Act::by("mosaic"))?;
//! let purse = booking.purse()?;
//! // … measure, paying from the purse; write the release beside its place …
//! booking.confirm()?;
//! // … rename it into place …
//! booking.published()?;
//!
//! assert_eq!(ledger.statement("patients")?.left.to_string(), "1.5");
//! # Ok::<(), pleiad::Error>(())
//! ```
//!
//! # What holds whatever happens
//!
//! - The acts of a population never cost more than its total. What is left is worked out anew, exactly, inside the
//!   transaction that books, and no other process can write in between. A trigger in the file refuses over-spending too.
//! - A booking exists only after its entry is on disk. An outcome that needs a booking to be published is booked,
//!   whenever the process is killed or the power is cut.
//! - What is booked stays spent: published, broken off, or cut short without a word.
//!
//! What is left to the owner: to declare the same people once, to keep the file (an old copy forgets what was spent since),
//! and to keep it on a disk of this machine, since locks on network drives cannot be relied upon.

mod booking;
mod file;
mod fingerprint;
mod queries;
mod statement;
mod stored;
#[cfg(test)]
mod tests;

use std::path::Path;

use jiff::Timestamp;

use crate::error::{Error, Result};
use crate::privacy::budget::{Cost, Delta, Epsilon, Measure, Rational, Relation, Rho};
use file::LedgerFile;

pub use booking::Booking;
pub use fingerprint::Fingerprint;
pub use statement::{AsEpsilon, LogEntry, State, Statement};

/// No promise is left long before; and sums of units stay far from the end of 64 bits.
const MOST_TOTAL: u64 = 1_000_000;
const MOST_NAME: usize = 100;

/// How much may ever be spent on a population.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Total<R: Relation> {
    /// An amount of ε.
    Pure(Epsilon<R>),
    /// An amount of ρ, and the δ with which it is read as ε.
    Concentrated {
        /// The amount.
        rho: Rho<R>,
        /// The δ.
        delta: Delta,
    },
}

impl<R: Relation> Total<R> {
    /// The most ρ that keeps (ε, δ).
    pub fn within(epsilon: &Epsilon<R>, delta: Delta) -> Self {
        Self::Concentrated {
            rho: Rho::within(epsilon, &delta),
            delta,
        }
    }
}

/// What is about to be done.
#[derive(Debug, Clone, Copy)]
pub struct Act<'a> {
    /// The method.
    pub method: &'a str,
    /// What the owner wants to find beside it later.
    pub note: &'a str,
    /// The data file it works on, to warn if another population has it too.
    pub data: Option<&'a Fingerprint>,
}

impl<'a> Act<'a> {
    /// An act of a method, without a note and without a data file.
    pub fn by(method: &'a str) -> Self {
        Self {
            method,
            note: "",
            data: None,
        }
    }
}

/// An open ledger.
#[derive(Debug)]
pub struct Ledger {
    file: LedgerFile,
}

impl Ledger {
    /// The name of a ledger that is not given another.
    pub const DEFAULT_FILE: &'static str = "pleiad.ledger";

    /// Opens a ledger that exists.
    ///
    /// # Errors
    /// There is none, it is of another version, or it is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            file: LedgerFile::open(path)?,
        })
    }

    /// Opens a ledger, or makes one that only its owner can read.
    ///
    /// # Errors
    /// It cannot be made, it is of another version, or it is damaged.
    pub fn create(path: &Path) -> Result<Self> {
        Ok(Self {
            file: LedgerFile::create(path)?,
        })
    }

    /// Declares a population and how much may ever be spent on it.
    ///
    /// # Errors
    /// It was declared already, or its name or total is absurd.
    pub fn declare<R: Relation>(&self, name: &str, total: &Total<R>) -> Result<()> {
        check_name(name)?;
        let (measure, amount, delta) = match total {
            Total::Pure(epsilon) => (Measure::Pure, epsilon.value(), None),
            Total::Concentrated { rho, delta } => (Measure::Concentrated, rho.value(), Some(delta)),
        };
        if amount.is_zero() || *amount > Rational::from(MOST_TOTAL) {
            return Err(Error::spec(format!(
                "{} = {amount} is no total: it must be more than 0 and at most {MOST_TOTAL}",
                measure.letter()
            )));
        }
        self.file.write("write to", |transaction| {
            let known = self.file.populations(transaction)?;
            if known.iter().any(|population| population.name == name) {
                return Err(Error::refused(format!(
                    "the population `{name}` is declared already, and a total is declared once"
                )));
            }
            let total = (measure, amount);
            self.file
                .insert_population(transaction, name, R::NEIGHBOURS, total, delta)
        })
    }

    /// Books a private act, before its first look at rows. When this returns, the entry is on disk.
    ///
    /// # Errors
    /// More than is left, another relation than the population's, or ρ for a population in ε. Nothing is booked then.
    pub fn book<R: Relation>(
        &self,
        population: &str,
        cost: &Cost<R>,
        act: &Act<'_>,
    ) -> Result<Booking<'_, R>> {
        let file = &self.file;
        let (number, looks, others) = file.write("book in", |transaction| {
            let population = file.population(transaction, population)?;
            let charged = population.cost_of(cost)?;
            let left = file.left(transaction, &population)?;
            population.check_affords(&charged, &left, act)?;
            let looks = file.count(transaction, &population, State::Looked)?;
            let others = match act.data {
                Some(data) => file.remember_data(transaction, &population, data)?,
                None => Vec::new(),
            };
            let stated = (cost.measure(), cost.value());
            let number = file.insert_entry(
                transaction,
                &population,
                act,
                stated,
                &charged,
                State::Booked,
            )?;
            Ok((number, looks, others))
        })?;
        Ok(Booking::new(self, number, cost, looks, others))
    }

    /// Writes down that somebody looks at a raw evaluation. It costs nothing, and limits what later claims cover.
    ///
    /// # Errors
    /// No such population, or the ledger cannot be written.
    pub fn look(&self, population: &str, act: &Act<'_>) -> Result<()> {
        let file = &self.file;
        file.write("write to", |transaction| {
            let population = file.population(transaction, population)?;
            let (nothing, looked) = (Rational::ZERO, State::Looked);
            let stated = (population.measure, &nothing);
            file.insert_entry(transaction, &population, act, stated, &nothing, looked)?;
            Ok(())
        })
    }

    /// The account of a population.
    ///
    /// # Errors
    /// No such population.
    pub fn statement(&self, population: &str) -> Result<Statement> {
        let file = &self.file;
        file.read(|transaction| {
            let population = file.population(transaction, population)?;
            file.statement(transaction, population)
        })
    }

    /// The accounts of all populations, in the order in which they were declared.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn statements(&self) -> Result<Vec<Statement>> {
        let file = &self.file;
        file.read(|transaction| {
            let populations = file.populations(transaction)?.into_iter();
            populations
                .map(|population| file.statement(transaction, population))
                .collect()
        })
    }

    /// Every entry, in order.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn log(&self) -> Result<Vec<LogEntry>> {
        self.file.read(|transaction| self.file.log(transaction))
    }
}

/// Names are shown in tables and typed on command lines.
fn check_name(name: &str) -> Result<()> {
    if name.trim() != name || name.is_empty() || name.chars().any(char::is_control) {
        return Err(Error::spec(
            "a population needs a name without control characters, and without spaces at its ends",
        ));
    }
    if name.chars().count() > MOST_NAME {
        return Err(Error::spec(format!(
            "the name of a population has at most {MOST_NAME} characters"
        )));
    }
    Ok(())
}

/// The time as it stands in the file.
fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
