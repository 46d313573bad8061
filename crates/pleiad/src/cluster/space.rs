//! One space for raw and masked values.
//!
//! Every column owns a stretch of coordinates that depends on its domain alone, so that rows of a raw table, rows of a
//! masked one and centres found on either can be compared. In the semantic encoding, with H the longest path of a tree
//! and w the column's weight, a leaf has √(w/2H) on each node of its path: the squared distance of two leaves is
//! w · path / 2H, and a centroid is an ordinary mean. A number is p√w with p its share of the way between the bounds;
//! a missing one is p = ½ with √(w/2) on a coordinate of its own. A set is the mean of its items. A masked value lies at
//! the mean of the values it may stand for.
//!
//! The one-hot encoding of the papers' tools (numbers p, 0/1 per symbol, a generalised value is a new symbol, no
//! weights) is there for comparison.

use std::sync::Arc;

use super::sparse::SparseRows;
use crate::spec::Encoding;
use crate::table::{
    Column, ColumnSpread, Domain, Field, Interval, Leaf, MaskedValue, Node, SetDictionary, Spread,
    Tree,
};

/// The coordinates of all columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    encoding: Encoding,
    columns: Vec<ColumnSpace>,
    n_coordinates: usize,
}

/// The coordinates of one column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColumnSpace {
    /// The first of its coordinates.
    pub(super) start: usize,
    pub(super) n_coordinates: usize,
    pub(super) kind: ColumnKind,
    /// Squared diameter of the column's codes.
    weight: f64,
    /// Which coordinates stand for one value each: leaves, or every node where a generalised value is a new symbol. Numbers
    /// have none.
    is_symbol: Vec<bool>,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Numbers,
    Values,
    Sets,
}

impl ColumnSpace {
    /// Whether a coordinate stands for one value.
    pub(super) fn is_symbol(&self, coordinate: u32) -> bool {
        self.is_symbol.get(coordinate as usize) == Some(&true)
    }
}

/// Where the codes of a column lie.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Layout {
    /// Numbers on a line: coordinate 0, and coordinate 1 for "missing".
    Line(Line),
    /// A position for each code.
    Entries(SparseRows),
    /// A position for each item; a code is a set of items.
    Sets(SetLayout),
}

/// Numbers on a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) last: u32,
    pub(super) may_be_missing: bool,
    /// From a place to the coordinate.
    pub(super) scale: f64,
    /// Where a missing number lies.
    pub(super) missing: [f64; 2],
}

/// Sets of items.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SetLayout {
    pub(super) items: SparseRows,
    pub(super) sets: Arc<SetDictionary>,
    /// Whether a set lies at the mean of its items, or at their sum.
    pub(super) is_mean: bool,
    /// The squared length of each set's position.
    pub(super) squared_norms: Vec<f64>,
}

impl SetLayout {
    /// Sets of items that lie at these positions.
    pub(super) fn new(items: SparseRows, sets: Arc<SetDictionary>, is_mean: bool) -> Self {
        let mut layout = Self {
            items,
            sets,
            is_mean,
            squared_norms: Vec::new(),
        };
        let mut sum: Vec<f64> = vec![0.0; layout.items.n_coordinates()];
        let mut touched: Vec<u32> = Vec::new();
        let norms = layout
            .sets
            .iter()
            .map(|items| {
                let share = layout.item_share(items.len());
                for &item in items {
                    for (coordinate, value) in layout.items.row(item as usize) {
                        sum[coordinate as usize] += value * share;
                        touched.push(coordinate);
                    }
                }
                touched
                    .drain(..)
                    .map(|coordinate| std::mem::take(&mut sum[coordinate as usize]).powi(2))
                    .sum()
            })
            .collect();
        layout.squared_norms = norms;
        layout
    }

    /// What each item of a set of this size counts for.
    pub(super) fn item_share(&self, size: usize) -> f64 {
        if self.is_mean { 1.0 / size as f64 } else { 1.0 }
    }
}

impl Space {
    /// The space of these columns.
    pub fn new(fields: &[Field], encoding: Encoding) -> Self {
        let total_weight: f64 = fields.iter().map(|field| field.weight).sum();
        let mut start = 0;
        let columns = fields
            .iter()
            .map(|field| {
                let nodes = field.domain.tree().map(|tree| &tree.taxonomy);
                let is_symbol: Vec<bool> = match (nodes, encoding) {
                    (None, _) => Vec::new(),
                    // The root is at the origin here, and a symbol like any other there.
                    (Some(taxonomy), Encoding::Semantic) => (1..taxonomy.n_nodes() as Node)
                        .map(|node| taxonomy.is_leaf(node))
                        .collect(),
                    (Some(taxonomy), Encoding::OneHot) => vec![true; taxonomy.n_nodes()],
                };
                let (kind, n_coordinates) = match field.domain {
                    Domain::Numbers { .. } => (ColumnKind::Numbers, 2),
                    Domain::Values(_) => (ColumnKind::Values, is_symbol.len()),
                    Domain::Sets { .. } => (ColumnKind::Sets, is_symbol.len()),
                };
                let column = ColumnSpace {
                    start,
                    n_coordinates,
                    kind,
                    weight: field.weight / total_weight,
                    is_symbol,
                };
                start += n_coordinates;
                column
            })
            .collect();
        Self {
            encoding,
            columns,
            n_coordinates: start,
        }
    }

    /// How values become coordinates.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Number of coordinates of all columns together.
    pub fn n_coordinates(&self) -> usize {
        self.n_coordinates
    }

    pub(super) fn columns(&self) -> &[ColumnSpace] {
        &self.columns
    }

    /// What a column counts for beside the others, 1 on average.
    pub(super) fn relative_weight(&self, column: usize) -> f64 {
        self.columns[column].weight * self.columns.len() as f64
    }

    /// How long the range of a numeric column is in its coordinate.
    pub(super) fn number_unit(&self, column: usize) -> f64 {
        match self.encoding {
            Encoding::Semantic => self.columns[column].weight.sqrt(),
            Encoding::OneHot => 1.0,
        }
    }

    /// Where the codes of a column lie.
    pub(super) fn layout(&self, number: usize, field: &Field, column: &Column) -> Layout {
        let weight = self.columns[number].weight;
        match (column, &field.domain) {
            (
                Column::Numbers(_),
                Domain::Numbers {
                    interval,
                    may_be_missing,
                },
            ) => Layout::Line(self.line(interval, *may_be_missing, weight)),
            (Column::Values(_), Domain::Values(tree)) => {
                let mut positions = SparseRows::default();
                for leaf in 0..tree.taxonomy.n_leaves() as Leaf {
                    positions.push(self.tree_position(
                        tree,
                        tree.taxonomy.node_of_leaf(leaf),
                        weight,
                    ));
                }
                Layout::Entries(positions)
            }
            (Column::Sets(_, sets), Domain::Sets { tree, .. }) => {
                let mut items = SparseRows::default();
                for leaf in 0..tree.taxonomy.n_leaves() as Leaf {
                    items.push(self.tree_position(tree, tree.taxonomy.node_of_leaf(leaf), weight));
                }
                Layout::Sets(self.set_layout(items, Arc::new(sets.clone())))
            }
            (Column::Masked(_, dictionary), domain @ Domain::Numbers { .. }) => {
                let mut positions = SparseRows::default();
                for value in dictionary.values() {
                    let spread = Spread::even(value, domain);
                    positions.push(self.spread_position(domain, &spread, weight));
                }
                Layout::Entries(positions)
            }
            (Column::Masked(_, dictionary), Domain::Values(tree)) => {
                let mut positions = SparseRows::default();
                for value in dictionary.values() {
                    positions.push(self.masked_position(tree, value, weight));
                }
                Layout::Entries(positions)
            }
            (Column::Masked(_, dictionary), Domain::Sets { tree, .. }) => {
                Layout::Sets(self.masked_sets(tree, dictionary.values(), weight))
            }
            _ => unreachable!("a table keeps columns and domains of one kind together"),
        }
    }

    fn line(&self, interval: &Interval, may_be_missing: bool, weight: f64) -> Line {
        let (unit, missing) = match self.encoding {
            Encoding::Semantic => (weight.sqrt(), (weight / 2.0).sqrt()),
            Encoding::OneHot => (1.0, 1.0),
        };
        Line {
            last: interval.last(),
            may_be_missing,
            scale: unit / f64::from(interval.last()),
            missing: [unit / 2.0, missing],
        }
    }

    /// The position of a leaf, or the symbol of any node.
    fn tree_position(&self, tree: &Tree, node: Node, weight: f64) -> Vec<(u32, f64)> {
        match self.encoding {
            Encoding::Semantic => {
                let step = path_step(tree, weight);
                tree.taxonomy.path(node).map(|at| (at - 1, step)).collect()
            }
            Encoding::OneHot => vec![(node, 1.0)],
        }
    }

    fn masked_position(&self, tree: &Tree, value: &MaskedValue, weight: f64) -> Vec<(u32, f64)> {
        match self.encoding {
            Encoding::Semantic => mean_of_leaves(tree, &value.leaf_shares(tree), weight),
            Encoding::OneHot => value
                .nodes(tree)
                .into_iter()
                .map(|node| (node, 1.0))
                .collect(),
        }
    }

    /// Where masked values lie whose spread is known: at the mean of the rows behind them. The one-hot encoding, to which
    /// a masked value is a symbol like any other, has no use for it.
    pub(super) fn spread_layout(
        &self,
        number: usize,
        field: &Field,
        column: &Column,
        spread: &ColumnSpread,
    ) -> Option<Layout> {
        if self.encoding == Encoding::OneHot {
            return None;
        }
        let weight = self.columns[number].weight;
        Some(match (spread, column, &field.domain) {
            (ColumnSpread::Entries { entries, .. }, _, domain) => {
                let mut positions = SparseRows::default();
                for entry in entries {
                    positions.push(self.spread_position(domain, entry, weight));
                }
                Layout::Entries(positions)
            }
            (
                ColumnSpread::Nodes(nodes),
                Column::Masked(_, dictionary),
                Domain::Sets { tree, .. },
            ) => {
                let sets: Vec<Vec<Node>> = dictionary
                    .values()
                    .iter()
                    .map(|value| value.nodes(tree))
                    .collect();
                Layout::Sets(self.node_sets(&sets, |node| {
                    let known = nodes.binary_search_by_key(&node, |(known, _)| *known);
                    let shares = &nodes[known.expect("every published node has its spread")].1;
                    mean_of_leaves(tree, shares, weight)
                }))
            }
            _ => unreachable!("a spread is made for the kind of its column"),
        })
    }

    fn spread_position(&self, domain: &Domain, spread: &Spread, weight: f64) -> Vec<(u32, f64)> {
        match (spread, domain) {
            (Spread::Leaves(shares), Domain::Values(tree) | Domain::Sets { tree, .. }) => {
                mean_of_leaves(tree, shares, weight)
            }
            (
                Spread::Numbers {
                    mean_place,
                    missing,
                },
                Domain::Numbers {
                    interval,
                    may_be_missing,
                },
            ) => {
                let line = self.line(interval, *may_be_missing, weight);
                let present = (1.0 - missing) * mean_place * line.scale;
                vec![
                    (0, present + missing * line.missing[0]),
                    (1, missing * line.missing[1]),
                ]
            }
            _ => unreachable!("a spread is made for the kind of its column"),
        }
    }

    fn masked_sets(&self, tree: &Tree, values: &[MaskedValue], weight: f64) -> SetLayout {
        let nodes_of = |value: &MaskedValue| match (value, self.encoding) {
            (MaskedValue::Rest(leaves), Encoding::Semantic) => leaves
                .iter()
                .map(|&leaf| tree.taxonomy.node_of_leaf(leaf))
                .collect(),
            _ => value.nodes(tree),
        };
        let sets: Vec<Vec<Node>> = values.iter().map(nodes_of).collect();
        self.node_sets(&sets, |node| {
            self.masked_position(tree, &MaskedValue::under(tree, node), weight)
        })
    }

    /// Sets of nodes: few nodes make many sets, so each node is placed once.
    fn node_sets(
        &self,
        sets: &[Vec<Node>],
        position: impl Fn(Node) -> Vec<(u32, f64)>,
    ) -> SetLayout {
        let mut nodes = sets.concat();
        nodes.sort_unstable();
        nodes.dedup();
        let mut items = SparseRows::default();
        for &node in &nodes {
            items.push(position(node));
        }
        let item_of =
            |node: &Node| nodes.binary_search(node).expect("every node was listed") as u32;
        let numbered = sets
            .iter()
            .map(|set| set.iter().map(item_of).collect::<Vec<u32>>());
        self.set_layout(items, Arc::new(SetDictionary::from_sets(numbered)))
    }

    fn set_layout(&self, items: SparseRows, sets: Arc<SetDictionary>) -> SetLayout {
        SetLayout::new(items, sets, self.encoding == Encoding::Semantic)
    }
}

/// What a leaf has on each node of its path.
fn path_step(tree: &Tree, weight: f64) -> f64 {
    (weight / (2.0 * f64::from(tree.taxonomy.height().max(1)))).sqrt()
}

/// The mean of the codes of leaves.
fn mean_of_leaves(tree: &Tree, shares: &[(Leaf, f64)], weight: f64) -> Vec<(u32, f64)> {
    let step = path_step(tree, weight);
    let taxonomy = &tree.taxonomy;
    let mut on_node = vec![0.0; taxonomy.n_nodes()];
    for &(leaf, share) in shares {
        on_node[taxonomy.node_of_leaf(leaf) as usize] += share;
    }
    for node in (1..taxonomy.n_nodes() as Node).rev() {
        on_node[taxonomy.parent(node) as usize] += on_node[node as usize];
    }
    (1..taxonomy.n_nodes() as Node)
        .filter(|&node| on_node[node as usize] > 0.0)
        .map(|node| (node - 1, on_node[node as usize] * step))
        .collect()
}
