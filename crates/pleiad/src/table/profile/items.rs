//! The items of the cells of a column, if a certain separator is taken seriously.

use rustc_hash::FxHashMap;

use super::super::build::split;
use super::super::taxonomy::EMPTY_SET_LABEL;
use super::words::Words;

/// What may stand between items.
pub(super) const SEPARATORS: [u8; 3] = [b';', b'|', b','];

/// Different items that are kept; prose has more.
const ITEMS_KEPT: usize = 20_000;

/// The items of the cells seen so far.
#[derive(Debug, Default)]
pub(crate) struct Items {
    separator: u8,
    counts: FxHashMap<Box<[u8]>, Count>,
    has_too_many: bool,
    /// Cells of several items.
    pub(crate) n_several: u64,
    /// Different cells of several items, as far as that is known.
    pub(crate) n_different_several: u64,
    /// Whether the cells of several items have different numbers of them.
    pub(crate) sizes_differ: bool,
    size: usize,
    /// Cells that have the text of the empty set and other items.
    pub(crate) n_contradictions: u64,
}

/// How often an item occurs.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    cells: u64,
    /// Different cells of several items, as far as that is known.
    different_several: u64,
    /// Whether it is also all that some cell has.
    is_alone_too: bool,
}

impl Items {
    /// The items of what was seen before the separator first occurred, in `first`, which has not been counted yet.
    pub(super) fn after(separator: u8, words: &Words, first: &[u8]) -> Self {
        let mut items = Self {
            separator,
            ..Self::default()
        };
        let Some(words) = words.counted() else {
            items.has_too_many = true;
            return items;
        };
        for (word, count) in words {
            // The cell itself is among the words already.
            if word == first {
                continue;
            }
            let word = word.trim_ascii();
            items.has_too_many |= items.counts.len() >= ITEMS_KEPT;
            if !word.is_empty() && !items.has_too_many {
                items.counts.entry(word.into()).or_default().cells += count;
            }
        }
        items
    }

    /// Takes a cell; `is_new` says whether no equal one was seen.
    pub(super) fn see(&mut self, field: &[u8], is_new: bool) {
        let separator = [self.separator];
        self.see_list(split(field, &separator), is_new);
    }

    /// Takes a cell that is in parts already.
    pub(super) fn see_list<'t>(&mut self, list: impl Iterator<Item = &'t [u8]>, is_new: bool) {
        if self.has_too_many {
            return;
        }
        let items: Vec<&[u8]> = list.filter(|item| !item.is_empty()).collect();
        let is_several = items.len() > 1;
        if is_several {
            self.n_several += 1;
            self.n_different_several += u64::from(is_new);
            self.sizes_differ |= self.size != 0 && self.size != items.len();
            self.size = items.len();
            let says_empty = items.iter().any(|item| *item == EMPTY_SET_LABEL.as_bytes());
            self.n_contradictions += u64::from(says_empty);
        }
        for item in items {
            if !self.counts.contains_key(item) && self.counts.len() >= ITEMS_KEPT {
                self.has_too_many = true;
                return;
            }
            let count = match self.counts.get_mut(item) {
                Some(count) => count,
                None => self.counts.entry(item.into()).or_default(),
            };
            count.cells += 1;
            count.different_several += u64::from(is_new && is_several);
            count.is_alone_too |= !is_several;
        }
    }

    /// Whether there are more different items than a list of values could have.
    pub(crate) fn has_too_many(&self) -> bool {
        self.has_too_many
    }

    /// The different items, with the cells that have each, in no order; the text of the empty set is none.
    pub(crate) fn counted(&self) -> Vec<(&[u8], u64)> {
        let items = self
            .counts
            .iter()
            .map(|(item, count)| (&**item, count.cells));
        items
            .filter(|(item, _)| *item != EMPTY_SET_LABEL.as_bytes())
            .collect()
    }

    /// Of the items in cells of several, the share that occurs in other company too, or alone.
    pub(crate) fn recurring(&self) -> f64 {
        let several = || {
            self.counts
                .values()
                .filter(|count| count.different_several > 0)
        };
        let recurring = several()
            .filter(|count| count.different_several > 1 || count.is_alone_too)
            .count();
        recurring as f64 / several().count().max(1) as f64
    }
}
