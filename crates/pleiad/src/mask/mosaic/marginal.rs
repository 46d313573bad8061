//! How all people spread over a column of numbers, and what that says about people of whom only the mean is known.
//!
//! A group of the linear block publishes means. Rows need more than a mean: within a group a column has the shape that
//! it has in the whole table, cut to what is possible and tilted (every share times exp(t·x)) until the mean is right.
//! Of all distributions with that mean this is the one nearest to the whole table's.
//!
//! # Privacy
//! A person adds 1 to one bin of the histogram; the rest works on its noisy counts.

use super::axis::{Atom, NumberAxis};
use super::noise::Noise;
use super::params::Mosaic;
use super::project::project;
use super::region::Region;
use super::rows::weight_of;
use super::sums::numbers;
use crate::error::Result;
use crate::privacy::budget::{AddRemove, Charge, Question, Rational};
use crate::privacy::noise::PrivateRandom;
use crate::table::{Table, with_codes};

/// How all people spread over a column of the linear block.
pub(super) struct MeasureMarginal<'a> {
    mosaic: &'a Mosaic,
    column: usize,
    noise: Noise,
    random: &'a mut PrivateRandom,
}

impl<'a> MeasureMarginal<'a> {
    pub(super) fn new(
        mosaic: &'a Mosaic,
        column: usize,
        epsilon: &Rational,
        random: &'a mut PrivateRandom,
    ) -> Result<Self> {
        Ok(Self {
            mosaic,
            column,
            noise: Noise::new(1, epsilon)?,
            random,
        })
    }
}

impl Question for MeasureMarginal<'_> {
    type Relation = AddRemove;
    type Answer = Vec<i64>;

    fn what(&self) -> String {
        let name = &self.mosaic.fields[self.column].name;
        format!("how `{name}` spreads in the whole table")
    }

    fn charge(&self) -> Charge<AddRemove> {
        self.noise.charge()
    }

    fn answer(self, rows: &Table) -> Vec<i64> {
        marginal(rows, self.column, numbers(self.mosaic, self.column))
            .into_iter()
            .map(|people| self.noise.add_to(people, self.random))
            .collect()
    }
}

/// The exact histogram of a column over its bins.
pub(super) fn marginal(table: &Table, column: usize, axis: &NumberAxis) -> Vec<u128> {
    let mut people = vec![0_u128; axis.n_bins()];
    let weight_of = weight_of(table);
    with_codes!(table.columns()[column].codes(), codes => {
        for (row, &code) in codes.iter().enumerate() {
            people[axis.atom(u32::from(code)) as usize] += u128::from(weight_of(row));
        }
    });
    people
}

/// Noisy counts of neighbouring bins made smooth where they are nothing but noise: the range is halved again and again,
/// and of the difference of two halves as much is believed as stands out from the noise (James and Stein 1961).
pub(super) fn smoothed(noisy: &[i64], variance: f64, total: f64) -> Vec<f64> {
    let noisy: Vec<f64> = noisy.iter().map(|&count| count as f64).collect();
    let mut smooth = vec![0.0; noisy.len()];
    let mut parts = vec![(0..noisy.len(), total)];
    while let Some((bins, people)) = parts.pop() {
        if bins.len() <= 1 {
            smooth[bins.start] = people;
            continue;
        }
        let middle = bins.start + bins.len() / 2;
        let halves = [bins.start..middle, middle..bins.end];
        let sums = halves.clone().map(|half| noisy[half].iter().sum::<f64>());
        let even = halves
            .clone()
            .map(|half| people * half.len() as f64 / bins.len() as f64);
        let differences = [0, 1].map(|half| sums[half] - even[half]);
        let squared: f64 = differences.iter().map(|by| by * by).sum();
        let noise = variance * bins.len() as f64;
        let believed = (1.0 - noise / squared.max(f64::MIN_POSITIVE)).max(0.0);
        let moved = [0, 1].map(|half| even[half] + believed * differences[half]);
        for (half, people) in halves.into_iter().zip(project(&moved, people)) {
            parts.push((half, people));
        }
    }
    smooth
}

/// The shape of the whole table within a region, tilted until it has a mean; shares of bins.
pub(super) fn tilted(
    axis: &NumberAxis,
    whole: &[f64],
    region: &Region,
    mean: f64,
) -> Vec<(Atom, f64)> {
    // A little for values that nobody seems to have, so that any mean of the region can be reached.
    let total: f64 = whole.iter().sum();
    let unseen = (total * 1e-9).max(f64::MIN_POSITIVE);
    let shape: Vec<(Atom, f64, f64)> = region
        .atoms()
        .map(|bin| (bin, axis.middle(bin), whole[bin as usize] + unseen))
        .collect();
    let (Some(first), Some(last)) = (shape.first(), shape.last()) else {
        return Vec::new();
    };
    let width = (last.1 - first.1).max(1.0);
    let (least, most) = (first.1, last.1);
    let wanted = mean.clamp(least + width * 1e-6, most.max(least + width * 1e-6));
    let with = |tilt: f64| -> Vec<(Atom, f64)> {
        let exponents = shape
            .iter()
            .map(|(bin, middle, mass)| (*bin, tilt * (middle - least) / width + mass.ln()));
        let most = exponents
            .clone()
            .map(|(_, exponent)| exponent)
            .fold(f64::MIN, f64::max);
        let weights: Vec<(Atom, f64)> = exponents
            .map(|(bin, exponent)| (bin, (exponent - most).exp()))
            .collect();
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        weights
            .into_iter()
            .map(|(bin, weight)| (bin, weight / sum))
            .collect()
    };
    let (mut low, mut high) = (-1e6_f64, 1e6_f64);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if mean_place(axis, &with(middle)) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    with(f64::midpoint(low, high))
}

/// The mean of shares of bins, as a place.
pub(super) fn mean_place(axis: &NumberAxis, shares: &[(Atom, f64)]) -> f64 {
    let (sum, weighted) = shares
        .iter()
        .fold((0.0, 0.0), |(sum, weighted), (bin, share)| {
            (sum + share, weighted + share * axis.middle(*bin))
        });
    if sum > 0.0 {
        weighted / sum
    } else {
        f64::from(axis.interval.last()) / 2.0
    }
}
