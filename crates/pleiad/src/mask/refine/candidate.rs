//! Open values: masked values that rows carry and that could still be refined, and what that would bring and cost.

use super::forbidden::Forbidden;
use super::gain::{ClassCounts, information_gain};
use super::params::{RefineParams, Split};
use super::partition::{Rows, Tally};

/// A key for codes that do not carry the value.
pub(super) const ELSEWHERE: u32 = u32::MAX;

/// The smallest group that carries a value, and the smallest after refining it; running minima.
#[derive(Debug, Clone, Copy)]
pub(super) struct Smallest {
    pub(super) before: u32,
    pub(super) after: u32,
}

impl Smallest {
    pub(super) const NO_GROUP_YET: Self = Self {
        before: u32::MAX,
        after: u32::MAX,
    };

    fn group(&mut self, people: u32) {
        self.before = self.before.min(people);
    }

    fn part(&mut self, people: u32) {
        self.after = self.after.min(people);
    }
}

/// A masked value that could be refined in one way: a node into its children.
#[derive(Debug)]
pub(super) struct OpenNode {
    /// The part that each code falls into.
    pub(super) keys: Vec<u32>,
    pub(super) n_keys: usize,
    pub(super) gain: f64,
    pub(super) smallest: Vec<Smallest>,
}

impl OpenNode {
    pub(super) fn new(keys: Vec<u32>, n_keys: usize, counts: &ClassCounts, n_qids: usize) -> Self {
        let mut parts = ClassCounts::zero(n_keys, counts.n_classes());
        let mut whole = ClassCounts::zero(1, counts.n_classes());
        for (code, &key) in keys.iter().enumerate() {
            if key != ELSEWHERE {
                parts.add(key as usize, counts.of(code));
                whole.add(0, counts.of(code));
            }
        }
        Self {
            gain: information_gain(whole.of(0), (0..n_keys).map(|key| parts.of(key))),
            keys,
            n_keys,
            smallest: vec![Smallest::NO_GROUP_YET; n_qids],
        }
    }

    fn see(&mut self, qid: usize, rows: Rows<'_>, people: u32, codes: &[u32], tally: &mut Tally) {
        let smallest = &mut self.smallest[qid];
        smallest.group(people);
        let keys = &self.keys;
        tally.count(
            rows,
            self.n_keys,
            |row| keys[codes[row as usize] as usize],
            |_, people| smallest.part(people),
        );
    }
}

/// The hidden rest of a column without a taxonomy: any one of its values could be disclosed.
#[derive(Debug)]
pub(super) struct OpenRest {
    pub(super) hidden: Vec<bool>,
    /// What disclosing each code would tell.
    pub(super) gains: Vec<f64>,
    /// For each quasi-identifier the smallest group that carries the rest, and for each code the smallest part.
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<Vec<u32>>,
    /// Codes that may still be disclosed.
    pub(super) possible: Vec<bool>,
}

impl OpenRest {
    pub(super) fn new(counts: &ClassCounts, n_qids: usize) -> Self {
        let n_codes = counts.n_values();
        let present: Vec<bool> = (0..n_codes)
            .map(|code| counts.of(code).iter().any(|&count| count > 0))
            .collect();
        let mut rest = Self {
            hidden: vec![true; n_codes],
            gains: vec![0.0; n_codes],
            before: vec![u32::MAX; n_qids],
            after: vec![vec![u32::MAX; n_codes]; n_qids],
            possible: present,
        };
        rest.update_gains(counts);
        rest
    }

    /// Discloses a code: what is left is a new rest, whose groups have yet to be seen.
    pub(super) fn disclose(&mut self, code: u32, counts: &ClassCounts) {
        self.hidden[code as usize] = false;
        self.possible[code as usize] = false;
        self.before.fill(u32::MAX);
        for after in &mut self.after {
            after.fill(u32::MAX);
        }
        self.update_gains(counts);
    }

    fn update_gains(&mut self, counts: &ClassCounts) {
        let mut whole = ClassCounts::zero(1, counts.n_classes());
        for code in 0..counts.n_values() {
            if self.hidden[code] {
                whole.add(0, counts.of(code));
            }
        }
        let whole = whole.of(0);
        for code in 0..counts.n_values() {
            if self.possible[code] {
                let own = counts.of(code);
                let others: Vec<u64> = whole.iter().zip(own).map(|(all, own)| all - own).collect();
                self.gains[code] = information_gain(whole, [own, &others[..]].into_iter());
            }
        }
    }

    fn see(&mut self, qid: usize, rows: Rows<'_>, people: u32, codes: &[u32], tally: &mut Tally) {
        self.before[qid] = self.before[qid].min(people);
        let after = &mut self.after[qid];
        let code_of = |row: u32| codes[row as usize];
        match rows.person_of_row {
            None => tally.count(rows, after.len(), code_of, |code, count| {
                let rest = people - count;
                let smallest = if rest == 0 { count } else { count.min(rest) };
                after[code as usize] = after[code as usize].min(smallest);
            }),
            Some(persons) => {
                // Who has other values too stays in the rest when one of them is disclosed.
                let mut only: rustc_hash::FxHashMap<u32, u32> = rustc_hash::FxHashMap::default();
                for rows in rows.by_person(persons) {
                    let code = code_of(rows[0]);
                    if rows.iter().all(|&row| code_of(row) == code) {
                        *only.entry(code).or_default() += 1;
                    }
                }
                tally.count(rows, after.len(), code_of, |code, count| {
                    let rest = people - only.get(&code).copied().unwrap_or(0);
                    let smallest = if rest == 0 { count } else { count.min(rest) };
                    after[code as usize] = after[code as usize].min(smallest);
                });
            }
        }
    }

    pub(super) fn smallest(&self, qid: usize, code: usize) -> Smallest {
        Smallest {
            before: self.before[qid],
            after: self.before[qid].min(self.after[qid][code]),
        }
    }
}

/// An interval of ranks, both ends included, that could be split in two.
#[derive(Debug)]
pub(super) struct OpenInterval {
    pub(super) first: u32,
    pub(super) last: u32,
    /// Ranks at which the right part could start, the highest gain first, then the smaller rank.
    splits: Vec<(u32, f64)>,
    /// How many of them were found impossible, from the front.
    passed: usize,
    /// Places of `first + 1 ..= last`, counted from 0.
    forbidden: Forbidden,
    /// The split that the minima below are about.
    evaluated: Option<u32>,
    pub(super) smallest: Vec<Smallest>,
}

impl OpenInterval {
    /// Nothing if the interval has a single value.
    pub(super) fn new(first: u32, last: u32, counts: &ClassCounts, n_qids: usize) -> Option<Self> {
        if first >= last {
            return None;
        }
        let mut right = ClassCounts::zero(1, counts.n_classes());
        for rank in first..=last {
            right.add(0, counts.of(rank as usize));
        }
        let whole = right.of(0).to_vec();
        let mut left = vec![0; counts.n_classes()];
        let mut splits = Vec::with_capacity((last - first) as usize);
        for rank in first + 1..=last {
            for (left, moved) in left.iter_mut().zip(counts.of(rank as usize - 1)) {
                *left += moved;
            }
            let right: Vec<u64> = whole
                .iter()
                .zip(&left)
                .map(|(all, left)| all - left)
                .collect();
            splits.push((
                rank,
                information_gain(&whole, [&left[..], &right].into_iter()),
            ));
        }
        splits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Some(Self {
            first,
            last,
            passed: 0,
            forbidden: Forbidden::none(splits.len()),
            splits,
            evaluated: None,
            smallest: vec![Smallest::NO_GROUP_YET; n_qids],
        })
    }

    /// The best split that keeps the promise, with its gain.
    pub(super) fn best(&mut self, params: &RefineParams) -> Option<(u32, f64)> {
        while let Some(&(rank, gain)) = self.splits.get(self.passed) {
            if self.forbidden.is_free(rank - self.first - 1) {
                return Some((rank, gain));
            }
            if params.split == Split::Paper {
                return None;
            }
            self.passed += 1;
        }
        None
    }

    pub(super) fn is_evaluated(&self, split: u32) -> bool {
        self.evaluated == Some(split)
    }

    /// Starts the minima anew for another split; every group that carries the interval must be measured again.
    pub(super) fn evaluate(&mut self, split: u32) {
        self.evaluated = Some(split);
        for smallest in &mut self.smallest {
            smallest.after = u32::MAX;
        }
    }

    /// Takes a group into the minima of the evaluated split.
    pub(super) fn measure(&mut self, qid: usize, rows: Rows<'_>, codes: &[u32], tally: &mut Tally) {
        let Some(split) = self.evaluated else { return };
        let smallest = &mut self.smallest[qid];
        let side = |row: u32| u32::from(codes[row as usize] >= split);
        tally.count(rows, 2, side, |_, people| smallest.part(people));
    }

    /// A split may leave nobody on a side, or enough people. With the people of a group in the order of their least
    /// value, splits after the first's and up to the h-th's leave too few on the left; likewise on the right.
    fn forbid(&mut self, rows: Rows<'_>, at_least: u32, codes: &[u32], scratch: &mut OrderScratch) {
        scratch.fill(rows, codes);
        let h = at_least as usize;
        let (first, last) = (self.first, self.last);
        let mut forbid = |after: u32, up_to: u32| {
            if after < up_to {
                self.forbidden.forbid(after - first, up_to - first - 1);
            }
        };
        let (lows, highs) = (&mut scratch.lows, &mut scratch.highs);
        let least = lows.iter().copied().min().unwrap_or(first);
        let greatest = highs.iter().copied().max().unwrap_or(last);
        if rows.person_of_row.is_none() && lows.len() < 2 * h {
            // Whichever way it is cut, one side is too small.
            forbid(least, greatest);
            return;
        }
        let (_, &mut h_th_low, _) = lows.select_nth_unstable(h - 1);
        let from_top = highs.len() - h;
        let (_, &mut h_th_high, _) = highs.select_nth_unstable(from_top);
        forbid(least, h_th_low);
        forbid(h_th_high, greatest);
    }

    fn is_possible(&mut self, params: &RefineParams) -> bool {
        self.forbidden.n_free() > 0 && self.best(params).is_some()
    }
}

/// Room for the order of values within a group.
#[derive(Debug, Default)]
pub(super) struct OrderScratch {
    lows: Vec<u32>,
    highs: Vec<u32>,
}

impl OrderScratch {
    /// The least and the greatest value of every person.
    fn fill(&mut self, rows: Rows<'_>, codes: &[u32]) {
        self.lows.clear();
        self.highs.clear();
        match rows.person_of_row {
            None => {
                self.lows
                    .extend(rows.rows.iter().map(|&row| codes[row as usize]));
                self.highs.extend_from_slice(&self.lows);
            }
            Some(people) => {
                for rows in rows.by_person(people) {
                    let values = || rows.iter().map(|&row| codes[row as usize]);
                    self.lows.extend(values().min());
                    self.highs.extend(values().max());
                }
            }
        }
    }
}

/// A masked value that could still be refined.
#[derive(Debug)]
pub(super) enum Open {
    Node(OpenNode),
    Rest(OpenRest),
    Interval(OpenInterval),
}

/// Room that all measuring shares.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) tally: Tally,
    order: OrderScratch,
}

impl Open {
    /// Whether rows with this code carry the value.
    pub(super) fn carries(&self, code: u32) -> bool {
        match self {
            Self::Node(node) => node.keys[code as usize] != ELSEWHERE,
            Self::Rest(rest) => rest.hidden[code as usize],
            Self::Interval(interval) => (interval.first..=interval.last).contains(&code),
        }
    }

    /// Takes a new group that carries the value into account.
    pub(super) fn see(
        &mut self,
        qid: usize,
        rows: Rows<'_>,
        people: u32,
        at_least: u32,
        codes: &[u32],
        scratch: &mut Scratch,
    ) {
        match self {
            Self::Node(node) => node.see(qid, rows, people, codes, &mut scratch.tally),
            Self::Rest(rest) => rest.see(qid, rows, people, codes, &mut scratch.tally),
            Self::Interval(interval) => {
                interval.smallest[qid].group(people);
                interval.forbid(rows, at_least, codes, &mut scratch.order);
                interval.measure(qid, rows, codes, &mut scratch.tally);
            }
        }
    }

    /// Whether any refinement of it keeps the promise; what does not keep it now never will.
    pub(super) fn is_possible(&mut self, at_least: &[u32], params: &RefineParams) -> bool {
        match self {
            Self::Node(node) => node
                .smallest
                .iter()
                .zip(at_least)
                .all(|(smallest, &at_least)| smallest.after >= at_least),
            Self::Rest(rest) => {
                for code in 0..rest.possible.len() {
                    if rest.possible[code] {
                        let keeps = |(qid, &at_least): (usize, &u32)| {
                            rest.smallest(qid, code).after >= at_least
                        };
                        rest.possible[code] = at_least.iter().enumerate().all(keeps);
                    }
                }
                rest.possible.iter().any(|&possible| possible)
            }
            Self::Interval(interval) => interval.is_possible(params),
        }
    }
}
