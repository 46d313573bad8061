//! What one column lost.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::ColumnLoss;
use crate::evaluate::pairs::{Classes, Pairs, SUPPRESSED, silent_codes};
use crate::table::{Codes, Column, Domain, MaskedValue};

/// Pairs of raw and masked codes up to which they are counted in a grid.
const LARGEST_GRID: usize = 1 << 20;

/// How often each raw code was published as each masked code.
struct Joint {
    /// Raw code, masked code, rows.
    cells: Vec<(u32, u32, u64)>,
    n_rows: u64,
}

impl Joint {
    fn count(raw: &Column, masked: &Column, classes: &Classes) -> Self {
        let (raw, masked) = (raw.codes(), masked.codes());
        let pairs = || {
            raw.iter()
                .zip(masked.iter())
                .zip(&classes.of_row)
                .filter(|(_, class)| **class != SUPPRESSED)
                .map(|(codes, _)| codes)
        };
        let width = |codes: &Codes| codes.iter().max().map_or(0, |most| most as usize + 1);
        let (n_raw, n_masked) = (width(raw), width(masked));
        let cells: Vec<(u32, u32, u64)> = if n_raw.saturating_mul(n_masked) <= LARGEST_GRID {
            let mut grid = vec![0_u64; n_raw * n_masked];
            for (raw, masked) in pairs() {
                grid[raw as usize * n_masked + masked as usize] += 1;
            }
            let places = grid.into_iter().enumerate();
            places
                .filter(|(_, rows)| *rows > 0)
                .map(|(at, rows)| ((at / n_masked) as u32, (at % n_masked) as u32, rows))
                .collect()
        } else {
            let mut counts: FxHashMap<(u32, u32), u64> = FxHashMap::default();
            for pair in pairs() {
                *counts.entry(pair).or_default() += 1;
            }
            let counts = counts.into_iter();
            counts
                .map(|((raw, masked), rows)| (raw, masked, rows))
                .collect()
        };
        let n_rows = cells.iter().map(|cell| cell.2).sum();
        Self { cells, n_rows }
    }

    /// Rows by one of the two codes.
    fn totals(&self, code: impl Fn(&(u32, u32, u64)) -> u32) -> FxHashMap<u32, u64> {
        let mut totals = FxHashMap::default();
        for cell in &self.cells {
            *totals.entry(code(cell)).or_default() += cell.2;
        }
        totals
    }
}

/// Σ c·log₂ c, summed by size so that the order of the counts is not seen in the last digit.
fn weighted_logs(counts: impl Iterator<Item = u64>) -> f64 {
    let mut times: BTreeMap<u64, u64> = BTreeMap::new();
    for count in counts {
        *times.entry(count).or_default() += 1;
    }
    times
        .into_iter()
        .map(|(count, times)| times as f64 * count as f64 * (count as f64).log2())
        .sum()
}

/// Measures a column on the rows that are in a class.
pub(super) fn column_loss(pairs: &Pairs<'_>, classes: &Classes, number: usize) -> ColumnLoss {
    let field = &pairs.raw.fields()[number];
    let domain = &field.domain;
    let (raw, masked) = (
        &pairs.raw.columns()[number],
        &pairs.masked.columns()[number],
    );
    let joint = Joint::count(raw, masked, classes);
    let before = joint.totals(|cell| cell.0);
    let after = joint.totals(|cell| cell.1);
    let values = match masked {
        Column::Masked(_, dictionary) => dictionary.values(),
        _ => &[],
    };
    let silent = silent_codes(pairs.masked, number);
    // By code, so that sums are taken in the same order whenever the dictionaries are the same.
    let mut by_code: Vec<(u32, u64)> = after.iter().map(|(&code, &rows)| (code, rows)).collect();
    by_code.sort_unstable();
    let (mut share, mut further, mut suppressed) = (0.0, 0.0, 0);
    for &(code, rows) in &by_code {
        if let Some(value) = values.get(code as usize) {
            let reach = value.reach(domain);
            share += reach.share * rows as f64;
            further += reach.further * rows as f64;
            suppressed += if silent[code as usize] { rows } else { 0 };
        }
    }
    let n_rows = joint.n_rows as f64;
    let logs = weighted_logs(before.values().copied());
    let raw_entropy = n_rows * n_rows.log2() - logs;
    let left_open = weighted_logs(after.values().copied())
        - weighted_logs(joint.cells.iter().map(|cell| cell.2));
    ColumnLoss {
        column: field.name.clone(),
        ncp: share / n_rows,
        granularity: 1.0 - further / n_rows,
        entropy: if before.len() <= 1 {
            1.0
        } else {
            (1.0 - left_open / raw_entropy).clamp(0.0, 1.0)
        },
        values_before: before.len() as u64,
        values_after: after.len() as u64,
        suppressed,
        contradicted: contradicted(&joint, domain, raw, masked),
        level: level(domain, values, &by_code),
    }
}

/// Rows whose published value cannot be the raw one.
fn contradicted(joint: &Joint, domain: &Domain, raw: &Column, masked: &Column) -> u64 {
    let agrees = |raw_code: u32, masked_code: u32| match (masked, raw.sets(), masked.sets()) {
        (Column::Masked(_, dictionary), ..) => {
            dictionary.values()[masked_code as usize].may_be(domain, raw.sets(), raw_code)
        }
        (_, Some(raw_sets), Some(sets)) => raw_sets.items(raw_code) == sets.items(masked_code),
        _ => raw_code == masked_code,
    };
    let cells = joint.cells.iter();
    cells
        .filter(|(raw, masked, _)| !agrees(*raw, *masked))
        .map(|(_, _, rows)| rows)
        .sum()
}

/// How far down the values of a column are, in words.
fn level(domain: &Domain, values: &[MaskedValue], by_code: &[(u32, u64)]) -> String {
    let used: Vec<&MaskedValue> = by_code
        .iter()
        .filter_map(|(code, _)| values.get(*code as usize))
        .collect();
    let told: Vec<&&MaskedValue> = used
        .iter()
        .filter(|value| !value.tells_nothing(domain))
        .collect();
    if used.is_empty() || told.iter().all(|value| value.is_exact(domain)) && !told.is_empty() {
        return match domain {
            Domain::Numbers { .. } => "exact".to_owned(),
            Domain::Values(_) | Domain::Sets { .. } => "leaf".to_owned(),
        };
    }
    if told.is_empty() {
        return "root".to_owned();
    }
    let Some(tree) = domain.tree() else {
        let intervals = told
            .iter()
            .filter(|value| !matches!(value, MaskedValue::Missing))
            .count();
        return match intervals {
            1 => "1 interval".to_owned(),
            several => format!("{several} intervals"),
        };
    };
    let taxonomy = &tree.taxonomy;
    if tree.is_star {
        let disclosed = told.iter().filter(|value| value.is_exact(domain)).count();
        return format!("{disclosed} of {} values", taxonomy.n_leaves());
    }
    let depths: Vec<u32> = told
        .iter()
        .flat_map(|value| value.nodes(tree))
        .filter(|&node| {
            taxonomy
                .leaf_of_node(node)
                .is_none_or(|leaf| Some(leaf) != taxonomy.missing())
        })
        .map(|node| taxonomy.depth(node))
        .collect();
    let (least, most) = (
        depths.iter().min().copied().unwrap_or(0),
        depths.iter().max().copied().unwrap_or(0),
    );
    if least == most {
        format!("{most} of {} levels", taxonomy.height())
    } else {
        format!("{least} to {most} of {} levels", taxonomy.height())
    }
}
