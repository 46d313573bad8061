//! Starting centres by k-means++: each next centre is a row drawn with a chance in proportion to its squared distance
//! from the centres so far, the best of a few draws.
//!
//! What is drawn is a *value*, not a line of the file: rows are sorted into buckets by a key of their values, a bucket
//! is drawn by its exact sum, then a row within it in the order of the values. So the start, and with it the whole
//! clustering, is the same when rows are reordered, repeated rows are collapsed into weights, or threads change.

use super::distance::{Units, squared_distances};
use super::fold::fold_rows;
use super::kernel::Tables;
use super::points::Points;
use crate::repeatable::Repeatable;

const BUCKETS: usize = 1 << 12;

fn bucket(key: u32) -> usize {
    key as usize >> (32 - BUCKETS.trailing_zeros())
}

/// How many rows are tried for each centre: a few more for many clusters, as the authors of k-means++ advise.
pub(super) fn usual_trials(n_clusters: usize) -> usize {
    2 + (n_clusters.max(1) as f64).ln() as usize
}

/// How near the rows are to the centres so far.
struct Coverage {
    centre: Vec<f64>,
    nearest: Vec<Units>,
    bucket_sums: Vec<u128>,
}

impl Coverage {
    /// What the distances become with one more centre.
    fn with_centre(points: &Points<'_>, centre: Vec<f64>, mut nearest: Vec<Units>) -> Self {
        let tables = Tables::new(points, std::slice::from_ref(&centre));
        let bucket_sums = sum_buckets(points, &mut nearest, |first_row, nearest| {
            let mut labels = vec![0; nearest.len()];
            let distances = squared_distances(points, &tables, first_row, &mut labels);
            for (nearest, distance) in nearest.iter_mut().zip(distances) {
                *nearest = (*nearest).min(distance);
            }
        });
        Self {
            centre,
            nearest,
            bucket_sums,
        }
    }

    fn total(&self) -> u128 {
        self.bucket_sums.iter().sum()
    }
}

/// Draws `n_clusters` starting centres: for each, `trials` rows are drawn and the one that covers the rows best is
/// kept. Fewer centres come back if there are fewer different rows.
pub(super) fn plus_plus(
    points: &Points<'_>,
    n_clusters: usize,
    trials: usize,
    choices: &mut Repeatable,
) -> Vec<Vec<f64>> {
    // The first centre is any row: all distances count the same.
    let mut even: Vec<Units> = vec![1; points.n_rows()];
    let bucket_sums = sum_buckets(points, &mut even, |_, _| {});
    let Some(first) = draw(points, &even, &bucket_sums, choices) else {
        return Vec::new();
    };
    even.fill(Units::MAX);
    let mut coverage = Coverage::with_centre(points, points.position(first), even);
    let mut centres = vec![coverage.centre.clone()];
    while centres.len() < n_clusters {
        let drawn: Vec<usize> = (0..trials)
            .map_while(|_| draw(points, &coverage.nearest, &coverage.bucket_sums, choices))
            .collect();
        let covered = drawn.into_iter().map(|row| {
            Coverage::with_centre(points, points.position(row), coverage.nearest.clone())
        });
        let Some(best) = covered.min_by_key(Coverage::total) else {
            break;
        };
        coverage = best;
        centres.push(coverage.centre.clone());
    }
    centres
}

/// Updates the distances of all rows and adds them up bucket by bucket.
fn sum_buckets(
    points: &Points<'_>,
    nearest: &mut [Units],
    update: impl Fn(usize, &mut [Units]) + Sync + Send,
) -> Vec<u128> {
    let keys = points.keys();
    fold_rows(
        nearest,
        points.block_rows,
        || vec![0_u128; BUCKETS],
        |first_row, nearest, sums| {
            update(first_row, nearest);
            for (at, &units) in nearest.iter().enumerate() {
                let row = first_row + at;
                sums[bucket(keys[row])] += u128::from(units) * u128::from(points.weight(row));
            }
        },
        |left, right| {
            for (left, right) in left.iter_mut().zip(right) {
                *left += right;
            }
        },
    )
}

/// A row drawn in proportion to weight times distance; nothing if all distances are zero.
fn draw(
    points: &Points<'_>,
    nearest: &[Units],
    bucket_sums: &[u128],
    choices: &mut Repeatable,
) -> Option<usize> {
    let total: u128 = bucket_sums.iter().sum();
    if total == 0 {
        return None;
    }
    let mut mark = choices.below(total);
    let chosen = bucket_sums.iter().position(|&sum| {
        let is_here = mark < sum;
        if !is_here {
            mark -= sum;
        }
        is_here
    })?;
    let keys = points.keys();
    let mut rows: Vec<usize> = (0..points.n_rows())
        .filter(|&row| bucket(keys[row]) == chosen)
        .collect();
    rows.sort_by(|&a, &b| {
        keys[a]
            .cmp(&keys[b])
            .then_with(|| points.compare_rows(a, b))
    });
    rows.into_iter().find(|&row| {
        let mass = u128::from(nearest[row]) * u128::from(points.weight(row));
        let is_here = mark < mass;
        if !is_here {
            mark -= mass;
        }
        is_here
    })
}
