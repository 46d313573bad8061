//! Coarse bins of a column: what the histogram of a group has room for.

use super::axis::{Atom, Axis};
use super::region::Region;
use crate::table::{Node, Tree};

/// Values of a column that a group's histogram tells one by one, at most.
const MOST_VALUES: usize = 20;
/// Bins of numbers with more values.
const NUMBER_BINS: usize = 16;

/// Whether a column has so many values that groups tell bins of them only.
pub(super) fn is_wide(axis: &Axis) -> bool {
    axis.n_atoms() - axis.loners().len() > MOST_VALUES
}

/// Bins of atoms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bins {
    of_atom: Vec<u32>,
    n_bins: usize,
}

impl Bins {
    /// The bins of a column. "Missing" and the empty set have a bin of their own. `fine` is the noisy histogram of all
    /// people over the values of a wide column: where no level of a tree is narrow enough, its largest values have a
    /// bin each and the others one together.
    pub(super) fn new(axis: &Axis, fine: &[i64]) -> Self {
        let n_atoms = axis.n_atoms();
        let loners = axis.loners();
        if !is_wide(axis) {
            return Self::starting(n_atoms, |_, _| true);
        }
        match axis {
            Axis::Numbers(_) => {
                let n_ordinary = n_atoms - loners.len();
                let part = |atom: Atom| atom as usize * NUMBER_BINS / n_ordinary;
                Self::starting(n_atoms, |before, atom| {
                    loners.contains(&atom) || part(atom) != part(before)
                })
            }
            Axis::Values(tree) | Axis::Sets(tree) => {
                let depth = deepest_level(tree, &loners);
                if depth == 0 {
                    return Self::of_largest(n_atoms, &loners, fine);
                }
                let taxonomy = &tree.taxonomy;
                let node = |atom: Atom| -> Node {
                    let leaf = taxonomy.node_of_leaf(atom);
                    taxonomy.ancestor_at_depth(leaf, depth.min(taxonomy.depth(leaf)))
                };
                Self::starting(n_atoms, |before, atom| {
                    loners.contains(&atom) || loners.contains(&before) || node(atom) != node(before)
                })
            }
        }
    }

    /// Bins of neighbouring atoms; `starts(before, atom)` says whether a new one starts at an atom.
    fn starting(n_atoms: usize, starts: impl Fn(Atom, Atom) -> bool) -> Self {
        let mut of_atom = Vec::with_capacity(n_atoms);
        let mut bin = 0;
        for atom in 0..n_atoms as Atom {
            if atom > 0 && starts(atom - 1, atom) {
                bin += 1;
            }
            of_atom.push(bin);
        }
        Self {
            of_atom,
            n_bins: bin as usize + 1,
        }
    }

    /// A bin for each of the largest atoms and for each loner, and one for the others.
    fn of_largest(n_atoms: usize, loners: &[Atom], fine: &[i64]) -> Self {
        let mut ordinary: Vec<Atom> = (0..n_atoms as Atom)
            .filter(|atom| !loners.contains(atom))
            .collect();
        ordinary.sort_by_key(|&atom| std::cmp::Reverse(fine.get(atom as usize)));
        ordinary.truncate(MOST_VALUES - 1);
        let mut of_atom = vec![0; n_atoms];
        for (bin, atom) in (1..).zip(ordinary.iter().chain(loners)) {
            of_atom[*atom as usize] = bin;
        }
        Self {
            of_atom,
            n_bins: 1 + ordinary.len() + loners.len(),
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.n_bins
    }

    /// The bin of an atom.
    pub(super) fn of(&self, atom: Atom) -> usize {
        self.of_atom[atom as usize] as usize
    }

    /// Which bins have an atom that is possible.
    pub(super) fn possible(&self, region: &Region) -> Vec<bool> {
        let mut possible = vec![false; self.n_bins];
        for atom in region.atoms() {
            possible[self.of(atom)] = true;
        }
        possible
    }
}

/// The deepest level of a tree with few enough nodes, leaves further up included; 0 if none has.
fn deepest_level(tree: &Tree, loners: &[Atom]) -> u32 {
    let taxonomy = &tree.taxonomy;
    let n_nodes_at = |level: u32| {
        let nodes = (1..taxonomy.n_nodes() as Node).filter(|&node| {
            taxonomy.depth(node) == level || taxonomy.is_leaf(node) && taxonomy.depth(node) < level
        });
        nodes.count() - loners.len()
    };
    (1..=taxonomy.height())
        .take_while(|&level| n_nodes_at(level) <= MOST_VALUES)
        .last()
        .unwrap_or(0)
}
