//! From raw rows to atoms and cells. Nothing here leaves a question without noise.

use super::axis::{Atom, Axis};
use super::outputs::Cut;
use crate::table::{Codes, Column, SetDictionary, Table, with_codes};

/// The cell of each row: its answers to the tests, the first in the highest bit.
pub(super) fn cells_of_rows(table: &Table, axes: &[Axis], cuts: &[Cut]) -> Vec<u16> {
    let mut cells = vec![0; table.n_rows()];
    for cut in cuts {
        split(&mut cells, table, axes, cut);
    }
    cells
}

/// Adds the answer to one more test.
pub(super) fn split(cells: &mut [u16], table: &Table, axes: &[Axis], cut: &Cut) {
    let column = &table.columns()[cut.column];
    let atoms = cut.atoms();
    match &axes[cut.column] {
        Axis::Numbers(numbers) => {
            // Bins are ranges of places, so the test is one on places; "missing" is the place after the last.
            let n_bins = numbers.n_bins() as Atom;
            let last = numbers.interval.last();
            let first = if atoms.start == n_bins {
                last + 1
            } else {
                numbers.starts[atoms.start as usize]
            };
            let end = if atoms.end > n_bins || !numbers.may_be_missing {
                u32::MAX
            } else {
                last
            };
            append(cells, column.codes(), |code| (first..=end).contains(&code));
        }
        Axis::Values(_) => append(cells, column.codes(), |code| atoms.contains(&code)),
        Axis::Sets(_) => {
            let passes: Vec<bool> = sets(column)
                .iter()
                .map(|items| items.iter().any(|item| atoms.contains(item)))
                .collect();
            append(cells, column.codes(), |code| passes[code as usize]);
        }
    }
}

fn append(cells: &mut [u16], codes: &Codes, passes: impl Fn(u32) -> bool) {
    with_codes!(codes, codes => {
        for (cell, &code) in cells.iter_mut().zip(codes) {
            *cell = *cell << 1 | u16::from(passes(u32::from(code)));
        }
    });
}

/// The different sets of a column of sets.
pub(super) fn sets(column: &Column) -> &SetDictionary {
    match column {
        Column::Sets(_, sets) => sets,
        _ => unreachable!("a table keeps columns and domains of one kind together"),
    }
}

/// How many people a row stands for.
pub(super) fn weight_of(table: &Table) -> impl Fn(usize) -> u64 + '_ {
    let weights = table.weights();
    move |row| weights.map_or(1, |weights| weights[row].into())
}
