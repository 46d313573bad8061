//! Synthetic sets of a cell.
//!
//! How many sets have how many items is known for the whole table. The items of all sets of a cell are dealt out
//! together, so that each occurs as often as its share says; first come those that a set of the cell must have, one
//! under each node that is present there.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::axis::Atom;
use super::histograms::SIZE_STARTS;
use super::model::Model;
use super::synthetic::{dealt, shuffled};
use crate::repeatable::Repeatable;
use crate::table::{Codes, Column, Leaf, SetDictionary};

/// Sets that were drawn, in the order of their rows.
#[derive(Debug, Default)]
pub(super) struct DrawnSets {
    codes: Vec<u32>,
    code_of: FxHashMap<Vec<Leaf>, u32>,
}

impl DrawnSets {
    fn push(&mut self, mut items: Vec<Leaf>) {
        items.sort_unstable();
        let next = self.code_of.len() as u32;
        self.codes.push(*self.code_of.entry(items).or_insert(next));
    }

    /// The column, its dictionary in lexical order.
    pub(super) fn into_column(self) -> Column {
        let mut sets: Vec<(Vec<Leaf>, u32)> = self.code_of.into_iter().collect();
        sets.sort_unstable();
        let mut new_code = vec![0; sets.len()];
        for (new, (_, old)) in sets.iter().enumerate() {
            new_code[*old as usize] = new as u32;
        }
        let codes = self.codes.iter().map(|&code| new_code[code as usize]);
        let codes = Codes::pack(codes, sets.len());
        let dictionary = SetDictionary::from_sets(sets.into_iter().map(|(items, _)| items));
        Column::Sets(codes, dictionary)
    }
}

/// Draws the sets of a cell.
pub(super) fn draw_sets(
    model: &Model<'_>,
    column: usize,
    cell: usize,
    n_rows: usize,
    random: &mut Repeatable,
    drawn: &mut DrawnSets,
) {
    let Some(own) = &model.plan.cells()[cell] else {
        return;
    };
    let shares = model.shares_of_rows(column, cell);
    let loners = model.mosaic.axes[column].loners();
    let (alone, ordinary): (Vec<_>, Vec<_>) =
        shares.iter().partition(|(atom, _)| loners.contains(atom));
    // Which rows are the empty set, or have none, and which have items: one draw for both.
    let any_item = loners.len() as Atom;
    let mut kinds: Vec<(Atom, f64)> = alone
        .iter()
        .map(|(atom, share)| (loner_number(&loners, *atom), *share))
        .collect();
    kinds.push((any_item, ordinary.iter().map(|(_, share)| share).sum()));
    let kinds = shuffled(&dealt(&kinds, n_rows, random), random);
    let n_sets = kinds.iter().filter(|&&kind| kind == any_item).count();
    let required = lowest(own.regions[column].present());
    let mut sets = deal_sets(&ordinary, &required, model.sizes(column), n_sets, random).into_iter();
    for kind in kinds {
        drawn.push(match loners.get(kind as usize) {
            Some(&loner) => vec![loner],
            None => sets.next().unwrap_or_default(),
        });
    }
}

fn loner_number(loners: &[Atom], loner: Atom) -> Atom {
    let number = loners.iter().position(|&other| other == loner);
    number.unwrap_or(0) as Atom
}

/// The ranges that contain no other one.
fn lowest(present: &[Range<Atom>]) -> Vec<Range<Atom>> {
    let contains = |outer: &Range<Atom>, inner: &Range<Atom>| {
        outer != inner && outer.start <= inner.start && inner.end <= outer.end
    };
    let is_lowest = |range: &&Range<Atom>| !present.iter().any(|other| contains(range, other));
    present.iter().filter(is_lowest).cloned().collect()
}

/// Deals sets of ordinary items, each with an item of every required range.
fn deal_sets(
    shares: &[(Atom, f64)],
    required: &[Range<Atom>],
    sizes: &[f64],
    n_sets: usize,
    random: &mut Repeatable,
) -> Vec<Vec<Leaf>> {
    let mut sets: Vec<Vec<Leaf>> = vec![Vec::new(); n_sets];
    if shares.is_empty() || n_sets == 0 {
        return sets;
    }
    let least = required.len().max(1);
    let wanted: Vec<usize> = draw_sizes(sizes, n_sets, random)
        .into_iter()
        .map(|size| size.clamp(least, shares.len().max(least)))
        .collect();
    let mut items = shuffled(&dealt(shares, wanted.iter().sum(), random), random);
    for range in required {
        let (mut inside, outside): (Vec<Atom>, Vec<Atom>) =
            items.into_iter().partition(|item| range.contains(item));
        items = outside;
        let own: Vec<(Atom, f64)> = shares
            .iter()
            .filter(|(atom, _)| range.contains(atom))
            .copied()
            .collect();
        let lacking = n_sets.saturating_sub(inside.len());
        inside.extend(shuffled(&dealt(&own, lacking, random), random));
        items.extend(inside.split_off(n_sets.min(inside.len())));
        for (set, item) in sets.iter_mut().zip(inside) {
            set.push(item);
        }
    }
    let mut items = shuffled(&items, random);
    for (set, wanted) in sets.iter_mut().zip(wanted) {
        while set.len() < wanted {
            // An item that the set has already is left for another one.
            let Some(at) = items.iter().rposition(|item| !set.contains(item)) else {
                break;
            };
            set.push(items.swap_remove(at));
        }
        if let (true, Some(&(first, _))) = (set.is_empty(), shares.first()) {
            set.push(first);
        }
    }
    sets
}

/// How many items each of so many sets has.
fn draw_sizes(sizes: &[f64], n_sets: usize, random: &mut Repeatable) -> Vec<usize> {
    let shares: Vec<(Atom, f64)> = (0..).zip(sizes.iter().copied()).collect();
    let bins = shuffled(&dealt(&shares, n_sets, random), random);
    bins.into_iter()
        .map(|bin| {
            let start = SIZE_STARTS[bin as usize];
            let next = SIZE_STARTS.get(bin as usize + 1);
            let width = next.map_or(1, |next| next - start);
            start + random.below(width as u128) as usize
        })
        .collect()
}
