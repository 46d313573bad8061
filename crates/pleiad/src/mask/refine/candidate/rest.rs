//! The hidden rest of a column without a taxonomy: any one of its values could be disclosed.

use super::{Group, Smallest};
use crate::mask::refine::gain::{ClassCounts, information_gain, n_rows};
use crate::mask::refine::partition::Tally;

/// What is still hidden.
#[derive(Debug)]
pub(in crate::mask::refine) struct OpenRest {
    pub(super) hidden: Vec<bool>,
    /// What disclosing each code would tell.
    gains: Vec<f64>,
    /// For each quasi-identifier the smallest group that carries the rest, and for each code the smallest part.
    before: Vec<u32>,
    after: Vec<Vec<u32>>,
    /// Codes that may still be disclosed.
    possible: Vec<u32>,
    /// Room for counting people with a single value.
    only: Vec<u32>,
}

impl OpenRest {
    /// Everything hidden, with the number of rows.
    pub(in crate::mask::refine) fn new(counts: &ClassCounts, n_qids: usize) -> (Self, u64) {
        let n_codes = counts.n_values();
        let mut rest = Self {
            hidden: vec![true; n_codes],
            gains: vec![0.0; n_codes],
            before: vec![u32::MAX; n_qids],
            after: vec![vec![u32::MAX; n_codes]; n_qids],
            possible: (0..n_codes as u32)
                .filter(|&code| n_rows(counts.of(code as usize)) > 0)
                .collect(),
            only: Vec::new(),
        };
        let n_rows = rest.update_gains(counts);
        (rest, n_rows)
    }

    /// Discloses a code: what is left is a new rest, whose groups have yet to be seen. Returns its number of rows.
    pub(in crate::mask::refine) fn disclose(&mut self, code: u32, counts: &ClassCounts) -> u64 {
        self.hidden[code as usize] = false;
        self.possible.retain(|&possible| possible != code);
        self.before.fill(u32::MAX);
        for after in &mut self.after {
            after.fill(u32::MAX);
        }
        self.update_gains(counts)
    }

    fn update_gains(&mut self, counts: &ClassCounts) -> u64 {
        let hidden = (0..counts.n_values()).filter(|&code| self.hidden[code]);
        let whole = counts.sum(hidden);
        let mut others = whole.clone();
        for &code in &self.possible {
            let own = counts.of(code as usize);
            for ((others, all), own) in others.iter_mut().zip(&whole).zip(own) {
                *others = all - own;
            }
            self.gains[code as usize] = information_gain(&whole, [own, &others[..]].into_iter());
        }
        n_rows(&whole)
    }

    pub(super) fn see<C: Copy + Into<u32>>(
        &mut self,
        group: Group<'_>,
        codes: &[C],
        tally: &mut Tally,
    ) {
        self.before[group.slot] = self.before[group.slot].min(group.n_people);
        let after = &mut self.after[group.slot];
        let code_of = |row: u32| codes[row as usize].into();
        // Who has other values too stays in the rest when one of them is disclosed.
        if let Some(people) = group.rows.person_of_row {
            self.only.resize(after.len(), 0);
            for rows in group.rows.by_person(people) {
                let code = code_of(rows[0]);
                if rows.iter().all(|&row| code_of(row) == code) {
                    self.only[code as usize] += 1;
                }
            }
        }
        let only = &mut self.only;
        tally.count(group.rows, after.len(), code_of, |code, people| {
            let leaving = match group.rows.person_of_row {
                None => people,
                Some(_) => std::mem::take(&mut only[code as usize]),
            };
            let rest = group.n_people - leaving;
            let smallest = if rest == 0 { people } else { people.min(rest) };
            after[code as usize] = after[code as usize].min(smallest);
        });
    }

    /// Drops the codes that cannot be disclosed any more; returns whether any is left.
    pub(in crate::mask::refine) fn drop_impossible(&mut self, at_least: &[u32]) -> bool {
        let mut possible = std::mem::take(&mut self.possible);
        possible.retain(|&code| {
            let mut qids = at_least.iter().enumerate();
            qids.all(|(slot, &at_least)| self.smallest(slot, code).after >= at_least)
        });
        self.possible = possible;
        !self.possible.is_empty()
    }

    /// The codes that may be disclosed, with what that would tell.
    pub(super) fn options(&self) -> impl Iterator<Item = (u32, f64)> {
        let with_gain = |&code: &u32| (code, self.gains[code as usize]);
        self.possible.iter().map(with_gain)
    }

    pub(super) fn smallest(&self, slot: usize, code: u32) -> Smallest {
        Smallest {
            before: self.before[slot],
            // A group without the code stays as it is.
            after: self.before[slot].min(self.after[slot][code as usize]),
        }
    }
}
