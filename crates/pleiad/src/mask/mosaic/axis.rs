//! What is public about one column: the atoms that its values are told apart by, and the tests that may cut it.
//!
//! The atoms of a tree are its leaves; of numbers they are bins of equal width, followed by "missing". A test is a
//! range of atoms: a row passes it if its atom, or one of the items of its set, lies there. So "at least 37", "under
//! this node", "some item under this node" and "missing" are all of one form. Everything here is made from the domain
//! alone.

use std::ops::Range;

use crate::table::{Domain, Interval, Leaf, Node, Place, Tree};

/// A number of an atom.
pub(super) type Atom = u32;

/// Bins that numbers are told apart by, at most.
const MOST_BINS: u64 = 128;

/// Nodes of a level of a tree that may become tests, at most: more candidates make every choice more of a lottery.
const MOST_TESTED: usize = 200;

/// A test of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Test {
    /// Which atoms pass.
    pub(super) atoms: Range<Atom>,
    /// The node that it is about, in a tree.
    pub(super) node: Node,
}

/// What is public about one column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Axis {
    /// Numbers or dates.
    Numbers(NumberAxis),
    /// One value of a tree.
    Values(Tree),
    /// A set of values of a tree.
    Sets(Tree),
}

/// Numbers in bins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NumberAxis {
    pub(super) interval: Interval,
    pub(super) may_be_missing: bool,
    /// The first place of each bin.
    pub(super) starts: Vec<Place>,
}

impl NumberAxis {
    fn new(interval: &Interval, may_be_missing: bool) -> Self {
        let n_places = u64::from(interval.last()) + 1;
        let n_bins = n_places.min(MOST_BINS);
        Self {
            interval: interval.clone(),
            may_be_missing,
            starts: (0..n_bins)
                .map(|bin| (bin * n_places).div_ceil(n_bins) as Place)
                .collect(),
        }
    }

    pub(super) fn n_bins(&self) -> usize {
        self.starts.len()
    }

    /// The atom of a code. A number is missing only where the spec allows it; elsewhere the place after the last, which
    /// no reader writes there, is the last.
    pub(super) fn atom(&self, code: u32) -> Atom {
        if code > self.interval.last() && self.may_be_missing {
            return self.n_bins() as Atom;
        }
        self.starts.partition_point(|&start| start <= code) as Atom - 1
    }

    /// The places of a bin.
    pub(super) fn places(&self, bin: Atom) -> Range<u64> {
        let bin = bin as usize;
        let end = self
            .starts
            .get(bin + 1)
            .map_or(u64::from(self.interval.last()) + 1, |&next| next.into());
        self.starts[bin].into()..end
    }

    /// The middle of a bin, as a place.
    pub(super) fn middle(&self, bin: Atom) -> f64 {
        let places = self.places(bin);
        (places.start as f64).midpoint((places.end - 1) as f64)
    }

    /// The bins at which thresholds lie when there are so many parts: evenly spread.
    fn thresholds(&self, n_parts: usize) -> Vec<Atom> {
        let n_bins = self.n_bins();
        let mut bins: Vec<Atom> = (1..n_parts)
            .map(|part| (part * n_bins).div_ceil(n_parts) as Atom)
            .filter(|&bin| (bin as usize) < n_bins)
            .collect();
        bins.dedup();
        bins
    }
}

impl Axis {
    /// What a domain makes public.
    pub(super) fn new(domain: &Domain) -> Self {
        match domain {
            Domain::Numbers {
                interval,
                may_be_missing,
            } => Self::Numbers(NumberAxis::new(interval, *may_be_missing)),
            Domain::Values(tree) => Self::Values(tree.clone()),
            Domain::Sets { tree, .. } => Self::Sets(tree.clone()),
        }
    }

    /// How many atoms there are.
    pub(super) fn n_atoms(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.n_bins() + usize::from(numbers.may_be_missing),
            Self::Values(tree) | Self::Sets(tree) => tree.taxonomy.n_leaves(),
        }
    }

    /// Atoms that stand alone: "missing" and the empty set, which no set has beside other items.
    pub(super) fn loners(&self) -> Vec<Atom> {
        match self {
            Self::Numbers(numbers) if numbers.may_be_missing => vec![numbers.n_bins() as Atom],
            Self::Numbers(_) => Vec::new(),
            Self::Values(tree) => tree.taxonomy.missing().into_iter().collect(),
            Self::Sets(tree) => {
                let (empty, missing) = (tree.taxonomy.empty_set(), tree.taxonomy.missing());
                empty.into_iter().chain(missing).collect()
            }
        }
    }

    /// The tests of this column, none equal to another or its opposite. `n_parts` is how many parts numbers fall into.
    pub(super) fn tests(&self, n_parts: usize) -> Vec<Test> {
        let n_atoms = self.n_atoms() as Atom;
        match self {
            Self::Numbers(numbers) => {
                let n_bins = numbers.n_bins() as Atom;
                let ranges = numbers.thresholds(n_parts).into_iter();
                let mut tests: Vec<Test> = ranges
                    .map(|bin| Test {
                        atoms: bin..n_bins,
                        node: 0,
                    })
                    .collect();
                if numbers.may_be_missing {
                    tests.push(Test {
                        atoms: n_bins..n_atoms,
                        node: 0,
                    });
                }
                tests
            }
            Self::Values(tree) => different_tests(tree, |leaves| {
                // "Under the first node" and "under the second" are opposites where there are only two.
                if leaves.start == 0 {
                    leaves.end..n_atoms
                } else {
                    leaves
                }
            }),
            Self::Sets(tree) => different_tests(tree, |leaves| leaves),
        }
    }
}

/// The nodes of the levels that are not too wide, from the top down to the first that is.
pub(super) fn upper_nodes(tree: &Tree) -> Vec<Node> {
    let taxonomy = &tree.taxonomy;
    let mut at_depth = vec![0_usize; taxonomy.height() as usize + 1];
    for node in 0..taxonomy.n_nodes() as Node {
        at_depth[taxonomy.depth(node) as usize] += 1;
    }
    let too_wide = at_depth.iter().position(|&nodes| nodes > MOST_TESTED);
    let end = too_wide.unwrap_or(at_depth.len()) as u32;
    (1..taxonomy.n_nodes() as Node)
        .filter(|&node| taxonomy.depth(node) < end)
        .collect()
}

/// Tests "under this node" that differ in `form`, which two tests that say the same share, and that some leaf fails.
fn different_tests(tree: &Tree, form: impl Fn(Range<Leaf>) -> Range<Leaf>) -> Vec<Test> {
    let n_leaves = tree.taxonomy.n_leaves() as Leaf;
    let mut seen: Vec<Range<Leaf>> = Vec::new();
    let mut tests = Vec::new();
    for node in upper_nodes(tree) {
        let atoms = tree.taxonomy.leaves(node);
        let own = form(atoms.clone());
        if atoms == (0..n_leaves) || seen.contains(&own) {
            continue;
        }
        seen.push(own);
        tests.push(Test { atoms, node });
    }
    tests
}
