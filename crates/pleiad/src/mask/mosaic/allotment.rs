//! How the columns share the part of ε that tells how they spread.
//!
//! A noisy histogram with ε′ misplaces people by noise of the variance 2/ε′² in every bin. In the space, where a
//! column's squared diameter is its weight w, that costs in proportion to c·w/ε′², c being half the number of bins for
//! a tree (a leaf's noise is on each of the H nodes of its path, which count 1/2H each), a twelfth of it for numbers
//! (the mean squared distance of evenly spread places from their middle) and, for a sum within half of the range on
//! either side, a quarter. All costs together are least if ε′ goes with the cube root of c·w. All of this is public.

use super::axis::Axis;
use super::bins::{Bins, is_wide};
use super::params::Mosaic;
use super::sums::linear_columns;
use crate::privacy::budget::{Positive, Rational};

/// The parts are rounded to this many for a column where c·w is 1.
const STEPS: f64 = 64.0;

/// How much more noise a histogram of groups has where a part of its ε goes elsewhere: (1/0.7)².
const WIDE: f64 = 2.0;

/// What noise of the variance 1 in units of what a person can move a sum by costs.
const COST_OF_A_SUM: f64 = 0.25;

impl Mosaic {
    /// The part of each column, exact fractions that add up to the whole.
    pub(super) fn column_parts(&self) -> Vec<Rational> {
        let whole = self.parts().spread;
        let linear = linear_columns(self);
        let heaviest = self.weights.iter().copied().max().unwrap_or(1) as f64;
        let steps: Vec<u64> = self
            .axes
            .iter()
            .enumerate()
            .map(|(column, axis)| {
                let weight = self.weights[column] as f64 / heaviest;
                let cost = if linear.contains(&column) {
                    COST_OF_A_SUM
                } else {
                    cost(axis)
                };
                ((cost * weight).cbrt() * STEPS).round().max(1.0) as u64
            })
            .collect();
        let all = Positive::try_from(Rational::from(steps.iter().sum::<u64>()))
            .expect("every column has a step at least");
        steps
            .into_iter()
            .map(|steps| (whole.clone() * Rational::from(steps)).over(&all))
            .collect()
    }
}

/// What noise of the variance 1 in every bin of a group's histogram costs.
fn cost(axis: &Axis) -> f64 {
    let n_bins = Bins::new(axis, &[]).len() as f64;
    let of_bins = match axis {
        Axis::Numbers(_) => n_bins / 12.0,
        Axis::Values(_) | Axis::Sets(_) => n_bins / 2.0,
    };
    if is_wide(axis) {
        WIDE * of_bins
    } else {
        of_bins
    }
}
