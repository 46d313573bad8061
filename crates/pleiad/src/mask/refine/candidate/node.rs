//! A value that could be refined in one way: a node into its children, a number or none into the two.

use super::{Group, Smallest};
use crate::mask::refine::gain::{ClassCounts, information_gain, n_rows};
use crate::mask::refine::partition::Tally;

/// A key for codes that do not carry the value.
pub(in crate::mask::refine) const ELSEWHERE: u32 = u32::MAX;

/// A value with the parts that it would fall into.
#[derive(Debug)]
pub(in crate::mask::refine) struct OpenNode {
    /// The part that each code falls into.
    pub(super) keys: Vec<u32>,
    n_keys: usize,
    pub(super) gain: f64,
    pub(super) smallest: Vec<Smallest>,
}

impl OpenNode {
    /// The open value with the number of rows that carry it; nothing if there are none.
    pub(in crate::mask::refine) fn new(
        keys: Vec<u32>,
        n_keys: usize,
        counts: &ClassCounts,
        n_qids: usize,
    ) -> Option<(Self, u64)> {
        let mut parts = ClassCounts::zero(n_keys, counts.n_classes());
        for (code, &key) in keys.iter().enumerate() {
            if key != ELSEWHERE {
                parts.add(key as usize, counts.of(code));
            }
        }
        let whole = parts.sum(0..n_keys);
        let open = Self {
            gain: information_gain(&whole, (0..n_keys).map(|key| parts.of(key))),
            keys,
            n_keys,
            smallest: vec![Smallest::NO_GROUP_YET; n_qids],
        };
        let n_rows = n_rows(&whole);
        (n_rows > 0).then_some((open, n_rows))
    }

    /// The part that each code falls into, and how many parts there are.
    pub(in crate::mask::refine) fn into_parts(self) -> (Vec<u32>, usize) {
        (self.keys, self.n_keys)
    }

    pub(super) fn see<C: Copy + Into<u32>>(
        &mut self,
        group: Group<'_>,
        codes: &[C],
        tally: &mut Tally,
    ) -> bool {
        let smallest = &mut self.smallest[group.slot];
        smallest.before = smallest.before.min(group.n_people);
        let keys = &self.keys;
        tally.count(
            group.rows,
            self.n_keys,
            |row| keys[codes[row as usize].into() as usize],
            |_, people| smallest.after = smallest.after.min(people),
        );
        smallest.after >= group.at_least
    }
}
