//! How much a masked table tells less than the raw one, column by column and as a whole.
//!
//! `docs/concepts/measures.md` has the formulas and where they come from. Everything is counted exactly on all rows, in
//! one pass for each column; sums are taken over counts, so that no result depends on the order of the rows.

mod column;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::pairs::{Classes, Pairs};
use column::column_loss;

/// What a table lost. Suppressed and dropped rows are counted by themselves and are no part of the means.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Loss {
    /// Which rows are there.
    pub rows: RowsLost,
    /// The columns by which somebody could be looked up, and all others that say something else than the raw table, in
    /// the order of the raw table.
    pub columns: Vec<ColumnLoss>,
    /// The means over the columns.
    pub ncp: f64,
    /// See [`ColumnLoss::granularity`].
    pub granularity: f64,
    /// See [`ColumnLoss::entropy`].
    pub entropy: f64,
    /// Discernibility: the sum over rows of the size of their group, over rows squared; a suppressed row counts as a
    /// group of all rows. 1 is one group for everybody.
    pub discernibility: f64,
    /// Rows of a group on average.
    pub average_class_size: f64,
    /// How large the groups are: ascending sizes with the number of groups of that size.
    pub class_sizes: Vec<ClassSize>,
}

/// Which rows are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RowsLost {
    /// Rows of the raw table.
    pub raw: u64,
    /// Rows of the masked table that tell something.
    pub published: u64,
    /// Rows of the masked table that tell nothing in any masked column.
    pub suppressed: u64,
    /// Raw rows that are not in the masked table.
    pub dropped: u64,
}

/// What one column lost.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ColumnLoss {
    /// The column.
    pub column: String,
    /// Normalised certainty penalty: how much of the domain a value may stand for, on average; 0 is as it was, 1 is
    /// anything.
    pub ncp: f64,
    /// Granularity as ARX measures it, 1 is as it was, 0 is anything.
    pub granularity: f64,
    /// Non-uniform entropy as ARX measures it, 1 is as it was, 0 is nothing known.
    pub entropy: f64,
    /// Different values before.
    pub values_before: u64,
    /// Different values after.
    pub values_after: u64,
    /// Cells that tell nothing any more.
    pub suppressed: u64,
    /// Cells that cannot stand for the raw value: it was changed, or the rows do not belong together.
    pub contradicted: u64,
    /// How far down its tree or range the values are, in words: `leaf`, `2 of 4 levels`, `8 intervals`.
    pub level: String,
}

/// Groups of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClassSize {
    /// People in each of them.
    pub size: u64,
    /// How many there are.
    pub groups: u64,
}

impl Loss {
    /// Measures what rows lost.
    pub fn of(pairs: &Pairs<'_>) -> Self {
        Self::by_classes(pairs, &Classes::of(pairs))
    }

    pub(super) fn by_classes(pairs: &Pairs<'_>, classes: &Classes) -> Self {
        let n_masked = pairs.masked.n_rows() as u64;
        let published = classes.n_rows();
        let columns: Vec<ColumnLoss> = (0..pairs.raw.columns().len())
            .into_par_iter()
            .filter_map(|column| {
                let is_quasi = pairs.quasi.contains(&column);
                // Most other columns are published as they are, which is seen at once.
                if !is_quasi && pairs.raw.columns()[column] == pairs.masked.columns()[column] {
                    return None;
                }
                let loss = column_loss(pairs, classes, column);
                (is_quasi || loss.ncp > 0.0 || loss.contradicted > 0).then_some(loss)
            })
            .collect();
        let mean = |measure: fn(&ColumnLoss) -> f64, of_none: f64| match columns.len() {
            0 => of_none,
            n_columns => columns.iter().map(measure).sum::<f64>() / n_columns as f64,
        };
        let squares: u128 = classes
            .rows
            .iter()
            .map(|&rows| u128::from(rows).pow(2))
            .sum();
        let of_suppressed = u128::from(classes.n_suppressed) * u128::from(n_masked);
        Self {
            rows: RowsLost {
                raw: n_masked + pairs.dropped,
                published,
                suppressed: classes.n_suppressed,
                dropped: pairs.dropped,
            },
            ncp: mean(|column| column.ncp, 0.0),
            granularity: mean(|column| column.granularity, 1.0),
            entropy: mean(|column| column.entropy, 1.0),
            discernibility: (squares + of_suppressed) as f64 / (n_masked as f64).powi(2),
            average_class_size: published as f64 / classes.rows.len() as f64,
            class_sizes: class_sizes(&classes.people),
            columns,
        }
    }
}

fn class_sizes(people: &[u64]) -> Vec<ClassSize> {
    let mut groups: BTreeMap<u64, u64> = BTreeMap::new();
    for &size in people {
        *groups.entry(size).or_default() += 1;
    }
    groups
        .into_iter()
        .map(|(size, groups)| ClassSize { size, groups })
        .collect()
}
