//! Measuring how much of a cluster structure survived.
pub mod agreement;
pub mod contingency;
pub mod t_test;
