//! Columns with histograms.

use super::super::axis::Atom;
use super::super::bins::Bins;
use super::super::histograms::{HistogramNoise, unit_of};
use super::super::project::{normalised, project};
use super::super::shrink::{Groups, Level, Noisy, shares};
use super::{ColumnModel, Model, unfit};
use crate::error::Result;
use crate::privacy::budget::Rational;

/// What every value has before anybody is seen with it, in people.
const UNSEEN: f64 = 0.001;

impl Model<'_> {
    /// How a column with histograms spreads in each group.
    pub(super) fn shares(
        &self,
        column: usize,
        [fine, sizes]: [&[i64]; 2],
        coarse: &[Vec<i64>],
        epsilon: &Rational,
    ) -> Result<ColumnModel> {
        let axis = &self.mosaic.axes[column];
        let noise = HistogramNoise::new(axis, epsilon)?;
        let unit = unit_of(axis) as f64;
        let in_people = |count: &i64| *count as f64 / unit;
        let n_sizes = if noise.sizes.is_some() {
            sizes.len()
        } else {
            0
        };
        let n_fine = if noise.fine.is_some() {
            axis.n_atoms()
        } else {
            0
        };
        if fine.len() != n_fine || sizes.len() != n_sizes {
            return Err(unfit());
        }
        let bins = Bins::new(axis, fine);
        let total = self.total().max(1) as f64;
        let whole = noise.fine.as_ref().map(|noise| {
            let variance = noise.variance() / (unit * unit);
            in_bins(&bins, fine.iter().map(in_people), variance)
        });
        let fine: Vec<f64> = if fine.is_empty() {
            vec![1.0; axis.n_atoms()]
        } else {
            let noisy: Vec<f64> = fine.iter().map(in_people).collect();
            project(&noisy, total)
        };
        let variance = noise.coarse.variance() / (unit * unit);
        let noisy = self.group_counts(column, &bins, coarse, variance, unit)?;
        let people: Vec<Vec<f64>> = self
            .people
            .iter()
            .map(|level| level.iter().map(|&people| people as f64).collect())
            .collect();
        let groups = Groups {
            people: &people,
            masses: &self.masses(column, &bins, &fine),
        };
        let groups = shares(noisy, groups, whole.as_ref());
        let noisy_sizes: Vec<f64> = sizes.iter().map(|&count| count as f64).collect();
        Ok(ColumnModel::Shares {
            fine,
            groups,
            sizes: normalised(project(&noisy_sizes, total)),
            bins,
        })
    }

    /// The noisy histograms of all groups over all bins.
    fn group_counts(
        &self,
        column: usize,
        bins: &Bins,
        coarse: &[Vec<i64>],
        variance: f64,
        unit: f64,
    ) -> Result<Level<Noisy>> {
        let mut given = coarse.iter();
        let groups = self.plan.level(self.depth.groups).iter().map(|group| {
            let Some(group) = group else { return Ok(None) };
            let possible = bins.possible(&group.regions[column]);
            let n_possible = possible.iter().filter(|possible| **possible).count();
            let histogram = given.next().filter(|given| given.len() == n_possible);
            let mut noisy = histogram.ok_or_else(unfit)?.iter();
            let counts = possible.iter().map(|possible| {
                let count = possible.then(|| noisy.next()).flatten();
                count.map_or(0.0, |&count| count as f64 / unit)
            });
            Ok(Some(Noisy {
                counts: counts.collect(),
                variances: possible
                    .iter()
                    .map(|&possible| if possible { variance } else { 0.0 })
                    .collect(),
            }))
        });
        let groups = groups.collect::<Result<Level<Noisy>>>()?;
        match given.next() {
            None => Ok(groups),
            Some(_) => Err(unfit()),
        }
    }

    /// For every group of every level, how much of each bin is possible; a little for values that nobody seems to
    /// have, so that no possible bin is lost.
    fn masses(&self, column: usize, bins: &Bins, fine: &[f64]) -> Vec<Level<Vec<f64>>> {
        (0..=self.depth.groups)
            .map(|level| {
                let groups = self.plan.level(level).iter();
                groups
                    .map(|group| {
                        let mut mass = vec![0.0; bins.len()];
                        for atom in group.as_ref()?.regions[column].atoms() {
                            mass[bins.of(atom)] += fine[atom as usize] + UNSEEN;
                        }
                        Some(mass)
                    })
                    .collect()
            })
            .collect()
    }
}

/// A histogram over atoms as one over bins.
fn in_bins(bins: &Bins, counts: impl Iterator<Item = f64>, variance: f64) -> Noisy {
    let mut sum = Noisy {
        counts: vec![0.0; bins.len()],
        variances: vec![0.0; bins.len()],
    };
    for (atom, count) in (0..).zip(counts) {
        let bin = bins.of(atom as Atom);
        sum.counts[bin] += count;
        sum.variances[bin] += variance;
    }
    sum
}
