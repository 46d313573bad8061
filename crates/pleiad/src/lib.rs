//! Pleiad publishes tables about people so that whoever receives them can still find the same clusters, and nobody can
//! find a person.
//!
//! A table moves from left to right through the modules, and each knows only what stands to its left:
//! [`table`] reads and codes it, [`spec`] says what it is and [`draft`] proposes a first one, [`cluster`] finds its structure,
//! [`privacy`] says what can be promised and [`mask`] keeps the promise, [`evaluate`] measures how much of the structure
//! survived, [`release`] runs the whole way and writes what can be handed over. [`generate`] makes a hospital table to try
//! things on.

pub mod cluster;
pub mod draft;
mod error;
pub mod evaluate;
pub mod generate;
pub mod mask;
pub mod privacy;
mod progress;
pub mod release;
mod repeatable;
pub mod spec;
pub mod table;
mod toml_text;
pub mod words;

pub use error::{Error, Kind, Place, Result};
pub use progress::{Amount, Progress, Silent};
