//! Mosaic: a private table that clusters like the raw one.
//!
//! Generalised cells alone place people badly: a cell lies in the middle of all that it covers, far from where its
//! people are. So there are few cells here, chosen privately, and most of the budget goes into noisy histograms of
//! every column within groups of cells. What comes out is a table of cells with weights and, drawn from them, synthetic
//! rows at full resolution. Nothing but ε has to be set.
//!
//! # The method
//! 1. *How many people* there are, which decides how often to cut: ½·log₂(people · ε / 6d), rounded, cuts
//!    separate groups, and there are five cuts and one more than that at least (`params`). In a table of numbers all
//!    cuts separate groups, and there is one more of them.
//! 2. *Cuts.* All cells are cut by the same test, again and again: "at least 37", "under this node", "some item under
//!    this node", "missing". A test is drawn by how much it takes off the spread of its column (`cuts`, `score`).
//! 3. *How many people are in each cell* (`counts`), made whole numbers that add up (`project`).
//! 4. *How each column spreads* in each group (`histograms`, `bins`): groups are the cells after the first cuts.
//!    Columns with more bins get more of ε (`allotment`). Every group is drawn towards the one it was cut from
//!    (`shrink`). Numbers of a table that has nothing else are summed up instead (`sums`), and take their shape from a
//!    histogram of the whole table (`marginal`).
//! 5. *Cells* lie where their group's histograms, restricted to what is possible in the cell, say (`model`,
//!    `cells`); *rows* are drawn from the same (`synthetic`).
//!
//! # Privacy
//! **Claim.** `measure` is ε-differentially private under adding or removing a person, one row being one person
//! ([`SealedTable`] sees to that). Public are the columns with their domains and weights, ε, and every constant here.
//! The number of rows is private.
//!
//! | step | why | a test that fails if it is not so |
//! |---|---|---|
//! | people, 2 % of ε | a person moves the count by 1; how often to cut is a function of the noisy count | `one_person_moves_one_cell_by_one`, `the_number_of_cuts_follows_from_noisy_people_and_epsilon` |
//! | cuts, 30 % | scores are whole numbers; one person moves a score by at most its column's weight W, so two scores at most 2W apart | `one_person_moves_scores_by_no_more_than_their_weight_and_twice_that_apart`, `scores_agree_with_the_definition_cut_after_cut` |
//! | | candidates follow from the domains and from earlier draws | `candidates_do_not_depend_on_the_rows` |
//! | cells, 8 % | cells do not overlap; all that can hold somebody get noise; the others are empty for every table | `one_person_moves_one_cell_by_one`, `every_row_is_possible_where_it_falls` |
//! | columns, 60 % | groups do not overlap; a row adds one unit to its group's histogram, a set of s items at most s·⌊Q/s⌋ ≤ Q; bins left out are 0 for every table | `one_person_moves_the_histograms_of_a_column_by_one_unit` |
//! | | bins of a wide column are chosen from its noisy histogram over all values, which is paid for by itself | the same, with bins of any histogram |
//! | | sums: a person moves one group's sums, each by at most the width of its range | `one_person_moves_the_sums_of_a_group_by_its_widths` |
//! | | which column gets how much of it follows from domains and weights | `the_account_names_every_step`, of a table without rows |
//! | sum | the parts are exact fractions and add up to ε; columns are about the same people, so they share their part | `the_account_is_exactly_the_budget` |
//! | publication | a function of the outputs and of public knowledge; the seed of synthetic rows is drawn without a look at the rows | `a_replayed_release_is_the_same` |
//! | never a failure | whether there is a release tells nothing: any rows get one | `any_table_gets_a_release` |
//! | all of it | whole measurements of neighbours, ten thousand times | `a_mixed_release_stays_under_its_claim`, `a_release_of_numbers_stays_under_its_claim` |
//!
//! Settings can be chosen by a private score, which is an argument of its own: see `tuning`.
//!
//! No float touches a private value: scores are floors of exact fractions, counts and sums are integers, noise is exact.
//! What is computed in floating point works on noisy numbers. Under replacing a person everything costs twice. No number
//! of clusters, no labels and no clustering of raw rows take part.

mod allotment;
mod axis;
mod bins;
mod cells;
mod counts;
mod cuts;
mod histograms;
mod marginal;
mod model;
mod noise;
mod outputs;
mod owner;
mod params;
mod project;
mod region;
mod rows;
mod score;
mod shrink;
mod sums;
mod synthetic;
mod synthetic_sets;
#[cfg(test)]
mod tests;
mod tuning;
mod words;

use counts::{CountCells, CountPeople};
use cuts::ChooseCuts;
use histograms::MeasureHistograms;
use marginal::MeasureMarginal;
use model::Model;
use region::Plan;
use sums::{LinearParts, MeasureSums, linear_columns};

pub use cells::Cells;
pub use outputs::{ColumnOutputs, Cut, Outputs};
pub use params::Mosaic;
pub use tuning::{TunedMosaic, TunedOutputs};

use super::private::PrivateMethod;
use crate::error::Result;
use crate::privacy::budget::{AddRemove, Purse, SealedTable};
use crate::privacy::noise::{PrivateRandom, uniform_below};
use crate::table::Table;

/// What leaves the owner.
#[derive(Debug, Clone, PartialEq)]
pub struct Publication {
    /// The cells, with the people in each and how they spread.
    pub cells: Cells,
    /// Synthetic rows, in the schema of the raw table.
    pub rows: Table,
}

impl PrivateMethod for Mosaic {
    type Outputs = Outputs;
    type Publication = Publication;

    fn measure(
        &self,
        table: &SealedTable<'_>,
        purse: &mut Purse<AddRemove>,
        random: &mut PrivateRandom,
    ) -> Result<Outputs> {
        let parts = self.parts();
        let people = table.ask(CountPeople::new(&parts.people, random)?, purse)?;
        let depth = self.depth(people);
        let cuts = if depth.cells == 0 {
            Vec::new()
        } else {
            let question = ChooseCuts::new(self, depth.cells, &parts.cuts, random)?;
            table.ask(question, purse)?
        };
        let plan = Plan::after(&self.axes, &cuts);
        let cells = if depth.cells == 0 {
            Vec::new()
        } else {
            table.ask(CountCells::new(self, &plan, &parts.cells, random)?, purse)?
        };
        let n_group_cuts = depth.groups.min(cuts.len());
        let columns = self.measure_columns(table, &plan, n_group_cuts, purse, random)?;
        let every_word = (u128::from(u64::MAX) + 1).try_into();
        let every_word = every_word.expect("there are words");
        Ok(Outputs {
            people,
            cuts,
            cells,
            columns,
            seed: uniform_below(every_word, random) as u64,
        })
    }

    fn publish(&self, outputs: &Outputs) -> Result<Publication> {
        let model = Model::new(self, outputs)?;
        let n_rows = self.n_rows.unwrap_or(model.total());
        Ok(Publication {
            cells: Cells::new(&model),
            rows: synthetic::rows(&model, n_rows, outputs.seed),
        })
    }
}

impl Mosaic {
    fn measure_columns(
        &self,
        table: &SealedTable<'_>,
        plan: &Plan,
        n_group_cuts: usize,
        purse: &mut Purse<AddRemove>,
        random: &mut PrivateRandom,
    ) -> Result<Vec<ColumnOutputs>> {
        let column_parts = self.column_parts();
        let linear = linear_columns(self);
        let parts = LinearParts::new(&linear, &column_parts)?;
        let mut sums = if linear.is_empty() {
            Vec::new()
        } else {
            let question =
                MeasureSums::new(self, &linear, plan, n_group_cuts, &parts.sums, random)?;
            table.ask(question, purse)?
        }
        .into_iter();
        (0..self.axes.len())
            .map(|column| {
                if linear.contains(&column) {
                    let question =
                        MeasureMarginal::new(self, column, &parts.marginal[column], random)?;
                    return Ok(ColumnOutputs::Sums {
                        fine: table.ask(question, purse)?,
                        groups: sums.next().expect("a linear column has its sums"),
                    });
                }
                let part = &column_parts[column];
                let question =
                    MeasureHistograms::new(self, column, plan, n_group_cuts, part, random)?;
                table.ask(question, purse)
            })
            .collect()
    }

    /// The cells alone, where no rows are wanted.
    ///
    /// # Errors
    /// Outputs that were measured for other columns.
    pub fn cells(&self, outputs: &Outputs) -> Result<Cells> {
        Ok(Cells::new(&Model::new(self, outputs)?))
    }
}
