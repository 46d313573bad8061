//! How many people there are, in all and in each cell.
//!
//! # Privacy
//! One person is one row and moves the number of rows by 1. Cells do not overlap and follow from public tests, so one
//! person moves one of their counts, by 1. Every cell that can hold somebody gets noise, also those that hold nobody;
//! the others are empty for every table.

use super::noise::Noise;
use super::params::Mosaic;
use super::region::Plan;
use super::rows::{cells_of_rows, weight_of};
use crate::error::Result;
use crate::privacy::budget::{AddRemove, Charge, Question, Rational};
use crate::privacy::noise::PrivateRandom;
use crate::table::Table;

/// How many people there are.
pub(super) struct CountPeople<'a> {
    noise: Noise,
    random: &'a mut PrivateRandom,
}

impl<'a> CountPeople<'a> {
    pub(super) fn new(epsilon: &Rational, random: &'a mut PrivateRandom) -> Result<Self> {
        Ok(Self {
            noise: Noise::new(1, epsilon)?,
            random,
        })
    }
}

impl Question for CountPeople<'_> {
    type Relation = AddRemove;
    type Answer = i64;

    fn what(&self) -> String {
        "how many people there are".to_owned()
    }

    fn charge(&self) -> Charge<AddRemove> {
        self.noise.charge()
    }

    fn answer(self, rows: &Table) -> i64 {
        let weight_of = weight_of(rows);
        let people = (0..rows.n_rows())
            .map(|row| u128::from(weight_of(row)))
            .sum();
        self.noise.add_to(people, self.random)
    }
}

/// How many people are in each cell.
pub(super) struct CountCells<'a> {
    mosaic: &'a Mosaic,
    plan: &'a Plan,
    noise: Noise,
    random: &'a mut PrivateRandom,
}

impl<'a> CountCells<'a> {
    pub(super) fn new(
        mosaic: &'a Mosaic,
        plan: &'a Plan,
        epsilon: &Rational,
        random: &'a mut PrivateRandom,
    ) -> Result<Self> {
        Ok(Self {
            mosaic,
            plan,
            noise: Noise::new(1, epsilon)?,
            random,
        })
    }
}

impl Question for CountCells<'_> {
    type Relation = AddRemove;
    type Answer = Vec<i64>;

    fn what(&self) -> String {
        "how many people are in each cell".to_owned()
    }

    fn charge(&self) -> Charge<AddRemove> {
        self.noise.charge()
    }

    fn answer(self, rows: &Table) -> Vec<i64> {
        let people = people_of_cells(self.mosaic, self.plan, rows);
        people
            .into_iter()
            .map(|people| self.noise.add_to(people, self.random))
            .collect()
    }
}

/// The exact number of people in each cell that can hold somebody.
pub(super) fn people_of_cells(mosaic: &Mosaic, plan: &Plan, rows: &Table) -> Vec<u128> {
    let mut people = vec![0_u128; plan.cells().len()];
    let weight_of = weight_of(rows);
    let cells = cells_of_rows(rows, &mosaic.axes, plan.cuts());
    for (row, &cell) in cells.iter().enumerate() {
        people[usize::from(cell)] += u128::from(weight_of(row));
    }
    let cells = plan.cells().iter().zip(people);
    cells
        .filter(|(cell, _)| cell.is_some())
        .map(|(_, people)| people)
        .collect()
}
