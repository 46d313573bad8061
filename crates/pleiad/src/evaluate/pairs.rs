//! Raw rows beside what they were published as: what loss and risk are measured on.

use rustc_hash::FxHashMap;

use crate::table::{Column, Table};

/// Raw rows and the masked rows that they became, in the same order and with the same columns.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'t> {
    /// The raw rows, which also say whom they are about.
    pub raw: &'t Table,
    /// What they were published as.
    pub masked: &'t Table,
    /// The columns by which somebody could be looked up.
    pub quasi: &'t [usize],
    /// Raw rows that were not published at all.
    pub dropped: u64,
}

/// The class of a row that tells nothing.
pub(super) const SUPPRESSED: u32 = u32::MAX;

/// Rows that look alike in the quasi-identifying columns.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    /// The class of each row, [`SUPPRESSED`] where there is none.
    pub(super) of_row: Vec<u32>,
    /// A row of each class.
    pub(super) first_row: Vec<u32>,
    /// Rows of each class.
    pub(super) rows: Vec<u64>,
    /// People of each class.
    pub(super) people: Vec<u64>,
    /// Which people are in which class, each once: pairs of person and class, sorted.
    pub(super) members: Vec<(u32, u32)>,
    pub(super) n_suppressed: u64,
}

/// Which codes of a column tell nothing.
pub(super) fn silent_codes(table: &Table, column: usize) -> Vec<bool> {
    match &table.columns()[column] {
        Column::Masked(_, dictionary) => {
            let domain = &table.fields()[column].domain;
            let values = dictionary.values().iter();
            values.map(|value| value.tells_nothing(domain)).collect()
        }
        Column::Numbers(_) | Column::Values(_) | Column::Sets(..) => Vec::new(),
    }
}

/// Whether each row tells nothing in any of these columns. Where no row tells anything, the columns were generalised, and
/// no row is suppressed.
pub fn suppressed_rows(masked: &Table, columns: &[usize]) -> Vec<bool> {
    let mut is_suppressed = vec![true; masked.n_rows()];
    for &column in columns {
        let silent = silent_codes(masked, column);
        if silent.contains(&true) {
            let codes = masked.columns()[column].codes().iter();
            for (is_suppressed, code) in is_suppressed.iter_mut().zip(codes) {
                *is_suppressed &= silent[code as usize];
            }
        } else {
            is_suppressed.fill(false);
        }
    }
    if is_suppressed.iter().all(|&is_suppressed| is_suppressed) {
        is_suppressed.fill(false);
    }
    is_suppressed
}

impl Classes {
    pub(super) fn of(pairs: &Pairs<'_>) -> Self {
        let masked = pairs.masked;
        let is_suppressed = suppressed_rows(masked, pairs.quasi);
        let group_of_row = groups(masked, pairs.quasi);
        let mut number: FxHashMap<u32, u32> = FxHashMap::default();
        let mut classes = Self {
            of_row: Vec::with_capacity(masked.n_rows()),
            first_row: Vec::new(),
            rows: Vec::new(),
            people: Vec::new(),
            members: Vec::with_capacity(masked.n_rows()),
            n_suppressed: 0,
        };
        let people = pairs.raw.people();
        for (row, (&group, &is_suppressed)) in group_of_row.iter().zip(&is_suppressed).enumerate() {
            if is_suppressed {
                classes.n_suppressed += 1;
                classes.of_row.push(SUPPRESSED);
                continue;
            }
            let next = classes.rows.len() as u32;
            let class = *number.entry(group).or_insert(next);
            if class == next {
                classes.rows.push(0);
                classes.first_row.push(row as u32);
            }
            classes.rows[class as usize] += 1;
            classes.of_row.push(class);
            let person = people.map_or(row as u32, |people| people.of_row[row]);
            classes.members.push((person, class));
        }
        // Without a column of persons there is nothing to find twice, and the pairs are in order.
        if people.is_some() {
            classes.members.sort_unstable();
            classes.members.dedup();
        }
        classes.people = vec![0; classes.rows.len()];
        for &(_, class) in &classes.members {
            classes.people[class as usize] += 1;
        }
        classes
    }

    /// Rows that are in a class.
    pub(super) fn n_rows(&self) -> u64 {
        self.rows.iter().sum()
    }
}

/// The group of each row among rows that are alike in these columns; without columns all are alike.
fn groups(table: &Table, columns: &[usize]) -> Vec<u32> {
    let fields = columns
        .iter()
        .map(|&column| table.fields()[column].clone())
        .collect();
    let kept = columns
        .iter()
        .map(|&column| table.columns()[column].clone())
        .collect();
    if columns.is_empty() {
        return vec![0; table.n_rows()];
    }
    Table::new(fields, kept, None).collapse().collapsed_row
}

#[cfg(test)]
pub(super) mod tests;
