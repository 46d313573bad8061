//! An interval that could be split in two.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{Group, Smallest};
use crate::mask::refine::forbidden::Forbidden;
use crate::mask::refine::gain::{ClassCounts, n_rows, split_gains};
use crate::mask::refine::params::Split;
use crate::mask::refine::partition::Rows;

/// An interval of ranks, both ends included.
#[derive(Debug)]
pub(in crate::mask::refine) struct OpenInterval {
    pub(in crate::mask::refine) first: u32,
    pub(in crate::mask::refine) last: u32,
    /// Where it could be split, the best on top.
    splits: BinaryHeap<PossibleSplit>,
    /// The split that the minima below are about.
    measured: Option<u32>,
    pub(super) smallest: Vec<Smallest>,
}

/// Where an interval could be split: the rank that its right part would begin with. The greatest is the one of highest
/// gain, then of smallest rank.
#[derive(Debug, Clone, Copy)]
struct PossibleSplit {
    rank: u32,
    gain: f64,
}

impl Ord for PossibleSplit {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_gain = self.gain.total_cmp(&other.gain);
        by_gain.then(other.rank.cmp(&self.rank))
    }
}

impl PartialOrd for PossibleSplit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PossibleSplit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PossibleSplit {}

impl OpenInterval {
    /// The interval with the number of rows in it; nothing if no split of it can keep the promise.
    pub(in crate::mask::refine) fn new(
        (first, last): (u32, u32),
        counts: &ClassCounts,
        split: Split,
        forbidden: &Forbidden,
        n_qids: usize,
    ) -> Option<(Self, u64)> {
        let all = split_gains(counts, first, last).map(|(rank, gain)| PossibleSplit { rank, gain });
        let is_free = |split: &PossibleSplit| forbidden.is_free(split.rank);
        let splits: BinaryHeap<PossibleSplit> = match split {
            Split::BestValid => all.filter(is_free).collect(),
            Split::Paper => all.max().into_iter().filter(is_free).collect(),
        };
        (!splits.is_empty()).then(|| {
            let open = Self {
                first,
                last,
                splits,
                measured: None,
                smallest: vec![Smallest::NO_GROUP_YET; n_qids],
            };
            let rows = counts.sum(first as usize..=last as usize);
            (open, n_rows(&rows))
        })
    }

    /// The best split that keeps the promise, with its gain.
    pub(super) fn best(&mut self, forbidden: &Forbidden) -> Option<(u32, f64)> {
        while let Some(split) = self.splits.peek() {
            if forbidden.is_free(split.rank) {
                return Some((split.rank, split.gain));
            }
            self.splits.pop();
        }
        None
    }

    pub(super) fn see<C: Copy + Into<u32>>(
        &mut self,
        group: Group<'_>,
        codes: &[C],
        forbidden: &mut Forbidden,
        scratch: &mut Vec<u32>,
    ) -> bool {
        let smallest = &mut self.smallest[group.slot];
        smallest.before = smallest.before.min(group.n_people);
        let bounds = (self.first, self.last);
        let spread = Spread::of(group.rows, codes, bounds, group.at_least as usize, scratch);
        forbidden.forbid(spread.least + 1, spread.h_th_low);
        forbidden.forbid(spread.h_th_high + 1, spread.greatest);
        if let Some(split) = self.measured
            && forbidden.is_free(split)
        {
            self.measure(group.slot, group.rows, codes, split);
        }
        self.best(forbidden).is_some()
    }

    /// Starts the minima anew for a split, unless they are about it already; every group that carries the interval
    /// must be measured then.
    pub(super) fn start_measuring(&mut self, split: u32) -> bool {
        let is_new = self.measured != Some(split);
        if is_new {
            self.measured = Some(split);
            for smallest in &mut self.smallest {
                smallest.after = u32::MAX;
            }
        }
        is_new
    }

    /// Takes a group into the minimum of a split.
    pub(super) fn measure<C: Copy + Into<u32>>(
        &mut self,
        slot: usize,
        rows: Rows<'_>,
        codes: &[C],
        split: u32,
    ) {
        let is_left = |&row: &u32| codes[row as usize].into() < split;
        let (left, right) = match rows.person_of_row {
            None => {
                let left = rows.rows.iter().filter(|&row| is_left(row)).count();
                (left, rows.rows.len() - left)
            }
            Some(people) => rows.by_person(people).fold((0, 0), |(left, right), rows| {
                let n_left = rows.iter().filter(|&row| is_left(row)).count();
                (
                    left + usize::from(n_left > 0),
                    right + usize::from(n_left < rows.len()),
                )
            }),
        };
        let after = &mut self.smallest[slot].after;
        for people in [left, right] {
            if people > 0 {
                *after = (*after).min(people as u32);
            }
        }
    }
}

/// How the people of a group lie on the line. A split may leave nobody on a side, or enough people. With the people in
/// the order of their least value, splits after the first's and up to the h-th's leave too few on the left; with the
/// people in the order of their greatest value, likewise on the right.
#[derive(Debug)]
struct Spread {
    least: u32,
    h_th_low: u32,
    h_th_high: u32,
    greatest: u32,
}

impl Spread {
    /// The spread of a group of at least `h` people.
    fn of<C: Copy + Into<u32>>(
        rows: Rows<'_>,
        codes: &[C],
        (first, last): (u32, u32),
        h: usize,
        scratch: &mut Vec<u32>,
    ) -> Self {
        let value = |&row: &u32| codes[row as usize].into();
        scratch.clear();
        let Some(people) = rows.person_of_row else {
            if rows.rows.len() > (last - first) as usize {
                scratch.resize((last - first) as usize + 1, 0);
                for row in rows.rows {
                    scratch[(value(row) - first) as usize] += 1;
                }
                return Self::of_counts(scratch, first, h as u32);
            }
            scratch.extend(rows.rows.iter().map(value));
            return Self::of_values(scratch, h);
        };
        let by_person = || rows.by_person(people);
        scratch.extend(by_person().filter_map(|rows| rows.iter().map(value).min()));
        let lows = Self::of_values(scratch, h);
        scratch.clear();
        scratch.extend(by_person().filter_map(|rows| rows.iter().map(value).max()));
        let highs = Self::of_values(scratch, h);
        Self {
            least: lows.least,
            h_th_low: lows.h_th_low,
            h_th_high: highs.h_th_high,
            greatest: highs.greatest,
        }
    }

    /// From a value of each person.
    fn of_values(values: &mut [u32], h: usize) -> Self {
        let last = values.len() - 1;
        let mut nth = |n: usize| *values.select_nth_unstable(n).1;
        Self {
            h_th_low: nth(h - 1),
            h_th_high: nth(last + 1 - h),
            least: nth(0),
            greatest: nth(last),
        }
    }

    /// From the number of people at each value, the first of which is `first`.
    fn of_counts(counts: &[u32], first: u32, h: u32) -> Self {
        fn nth<'c>(counts: impl Iterator<Item = (u32, &'c u32)>, n: u32) -> u32 {
            let mut seen = 0;
            let is_passed = |&(_, &count): &(u32, &u32)| {
                seen += count;
                seen < n
            };
            let mut from_there = counts.skip_while(is_passed);
            from_there.next().map_or(0, |(value, _)| value)
        }
        let up = || (first..).zip(counts);
        let down = || {
            (0..counts.len())
                .rev()
                .map(|at| (first + at as u32, &counts[at]))
        };
        Self {
            least: nth(up(), 1),
            h_th_low: nth(up(), h),
            h_th_high: nth(down(), h),
            greatest: nth(down(), 1),
        }
    }
}
