//! Distances against the definition: path lengths, chances and midpoints, without a coordinate.

use std::sync::Arc;

use super::super::{Space, assign};
use super::*;

/// What a cell may be, each with its chance.
type Chances<T> = Vec<(T, f64)>;

/// A number by its share of the way between the bounds, and whether it is missing.
type Number = (f64, bool);

/// The labels from a leaf up to, and without, the root.
type Path = Vec<String>;

#[derive(Debug, Clone)]
enum Cell {
    Number(Chances<Number>),
    /// The mean over leaves, and the symbols of the one-hot encoding.
    Leaves(Chances<Path>, Vec<String>),
}

/// A column as its author described it.
struct Described {
    domain: Domain,
    weight: f64,
    /// Of trees: the path of every leaf, and the longest of them.
    paths: Vec<Path>,
    longest: usize,
}

fn even<T>(values: impl IntoIterator<Item = T>) -> Chances<T> {
    let values: Vec<T> = values.into_iter().collect();
    let chance = 1.0 / values.len() as f64;
    values.into_iter().map(|value| (value, chance)).collect()
}

/// Edges between two leaves: whatever the two paths do not share.
fn path_length(a: &Path, b: &Path) -> usize {
    let shared = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    a.len() + b.len() - 2 * shared
}

/// The squared distance of two means, from the squared distances of what they are means of.
fn between<T>(a: &Chances<T>, b: &Chances<T>, squared: impl Fn(&T, &T) -> f64) -> f64 {
    let mean = |a: &Chances<T>, b: &Chances<T>| -> f64 {
        let pairs = a
            .iter()
            .flat_map(|left| b.iter().map(move |right| (left, right)));
        pairs
            .map(|((left, left_chance), (right, right_chance))| {
                left_chance * right_chance * squared(left, right)
            })
            .sum()
    };
    mean(a, b) - f64::midpoint(mean(a, a), mean(b, b))
}

fn expected(columns: &[Described], a: &[Cell], b: &[Cell], encoding: Encoding) -> f64 {
    let total: f64 = columns.iter().map(|column| column.weight).sum();
    let terms = columns.iter().zip(a).zip(b).map(|((column, a), b)| {
        let weight = column.weight / total;
        match (a, b, encoding) {
            (Cell::Number(a), Cell::Number(b), _) => {
                let (unit, missing) = match encoding {
                    Encoding::Semantic => (weight, weight / 2.0),
                    Encoding::OneHot => (1.0, 1.0),
                };
                between(a, b, |a, b| {
                    unit * (a.0 - b.0).powi(2) + if a.1 == b.1 { 0.0 } else { missing }
                })
            }
            (Cell::Leaves(a, _), Cell::Leaves(b, _), Encoding::Semantic) => {
                between(a, b, |a, b| {
                    weight * path_length(a, b) as f64 / (2 * column.longest) as f64
                })
            }
            (Cell::Leaves(_, a), Cell::Leaves(_, b), Encoding::OneHot) => {
                let only = |a: &[String], b: &[String]| {
                    a.iter().filter(|symbol| !b.contains(symbol)).count()
                };
                (only(a, b) + only(b, a)) as f64
            }
            _ => unreachable!("a column has cells of one kind"),
        }
    });
    terms.sum()
}

/// A tree that grew at random: every node hangs under one of those before it, so chains and stars are among them.
fn random_paths(choices: &mut Repeatable) -> Vec<Path> {
    let n_nodes = 4 + below(choices, 12);
    let parents: Vec<usize> = (0..n_nodes)
        .map(|node| below(choices, node.max(1)))
        .collect();
    let is_leaf = |node: usize| !parents[1..].contains(&node);
    (1..n_nodes)
        .filter(|&node| is_leaf(node))
        .map(|leaf| {
            let mut path = Vec::new();
            let mut at = leaf;
            while at != 0 {
                path.push(format!("n{at}"));
                at = parents[at];
            }
            path
        })
        .collect()
}

fn described_tree(
    choices: &mut Repeatable,
    sets: bool,
    may_be_missing: bool,
    weight: f64,
) -> Described {
    let mut paths = random_paths(choices);
    let lines: Vec<String> = paths
        .iter()
        .map(|path| format!("{};root", path.join(";")))
        .collect();
    let mut tree = tree(&lines.join("\n"));
    if sets {
        tree.taxonomy = tree.taxonomy.with_empty_set().unwrap();
        paths.push(vec!["none".to_owned()]);
    }
    if may_be_missing {
        tree.taxonomy = tree.taxonomy.with_missing().unwrap();
        paths.push(vec![String::new()]);
    }
    let domain = if sets {
        Domain::sets(tree, ";".to_owned()).unwrap()
    } else {
        Domain::Values(tree)
    };
    let longest = paths.iter().map(Vec::len).max().unwrap();
    Described {
        domain,
        weight,
        paths,
        longest,
    }
}

fn described_columns(choices: &mut Repeatable) -> Vec<Described> {
    let weight = |choices: &mut Repeatable| (1 + below(choices, 8)) as f64 / 4.0;
    let number = |last: u32, may_be_missing: bool, weight: f64| Described {
        domain: numbers(last, may_be_missing),
        weight,
        paths: Vec::new(),
        longest: 0,
    };
    let mut columns = vec![
        number(9, false, weight(choices)),
        number(4, true, weight(choices)),
    ];
    for (sets, may_be_missing) in [(false, true), (false, false), (true, true), (true, false)] {
        let weight = weight(choices);
        columns.push(described_tree(choices, sets, may_be_missing, weight));
    }
    columns
}

impl Described {
    fn leaf(&self, path: &Path) -> Leaf {
        taxonomy(&self.domain).leaf_of_label(&path[0]).unwrap()
    }

    /// The paths of the leaves under the node with a label.
    fn under(&self, label: &str) -> Vec<Path> {
        self.paths
            .iter()
            .filter(|path| path.iter().any(|at| at == label))
            .cloned()
            .collect()
    }

    /// Some of the leaves, at least one, in the order of their numbers.
    fn some_leaves(&self, choices: &mut Repeatable) -> Vec<Path> {
        let mut chosen: Vec<Path> = (0..=below(choices, 3))
            .map(|_| self.paths[below(choices, self.paths.len())].clone())
            .collect();
        chosen.sort_by_key(|path| self.leaf(path));
        chosen.dedup();
        chosen
    }

    /// A column of random rows, and what each of them is.
    fn raw(&self, n_rows: usize, choices: &mut Repeatable) -> (Column, Vec<Cell>) {
        let rows = 0..n_rows;
        match &self.domain {
            Domain::Numbers {
                interval,
                may_be_missing,
            } => {
                let last = interval.last();
                let n_places = last as usize + 1 + usize::from(*may_be_missing);
                let places: Vec<u32> = rows.map(|_| below(choices, n_places) as u32).collect();
                let cells = places
                    .iter()
                    .map(|&place| Cell::Number(vec![(number(place, last), 1.0)]));
                let cells = cells.collect();
                (number_column(places, &self.domain), cells)
            }
            Domain::Values(_) => {
                let paths: Vec<&Path> = rows
                    .map(|_| &self.paths[below(choices, self.paths.len())])
                    .collect();
                let cells = paths
                    .iter()
                    .map(|&path| Cell::Leaves(vec![(path.clone(), 1.0)], vec![path[0].clone()]));
                let column = value_column(paths.iter().map(|path| self.leaf(path)), &self.domain);
                (column, cells.collect())
            }
            Domain::Sets { .. } => {
                let sets: Vec<Vec<Path>> = rows.map(|_| self.some_leaves(choices)).collect();
                let codes: Vec<Vec<Leaf>> = sets
                    .iter()
                    .map(|set| set.iter().map(|path| self.leaf(path)).collect())
                    .collect();
                let symbols = |set: &[Path]| set.iter().map(|path| path[0].clone()).collect();
                let cells = sets
                    .iter()
                    .map(|set| Cell::Leaves(even(set.clone()), symbols(set)));
                (set_column(&codes), cells.collect())
            }
        }
    }

    fn masked(&self, n_rows: usize, choices: &mut Repeatable) -> (Column, Vec<Cell>) {
        let (values, cells): (Vec<MaskedValue>, Vec<Cell>) =
            (0..n_rows).map(|_| self.masked_value(choices)).unzip();
        (masked_column(values), cells)
    }

    /// A masked value of any kind that the column can have, and the raw values it may stand for.
    fn masked_value(&self, choices: &mut Repeatable) -> (MaskedValue, Cell) {
        match &self.domain {
            Domain::Numbers {
                interval,
                may_be_missing,
            } => {
                let last = interval.last();
                let every =
                    even((0..=last + u32::from(*may_be_missing)).map(|place| number(place, last)));
                let (a, b) = (
                    below(choices, last as usize + 1) as u32,
                    below(choices, last as usize + 1) as u32,
                );
                let range = even((a.min(b)..=a.max(b)).map(|place| number(place, last)));
                match below(choices, 4) {
                    0 => (MaskedValue::Anything, Cell::Number(every)),
                    1 if *may_be_missing => (
                        MaskedValue::Missing,
                        Cell::Number(vec![(number(last + 1, last), 1.0)]),
                    ),
                    2 => (
                        MaskedValue::Number(a),
                        Cell::Number(vec![(number(a, last), 1.0)]),
                    ),
                    _ => (MaskedValue::range(a.min(b), a.max(b)), Cell::Number(range)),
                }
            }
            Domain::Values(tree) => self.masked_tree_value(tree, false, choices),
            Domain::Sets { tree, .. } => self.masked_tree_value(tree, true, choices),
        }
    }

    fn masked_tree_value(
        &self,
        tree: &Tree,
        sets: bool,
        choices: &mut Repeatable,
    ) -> (MaskedValue, Cell) {
        let node = |label: &str| tree.taxonomy.node_of_label(label).unwrap();
        let leaves = self.some_leaves(choices);
        let leaf_codes: Vec<Leaf> = leaves.iter().map(|path| self.leaf(path)).collect();
        let leaf_labels: Vec<String> = leaves.iter().map(|path| path[0].clone()).collect();
        let root = || vec!["*".to_owned()];
        match below(choices, 5) {
            0 => (
                MaskedValue::Anything,
                Cell::Leaves(even(self.paths.clone()), root()),
            ),
            1 => (
                MaskedValue::Rest(leaf_codes),
                Cell::Leaves(even(leaves), root()),
            ),
            2 => (
                MaskedValue::Region(leaf_codes),
                Cell::Leaves(even(leaves), leaf_labels),
            ),
            3 if sets => {
                let labels = self.apart(choices);
                let nodes = labels.iter().map(|label| node(label)).collect();
                let cell = Cell::Leaves(self.chances_of_sets(&labels), labels);
                (MaskedValue::items(tree, nodes), cell)
            }
            _ => {
                let path = &self.paths[below(choices, self.paths.len())];
                let label = &path[below(choices, path.len())];
                let cell = Cell::Leaves(even(self.under(label)), vec![label.clone()]);
                let value = MaskedValue::under(tree, node(label));
                (value, cell)
            }
        }
    }

    /// Labels of nodes none of which lies under another.
    fn apart(&self, choices: &mut Repeatable) -> Vec<String> {
        let mut labels: Vec<String> = Vec::new();
        for _ in 0..3 {
            let path = &self.paths[below(choices, self.paths.len())];
            let label = &path[below(choices, path.len())];
            let meets = |other: &String| {
                let here = self.under(label);
                self.under(other).iter().any(|path| here.contains(path))
            };
            if !labels.iter().any(meets) {
                labels.push(label.clone());
            }
        }
        labels
    }

    /// The mean over all sets with one item under each of these nodes.
    fn chances_of_sets(&self, labels: &[String]) -> Chances<Path> {
        let mut sets: Vec<Vec<Path>> = vec![Vec::new()];
        for label in labels {
            let items = self.under(label);
            sets = sets
                .iter()
                .flat_map(|set| {
                    items
                        .iter()
                        .map(move |item| [&set[..], std::slice::from_ref(item)].concat())
                })
                .collect();
        }
        let share = 1.0 / sets.len() as f64;
        let of_set = |set: Vec<Path>| {
            even(set)
                .into_iter()
                .map(move |(path, chance)| (path, chance * share))
        };
        sets.into_iter().flat_map(of_set).collect()
    }
}

/// Where a place lies between the bounds; the one past the last is missing.
fn number(place: u32, last: u32) -> Number {
    if place > last {
        (0.5, true)
    } else {
        (f64::from(place) / f64::from(last), false)
    }
}

fn columns_to_rows(columns: &[Vec<Cell>], n_rows: usize) -> Vec<Vec<Cell>> {
    (0..n_rows)
        .map(|row| columns.iter().map(|column| column[row].clone()).collect())
        .collect()
}

/// Checks all pairs of rows of a raw and a masked table over random domains, by positions and through the kernel.
fn check_random_domains(seed: u64, encoding: Encoding) {
    const N_ROWS: usize = 12;
    let mut choices = Repeatable::new(seed);
    let described = described_columns(&mut choices);
    let fields: Vec<Field> = described
        .iter()
        .enumerate()
        .map(|(number, column)| {
            field(
                &format!("column {number}"),
                column.domain.clone(),
                column.weight,
            )
        })
        .collect();
    let (raw, raw_cells): (Vec<Column>, Vec<Vec<Cell>>) = described
        .iter()
        .map(|column| column.raw(N_ROWS, &mut choices))
        .unzip();
    let (masked, masked_cells): (Vec<Column>, Vec<Vec<Cell>>) = described
        .iter()
        .map(|column| column.masked(N_ROWS, &mut choices))
        .unzip();
    let raw = Table::new(fields.clone(), raw, None);
    let masked = Table::new(fields.clone(), masked, None);
    let space = Arc::new(Space::new(&fields, encoding));
    let tables = [&raw, &masked].map(|table| Points::in_space(table, Arc::clone(&space)));
    let cells = [raw_cells, masked_cells].map(|cells| columns_to_rows(&cells, N_ROWS));
    let rows: Vec<(usize, usize)> = (0..2)
        .flat_map(|table| (0..N_ROWS).map(move |row| (table, row)))
        .collect();
    for &(table, row) in &rows {
        let alone = tables[table].select(&[row as u32]);
        for &(other_table, other_row) in &rows {
            let expected = expected(
                &described,
                &cells[table][row],
                &cells[other_table][other_row],
                encoding,
            );
            let centre = tables[other_table].position(other_row);
            let by_position = squared_distance(&alone.position(0), &centre);
            let (labels, by_kernel) = assign(&alone, std::slice::from_ref(&centre));
            assert_eq!(labels, [0]);
            for found in [by_position, by_kernel] {
                assert!(
                    (found - expected).abs() < 1e-12,
                    "seed {seed}, {encoding:?}: {found} instead of {expected} between {:?} and {:?}",
                    cells[table][row],
                    cells[other_table][other_row]
                );
            }
        }
    }
}

#[test]
fn semantic_distances_are_those_of_the_paths() {
    for seed in 0..40 {
        check_random_domains(seed, Encoding::Semantic);
    }
}

#[test]
fn one_hot_distances_count_the_symbols_that_differ() {
    for seed in 100..140 {
        check_random_domains(seed, Encoding::OneHot);
    }
}

#[test]
fn the_cost_of_one_centre_is_the_sum_over_weighted_rows() {
    for encoding in [Encoding::Semantic, Encoding::OneHot] {
        let table = mixed(300, 5);
        let collapsed = table.collapse().table;
        let centre = positions(&table, encoding)[7].clone();
        let sum: f64 = positions(&table, encoding)
            .iter()
            .map(|position| squared_distance(position, &centre))
            .sum();
        for table in [&table, &collapsed] {
            let (_, cost) = assign(&Points::new(table, encoding), std::slice::from_ref(&centre));
            assert!((cost - sum).abs() < 1e-9, "{cost} instead of {sum}");
        }
    }
}

#[test]
fn no_two_raw_rows_are_farther_apart_than_one() {
    let corners = positions(&mixed(400, 9), Encoding::Semantic);
    let farthest = corners
        .iter()
        .flat_map(|a| corners.iter().map(|b| squared_distance(a, b)))
        .fold(0.0, f64::max);
    assert!(farthest <= 1.0 + 1e-12, "{farthest}");
}
