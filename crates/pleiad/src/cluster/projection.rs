//! A plane to look at points in: the two directions in which rows differ most (principal components).
//!
//! The plane is fitted on raw rows and then shows raw and masked rows alike, so that one can see what masking moved. A
//! picture holds some hundreds of points, not millions: whoever draws takes [`rows_to_draw`] first, and the cost no longer
//! depends on the table.

use super::points::Points;
use crate::repeatable::Repeatable;

/// Directions are refined until they turn by less than this, or so often.
const TURN: f64 = 1e-10;
const MOST_ROUNDS: usize = 2000;

/// The plane of largest spread.
#[derive(Debug, Clone, PartialEq)]
pub struct Plane {
    centre: Vec<f64>,
    axes: [Vec<f64>; 2],
    shares: [f64; 2],
}

impl Plane {
    /// The plane through the mean of some points along their first two principal components. Each axis points to where
    /// its largest coordinate is positive.
    pub fn fit(points: &Points<'_>) -> Self {
        let rows = WeightedRows::new(points);
        let first = rows.widest_direction(None);
        let second = rows.widest_direction(Some(&first));
        let total = rows.total_spread();
        let share = |axis: &[f64]| {
            if total > 0.0 {
                (rows.spread_along(axis) / total).clamp(0.0, 1.0)
            } else {
                0.0
            }
        };
        let shares = [share(&first), share(&second)];
        Self {
            centre: rows.mean,
            axes: [first, second],
            shares,
        }
    }

    /// Where points of the same space lie in the plane.
    pub fn project(&self, points: &Points<'_>) -> Vec<[f64; 2]> {
        let origin = [0, 1].map(|axis| dot(&self.centre, &self.axes[axis]));
        (0..points.n_rows())
            .map(|row| {
                let position = points.position(row);
                [0, 1].map(|axis| dot(&position, &self.axes[axis]) - origin[axis])
            })
            .collect()
    }

    /// The share of all spread that lies along each axis.
    pub fn shares(&self) -> [f64; 2] {
        self.shares
    }
}

/// At most `most` of `n_rows` rows in ascending order, each set of rows equally likely; the same for the same seed.
pub fn rows_to_draw(n_rows: usize, most: usize, seed: u64) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..n_rows as u32).collect();
    if n_rows > most {
        let mut choices = Repeatable::new(seed);
        for at in 0..most {
            let other = at + choices.below((n_rows - at) as u128) as usize;
            rows.swap(at, other);
        }
        rows.truncate(most);
        rows.sort_unstable();
    }
    rows
}

/// Positions without their zeros, which are most of them: a row has a few nodes of each tree.
struct WeightedRows {
    rows: Vec<Vec<(usize, f64)>>,
    weights: Vec<f64>,
    mean: Vec<f64>,
}

impl WeightedRows {
    fn new(points: &Points<'_>) -> Self {
        let n_rows = points.n_rows();
        let rows: Vec<Vec<(usize, f64)>> = (0..n_rows)
            .map(|row| {
                let position = points.position(row).into_iter().enumerate();
                position.filter(|&(_, value)| value != 0.0).collect()
            })
            .collect();
        let weights: Vec<f64> = (0..n_rows)
            .map(|row| f64::from(points.weight(row)))
            .collect();
        let total = weights.iter().sum::<f64>().max(1.0);
        let mut mean = vec![0.0; points.space().n_coordinates()];
        for (row, weight) in rows.iter().zip(&weights) {
            for &(coordinate, value) in row {
                mean[coordinate] += value * weight / total;
            }
        }
        Self {
            rows,
            weights,
            mean,
        }
    }

    /// How far each row lies from the mean along a direction.
    fn along<'a>(&'a self, direction: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let of_mean = dot(&self.mean, direction);
        self.rows.iter().map(move |row| {
            let own: f64 = row
                .iter()
                .map(|&(coordinate, value)| value * direction[coordinate])
                .sum();
            own - of_mean
        })
    }

    fn spread_along(&self, direction: &[f64]) -> f64 {
        let along = self.along(direction).zip(&self.weights);
        along.map(|(along, weight)| weight * along * along).sum()
    }

    fn total_spread(&self) -> f64 {
        let of_mean = dot(&self.mean, &self.mean);
        let of_row = |row: &Vec<(usize, f64)>| {
            let own: f64 = row.iter().map(|(_, value)| value * value).sum();
            let with_mean: f64 = row
                .iter()
                .map(|&(coordinate, value)| value * self.mean[coordinate])
                .sum();
            own - 2.0 * with_mean + of_mean
        };
        let rows = self.rows.iter().zip(&self.weights);
        rows.map(|(row, weight)| weight * of_row(row)).sum()
    }

    /// The covariance times a direction, up to a factor.
    fn stretched(&self, direction: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.mean.len()];
        let mut of_mean = 0.0;
        let along: Vec<f64> = self.along(direction).collect();
        for ((row, along), weight) in self.rows.iter().zip(along).zip(&self.weights) {
            of_mean += weight * along;
            for &(coordinate, value) in row {
                sum[coordinate] += weight * along * value;
            }
        }
        for (sum, mean) in sum.iter_mut().zip(&self.mean) {
            *sum -= of_mean * mean;
        }
        sum
    }

    /// The direction of largest spread, at a right angle to another: stretching any direction again and again turns it
    /// there. Where nothing is left to turn to, the direction is nothing.
    fn widest_direction(&self, apart_from: Option<&Vec<f64>>) -> Vec<f64> {
        let mut choices = Repeatable::new(0);
        let anywhere: Vec<f64> = self
            .mean
            .iter()
            .map(|_| choices.below(2001) as f64 - 1000.0)
            .collect();
        // What rounding leaves of a spread that is not there.
        let nothing = self.total_spread() * 1e-12;
        let Some(mut direction) = unit(anywhere, apart_from, 0.0) else {
            return vec![0.0; self.mean.len()];
        };
        for _ in 0..MOST_ROUNDS {
            let Some(next) = unit(self.stretched(&direction), apart_from, nothing) else {
                return vec![0.0; self.mean.len()];
            };
            let turn: f64 = next
                .iter()
                .zip(&direction)
                .map(|(next, before)| (next - before).abs())
                .fold(0.0, f64::max);
            direction = next;
            if turn < TURN {
                break;
            }
        }
        let largest = direction.iter().copied().fold(0.0_f64, |largest, value| {
            // The first of equals, as far as rounding can tell.
            if value.abs() > largest.abs() * (1.0 + 1e-9) {
                value
            } else {
                largest
            }
        });
        if largest < 0.0 {
            for value in &mut direction {
                *value = -*value;
            }
        }
        direction
    }
}

/// A vector of length 1 in the direction given, without what it has of another; nothing if it is no longer than
/// `nothing`.
fn unit(mut vector: Vec<f64>, apart_from: Option<&Vec<f64>>, nothing: f64) -> Option<Vec<f64>> {
    if let Some(other) = apart_from {
        let shared = dot(&vector, other);
        for (value, other) in vector.iter_mut().zip(other) {
            *value -= shared * other;
        }
    }
    let length = dot(&vector, &vector).sqrt();
    if length <= nothing {
        return None;
    }
    for value in &mut vector {
        *value /= length;
    }
    Some(vector)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
