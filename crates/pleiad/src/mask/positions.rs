//! Where a recipient may place generalised values: what a release discloses about the rows behind them.
//!
//! Where masked values are placed decides what the clusters look like. Each choice says more than the one before, and a
//! release states which was made.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::privacy::Requirement;
use crate::table::{
    Codes, Column, ColumnSpread, Domain, Field, Leaf, MaskedDictionary, MaskedValue, Node, Spread,
    Table, Tree, Unit,
};

pub use crate::spec::Positions;

/// What is disclosed about each column of a masked table; nothing for columns that were not masked.
pub fn spreads(
    raw: &Table,
    masked: &Table,
    requirement: &Requirement,
    positions: Positions,
) -> Vec<Option<ColumnSpread>> {
    let mut groups: FxHashMap<usize, Codes> = FxHashMap::default();
    (0..raw.columns().len())
        .map(|number| {
            let at_least = requirement.at_least_for(number)?;
            let rows = RawColumn::new(raw, number);
            match positions {
                Positions::Uniform => Some(rows.spread_evenly(&masked.columns()[number])),
                Positions::Table => {
                    Some(rows.spread_over_table(&masked.columns()[number], at_least))
                }
                Positions::Group => {
                    // The joint groups of several requirements may be smaller than either's: one speaks for a column.
                    let qid = requirement.speaker_for(number)?;
                    let codes = groups.entry(qid).or_insert_with(|| {
                        let columns = requirement.quasi_identifiers()[qid].columns();
                        group_of_rows(masked, columns)
                    });
                    Some(rows.spread_over_groups(codes, at_least))
                }
            }
        })
        .collect()
}

/// The number of each row's group: rows that look alike on these columns.
fn group_of_rows(masked: &Table, columns: &[usize]) -> Codes {
    let fields = columns
        .iter()
        .map(|&column| masked.fields()[column].clone())
        .collect();
    let columns = columns
        .iter()
        .map(|&column| masked.columns()[column].clone())
        .collect();
    let collapsed = Table::new(fields, columns, None).collapse();
    Codes::pack(collapsed.collapsed_row, collapsed.table.n_rows())
}

/// What a row counts for; an item of a set of s counts for an s-th of it. Every number up to 22 divides it, and whole
/// numbers add up to the same in any order: the order of the rows must not be seen in the last digit of a share.
const ROW_UNIT: u64 = 232_792_560;

/// How shares are told.
#[derive(Clone, Copy)]
enum Told {
    /// As they are: of a group, whose people they are common to.
    Exactly,
    /// Counted in steps of the threshold.
    InSteps,
}

/// The numbers behind one entry, by rows and by people with a number and without.
#[derive(Clone, Default)]
struct Numbers {
    sum: u64,
    rows_present: u64,
    rows_missing: u64,
    people_present: u64,
    people_missing: u64,
}

/// The raw rows of a column.
struct RawColumn<'t> {
    field: &'t Field,
    column: &'t Column,
    person_of_row: Option<&'t [u32]>,
}

impl<'t> RawColumn<'t> {
    fn new(raw: &'t Table, number: usize) -> Self {
        Self {
            field: &raw.fields()[number],
            column: &raw.columns()[number],
            person_of_row: raw.people().map(|people| &people.of_row[..]),
        }
    }

    /// What the masked values say by themselves.
    fn spread_evenly(&self, masked: &Column) -> ColumnSpread {
        let (codes, dictionary) = masked_parts(masked);
        if let Domain::Sets { tree, .. } = &self.field.domain {
            let even =
                |node: Node| Spread::even(&MaskedValue::under(tree, node), &self.field.domain);
            let nodes = published_nodes(dictionary, tree).into_iter();
            return ColumnSpread::Nodes(
                nodes
                    .map(|node| match even(node) {
                        Spread::Leaves(shares) => (node, shares),
                        Spread::Numbers { .. } => unreachable!("a node has leaves"),
                    })
                    .collect(),
            );
        }
        let even = |value| Spread::even(value, &self.field.domain);
        ColumnSpread::Entries {
            codes: codes.clone(),
            entries: dictionary.values().iter().map(even).collect(),
        }
    }

    fn spread_over_groups(&self, groups: &Codes, at_least: u32) -> ColumnSpread {
        let n_groups = groups.iter().max().map_or(0, |most| most as usize + 1);
        let entries = match (&self.field.domain, self.column) {
            (Domain::Numbers { .. }, _) => self.means(groups, n_groups, at_least, Told::Exactly),
            (_, column) => {
                let mut weights: Vec<FxHashMap<Leaf, u64>> = vec![FxHashMap::default(); n_groups];
                for (code, group) in column.codes().iter().zip(groups.iter()) {
                    let items = self.items(code);
                    let share = ROW_UNIT / items.len() as u64;
                    for item in items {
                        *weights[group as usize].entry(item).or_default() += share;
                    }
                }
                weights
                    .into_iter()
                    .map(|weights| {
                        let total: u64 = weights.values().sum();
                        let mut shares: Vec<(Leaf, f64)> = weights
                            .into_iter()
                            .map(|(leaf, weight)| (leaf, weight as f64 / total as f64))
                            .collect();
                        shares.sort_by_key(|&(leaf, _)| leaf);
                        Spread::Leaves(shares)
                    })
                    .collect()
            }
        };
        ColumnSpread::Entries {
            codes: groups.clone(),
            entries,
        }
    }

    /// The leaves of a raw row: one value, or the items of a set.
    fn items(&self, code: u32) -> Vec<Leaf> {
        match self.column {
            Column::Sets(_, sets) => sets.items(code).to_vec(),
            _ => vec![code],
        }
    }

    /// Mean and share of missing numbers for each entry. A mean is told where enough people have a number: many rows of
    /// one person are still one person, whose numbers no mean may tell.
    fn means(
        &self,
        entry_of_row: &Codes,
        n_entries: usize,
        at_least: u32,
        told: Told,
    ) -> Vec<Spread> {
        let Domain::Numbers { interval, .. } = &self.field.domain else {
            unreachable!("only numbers have a mean");
        };
        let mut sums = vec![Numbers::default(); n_entries];
        let mut seen: FxHashSet<(u32, u32, bool)> = FxHashSet::default();
        let rows = self.column.codes().iter().zip(entry_of_row.iter());
        for (row, (place, entry)) in rows.enumerate() {
            let is_present = place <= interval.last();
            let is_new = self
                .person_of_row
                .is_none_or(|people| seen.insert((people[row], entry, is_present)));
            let numbers = &mut sums[entry as usize];
            if is_present {
                numbers.sum += u64::from(place);
                numbers.rows_present += 1;
                numbers.people_present += u64::from(is_new);
            } else {
                numbers.rows_missing += 1;
                numbers.people_missing += u64::from(is_new);
            }
        }
        let middle = f64::from(interval.last()) / 2.0;
        // A mean is published as the column is written, and dates are whole days.
        let told_mean = |mean: f64| match interval.unit() {
            Unit::Number => mean,
            Unit::Day => mean.round(),
        };
        sums.into_iter()
            .map(|numbers| {
                let (present, missing) = match told {
                    Told::Exactly => (numbers.rows_present, numbers.rows_missing),
                    Told::InSteps => (
                        in_steps(numbers.people_present, at_least),
                        in_steps(numbers.people_missing, at_least),
                    ),
                };
                Spread::Numbers {
                    mean_place: if numbers.people_present < u64::from(at_least) {
                        middle
                    } else {
                        told_mean(numbers.sum as f64 / numbers.rows_present as f64)
                    },
                    missing: missing as f64 / (present + missing).max(1) as f64,
                }
            })
            .collect()
    }

    fn spread_over_table(&self, masked: &Column, at_least: u32) -> ColumnSpread {
        let (codes, dictionary) = masked_parts(masked);
        let entries = match &self.field.domain {
            Domain::Sets { tree, .. } => {
                return ColumnSpread::Nodes(self.node_spreads(codes, dictionary, tree, at_least));
            }
            Domain::Numbers { .. } => {
                self.means(codes, dictionary.values().len(), at_least, Told::InSteps)
            }
            Domain::Values(tree) => {
                let counts = self.people_per_leaf(codes, |entry, _| vec![entry]);
                dictionary
                    .values()
                    .iter()
                    .enumerate()
                    .map(|(entry, value)| {
                        let possible = value
                            .leaf_shares(tree)
                            .into_iter()
                            .map(|(leaf, _)| leaf)
                            .collect();
                        Spread::Leaves(pooled(possible, counts.get(&(entry as u32)), at_least))
                    })
                    .collect()
            }
        };
        ColumnSpread::Entries {
            codes: codes.clone(),
            entries,
        }
    }

    /// For each key how many people have each leaf among their rows with that key. `keys(entry, leaf)` says what a leaf
    /// of a row with a masked value counts for.
    fn people_per_leaf(
        &self,
        entry_of_row: &Codes,
        keys: impl Fn(u32, Leaf) -> Vec<u32>,
    ) -> FxHashMap<u32, FxHashMap<Leaf, u64>> {
        let mut counts: FxHashMap<u32, FxHashMap<Leaf, u64>> = FxHashMap::default();
        let mut seen: FxHashSet<(u32, u32, Leaf)> = FxHashSet::default();
        for (row, (code, entry)) in self
            .column
            .codes()
            .iter()
            .zip(entry_of_row.iter())
            .enumerate()
        {
            for leaf in self.items(code) {
                for key in keys(entry, leaf) {
                    let is_new = self
                        .person_of_row
                        .is_none_or(|people| seen.insert((people[row], key, leaf)));
                    if is_new {
                        *counts.entry(key).or_default().entry(leaf).or_default() += 1;
                    }
                }
            }
        }
        counts
    }

    /// How the items under each published node spread, over all sets with that node.
    fn node_spreads(
        &self,
        codes: &Codes,
        dictionary: &MaskedDictionary,
        tree: &Tree,
        at_least: u32,
    ) -> Vec<(Node, Vec<(Leaf, f64)>)> {
        let taxonomy = &tree.taxonomy;
        let values = dictionary.values().iter();
        let nodes_of: Vec<Vec<Node>> = values.map(|value| value.nodes(tree)).collect();
        let under = |entry: u32, leaf: Leaf| -> Vec<u32> {
            let node = taxonomy.node_of_leaf(leaf);
            let above = nodes_of[entry as usize].iter().copied();
            above
                .filter(|&above| taxonomy.is_ancestor(above, node))
                .collect()
        };
        let counts = self.people_per_leaf(codes, under);
        published_nodes(dictionary, tree)
            .into_iter()
            .map(|node| {
                let possible = taxonomy.leaves(node).collect();
                (node, pooled(possible, counts.get(&node), at_least))
            })
            .collect()
    }
}

fn masked_parts(masked: &Column) -> (&Codes, &MaskedDictionary) {
    match masked {
        Column::Masked(codes, dictionary) => (codes, dictionary),
        _ => unreachable!("columns of a requirement are masked"),
    }
}

/// The nodes that stand in the published sets, in order.
fn published_nodes(dictionary: &MaskedDictionary, tree: &Tree) -> Vec<Node> {
    let values = dictionary.values().iter();
    let mut nodes: Vec<Node> = values.flat_map(|value| value.nodes(tree)).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Shares of the leaves that enough people have, counted in steps of the threshold, so that nothing told is about fewer
/// people than that; what is left is shared evenly by the other leaves.
fn pooled(
    possible: Vec<Leaf>,
    counts: Option<&FxHashMap<Leaf, u64>>,
    at_least: u32,
) -> Vec<(Leaf, f64)> {
    let total: u64 = counts.map_or(0, |counts| counts.values().sum());
    let count_of = |leaf: &Leaf| {
        let count = counts
            .and_then(|counts| counts.get(leaf))
            .copied()
            .unwrap_or(0);
        in_steps(count, at_least)
    };
    let (mut told, mut rest): (Vec<Leaf>, Vec<Leaf>) =
        possible.into_iter().partition(|leaf| count_of(leaf) > 0);
    let sum: u64 = told.iter().map(count_of).sum();
    if told.is_empty() || rest.is_empty() || sum >= total {
        // Nothing can be told, or nothing is left to share.
        let even = told.is_empty();
        let all = if even {
            std::mem::take(&mut rest)
        } else {
            std::mem::take(&mut told)
        };
        let n_leaves = all.len() as f64;
        let share = |leaf: &Leaf| {
            if even {
                1.0 / n_leaves
            } else {
                count_of(leaf) as f64 / sum as f64
            }
        };
        return all.into_iter().map(|leaf| (leaf, share(&leaf))).collect();
    }
    let of_rest = (total - sum) as f64 / total as f64 / rest.len() as f64;
    let told = told
        .into_iter()
        .map(|leaf| (leaf, count_of(&leaf) as f64 / total as f64));
    told.chain(rest.into_iter().map(|leaf| (leaf, of_rest)))
        .collect()
}

/// A number of people rounded to a multiple of the threshold; fewer than the threshold are none.
fn in_steps(count: u64, at_least: u32) -> u64 {
    let step = u64::from(at_least);
    if count < step {
        0
    } else {
        (count + step / 2) / step * step
    }
}

#[cfg(test)]
mod tests;
