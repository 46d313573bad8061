//! What can be promised.

pub mod audit;
pub mod budget;
pub mod ledger;
pub mod noise;
mod requirement;

pub use requirement::{QuasiIdentifier, Requirement};
