//! Mosaic: a private table that clusters like the raw one.

mod axis;
mod bins;
mod cells;
mod counts;
mod cuts;
mod histograms;
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

use counts::{CountCells, CountPeople};
use cuts::ChooseCuts;
use histograms::MeasureHistograms;
use model::Model;
use region::Plan;
use sums::{MeasureSums, linear_columns};

pub use cells::Cells;
pub use outputs::{ColumnOutputs, Cut, Outputs};
pub use params::Mosaic;

use super::private::PrivateMethod;
use crate::error::Result;
use crate::privacy::budget::{AddRemove, Positive, Purse, Rational, SealedTable};
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
        let n_columns = Positive::try_from(Rational::from(self.axes.len() as u64))?;
        let part = self.parts().spread.over(&n_columns);
        let linear = linear_columns(self);
        let mut sums = if linear.is_empty() {
            Vec::new()
        } else {
            let part = part.clone() * Rational::from(linear.len() as u64);
            let question = MeasureSums::new(self, &linear, plan, n_group_cuts, &part, random)?;
            table.ask(question, purse)?
        }
        .into_iter();
        (0..self.axes.len())
            .map(|column| {
                if linear.contains(&column) {
                    return Ok(sums.next().expect("a linear column has its sums"));
                }
                let question =
                    MeasureHistograms::new(self, column, plan, n_group_cuts, &part, random)?;
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
