//! The order of public rows: by their published values, so that it tells nothing of the raw file.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::error::Result;
use crate::table::{Column, Table};

/// The rows of a table sorted by their cells, column after column: numbers that are published as they are by size, a
/// missing one last, everything else by its text.
pub(super) fn published_order(table: &Table) -> Result<Vec<u32>> {
    let ranks = table
        .fields()
        .iter()
        .zip(table.columns())
        .map(|(field, column)| {
            let codes = column.codes();
            if let Column::Numbers(codes) = column {
                return Ok(codes.iter().collect());
            }
            let texts = column.writer(&field.domain)?.all_texts();
            let mut by_text: Vec<u32> = (0..texts.len() as u32).collect();
            by_text.sort_by(|&a, &b| texts[a as usize].cmp(&texts[b as usize]));
            let mut rank = vec![0_u32; texts.len()];
            for (at, &code) in by_text.iter().enumerate() {
                rank[code as usize] = at as u32;
            }
            Ok(codes.iter().map(|code| rank[code as usize]).collect())
        })
        .collect::<Result<Vec<Vec<u32>>>>()?;
    let mut rows: Vec<u32> = (0..table.n_rows() as u32).collect();
    // Rows that are published alike may stand in any order, which nobody can see.
    rows.par_sort_unstable_by(|&a, &b| {
        ranks
            .iter()
            .map(|ranks| ranks[a as usize].cmp(&ranks[b as usize]))
            .find(|ordering| ordering.is_ne())
            .unwrap_or(Ordering::Equal)
            .then(a.cmp(&b))
    });
    Ok(rows)
}
