//! Exact sums of points: what centres are made of.
//!
//! Counts per dictionary entry, sums of places, counts of missing numbers: integers, so that partial sums merge to the
//! same bits in any order, and a row that changes its cluster is taken from one sum and added to another without a trace.

use super::fold::fold_rows;
use super::points::Points;
use super::space::Layout;
use crate::table::with_codes;

/// What an item of a one-item set counts for; an item of a set of s counts for an s-th of it. Every number up to 22
/// divides it, so that the shares of a set add up to a whole item and equal rows have their own position as mean.
const ITEM_UNIT: u32 = 8 * 232_792_560;

/// Sums of the points of each cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sums {
    n_clusters: usize,
    /// Where each column's slots start, within a cluster's.
    starts: Vec<usize>,
    n_slots: usize,
    weights: Vec<i64>,
    slots: Vec<i64>,
}

/// A row that goes from one cluster to another; from nowhere at first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    pub(super) row: u32,
    pub(super) from: Option<u32>,
    pub(super) to: u32,
}

impl Sums {
    pub(super) fn zero(points: &Points<'_>, n_clusters: usize) -> Self {
        let mut n_slots = 0;
        let starts = points
            .axes
            .iter()
            .map(|axis| {
                let start = n_slots;
                n_slots += match &*axis.layout {
                    Layout::Line(_) => 2,
                    Layout::Entries(positions) => positions.n_rows(),
                    Layout::Sets(layout) => layout.items.n_rows(),
                };
                start
            })
            .collect();
        Self {
            n_clusters,
            starts,
            n_slots,
            weights: vec![0; n_clusters],
            slots: vec![0; n_clusters * n_slots],
        }
    }

    /// The sums of all rows under given labels.
    pub(super) fn of_labels(points: &Points<'_>, labels: &[u32], n_clusters: usize) -> Self {
        let mut no_outputs = vec![(); points.n_rows()];
        fold_rows(
            &mut no_outputs,
            points.block_rows,
            || Self::zero(points, n_clusters),
            |first_row, block, sums| {
                let rows = first_row..first_row + block.len();
                let moves: Vec<Move> = rows
                    .map(|row| Move {
                        row: row as u32,
                        from: None,
                        to: labels[row],
                    })
                    .collect();
                sums.apply(points, &moves);
            },
            |left, right| left.merge(&right),
        )
    }

    /// Rows in a cluster.
    pub(super) fn weight(&self, cluster: usize) -> i64 {
        self.weights[cluster]
    }

    /// The slots of a column in a cluster.
    pub(super) fn column(&self, cluster: usize, column: usize) -> &[i64] {
        let end = self.starts.get(column + 1).copied().unwrap_or(self.n_slots);
        let base = cluster * self.n_slots;
        &self.slots[base + self.starts[column]..base + end]
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (left, right) in self.weights.iter_mut().zip(&other.weights) {
            *left += right;
        }
        for (left, right) in self.slots.iter_mut().zip(&other.slots) {
            *left += right;
        }
    }

    /// Moves rows between clusters.
    pub(super) fn apply(&mut self, points: &Points<'_>, moves: &[Move]) {
        for change in moves {
            let weight = i64::from(points.weight(change.row as usize));
            if let Some(from) = change.from {
                self.weights[from as usize] -= weight;
            }
            self.weights[change.to as usize] += weight;
        }
        for (number, axis) in points.axes.iter().enumerate() {
            let start = self.starts[number];
            with_codes!(&*axis.codes, codes => {
                for change in moves {
                    let row = change.row as usize;
                    let weight = i64::from(points.weight(row));
                    let code = u32::from(codes[row]);
                    let to = change.to as usize * self.n_slots + start;
                    let from = change.from.map(|from| from as usize * self.n_slots + start);
                    match &*axis.layout {
                        Layout::Line(line) => {
                            let (slot, amount) = if code > line.last {
                                (1, weight)
                            } else {
                                (0, weight * i64::from(code))
                            };
                            self.shift(from, to, slot, amount);
                        }
                        Layout::Entries(_) => self.shift(from, to, code as usize, weight),
                        Layout::Sets(layout) => {
                            let items = axis.row_items.of_row(row);
                            let amount = if layout.is_mean {
                                weight * i64::from(ITEM_UNIT / items.len() as u32)
                            } else {
                                weight * i64::from(ITEM_UNIT)
                            };
                            for &item in items {
                                self.shift(from, to, item as usize, amount);
                            }
                        }
                    }
                }
            });
        }
    }

    #[inline]
    fn shift(&mut self, from: Option<usize>, to: usize, slot: usize, amount: i64) {
        if let Some(from) = from {
            self.slots[from + slot] -= amount;
        }
        self.slots[to + slot] += amount;
    }

    /// The mean position of a cluster that has rows.
    pub(super) fn mean(&self, points: &Points<'_>, cluster: usize) -> Vec<f64> {
        let weight = self.weights[cluster] as f64;
        let mut mean = vec![0.0; points.space().n_coordinates()];
        for (number, (axis, column)) in points.axes.iter().zip(points.space().columns()).enumerate()
        {
            let own = &mut mean[column.start..column.start + column.n_coordinates];
            let slots = self.column(cluster, number);
            match &*axis.layout {
                Layout::Line(line) => {
                    let missing = slots[1] as f64;
                    own[0] = (slots[0] as f64 * line.scale + missing * line.missing[0]) / weight;
                    own[1] = missing * line.missing[1] / weight;
                }
                Layout::Entries(positions) => add_entries(own, positions, slots, weight),
                Layout::Sets(layout) => {
                    add_entries(own, &layout.items, slots, weight * f64::from(ITEM_UNIT));
                }
            }
        }
        mean
    }

    /// How often each item, or each place of a dictionary, stands in a cluster: shares of its rows.
    pub(super) fn shares(&self, points: &Points<'_>, cluster: usize, column: usize) -> Vec<f64> {
        let unit = match &*points.axes[column].layout {
            Layout::Sets(_) => f64::from(ITEM_UNIT),
            Layout::Line(_) | Layout::Entries(_) => 1.0,
        };
        let total = self.weights[cluster] as f64 * unit;
        self.column(cluster, column)
            .iter()
            .map(|&count| count as f64 / total)
            .collect()
    }

    pub(super) fn n_clusters(&self) -> usize {
        self.n_clusters
    }
}

fn add_entries(own: &mut [f64], positions: &super::sparse::SparseRows, counts: &[i64], total: f64) {
    for (entry, &count) in counts.iter().enumerate() {
        if count != 0 {
            let share = count as f64 / total;
            for (coordinate, value) in positions.row(entry) {
                own[coordinate as usize] += value * share;
            }
        }
    }
}
