//! What does not fit in a column: counted while the file is read, told in words at the end.
//!
//! One pass over the file says everything that is wrong with it, and no message prints a cell.

use rustc_hash::FxHashMap;

use super::plan::TreeSource;
use super::taxonomy::Taxonomy;
use crate::error::Error;

/// More different unknown values than this are only counted.
const UNKNOWN_VALUES_KEPT: usize = 10_000;

/// A way in which a cell does not fit, the gravest first: the first that occurs is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    /// Not of the column's kind.
    Unreadable,
    /// Not UTF-8.
    NotText,
    /// An empty field that is not a mark for "no value".
    Empty,
    /// The text for what is hidden.
    Hidden,
    /// The empty set and other items.
    EmptySetBesideItems,
    /// An item of a list that contains the column's separator.
    Separator,
    /// A number outside the bounds.
    Outside,
    /// A number between two places of the grid.
    OffGrid,
    /// A value that the tree lacks.
    Unknown,
    /// No value where none may be missing.
    Missing,
}

impl Problem {
    const ALL: [Self; 10] = [
        Self::Unreadable,
        Self::NotText,
        Self::Empty,
        Self::Hidden,
        Self::EmptySetBesideItems,
        Self::Separator,
        Self::Outside,
        Self::OffGrid,
        Self::Unknown,
        Self::Missing,
    ];

    /// What the column is or has, and what to do about it.
    fn words(self, expected: &str) -> (String, &'static str) {
        let (rule, hint) = match self {
            Self::Unreadable => {
                return (
                    format!("is not {expected}"),
                    "if the field means \"no value\", add it to `missing` under [data]",
                );
            }
            Self::NotText => ("is not UTF-8 text", "save the file as UTF-8"),
            Self::Empty => (
                "is empty",
                "if an empty field means \"no value\", add \"\" to `missing` under [data]",
            ),
            Self::Hidden => (
                "says `*`",
                "`*` stands for what is hidden; if it means \"no value\" here, add it to `missing` under [data]",
            ),
            Self::EmptySetBesideItems => (
                "has `none`, the empty set, beside other items",
                "correct the rows",
            ),
            Self::Separator => (
                "has an item that contains the separator",
                "choose another `separator`",
            ),
            Self::Outside => (
                "is outside its bounds",
                "widen `bounds`, or correct the rows",
            ),
            Self::OffGrid => (
                "is between two steps of its grid",
                "give a finer `step`, or none",
            ),
            Self::Unknown => unreachable!("unknown values have a message of their own"),
            Self::Missing => (
                "has no value",
                "`may_be_missing = true` makes it a value of its own; `incomplete_rows = \"drop\"` under [data] leaves such rows out",
            ),
        };
        (rule.to_owned(), hint)
    }
}

/// Rows that share a problem.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    rows: u64,
    first_row: u64,
    last_row: u64,
}

impl Tally {
    /// Counts a row once, however many of its items have the problem.
    fn note(&mut self, row: u64) {
        if self.rows == 0 {
            self.first_row = row;
        } else if self.last_row == row {
            return;
        }
        self.last_row = row;
        self.rows += 1;
    }
}

/// What does not fit in a column.
#[derive(Debug, Default)]
pub(super) struct Problems {
    tallies: [Tally; Problem::ALL.len()],
    /// The different values that the tree lacks, up to a limit, with how often each occurs.
    unknown_values: FxHashMap<Box<str>, u64>,
}

impl Problems {
    pub(super) fn note(&mut self, problem: Problem, row: u64) {
        self.tallies[problem as usize].note(row);
    }

    pub(super) fn note_unknown(&mut self, value: &str, row: u64) {
        self.note(Problem::Unknown, row);
        if let Some(times) = self.unknown_values.get_mut(value) {
            *times += 1;
        } else if self.unknown_values.len() < UNKNOWN_VALUES_KEPT {
            self.unknown_values.insert(value.into(), 1);
        }
    }

    /// In how many rows something does not fit, counted for each problem by itself.
    pub(super) fn n_rows(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.rows).sum()
    }

    pub(super) fn any(&self) -> bool {
        self.tallies.iter().any(|tally| tally.rows > 0)
    }

    /// What is wrong with a column, if anything. `expected` are words for its kind, `line_of` turns a row into words
    /// such as "line 12".
    pub(super) fn complaint(
        &self,
        column: &str,
        expected: &str,
        tree: Option<&(Taxonomy, TreeSource)>,
        line_of: &dyn Fn(u64) -> String,
    ) -> Option<Error> {
        let problem = Problem::ALL
            .into_iter()
            .find(|&problem| self.tallies[problem as usize].rows > 0)?;
        let tally = self.tallies[problem as usize];
        let rows = format!(
            "{} {}, first on {}",
            tally.rows,
            if tally.rows == 1 { "row" } else { "rows" },
            line_of(tally.first_row)
        );
        if let (Problem::Unknown, Some((taxonomy, source))) = (problem, tree) {
            return Some(self.unknown_complaint(column, &rows, taxonomy, *source));
        }
        let (rule, hint) = problem.words(expected);
        Some(Error::data(format!("column `{column}` {rule} in {rows}")).hint(hint))
    }

    fn unknown_complaint(
        &self,
        column: &str,
        rows: &str,
        taxonomy: &Taxonomy,
        source: TreeSource,
    ) -> Error {
        let mut values: Vec<(&str, u64)> = self
            .unknown_values
            .iter()
            .map(|(value, &times)| (value.as_ref(), times))
            .collect();
        values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let count = match values.len() {
            1 => "1 value".to_owned(),
            UNKNOWN_VALUES_KEPT => format!("at least {UNKNOWN_VALUES_KEPT} values"),
            more => format!("{more} values"),
        };
        let place = match source {
            TreeSource::Taxonomy | TreeSource::Numbers => "its taxonomy",
            TreeSource::List => "its list of values",
        };
        let near = taxonomy.near_values(values.iter().map(|(value, _)| *value));
        let error = Error::data(format!(
            "column `{column}` has {count} that {place} lacks, in {rows}"
        ));
        if near.is_empty() {
            error.hint(format!("add them to {place}, or correct the rows"))
        } else {
            error.hint(format!("the nearest names there: `{}`", near.join("`, `")))
        }
    }
}
