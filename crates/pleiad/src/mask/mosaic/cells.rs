//! The cells as a table of generalised values with weights, and where each of them lies.

use std::sync::Arc;

use super::axis::{Atom, Axis, NumberAxis};
use super::marginal::mean_place;
use super::model::{CellSpread, Model};
use super::region::Region;
use crate::table::{
    Codes, Column, ColumnSpread, MaskedDictionary, MaskedValue, Node, Place, Spread, Table, Tree,
};

/// The cells that hold somebody.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// What is possible in each cell; the weights are the people in it.
    pub table: Table,
    /// How the people of each cell spread over the values of each column.
    pub spreads: Vec<Option<ColumnSpread>>,
    /// The number of each cell: its answers to the tests, the first in the highest bit.
    pub(super) numbers: Vec<usize>,
}

impl Cells {
    pub(super) fn new(model: &Model<'_>) -> Self {
        let people = model.cell_people();
        let numbers: Vec<usize> = (0..people.len()).filter(|&cell| people[cell] > 0).collect();
        let fields = &model.mosaic.fields;
        let columns = 0..fields.len();
        // A cell for each person, collapsed: no two cells look alike, since every test separates what it cuts.
        let cell_of_person: Vec<u32> = (0..)
            .zip(&numbers)
            .flat_map(|(row, &cell)| std::iter::repeat_n(row, people[cell] as usize))
            .collect();
        let masked = columns
            .clone()
            .map(|column| masked_column(model, column, &numbers, &cell_of_person))
            .collect();
        let collapsed = Table::new(fields.clone(), masked, None).collapse();
        Self {
            table: collapsed.table,
            spreads: columns
                .map(|column| Some(column_spread(model, column, &numbers)))
                .collect(),
            numbers,
        }
    }
}

/// What the cells say about a column, once for each person.
fn masked_column(
    model: &Model<'_>,
    column: usize,
    cells: &[usize],
    cell_of_person: &[u32],
) -> Column {
    let axis = &model.mosaic.axes[column];
    let mut dictionary = MaskedDictionary::default();
    let mut known: Vec<(&Arc<Region>, u32)> = Vec::new();
    let codes: Vec<u32> = cells
        .iter()
        .filter_map(|&cell| model.plan.cells()[cell].as_ref())
        .map(|cell| {
            let region = &cell.regions[column];
            if let Some((_, code)) = known.iter().find(|(known, _)| Arc::ptr_eq(known, region)) {
                return *code;
            }
            let code = dictionary.code(masked_value(axis, region));
            known.push((region, code));
            code
        })
        .collect();
    let of_person = cell_of_person.iter().map(|&cell| codes[cell as usize]);
    let packed = Codes::pack(of_person, dictionary.values().len());
    Column::Masked(packed, dictionary)
}

/// What a region says in words. Where a number may be missing besides being small, and where a set lacks items, no
/// masked value says exactly that; then it says less.
fn masked_value(axis: &Axis, region: &Region) -> MaskedValue {
    match axis {
        Axis::Numbers(numbers) => masked_number(numbers, region),
        Axis::Values(tree) => masked_leaves(tree, region),
        Axis::Sets(tree) => {
            let mut nodes: Vec<Node> = region
                .present()
                .iter()
                .map(|leaves| node_of(tree, leaves))
                .collect();
            let is_loner = region.atoms().nth(1).is_none()
                && region.atoms().all(|atom| axis.loners().contains(&atom));
            if !is_loner {
                nodes.push(0);
            } else if nodes.is_empty() {
                nodes.extend(region.atoms().map(|leaf| tree.taxonomy.node_of_leaf(leaf)));
            }
            MaskedValue::items(tree, nodes)
        }
    }
}

fn masked_number(numbers: &NumberAxis, region: &Region) -> MaskedValue {
    let n_bins = numbers.n_bins() as Atom;
    let can_be_missing = numbers.may_be_missing && region.allows(n_bins);
    let mut bins = region.atoms().filter(|&atom| atom < n_bins);
    match (bins.next(), can_be_missing) {
        (None, _) => MaskedValue::Missing,
        (Some(_), true) => MaskedValue::Anything,
        (Some(first), false) => {
            let last = bins.last().unwrap_or(first);
            let end = numbers.places(last).end - 1;
            MaskedValue::range(numbers.places(first).start as Place, end as Place)
        }
    }
}

fn masked_leaves(tree: &Tree, region: &Region) -> MaskedValue {
    let taxonomy = &tree.taxonomy;
    let leaves: Vec<Atom> = region.atoms().collect();
    if let (Some(&first), Some(&last)) = (leaves.first(), leaves.last()) {
        let [first, last] = [first, last].map(|leaf| taxonomy.node_of_leaf(leaf));
        let node = taxonomy.lowest_common_ancestor(first, last);
        if taxonomy.leaves(node).len() == leaves.len() {
            return MaskedValue::under(tree, node);
        }
    }
    MaskedValue::Region(leaves)
}

/// The highest node with these leaves.
fn node_of(tree: &Tree, leaves: &std::ops::Range<Atom>) -> Node {
    let taxonomy = &tree.taxonomy;
    taxonomy
        .path(taxonomy.node_of_leaf(leaves.start))
        .filter(|&node| taxonomy.leaves(node) == *leaves)
        .last()
        .unwrap_or(0)
}

fn column_spread(model: &Model<'_>, column: usize, cells: &[usize]) -> ColumnSpread {
    // Cells that agree on all cuts up to here spread alike.
    let later_cuts = model.plan.cuts().len() - model.settled_after(column);
    let mut entries: Vec<Spread> = Vec::new();
    let mut newest = None;
    let codes: Vec<u32> = cells
        .iter()
        .map(|&cell| {
            if newest.replace(cell >> later_cuts) != Some(cell >> later_cuts) {
                let spread = model.spread(column, cell);
                entries.push(as_spread(&model.mosaic.axes[column], spread));
            }
            entries.len() as u32 - 1
        })
        .collect();
    ColumnSpread::Entries {
        codes: Codes::pack(codes, entries.len()),
        entries,
    }
}

fn as_spread(axis: &Axis, spread: CellSpread) -> Spread {
    match (axis, spread) {
        (_, CellSpread::Mean(mean_place)) => Spread::Numbers {
            mean_place,
            missing: 0.0,
        },
        (Axis::Numbers(numbers), CellSpread::Shares(shares)) => {
            let n_bins = numbers.n_bins() as Atom;
            let (present, missing): (Vec<_>, Vec<_>) =
                shares.into_iter().partition(|(atom, _)| *atom < n_bins);
            Spread::Numbers {
                mean_place: mean_place(numbers, &present),
                missing: missing.iter().map(|(_, share)| share).sum::<f64>().min(1.0),
            }
        }
        (Axis::Values(_) | Axis::Sets(_), CellSpread::Shares(shares)) => Spread::Leaves(shares),
    }
}
