//! What the codes of a column are, and how they fall into parts.

use super::candidate::ELSEWHERE;
use super::partition::{Partition, SplitScratch};
use crate::table::{Codes, Node, Place, SetDictionary, Taxonomy, with_codes};

/// What the codes of a column are.
pub(super) enum Shape<'t> {
    Tree(&'t Taxonomy),
    Star(&'t Taxonomy),
    Sets(&'t Taxonomy, &'t SetDictionary),
    /// Ranks of the places that occur; the code after the last is "missing".
    Line(Vec<Place>),
}

impl Shape<'_> {
    /// The part that each code falls into when a node gives way to its children, and how many parts there are;
    /// nothing for a leaf.
    pub(super) fn parts_of_node(&self, node: Node) -> Option<(Vec<u32>, usize)> {
        let (Self::Tree(taxonomy) | Self::Sets(taxonomy, _)) = self else {
            return None;
        };
        if taxonomy.is_leaf(node) {
            return None;
        }
        let mut child_of_leaf = vec![ELSEWHERE; taxonomy.n_leaves()];
        let mut n_children = 0;
        for child in taxonomy.children(node) {
            for leaf in taxonomy.leaves(child) {
                child_of_leaf[leaf as usize] = n_children;
            }
            n_children += 1;
        }
        Some(match self {
            Self::Sets(_, sets) => subset_keys(sets, &child_of_leaf),
            _ => (child_of_leaf, n_children as usize),
        })
    }
}

/// The parts that the rows of a refined value fall into.
pub(super) enum Parts {
    /// The part of each code, and how many there are.
    OfCodes(Vec<u32>, usize),
    /// One code and the others.
    Disclosed(u32),
    /// Codes before this one, and from there on.
    SplitAt(u32),
}

impl Parts {
    /// Splits a group that carries the refined value; returns whether it has several parts.
    pub(super) fn split(
        &self,
        codes: &Codes,
        partition: &mut Partition,
        group: u32,
        scratch: &mut SplitScratch,
    ) -> bool {
        with_codes!(codes, codes => self.split_by(codes, partition, group, scratch))
    }

    fn split_by<C: Copy + Into<u32>>(
        &self,
        codes: &[C],
        partition: &mut Partition,
        group: u32,
        scratch: &mut SplitScratch,
    ) -> bool {
        let code = |row: u32| -> u32 { codes[row as usize].into() };
        match self {
            Self::OfCodes(keys, n_keys) => {
                partition.split(group, *n_keys, |row| keys[code(row) as usize], scratch)
            }
            Self::Disclosed(at) => {
                partition.split(group, 2, |row| u32::from(code(row) == *at), scratch)
            }
            Self::SplitAt(at) => {
                partition.split(group, 2, |row| u32::from(code(row) >= *at), scratch)
            }
        }
    }
}

/// For every set the part it falls into by which children hold its items; sets with the same children fall together.
fn subset_keys(sets: &SetDictionary, child_of_leaf: &[u32]) -> (Vec<u32>, usize) {
    let mut numbers: rustc_hash::FxHashMap<Vec<u32>, u32> = rustc_hash::FxHashMap::default();
    let keys = sets
        .iter()
        .map(|items| {
            let mut children: Vec<u32> = items
                .iter()
                .map(|&item| child_of_leaf[item as usize])
                .collect();
            children.retain(|&child| child != ELSEWHERE);
            if children.is_empty() {
                return ELSEWHERE;
            }
            children.sort_unstable();
            children.dedup();
            let next = numbers.len() as u32;
            *numbers.entry(children).or_insert(next)
        })
        .collect();
    (keys, numbers.len())
}

/// Turns places into their ranks among those that occur, and returns these; "missing" comes after the last.
pub(super) fn rank(codes: &mut [u32], missing: Place) -> Vec<Place> {
    let mut places: Vec<Place> = codes.to_vec();
    places.sort_unstable();
    places.dedup();
    places.pop_if(|last| *last == missing);
    for code in codes {
        *code = places.partition_point(|place| place < code) as u32;
    }
    places
}
