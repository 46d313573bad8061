//! Measuring how much of a cluster structure survived.
//!
//! Clusterings of real tables are often unstable, so a bare agreement says nothing: every comparison comes with its
//! ceiling (what two clusterings of the raw table itself reach), its floor (what the published columns reach without
//! what connects them) and the ratio of costs, which does not care about labels.

pub mod agreement;
pub mod contingency;
mod measures;
mod protocol;
pub mod t_test;
#[cfg(test)]
mod tests;

pub use measures::{Better, MEASURES, Measure};
pub use protocol::{Agreement, Comparison, Judgement, LabelledBy, Protocol, Reference};
