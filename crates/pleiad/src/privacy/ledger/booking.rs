//! Bookings: what must be in hand before the first look at rows, and shown to publish.

use rusqlite::params;

use super::{Ledger, State, now};
use crate::error::{Error, Result};
use crate::privacy::budget::{Cost, Purse, Relation};

/// A private act that is booked. Its cost is spent, whatever comes of it.
///
/// It carries the purse that the act is paid from. Once the outcome is in place, [`published`](Self::published) says so;
/// a booking that is dropped before is marked as broken off.
#[derive(Debug)]
#[must_use = "what is booked is spent"]
pub struct Booking<'l, R: Relation> {
    ledger: &'l Ledger,
    number: i64,
    cost: Cost<R>,
    purse: Option<Purse<R>>,
    looks_before: u64,
    other_populations: Vec<String>,
    is_open: bool,
}

impl<'l, R: Relation> Booking<'l, R> {
    pub(super) fn new(
        ledger: &'l Ledger,
        number: i64,
        cost: &Cost<R>,
        looks_before: u64,
        other_populations: Vec<String>,
    ) -> Self {
        Self {
            ledger,
            number,
            purse: Some(Purse::new(cost)),
            cost: cost.clone(),
            looks_before,
            other_populations,
            is_open: true,
        }
    }

    /// The number of its entry in the ledger.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// What was booked.
    pub fn cost(&self) -> &Cost<R> {
        &self.cost
    }

    /// How often a raw evaluation was looked at before. If ever, a manifest must say that ε covers the mechanism, not
    /// the choice.
    pub fn looks_before(&self) -> u64 {
        self.looks_before
    }

    /// Other populations that the same data file was used for: worth a warning, since their people may be the same.
    pub fn other_populations(&self) -> &[String] {
        &self.other_populations
    }

    /// The purse with what was booked. There is one.
    ///
    /// # Errors
    /// It was taken already.
    pub fn purse(&mut self) -> Result<Purse<R>> {
        self.purse
            .take()
            .ok_or_else(|| Error::refused("the purse of a booking can be taken once"))
    }

    /// Asks the ledger once more, right before publishing: the file may have been replaced by an older copy.
    ///
    /// # Errors
    /// The entry is not there any more, or it is closed.
    pub fn confirm(&self) -> Result<()> {
        let file = &self.ledger.file;
        let state: Option<String> = file.read(|transaction| {
            file.first(
                transaction,
                "SELECT state FROM entry WHERE id = ?1",
                [self.number],
                |row| row.get(0),
            )
        })?;
        if state.as_deref() != Some(State::Booked.name()) {
            return Err(Error::refused(format!(
                "entry {} of {} is not booked any more: nothing may be published by it",
                self.number,
                file.path().display()
            )));
        }
        Ok(())
    }

    /// Says that the outcome is in place.
    ///
    /// # Errors
    /// The ledger cannot be written. The entry stays as booked then, and its cost as spent.
    pub fn published(mut self) -> Result<()> {
        self.close(State::Published)
    }

    /// Says that nothing will come of it. Its cost stays spent.
    ///
    /// # Errors
    /// The ledger cannot be written. The entry stays as booked then.
    pub fn broken_off(mut self) -> Result<()> {
        self.close(State::BrokenOff)
    }

    fn close(&mut self, state: State) -> Result<()> {
        // Whatever becomes of this attempt: after it, an outcome may be out, and nobody may call it broken off.
        self.is_open = false;
        let file = &self.ledger.file;
        let n_changed = file.write("close an entry of", |transaction| {
            transaction
                .execute(
                    "UPDATE entry SET state = ?1, closed_at = ?2 WHERE id = ?3",
                    params![state.name(), now(), self.number],
                )
                .map_err(|error| file.failed("close an entry of", error))
        })?;
        if n_changed == 0 {
            return Err(Error::refused(format!(
                "entry {} is not in {} any more",
                self.number,
                file.path().display()
            )));
        }
        Ok(())
    }
}

impl<R: Relation> Drop for Booking<'_, R> {
    fn drop(&mut self) {
        if self.is_open {
            // An entry that cannot be closed stays booked, which costs as much.
            let _ = self.close(State::BrokenOff);
        }
    }
}
