//! Which columns tell most about the clusters: a help in choosing quasi-identifiers (the paper's "Top N").

use super::gain::{ClassCounts, information_gain};
use crate::table::{Column, Domain, Node, SetDictionary, Table, Taxonomy};

/// A column and what it tells about the clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedColumn {
    /// The column, by its number in the table.
    pub column: usize,
    /// Bits that knowing it tells about a row's cluster: all values of a categorical column apart, the best single cut
    /// of a numeric one, the best single question "some item under this node?" of a set.
    pub gain: f64,
}

/// The columns by falling information about the labels, the first of equals first.
pub fn rank_columns(table: &Table, labels: &[u32]) -> Vec<RankedColumn> {
    let n_classes = labels.iter().max().map_or(1, |&label| label as usize + 1);
    let mut ranked: Vec<RankedColumn> = table
        .columns()
        .iter()
        .enumerate()
        .map(|(number, column)| {
            let codes: Vec<u32> = column.codes().iter().collect();
            let gain = match (column, &table.fields()[number].domain) {
                (Column::Numbers(_), _) => {
                    let mut present = codes.clone();
                    present.sort_unstable();
                    present.dedup();
                    let ranks: Vec<u32> = codes
                        .iter()
                        .map(|&place| present.partition_point(|&other| other < place) as u32)
                        .collect();
                    best_cut(&ClassCounts::of_rows(
                        &ranks,
                        labels,
                        present.len(),
                        n_classes,
                    ))
                }
                (Column::Sets(_, sets), Domain::Sets { tree, .. }) => {
                    let counts = ClassCounts::of_rows(&codes, labels, sets.len(), n_classes);
                    best_question(&counts, sets, &tree.taxonomy)
                }
                _ => {
                    let n_values = codes.iter().max().map_or(1, |&code| code as usize + 1);
                    let counts = ClassCounts::of_rows(&codes, labels, n_values, n_classes);
                    let whole = total(&counts, |_| true);
                    information_gain(&whole, (0..n_values).map(|value| counts.of(value)))
                }
            };
            RankedColumn {
                column: number,
                gain,
            }
        })
        .collect();
    ranked.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.column.cmp(&b.column)));
    ranked
}

/// The rows of some values, by class.
fn total(counts: &ClassCounts, is_in: impl Fn(usize) -> bool) -> Vec<u64> {
    let mut sum = ClassCounts::zero(1, counts.n_classes());
    for value in (0..counts.n_values()).filter(|&value| is_in(value)) {
        sum.add(0, counts.of(value));
    }
    sum.of(0).to_vec()
}

fn gain_of_parting(whole: &[u64], part: &[u64]) -> f64 {
    let others: Vec<u64> = whole.iter().zip(part).map(|(all, own)| all - own).collect();
    information_gain(whole, [part, &others].into_iter())
}

/// The gain of the best cut between two neighbouring values.
fn best_cut(counts: &ClassCounts) -> f64 {
    let whole = total(counts, |_| true);
    let mut left = vec![0; counts.n_classes()];
    let mut best: f64 = 0.0;
    for value in 0..counts.n_values().saturating_sub(1) {
        for (left, moved) in left.iter_mut().zip(counts.of(value)) {
            *left += moved;
        }
        best = best.max(gain_of_parting(&whole, &left));
    }
    best
}

/// The gain of the best question "some item under this node?".
fn best_question(counts: &ClassCounts, sets: &SetDictionary, taxonomy: &Taxonomy) -> f64 {
    let whole = total(counts, |_| true);
    let mut having = ClassCounts::zero(taxonomy.n_nodes(), counts.n_classes());
    for (set, items) in sets.iter().enumerate() {
        let mut nodes: Vec<Node> = items
            .iter()
            .flat_map(|&item| taxonomy.path(taxonomy.node_of_leaf(item)))
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            having.add(node as usize, counts.of(set));
        }
    }
    (0..taxonomy.n_nodes())
        .map(|node| gain_of_parting(&whole, having.of(node)))
        .fold(0.0, f64::max)
}
