//! Columns of the linear block.

use super::super::axis::Atom;
use super::super::marginal::{mean_place, moved, smoothed};
use super::super::noise::Noise;
use super::super::shrink::Level;
use super::super::sums::{LinearParts, numbers, place_range, place_variance, scale};
use super::{ColumnModel, Model, unfit};
use crate::error::Result;
use crate::privacy::budget::Rational;

/// A noisy sum of places and the variance of its noise.
#[derive(Clone, Copy)]
struct NoisySum {
    sum: f64,
    variance: f64,
}

/// The sums of all levels, the whole table first, from those of the last level.
fn summed_up(groups: Level<NoisySum>) -> Vec<Level<NoisySum>> {
    let mut levels = vec![groups];
    while levels[0].len() > 1 {
        let halves = levels[0].chunks(2);
        let above = halves.map(|halves| {
            halves
                .iter()
                .flatten()
                .copied()
                .reduce(|one, other| NoisySum {
                    sum: one.sum + other.sum,
                    variance: one.variance + other.variance,
                })
        });
        let above = above.collect();
        levels.insert(0, above);
    }
    levels
}

impl Model<'_> {
    /// The means of a column of the linear block in each group.
    pub(super) fn means(
        &self,
        column: usize,
        linear: &[usize],
        fine: &[i64],
        sums: &[i64],
        column_parts: &[Rational],
    ) -> Result<ColumnModel> {
        let axis = numbers(self.mosaic, column);
        let groups = self.plan.level(self.depth.groups);
        if sums.len() != groups.iter().flatten().count() || fine.len() != axis.n_bins() {
            return Err(unfit());
        }
        let parts = LinearParts::new(linear, column_parts)?;
        let variance = Noise::new(1, &parts.marginal[column])?.variance();
        let whole = smoothed(fine, variance, self.total().max(1) as f64);
        // Sums of places, and the variance of their noise, of the groups and of all above them.
        let mut given = sums.iter();
        let mut noisy: Level<NoisySum> = Vec::new();
        for (group, &people) in groups.iter().zip(&self.people[self.depth.groups]) {
            let Some(group) = group else {
                noisy.push(None);
                continue;
            };
            let (first, last) = place_range(axis, group, column);
            let middle = f64::from(first).midpoint(f64::from(last));
            let sum = given.next().map_or(0.0, |&sum| sum as f64 / 2.0);
            let scale = scale(self.mosaic, linear, group, &parts.sums)?;
            noisy.push(Some(NoisySum {
                sum: people as f64 * middle + sum,
                variance: scale.map_or(0.0, |scale| place_variance(axis, &scale)),
            }));
        }
        let levels = summed_up(noisy);
        let mut above: Level<f64> = Vec::new();
        for (level, groups) in levels.iter().enumerate() {
            let mean_of = |(number, group): (usize, &Option<NoisySum>)| {
                let own = group.as_ref()?;
                let cell = self.plan.level(level)[number].as_ref()?;
                let region = &cell.regions[column];
                // What the group above says, restricted to what is possible here.
                let expected = if let Some(&Some(mean)) = above.get(number / 2) {
                    let parent = self.plan.level(level - 1)[number / 2].as_ref()?;
                    let mut shape = moved(axis, &whole, &parent.regions[column], mean);
                    shape.retain(|&(bin, _)| region.allows(bin));
                    mean_place(axis, &shape)
                } else {
                    let shape: Vec<(Atom, f64)> = (0..).zip(whole.iter().copied()).collect();
                    mean_place(axis, &shape)
                };
                let (first, last) = place_range(axis, cell, column);
                let clip = |place: f64| place.clamp(first.into(), last.into());
                let people = self.people[level][number] as f64;
                let difference = own.sum - people * expected;
                if people <= 0.0 || difference == 0.0 {
                    return Some(clip(expected));
                }
                let believed = (1.0 - own.variance / (difference * difference)).max(0.0);
                Some(clip(expected + believed * difference / people))
            };
            above = groups.iter().enumerate().map(mean_of).collect();
        }
        Ok(ColumnModel::Means {
            whole,
            groups: above,
        })
    }
}
