//! The rows of one column.

use rustc_hash::FxHashMap;

use super::codes::Codes;
use super::domain::Domain;
use super::masked::MaskedDictionary;
use super::taxonomy::Leaf;

/// The rows of one column, coded.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Places on the interval's grid; the place after the last is missing.
    Numbers(Codes),
    /// Leaves of the tree.
    Values(Codes),
    /// Codes into a dictionary of sets of leaves.
    Sets(Codes, SetDictionary),
    /// Codes into a dictionary of masked values.
    Masked(Codes, MaskedDictionary),
}

impl Column {
    /// The codes, whatever they point into.
    pub fn codes(&self) -> &Codes {
        match self {
            Self::Numbers(codes)
            | Self::Values(codes)
            | Self::Sets(codes, _)
            | Self::Masked(codes, _) => codes,
        }
    }

    /// The sets that codes of a raw column of sets point into.
    pub(crate) fn sets(&self) -> Option<&SetDictionary> {
        match self {
            Self::Sets(_, sets) => Some(sets),
            Self::Numbers(_) | Self::Values(_) | Self::Masked(..) => None,
        }
    }

    /// The same column with other rows.
    #[must_use]
    pub fn with_codes(&self, codes: Codes) -> Self {
        match self {
            Self::Numbers(_) => Self::Numbers(codes),
            Self::Values(_) => Self::Values(codes),
            Self::Sets(_, sets) => Self::Sets(codes, sets.clone()),
            Self::Masked(_, dictionary) => Self::Masked(codes, dictionary.clone()),
        }
    }

    /// The text of each code that occurs in a dictionary, or a function for numbers: how cells are written.
    pub fn writer<'a>(&'a self, domain: &'a Domain) -> crate::error::Result<CellWriter<'a>> {
        Ok(match (self, domain) {
            (Self::Numbers(_), Domain::Numbers { interval, .. }) => CellWriter::Numbers(interval),
            (Self::Values(_), Domain::Values(tree)) => CellWriter::Texts(
                (0..tree.taxonomy.n_leaves() as Leaf)
                    .map(|leaf| tree.taxonomy.leaf_label(leaf).to_owned())
                    .collect(),
            ),
            (Self::Sets(_, sets), Domain::Sets { tree, separator }) => CellWriter::Texts(
                sets.iter()
                    .map(|items| {
                        let labels: Vec<&str> = items
                            .iter()
                            .map(|&leaf| tree.taxonomy.leaf_label(leaf))
                            .collect();
                        labels.join(separator)
                    })
                    .collect(),
            ),
            (Self::Masked(_, dictionary), domain) => CellWriter::Texts(dictionary.texts(domain)?),
            _ => unreachable!("a table keeps columns and domains of one kind together"),
        })
    }
}

/// Writes the cells of a column.
#[derive(Debug)]
pub enum CellWriter<'a> {
    /// Numbers of a grid.
    Numbers(&'a super::interval::Interval),
    /// A text for each code.
    Texts(Vec<String>),
}

impl CellWriter<'_> {
    /// The texts of a dictionary in the order of its codes; none for numbers.
    pub fn all_texts(self) -> Vec<String> {
        match self {
            Self::Numbers(_) => Vec::new(),
            Self::Texts(texts) => texts,
        }
    }

    /// Writes the cell of a code.
    pub fn text(&self, code: u32) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Numbers(interval) if code > interval.last() => "".into(),
            Self::Numbers(interval) => interval.text(code).into(),
            Self::Texts(texts) => texts[code as usize].as_str().into(),
        }
    }
}

/// Different sets of leaves, each once, their items in increasing order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SetDictionary {
    items: Vec<Leaf>,
    /// Where each set ends in `items`.
    ends: Vec<u32>,
}

impl SetDictionary {
    /// Number of different sets.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no sets.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The items of a set.
    pub fn items(&self, set: u32) -> &[Leaf] {
        let set = set as usize;
        let start = if set == 0 { 0 } else { self.ends[set - 1] };
        &self.items[start as usize..self.ends[set] as usize]
    }

    /// All sets in the order of their codes.
    pub fn iter(&self) -> impl Iterator<Item = &[Leaf]> {
        (0..self.len() as u32).map(|set| self.items(set))
    }

    /// These sets, in this order; the items of each in increasing order.
    pub(crate) fn from_sets(sets: impl Iterator<Item = Vec<u32>>) -> Self {
        let mut dictionary = Self::default();
        for items in sets {
            dictionary.push(&items);
        }
        dictionary
    }

    fn push(&mut self, items: &[Leaf]) -> u32 {
        self.items.extend_from_slice(items);
        self.ends.push(self.items.len() as u32);
        self.len() as u32 - 1
    }

    /// The same sets in another order: the set `order[i]` becomes set `i`.
    fn reordered(&self, order: &[u32]) -> Self {
        let mut sorted = Self::default();
        for &set in order {
            sorted.push(self.items(set));
        }
        sorted
    }
}

/// Finds or gives the code of a set.
#[derive(Debug, Default)]
pub(super) struct SetInterner {
    sets: SetDictionary,
    codes: FxHashMap<Box<[Leaf]>, u32>,
}

impl SetInterner {
    /// The code of a set whose items are in increasing order.
    pub(super) fn code(&mut self, items: &[Leaf]) -> u32 {
        if let Some(&code) = self.codes.get(items) {
            return code;
        }
        let code = self.sets.push(items);
        self.codes.insert(items.into(), code);
        code
    }

    /// Number of different sets.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The items of the sets that are used.
    pub(super) fn items_of(&self, is_used: &[bool]) -> impl Iterator<Item = Leaf> {
        let used = self.sets.iter().zip(is_used).filter(|(_, used)| **used);
        used.flat_map(|(items, _)| items.iter().copied())
    }

    /// The sets that are used, in lexical order, which says nothing about the order of the rows or about rows that
    /// were left out, with the new code of each old one. `rename` gives the final leaf of each leaf in use.
    pub(super) fn finish(
        mut self,
        is_used: &[bool],
        rename: impl Fn(Leaf) -> Leaf,
    ) -> (SetDictionary, Vec<u32>) {
        drop(self.codes);
        let mut start = 0;
        for (&end, &used) in self.sets.ends.iter().zip(is_used) {
            let set = &mut self.sets.items[start..end as usize];
            if used {
                for item in &mut *set {
                    *item = rename(*item);
                }
                set.sort_unstable();
            }
            start = end as usize;
        }
        let mut order: Vec<u32> = (0..self.sets.len() as u32)
            .filter(|&set| is_used[set as usize])
            .collect();
        order.sort_by(|&a, &b| self.sets.items(a).cmp(self.sets.items(b)));
        let mut new_code = vec![0; is_used.len()];
        for (new, &old) in order.iter().enumerate() {
            new_code[old as usize] = new as u32;
        }
        (self.sets.reordered(&order), new_code)
    }
}
