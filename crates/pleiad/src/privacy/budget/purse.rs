//! Purses: an amount that can be spent once. Every draw is paid before it happens.

use std::sync::{Arc, Mutex, PoisonError};

use super::account::Account;
use super::amounts::{Cost, Measure};
use super::charge::Charge;
use super::mechanism::Mechanism;
use super::rational::Rational;
use super::relation::{AddRemove, Relation};
use crate::error::{Error, Result};

/// An amount that private steps are paid from.
///
/// It refuses what it cannot pay before anything is drawn. It cannot be copied. Purses that were split off it write into
/// the same account, so no payment can be missing there.
///
/// # Privacy
/// What is asked next, and at what cost, may depend on earlier answers: a purse is a privacy filter. Under pure
/// differential privacy and under zCDP a filter that stops at its total keeps the total (Rogers, Roth, Ullman & Vadhan
/// 2016; Feldman & Zrnic 2021).
#[derive(Debug)]
pub struct Purse<R: Relation> {
    measure: Measure,
    left: Rational,
    account: Arc<Mutex<Account<R>>>,
}

impl<R: Relation> Purse<R> {
    /// A purse with this much, which nobody has booked. A release takes its purse from a
    /// [`Booking`](crate::privacy::ledger::Booking) instead.
    pub fn new(total: &Cost<R>) -> Self {
        let account = Account::new(total.measure());
        Self::holding(total, Arc::new(Mutex::new(account)))
    }

    fn holding(amount: &Cost<R>, account: Arc<Mutex<Account<R>>>) -> Self {
        Self {
            measure: amount.measure(),
            left: amount.value().clone(),
            account,
        }
    }

    /// In which quantity it pays.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// What can still be spent.
    pub fn left(&self) -> Cost<R> {
        Cost::new(self.measure, self.left.clone())
    }

    /// Everything that was paid so far, from this purse and from all that it was split into.
    pub fn account(&self) -> Account<R> {
        self.account
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Pays, or refuses and leaves everything as it was. What was paid is gone, whatever comes of the step.
    ///
    /// # Errors
    /// More than is left, or a step that has no cost in this purse's measure.
    pub fn pay(&mut self, what: &str, charge: Charge<R>) -> Result<()> {
        let cost = charge.cost(self.measure)?;
        let left = self.without(what, &cost)?;
        self.account
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(what, charge)?;
        self.left = left;
        Ok(())
    }

    /// What would be left after paying.
    fn without(&self, what: &str, cost: &Cost<R>) -> Result<Rational> {
        self.left.checked_sub(cost.value()).ok_or_else(|| {
            Error::refused(format!(
                "{what} would cost {cost}, and {} is left",
                self.left()
            ))
        })
    }

    /// Puts fractions of what is left into purses of their own; the rest stays.
    ///
    /// # Errors
    /// The fractions add up to more than 1.
    pub fn split(&mut self, fractions: &[Rational]) -> Result<Vec<Self>> {
        let sum: Rational = fractions.iter().sum();
        let rest = Rational::ONE.checked_sub(&sum).ok_or_else(|| {
            Error::spec(format!(
                "the fractions of a budget add up to {sum}, which is more than 1"
            ))
        })?;
        let amount =
            |fraction: &Rational| Cost::new(self.measure, self.left.clone() * fraction.clone());
        let purses = fractions
            .iter()
            .map(|fraction| Self::holding(&amount(fraction), Arc::clone(&self.account)))
            .collect();
        self.left = self.left.clone() * rest;
        Ok(purses)
    }
}

impl Purse<AddRemove> {
    /// Pays once, and gives as much to each of several parts of the table that share nobody.
    ///
    /// The account of this purse has one line, with the whole amount. The purses of the parts keep accounts of their
    /// own.
    ///
    /// # Privacy
    /// That no person is in two parts is for the caller to see to: part and purse belong together.
    ///
    /// # Errors
    /// More than is left.
    pub fn parallel(&mut self, what: &str, n_parts: usize, amount: &Rational) -> Result<Vec<Self>> {
        let amount = amount.clone();
        let cap = match self.measure {
            Measure::Pure => Mechanism::Pure { epsilon: amount },
            Measure::Concentrated => Mechanism::Concentrated { rho: amount },
        };
        let charge = Charge::parallel([Charge::of(cap)]);
        let cost = charge.cost(self.measure)?;
        self.pay(what, charge)?;
        Ok((0..n_parts).map(|_| Self::new(&cost)).collect())
    }
}
