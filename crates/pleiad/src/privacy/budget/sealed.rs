//! Tables that answer only against payment.
//!
//! A private method gets a [`SealedTable`] and a [`Purse`], and there is one thing it can do with them: put a
//! [`Question`]. The question says what it costs before it has seen a row, the purse pays or refuses, and only then
//! does the question see the rows, once; what comes back is its noisy answer. Nothing else leads to the rows, nor to
//! their number.
//!
//! What the types cannot see, and a reviewer must: that a question adds the noise that its charge states; that the
//! sensitivities in the charge hold; that an answer carries nothing but what was noised; and that a question takes no
//! domain from the rows: the dictionary of a column of sets, for one, lists the sets that were found.

use std::borrow::Cow;
use std::fmt;

use super::charge::Charge;
use super::purse::Purse;
use super::relation::Relation;
use crate::error::Result;
use crate::table::Table;

/// A table that answers only against payment. One row is one person.
pub struct SealedTable<'a> {
    table: Cow<'a, Table>,
}

impl<'a> SealedTable<'a> {
    /// Seals a table.
    ///
    /// Where the table says who its rows are about, the first row of each person stays and the others are left out:
    /// what is promised to one record is promised to a person only if nobody has two. Which row stays depends on that
    /// person's rows alone. The rows of a collapsed table stand for as many people as they weigh.
    pub fn seal(table: &'a Table) -> Self {
        Self {
            table: one_row_per_person(table),
        }
    }

    /// Pays for a question and answers it.
    ///
    /// # Errors
    /// The purse cannot pay; no row was looked at then.
    pub(crate) fn ask<Q: Question>(
        &self,
        question: Q,
        purse: &mut Purse<Q::Relation>,
    ) -> Result<Q::Answer> {
        purse.pay(&question.what(), question.charge())?;
        Ok(question.answer(&self.table))
    }
}

/// The first row of each person.
pub(crate) fn one_row_per_person(table: &Table) -> Cow<'_, Table> {
    let Some(people) = table.people() else {
        return Cow::Borrowed(table);
    };
    let mut was_seen = vec![false; people.n_people];
    let rows: Vec<u32> = (0..)
        .zip(&people.of_row)
        .filter(|(_, person)| !std::mem::replace(&mut was_seen[**person as usize], true))
        .map(|(row, _)| row)
        .collect();
    Cow::Owned(table.select(&rows))
}

impl fmt::Debug for SealedTable<'_> {
    /// Says nothing about the rows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedTable")
    }
}

/// A question to a sealed table, together with the noise that makes its answer fit to leave.
///
/// [`charge`](Self::charge) has no rows to depend on, and neither has the decision to ask. An answer is never a
/// failure: whether a table could be answered would tell something about it.
pub(crate) trait Question {
    /// The relation under which the sensitivities hold. It stands in the implementation, so that nobody infers it.
    type Relation: Relation;
    /// What comes back, noise included.
    type Answer;

    /// The line in the account, in words that are public.
    fn what(&self) -> String;

    /// What the answer costs.
    fn charge(&self) -> Charge<Self::Relation>;

    /// The answer, noised as the charge says.
    fn answer(self, rows: &Table) -> Self::Answer;
}
