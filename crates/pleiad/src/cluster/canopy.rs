//! Optimised canopy: rows that lie as far apart as possible, as starting centres, and the number of clusters that they
//! show.
//!
//! The first row is the one nearest the mean, every next one the row that is farthest from all before. Its distance from
//! the nearest of those, Dmin, falls: far while there are clusters without a row, near once each has one.
//!
//! The number of clusters is the i of largest depth |Dmin(i) − Dmin(i−1)| + |Dmin(i+1) − Dmin(i)|. As printed, the depth
//! sees a fall from i − 1 to i as much in i as in i − 1, and never names 2. So where Dmin fell by a larger factor before
//! i than after it, the fall ended the clusters at i − 1, which is then the number.

use super::distance::{Units, farther, from_units, squared_distances};
use super::fold::fold_rows;
use super::kernel::Tables;
use super::points::Points;
use super::sums::Sums;

/// Clusters that a canopy may show, at most.
const MOST_CLUSTERS: usize = 32;

/// Rows far apart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Canopy {
    /// The rows, the one nearest the mean first.
    pub(super) rows: Vec<usize>,
    /// The distance of each row but the first from the nearest before it.
    pub(super) distances: Vec<f64>,
}

/// Chooses so many rows, or as many as lie in different places.
pub(super) fn canopy(points: &Points<'_>, n_rows: usize) -> Canopy {
    let mut canopy = Canopy {
        rows: Vec::new(),
        distances: Vec::new(),
    };
    if points.n_rows() == 0 {
        return canopy;
    }
    let mean = Sums::of_labels(points, &vec![0; points.n_rows()], 1).mean(points, 0);
    // Turned round, so that the nearest is the farthest.
    let mut nearness = vec![Units::MAX; points.n_rows()];
    let first = update(points, mean, &mut nearness, |_, distance| {
        Units::MAX - distance
    });
    let mut next = first.map(|(_, row)| row);
    let mut nearest = vec![Units::MAX; points.n_rows()];
    while let Some(row) = next
        && canopy.rows.len() < n_rows
    {
        canopy.rows.push(row);
        let farthest = update(points, points.position(row), &mut nearest, Units::min);
        next = farthest
            .filter(|&(distance, _)| distance > 0)
            .map(|(distance, row)| {
                canopy
                    .distances
                    .push(from_units(u128::from(distance)).sqrt());
                row
            });
    }
    canopy
        .distances
        .truncate(canopy.rows.len().saturating_sub(1));
    canopy
}

/// Brings the distances of all rows up to date with one more place and returns the farthest.
fn update(
    points: &Points<'_>,
    place: Vec<f64>,
    distances: &mut [Units],
    with: impl Fn(Units, Units) -> Units + Sync + Send,
) -> Option<(Units, usize)> {
    let tables = Tables::new(points, &[place]);
    fold_rows(
        distances,
        points.block_rows,
        || None,
        |first_row, distances, farthest| {
            let mut labels = vec![0; distances.len()];
            let from_place = squared_distances(points, &tables, first_row, &mut labels);
            for (at, (distance, from_place)) in distances.iter_mut().zip(from_place).enumerate() {
                *distance = with(*distance, from_place);
                farther(points, farthest, Some((*distance, first_row + at)));
            }
        },
        |left, right| farther(points, left, right),
    )
}

/// The number of clusters that a canopy over the rows shows; nothing where there are fewer than four different rows.
pub fn canopy_clusters(points: &Points<'_>) -> Option<usize> {
    deepest(&canopy(points, MOST_CLUSTERS + 2).distances)
}

/// The number by Dmin(2), Dmin(3), ….
pub(super) fn deepest(distances: &[f64]) -> Option<usize> {
    let depth = |at: usize| distances[at - 1] - distances[at + 1];
    let deepest = (1..distances.len().checked_sub(1)?)
        .reduce(|best, at| if depth(at) > depth(best) { at } else { best })?;
    // Dmin(i) stands at i − 2.
    let fell_before = distances[deepest - 1] * distances[deepest + 1] >= distances[deepest].powi(2);
    Some(deepest + 2 - usize::from(fell_before))
}
