//! How far a masked value reaches: how many raw values it may stand for, and which.

use super::column::SetDictionary;
use super::domain::{Domain, Tree};
use super::masked::MaskedValue;
use super::taxonomy::{Leaf, Node};

/// How much of its domain a masked value may stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reach {
    /// 0 for a value that is told as it is, else the share of the domain: its leaves, or the length of the interval.
    pub(crate) share: f64,
    /// Values beside the first that it may stand for, as a share of those that the domain has beside the first.
    pub(crate) further: f64,
}

impl Reach {
    const EXACT: Self = Self {
        share: 0.0,
        further: 0.0,
    };
    const WHOLE: Self = Self {
        share: 1.0,
        further: 1.0,
    };

    fn of_leaves(n_leaves: usize, tree: &Tree) -> Self {
        let n_all = tree.taxonomy.n_leaves();
        if n_leaves <= 1 {
            return Self::EXACT;
        }
        Self {
            share: n_leaves as f64 / n_all as f64,
            further: (n_leaves - 1) as f64 / (n_all - 1) as f64,
        }
    }

    fn of_node(node: Node, tree: &Tree) -> Self {
        Self::of_leaves(tree.taxonomy.leaves(node).len(), tree)
    }
}

impl MaskedValue {
    /// Whether it may stand for any value of its column.
    pub fn tells_nothing(&self, domain: &Domain) -> bool {
        match (self, domain) {
            (Self::Anything, _) => true,
            (
                Self::Range(0, last),
                Domain::Numbers {
                    interval,
                    may_be_missing: false,
                },
            ) => *last == interval.last(),
            (Self::Rest(leaves) | Self::Region(leaves), Domain::Values(tree)) => {
                leaves.len() == tree.taxonomy.n_leaves()
            }
            _ => false,
        }
    }

    /// Whether it is one raw value.
    pub fn is_exact(&self, domain: &Domain) -> bool {
        match (self, domain.tree()) {
            (Self::Missing | Self::Number(_), _) => true,
            (Self::Node(node), Some(tree)) => tree.taxonomy.is_leaf(*node),
            (Self::Nodes(nodes), Some(tree)) => {
                nodes.iter().all(|&node| tree.taxonomy.is_leaf(node))
            }
            _ => false,
        }
    }

    /// How much of its domain it may stand for; of a set the mean over its nodes.
    pub(crate) fn reach(&self, domain: &Domain) -> Reach {
        if self.tells_nothing(domain) {
            return Reach::WHOLE;
        }
        match (self, domain) {
            (Self::Node(node), Domain::Values(tree) | Domain::Sets { tree, .. }) => {
                Reach::of_node(*node, tree)
            }
            (
                Self::Rest(leaves) | Self::Region(leaves),
                Domain::Values(tree) | Domain::Sets { tree, .. },
            ) => Reach::of_leaves(leaves.len(), tree),
            (Self::Nodes(nodes), Domain::Sets { tree, .. }) => {
                let mean = |part: fn(Reach) -> f64| {
                    let parts = nodes.iter().map(|&node| part(Reach::of_node(node, tree)));
                    parts.sum::<f64>() / nodes.len() as f64
                };
                Reach {
                    share: mean(|reach| reach.share),
                    further: mean(|reach| reach.further),
                }
            }
            (
                Self::Range(first, last),
                Domain::Numbers {
                    interval,
                    may_be_missing,
                },
            ) => {
                let length = f64::from(last - first);
                let further = f64::from(interval.last()) + f64::from(u8::from(*may_be_missing));
                Reach {
                    share: length / f64::from(interval.last()),
                    further: length / further,
                }
            }
            _ => Reach::EXACT,
        }
    }

    /// Whether it may stand for the raw value of a code; `sets` are those of a raw column of sets.
    pub(crate) fn may_be(&self, domain: &Domain, sets: Option<&SetDictionary>, code: u32) -> bool {
        match domain {
            Domain::Numbers {
                interval,
                may_be_missing,
            } => match self {
                Self::Range(first, last) => (*first..=*last).contains(&code),
                Self::Number(place) => *place == code,
                Self::Missing => code > interval.last(),
                _ => code <= interval.last() || *may_be_missing,
            },
            Domain::Values(tree) => self.may_be_leaf(tree, code),
            Domain::Sets { tree, .. } => {
                let items = match sets {
                    Some(sets) => sets.items(code),
                    None => &[],
                };
                match self {
                    Self::Nodes(nodes) => {
                        let under = |node: Node, leaf: Leaf| {
                            let leaf = tree.taxonomy.node_of_leaf(leaf);
                            tree.taxonomy.is_ancestor(node, leaf)
                        };
                        items
                            .iter()
                            .all(|&item| nodes.iter().any(|&node| under(node, item)))
                            && nodes
                                .iter()
                                .all(|&node| items.iter().any(|&item| under(node, item)))
                    }
                    _ => items.iter().all(|&item| self.may_be_leaf(tree, item)),
                }
            }
        }
    }

    fn may_be_leaf(&self, tree: &Tree, leaf: Leaf) -> bool {
        match self {
            Self::Node(node) => tree.taxonomy.leaves(*node).contains(&leaf),
            Self::Rest(leaves) | Self::Region(leaves) => leaves.contains(&leaf),
            Self::Missing => tree.taxonomy.missing() == Some(leaf),
            _ => true,
        }
    }

    /// Whether two masked values of a column may stand for the same raw value.
    pub(crate) fn may_agree(&self, other: &Self, domain: &Domain) -> bool {
        if matches!(self, Self::Anything) || matches!(other, Self::Anything) {
            return true;
        }
        match domain {
            Domain::Numbers { .. } => match (self.places(), other.places()) {
                (Some((a, b)), Some((c, d))) => a <= d && c <= b,
                (None, None) => true,
                _ => false,
            },
            Domain::Values(tree) => {
                let (few, many) = (self.leaf_shares(tree), other);
                few.iter().any(|&(leaf, _)| many.may_be_leaf(tree, leaf))
            }
            Domain::Sets { tree, .. } => {
                let taxonomy = &tree.taxonomy;
                let (own, others) = (self.nodes(tree), other.nodes(tree));
                let meet =
                    |a: Node, b: Node| taxonomy.is_ancestor(a, b) || taxonomy.is_ancestor(b, a);
                own.iter().all(|&a| others.iter().any(|&b| meet(a, b)))
                    && others.iter().all(|&b| own.iter().any(|&a| meet(a, b)))
            }
        }
    }

    /// First and last place of a number; nothing for a missing one.
    fn places(&self) -> Option<(u32, u32)> {
        match self {
            Self::Range(first, last) => Some((*first, *last)),
            Self::Number(place) => Some((*place, *place)),
            _ => None,
        }
    }
}
