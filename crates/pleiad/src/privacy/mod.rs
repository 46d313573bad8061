//! What can be promised.

mod requirement;

pub use requirement::{QuasiIdentifier, Requirement};
