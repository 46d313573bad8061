//! What is left of columns and of what connects them in a table whose rows are not those of the raw one.
//!
//! Clusters are about all columns at once. A user of synthetic rows asks simpler things too: is each column spread as it
//! was, and do two columns still have to do with each other as they did?

use schemars::JsonSchema;
use serde::Serialize;

use crate::table::{Column, Domain, Field, Table};

/// Parts that a range of numbers falls into.
const PARTS: u32 = 16;

/// Nodes that words are told apart by, where a tree has a level with no more.
const MOST_NODES: usize = 50;

/// How far the spread of a column is from what it was.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ColumnDistance {
    /// The column.
    pub column: String,
    /// The share of people who would have to move: of words to any other word; of numbers as a share of the whole
    /// range that they would have to be moved by (earth mover's distance over the range). 0 is as it was.
    pub distance: f64,
}

/// How much two columns have to do with each other.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Association {
    /// The two columns.
    pub columns: [String; 2],
    /// Cramér's V in the raw table, corrected for chance (Bergsma 2013); 0 is nothing, 1 is everything.
    pub raw: f64,
    /// The same in the other table.
    pub released: f64,
}

/// For each column how far the spread of `other` is from that of `raw`; both have the same columns.
pub fn column_distances(raw: &Table, other: &Table) -> Vec<ColumnDistance> {
    let columns = raw.columns().iter().zip(other.columns());
    raw.fields()
        .iter()
        .zip(columns)
        .map(|(field, (raw, other))| ColumnDistance {
            column: field.name.clone(),
            distance: match &field.domain {
                Domain::Numbers { interval, .. } => {
                    distance_of_numbers(raw, other, interval.last())
                }
                Domain::Values(tree) | Domain::Sets { tree, .. } => {
                    let n_leaves = tree.taxonomy.n_leaves();
                    let [raw, other] = [raw, other].map(|column| leaf_shares(column, n_leaves));
                    let differences = raw.iter().zip(&other).map(|(a, b)| (a - b).abs());
                    differences.sum::<f64>() / 2.0
                }
            },
        })
        .collect()
}

/// For each pair of columns how much they have to do with each other in both tables.
pub fn associations(raw: &Table, other: &Table) -> Vec<Association> {
    let [of_raw, of_other] = [raw, other].map(Binned::all);
    let fields = raw.fields();
    let mut all = Vec::new();
    for first in 0..fields.len() {
        for second in first + 1..fields.len() {
            all.push(Association {
                columns: [first, second].map(|column| fields[column].name.clone()),
                raw: cramers_v(&of_raw[first], &of_raw[second]),
                released: cramers_v(&of_other[first], &of_other[second]),
            });
        }
    }
    all
}

/// The share of each leaf; an item counts for its part of the row.
fn leaf_shares(column: &Column, n_leaves: usize) -> Vec<f64> {
    let mut shares = vec![0.0; n_leaves];
    let n_rows = column.codes().len().max(1) as f64;
    for code in column.codes() {
        match column {
            Column::Sets(_, sets) => {
                let items = sets.items(code);
                for &item in items {
                    shares[item as usize] += 1.0 / (n_rows * items.len() as f64);
                }
            }
            _ => shares[code as usize] += 1.0 / n_rows,
        }
    }
    shares
}

/// The earth mover's distance as a share of the range; a missing number is as far from any other as the ends of the
/// range are from each other.
fn distance_of_numbers(raw: &Column, other: &Column, last: u32) -> f64 {
    let [(raw, raw_missing), (other, other_missing)] = [raw, other].map(|column| {
        let (mut present, missing): (Vec<u32>, Vec<u32>) =
            column.codes().iter().partition(|&place| place <= last);
        present.sort_unstable();
        let n_rows = column.codes().len().max(1) as f64;
        (present, missing.len() as f64 / n_rows)
    });
    let moved = (raw_missing - other_missing).abs();
    if raw.is_empty() || other.is_empty() {
        return moved;
    }
    // The area between the two distribution functions, from one place that somebody has to the next.
    let mut places: Vec<u32> = raw.iter().chain(&other).copied().collect();
    places.sort_unstable();
    places.dedup();
    let below = |sorted: &[u32], place: u32| {
        sorted.partition_point(|&other| other <= place) as f64 / sorted.len() as f64
    };
    let area: f64 = places
        .windows(2)
        .map(|pair| {
            let gap = (below(&raw, pair[0]) - below(&other, pair[0])).abs();
            gap * f64::from(pair[1] - pair[0])
        })
        .sum();
    moved + (1.0 - raw_missing.max(other_missing)) * area / f64::from(last.max(1))
}

/// A column with its values in bins: for each row the bins it is in, to equal parts.
struct Binned {
    n_bins: usize,
    /// Where each row's bins end.
    ends: Vec<usize>,
    bins: Vec<u32>,
}

impl Binned {
    fn all(table: &Table) -> Vec<Self> {
        let columns = table.fields().iter().zip(table.columns());
        columns
            .map(|(field, column)| Self::new(field, column))
            .collect()
    }

    fn new(field: &Field, column: &Column) -> Self {
        let (n_bins, bin_of): (usize, Box<dyn Fn(u32) -> u32>) = match &field.domain {
            Domain::Numbers { interval, .. } => {
                let n_places = u64::from(interval.last()) + 1;
                let n_parts = u64::from(PARTS).min(n_places);
                let bin = move |place: u32| (u64::from(place) * n_parts / n_places) as u32;
                // The place after the last is "missing", and falls into a bin of its own.
                (n_parts as usize + 1, Box::new(bin))
            }
            Domain::Values(tree) | Domain::Sets { tree, .. } => {
                let taxonomy = &tree.taxonomy;
                let nodes_at = |depth: u32| {
                    let leaves = 0..taxonomy.n_leaves() as u32;
                    let nodes = leaves.map(|leaf| {
                        let node = taxonomy.node_of_leaf(leaf);
                        taxonomy.ancestor_at_depth(node, depth.min(taxonomy.depth(node)))
                    });
                    nodes.collect::<Vec<u32>>()
                };
                let count = |nodes: &[u32]| {
                    let mut different = nodes.to_vec();
                    different.sort_unstable();
                    different.dedup();
                    different
                };
                let node_of_leaf = (1..=taxonomy.height())
                    .rev()
                    .map(nodes_at)
                    .find(|nodes| count(nodes).len() <= MOST_NODES)
                    .unwrap_or_else(|| nodes_at(1));
                let different = count(&node_of_leaf);
                let bins: Vec<u32> = node_of_leaf
                    .iter()
                    .map(|node| different.binary_search(node).unwrap_or(0) as u32)
                    .collect();
                (
                    different.len(),
                    Box::new(move |leaf: u32| bins[leaf as usize]),
                )
            }
        };
        let mut binned = Self {
            n_bins,
            ends: Vec::with_capacity(column.codes().len()),
            bins: Vec::with_capacity(column.codes().len()),
        };
        for code in column.codes() {
            match column {
                Column::Sets(_, sets) => {
                    let items = sets.items(code).iter();
                    binned.bins.extend(items.map(|&item| bin_of(item)));
                }
                _ => binned.bins.push(bin_of(code)),
            }
            binned.ends.push(binned.bins.len());
        }
        binned
    }

    fn of_row(&self, row: usize) -> &[u32] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bins[start..self.ends[row]]
    }
}

/// Cramér's V, corrected for chance: what two columns of noise have to do with each other is about 0, however many
/// values they have.
fn cramers_v(first: &Binned, second: &Binned) -> f64 {
    let n_rows = first.ends.len();
    let mut table = vec![0.0; first.n_bins * second.n_bins];
    for row in 0..n_rows {
        let (of_first, of_second) = (first.of_row(row), second.of_row(row));
        let part = 1.0 / (of_first.len() * of_second.len()) as f64;
        for &a in of_first {
            for &b in of_second {
                table[a as usize * second.n_bins + b as usize] += part;
            }
        }
    }
    v_of_counts(&table, second.n_bins, n_rows as f64)
}

fn v_of_counts(table: &[f64], n_columns: usize, n_rows: f64) -> f64 {
    let in_rows: Vec<f64> = table
        .chunks(n_columns)
        .map(|row| row.iter().sum())
        .collect();
    let in_columns: Vec<f64> = (0..n_columns)
        .map(|column| table.iter().skip(column).step_by(n_columns).sum())
        .collect();
    let used = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count() as f64;
    let (rows, columns) = (used(&in_rows), used(&in_columns));
    if rows < 2.0 || columns < 2.0 || n_rows < 2.0 {
        return 0.0;
    }
    let cells = table.iter().enumerate();
    let squared: f64 = cells
        .filter(|(_, count)| **count > 0.0)
        .map(|(cell, count)| {
            count * count / (in_rows[cell / n_columns] * in_columns[cell % n_columns])
        })
        .sum();
    let by_chance = (rows - 1.0) * (columns - 1.0) / (n_rows - 1.0);
    let phi_squared = (squared - 1.0 - by_chance).max(0.0);
    let corrected = |used: f64| used - (used - 1.0).powi(2) / (n_rows - 1.0);
    let most = (corrected(rows) - 1.0).min(corrected(columns) - 1.0);
    if most > 0.0 {
        (phi_squared / most).sqrt().min(1.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::spec::Spec;
    use crate::table::read_table;

    #[test]
    fn cramers_v_of_a_small_table_is_what_the_formula_gives_by_hand() {
        // Two by two, 40 rows: φ² = (20·10 − 5·5)² / (25·15·25·15) = 0.217778, by chance 1/39, corrected
        // (0.217778 − 0.025641) / (2 − 1/39 − 1) = 0.197193, whose root is 0.444064.
        let v = v_of_counts(&[20.0, 5.0, 5.0, 10.0], 2, 40.0);
        assert!((v - 0.444_064).abs() < 1e-6, "{v}");
        assert_eq!(v_of_counts(&[10.0, 10.0, 10.0, 10.0], 2, 40.0), 0.0);
        let whole = v_of_counts(&[20.0, 0.0, 0.0, 20.0], 2, 40.0);
        assert!((whole - 1.0).abs() < 1e-12, "{whole}");
        assert_eq!(v_of_counts(&[20.0, 20.0], 2, 40.0), 0.0);
    }

    fn table(spec: &str, csv: &str) -> Table {
        let folder = tempfile::tempdir().unwrap();
        let head = "[data]\npath = \"t.csv\"\n[cluster]\nclusters = 2\n[columns]\n";
        let path = folder.path().join("pleiad.toml");
        std::fs::write(folder.path().join("t.csv"), csv).unwrap();
        let spec = Spec::parse(&format!("{head}{spec}"), &path).unwrap();
        read_table(&spec.data_path, &spec.plan, &Silent)
            .unwrap()
            .table
    }

    const COLUMNS: &str = "x = { kind = \"numeric\", bounds = [0, 10], step = 1, may_be_missing = true }\n\
                           y = { kind = \"set\", values = [\"a\", \"b\", \"c\"] }\n";

    #[test]
    fn distances_of_columns_are_shares_of_people_who_would_have_to_move() {
        let raw = table(COLUMNS, "x,y\n0,a\n0,a;b\n10,b\n10,c\n");
        let same = column_distances(&raw, &raw);
        assert!(same.iter().all(|column| column.distance == 0.0));
        // Half of the people move by half of the range; a quarter goes from `c` to `a`.
        let other = table(COLUMNS, "x,y\n0,a\n5,a;b\n5,b\n10,a\n");
        let distances: Vec<f64> = column_distances(&raw, &other)
            .iter()
            .map(|column| column.distance)
            .collect();
        assert!((distances[0] - 0.25).abs() < 1e-12, "{distances:?}");
        assert!((distances[1] - 0.25).abs() < 1e-12, "{distances:?}");
        // A number that is missing afterwards has moved by the whole range.
        let missing = table(COLUMNS, "x,y\n0,a\n,a;b\n10,b\n10,c\n");
        let distance = column_distances(&raw, &missing)[0].distance;
        // The others: a third instead of a half is at 0, which moves a sixth of three quarters.
        assert!((distance - (0.25 + 0.75 / 6.0)).abs() < 1e-12, "{distance}");
    }

    #[test]
    fn what_columns_have_to_do_with_each_other_is_seen_and_lost() {
        let together: String = (0..100).map(|row| ["0,a\n", "10,b;c\n"][row % 2]).collect();
        let apart: String = (0..100)
            .map(|row| ["0,a\n", "10,a\n", "0,b;c\n", "10,b;c\n"][row % 4])
            .collect();
        let [raw, other] = [together, apart].map(|rows| table(COLUMNS, &format!("x,y\n{rows}")));
        let [pair] = &associations(&raw, &other)[..] else {
            panic!("one pair");
        };
        assert_eq!(pair.columns, ["x".to_owned(), "y".to_owned()]);
        assert!(pair.raw > 0.99 && pair.released < 0.01, "{pair:?}");
    }
}
