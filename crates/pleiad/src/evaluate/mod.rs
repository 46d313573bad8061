//! Measuring a masked table: how much of a cluster structure survived, what else was lost, and who could be found.
//!
//! Clusterings of real tables are often unstable, so a bare agreement says nothing: every comparison comes with its
//! ceiling (what two clusterings of the raw table itself reach), its floor (what the published columns reach without
//! what connects them) and the ratio of costs, which does not care about labels.

pub mod agreement;
mod association;
pub mod contingency;
mod loss;
mod measures;
mod pairs;
mod protocol;
mod risk;
mod sides;
pub mod t_test;
#[cfg(test)]
mod tests;

pub use association::{Association, ColumnDistance, associations, column_distances};
pub use loss::{ClassSize, ColumnLoss, Loss, RowsLost};
pub use measures::{Better, MEASURES, Measure};
pub use pairs::{Pairs, suppressed_rows};
pub use protocol::{Agreement, Comparison, Judgement, LabelledBy, Protocol, Reference};
pub use risk::{Attack, Risk, USUAL_THRESHOLD, loss_and_risk};
pub use sides::{Side, Sides};
