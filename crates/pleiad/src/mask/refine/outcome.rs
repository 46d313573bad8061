//! What refinement leaves behind: the masked table and the way there.

use crate::table::{
    Codes, Column, Domain, Field, Leaf, MaskedDictionary, MaskedValue, Node, Place, SetDictionary,
    Tree,
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
    /// Where intervals start, in ranks of the values present and in any order; whether missing numbers are told apart.
    Intervals {
        starts: Vec<u32>,
        missing_apart: bool,
    },
}

/// The masked column of a raw one. The codes come with the row of the table that each is about, if that is not its
/// own number; `places` are the places of ranks.
pub(super) fn masked_column(
    field: &Field,
    raw: &Column,
    cut: &Cut,
    (codes, order): (&Codes, Option<&[u32]>),
    places: &[Place],
) -> Column {
    let Masking { values, of_code } = match (&field.domain, cut, raw) {
        (Domain::Values(tree), Cut::Nodes(nodes), _) => Masking::one_for_each(
            nodes
                .iter()
                .map(|&node| MaskedValue::under(tree, node))
                .collect(),
        ),
        (Domain::Values(tree), Cut::Disclosed(disclosed), _) => Masking::disclosed(tree, disclosed),
        (Domain::Sets { tree, .. }, Cut::Nodes(nodes), Column::Sets(_, sets)) => {
            Masking::sets(tree, nodes, sets)
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
        ) if !may_be_missing || *missing_apart => {
            Masking::intervals(starts, places, interval.last())
        }
        (Domain::Numbers { .. }, Cut::Intervals { .. }, _) => Masking {
            values: vec![MaskedValue::Anything],
            of_code: vec![0; places.len() + 1],
        },
        _ => unreachable!("a cut is made for the kind of its column"),
    };
    let mut is_used = vec![false; values.len()];
    for code in codes {
        is_used[of_code[code as usize] as usize] = true;
    }
    // Only values that rows have, in an order that says nothing about the rows.
    let mut used: Vec<&MaskedValue> = (0..values.len())
        .filter(|&value| is_used[value])
        .map(|value| &values[value])
        .collect();
    used.sort_unstable();
    used.dedup();
    let mut dictionary = MaskedDictionary::default();
    for value in used {
        dictionary.code(value.clone());
    }
    let n_values = dictionary.values().len();
    let masked_code: Vec<u32> = (0..values.len())
        .map(|value| {
            if is_used[value] {
                dictionary.code(values[value].clone())
            } else {
                0
            }
        })
        .collect();
    let masked = codes
        .iter()
        .map(|code| masked_code[of_code[code as usize] as usize]);
    let masked = match order {
        None => Codes::pack(masked, n_values),
        Some(order) => {
            let mut in_table_order = vec![0; order.len()];
            for (&row, code) in order.iter().zip(masked) {
                in_table_order[row as usize] = code;
            }
            Codes::pack(in_table_order, n_values)
        }
    };
    Column::Masked(masked, dictionary)
}

/// What the codes of a column are published as.
struct Masking {
    values: Vec<MaskedValue>,
    /// The value of each code, by its place in `values`.
    of_code: Vec<u32>,
}

impl Masking {
    fn one_for_each(values: Vec<MaskedValue>) -> Self {
        Self {
            of_code: (0..values.len() as u32).collect(),
            values,
        }
    }

    fn disclosed(tree: &Tree, disclosed: &[bool]) -> Self {
        let hidden: Vec<Leaf> = (0..disclosed.len() as Leaf)
            .filter(|&leaf| !disclosed[leaf as usize])
            .collect();
        let rest = if hidden.len() == disclosed.len() {
            MaskedValue::Anything
        } else {
            MaskedValue::Rest(hidden)
        };
        // The rest may be long: it is there once, not for every leaf that it hides.
        let mut values = vec![rest];
        let of_code = (0..disclosed.len() as Leaf)
            .map(|leaf| {
                if disclosed[leaf as usize] {
                    let node = tree.taxonomy.node_of_leaf(leaf);
                    values.push(MaskedValue::under(tree, node));
                    values.len() as u32 - 1
                } else {
                    0
                }
            })
            .collect();
        Self { values, of_code }
    }

    fn sets(tree: &Tree, nodes: &[Node], sets: &SetDictionary) -> Self {
        let published = |&item: &Leaf| nodes[item as usize];
        Self::one_for_each(
            sets.iter()
                .map(|items| MaskedValue::items(tree, items.iter().map(published).collect()))
                .collect(),
        )
    }

    /// Intervals of ranks, and missing after the last rank.
    fn intervals(starts: &[u32], places: &[Place], last: Place) -> Self {
        let mut starts = starts.to_vec();
        starts.sort_unstable();
        let mut values = Vec::with_capacity(starts.len() + 1);
        let mut of_code = Vec::with_capacity(places.len() + 1);
        for (at, &start) in starts.iter().enumerate() {
            let first = if at == 0 { 0 } else { places[start as usize] };
            let (end, last) = match starts.get(at + 1) {
                Some(&next) => (next as usize, places[next as usize] - 1),
                None => (places.len(), last),
            };
            of_code.resize(end, values.len() as u32);
            values.push(MaskedValue::range(first, last));
        }
        of_code.push(values.len() as u32);
        values.push(MaskedValue::Missing);
        Self { values, of_code }
    }
}
