//! Choosing the cuts: the same test in all cells, drawn by permute-and-flip with the scores of `score`.
//!
//! # Privacy
//! Neighbouring tables have the same candidates: tests are public, and whether one cuts a cell in two follows from the
//! regions, which follow from earlier draws. The scores of a list move at most twice the largest weight apart with one
//! person (`score`), so a draw with the factor ε′/(2W) costs ε′. Draws depend on each other and add up.

use rayon::prelude::*;

use super::axis::Test;
use super::noise::fraction;
use super::outputs::Cut;
use super::params::{FULL_WEIGHT, Mosaic};
use super::region::Plan;
use super::rows::split;
use super::score::Scorer;
use crate::error::Result;
use crate::privacy::budget::{AddRemove, Charge, Mechanism, Positive, Question, Rational};
use crate::privacy::noise::{Fraction, PrivateRandom, permute_and_flip};
use crate::table::Table;

/// Which tests to cut by.
pub(super) struct ChooseCuts<'a> {
    mosaic: &'a Mosaic,
    n_cuts: usize,
    draw: Mechanism,
    factor: Fraction,
    random: &'a mut PrivateRandom,
}

impl<'a> ChooseCuts<'a> {
    /// So many cuts, at least one, for ε in all.
    pub(super) fn new(
        mosaic: &'a Mosaic,
        n_cuts: usize,
        epsilon: &Rational,
        random: &'a mut PrivateRandom,
    ) -> Result<Self> {
        let range = Rational::from(2 * FULL_WEIGHT);
        let n_draws = Positive::try_from(Rational::from(n_cuts as u64))?;
        let factor = epsilon
            .over(&n_draws)
            .over(&Positive::try_from(range.clone())?);
        Ok(Self {
            mosaic,
            n_cuts,
            factor: fraction(&factor)?,
            draw: Mechanism::PermuteAndFlip { factor, range },
            random,
        })
    }
}

impl Question for ChooseCuts<'_> {
    type Relation = AddRemove;
    type Answer = Vec<Cut>;

    fn what(&self) -> String {
        "which tests cut the cells".to_owned()
    }

    fn charge(&self) -> Charge<AddRemove> {
        Charge::of(self.draw.clone()).times(self.n_cuts as u64)
    }

    fn answer(self, rows: &Table) -> Vec<Cut> {
        let mut search = Search::new(self.mosaic, rows);
        for _ in 0..self.n_cuts {
            let candidates = search.candidates();
            let scores = search.scores(&candidates);
            // Without candidates every cell is a single combination of values.
            let Some(chosen) = permute_and_flip(&scores.concat(), &self.factor, self.random) else {
                break;
            };
            search.cut(&candidates, chosen);
        }
        search.plan.cuts().to_vec()
    }
}

/// The state of the search: what is public about the cells, and where the rows are.
pub(super) struct Search<'a> {
    mosaic: &'a Mosaic,
    table: &'a Table,
    plan: Plan,
    cells: Vec<u16>,
    scorers: Vec<Scorer<'a>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(mosaic: &'a Mosaic, table: &'a Table) -> Self {
        Self {
            mosaic,
            table,
            plan: Plan::new(&mosaic.axes),
            cells: vec![0; table.n_rows()],
            scorers: (0..mosaic.axes.len())
                .into_par_iter()
                .map(|column| Scorer::new(mosaic, table, column))
                .collect(),
        }
    }

    /// For each column the tests that cut at least one cell in two.
    pub(super) fn candidates(&self) -> Vec<Vec<usize>> {
        let columns = self.mosaic.axes.iter().zip(&self.mosaic.tests).enumerate();
        columns
            .map(|(column, (axis, tests))| {
                let ranges = tests.iter().map(|test| &test.atoms);
                self.plan.cutting(axis, column, ranges)
            })
            .collect()
    }

    /// The scores of the candidates, column by column.
    pub(super) fn scores(&mut self, candidates: &[Vec<usize>]) -> Vec<Vec<i128>> {
        let n_cells = self.plan.cells().len();
        let cells = &self.cells;
        self.scorers
            .par_iter_mut()
            .zip(candidates)
            .map(|(scorer, tests)| scorer.scores(cells, n_cells, tests))
            .collect()
    }

    /// Cuts by one of the candidates, counted through all columns.
    pub(super) fn cut(&mut self, candidates: &[Vec<usize>], mut chosen: usize) {
        for (column, tests) in candidates.iter().enumerate() {
            if let Some(&test) = tests.get(chosen) {
                let Test { atoms, .. } = &self.mosaic.tests[column][test];
                let cut = Cut::new(column, atoms);
                split(&mut self.cells, self.table, &self.mosaic.axes, &cut);
                self.plan.cut(&self.mosaic.axes, cut);
                return;
            }
            chosen -= tests.len();
        }
    }
}
