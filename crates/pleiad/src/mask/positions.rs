//! Where a recipient may place generalised values: what a release discloses about the rows behind them.
//!
//! Where masked values are placed decides what the clusters look like. Each choice says more than the one before, and a
//! release states which was made.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::privacy::Requirement;
use crate::table::{
    Codes, Column, ColumnSpread, Domain, Field, Interval, Leaf, MaskedDictionary, MaskedValue,
    Node, Spread, Table, Tree, Unit,
};

pub use crate::spec::Positions;

/// What is disclosed about each column of a masked table; nothing for columns that were not masked.
pub fn spreads(
    raw: &Table,
    masked: &Table,
    requirement: &Requirement,
    positions: Positions,
) -> Vec<Option<ColumnSpread>> {
    let mut groups: FxHashMap<Vec<usize>, Codes> = FxHashMap::default();
    (0..raw.columns().len())
        .map(|number| {
            let at_least = requirement.at_least_for(number)?;
            let rows = RawColumn::new(raw, number);
            Some(match positions {
                Positions::Uniform => rows.spread_evenly(&masked.columns()[number]),
                Positions::Table => rows.spread_over_table(&masked.columns()[number], at_least),
                Positions::Group => {
                    let shared = requirement.shared_columns(number)?;
                    let codes = groups
                        .entry(shared)
                        .or_insert_with_key(|shared| group_of_rows(masked, shared));
                    rows.spread_over_groups(codes, at_least)
                }
            })
        })
        .collect()
}

/// How the raw rows of each group spread, exactly. This is for the owner alone: a group may be one person.
pub(crate) fn exact_spreads(raw: &Table, groups: &Codes) -> Vec<Option<ColumnSpread>> {
    let columns = 0..raw.columns().len();
    columns
        .map(|number| Some(RawColumn::new(raw, number).spread_over_groups(groups, 1)))
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

/// What a person counts for; a row counts for its part of the person's rows, an item of a set for its part of the row.
/// Whole numbers add up to the same in any order: the order of the rows must not be seen in the last digit of a share.
const PERSON_UNIT: u64 = 1 << 40;

/// The numbers behind one entry.
#[derive(Clone, Default)]
struct Numbers {
    /// Places times weights.
    sum: u128,
    /// Weights of rows with a number and without.
    weight_present: u128,
    weight_missing: u128,
    people_present: u64,
    people_missing: u64,
}

/// How much is told about numbers.
enum Told<'v> {
    /// Mean and share of missing numbers as they are: of a group, whose people they are about.
    Exactly,
    /// In as many steps between the ends of each masked value as the threshold goes into its people.
    InSteps(&'v [MaskedValue]),
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
        let entries = match &self.field.domain {
            Domain::Numbers { .. } => self.means(groups, n_groups, at_least, &Told::Exactly),
            Domain::Values(_) | Domain::Sets { .. } => {
                let mut weights: Vec<FxHashMap<Leaf, u128>> = vec![FxHashMap::default(); n_groups];
                let row_weights = self.row_weights(groups);
                let rows = self.column.codes().iter().zip(groups.iter());
                for ((code, group), row_weight) in rows.zip(row_weights) {
                    let items = self.items(code);
                    let share = u128::from(row_weight / items.len() as u64);
                    for item in items {
                        *weights[group as usize].entry(item).or_default() += share;
                    }
                }
                weights
                    .into_iter()
                    .map(|weights| {
                        let total: u128 = weights.values().sum();
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

    /// What each row counts for in its entry: all rows of a person together count for one person, so that nobody's many
    /// rows stand out in a mean or a share.
    fn row_weights(&self, entry_of_row: &Codes) -> Vec<u64> {
        let Some(people) = self.person_of_row else {
            return vec![PERSON_UNIT; entry_of_row.len()];
        };
        let keys = || people.iter().copied().zip(entry_of_row.iter());
        let mut rows: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        for key in keys() {
            *rows.entry(key).or_default() += 1;
        }
        keys().map(|key| PERSON_UNIT / rows[&key]).collect()
    }

    /// The leaves of a raw row: one value, or the items of a set.
    fn items(&self, code: u32) -> Vec<Leaf> {
        match self.column {
            Column::Sets(_, sets) => sets.items(code).to_vec(),
            _ => vec![code],
        }
    }

    /// Mean and share of missing numbers for each entry. A mean is told where enough people have a number.
    fn means(
        &self,
        entry_of_row: &Codes,
        n_entries: usize,
        at_least: u32,
        told: &Told<'_>,
    ) -> Vec<Spread> {
        let Domain::Numbers { interval, .. } = &self.field.domain else {
            unreachable!("only numbers have a mean");
        };
        let mut all = vec![Numbers::default(); n_entries];
        let mut seen: FxHashSet<(u32, u32, bool)> = FxHashSet::default();
        let weights = self.row_weights(entry_of_row);
        let rows = self.column.codes().iter().zip(entry_of_row.iter());
        for (row, (place, entry)) in rows.enumerate() {
            let is_present = place <= interval.last();
            let is_new = self
                .person_of_row
                .is_none_or(|people| seen.insert((people[row], entry, is_present)));
            let numbers = &mut all[entry as usize];
            let weight = u128::from(weights[row]);
            if is_present {
                numbers.sum += u128::from(place) * weight;
                numbers.weight_present += weight;
                numbers.people_present += u64::from(is_new);
            } else {
                numbers.weight_missing += weight;
                numbers.people_missing += u64::from(is_new);
            }
        }
        all.iter()
            .enumerate()
            .map(|(entry, numbers)| {
                let mean = numbers.sum as f64 / numbers.weight_present as f64;
                let is_told = numbers.people_present >= u64::from(at_least);
                let (mean_place, present, missing) = match told {
                    Told::Exactly => (
                        mean,
                        numbers.weight_present as f64,
                        numbers.weight_missing as f64,
                    ),
                    Told::InSteps(values) => (
                        stepped_mean(mean, &values[entry], interval, numbers, at_least),
                        in_steps(numbers.people_present, at_least) as f64,
                        in_steps(numbers.people_missing, at_least) as f64,
                    ),
                };
                let middle = f64::from(interval.last()) / 2.0;
                Spread::Numbers {
                    mean_place: match interval.unit() {
                        _ if !is_told => middle,
                        Unit::Number => mean_place,
                        // A mean is published as the column is written, and dates are whole days.
                        Unit::Day => mean_place.round(),
                    },
                    missing: missing / (present + missing).max(f64::MIN_POSITIVE),
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
                let values = dictionary.values();
                self.means(codes, values.len(), at_least, &Told::InSteps(values))
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

/// The middle of the step that a mean lies in, of as many steps between the ends of its masked value as the threshold
/// goes into its people: fewer people than that move a mean by less than a step.
fn stepped_mean(
    mean: f64,
    value: &MaskedValue,
    interval: &Interval,
    numbers: &Numbers,
    at_least: u32,
) -> f64 {
    let (first, last) = match value {
        MaskedValue::Range(first, last) => (*first, *last),
        MaskedValue::Number(place) => (*place, *place),
        _ => (0, interval.last()),
    };
    let (first, last) = (f64::from(first), f64::from(last));
    let n_steps = (numbers.people_present / u64::from(at_least)).max(1) as f64;
    let step = (last - first) / n_steps;
    if step == 0.0 {
        return first;
    }
    let at = ((mean - first) / step).floor().clamp(0.0, n_steps - 1.0);
    first + (at + 0.5) * step
}

/// Shares of the leaves that enough people have, counted in steps of the threshold; the other leaves share evenly what
/// is left.
///
/// How many rows have a masked value is public, so what is told of some leaves tells of the rest by subtraction. Where the
/// rest has fewer people than the threshold, and be it none, it is told as half a step, and the largest leaf as
/// what then remains: its own number of people is told nowhere. Where there are fewer people than twice the threshold
/// nothing is told.
fn pooled(
    possible: Vec<Leaf>,
    counts: Option<&FxHashMap<Leaf, u64>>,
    at_least: u32,
) -> Vec<(Leaf, f64)> {
    let step = u64::from(at_least);
    let people = |leaf: &Leaf| {
        counts
            .and_then(|counts| counts.get(leaf))
            .copied()
            .unwrap_or(0)
    };
    let total: u64 = possible.iter().map(people).sum();
    let (told, rest): (Vec<Leaf>, Vec<Leaf>) =
        possible.iter().partition(|leaf| people(leaf) >= step);
    if told.is_empty() || (possible.len() > 1 && total < 2 * step) {
        let even = 1.0 / possible.len() as f64;
        return possible.into_iter().map(|leaf| (leaf, even)).collect();
    }
    let mut amounts: Vec<f64> = told
        .iter()
        .map(|leaf| in_steps(people(leaf), at_least) as f64)
        .collect();
    let sum: f64 = amounts.iter().sum();
    let untold = total - told.iter().map(people).sum::<u64>();
    let mut of_rest = 0.0;
    if !rest.is_empty() && untold >= step {
        of_rest = (total as f64 - sum).max(step as f64);
    } else if !rest.is_empty() {
        of_rest = step as f64 / 2.0;
        let largest = (0..told.len())
            .max_by_key(|&at| (people(&told[at]), std::cmp::Reverse(at)))
            .expect("something is told");
        let remains = total as f64 - of_rest - (sum - amounts[largest]);
        if remains >= step as f64 {
            amounts[largest] = remains;
        }
    }
    let whole = amounts.iter().sum::<f64>() + of_rest;
    let of_each = of_rest / rest.len().max(1) as f64;
    let told = told.into_iter().zip(amounts);
    told.chain(rest.into_iter().map(|leaf| (leaf, of_each)))
        .map(|(leaf, amount)| (leaf, amount / whole))
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
