//! Guessing the kinds of columns from all rows, for files that nobody described.

use std::path::Path;

use super::domain::Role;
use super::interval::{Unit, parse_day, parse_number};
use super::plan::{ColumnPlan, IncompleteRows, Kind, Plan};
use super::read::check_header;
use crate::error::{Error, Place, Result};
use rustc_hash::FxHashSet;

/// Fields that mean "no value" where nobody says.
const MISSING: [&str; 4] = ["", "?", "NA", "NaN"];

/// A column that reaches so many different words with hardly a repetition names people rather than groups.
const MANY_WORDS: usize = 1_000;

/// What has been seen of the columns.
#[derive(Debug, Default)]
pub(super) struct Guesses {
    columns: Vec<Guess>,
}

#[derive(Debug)]
struct Guess {
    name: String,
    may_be_number: bool,
    may_be_day: bool,
    has_missing: bool,
    n_values: u64,
    /// Different words, up to the limit.
    words: FxHashSet<Box<[u8]>>,
    /// How many values it took to reach the limit.
    n_values_at_limit: Option<u64>,
    known: Option<Kind>,
}

impl Guesses {
    /// The header of a file without types.
    pub(super) fn begin(&mut self, header: &[String]) {
        for name in header {
            self.add(name, None, false);
        }
    }

    /// A column; its kind may be known from the file format.
    pub(super) fn add(&mut self, name: &str, known: Option<Kind>, has_missing: bool) {
        self.columns.push(Guess {
            name: name.to_owned(),
            may_be_number: true,
            may_be_day: true,
            has_missing,
            n_values: 0,
            words: FxHashSet::default(),
            n_values_at_limit: None,
            known,
        });
    }

    /// A field of a row.
    pub(super) fn see(&mut self, column: usize, field: &[u8]) {
        let Some(guess) = self.columns.get_mut(column) else {
            return;
        };
        if MISSING.iter().any(|mark| mark.as_bytes() == field) {
            guess.has_missing = true;
            return;
        }
        guess.n_values += 1;
        guess.may_be_number =
            guess.may_be_number && !is_code(field) && parse_number(field).is_some();
        guess.may_be_day = guess.may_be_day && parse_day(field).is_some();
        if guess.may_be_number || guess.n_values_at_limit.is_some() || guess.words.contains(field) {
            return;
        }
        guess.words.insert(field.into());
        if guess.words.len() == MANY_WORDS {
            guess.n_values_at_limit = Some(guess.n_values);
        }
    }

    /// The plan that follows.
    pub(super) fn plan(self, path: &Path) -> Result<Plan> {
        let names: Vec<String> = self
            .columns
            .iter()
            .map(|guess| guess.name.clone())
            .collect();
        check_header(&names).map_err(|error| error.at(Place::line(path, 1)))?;
        if self
            .columns
            .iter()
            .all(|guess| guess.n_values == 0 && guess.known.is_none())
        {
            return Err(Error::data("the table has no values").at(Place::file(path)));
        }
        Ok(Plan {
            delimiter: None,
            missing: MISSING.iter().map(|&mark| mark.to_owned()).collect(),
            incomplete_rows: IncompleteRows::Refuse,
            person: None,
            columns: self.columns.into_iter().map(Guess::plan).collect(),
            source: None,
        })
    }
}

impl Guess {
    fn plan(self) -> ColumnPlan {
        let names_people = self
            .n_values_at_limit
            .is_some_and(|n_values| n_values < 2 * MANY_WORDS as u64);
        let kind = if self.known.is_some() {
            self.known
        } else if self.may_be_number && self.n_values > 0 {
            Some(numbers(Unit::Number))
        } else if self.may_be_day && self.n_values > 0 {
            Some(numbers(Unit::Day))
        } else if names_people {
            None
        } else {
            Some(Kind::Values { tree: None })
        };
        ColumnPlan {
            role: if kind.is_some() {
                Role::Plain
            } else {
                Role::Identifier
            },
            name: self.name,
            kind,
            may_be_missing: self.has_missing,
            weight: 1.0,
            domain_from_data: false,
        }
    }
}

/// A kind of numbers whose bounds come from the data.
pub(super) fn numbers(unit: Unit) -> Kind {
    Kind::Numbers {
        unit,
        interval: None,
        step: None,
    }
}

/// Digits that are a name, not an amount: a zero before other digits, as in `00712`.
fn is_code(field: &[u8]) -> bool {
    field.len() > 1 && field[0] == b'0' && field[1].is_ascii_digit()
}
