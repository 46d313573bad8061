//! What is known about the columns of a file before it is read.

use std::path::PathBuf;

use super::domain::Role;
use super::interval::{Interval, Unit};
use super::taxonomy::Taxonomy;

/// How to read a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What is between two fields of a CSV file; found from the header if not given.
    pub delimiter: Option<u8>,
    /// Fields that mean "no value".
    pub missing: Vec<String>,
    /// What to do with a row that lacks a value where none may be missing.
    pub incomplete_rows: IncompleteRows,
    /// The column that identifies a person.
    pub person: Option<String>,
    /// The columns, each named once. A file must have exactly these.
    pub columns: Vec<ColumnPlan>,
    /// The file that this plan comes from, for messages.
    pub source: Option<PathBuf>,
}

/// What to do with a row that lacks a value where none may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IncompleteRows {
    /// An error that says how many there are.
    #[default]
    Refuse,
    /// Leave them out and say how many.
    Drop,
}

/// What is known about one column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnPlan {
    /// The name in the header.
    pub name: String,
    /// What it is to the release.
    pub role: Role,
    /// Kind and domain; nothing for an identifier, which is not read.
    pub kind: Option<Kind>,
    /// Whether a row may be without a value.
    pub may_be_missing: bool,
    /// Its share in the distance of two rows.
    pub weight: f64,
    /// Whether its domain was drafted from the data, though it is written down: it is no public knowledge.
    pub domain_from_data: bool,
}

/// Kind and domain of a column. What is left open is taken from the data, which only methods without a privacy
/// guarantee accept.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Numbers or dates.
    Numbers {
        /// How they are written.
        unit: Unit,
        /// Bounds and grid, if public.
        interval: Option<Interval>,
        /// The grid, where bounds are taken from the data.
        step: Option<f64>,
    },
    /// One value.
    Values {
        /// The tree of values, if public.
        tree: Option<(Taxonomy, TreeSource)>,
    },
    /// A set of values.
    Sets {
        /// The tree of items, if public.
        tree: Option<(Taxonomy, TreeSource)>,
        /// What is between two items.
        separator: String,
    },
}

/// Where a tree of values comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeSource {
    /// A taxonomy file: masking generalises.
    Taxonomy,
    /// A taxonomy file whose values are numbers, however a cell writes them.
    Numbers,
    /// A list of values: masking suppresses.
    List,
}
