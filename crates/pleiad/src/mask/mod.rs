//! How a promise is kept: one folder per method.

pub mod mosaic;
pub mod positions;
pub mod private;
pub mod refine;
