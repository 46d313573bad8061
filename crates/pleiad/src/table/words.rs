//! Words of a column to leaves of its tree, while a file is read.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::domain::Tree;
use super::interval::parse_number;
use super::plan::TreeSource;
use super::problems::{Problem, Problems};
use super::taxonomy::{Leaf, ROOT_LABEL, Taxonomy};
use crate::error::Result;

/// Words to leaves: those of a tree, or numbered as they come.
#[derive(Debug)]
pub(super) struct Words {
    leaf: FxHashMap<Box<[u8]>, Leaf>,
    tree: Option<(Taxonomy, TreeSource)>,
    /// Leaves besides the words that the finished tree has.
    extra: ExtraLeaves,
}

/// Which leaves a tree has besides its words.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExtraLeaves {
    pub(super) missing: bool,
    pub(super) empty_set: bool,
    /// For words that a given tree lacks.
    pub(super) other: bool,
}

impl ExtraLeaves {
    fn add_to(self, mut taxonomy: Taxonomy) -> Result<Taxonomy> {
        if self.empty_set {
            taxonomy = taxonomy.with_empty_set()?;
        }
        if self.other {
            taxonomy = taxonomy.with_other()?;
        }
        if self.missing {
            taxonomy = taxonomy.with_missing()?;
        }
        Ok(taxonomy)
    }
}

/// The provisional leaf of a missing value.
pub(super) const MISSING: Leaf = Leaf::MAX;

/// The provisional leaf of the empty set.
pub(super) const EMPTY_SET: Leaf = Leaf::MAX - 1;

impl Words {
    pub(super) fn new(tree: Option<(Taxonomy, TreeSource)>, extra: ExtraLeaves) -> Result<Self> {
        let mut leaf = FxHashMap::default();
        let tree = match tree {
            None => None,
            Some((taxonomy, source)) => {
                let taxonomy = extra.add_to(taxonomy)?;
                // Twice the room keeps the chains of the table short: this is the hottest look-up of reading.
                leaf = FxHashMap::with_capacity_and_hasher(taxonomy.n_leaves() * 2, FxBuildHasher);
                for at in 0..taxonomy.n_leaves() as Leaf {
                    if Some(at) != taxonomy.missing() {
                        leaf.insert(taxonomy.leaf_label(at).as_bytes().into(), at);
                    }
                }
                if source == TreeSource::Numbers {
                    for at in 0..taxonomy.n_leaves() as Leaf {
                        if let Some(text) = number_text(taxonomy.leaf_label(at).as_bytes()) {
                            leaf.insert(text, at);
                        }
                    }
                }
                Some((taxonomy, source))
            }
        };
        Ok(Self { leaf, tree, extra })
    }

    /// The tree that the words must come from, if one is given.
    pub(super) fn tree(&self) -> Option<&(Taxonomy, TreeSource)> {
        self.tree.as_ref()
    }

    /// The leaf of a word; a new one where words are taken as they come.
    pub(super) fn find(&mut self, word: &[u8], row: u64, problems: &mut Problems) -> Option<Leaf> {
        if let Some(&leaf) = self.leaf.get(word) {
            return Some(leaf);
        }
        let Ok(text) = std::str::from_utf8(word) else {
            problems.note(Problem::NotText, row);
            return None;
        };
        if let Some(leaf) = self.find_number(word) {
            return Some(leaf);
        }
        match text {
            "" => problems.note(Problem::Empty, row),
            ROOT_LABEL => problems.note(Problem::Hidden, row),
            _ if self.tree.is_some() => problems.note_unknown(text, row),
            _ => {
                let leaf = self.leaf.len() as Leaf;
                self.leaf.insert(word.into(), leaf);
                return Some(leaf);
            }
        }
        None
    }

    /// The leaf of a number that is written otherwise than in its taxonomy: `17.0` where that has `17`.
    fn find_number(&mut self, word: &[u8]) -> Option<Leaf> {
        let (_, TreeSource::Numbers) = self.tree.as_ref()? else {
            return None;
        };
        let leaf = *self.leaf.get(&number_text(word)?)?;
        self.leaf.insert(word.into(), leaf);
        Some(leaf)
    }

    /// The leaf of a missing value while reading.
    pub(super) fn missing(&self) -> Leaf {
        self.tree()
            .and_then(|(taxonomy, _)| taxonomy.missing())
            .unwrap_or(MISSING)
    }

    /// The leaf of the empty set while reading.
    pub(super) fn empty_set(&self) -> Leaf {
        self.tree()
            .and_then(|(taxonomy, _)| taxonomy.empty_set())
            .unwrap_or(EMPTY_SET)
    }

    /// The leaf for words that the tree lacks, if it has one.
    pub(super) fn other(&self) -> Option<Leaf> {
        let (taxonomy, _) = self.tree().filter(|_| self.extra.other)?;
        taxonomy.other()
    }

    /// The leaf that stands for a word which cannot be of the tree: the one for others, else the missing value, else,
    /// where the column is about to be refused, any.
    pub(super) fn stranger(&self) -> Leaf {
        let missing = || self.tree().and_then(|(taxonomy, _)| taxonomy.missing());
        self.other().or_else(missing).unwrap_or(0)
    }

    /// The tree and the way from provisional leaves to its own. Of words taken as they came only those in `used` stay,
    /// sorted, so that codes say nothing about the order of the rows or about rows that were left out.
    pub(super) fn finish(self, used: impl Iterator<Item = Leaf>) -> Result<(Tree, Renaming)> {
        if let Some((taxonomy, source)) = self.tree {
            let tree = Tree {
                taxonomy,
                is_star: source == TreeSource::List,
            };
            return Ok((tree, Renaming::Same));
        }
        let mut is_used = vec![false; self.leaf.len()];
        for leaf in used.filter(|&leaf| leaf < EMPTY_SET) {
            is_used[leaf as usize] = true;
        }
        let mut words: Vec<(Box<[u8]>, Leaf)> = self
            .leaf
            .into_iter()
            .filter(|(_, leaf)| is_used[*leaf as usize])
            .collect();
        words.sort_unstable();
        let mut of_word = vec![0; is_used.len()];
        for (new, (_, old)) in words.iter().enumerate() {
            of_word[*old as usize] = new as Leaf;
        }
        let values = words.iter().map(|(word, _)| String::from_utf8_lossy(word));
        let taxonomy = self.extra.add_to(Taxonomy::star(values)?)?;
        let renaming = Renaming::Sorted {
            of_word,
            missing: taxonomy.missing().unwrap_or(0),
            empty_set: taxonomy.empty_set().unwrap_or(0),
        };
        let tree = Tree {
            taxonomy,
            is_star: true,
        };
        Ok((tree, renaming))
    }
}

/// The way from provisional leaves to the final ones.
#[derive(Debug)]
pub(super) enum Renaming {
    /// The tree was known from the start.
    Same,
    /// The words were sorted.
    Sorted {
        of_word: Vec<Leaf>,
        missing: Leaf,
        empty_set: Leaf,
    },
}

impl Renaming {
    pub(super) fn leaf(&self, provisional: Leaf) -> Leaf {
        match self {
            Self::Same => provisional,
            Self::Sorted {
                of_word,
                missing,
                empty_set,
            } => match provisional {
                MISSING => *missing,
                EMPTY_SET => *empty_set,
                word => of_word[word as usize],
            },
        }
    }
}

/// A number in the one way in which it is looked up.
fn number_text(word: &[u8]) -> Option<Box<[u8]>> {
    let number = parse_number(word)?;
    Some(format!("{number}").into_bytes().into())
}
