//! What the outputs say: how many people are in each cell, and how each column spreads there. Everything that is
//! published is made from this, and this from noisy numbers and public knowledge.

mod means;
mod shares;

use std::ops::Range;

use super::axis::{Atom, Axis};
use super::bins::Bins;
use super::marginal::moved;
use super::outputs::{ColumnOutputs, Outputs};
use super::params::{Depth, Mosaic};
use super::project::{apportioned, project};
use super::region::{Plan, Region};
use super::shrink::Level;
use super::sums::{linear_columns, numbers};
use crate::error::{Error, Result};

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
    Means {
        /// How all people spread over the bins.
        whole: Vec<f64>,
        /// For each group the mean place.
        groups: Level<f64>,
    },
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
        let column_parts = mosaic.column_parts();
        let linear = linear_columns(mosaic);
        for (column, (outputs, part)) in outputs.columns.iter().zip(&column_parts).enumerate() {
            let fitted = match outputs {
                ColumnOutputs::Histograms {
                    fine,
                    coarse,
                    sizes,
                } if !linear.contains(&column) => {
                    model.shares(column, [fine, sizes], coarse, part)?
                }
                ColumnOutputs::Sums { fine, groups } if linear.contains(&column) => {
                    model.means(column, &linear, fine, groups, &column_parts)?
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
            ColumnModel::Means { groups, .. } => CellSpread::Mean(groups[group].unwrap_or(0.0)),
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

    /// How the rows of a cell spread over the atoms of a column.
    pub(super) fn shares_of_rows(&self, column: usize, cell: usize) -> Vec<(Atom, f64)> {
        match (self.spread(column, cell), &self.columns[column]) {
            (CellSpread::Shares(shares), _) => shares,
            (CellSpread::Mean(mean), ColumnModel::Means { whole, .. }) => {
                let axis = numbers(self.mosaic, column);
                let own = self.plan.cells()[cell].as_ref();
                own.map_or_else(Vec::new, |own| {
                    moved(axis, whole, &own.regions[column], mean)
                })
            }
            (CellSpread::Mean(_), ColumnModel::Shares { .. }) => {
                unreachable!("only means have a mean")
            }
        }
    }

    /// The shares of sizes of a column of sets.
    pub(super) fn sizes(&self, column: usize) -> &[f64] {
        match &self.columns[column] {
            ColumnModel::Shares { sizes, .. } => sizes,
            ColumnModel::Means { .. } => &[],
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
        for atoms in region.present() {
            shares = with_some(shares, atoms, region);
        }
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
fn with_item(shares: Vec<(Atom, f64)>, atoms: &Range<Atom>, times: f64) -> Vec<(Atom, f64)> {
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

/// Shares of items among sets of which each has one of these, though none of them has been seen.
fn with_some(
    mut shares: Vec<(Atom, f64)>,
    atoms: &Range<Atom>,
    region: &Region,
) -> Vec<(Atom, f64)> {
    if shares.iter().any(|(atom, _)| atoms.contains(atom)) {
        return shares;
    }
    let even = PRESENT_SHARE.0 / f64::from(region.count(atoms));
    for (_, share) in &mut shares {
        *share *= 1.0 - PRESENT_SHARE.0;
    }
    let possible = atoms.clone().filter(|&atom| region.allows(atom));
    shares.extend(possible.map(|atom| (atom, even)));
    shares.sort_by_key(|&(atom, _)| atom);
    shares
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
