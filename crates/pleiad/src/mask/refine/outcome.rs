//! What refinement leaves behind: the masked table and the way there.

use crate::table::{
    Column, Domain, Field, Leaf, MaskedDictionary, MaskedValue, Node, Place, SetDictionary, Tree,
};

/// A masked table and how it came about.
#[derive(Debug, Clone)]
pub struct Refined {
    /// The raw table with the columns of the requirement masked, rows in the same order.
    pub table: crate::table::Table,
    /// Every refinement, in order.
    pub trace: Vec<Refinement>,
}

/// One refinement.
#[derive(Debug, Clone, PartialEq)]
pub struct Refinement {
    /// The column, by its number in the table.
    pub column: usize,
    /// What was refined, as it is written.
    pub value: String,
    /// Where an interval was split, or which hidden value was disclosed.
    pub at: Option<String>,
    /// Its score.
    pub score: f64,
    /// What it told about the clusters, in bits.
    pub gain: f64,
    /// People that the smallest group lost, on average over the quasi-identifiers.
    pub loss: f64,
    /// Rows that became more precise.
    pub n_rows: u64,
}

/// How far a column has been refined.
#[derive(Debug, Clone)]
pub(super) enum Cut {
    /// The node that each leaf is published as.
    Nodes(Vec<Node>),
    /// Which leaves are disclosed; the others are the rest.
    Disclosed(Vec<bool>),
    /// Where intervals start, in ranks of the values present; whether missing numbers are told apart.
    Intervals {
        starts: Vec<u32>,
        missing_apart: bool,
    },
}

/// The masked column of a raw one.
pub(super) fn masked_column(
    field: &Field,
    raw: &Column,
    cut: &Cut,
    codes: &[u32],
    places: &[Place],
) -> Column {
    let value_of_code: Vec<MaskedValue> = match (&field.domain, cut, raw) {
        (Domain::Values(tree), Cut::Nodes(nodes), _) => nodes
            .iter()
            .map(|&node| MaskedValue::under(tree, node))
            .collect(),
        (Domain::Values(tree), Cut::Disclosed(disclosed), _) => disclose(tree, disclosed),
        (Domain::Sets { tree, .. }, Cut::Nodes(nodes), Column::Sets(_, sets)) => {
            set_values(tree, nodes, sets)
        }
        (
            Domain::Numbers {
                interval,
                may_be_missing,
            },
            Cut::Intervals {
                starts,
                missing_apart,
            },
            _,
        ) => {
            let ends = starts
                .iter()
                .skip(1)
                .map(|&next| places[next as usize] - 1)
                .chain([interval.last()]);
            let firsts = starts
                .iter()
                .enumerate()
                .map(|(at, &start)| if at == 0 { 0 } else { places[start as usize] });
            let ranges: Vec<MaskedValue> = firsts
                .zip(ends)
                .map(|(first, last)| MaskedValue::range(first, last))
                .collect();
            let hidden = *may_be_missing && !missing_apart;
            let mut values: Vec<MaskedValue> = (0..places.len() as u32)
                .map(|rank| {
                    let at = starts.partition_point(|&start| start <= rank) - 1;
                    if hidden {
                        MaskedValue::Anything
                    } else {
                        ranges[at].clone()
                    }
                })
                .collect();
            values.push(if hidden {
                MaskedValue::Anything
            } else {
                MaskedValue::Missing
            });
            values
        }
        _ => unreachable!("a cut is made for the kind of its column"),
    };
    let mut dictionary = MaskedDictionary::default();
    // Only values that rows have, in an order that says nothing about the rows.
    let mut used = vec![false; value_of_code.len()];
    for &code in codes {
        used[code as usize] = true;
    }
    let mut values: Vec<&MaskedValue> = (0..used.len())
        .filter(|&code| used[code])
        .map(|code| &value_of_code[code])
        .collect();
    values.sort_unstable();
    values.dedup();
    for value in values {
        dictionary.code(value.clone());
    }
    let n_values = dictionary.values().len();
    let masked_code: Vec<u32> = (0..used.len())
        .map(|code| {
            if used[code] {
                dictionary.code(value_of_code[code].clone())
            } else {
                0
            }
        })
        .collect();
    let rows = codes.iter().map(|&code| masked_code[code as usize]);
    Column::Masked(crate::table::Codes::pack(rows, n_values), dictionary)
}

fn disclose(tree: &Tree, disclosed: &[bool]) -> Vec<MaskedValue> {
    let hidden: Vec<Leaf> = (0..disclosed.len() as Leaf)
        .filter(|&leaf| !disclosed[leaf as usize])
        .collect();
    let rest = if hidden.len() == disclosed.len() {
        MaskedValue::Anything
    } else {
        MaskedValue::Rest(hidden)
    };
    (0..disclosed.len() as Leaf)
        .map(|leaf| {
            if disclosed[leaf as usize] {
                MaskedValue::under(tree, tree.taxonomy.node_of_leaf(leaf))
            } else {
                rest.clone()
            }
        })
        .collect()
}

fn set_values(tree: &Tree, nodes: &[Node], sets: &SetDictionary) -> Vec<MaskedValue> {
    sets.iter()
        .map(|items| {
            MaskedValue::items(
                tree,
                items.iter().map(|&item| nodes[item as usize]).collect(),
            )
        })
        .collect()
}
