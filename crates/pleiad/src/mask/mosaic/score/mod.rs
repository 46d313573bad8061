//! How much a cut would take off the spread of its column: exact whole numbers.
//!
//! The score of a test is, over all cells, the sum of squared distances of the column's codes to their mean in the
//! cell, less the same in the two halves. Codes are whole numbers here: 0 and 1 on the nodes of a path, shares of
//! [`ITEM_UNIT`] for the items of a set, places of the grid for numbers. What they are multiplied by in the space (the
//! column's weight, over twice the height of its tree) comes in at the end, as a fraction, and each sum is rounded
//! down once.
//!
//! # Privacy
//! Adding a code to m codes with mean μ raises their sum of squared distances by m/(m+1)·|x−μ|², which lies between 0
//! and the squared diameter of the column's codes, and that is at most the column's weight W (shown in each file
//! below). W is a whole number of units, so the rounded sum rises by a whole number from 0 to W too. A person is in one
//! cell and in one of its halves: the score moves by something from −W to W, and two scores of a list by at most twice
//! the largest weight apart.

mod numbers;
mod sets;
mod values;

use numbers::NumberScorer;
use sets::SetScorer;
pub(super) use sets::item_share;
use values::ValueScorer;

use super::axis::{Axis, Test};
use super::params::Mosaic;
use crate::privacy::noise::UBig;
use crate::table::Table;

/// What the items of a set share equally.
pub(super) const ITEM_UNIT: u64 = 1 << 20;

/// The tests of one column, ready to be scored.
pub(super) enum Scorer<'t> {
    Numbers(NumberScorer<'t>),
    Values(ValueScorer<'t>),
    Sets(SetScorer<'t>),
}

impl<'t> Scorer<'t> {
    /// The tests of a column of a table.
    pub(super) fn new(mosaic: &'t Mosaic, table: &'t Table, column: usize) -> Self {
        let rows = Rows {
            table,
            column,
            weight: mosaic.weights[column],
        };
        let tests: &[Test] = &mosaic.tests[column];
        match &mosaic.axes[column] {
            Axis::Numbers(numbers) => Self::Numbers(NumberScorer::new(rows, numbers, tests)),
            Axis::Values(tree) => Self::Values(ValueScorer::new(rows, tree, tests)),
            Axis::Sets(tree) => Self::Sets(SetScorer::new(rows, tree, tests)),
        }
    }

    /// The scores of some of the tests, for rows in these cells.
    pub(super) fn scores(&mut self, cells: &[u16], n_cells: usize, tests: &[usize]) -> Vec<i128> {
        if tests.is_empty() {
            return Vec::new();
        }
        match self {
            Self::Numbers(scorer) => scorer.scores(cells, n_cells, tests),
            Self::Values(scorer) => scorer.scores(cells, n_cells, tests),
            Self::Sets(scorer) => scorer.scores(cells, n_cells, tests),
        }
    }
}

/// The rows of a column, and what the column weighs.
#[derive(Clone, Copy)]
struct Rows<'t> {
    table: &'t Table,
    column: usize,
    weight: u64,
}

/// What a sum of squared distances to the mean is computed from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Moments {
    /// How many people.
    people: u128,
    /// The sum of squared lengths of their codes.
    squares: u128,
    /// The squared length of the sum of their codes.
    square_of_sum: u128,
}

impl Moments {
    /// ⌊`weight` · (Σ|x|² − |Σx|²/m) / `divisor`⌋; 0 where nobody is.
    fn spread(&self, weight: u64, divisor: u128) -> i128 {
        if self.people == 0 {
            return 0;
        }
        self.narrow_spread(weight, divisor)
            .unwrap_or_else(|| self.wide_spread(weight, divisor))
    }

    fn narrow_spread(&self, weight: u64, divisor: u128) -> Option<i128> {
        let spread = self.people.checked_mul(self.squares)? - self.square_of_sum;
        let below = self.people.checked_mul(divisor)?;
        i128::try_from(spread.checked_mul(weight.into())? / below).ok()
    }

    /// The same, however large the numbers are.
    fn wide_spread(&self, weight: u64, divisor: u128) -> i128 {
        let big = |number: u128| UBig::from(number);
        let spread = big(self.people) * big(self.squares) - big(self.square_of_sum);
        let floor = spread * big(weight.into()) / (big(self.people) * big(divisor));
        i128::try_from(floor).unwrap_or(i128::MAX)
    }
}
