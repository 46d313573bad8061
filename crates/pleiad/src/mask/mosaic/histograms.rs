//! Histograms of one column: of all people over its values, and of each group over coarse bins.
//!
//! # Privacy
//! A row adds [`ITEM_UNIT`] to the histogram of the whole table, in the one bin of its value, or ⌊Q/s⌋ in the bin of
//! each of its s items, which is at most Q in all; and the same to the histogram of the one group that it is in. So one
//! person moves either by at most Q, all moves added. Bins that are impossible in a group are 0 for every table, so
//! nothing is lost by leaving them out; all others get noise. A set also counts once in the histogram of sizes. The
//! three histograms are about the same people: their costs add up, as do those of all columns.

use super::axis::{Atom, Axis};
use super::bins::{Bins, is_wide};
use super::noise::Noise;
use super::outputs::ColumnOutputs;
use super::params::Mosaic;
use super::region::Plan;
use super::rows::{cells_of_rows, sets, weight_of};
use super::score::{ITEM_UNIT, item_share};
use crate::error::Result;
use crate::privacy::budget::{AddRemove, Charge, Question, Rational};
use crate::privacy::noise::PrivateRandom;
use crate::table::{Table, with_codes};

/// Per cent of a column's part for the histogram over all values, where it has many.
const FINE: u32 = 30;
/// Per cent of a column's part for the sizes of its sets.
const SIZES: u32 = 5;

/// The first size of each bin of sizes.
pub(super) const SIZE_STARTS: [usize; 8] = [1, 2, 3, 4, 5, 7, 10, 15];

/// The noise of each of a column's histograms.
#[derive(Debug)]
pub(super) struct HistogramNoise {
    pub(super) fine: Option<Noise>,
    pub(super) coarse: Noise,
    pub(super) sizes: Option<Noise>,
}

impl HistogramNoise {
    /// The noise that makes it ε in all.
    pub(super) fn new(axis: &Axis, epsilon: &Rational) -> Result<Self> {
        let per_cent = |share: u32| Rational::new(share, 100_u32);
        let mut left = epsilon.clone();
        let mut take = |share: Rational, unit: u64| {
            let part = left.clone() * share;
            left = left
                .checked_sub(&part)
                .expect("a share of it is not more than it");
            Noise::new(unit, &part)
        };
        let sizes = match axis {
            Axis::Sets(_) => Some(take(per_cent(SIZES)?, 1)?),
            _ => None,
        };
        let unit = unit_of(axis);
        let fine = if is_wide(axis) {
            Some(take(per_cent(FINE)?, unit)?)
        } else {
            None
        };
        Ok(Self {
            fine,
            coarse: take(Rational::ONE, unit)?,
            sizes,
        })
    }

    fn charge(&self) -> Charge<AddRemove> {
        let others = self.sizes.iter().chain(&self.fine);
        others.fold(self.coarse.charge(), |charge, noise| {
            charge.then(noise.charge())
        })
    }
}

/// What a row adds to a histogram of its column, in all.
pub(super) fn unit_of(axis: &Axis) -> u64 {
    match axis {
        Axis::Sets(_) => ITEM_UNIT,
        Axis::Numbers(_) | Axis::Values(_) => 1,
    }
}

/// How a column spreads.
pub(super) struct MeasureHistograms<'a> {
    mosaic: &'a Mosaic,
    column: usize,
    plan: &'a Plan,
    n_group_cuts: usize,
    noise: HistogramNoise,
    random: &'a mut PrivateRandom,
}

impl<'a> MeasureHistograms<'a> {
    /// Groups are the cells after so many cuts.
    pub(super) fn new(
        mosaic: &'a Mosaic,
        column: usize,
        plan: &'a Plan,
        n_group_cuts: usize,
        epsilon: &Rational,
        random: &'a mut PrivateRandom,
    ) -> Result<Self> {
        Ok(Self {
            noise: HistogramNoise::new(&mosaic.axes[column], epsilon)?,
            mosaic,
            column,
            plan,
            n_group_cuts,
            random,
        })
    }
}

impl Question for MeasureHistograms<'_> {
    type Relation = AddRemove;
    type Answer = ColumnOutputs;

    fn what(&self) -> String {
        format!("how `{}` spreads", self.mosaic.fields[self.column].name)
    }

    fn charge(&self) -> Charge<AddRemove> {
        self.noise.charge()
    }

    fn answer(self, rows: &Table) -> ColumnOutputs {
        let groups = cells_of_rows(
            rows,
            &self.mosaic.axes,
            &self.plan.cuts()[..self.n_group_cuts],
        );
        let axis = &self.mosaic.axes[self.column];
        let n_groups = self.plan.level(self.n_group_cuts).len();
        let random = self.random;
        let mut noised = |noise: Option<&Noise>, counts: &[u128]| -> Vec<i64> {
            let Some(noise) = noise else {
                return Vec::new();
            };
            let counts = counts.iter();
            counts.map(|&count| noise.add_to(count, random)).collect()
        };
        let whole = WholeTable::new(rows, self.column, axis);
        let sizes = noised(self.noise.sizes.as_ref(), &whole.sizes);
        let fine = noised(self.noise.fine.as_ref(), &whole.fine);
        // Bins may depend on the noisy histogram: that is an answer already paid for.
        let bins = Bins::new(axis, &fine);
        let exact = coarse(rows, self.column, axis, &bins, &groups, n_groups);
        let groups = self.plan.level(self.n_group_cuts).iter();
        let coarse = groups
            .zip(exact.chunks(bins.len()))
            .filter_map(|(group, counts)| {
                let region = &group.as_ref()?.regions[self.column];
                let possible = bins.possible(region);
                let counts: Vec<u128> = counts
                    .iter()
                    .zip(possible)
                    .filter(|(_, possible)| *possible)
                    .map(|(&count, _)| count)
                    .collect();
                Some(noised(Some(&self.noise.coarse), &counts))
            })
            .collect();
        ColumnOutputs::Histograms {
            fine,
            coarse,
            sizes,
        }
    }
}

/// The exact histograms of all people.
pub(super) struct WholeTable {
    /// Over all values.
    pub(super) fine: Vec<u128>,
    /// Over the sizes of sets.
    pub(super) sizes: Vec<u128>,
}

impl WholeTable {
    pub(super) fn new(table: &Table, column: usize, axis: &Axis) -> Self {
        let mut fine = vec![0; axis.n_atoms()];
        let mut sizes = vec![0; SIZE_STARTS.len()];
        for_each_amount(table, column, axis, |_, atom, amount| {
            fine[atom as usize] += amount;
        });
        if let Axis::Sets(_) = axis {
            let loners = axis.loners();
            let weight_of = weight_of(table);
            let sets = sets(&table.columns()[column]);
            let codes = table.columns()[column].codes();
            for (row, code) in codes.iter().enumerate() {
                let items = sets.items(code);
                if !items.iter().any(|item| loners.contains(item)) {
                    sizes[size_bin(items.len())] += u128::from(weight_of(row));
                }
            }
        }
        Self { fine, sizes }
    }
}

/// The exact histograms of the groups over bins, group after group.
pub(super) fn coarse(
    table: &Table,
    column: usize,
    axis: &Axis,
    bins: &Bins,
    groups: &[u16],
    n_groups: usize,
) -> Vec<u128> {
    let mut coarse = vec![0; n_groups * bins.len()];
    for_each_amount(table, column, axis, |row, atom, amount| {
        coarse[usize::from(groups[row]) * bins.len() + bins.of(atom)] += amount;
    });
    coarse
}

/// Goes through what every row adds to which atom.
fn for_each_amount(
    table: &Table,
    column: usize,
    axis: &Axis,
    mut add: impl FnMut(usize, Atom, u128),
) {
    let weight_of = weight_of(table);
    let codes = table.columns()[column].codes();
    match axis {
        Axis::Numbers(numbers) => with_codes!(codes, codes => {
            for (row, &code) in codes.iter().enumerate() {
                add(row, numbers.atom(u32::from(code)), weight_of(row).into());
            }
        }),
        Axis::Values(_) => with_codes!(codes, codes => {
            for (row, &code) in codes.iter().enumerate() {
                add(row, u32::from(code), weight_of(row).into());
            }
        }),
        Axis::Sets(_) => {
            let sets = sets(&table.columns()[column]);
            for (row, code) in codes.iter().enumerate() {
                let items = sets.items(code);
                let amount = u128::from(weight_of(row)) * u128::from(item_share(items.len()));
                for &item in items {
                    add(row, item, amount);
                }
            }
        }
    }
}

/// The bin of a size.
fn size_bin(size: usize) -> usize {
    SIZE_STARTS
        .partition_point(|&start| start <= size)
        .saturating_sub(1)
}
