//! For the owner alone: which published cell each raw row is in. Nothing here may leave the owner.

use super::cells::Cells;
use super::outputs::Outputs;
use super::params::Mosaic;
use super::rows::cells_of_rows;
use crate::table::Table;

impl Mosaic {
    /// For each row of the raw table the row of the published cells that it is in. A row of a cell that was published
    /// without anybody belongs to the cell that shares the most cuts with it, the larger one of equals.
    pub fn cell_of_rows(&self, raw: &Table, outputs: &Outputs, cells: &Cells) -> Vec<u32> {
        let weights = cells.table.weights().unwrap_or_default();
        let nearest = |number: usize| {
            let published = cells.numbers.iter().zip(weights).zip(0_u32..);
            published
                .min_by_key(|((other, weight), _)| {
                    // The higher the first bit that differs, the sooner they were cut apart.
                    let first_difference = usize::BITS - (*other ^ number).leading_zeros();
                    (first_difference, std::cmp::Reverse(**weight))
                })
                .map_or(0, |(_, row)| row)
        };
        let row_of: Vec<u32> = (0..1 << outputs.cuts.len()).map(nearest).collect();
        cells_of_rows(raw, &self.axes, &outputs.cuts)
            .into_iter()
            .map(|cell| row_of[usize::from(cell)])
            .collect()
    }
}
