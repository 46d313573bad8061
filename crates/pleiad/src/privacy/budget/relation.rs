//! When two tables are neighbours: the word that every privacy claim hangs on, as a type.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// One person is added or removed. The size of the table is private.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AddRemove {}

/// One person is replaced by another. The size of the table is public.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Replace {}

/// A neighbour relation. There are two, and amounts under one never add to amounts under the other.
pub trait Relation: sealed::Sealed + fmt::Debug + Copy + Ord + Send + Sync + 'static {
    /// The relation as a value, for files.
    const NEIGHBOURS: Neighbours;
}

impl Relation for AddRemove {
    const NEIGHBOURS: Neighbours = Neighbours::AddRemove;
}

impl Relation for Replace {
    const NEIGHBOURS: Neighbours = Neighbours::Replace;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::AddRemove {}
    impl Sealed for super::Replace {}
}

/// The neighbour relation as it stands in a file, where the compiler cannot see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Neighbours {
    /// One person is added or removed.
    AddRemove,
    /// One person is replaced by another.
    Replace,
}

impl Neighbours {
    /// The word in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::AddRemove => "add_remove",
            Self::Replace => "replace",
        }
    }

    /// The relation with this word.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::AddRemove, Self::Replace]
            .into_iter()
            .find(|neighbours| neighbours.name() == name)
    }

    /// Refuses amounts under another relation.
    pub(crate) fn check_is(self, other: Self) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let error = Error::refused(format!(
            "amounts under {other} do not add to amounts under {self}"
        ));
        Err(match other {
            Self::AddRemove => error.hint(
                "a guarantee under adding or removing holds under replacing with twice the ε (four times the ρ): convert it first",
            ),
            Self::Replace => error.hint(
                "a guarantee under replacing says nothing about adding or removing a person",
            ),
        })
    }
}

impl fmt::Display for Neighbours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::AddRemove => "adding or removing a person",
            Self::Replace => "replacing a person",
        })
    }
}
