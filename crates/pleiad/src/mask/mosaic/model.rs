//! What the outputs say: how many people are in each cell, and how each column spreads there. Everything that is
//! published is made from this, and this from noisy numbers and public knowledge.

use super::axis::{Atom, Axis};
use super::bins::Bins;
use super::histograms::{HistogramNoise, unit_of};
use super::outputs::{ColumnOutputs, Outputs};
use super::params::{Depth, Mosaic};
use super::project::{apportioned, normalised, project};
use super::region::{Plan, Region};
use super::shrink::{GroupCounts, Level, shares, summed_up};
use super::sums::{linear_columns, numbers, place_range, place_variance, scale};
use crate::error::{Error, Result};
use crate::privacy::budget::{Positive, Rational};
use crate::table::Place;

/// Rows of a release, at most: tiny ε can make the noisy number of people absurd.
const MOST_PEOPLE: u64 = 100_000_000;

/// Where the share of items under a node lies that a set has an item of, whatever the noise says.
const PRESENT_SHARE: (f64, f64) = (0.3, 0.98);

/// What the outputs say.
#[derive(Debug)]
pub(super) struct Model<'m> {
    pub(super) mosaic: &'m Mosaic,
    pub(super) plan: Plan,
    pub(super) depth: Depth,
    /// The people of every cell of every level.
    people: Vec<Vec<u64>>,
    columns: Vec<ColumnModel>,
}

/// How a column spreads in each group.
#[derive(Debug)]
enum ColumnModel {
    Shares {
        bins: Bins,
        /// For each atom its weight within its bin.
        fine: Vec<f64>,
        /// For each group the shares of the bins.
        groups: Level<Vec<f64>>,
        /// How many sets have how many items.
        sizes: Vec<f64>,
    },
    /// For each group the mean place.
    Means(Level<f64>),
}

/// How a column spreads in a cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CellSpread {
    /// Shares of atoms; they add up to 1.
    Shares(Vec<(Atom, f64)>),
    /// A mean place.
    Mean(f64),
}

impl<'m> Model<'m> {
    pub(super) fn new(mosaic: &'m Mosaic, outputs: &Outputs) -> Result<Self> {
        let depth = check_fit(mosaic, outputs)?;
        let plan = Plan::after(&mosaic.axes, &outputs.cuts);
        let people = people(&plan, outputs)?;
        let mut model = Self {
            mosaic,
            depth,
            people,
            columns: Vec::new(),
            plan,
        };
        let parts = mosaic.parts();
        let n_columns = Positive::try_from(Rational::from(mosaic.axes.len() as u64))?;
        let column_part = parts.spread.over(&n_columns);
        let linear = linear_columns(mosaic);
        let linear_part = column_part.clone() * Rational::from(linear.len() as u64);
        for (column, outputs) in outputs.columns.iter().enumerate() {
            let fitted = match outputs {
                ColumnOutputs::Histograms {
                    fine,
                    coarse,
                    sizes,
                } if !linear.contains(&column) => {
                    model.shares(column, [fine, sizes], coarse, &column_part)?
                }
                ColumnOutputs::Sums(sums) if linear.contains(&column) => {
                    model.means(column, &linear, sums, &linear_part)?
                }
                _ => return Err(unfit()),
            };
            model.columns.push(fitted);
        }
        Ok(model)
    }

    /// How many people are published.
    pub(super) fn total(&self) -> u64 {
        self.people[0][0]
    }

    /// The people of every cell.
    pub(super) fn cell_people(&self) -> &[u64] {
        &self.people[self.plan.cuts().len()]
    }

    fn shares(
        &self,
        column: usize,
        [fine, sizes]: [&[i64]; 2],
        coarse: &[Vec<i64>],
        epsilon: &Rational,
    ) -> Result<ColumnModel> {
        let axis = &self.mosaic.axes[column];
        let bins = Bins::new(axis);
        let noise = HistogramNoise::new(axis, &bins, epsilon)?;
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
        let total = self.total().max(1) as f64;
        let fine: Vec<f64> = if fine.is_empty() {
            vec![1.0; axis.n_atoms()]
        } else {
            let noisy: Vec<f64> = fine.iter().map(in_people).collect();
            project(&noisy, total)
        };
        let variance = noise.coarse.variance() / (unit * unit);
        let levels = summed_up(self.group_counts(column, &bins, coarse, variance, unit)?);
        let masses = self.masses(column, &bins, &fine);
        let people: Vec<Vec<f64>> = self
            .people
            .iter()
            .map(|level| level.iter().map(|&people| people as f64).collect())
            .collect();
        let groups = shares(&levels, &people, |level, group, bin| {
            let mass = |level: usize, group: usize| {
                masses[level][group].as_ref().map_or(0.0, |mass| mass[bin])
            };
            let above = mass(level - 1, group / 2);
            if above > 0.0 {
                mass(level, group) / above
            } else {
                0.0
            }
        });
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
    ) -> Result<Level<GroupCounts>> {
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
            Ok(Some(GroupCounts {
                counts: counts.collect(),
                variance: variance * n_possible as f64,
            }))
        });
        let groups = groups.collect::<Result<Level<GroupCounts>>>()?;
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

    fn means(
        &self,
        column: usize,
        linear: &[usize],
        sums: &[i64],
        epsilon: &Rational,
    ) -> Result<ColumnModel> {
        let axis = numbers(self.mosaic, column);
        let groups = self.plan.level(self.depth.groups);
        if sums.len() != groups.iter().flatten().count() {
            return Err(unfit());
        }
        // Sums of places, and the variance of their noise, of the groups and of all above them.
        let mut given = sums.iter();
        let mut noisy: Level<GroupCounts> = Vec::new();
        for (group, &people) in groups.iter().zip(&self.people[self.depth.groups]) {
            let Some(group) = group else {
                noisy.push(None);
                continue;
            };
            let (first, last) = place_range(axis, group, column);
            let middle = f64::from(first).midpoint(f64::from(last));
            let sum = given.next().map_or(0.0, |&sum| sum as f64 / 2.0);
            let scale = scale(self.mosaic, linear, group, epsilon)?;
            noisy.push(Some(GroupCounts {
                counts: vec![people as f64 * middle + sum],
                variance: scale.map_or(0.0, |scale| place_variance(axis, &scale)),
            }));
        }
        let levels = summed_up(noisy);
        let mut above: Level<f64> = vec![Some(f64::from(axis.interval.last()) / 2.0)];
        for (level, groups) in levels.iter().enumerate() {
            above = groups
                .iter()
                .enumerate()
                .map(|(number, group)| {
                    let own = group.as_ref()?;
                    let cell = self.plan.level(level)[number].as_ref()?;
                    let (first, last) = place_range(axis, cell, column);
                    let clip = |place: f64| place.clamp(first.into(), last.into());
                    let people = self.people[level][number] as f64;
                    let expected = above[if level == 0 { 0 } else { number / 2 }]
                        .map_or_else(|| f64::from(first).midpoint(f64::from(last)), clip);
                    let difference = own.counts[0] - people * expected;
                    if people <= 0.0 || difference == 0.0 {
                        return Some(expected);
                    }
                    let believed = (1.0 - own.variance / (difference * difference)).max(0.0);
                    Some(clip(expected + believed * difference / people))
                })
                .collect();
        }
        Ok(ColumnModel::Means(above))
    }

    /// The first cut after which nothing changes for a column: what is said of a cell is said of all cells that agree
    /// on the cuts before.
    pub(super) fn settled_after(&self, column: usize) -> usize {
        let last = self
            .plan
            .cuts()
            .iter()
            .rposition(|cut| cut.column == column);
        self.depth.groups.max(last.map_or(0, |last| last + 1))
    }

    /// How a column spreads in a cell.
    pub(super) fn spread(&self, column: usize, cell: usize) -> CellSpread {
        let n_cuts = self.plan.cuts().len();
        let group = cell >> (n_cuts - self.depth.groups);
        match &self.columns[column] {
            ColumnModel::Means(groups) => CellSpread::Mean(groups[group].unwrap_or(0.0)),
            ColumnModel::Shares {
                bins, fine, groups, ..
            } => {
                let (Some(own), Some(in_group)) =
                    (&groups[group], &self.plan.level(self.depth.groups)[group])
                else {
                    return CellSpread::Shares(Vec::new());
                };
                let region = &in_group.regions[column];
                let shares = unfolded(own, bins, fine, region);
                CellSpread::Shares(self.restricted_to_cell(column, cell, shares))
            }
        }
    }

    /// The range of places of a column of numbers that is possible in a cell.
    pub(super) fn places(&self, column: usize, cell: usize) -> (Place, Place) {
        let axis = numbers(self.mosaic, column);
        let whole = (0, axis.interval.last());
        let cell = self.plan.cells()[cell].as_ref();
        cell.map_or(whole, |cell| place_range(axis, cell, column))
    }

    /// The shares of sizes of a column of sets.
    pub(super) fn sizes(&self, column: usize) -> &[f64] {
        match &self.columns[column] {
            ColumnModel::Shares { sizes, .. } => sizes,
            ColumnModel::Means(_) => &[],
        }
    }

    /// What the cuts after those of the groups say about a column.
    fn restricted_to_cell(
        &self,
        column: usize,
        cell: usize,
        mut shares: Vec<(Atom, f64)>,
    ) -> Vec<(Atom, f64)> {
        let cuts = self.plan.cuts();
        let is_set = matches!(self.mosaic.axes[column], Axis::Sets(_));
        for (number, cut) in cuts.iter().enumerate().skip(self.depth.groups) {
            if cut.column != column {
                continue;
            }
            let child = cell >> (cuts.len() - number - 1);
            let passes = child % 2 == 1;
            let atoms = cut.atoms();
            if is_set && passes {
                let [parent, child] =
                    [(number, child / 2), (number + 1, child)].map(|(l, c)| self.people[l][c]);
                shares = with_item(shares, &atoms, parent as f64 / child.max(1) as f64);
            } else {
                shares.retain(|(atom, _)| atoms.contains(atom) == passes);
            }
        }
        let Some(own) = &self.plan.cells()[cell] else {
            return Vec::new();
        };
        let region: &Region = &own.regions[column];
        shares.retain(|&(atom, _)| region.allows(atom));
        let sum: f64 = shares.iter().map(|(_, share)| share).sum();
        if sum > 0.0 {
            shares
                .iter()
                .map(|(atom, share)| (*atom, share / sum))
                .collect()
        } else {
            let n_atoms = region.atoms().count() as f64;
            region.atoms().map(|atom| (atom, 1.0 / n_atoms)).collect()
        }
    }
}

/// What every value has before anybody is seen with it, in people.
const UNSEEN: f64 = 0.001;

/// Shares of atoms from shares of bins.
fn unfolded(groups: &[f64], bins: &Bins, fine: &[f64], region: &Region) -> Vec<(Atom, f64)> {
    let mut mass = vec![0.0; bins.len()];
    let mut n_atoms = vec![0.0; bins.len()];
    for atom in region.atoms() {
        mass[bins.of(atom)] += fine[atom as usize];
        n_atoms[bins.of(atom)] += 1.0;
    }
    region
        .atoms()
        .filter_map(|atom| {
            let bin = bins.of(atom);
            let within = if mass[bin] > 0.0 {
                fine[atom as usize] / mass[bin]
            } else {
                1.0 / n_atoms[bin]
            };
            let share = groups[bin] * within;
            (share > 0.0).then_some((atom, share))
        })
        .collect()
}

/// Shares of items among the sets that have one of these: all such sets came here from a cell `times` as large, and
/// brought all these items with them.
fn with_item(
    shares: Vec<(Atom, f64)>,
    atoms: &std::ops::Range<Atom>,
    times: f64,
) -> Vec<(Atom, f64)> {
    let inside: f64 = shares
        .iter()
        .filter(|(atom, _)| atoms.contains(atom))
        .map(|(_, share)| share)
        .sum();
    let (least, most) = PRESENT_SHARE;
    if inside <= 0.0 || inside >= 1.0 {
        return shares;
    }
    let wanted = (inside * times).clamp(least, most);
    shares
        .into_iter()
        .map(|(atom, share)| {
            if atoms.contains(&atom) {
                (atom, share / inside * wanted)
            } else {
                (atom, share / (1.0 - inside) * (1.0 - wanted))
            }
        })
        .collect()
}

/// The people of every cell of every level, whole numbers that add up.
fn people(plan: &Plan, outputs: &Outputs) -> Result<Vec<Vec<u64>>> {
    let noisy: Vec<f64> = if plan.cuts().is_empty() {
        vec![outputs.people as f64]
    } else {
        outputs.cells.iter().map(|&count| count as f64).collect()
    };
    let possible = plan.cells().iter().flatten().count();
    if noisy.len() != possible {
        return Err(unfit());
    }
    let total = noisy.iter().sum::<f64>().max(1.0);
    let mut whole =
        apportioned(&project(&noisy, total), (total as u64).min(MOST_PEOPLE)).into_iter();
    let cells = plan.cells().iter();
    let mut levels: Vec<Vec<u64>> = vec![
        cells
            .map(|cell| cell.as_ref().and_then(|_| whole.next()).unwrap_or(0))
            .collect(),
    ];
    while levels[0].len() > 1 {
        let above = levels[0].chunks(2).map(|halves| halves.iter().sum());
        levels.insert(0, above.collect());
    }
    Ok(levels)
}

/// Refuses outputs that were not measured for these columns.
fn check_fit(mosaic: &Mosaic, outputs: &Outputs) -> Result<Depth> {
    let depth = mosaic.depth(outputs.people);
    let are_tests = outputs.cuts.iter().all(|cut| {
        let tests = mosaic.tests.get(cut.column);
        tests.is_some_and(|tests| tests.iter().any(|test| test.atoms == cut.atoms()))
    });
    if outputs.columns.len() != mosaic.axes.len() || outputs.cuts.len() > depth.cells || !are_tests
    {
        return Err(unfit());
    }
    Ok(Depth {
        groups: depth.groups.min(outputs.cuts.len()),
        ..depth
    })
}

fn unfit() -> Error {
    Error::spec("these outputs were measured for other columns or another ε")
}
