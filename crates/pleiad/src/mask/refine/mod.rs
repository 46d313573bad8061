//! Top-down refinement (Fung, Wang, Wang and Hung 2009): start with everything hidden, and disclose step by step what
//! tells most about the clusters for the anonymity it costs, as long as every group stays large enough.
//!
//! # Promise
//! For every quasi-identifier of the requirement, every combination of its masked values that occurs is shared by at
//! least `at_least` people (people, not rows, where the table says whom a row is about). Refinements only split groups,
//! so a refinement that would break the promise now would break it at any later time: it is dropped for good.
//!
//! # How it is fast
//! What a refinement tells about the clusters depends on one column alone and is computed once from counts. What it
//! costs is the smallest group it would leave; that is a running minimum, brought up to date from the rows of newly
//! split groups only, and only for candidates that are still possible. See `candidate` and `partition`.

mod candidate;
mod choose;
mod column;
mod forbidden;
mod gain;
mod outcome;
mod params;
mod partition;
mod rank;
mod run;
mod shape;
#[cfg(test)]
pub(crate) mod tests;

pub use outcome::{Refined, Refinement};
pub use params::{AnonymityLoss, RefineParams, Score, Split};
pub use rank::{RankedColumn, rank_columns};
pub use run::refine;
