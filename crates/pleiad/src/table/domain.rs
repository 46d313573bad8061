//! What the values of a column can be.

use std::fmt;

use super::interval::{Interval, Unit};
use super::taxonomy::Taxonomy;
use crate::error::{Error, Result};

/// What a column is to the release; the words are ARX's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Names a person. Never leaves the owner.
    Identifier,
    /// Together with others it may single out a person: masked.
    Quasi,
    /// Published as it is; what must not be learnt about a person.
    Sensitive,
    /// Neither.
    Plain,
}

/// What the values of a column can be.
#[derive(Debug, Clone, PartialEq)]
pub enum Domain {
    /// Numbers or dates on a grid.
    Numbers {
        /// Bounds and grid.
        interval: Interval,
        /// Whether a row may be without a number.
        may_be_missing: bool,
    },
    /// One value of a tree.
    Values(Tree),
    /// A set of values of a tree.
    Sets {
        /// The tree of the items; it has a leaf for the empty set.
        tree: Tree,
        /// What stands between two items in a file.
        separator: String,
    },
}

/// A tree and whether somebody drew it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The tree, with its leaf for missing values where the column may be missing.
    pub taxonomy: Taxonomy,
    /// Whether it is a mere list of values under a root: such a column is masked by suppression.
    pub is_star: bool,
}

impl Domain {
    /// A domain of sets; refuses labels that a file could not tell apart.
    pub fn sets(tree: Tree, separator: String) -> Result<Self> {
        check_separator(&tree.taxonomy, &separator)?;
        Ok(Self::Sets { tree, separator })
    }

    /// The tree of a column of values or sets.
    pub fn tree(&self) -> Option<&Tree> {
        match self {
            Self::Numbers { .. } => None,
            Self::Values(tree) | Self::Sets { tree, .. } => Some(tree),
        }
    }

    /// Whether a row may be without a value.
    pub fn may_be_missing(&self) -> bool {
        match self {
            Self::Numbers { may_be_missing, .. } => *may_be_missing,
            Self::Values(tree) | Self::Sets { tree, .. } => tree.taxonomy.missing().is_some(),
        }
    }

    /// The word for this kind of column.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Numbers { interval, .. } if interval.unit() == Unit::Day => "date",
            Self::Numbers { .. } => "numeric",
            Self::Values(_) => "categorical",
            Self::Sets { .. } => "set",
        }
    }
}

/// Refuses a separator that joins labels to a text which splits into other ones.
pub(super) fn check_separator(taxonomy: &Taxonomy, separator: &str) -> Result<()> {
    if separator.is_empty() {
        return Err(Error::spec("the separator of a set-valued column is empty"));
    }
    for label in (0..taxonomy.n_nodes()).map(|node| taxonomy.label(node as u32)) {
        if label.contains(separator) {
            return Err(Error::spec(format!(
                "the value `{label}` contains the separator `{separator}`"
            )));
        }
        // `a;` and the separator `;;` make `a;;;`, which would be cut after the `a`.
        if format!("{label}{separator}").find(separator) != Some(label.len()) {
            return Err(Error::spec(format!(
                "the value `{label}` runs into the separator `{separator}`"
            )));
        }
    }
    Ok(())
}

/// A column's name, role and domain.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The name in the header.
    pub name: String,
    /// What it is to the release.
    pub role: Role,
    /// What its values can be.
    pub domain: Domain,
    /// Its share in the distance of two rows, before all are scaled to sum to 1.
    pub weight: f64,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Identifier => "identifier",
            Self::Quasi => "quasi",
            Self::Sensitive => "sensitive",
            Self::Plain => "plain",
        })
    }
}
