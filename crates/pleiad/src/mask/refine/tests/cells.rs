//! Raw and masked cells one by one, and what refining a value makes of them.

use std::collections::BTreeSet;

use crate::table::{Column, Domain, Leaf, MaskedValue, Node, Place, Table, Taxonomy, Tree};

/// What a masked cell says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Cell {
    Node(Node),
    /// The hidden rest of a column without a taxonomy.
    Hidden,
    Disclosed(Leaf),
    /// A number or none.
    NumberOrMissing,
    Missing,
    /// From the first place to the last.
    Interval(Place, Place),
    Items(BTreeSet<Node>),
}

/// What a raw cell says.
#[derive(Debug, Clone, Copy)]
pub(super) enum Raw<'t> {
    Leaf(&'t Tree, Leaf),
    Items(&'t Tree, &'t [Leaf]),
    Place(Place),
    NoPlace,
}

/// A way to refine a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    Children(Node),
    Disclose(Leaf),
    /// With the last place of the line.
    TellMissingApart(Place),
    /// The interval's first and last place, and where its right part begins.
    Split(Place, Place, Place),
}

pub(super) fn raw_cell(table: &Table, column: usize, row: usize) -> Raw<'_> {
    let domain = &table.fields()[column].domain;
    let column = &table.columns()[column];
    let code = column.codes().get(row);
    match (domain, column) {
        (Domain::Values(tree), _) => Raw::Leaf(tree, code),
        (Domain::Sets { tree, .. }, Column::Sets(_, sets)) => Raw::Items(tree, sets.items(code)),
        (Domain::Numbers { interval, .. }, _) if code == interval.missing() => Raw::NoPlace,
        (Domain::Numbers { .. }, _) => Raw::Place(code),
        _ => panic!("a raw column of its kind"),
    }
}

/// What a cell becomes, if it carries the value that is refined.
pub(super) fn refine_cell(cell: &Cell, raw: Raw<'_>, way: Way) -> Option<Cell> {
    match (way, cell, raw) {
        (Way::Children(node), Cell::Node(own), Raw::Leaf(tree, leaf)) if *own == node => {
            Some(Cell::Node(child_towards(&tree.taxonomy, node, leaf)))
        }
        (Way::Children(node), Cell::Items(nodes), Raw::Items(tree, items))
            if nodes.contains(&node) =>
        {
            let taxonomy = &tree.taxonomy;
            let below = |&leaf: &Leaf| taxonomy.leaves(node).contains(&leaf);
            let mut nodes = nodes.clone();
            nodes.remove(&node);
            for &leaf in items.iter().filter(|leaf| below(leaf)) {
                nodes.insert(child_towards(taxonomy, node, leaf));
            }
            Some(Cell::Items(nodes))
        }
        (Way::Disclose(value), Cell::Hidden, Raw::Leaf(_, leaf)) => Some(if leaf == value {
            Cell::Disclosed(leaf)
        } else {
            Cell::Hidden
        }),
        (Way::TellMissingApart(_), Cell::NumberOrMissing, Raw::NoPlace) => Some(Cell::Missing),
        (Way::TellMissingApart(last), Cell::NumberOrMissing, Raw::Place(_)) => {
            Some(Cell::Interval(0, last))
        }
        (Way::Split(first, last, at), Cell::Interval(own, _), Raw::Place(place))
            if *own == first =>
        {
            Some(if place < at {
                Cell::Interval(first, at - 1)
            } else {
                Cell::Interval(at, last)
            })
        }
        _ => None,
    }
}

/// The cell that a masked value is in.
pub(super) fn cell(domain: &Domain, value: &MaskedValue) -> Cell {
    let missing = |tree: &Tree| tree.taxonomy.node_of_leaf(tree.taxonomy.missing().unwrap());
    match (domain, value) {
        (Domain::Values(tree), value) if tree.is_star => match value {
            MaskedValue::Missing => Cell::Disclosed(tree.taxonomy.missing().unwrap()),
            MaskedValue::Node(node) => Cell::Disclosed(tree.taxonomy.leaf_of_node(*node).unwrap()),
            _ => Cell::Hidden,
        },
        (Domain::Values(_), MaskedValue::Node(node)) => Cell::Node(*node),
        (Domain::Values(tree), MaskedValue::Missing) => Cell::Node(missing(tree)),
        (Domain::Values(_), _) => Cell::Node(0),
        (Domain::Sets { .. }, MaskedValue::Nodes(nodes)) => {
            Cell::Items(nodes.iter().copied().collect())
        }
        (Domain::Sets { tree, .. }, MaskedValue::Missing) => {
            Cell::Items(BTreeSet::from([missing(tree)]))
        }
        (Domain::Sets { .. }, _) => Cell::Items(BTreeSet::from([0])),
        (Domain::Numbers { .. }, MaskedValue::Missing) => Cell::Missing,
        (Domain::Numbers { .. }, MaskedValue::Number(place)) => Cell::Interval(*place, *place),
        (Domain::Numbers { .. }, MaskedValue::Range(first, last)) => Cell::Interval(*first, *last),
        (Domain::Numbers { .. }, _) => Cell::NumberOrMissing,
    }
}

/// All ways to refine a value that rows of a column carry, valid or not, in the order that breaks ties.
pub(super) fn ways(table: &Table, column: usize, cells: &[Cell]) -> BTreeSet<Way> {
    let domain = &table.fields()[column].domain;
    let has_children = |node: Node| {
        let taxonomy = &domain.tree().unwrap().taxonomy;
        taxonomy.children(node).next().is_some()
    };
    let mut ways = BTreeSet::new();
    for (row, cell) in cells.iter().enumerate() {
        match (cell, raw_cell(table, column, row), domain) {
            (Cell::Node(node), ..) => {
                ways.extend(has_children(*node).then_some(Way::Children(*node)));
            }
            (Cell::Items(nodes), ..) => {
                let open = nodes.iter().filter(|&&node| has_children(node));
                ways.extend(open.map(|&node| Way::Children(node)));
            }
            (Cell::Hidden, Raw::Leaf(_, leaf), _) => ways.extend([Way::Disclose(leaf)]),
            (Cell::NumberOrMissing, _, Domain::Numbers { interval, .. }) => {
                ways.extend([Way::TellMissingApart(interval.last())]);
            }
            (Cell::Interval(first, last), Raw::Place(place), _) => {
                // Something must be left of a split.
                let is_least = (0..cells.len()).all(|other| match raw_cell(table, column, other) {
                    Raw::Place(other) => !(*first..place).contains(&other),
                    _ => true,
                });
                ways.extend((!is_least).then_some(Way::Split(*first, *last, place)));
            }
            _ => {}
        }
    }
    ways
}

fn child_towards(taxonomy: &Taxonomy, node: Node, leaf: Leaf) -> Node {
    let mut children = taxonomy.children(node);
    children
        .find(|&child| taxonomy.leaves(child).contains(&leaf))
        .expect("the leaf lies below the node")
}
