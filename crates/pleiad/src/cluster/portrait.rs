//! Clusters in the words of the columns: mean, most frequent value, typical set.

use super::points::Points;
use super::sums::Sums;
use crate::table::{Column, Domain, Field, Leaf, Node, Table, Tree};

/// Values of a column that a portrait names, at most.
const MOST_VALUES: usize = 3;

/// An item is typical of a cluster if at least this share of its rows have it.
const TYPICAL_SHARE: f64 = 0.25;

/// What a cluster looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Portrait {
    /// Rows in the cluster.
    pub n_rows: u64,
    /// Their share of all rows.
    pub share: f64,
    /// Column by column.
    pub columns: Vec<ColumnPortrait>,
}

/// What a cluster looks like along one column.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnPortrait {
    /// Numbers and dates.
    Mean {
        /// The mean of the rows that have a number, in the column's unit; nothing if none has.
        mean: Option<f64>,
        /// How the mean is written.
        text: String,
        /// Share of rows without a number.
        missing: f64,
        /// How far the mean lies from that of the whole table, as a share of the range.
        shift: f64,
    },
    /// One value: the most frequent ones, the first of all first.
    Most(Vec<ValueShare>),
    /// Sets: the items that at least a quarter of the rows have, or the most frequent one.
    Typical(Vec<ValueShare>),
}

/// A value and how frequent it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueShare {
    /// The value as it is written in a file; `(missing)` for none.
    pub value: String,
    /// Share of the cluster's rows that have it.
    pub share: f64,
    /// The same in the whole table.
    pub share_overall: f64,
}

/// A portrait of every cluster. The points are those of the table's own cells: where positions are told by group, what is
/// counted would be groups, not values.
pub fn portraits(
    table: &Table,
    points: &Points<'_>,
    labels: &[u32],
    n_clusters: usize,
) -> Vec<Portrait> {
    let sums = Sums::of_labels(points, labels, n_clusters);
    let whole = Sums::of_labels(points, &vec![0; labels.len()], 1);
    let item_counts = ItemCounts::of_labels(table, points, labels, n_clusters);
    let total = whole.weight(0) as f64;
    (0..sums.n_clusters())
        .map(|cluster| Portrait {
            n_rows: sums.weight(cluster) as u64,
            share: sums.weight(cluster) as f64 / total,
            columns: table
                .fields()
                .iter()
                .zip(table.columns())
                .enumerate()
                .map(|(number, (field, column))| match (column, &field.domain) {
                    (Column::Numbers(_), Domain::Numbers { .. }) => {
                        mean_of(field, &sums, &whole, cluster, number)
                    }
                    (_, Domain::Sets { .. }) => item_counts.typical(cluster, number, &sums, &whole),
                    _ => most_of(
                        &sums.shares(points, cluster, number),
                        &whole.shares(points, 0, number),
                        &texts_of(column, &field.domain),
                    ),
                })
                .collect(),
        })
        .collect()
}

fn mean_of(
    field: &Field,
    sums: &Sums,
    whole: &Sums,
    cluster: usize,
    number: usize,
) -> ColumnPortrait {
    let Domain::Numbers { interval, .. } = &field.domain else {
        unreachable!("only numbers have a mean");
    };
    let mean_place = |sums: &Sums, cluster: usize| {
        let slots = sums.column(cluster, number);
        let present = sums.weight(cluster) - slots[1];
        (present > 0).then(|| slots[0] as f64 / present as f64)
    };
    let place = mean_place(sums, cluster);
    let mean = place.map(|place| interval.low() + place * interval.step());
    let overall = mean_place(whole, 0);
    let weight = sums.weight(cluster).max(1) as f64;
    ColumnPortrait::Mean {
        mean,
        text: mean.map_or_else(|| "(missing)".to_owned(), |mean| interval.mean_text(mean)),
        missing: sums.column(cluster, number)[1] as f64 / weight,
        shift: match (place, overall) {
            (Some(place), Some(overall)) => (place - overall) / f64::from(interval.last()),
            _ => 0.0,
        },
    }
}

/// The text of each code of a column with one value a row. Two masked values may share one: a portrait is not read back.
fn texts_of(column: &Column, domain: &Domain) -> Vec<String> {
    match (column, domain) {
        (Column::Masked(_, dictionary), _) => dictionary
            .values()
            .iter()
            .map(|value| value.text(domain))
            .collect(),
        (_, Domain::Values(tree)) => leaf_labels(tree),
        _ => unreachable!("numbers have a mean, sets have items"),
    }
}

fn leaf_labels(tree: &Tree) -> Vec<String> {
    let leaves = 0..tree.taxonomy.n_leaves() as Leaf;
    leaves
        .map(|leaf| tree.taxonomy.leaf_label(leaf).to_owned())
        .collect()
}

fn most_of(shares: &[f64], overall: &[f64], texts: &[String]) -> ColumnPortrait {
    ColumnPortrait::Most(ranked(shares, overall, texts).take(MOST_VALUES).collect())
}

/// Values by falling share, the first of equals first.
fn ranked<'a>(
    shares: &'a [f64],
    overall: &'a [f64],
    texts: &'a [String],
) -> impl Iterator<Item = ValueShare> + 'a {
    let mut order: Vec<usize> = (0..shares.len()).filter(|&at| shares[at] > 0.0).collect();
    order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]).then(a.cmp(&b)));
    order.into_iter().map(|at| ValueShare {
        value: match texts[at].as_str() {
            "" => "(missing)".to_owned(),
            text => text.to_owned(),
        },
        share: shares[at],
        share_overall: overall[at],
    })
}

/// How many rows of each cluster have each item of each set column: leaves of raw sets, nodes of masked ones.
struct ItemCounts {
    columns: Vec<Option<ItemsOfColumn>>,
}

struct ItemsOfColumn {
    texts: Vec<String>,
    /// Counts per cluster and item; the last "cluster" is the whole table.
    counts: Vec<Vec<u64>>,
}

impl ItemCounts {
    fn of_labels(table: &Table, points: &Points<'_>, labels: &[u32], n_clusters: usize) -> Self {
        let columns = table
            .fields()
            .iter()
            .zip(table.columns())
            .map(|(field, column)| {
                let Domain::Sets { tree, .. } = &field.domain else {
                    return None;
                };
                let (texts, items_of_code): (Vec<String>, Vec<Vec<u32>>) = match column {
                    Column::Sets(_, sets) => (
                        leaf_labels(tree),
                        sets.iter().map(<[Leaf]>::to_vec).collect(),
                    ),
                    Column::Masked(_, dictionary) => {
                        let nodes = 0..tree.taxonomy.n_nodes() as Node;
                        let labels = nodes
                            .map(|node| tree.taxonomy.label(node).to_owned())
                            .collect();
                        let values = dictionary.values().iter();
                        (labels, values.map(|value| value.nodes(tree)).collect())
                    }
                    _ => unreachable!("a table keeps columns and domains of one kind together"),
                };
                let mut counts = vec![vec![0_u64; texts.len()]; n_clusters + 1];
                for (row, code) in column.codes().iter().enumerate() {
                    let weight = u64::from(points.weight(row));
                    for &item in &items_of_code[code as usize] {
                        counts[labels[row] as usize][item as usize] += weight;
                        counts[n_clusters][item as usize] += weight;
                    }
                }
                Some(ItemsOfColumn { texts, counts })
            })
            .collect();
        Self { columns }
    }

    fn typical(&self, cluster: usize, number: usize, sums: &Sums, whole: &Sums) -> ColumnPortrait {
        let Some(column) = &self.columns[number] else {
            unreachable!("only set columns have typical sets");
        };
        let shares = |counts: &[u64], total: i64| -> Vec<f64> {
            counts
                .iter()
                .map(|&count| count as f64 / total.max(1) as f64)
                .collect()
        };
        let own = shares(&column.counts[cluster], sums.weight(cluster));
        let overall = shares(&column.counts[column.counts.len() - 1], whole.weight(0));
        let typical = ranked(&own, &overall, &column.texts)
            .enumerate()
            .take_while(|(rank, item)| *rank == 0 || item.share >= TYPICAL_SHARE)
            .map(|(_, item)| item)
            .collect();
        ColumnPortrait::Typical(typical)
    }
}
