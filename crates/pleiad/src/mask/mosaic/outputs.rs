//! What was measured: noisy answers and nothing else.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::axis::Atom;

/// A test that all cells were cut by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// The number of the column.
    pub column: usize,
    /// The first of the values that pass: a leaf, or a bin of numbers (the bin after the last is "missing").
    pub first: u32,
    /// One past the last of them.
    pub end: u32,
}

impl Cut {
    pub(super) fn new(column: usize, atoms: &Range<Atom>) -> Self {
        Self {
            column,
            first: atoms.start,
            end: atoms.end,
        }
    }

    pub(super) fn atoms(&self) -> Range<Atom> {
        self.first..self.end
    }
}

/// The answers that a table gave, with their noise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    /// How many people there are.
    pub people: i64,
    /// The chosen tests, in order.
    pub cuts: Vec<Cut>,
    /// How many people are in each cell that can hold somebody, in order; empty without cuts.
    pub cells: Vec<i64>,
    /// How each column spreads.
    pub columns: Vec<ColumnOutputs>,
    /// Where the choices of synthetic rows start: random, and not from the rows.
    pub seed: u64,
}

/// How one column spreads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ColumnOutputs {
    /// Histograms.
    Histograms {
        /// Of all people over all values, for a column with many values; else empty.
        fine: Vec<i64>,
        /// Of each group that can hold somebody, over the bins that are possible there.
        coarse: Vec<Vec<i64>>,
        /// How many sets have how many items, for a column of sets; else empty.
        sizes: Vec<i64>,
    },
    /// Sums of numbers.
    Sums {
        /// How all people spread over the bins.
        fine: Vec<i64>,
        /// For each group that can hold somebody, the sum of the numbers' distances from the middle of the group's
        /// range, in half steps of the grid.
        groups: Vec<i64>,
    },
}
