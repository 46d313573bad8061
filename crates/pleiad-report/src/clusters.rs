//! The clusters before and after, in one order: the largest raw cluster is number 1, and a cluster of the release has the
//! number of the raw cluster that it matches.

use pleiad::cluster::{Plane, Points, Portrait, portraits, rows_to_draw};
use pleiad::evaluate::Sides;
use pleiad::evaluate::agreement::matched_clusters;
use pleiad::evaluate::contingency::Contingency;

/// Points of a projection, at most. More cannot be told apart, and the file stays small.
const MOST_DOTS: usize = 1500;

const SEED: u64 = 7;

/// What is told about clusters.
pub(crate) struct Clusters {
    /// Rows of each raw cluster and of the cluster of the release that matches it.
    pub(crate) sizes: Vec<[u64; 2]>,
    /// Raw rows that are in a raw cluster and in a cluster of the release.
    pub(crate) counts: Contingency,
    pub(crate) projection: Projection,
    /// Each raw cluster.
    pub(crate) before: Vec<Portrait>,
    /// Each cluster of the release.
    pub(crate) after: Vec<Portrait>,
    /// All rows of either.
    pub(crate) whole: [Portrait; 2],
    pub(crate) columns: Vec<String>,
}

/// Rows in the plane in which the raw ones differ most.
pub(crate) struct Projection {
    pub(crate) before: Vec<Dot>,
    pub(crate) after: Vec<Dot>,
    /// Whether the n-th dot of both is the same row.
    pub(crate) are_same_rows: bool,
    /// The share of all spread along each axis.
    pub(crate) shares: [f64; 2],
    /// Rows in all.
    pub(crate) n_rows: usize,
}

/// A row in the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dot {
    pub(crate) at: [f64; 2],
    pub(crate) cluster: u32,
}

impl Clusters {
    pub(crate) fn of(sides: &Sides<'_>) -> Self {
        let numbering = Numbering::of(sides);
        let raw = numbering.raw(sides.raw.labels);
        let raw_by_release = numbering.release(sides.raw_by_release);
        let released = numbering.release(sides.released.labels);
        let n_clusters = sides.n_clusters;
        let sizes_of = |labels: &[u32], points: &Points<'_>| {
            let mut sizes = vec![0_u64; n_clusters];
            for (row, &label) in labels.iter().enumerate() {
                sizes[label as usize] += u64::from(points.weight(row));
            }
            sizes
        };
        let sizes = sizes_of(&raw, sides.raw.points)
            .into_iter()
            .zip(sizes_of(&released, sides.released.points))
            .map(|(before, after)| [before, after])
            .collect();
        // A portrait names published values, wherever they lie.
        let own_cells =
            Points::in_space(sides.released.table, sides.released.points.space().clone());
        let whole = |table, points: &Points<'_>| {
            portraits(table, points, &vec![0; points.n_rows()], 1).swap_remove(0)
        };
        Self {
            sizes,
            counts: Contingency::from_labels(&raw, &raw_by_release, sides.raw.points.weights()),
            projection: Projection::of(sides, &raw, &released),
            before: portraits(sides.raw.table, sides.raw.points, &raw, n_clusters),
            after: portraits(sides.released.table, &own_cells, &released, n_clusters),
            whole: [
                whole(sides.raw.table, sides.raw.points),
                whole(sides.released.table, &own_cells),
            ],
            columns: sides
                .raw
                .table
                .fields()
                .iter()
                .map(|field| field.name.clone())
                .collect(),
        }
    }
}

/// New numbers for the labels of either side.
struct Numbering {
    raw: Vec<u32>,
    release: Vec<u32>,
}

impl Numbering {
    fn of(sides: &Sides<'_>) -> Self {
        let counts = Contingency::from_labels(
            sides.raw.labels,
            sides.raw_by_release,
            sides.raw.points.weights(),
        );
        let mut by_size: Vec<(u64, u32)> = counts
            .row_totals()
            .iter()
            .copied()
            .zip(counts.row_labels().iter().copied())
            .collect();
        by_size.sort_by_key(|&(size, label)| (std::cmp::Reverse(size), label));
        let raw = completed(
            by_size
                .iter()
                .zip(0..)
                .map(|(&(_, label), number)| (label, number)),
            sides.n_clusters,
        );
        let matched = matched_clusters(&counts).into_iter();
        let release = completed(
            matched.map(|(own, partner)| (partner, raw[own as usize])),
            sides.n_clusters,
        );
        Self { raw, release }
    }

    fn raw(&self, labels: &[u32]) -> Vec<u32> {
        labels
            .iter()
            .map(|&label| self.raw[label as usize])
            .collect()
    }

    fn release(&self, labels: &[u32]) -> Vec<u32> {
        labels
            .iter()
            .map(|&label| self.release[label as usize])
            .collect()
    }
}

/// A number for every label: the given ones, and the smallest free ones for the others.
fn completed(given: impl Iterator<Item = (u32, u32)>, n_clusters: usize) -> Vec<u32> {
    let mut numbers = vec![None; n_clusters];
    let mut is_taken = vec![false; n_clusters];
    for (label, number) in given {
        numbers[label as usize] = Some(number);
        is_taken[number as usize] = true;
    }
    let mut free = (0..n_clusters as u32).filter(|&number| !is_taken[number as usize]);
    numbers
        .into_iter()
        .map(|number| {
            number
                .or_else(|| free.next())
                .expect("there are as many numbers as labels")
        })
        .collect()
}

impl Projection {
    fn of(sides: &Sides<'_>, raw_labels: &[u32], released_labels: &[u32]) -> Self {
        let raw_rows = rows_to_draw(sides.raw.points.n_rows(), MOST_DOTS, SEED);
        let released_rows = rows_to_draw(sides.released.points.n_rows(), MOST_DOTS, SEED);
        let raw = sides.raw.points.select(&raw_rows);
        let released = sides.released.points.select(&released_rows);
        let plane = Plane::fit(&raw);
        let dots = |points: &Points<'_>, rows: &[u32], labels: &[u32]| -> Vec<Dot> {
            let places = plane.project(points).into_iter();
            places
                .zip(rows)
                .map(|(at, &row)| Dot {
                    at,
                    cluster: labels[row as usize],
                })
                .collect()
        };
        Self {
            before: dots(&raw, &raw_rows, raw_labels),
            after: dots(&released, &released_rows, released_labels),
            are_same_rows: sides.are_same_rows,
            shares: plane.shares(),
            n_rows: sides.raw.points.n_rows(),
        }
    }
}
