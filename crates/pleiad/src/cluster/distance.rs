//! Squared distances as exact numbers, so that they can be added up in any order.

use super::fold::fold_rows;
use super::kernel::Tables;
use super::points::Points;

/// Squared distances are kept in units of 2⁻⁴⁸: finer than floating point tells apart at the size of the space.
const UNITS: f64 = (1_u64 << 48) as f64;

/// A squared distance in exact units.
pub(super) type Units = u64;

pub(super) fn to_units(squared_distance: f64) -> Units {
    (squared_distance.max(0.0) * UNITS).round() as Units
}

pub(super) fn from_units(units: u128) -> f64 {
    units as f64 / UNITS
}

/// Each row's nearest centre and the cost: the sum of weighted squared distances to it.
pub(super) fn assign(points: &Points<'_>, centres: &[Vec<f64>]) -> (Vec<u32>, f64) {
    let tables = Tables::new(points, centres);
    let mut labels = vec![0; points.n_rows()];
    let cost = fold_rows(
        &mut labels,
        points.block_rows,
        || 0_u128,
        |first_row, labels, cost| {
            let distances = squared_distances(points, &tables, first_row, labels);
            *cost += weighted_sum(points, first_row, &distances);
        },
        |left, right| *left += right,
    );
    (labels, from_units(cost))
}

/// Each row's squared distance from the nearest centre.
pub(super) fn all_squared_distances(points: &Points<'_>, centres: &[Vec<f64>]) -> Vec<f64> {
    let tables = Tables::new(points, centres);
    let mut labels = vec![0; points.n_rows()];
    squared_distances(points, &tables, 0, &mut labels)
        .into_iter()
        .map(|units| from_units(units.into()))
        .collect()
}

/// Finds the nearest centres of a block and returns the squared distances to them.
pub(super) fn squared_distances(
    points: &Points<'_>,
    tables: &Tables,
    first_row: usize,
    labels: &mut [u32],
) -> Vec<Units> {
    let mut scores = vec![0.0; labels.len()];
    tables.nearest(points, first_row, labels, &mut scores);
    let norms = &points.squared_norms()[first_row..];
    scores
        .into_iter()
        .zip(norms)
        .map(|(score, norm)| to_units(score + norm))
        .collect()
}

/// Replaces a row and its distance by another if that is farther, or equally far and by its values the earlier one.
pub(super) fn farther(
    points: &Points<'_>,
    best: &mut Option<(Units, usize)>,
    other: Option<(Units, usize)>,
) {
    let is_better = match (*best, other) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(best), Some(other)) => {
            let by_value = || points.compare_rows(best.1, other.1);
            other.0.cmp(&best.0).then_with(by_value).is_gt()
        }
    };
    if is_better {
        *best = other;
    }
}

fn weighted_sum(points: &Points<'_>, first_row: usize, distances: &[Units]) -> u128 {
    distances
        .iter()
        .enumerate()
        .map(|(at, &units)| u128::from(units) * u128::from(points.weight(first_row + at)))
        .sum()
}

/// The sum of weighted squared lengths of all rows.
pub(super) fn total_squared_norm(points: &Points<'_>) -> f64 {
    let norms = points.squared_norms().iter().enumerate();
    from_units(
        norms
            .map(|(row, &norm)| u128::from(to_units(norm)) * u128::from(points.weight(row)))
            .sum(),
    )
}
