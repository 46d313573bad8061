//! The different rows of a table, each with its weight: what methods that compare rows with rows work on.

use super::points::Points;

/// The different rows. Their order depends on their values alone, and is as good as random: it follows a hash of them.
#[derive(Debug, Clone)]
pub(super) struct DistinctRows {
    /// A row of the points for each.
    pub(super) rows: Vec<u32>,
    /// How many rows each stands for.
    pub(super) weights: Vec<u64>,
    /// The number of each row's values among the different ones.
    pub(super) of_row: Vec<u32>,
}

impl DistinctRows {
    pub(super) fn of(points: &Points<'_>) -> Self {
        let keys = points.keys();
        let mut order: Vec<u32> = (0..points.n_rows() as u32).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (a as usize, b as usize);
            let by_value = || points.compare_rows(a, b);
            keys[a].cmp(&keys[b]).then_with(by_value)
        });
        let mut distinct = Self {
            rows: Vec::new(),
            weights: Vec::new(),
            of_row: vec![0; points.n_rows()],
        };
        for &row in &order {
            let is_known = distinct.rows.last().is_some_and(|&last| {
                let order = points.compare_rows(last as usize, row as usize);
                order.is_eq()
            });
            if !is_known {
                distinct.rows.push(row);
                distinct.weights.push(0);
            }
            let number = distinct.rows.len() - 1;
            distinct.weights[number] += u64::from(points.weight(row as usize));
            distinct.of_row[row as usize] = number as u32;
        }
        distinct
    }

    /// Number of different rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}
