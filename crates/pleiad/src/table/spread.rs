//! How the rows behind a masked value spread over the raw values it may stand for.

use super::codes::Codes;
use super::domain::Domain;
use super::masked::MaskedValue;
use super::taxonomy::{Leaf, Node};

/// How the rows behind one masked value spread.
#[derive(Debug, Clone, PartialEq)]
pub enum Spread {
    /// Shares of leaves that sum to 1; of items, in a set column.
    Leaves(Vec<(Leaf, f64)>),
    /// Numbers.
    Numbers {
        /// The mean of those that are there, as a place on the grid.
        mean_place: f64,
        /// Share of rows without a number.
        missing: f64,
    },
}

impl Spread {
    /// What a masked value says by itself: every value it may stand for is equally likely.
    pub fn even(value: &MaskedValue, domain: &Domain) -> Self {
        match domain {
            Domain::Values(tree) | Domain::Sets { tree, .. } => {
                Self::Leaves(value.leaf_shares(tree))
            }
            Domain::Numbers {
                interval,
                may_be_missing,
            } => {
                let middle = |first: u32, last: u32| f64::from(first).midpoint(f64::from(last));
                let (mean_place, missing) = match value {
                    MaskedValue::Number(place) => (f64::from(*place), 0.0),
                    MaskedValue::Range(first, last) => (middle(*first, *last), 0.0),
                    MaskedValue::Missing => (middle(0, interval.last()), 1.0),
                    _ if *may_be_missing => {
                        let n_values = f64::from(interval.last()) + 2.0;
                        (middle(0, interval.last()), 1.0 / n_values)
                    }
                    _ => (middle(0, interval.last()), 0.0),
                };
                Self::Numbers {
                    mean_place,
                    missing,
                }
            }
        }
    }
}

/// What is disclosed about a masked column beyond its masked values.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnSpread {
    /// How the rows behind each of several entries spread: masked values, or groups of rows.
    Entries {
        /// The entry of each row.
        codes: Codes,
        /// How the rows of each entry spread.
        entries: Vec<Spread>,
    },
    /// How the items under each node of a set column spread; a set lies at the mean of its nodes. Few nodes make many
    /// sets, so this says it once.
    Nodes(Vec<(Node, Vec<(Leaf, f64)>)>),
}
