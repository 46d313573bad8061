//! What the ledger asks its file, always inside a transaction.

use rusqlite::{Row, Transaction, params};

use super::file::LedgerFile;
use super::stored::writable;
use super::{Act, AsEpsilon, Fingerprint, LogEntry, State, Statement, now};
use crate::error::{Error, Result};
use crate::privacy::budget::{Cost, Delta, Measure, Neighbours, Rational, Relation};

/// Decimals of the units in which the triggers of the file count.
const UNIT_DECIMALS: usize = 12;

/// A population as the file has it.
pub(super) struct Population {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) neighbours: Neighbours,
    pub(super) measure: Measure,
    pub(super) total: Rational,
    pub(super) delta: Option<Delta>,
    pub(super) declared_at: String,
}

impl Population {
    const COLUMNS: &'static str = "id, name, neighbours, measure, total, delta, declared_at";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            neighbours: row.get(2)?,
            measure: row.get(3)?,
            total: row.get(4)?,
            delta: row.get(5)?,
            declared_at: row.get(6)?,
        })
    }

    /// What an act costs in the measure of this population.
    pub(super) fn cost_of<R: Relation>(&self, cost: &Cost<R>) -> Result<Rational> {
        self.neighbours.check_is(R::NEIGHBOURS)?;
        let cost = cost.in_measure(self.measure).ok_or_else(|| {
            Error::refused(format!(
                "the population `{}` is given ε, and {cost} is no ε without a δ",
                self.name
            ))
        })?;
        Ok(writable(cost.value()))
    }

    /// Refuses what costs more than is left.
    pub(super) fn check_affords(
        &self,
        cost: &Rational,
        left: &Rational,
        act: &Act<'_>,
    ) -> Result<()> {
        if cost <= left {
            return Ok(());
        }
        Err(Error::refused(format!(
            "the population `{}` has {} = {} left, and `{}` would cost {}",
            self.name,
            self.measure.letter(),
            left.rounded_down(UNIT_DECIMALS),
            act.method,
            cost.rounded_up(UNIT_DECIMALS),
        )))
    }
}

/// A number of units of the triggers.
fn units(amount: &Rational) -> i64 {
    let scale = Rational::from(10_u64.pow(UNIT_DECIMALS as u32));
    let whole = (amount.clone() * scale).numerator();
    i64::try_from(&whole).expect("no total is as large as that")
}

impl LedgerFile {
    pub(super) fn populations(&self, transaction: &Transaction<'_>) -> Result<Vec<Population>> {
        let query = format!("SELECT {} FROM population ORDER BY id", Population::COLUMNS);
        self.all(transaction, &query, [], Population::read)
    }

    /// The population with this name.
    pub(super) fn population(
        &self,
        transaction: &Transaction<'_>,
        name: &str,
    ) -> Result<Population> {
        let mut all = self.populations(transaction)?;
        match all.iter().position(|population| population.name == name) {
            Some(at) => Ok(all.swap_remove(at)),
            None => Err(Error::spec(format!(
                "no population `{name}` is declared in {}",
                self.path().display()
            ))
            .nearest(name, all.iter().map(|population| population.name.as_str()))),
        }
    }

    pub(super) fn insert_population(
        &self,
        transaction: &Transaction<'_>,
        name: &str,
        neighbours: Neighbours,
        (measure, total): (Measure, &Rational),
        delta: Option<&Delta>,
    ) -> Result<()> {
        let total_units = units(&total.rounded_up(UNIT_DECIMALS));
        transaction
            .execute(
                "INSERT INTO population (name, neighbours, measure, total, total_units, delta, declared_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![name, neighbours, measure, total, total_units, delta, now()],
            )
            .map_err(|error| self.failed("write to", error))?;
        Ok(())
    }

    /// The exact sum of everything booked. Equal costs are added at once, so a long ledger stays quick.
    pub(super) fn spent(
        &self,
        transaction: &Transaction<'_>,
        population: &Population,
    ) -> Result<Rational> {
        let costs: Vec<(Rational, u64)> = self.all(
            transaction,
            "SELECT cost, count(*) FROM entry WHERE population = ?1 GROUP BY cost",
            [population.id],
            |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)),
        )?;
        let products: Vec<Rational> = costs
            .into_iter()
            .map(|(cost, times)| cost * times.into())
            .collect();
        Ok(products.iter().sum())
    }

    /// What can still be booked.
    pub(super) fn left(
        &self,
        transaction: &Transaction<'_>,
        population: &Population,
    ) -> Result<Rational> {
        let spent = self.spent(transaction, population)?;
        // More than the total can only be there if somebody else wrote to the file.
        population
            .total
            .checked_sub(&spent)
            .ok_or_else(|| self.damaged())
    }

    pub(super) fn count(
        &self,
        transaction: &Transaction<'_>,
        population: &Population,
        state: State,
    ) -> Result<u64> {
        let count: Option<i64> = self.first(
            transaction,
            "SELECT count(*) FROM entry WHERE population = ?1 AND state = ?2",
            params![population.id, state],
            |row| row.get(0),
        )?;
        Ok(count.unwrap_or(0) as u64)
    }

    /// Writes an entry; `stated` is its cost as the method says it, `cost` in the measure of the population.
    pub(super) fn insert_entry(
        &self,
        transaction: &Transaction<'_>,
        population: &Population,
        act: &Act<'_>,
        stated: (Measure, &Rational),
        cost: &Rational,
        state: State,
    ) -> Result<i64> {
        transaction
            .execute(
                "INSERT INTO entry (population, method, note, measure, amount, cost, cost_units, state, booked_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                params![
                    population.id,
                    act.method,
                    act.note,
                    stated.0,
                    writable(stated.1),
                    cost,
                    units(&cost.rounded_down(UNIT_DECIMALS)),
                    state,
                    now(),
                ],
            )
            .map_err(|error| self.failed("book in", error))?;
        Ok(transaction.last_insert_rowid())
    }

    /// Remembers the data file of a population; the names of others that have it too.
    pub(super) fn remember_data(
        &self,
        transaction: &Transaction<'_>,
        population: &Population,
        data: &Fingerprint,
    ) -> Result<Vec<String>> {
        transaction
            .execute(
                "INSERT INTO data_file (hash, population) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                params![data.text(), population.id],
            )
            .map_err(|error| self.failed("write to", error))?;
        self.all(
            transaction,
            "SELECT name FROM data_file JOIN population ON population.id = data_file.population
             WHERE hash = ?1 AND population.id <> ?2 ORDER BY population.id",
            params![data.text(), population.id],
            |row| row.get(0),
        )
    }

    pub(super) fn statement(
        &self,
        transaction: &Transaction<'_>,
        population: Population,
    ) -> Result<Statement> {
        let count = |state| self.count(transaction, &population, state);
        let spent = self.spent(transaction, &population)?;
        Ok(Statement {
            left: self.left(transaction, &population)?,
            as_epsilon: population
                .delta
                .clone()
                .map(|delta| AsEpsilon::new(delta, &population.total, &spent)),
            booked: count(State::Booked)?,
            published: count(State::Published)?,
            broken_off: count(State::BrokenOff)?,
            looks: count(State::Looked)?,
            population: population.name,
            neighbours: population.neighbours,
            measure: population.measure,
            total: population.total,
            spent,
            declared_at: population.declared_at,
        })
    }

    pub(super) fn log(&self, transaction: &Transaction<'_>) -> Result<Vec<LogEntry>> {
        let query = "SELECT entry.id, name, method, note, entry.measure, amount, cost, state, booked_at, closed_at
                     FROM entry JOIN population ON population.id = entry.population ORDER BY entry.id";
        self.all(transaction, query, [], |row| {
            Ok(LogEntry {
                number: row.get(0)?,
                population: row.get(1)?,
                method: row.get(2)?,
                note: row.get(3)?,
                measure: row.get(4)?,
                amount: row.get(5)?,
                cost: row.get(6)?,
                state: row.get(7)?,
                booked_at: row.get(8)?,
                closed_at: row.get(9)?,
            })
        })
    }
}
