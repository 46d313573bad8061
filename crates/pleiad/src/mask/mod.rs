//! How a promise is kept: one folder per method.

pub mod refine;
