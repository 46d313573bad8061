//! Measuring how much of a cluster structure survived.
//!
//! Clusterings of real tables are often unstable, so a bare agreement says nothing: every comparison comes with its
//! ceiling (what two clusterings of the raw table itself reach), its floor (what the published columns reach without
//! what connects them) and the ratio of costs, which does not care about labels.

pub mod agreement;
pub mod contingency;
mod loss;
mod measures;
mod protocol;
mod risk;
mod sides;
pub mod t_test;
#[cfg(test)]
mod tests;

pub use loss::{ClassSize, ColumnLoss, Loss, RowsLost};
pub use measures::{Better, MEASURES, Measure};
pub use protocol::{Agreement, Comparison, Judgement, LabelledBy, Protocol, Reference};
pub use risk::{Attack, Risk};
pub use sides::{Side, Sides};
