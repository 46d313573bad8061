//! The linear block: sums of numbers within groups, for tables of numbers.
//!
//! A group's mean of a column is all that a clustering wants of it, and a sum has one noisy number where a histogram
//! has sixteen. The range [a, b] of a column that is possible in a group is public, so a person adds 2x − (a + b), at
//! most b − a in size, x moved into the range first.
//!
//! # Privacy
//! Let h be the width b − a over twice the column's last place: how far a person moves the sum, as a share of the
//! column's bounds. All columns of a group get noise of the same scale s in these shares: s·2g in half steps of the
//! grid, g the last place. Removing a person changes the likelihood of the group's sums by a factor of at most
//! exp(Σ h/s), the sum over the columns, which is exp(ε) for s = Σh/ε. A person is in one group only, so scales may
//! differ from group to group. In units of Σh this is one vector of L1 sensitivity 1 with noise of scale 1/ε, and so it
//! is charged.

use super::axis::{Axis, NumberAxis};
use super::noise::{as_float, fraction, into_i64};
use super::params::Mosaic;
use super::region::{Cell, Plan};
use super::rows::{cells_of_rows, weight_of};
use crate::error::Result;
use crate::privacy::budget::{AddRemove, Charge, Mechanism, Positive, Question, Rational};
use crate::privacy::noise::{DiscreteLaplace, PrivateRandom};
use crate::table::{Place, Table, with_codes};

/// Per cent of a column's part for its histogram over the whole table, which rows take their shape from.
const MARGINAL: u32 = 15;

/// The columns whose sums are measured: all that cannot be missing, of a table of numbers that is cut.
pub(super) fn linear_columns(mosaic: &Mosaic) -> Vec<usize> {
    if !mosaic.is_cut || !mosaic.is_numeric() {
        return Vec::new();
    }
    let columns = mosaic.axes.iter().enumerate();
    columns
        .filter(|(_, axis)| matches!(axis, Axis::Numbers(numbers) if !numbers.may_be_missing))
        .map(|(column, _)| column)
        .collect()
}

/// How the block's part of ε is divided.
#[derive(Debug)]
pub(super) struct LinearParts {
    /// For the histogram of each column over the whole table; 0 for columns outside the block.
    pub(super) marginal: Vec<Rational>,
    /// For the sums of all columns together.
    pub(super) sums: Rational,
}

impl LinearParts {
    /// `column_parts` is the part of every column, also of those outside the block.
    pub(super) fn new(linear: &[usize], column_parts: &[Rational]) -> Result<Self> {
        let share = |per_cent: u32| Rational::new(per_cent, 100_u32);
        let (marginal, sums) = (share(MARGINAL)?, share(100 - MARGINAL)?);
        let block: Rational = linear.iter().map(|&column| &column_parts[column]).sum();
        Ok(Self {
            marginal: (0..column_parts.len())
                .map(|column| {
                    if linear.contains(&column) {
                        column_parts[column].clone() * marginal.clone()
                    } else {
                        Rational::ZERO
                    }
                })
                .collect(),
            sums: block * sums,
        })
    }
}

/// The range of places of a column that is possible in a cell.
pub(super) fn place_range(axis: &NumberAxis, cell: &Cell, column: usize) -> (Place, Place) {
    let n_bins = axis.n_bins() as u32;
    let mut bins = cell.regions[column].atoms().filter(|&atom| atom < n_bins);
    let Some(first) = bins.next() else {
        return (0, axis.interval.last());
    };
    let last = bins.last().unwrap_or(first);
    (
        axis.places(first).start as Place,
        (axis.places(last).end - 1) as Place,
    )
}

/// The scale of a group's noise, as a share of each column's bounds; nothing where every column has a single place.
pub(super) fn scale(
    mosaic: &Mosaic,
    columns: &[usize],
    group: &Cell,
    epsilon: &Rational,
) -> Result<Option<Positive>> {
    let widths = columns
        .iter()
        .map(|&column| {
            let axis = numbers(mosaic, column);
            let (first, last) = place_range(axis, group, column);
            Rational::new(last - first, 2 * u64::from(axis.interval.last()))
        })
        .collect::<Result<Vec<Rational>>>()?;
    let all: Rational = widths.iter().sum();
    let scale = all.over(&Positive::try_from(epsilon.clone())?);
    Ok(Positive::try_from(scale).ok())
}

/// The variance of a mean place from a sum with this noise, times the square of the number of people.
pub(super) fn place_variance(axis: &NumberAxis, scale: &Positive) -> f64 {
    let places = as_float(scale.value()) * f64::from(axis.interval.last());
    2.0 * places * places
}

pub(super) fn numbers(mosaic: &Mosaic, column: usize) -> &NumberAxis {
    match &mosaic.axes[column] {
        Axis::Numbers(numbers) => numbers,
        _ => unreachable!("only numbers have sums"),
    }
}

/// The sums of the linear columns within groups.
pub(super) struct MeasureSums<'a> {
    mosaic: &'a Mosaic,
    columns: &'a [usize],
    plan: &'a Plan,
    n_group_cuts: usize,
    /// For each group that can hold somebody and each column, the noise; nothing where there is one place only.
    noise: Vec<Vec<Option<DiscreteLaplace>>>,
    cost: Mechanism,
    random: &'a mut PrivateRandom,
}

impl<'a> MeasureSums<'a> {
    pub(super) fn new(
        mosaic: &'a Mosaic,
        columns: &'a [usize],
        plan: &'a Plan,
        n_group_cuts: usize,
        epsilon: &Rational,
        random: &'a mut PrivateRandom,
    ) -> Result<Self> {
        let groups = plan.level(n_group_cuts).iter().flatten();
        let noise = groups
            .map(|group| {
                let Some(scale) = scale(mosaic, columns, group, epsilon)? else {
                    return Ok(columns.iter().map(|_| None).collect());
                };
                columns
                    .iter()
                    .map(|&column| {
                        let half_steps = 2 * u64::from(numbers(mosaic, column).interval.last());
                        let scale = scale.value().clone() * Rational::from(half_steps);
                        DiscreteLaplace::with_scale(&fraction(&scale)?).map(Some)
                    })
                    .collect()
            })
            .collect::<Result<Vec<Vec<Option<DiscreteLaplace>>>>>()?;
        let epsilon = Positive::try_from(epsilon.clone())?;
        Ok(Self {
            mosaic,
            columns,
            plan,
            n_group_cuts,
            noise,
            cost: Mechanism::DiscreteLaplace {
                l1_sensitivity: Rational::ONE,
                scale: Rational::ONE.over(&epsilon).try_into()?,
            },
            random,
        })
    }
}

impl Question for MeasureSums<'_> {
    type Relation = AddRemove;
    /// The sums of each of the columns.
    type Answer = Vec<Vec<i64>>;

    fn what(&self) -> String {
        let names = self.columns.iter().map(|&column| {
            let name = &self.mosaic.fields[column].name;
            format!("`{name}`")
        });
        format!(
            "sums of {} within groups, in units of what one person can move them",
            names.collect::<Vec<String>>().join(", ")
        )
    }

    fn charge(&self) -> Charge<AddRemove> {
        Charge::of(self.cost.clone())
    }

    fn answer(self, rows: &Table) -> Vec<Vec<i64>> {
        let groups = cells_of_rows(
            rows,
            &self.mosaic.axes,
            &self.plan.cuts()[..self.n_group_cuts],
        );
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(number, &column)| {
                let exact = sums(
                    rows,
                    self.mosaic,
                    column,
                    self.plan.level(self.n_group_cuts),
                    &groups,
                );
                let noised = exact.into_iter().zip(&self.noise).map(|(sum, noise)| {
                    noise[number]
                        .as_ref()
                        .map_or(0, |noise| into_i64(noise.add_to(sum, self.random)))
                });
                noised.collect()
            })
            .collect()
    }
}

/// For each group that can hold somebody, the exact sum of 2x − (a + b).
pub(super) fn sums(
    table: &Table,
    mosaic: &Mosaic,
    column: usize,
    cells: &[Option<Cell>],
    groups: &[u16],
) -> Vec<i128> {
    let axis = numbers(mosaic, column);
    let ranges: Vec<Option<(Place, Place)>> = cells
        .iter()
        .map(|cell| Some(place_range(axis, cell.as_ref()?, column)))
        .collect();
    let mut sums = vec![0_i128; cells.len()];
    let weight_of = weight_of(table);
    with_codes!(table.columns()[column].codes(), codes => {
        for (row, (&code, &group)) in codes.iter().zip(groups).enumerate() {
            if let Some((first, last)) = ranges[usize::from(group)] {
                let place = u32::from(code).clamp(first, last);
                let distance = 2 * i128::from(place) - i128::from(first) - i128::from(last);
                sums[usize::from(group)] += i128::from(weight_of(row)) * distance;
            }
        }
    });
    let possible = sums.into_iter().zip(cells);
    possible
        .filter(|(_, cell)| cell.is_some())
        .map(|(sum, _)| sum)
        .collect()
}
