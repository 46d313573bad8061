//! Lloyd's rounds: assign every row to its nearest centre, move every centre to the mean of its rows (or to the nearest
//! place to it where a centre may be), until nothing changes.
//!
//! Sums are exact, so a round only has to touch the rows that changed their cluster; late rounds touch hardly any.

use super::distance::{assign, farther, squared_distances};
use super::fold::fold_rows;
use super::kernel::Tables;
use super::points::Points;
use super::sums::{Move, Sums};

/// Where Lloyd's rounds ended.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub(super) labels: Vec<u32>,
    pub(super) centres: Vec<Vec<f64>>,
    pub(super) cost: f64,
    pub(super) rounds: usize,
    pub(super) converged: bool,
}

/// A label that no cluster has: the row has not been assigned yet.
const NOWHERE: u32 = u32::MAX;

/// Runs rounds from given centres. `settle` moves a mean to the nearest place where a centre may be, which is also the
/// best place for its rows: the sum of squared distances from them grows with the squared distance from their mean.
pub(super) fn lloyd(
    points: &Points<'_>,
    start: Vec<Vec<f64>>,
    most_rounds: usize,
    settle: &(dyn Fn(&mut [f64]) + Sync),
) -> Fit {
    let mut centres = start;
    for centre in &mut centres {
        settle(centre);
    }
    let mut labels = vec![NOWHERE; points.n_rows()];
    let mut sums = Sums::zero(points, centres.len());
    for round in 1..=most_rounds {
        let changed = reassign(points, &centres, &mut labels, &mut sums);
        if changed == 0 {
            // The centres are the means of these very labels, so the assignment is final.
            let (labels, cost) = assign(points, &centres);
            return Fit {
                labels,
                centres,
                cost,
                rounds: round,
                converged: true,
            };
        }
        for (cluster, centre) in centres.iter_mut().enumerate() {
            if sums.weight(cluster) > 0 {
                *centre = sums.mean(points, cluster);
                settle(centre);
            }
        }
        for cluster in 0..centres.len() {
            if sums.weight(cluster) == 0 {
                centres[cluster] = points.position(farthest_row(points, &centres));
                settle(&mut centres[cluster]);
            }
        }
    }
    let (labels, cost) = assign(points, &centres);
    Fit {
        labels,
        centres,
        cost,
        rounds: most_rounds,
        converged: false,
    }
}

/// Assigns all rows, brings the sums up to date and says how many rows changed their cluster.
fn reassign(
    points: &Points<'_>,
    centres: &[Vec<f64>],
    labels: &mut [u32],
    sums: &mut Sums,
) -> usize {
    let tables = Tables::new(points, centres);
    let (changes, changed) = fold_rows(
        labels,
        points.block_rows,
        || (None, 0),
        |first_row, labels, (changes, changed): &mut (Option<Sums>, usize)| {
            let mut new_labels = vec![0; labels.len()];
            let mut scores = vec![0.0; labels.len()];
            tables.nearest(points, first_row, &mut new_labels, &mut scores);
            let moves: Vec<Move> = labels
                .iter()
                .zip(&new_labels)
                .enumerate()
                .filter(|(_, (old, new))| old != new)
                .map(|(at, (&old, &new))| Move {
                    row: (first_row + at) as u32,
                    from: (old != NOWHERE).then_some(old),
                    to: new,
                })
                .collect();
            if !moves.is_empty() {
                changes
                    .get_or_insert_with(|| Sums::zero(points, centres.len()))
                    .apply(points, &moves);
                *changed += moves.len();
                labels.copy_from_slice(&new_labels);
            }
        },
        |left, right| {
            left.1 += right.1;
            match (&mut left.0, right.0) {
                (Some(left), Some(right)) => left.merge(&right),
                (none @ None, right) => *none = right,
                (Some(_), None) => {}
            }
        },
    );
    if let Some(changes) = changes {
        sums.merge(&changes);
    }
    changed
}

/// The row farthest from its nearest centre: where a centre that lost all its rows starts anew.
fn farthest_row(points: &Points<'_>, centres: &[Vec<f64>]) -> usize {
    let tables = Tables::new(points, centres);
    let mut labels = vec![0; points.n_rows()];
    let farthest = fold_rows(
        &mut labels,
        points.block_rows,
        || None,
        |first_row, labels, farthest| {
            let distances = squared_distances(points, &tables, first_row, labels);
            for (at, units) in distances.into_iter().enumerate() {
                farther(points, farthest, Some((units, first_row + at)));
            }
        },
        |left, right| farther(points, left, right),
    );
    farthest.map_or(0, |(_, row)| row)
}
