//! Open values: masked values that rows carry and that could still be refined, and what that would bring and cost.

mod interval;
mod node;
mod rest;

pub(super) use interval::OpenInterval;
pub(super) use node::{ELSEWHERE, OpenNode};
pub(super) use rest::OpenRest;

use super::forbidden::Forbidden;
use super::partition::{Rows, Tally};
use crate::table::{Codes, with_codes};

/// The smallest group that carries a value, and the smallest after refining it; running minima.
#[derive(Debug, Clone, Copy)]
pub(super) struct Smallest {
    pub(super) before: u32,
    pub(super) after: u32,
}

impl Smallest {
    const NO_GROUP_YET: Self = Self {
        before: u32::MAX,
        after: u32::MAX,
    };
}

/// A masked value that could still be refined.
#[derive(Debug)]
pub(super) struct OpenValue {
    pub(super) open: Open,
    /// Rows that carry it.
    pub(super) n_rows: u64,
    /// For each quasi-identifier with the column the groups that carry it, some more than once.
    groups: Vec<Vec<u32>>,
}

/// The ways in which values are refined.
#[derive(Debug)]
pub(super) enum Open {
    Node(OpenNode),
    Rest(OpenRest),
    Interval(OpenInterval),
}

/// Room that all measuring shares.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    tally: Tally,
    values: Vec<u32>,
}

/// A group as a column sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group<'a> {
    pub(super) number: u32,
    /// The quasi-identifier, by its place among those with the column.
    pub(super) slot: usize,
    pub(super) rows: Rows<'a>,
    pub(super) n_people: u32,
    /// How many people a group must have.
    pub(super) at_least: u32,
}

impl OpenValue {
    pub(super) fn new(open: Open, n_rows: u64, n_qids: usize) -> Self {
        Self {
            open,
            n_rows,
            groups: vec![Vec::new(); n_qids],
        }
    }

    /// For each quasi-identifier with the column the groups that carry the value, each once.
    pub(super) fn take_groups(&mut self) -> Vec<Vec<u32>> {
        let mut groups = std::mem::take(&mut self.groups);
        for groups in &mut groups {
            groups.sort_unstable();
            groups.dedup();
        }
        groups
    }

    /// Measures a split of an interval that was not looked at before; `rows` finds the rows of a group.
    pub(super) fn measure<'a>(
        &mut self,
        split: u32,
        codes: &Codes,
        rows: impl Fn(usize, u32) -> Rows<'a>,
    ) {
        let Open::Interval(interval) = &mut self.open else {
            return;
        };
        if !interval.start_measuring(split) {
            return;
        }
        for (slot, groups) in self.groups.iter_mut().enumerate() {
            groups.sort_unstable();
            groups.dedup();
            for &group in &*groups {
                with_codes!(codes, codes => interval.measure(slot, rows(slot, group), codes, split));
            }
        }
    }

    /// Whether rows with this code carry the value.
    pub(super) fn carries(&self, code: u32) -> bool {
        match &self.open {
            Open::Node(node) => node.keys[code as usize] != ELSEWHERE,
            Open::Rest(rest) => rest.hidden[code as usize],
            Open::Interval(interval) => (interval.first..=interval.last).contains(&code),
        }
    }

    /// Takes a new group that carries the value into account; returns whether the value can still be refined, as far
    /// as is known yet. What breaks the promise now always will.
    pub(super) fn see(
        &mut self,
        group: Group<'_>,
        codes: &Codes,
        forbidden: &mut Forbidden,
        scratch: &mut Scratch,
    ) -> bool {
        self.groups[group.slot].push(group.number);
        with_codes!(codes, codes => match &mut self.open {
            Open::Node(node) => node.see(group, codes, &mut scratch.tally),
            Open::Rest(rest) => {
                rest.see(group, codes, &mut scratch.tally);
                true
            }
            Open::Interval(interval) => interval.see(group, codes, forbidden, &mut scratch.values),
        })
    }

    /// The refinements that keep the promise: where, and what they tell.
    pub(super) fn options(&mut self, forbidden: &Forbidden, options: &mut Vec<(u32, f64)>) {
        options.clear();
        match &mut self.open {
            Open::Node(node) => options.push((0, node.gain)),
            Open::Rest(rest) => options.extend(rest.options()),
            Open::Interval(interval) => options.extend(interval.best(forbidden)),
        }
    }

    /// The smallest groups with and without a refinement; of an interval, of the split that was measured last.
    pub(super) fn smallest(&self, slot: usize, at: u32) -> Smallest {
        match &self.open {
            Open::Node(node) => node.smallest[slot],
            Open::Rest(rest) => rest.smallest(slot, at),
            Open::Interval(interval) => interval.smallest[slot],
        }
    }
}
