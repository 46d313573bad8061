//! Releases that claim differential privacy.
//!
//! `measure` looks at the table, against payment from a booking in the ledger; what leaves the owner is written from its
//! outputs, the spec's words and the account. So no hash of the input, no number of rows, no seed and no time can be in
//! it: the code that writes has none of them. The test replays recorded outputs beside another table and compares all
//! public bytes.
//!
//! A privacy claim is no property of bytes. What is verified is the arithmetic of the account, the schema and the hashes.

mod evaluation;
mod manifest;
mod pipeline;
mod publish;
#[cfg(test)]
mod tests;
mod verify;
mod words;

pub use evaluation::{PrivateEvidence, TakenIn};
pub use manifest::{
    CellsEntry, DifferentialPrivacy, PrivateManifest, PrivateMethodName, private_manifest_schema,
};
pub use pipeline::{PrivateOptions, PrivatelyReleased, release_privately};
pub use publish::PrivatePublication;
pub use verify::{OpenedPrivateRelease, open_private, verify_private};

/// The cells that rows were drawn from.
pub(super) const CELLS_FILE: &str = "cells.csv";

/// The column of the file of cells that numbers them, and the one that counts the people in them.
const CELL_COLUMN: &str = "_cell";
const COUNT_COLUMN: &str = "_count";

/// The owner's record of what was measured.
pub(super) const OUTPUTS_FILE: &str = "outputs.json";
