//! The main job: from a raw table to a folder that can be handed over.
//!
//! `label → mask → relabel → compare → publish`. What is handed over goes to `NAME/`, what stays with the owner to
//! `NAME.owner/`: two folders, so that nobody hands over both by mistake. Both are written under other names, checked
//! by [`verify`](verify_release), which reads the written files and knows nothing of masking, and renamed into place.
//!
//! # What may reach the public folder
//! Masked columns, columns whose role says that they are published as they are, where masked values lie as far as the
//! choice of positions discloses it, and the spec's own words: names, domains, thresholds. Rows are in the order of
//! their published values, dictionaries and groups are numbered in that order too, and nothing else about the raw file
//! (its name, its size, its order, its hash) is written there.

mod alignment;
mod compare;
mod evaluation;
mod folder;
mod judge;
mod manifest;
mod masked_table;
mod open;
mod order;
mod pipeline;
mod positions_file;
mod private;
mod publish;
mod readme;
#[cfg(test)]
mod tests;
mod verify;

pub use alignment::Rows;
pub use evaluation::{
    AlignedBy, Evaluation, InputEntry, LabelledEntry, MaskedEntry, MeasureEntry, RefinementEntry,
    StructureEntry, evaluation_schema,
};
pub use judge::{JudgeOptions, Show, judge};
pub use manifest::{ClusterEntry, Guarantee, Manifest, Method, UnitEntry, manifest_schema};
pub use open::{OpenedRelease, open_release};
pub use pipeline::{Evidence, ReleaseOptions, Released, Reporter, release, release_with_report};
pub use private::{
    CellsEntry, DifferentialPrivacy, OpenedPrivateRelease, PrivateEvidence, PrivateManifest,
    PrivateMethodName, PrivateOptions, PrivatePublication, PrivatelyReleased, TakenIn,
    open_private, private_manifest_schema, release_privately, verify_private,
};
pub use verify::{Counted, PromiseKept, Verified, check_table, verify_release};

/// The public folder's description of itself.
pub const MANIFEST_FILE: &str = "manifest.json";

/// Words for the recipient.
pub const README_FILE: &str = "README.md";

/// Where masked values lie.
pub const POSITIONS_FILE: &str = "positions.csv";

/// What the release comes to, for the owner.
pub const EVALUATION_FILE: &str = "evaluation.json";

/// Everything about the release to read, sign and keep, for the owner.
pub const REPORT_FILE: &str = "report.html";

/// Which raw row became which public row, for the owner.
pub const ROWS_FILE: &str = "rows.parquet";
