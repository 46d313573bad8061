//! How the rows behind a masked value spread over the raw values it may stand for.

use super::codes::Codes;
use super::taxonomy::Leaf;

/// How the rows behind one masked value spread.
#[derive(Debug, Clone, PartialEq)]
pub enum Spread {
    /// Shares of leaves that sum to 1; of items, in a set column.
    Leaves(Vec<(Leaf, f64)>),
    /// Numbers.
    Numbers {
        /// The mean of those that are there, as a place on the grid.
        mean_place: f64,
        /// Share of rows without a number.
        missing: f64,
    },
}

/// What is disclosed about a masked column beyond its masked values.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnSpread {
    /// The entry of each row.
    pub codes: Codes,
    /// How the rows of each entry spread.
    pub entries: Vec<Spread>,
}
