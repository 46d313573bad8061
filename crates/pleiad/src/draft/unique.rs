//! How many people would be alone with their exact values: what a stranger who knows these could find.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::table::{Column, Table};

/// Columns among which pairs and triples are tried: those that leave the most people alone.
const MOST_TELLING: usize = 6;

/// Sets of columns of each size that are reported.
const REPORTED: usize = 3;

/// How many people are alone with their values of certain columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alone {
    /// Numbers of columns of the table.
    pub(super) columns: Vec<usize>,
    /// People with whom nobody shares these values.
    pub(super) people: u64,
}

/// Which rows agree on some columns.
struct Groups {
    of_row: Vec<u32>,
    n_groups: usize,
}

impl Groups {
    fn all(table: &Table) -> Self {
        Self {
            of_row: vec![0; table.n_rows()],
            n_groups: 1,
        }
    }

    /// The groups that remain when another column is known too.
    fn with(&self, table: &Table, column: usize) -> Self {
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let codes = table.columns()[column].codes().iter();
        let number = |(&group, code): (&u32, u32)| {
            let next = numbers.len() as u32;
            let key = u64::from(group) << 32 | u64::from(code);
            *numbers.entry(key).or_insert(next)
        };
        let of_row: Vec<u32> = self.of_row.iter().zip(codes).map(number).collect();
        Self {
            of_row,
            n_groups: numbers.len(),
        }
    }

    fn of(table: &Table, columns: &[usize]) -> Self {
        columns.iter().fold(Self::all(table), |groups, &column| {
            groups.with(table, column)
        })
    }

    /// People who have a group for themselves.
    fn n_alone(&self, table: &Table) -> u64 {
        const NOBODY: u32 = u32::MAX;
        const SEVERAL: u32 = u32::MAX - 1;
        let person = |row: usize| {
            table
                .people()
                .map_or(row as u32, |people| people.of_row[row])
        };
        let mut only = vec![NOBODY; self.n_groups];
        for (row, &group) in self.of_row.iter().enumerate() {
            let only = &mut only[group as usize];
            if *only == NOBODY {
                *only = person(row);
            } else if *only != person(row) {
                *only = SEVERAL;
            }
        }
        only.retain(|&person| person < SEVERAL);
        only.sort_unstable();
        only.dedup();
        only.len() as u64
    }
}

/// How many people are alone with their values of all these columns together.
pub(super) fn alone(table: &Table, columns: &[usize]) -> Alone {
    Alone {
        people: Groups::of(table, columns).n_alone(table),
        columns: columns.to_vec(),
    }
}

/// How many people each of these columns leaves alone, then the pairs and the triples that leave the most.
pub(super) fn most_telling(table: &Table, columns: &[usize]) -> Vec<Alone> {
    let count = |sets: Vec<Vec<usize>>| -> Vec<Alone> {
        let mut counted: Vec<Alone> = sets.par_iter().map(|set| alone(table, set)).collect();
        // Equal counts stay in the order of the columns.
        counted.sort_by_key(|alone| std::cmp::Reverse(alone.people));
        counted
    };
    let mut singles = count(columns.iter().map(|&column| vec![column]).collect());
    singles.truncate(MOST_TELLING);
    let mut telling: Vec<usize> = singles.iter().map(|single| single.columns[0]).collect();
    telling.sort_unstable();
    let extended = |sets: &[Alone]| -> Vec<Vec<usize>> {
        let mut larger: Vec<Vec<usize>> = Vec::new();
        for set in sets {
            for &column in telling
                .iter()
                .filter(|column| !set.columns.contains(column))
            {
                let mut columns = set.columns.clone();
                columns.push(column);
                columns.sort_unstable();
                if !larger.contains(&columns) {
                    larger.push(columns);
                }
            }
        }
        larger
    };
    let mut pairs = count(extended(&singles));
    pairs.truncate(REPORTED);
    let mut triples = count(extended(&pairs));
    triples.truncate(REPORTED);
    let mut found = singles;
    found.extend(pairs);
    found.extend(triples);
    found.retain(|alone| alone.people > 0 && alone.columns.len() < columns.len());
    found
}

/// Pairs of columns that say the same in other words: whoever knows one knows the other.
pub(super) fn same(table: &Table) -> Vec<(usize, usize)> {
    let all = Groups::all(table);
    let columns: Vec<usize> = (0..table.columns().len()).collect();
    let n_values: Vec<usize> = columns
        .par_iter()
        .map(|&column| all.with(table, column).n_groups)
        .collect();
    let pairs = columns
        .iter()
        .flat_map(|&b| columns[..b].iter().map(move |&a| (a, b)));
    // Two values are the same as two others too easily, and so are columns in which hardly a value recurs.
    let possible = pairs.filter(|&(a, b)| {
        n_values[a] == n_values[b] && n_values[a] > 2 && 2 * n_values[a] <= table.n_rows()
    });
    possible
        .filter(|&(a, b)| Groups::of(table, &[a, b]).n_groups == n_values[a])
        .collect()
}

/// Into how many groups of so many people a column could be cut, if it were the only one: each of its numbers or values
/// that enough rows have, and no more numbers than leave twice as many people in each.
pub(super) fn likely_groups(table: &Table, column: usize, anonymity: usize) -> usize {
    let groups = Groups::all(table).with(table, column);
    if let Column::Numbers(_) = table.columns()[column] {
        return groups.n_groups.min(table.n_rows() / (2 * anonymity));
    }
    let mut rows = vec![0_usize; groups.n_groups];
    for &group in &groups.of_row {
        rows[group as usize] += 1;
    }
    rows.iter().filter(|&&rows| rows >= anonymity).count()
}

/// How many different rows these columns have.
pub(super) fn n_different(table: &Table, columns: &[usize]) -> usize {
    Groups::of(table, columns).n_groups
}
