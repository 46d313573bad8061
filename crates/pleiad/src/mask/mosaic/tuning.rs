//! Mosaic with its settings chosen by a private score.
//!
//! How finely a table should be cut depends on the table: the rule in `params` is a good guess for all. Whoever wants to
//! do better may not simply try and look; but a random number of runs may be tried, and the best one published.
//!
//! # Privacy
//! Every run draws a setting from a public list, measures with it, and scores what came out, all for ε/3. After each run
//! a coin that knows nothing of the table decides whether it was the last. The run with the best score is published;
//! the others, and how many there were, are forgotten. That is ε-differentially private (Liu & Talwar 2019, theorem
//! 3.2 with its threshold left out; Papernot & Steinke 2022, corollary 3 with η = 1: three times what a run costs).
//! The whole of it is one question to the table, paid before the first run.
//!
//! The score of a run is how far people are from the nearest cell that it would publish, with noise. A squared distance
//! is cut to a whole number from 0 to [`FULL_DISTANCE`], person by person and from public positions, so one person
//! moves the sum by no more than that, whatever floating point does.

use serde::{Deserialize, Serialize};

use super::noise::Noise;
use super::outputs::Outputs;
use super::params::Mosaic;
use super::{Cells, Publication};
use crate::cluster::{Encoding, Points, squared_distances};
use crate::error::Result;
use crate::mask::private::PrivateMethod;
use crate::privacy::budget::{
    AddRemove, Charge, Cost, Epsilon, Mechanism, Purse, Question, Rational, SealedTable,
};
use crate::privacy::noise::{PrivateRandom, uniform_below};
use crate::table::{Field, Table};

/// Cuts that separate groups, more or fewer than the rule says: the settings that are tried.
const SHIFTS: [i32; 3] = [-1, 0, 1];

/// One in so many coins ends the runs: so many runs there are on average.
const RUNS: u8 = 8;

/// Per cent of a run's ε for its score.
const SCORE: u32 = 5;

/// The largest squared distance, in the units of a score.
const FULL_DISTANCE: u64 = 1 << 20;

/// Mosaic with its settings chosen by a private score. What is in here is public.
#[derive(Debug, Clone, PartialEq)]
pub struct TunedMosaic {
    settings: Vec<Mosaic>,
    run: Rational,
    score: Rational,
}

/// What the best run measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedOutputs {
    /// The number of its setting.
    pub setting: usize,
    /// The answers that it got.
    pub outputs: Outputs,
}

impl TunedMosaic {
    /// A release of these columns with this ε for all runs together.
    ///
    /// # Errors
    /// What [`Mosaic::new`] refuses.
    pub fn new(fields: &[Field], epsilon: &Epsilon<AddRemove>) -> Result<Self> {
        let part = |amount: &Rational, above: u32, below: u32| {
            let share = Rational::new(above, below).expect("it is not divided by 0");
            amount.clone() * share
        };
        let run = part(epsilon.value(), 1, 3);
        let score = part(&run, SCORE, 100);
        let measures = Epsilon::new(part(&run, 100 - SCORE, 100));
        let settings = SHIFTS.map(|shift| Ok(Mosaic::new(fields, &measures)?.cut_deeper_by(shift)));
        Ok(Self {
            settings: settings.into_iter().collect::<Result<_>>()?,
            run,
            score,
        })
    }

    /// Another number of synthetic rows than the noisy number of people.
    #[must_use]
    pub fn synthetic_rows(mut self, n_rows: u64) -> Self {
        self.settings = self
            .settings
            .into_iter()
            .map(|setting| setting.synthetic_rows(n_rows))
            .collect();
        self
    }

    /// The setting that was chosen.
    pub fn chosen(&self, outputs: &TunedOutputs) -> &Mosaic {
        // Whatever a file says, there is a setting.
        &self.settings[outputs.setting % self.settings.len()]
    }
}

impl PrivateMethod for TunedMosaic {
    type Outputs = TunedOutputs;
    type Publication = Publication;

    fn measure(
        &self,
        table: &SealedTable<'_>,
        purse: &mut Purse<AddRemove>,
        random: &mut PrivateRandom,
    ) -> Result<TunedOutputs> {
        table.ask(
            BestRun {
                tuned: self,
                random,
            },
            purse,
        )?
    }

    fn publish(&self, outputs: &TunedOutputs) -> Result<Publication> {
        self.chosen(outputs).publish(&outputs.outputs)
    }
}

/// The run with the best score.
struct BestRun<'a> {
    tuned: &'a TunedMosaic,
    random: &'a mut PrivateRandom,
}

impl BestRun<'_> {
    /// One run: its score, and what it measured. Whether it fails does not depend on the rows.
    fn run(&mut self, rows: &SealedTable<'_>) -> Result<(i64, TunedOutputs)> {
        let mut purse = Purse::new(&Cost::Pure(Epsilon::new(self.tuned.run.clone())));
        let n_settings = self.tuned.settings.len() as u128;
        let n_settings = n_settings.try_into().expect("there are settings");
        let setting = uniform_below(n_settings, self.random) as usize;
        let method = &self.tuned.settings[setting];
        let outputs = method.measure(rows, &mut purse, self.random)?;
        let question = Score {
            cells: method.cells(&outputs)?,
            noise: Noise::new(FULL_DISTANCE, &self.tuned.score)?,
            random: self.random,
        };
        let score = rows.ask(question, &mut purse)?;
        Ok((score, TunedOutputs { setting, outputs }))
    }
}

impl Question for BestRun<'_> {
    type Relation = AddRemove;
    type Answer = Result<TunedOutputs>;

    fn what(&self) -> String {
        "the best of a random number of runs, by a private score".to_owned()
    }

    fn charge(&self) -> Charge<AddRemove> {
        Charge::of(Mechanism::PrivateSelection {
            run_epsilon: self.tuned.run.clone(),
        })
    }

    fn answer(mut self, rows: &Table) -> Result<TunedOutputs> {
        let rows = SealedTable::seal(rows);
        let (mut least, mut best) = self.run(&rows)?;
        let runs = u128::from(RUNS).try_into().expect("there are runs");
        while uniform_below(runs, self.random) != 0 {
            let (score, outputs) = self.run(&rows)?;
            if score < least {
                (least, best) = (score, outputs);
            }
        }
        Ok(best)
    }
}

/// How far people are from the nearest of some cells, all squared distances added. The less, the better.
struct Score<'a> {
    cells: Cells,
    noise: Noise,
    random: &'a mut PrivateRandom,
}

impl Question for Score<'_> {
    type Relation = AddRemove;
    type Answer = i64;

    fn what(&self) -> String {
        "how far people are from the nearest cell".to_owned()
    }

    fn charge(&self) -> Charge<AddRemove> {
        self.noise.charge()
    }

    fn answer(self, rows: &Table) -> i64 {
        let sum = far_from_cells(&self.cells, rows);
        self.noise.add_to(sum, self.random)
    }
}

/// The sum of what each row adds to a score: a whole number from 0 to [`FULL_DISTANCE`].
pub(super) fn far_from_cells(cells: &Cells, rows: &Table) -> u128 {
    if rows.n_rows() == 0 {
        return 0;
    }
    let points = Points::new(&cells.table, Encoding::Semantic);
    let space = points.space().clone();
    let points = points.with_spreads(&cells.table, &cells.spreads);
    let centres: Vec<Vec<f64>> = (0..points.n_rows())
        .map(|cell| points.position(cell))
        .collect();
    let rows = Points::in_space(rows, space);
    squared_distances(&rows, &centres)
        .into_iter()
        .enumerate()
        .map(|(row, distance)| {
            let units = (distance * FULL_DISTANCE as f64) as u128;
            units.min(FULL_DISTANCE.into()) * u128::from(rows.weight(row))
        })
        .sum()
}
