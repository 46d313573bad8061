//! Rows grouped by what they look like on the columns of one quasi-identifier.
//!
//! A group is a stretch of a list of rows. Splitting one keeps the order within its parts, so rows of one person, which
//! stand together at the start, stand together for ever: counting people is counting changes.

use std::ops::Range;

/// Rows with the people they are about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) rows: &'a [u32],
    /// Whom each row is about; without it every row is a person.
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
    /// Counts the people who have a row with each key below `n_keys`; calls `each(key, people)` in no particular order
    /// and starts over.
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
        match rows.person_of_row {
            None => {
                for &row in rows.rows {
                    self.add(key(row));
                }
            }
            Some(people) => {
                for &row in rows.rows {
                    let (key, person) = (key(row), people[row as usize]);
                    if std::mem::replace(&mut self.last_person[key as usize], person) != person {
                        self.add(key);
                    }
                }
            }
        }
        for key in self.touched.drain(..) {
            let count = std::mem::take(&mut self.counts[key as usize]);
            self.last_person[key as usize] = NOBODY;
            each(key, count);
        }
    }

    fn add(&mut self, key: u32) {
        let count = &mut self.counts[key as usize];
        if *count == 0 {
            self.touched.push(key);
        }
        *count += 1;
    }
}

/// All rows, grouped.
#[derive(Debug)]
pub(super) struct Partition {
    rows: Vec<u32>,
    groups: Vec<Range<u32>>,
}

impl Partition {
    /// One group of all rows, in an order in which those of one person stand together.
    pub(super) fn whole(n_rows: usize) -> Self {
        Self {
            rows: (0..n_rows as u32).collect(),
            groups: std::iter::once(0..n_rows as u32).collect(),
        }
    }

    pub(super) fn n_groups(&self) -> u32 {
        self.groups.len() as u32
    }

    /// The rows of a group; there is at least one.
    pub(super) fn group(&self, group: u32) -> &[u32] {
        let range = &self.groups[group as usize];
        &self.rows[range.start as usize..range.end as usize]
    }

    /// Splits a group by the key of its rows, which is below `n_keys`. The first part takes the group's number, the
    /// others get new ones; returns whether there was anything to split.
    pub(super) fn split(
        &mut self,
        group: u32,
        n_keys: usize,
        key: impl Fn(u32) -> u32,
        scratch: &mut SplitScratch,
    ) -> bool {
        let range = self.groups[group as usize].clone();
        let rows = &mut self.rows[range.start as usize..range.end as usize];
        scratch.number_parts(rows, n_keys, key);
        if scratch.ends.len() < 2 {
            return false;
        }
        // From the sizes of the parts to where each begins; moving its rows brings that forward to where it ends.
        let mut start = 0;
        for end in &mut scratch.ends {
            start += std::mem::replace(end, start);
        }
        for (&row, &part) in rows.iter().zip(&scratch.part_of_row) {
            let at = &mut scratch.ends[part as usize];
            scratch.moved[*at as usize] = row;
            *at += 1;
        }
        rows.copy_from_slice(&scratch.moved[..rows.len()]);
        let mut start = range.start;
        for (part, &end) in scratch.ends.iter().enumerate() {
            let part_range = start..range.start + end;
            start = part_range.end;
            if part == 0 {
                self.groups[group as usize] = part_range;
            } else {
                self.groups.push(part_range);
            }
        }
        true
    }
}

/// Room that splits share.
#[derive(Debug, Default)]
pub(super) struct SplitScratch {
    /// The part of each key that occurs, numbered as they come.
    part_of_key: Vec<u32>,
    keys: Vec<u32>,
    part_of_row: Vec<u32>,
    ends: Vec<u32>,
    moved: Vec<u32>,
}

const NO_PART: u32 = u32::MAX;

impl SplitScratch {
    /// Finds the part of each row, and how many rows each part has.
    fn number_parts(&mut self, rows: &[u32], n_keys: usize, key: impl Fn(u32) -> u32) {
        if self.part_of_key.len() < n_keys {
            self.part_of_key.resize(n_keys, NO_PART);
        }
        if self.moved.len() < rows.len() {
            self.moved.resize(rows.len(), 0);
        }
        self.ends.clear();
        self.part_of_row.clear();
        let (part_of_key, keys, ends) = (&mut self.part_of_key, &mut self.keys, &mut self.ends);
        self.part_of_row.extend(rows.iter().map(|&row| {
            let key = key(row);
            let part = &mut part_of_key[key as usize];
            if *part == NO_PART {
                *part = ends.len() as u32;
                keys.push(key);
                ends.push(0);
            }
            ends[*part as usize] += 1;
            *part
        }));
        for key in self.keys.drain(..) {
            self.part_of_key[key as usize] = NO_PART;
        }
    }
}
