//! Rows grouped by what they look like on the columns of one quasi-identifier.
//!
//! A group is a stretch of a list of rows. Splitting one keeps the order within its parts, so rows of one person, which
//! stand together at the start, stand together for ever: counting people is counting changes.

use std::ops::Range;

/// Rows with the people they are about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) rows: &'a [u32],
    /// Whom each row of the table is about; without it every row is a person.
    pub(super) person_of_row: Option<&'a [u32]>,
}

impl<'a> Rows<'a> {
    /// The stretches of rows that are about one person each.
    pub(super) fn by_person(self, people: &'a [u32]) -> impl Iterator<Item = &'a [u32]> {
        self.rows
            .chunk_by(|&a, &b| people[a as usize] == people[b as usize])
    }

    /// How many people the rows are about.
    pub(super) fn n_people(self) -> u32 {
        match self.person_of_row {
            None => self.rows.len() as u32,
            Some(people) => self.by_person(people).count() as u32,
        }
    }
}

/// Counters that are cleared at the cost of what was counted.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: Vec<u32>,
    last_person: Vec<u32>,
    touched: Vec<u32>,
}

const NOBODY: u32 = u32::MAX;

impl Tally {
    /// Counts the people who have a row with each key; calls `each(key, people)` in no particular order and starts over.
    pub(super) fn count(
        &mut self,
        rows: Rows<'_>,
        n_keys: usize,
        key: impl Fn(u32) -> u32,
        mut each: impl FnMut(u32, u32),
    ) {
        if self.counts.len() < n_keys {
            self.counts.resize(n_keys, 0);
            self.last_person.resize(n_keys, NOBODY);
        }
        for &row in rows.rows {
            let key = key(row) as usize;
            let is_new = match rows.person_of_row {
                None => true,
                Some(people) => {
                    std::mem::replace(&mut self.last_person[key], people[row as usize])
                        != people[row as usize]
                }
            };
            if is_new {
                if self.counts[key] == 0 {
                    self.touched.push(key as u32);
                }
                self.counts[key] += 1;
            }
        }
        for key in self.touched.drain(..) {
            let count = std::mem::take(&mut self.counts[key as usize]);
            self.last_person[key as usize] = NOBODY;
            each(key, count);
        }
    }
}

/// All rows, grouped.
#[derive(Debug)]
pub(super) struct Partition {
    rows: Vec<u32>,
    groups: Vec<Range<u32>>,
}

impl Partition {
    /// One group of all rows, those of one person together.
    pub(super) fn whole(n_rows: usize, person_of_row: Option<&[u32]>) -> Self {
        let mut rows: Vec<u32> = (0..n_rows as u32).collect();
        if let Some(people) = person_of_row {
            rows.sort_by_key(|&row| people[row as usize]);
        }
        Self {
            rows,
            groups: std::iter::once(0..n_rows as u32).collect(),
        }
    }

    pub(super) fn n_groups(&self) -> usize {
        self.groups.len()
    }

    /// The rows of a group.
    pub(super) fn group(&self, group: usize) -> &[u32] {
        let range = &self.groups[group];
        &self.rows[range.start as usize..range.end as usize]
    }

    /// Splits a group by the key of its rows. The first part takes the group's number, the others get new ones;
    /// returns whether there was anything to split.
    pub(super) fn split(
        &mut self,
        group: usize,
        key: impl Fn(u32) -> u32,
        scratch: &mut SplitScratch,
    ) -> bool {
        let range = self.groups[group].clone();
        let rows = &mut self.rows[range.start as usize..range.end as usize];
        let Some(&first) = rows.first() else {
            return false;
        };
        let first_key = key(first);
        if rows.iter().all(|&row| key(row) == first_key) {
            return false;
        }
        scratch.keyed.clear();
        scratch
            .keyed
            .extend(rows.iter().map(|&row| (key(row), row)));
        // Stable: the order within a part is the order before.
        scratch.keyed.sort_by_key(|&(key, _)| key);
        let mut start = range.start;
        let mut is_first = true;
        for part in scratch.keyed.chunk_by(|a, b| a.0 == b.0) {
            let end = start + part.len() as u32;
            if is_first {
                self.groups[group] = start..end;
                is_first = false;
            } else {
                self.groups.push(start..end);
            }
            start = end;
        }
        for (row, &(_, keyed)) in rows.iter_mut().zip(&scratch.keyed) {
            *row = keyed;
        }
        true
    }
}

/// Room that splits share.
#[derive(Debug, Default)]
pub(super) struct SplitScratch {
    keyed: Vec<(u32, u32)>,
}
