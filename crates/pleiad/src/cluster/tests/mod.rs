//! Tests of the clusterers by what they promise, on tables made here.

mod bisecting;
mod canopy;
mod dbscan;
mod determinism;
mod distance;
mod kprototypes;
mod lloyd;
mod portrait;
mod projection;
mod seeding;
mod silhouette;
mod suggest;

use std::path::Path;

use super::{Clustering, Encoding, Points};
use crate::repeatable::Repeatable;
use crate::table::{
    Codes, Column, Domain, Field, Interval, Leaf, MaskedDictionary, MaskedValue, Role,
    SetDictionary, Table, Taxonomy, Tree, Unit, parse_taxonomy,
};

/// A number below `bound`.
fn below(choices: &mut Repeatable, bound: usize) -> usize {
    choices.below(bound as u128) as usize
}

/// Whether something of this chance, in percent, happens.
fn happens(choices: &mut Repeatable, percent: usize) -> bool {
    below(choices, 100) < percent
}

fn field(name: &str, domain: Domain, weight: f64) -> Field {
    Field {
        name: name.to_owned(),
        role: Role::Plain,
        domain,
        weight,
    }
}

/// Numbers from 0 to `last` in steps of 1.
fn numbers(last: u32, may_be_missing: bool) -> Domain {
    let interval = Interval::new(0.0, f64::from(last), Some(1.0), Unit::Number, true).unwrap();
    Domain::Numbers {
        interval,
        may_be_missing,
    }
}

/// A tree from the lines of a taxonomy file.
fn tree(lines: &str) -> Tree {
    Tree {
        taxonomy: parse_taxonomy(lines.as_bytes(), Path::new("tree.csv")).unwrap(),
        is_star: false,
    }
}

fn with_missing(tree: Tree) -> Tree {
    Tree {
        taxonomy: tree.taxonomy.with_missing().unwrap(),
        ..tree
    }
}

fn sets_of(tree: Tree) -> Domain {
    let tree = Tree {
        taxonomy: tree.taxonomy.with_empty_set().unwrap(),
        ..tree
    };
    Domain::sets(tree, ";".to_owned()).unwrap()
}

fn number_column(places: impl IntoIterator<Item = u32>, domain: &Domain) -> Column {
    let Domain::Numbers { interval, .. } = domain else {
        unreachable!("made for numbers");
    };
    Column::Numbers(Codes::pack(places, interval.missing() as usize + 1))
}

fn value_column(leaves: impl IntoIterator<Item = Leaf>, domain: &Domain) -> Column {
    Column::Values(Codes::pack(leaves, taxonomy(domain).n_leaves()))
}

/// A column of sets; each different set is in its dictionary once.
fn set_column(rows: &[Vec<Leaf>]) -> Column {
    let mut different: Vec<Vec<Leaf>> = rows.to_vec();
    different.sort();
    different.dedup();
    let codes = rows
        .iter()
        .map(|row| different.binary_search(row).unwrap() as u32);
    let codes = Codes::pack(codes, different.len());
    Column::Sets(codes, SetDictionary::from_sets(different.into_iter()))
}

fn masked_column(values: impl IntoIterator<Item = MaskedValue>) -> Column {
    let mut dictionary = MaskedDictionary::default();
    let codes: Vec<u32> = values
        .into_iter()
        .map(|value| dictionary.code(value))
        .collect();
    let n_values = dictionary.values().len();
    Column::Masked(Codes::pack(codes, n_values), dictionary)
}

fn taxonomy(domain: &Domain) -> &Taxonomy {
    &domain.tree().unwrap().taxonomy
}

/// A table of one column of numbers between 0 and `last`.
fn line(places: &[u32], last: u32) -> Table {
    let domain = numbers(last, false);
    let column = number_column(places.iter().copied(), &domain);
    Table::new(vec![field("x", domain, 1.0)], vec![column], None)
}

const WARDS: &str = "\
heart;inner;*
lungs;inner;*
bones;outer;*
skin;outer;*
birth;*
";

/// Numbers, numbers that may be missing, a tree and sets, with few enough values that rows repeat and groups show.
fn mixed(n_rows: usize, seed: u64) -> Table {
    let mut choices = Repeatable::new(seed);
    let domains = [
        numbers(20, false),
        numbers(6, true),
        Domain::Values(with_missing(tree(WARDS))),
        sets_of(tree(WARDS)),
    ];
    let n_leaves = taxonomy(&domains[2]).n_leaves();
    let n_items = taxonomy(&domains[3]).n_leaves();
    let mut ages = Vec::new();
    let mut scores = Vec::new();
    let mut wards = Vec::new();
    let mut histories = Vec::new();
    for _ in 0..n_rows {
        let group = below(&mut choices, 3);
        ages.push((group * 7 + below(&mut choices, 6)) as u32);
        scores.push(if happens(&mut choices, 15) {
            7
        } else {
            below(&mut choices, 7) as u32
        });
        wards.push(if happens(&mut choices, 60) {
            group as Leaf
        } else {
            below(&mut choices, n_leaves) as Leaf
        });
        let mut items: Vec<Leaf> = (0..=below(&mut choices, 3))
            .map(|_| below(&mut choices, n_items) as Leaf)
            .collect();
        items.sort_unstable();
        items.dedup();
        histories.push(items);
    }
    let columns = vec![
        number_column(ages, &domains[0]),
        number_column(scores, &domains[1]),
        value_column(wards, &domains[2]),
        set_column(&histories),
    ];
    let fields = ["age", "score", "ward", "history"]
        .into_iter()
        .zip(domains)
        .zip([1.0, 0.5, 2.0, 1.0])
        .map(|((name, domain), weight)| field(name, domain, weight))
        .collect();
    Table::new(fields, columns, None)
}

/// The table that [`mixed`] makes, its values masked: ranges, nodes and sets of nodes.
fn masked(n_rows: usize, seed: u64) -> Table {
    let raw = mixed(n_rows, seed);
    let column = |number: usize| raw.columns()[number].codes().iter();
    let wards = raw.fields()[2].domain.tree().unwrap();
    let items = raw.fields()[3].domain.tree().unwrap();
    let Column::Sets(_, sets) = &raw.columns()[3] else {
        unreachable!("histories are sets");
    };
    let up = |tree: &Tree, leaf: Leaf| tree.taxonomy.parent(tree.taxonomy.node_of_leaf(leaf));
    let columns = vec![
        masked_column(
            column(0).map(|place| MaskedValue::range(place / 4 * 4, (place / 4 * 4 + 3).min(20))),
        ),
        masked_column(column(1).map(|place| match place {
            7 => MaskedValue::Missing,
            0..3 => MaskedValue::range(0, 2),
            _ => MaskedValue::range(3, 6),
        })),
        masked_column(column(2).map(|leaf| MaskedValue::under(wards, up(wards, leaf)))),
        masked_column(column(3).map(|set| {
            let nodes = sets
                .items(set)
                .iter()
                .map(|&leaf| up(items, leaf))
                .collect();
            MaskedValue::items(items, nodes)
        })),
    ];
    Table::new(raw.fields().to_vec(), columns, None)
}

/// Everything that a clustering says, numbers as bits.
type Bits = (Vec<u32>, Vec<Vec<u64>>, [Option<u64>; 3], usize, bool);

fn bits(clustering: &Clustering) -> Bits {
    let bits_of = |centre: &Vec<f64>| centre.iter().map(|value| value.to_bits()).collect();
    let centres = clustering.centres.iter().flatten();
    (
        clustering.labels.clone(),
        centres.map(bits_of).collect(),
        [clustering.cost, clustering.gamma, clustering.radius].map(|value| value.map(f64::to_bits)),
        clustering.rounds,
        clustering.converged,
    )
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The position of every row.
fn positions(table: &Table, encoding: Encoding) -> Vec<Vec<f64>> {
    let points = Points::new(table, encoding);
    (0..points.n_rows())
        .map(|row| points.position(row))
        .collect()
}

fn all_finite(clustering: &Clustering) -> bool {
    let centres = clustering.centres.as_ref().unwrap();
    clustering.cost.unwrap().is_finite() && centres.iter().flatten().all(|value| value.is_finite())
}
