//! The different values of a column, counted for as long as they are few.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

/// Different values whose text and number are kept.
pub(crate) const WORDS_KEPT: usize = 50_000;

/// Different values that are told apart.
const WORDS_TOLD_APART: usize = 1 << 20;

/// How many different values there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Different {
    /// So many.
    Exactly(u64),
    /// At least so many, which were there after so many values.
    AtLeast(u64, u64),
}

impl Different {
    /// The number as far as it was counted.
    pub(crate) fn at_least(self) -> u64 {
        match self {
            Self::Exactly(count) | Self::AtLeast(count, _) => count,
        }
    }

    /// Different values for each value, as far as was counted.
    pub(crate) fn share(self, n_values: u64) -> f64 {
        let (count, among) = match self {
            Self::Exactly(count) => (count, n_values),
            Self::AtLeast(count, among) => (count, among),
        };
        count as f64 / among.max(1) as f64
    }
}

/// The different values seen so far.
#[derive(Debug, Default)]
pub(super) struct Words {
    counts: FxHashMap<Box<[u8]>, u64>,
    /// Takes over when there are too many to keep.
    hashes: FxHashSet<u64>,
    n_values: u64,
    /// How many values it took to reach the last limit.
    n_values_at_limit: Option<u64>,
}

impl Words {
    /// Takes a value; whether it was not there before, as far as that is known.
    pub(super) fn see(&mut self, word: &[u8]) -> bool {
        self.n_values += 1;
        if self.n_values_at_limit.is_some() {
            return true;
        }
        if self.hashes.is_empty() {
            if let Some(count) = self.counts.get_mut(word) {
                *count += 1;
                return false;
            }
            if self.counts.len() < WORDS_KEPT {
                self.counts.insert(word.into(), 1);
                return true;
            }
            let words = std::mem::take(&mut self.counts);
            self.hashes = words.into_keys().map(|word| hash(&word)).collect();
        }
        let is_new = self.hashes.insert(hash(word));
        if self.hashes.len() >= WORDS_TOLD_APART {
            self.n_values_at_limit = Some(self.n_values);
            // An empty set must not look like one that was never begun.
            self.hashes = FxHashSet::from_iter([0]);
        }
        is_new
    }

    pub(super) fn different(&self) -> Different {
        match self.n_values_at_limit {
            Some(among) => Different::AtLeast(WORDS_TOLD_APART as u64, among),
            None => Different::Exactly((self.counts.len() + self.hashes.len()) as u64),
        }
    }

    /// The words with their counts, in no order; nothing if there are too many.
    pub(super) fn counted(&self) -> Option<Vec<(&[u8], u64)>> {
        let words = self.counts.iter().map(|(word, &count)| (&**word, count));
        self.hashes.is_empty().then(|| words.collect())
    }
}

fn hash(word: &[u8]) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(word)
}
