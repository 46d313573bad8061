//! How a promise is kept: one folder per method.

pub mod positions;
pub mod refine;
