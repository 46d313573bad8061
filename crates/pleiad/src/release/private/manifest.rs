//! The manifest of a private release: what it promises, what every step cost, and how to read it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Place, Result};
use crate::privacy::budget::{Account, AddRemove};
use crate::release::manifest::{ClusterEntry, ColumnEntry, DataEntry, FileEntry, UnitEntry};
use crate::spec::schema_text;

/// What a private release promises and how to read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "manifest.json of a private release")]
pub struct PrivateManifest {
    /// The version of this layout.
    pub format: u32,
    /// The program that wrote the release.
    pub made_by: String,
    /// What is promised to the people in the table.
    pub guarantee: DifferentialPrivacy,
    /// How it was made.
    pub method: PrivateMethodName,
    /// The structure that the release is meant for, and the space it is in.
    pub cluster: ClusterEntry,
    /// The rows, none of which is a person.
    pub data: DataEntry,
    /// What the rows were drawn from.
    pub cells: CellsEntry,
    /// The columns, in the order of the file.
    pub columns: Vec<ColumnEntry>,
    /// Every file of the release but this one.
    pub files: BTreeMap<String, FileEntry>,
}

/// What is promised.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DifferentialPrivacy {
    /// The promise in words.
    pub in_words: Vec<String>,
    /// What it does not promise, in words.
    pub not_promised: Vec<String>,
    /// What a person is.
    pub unit: UnitEntry,
    /// The ε of the release: what the account adds up to.
    pub epsilon: String,
    /// Every step and what it cost.
    pub account: Account<AddRemove>,
}

/// What the rows were drawn from: cells that do not overlap, with the people in each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellsEntry {
    /// The file with what is possible in each cell and, with noise, how many people are in it.
    pub file: String,
    /// How many cells there are.
    pub cells: u64,
    /// The tests that the cells were cut by, in order and in words.
    pub cuts: Vec<String>,
    /// The file that says, with noise, how the people of each cell spread over the values of each column.
    pub positions: String,
}

/// How a private release was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "name", rename_all = "lowercase", deny_unknown_fields)]
pub enum PrivateMethodName {
    /// A few private cells, noisy histograms in groups of them, and rows drawn from these.
    Mosaic {
        /// Whether its settings were chosen by a private score.
        tuned: bool,
    },
}

/// The JSON schema of the manifest of a private release.
pub fn private_manifest_schema() -> String {
    schema_text::<PrivateManifest>()
}

impl PrivateManifest {
    /// Reads a manifest. Every cost of its account is worked out anew, and one that does not add up is refused.
    pub fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).map_err(|source| Error::system("read", path, source))?;
        serde_json::from_str(&text).map_err(|error| {
            Error::refused(format!("the manifest does not hold: {error}")).at(Place::file(path))
        })
    }

    /// Whether a manifest is that of a private release.
    pub fn is_at(path: &Path) -> bool {
        let manifest = || {
            let text = fs::read_to_string(path).ok()?;
            serde_json::from_str::<serde_json::Value>(&text).ok()
        };
        manifest().is_some_and(|manifest| manifest["guarantee"]["epsilon"].is_string())
    }

    pub(super) fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest is JSON");
        text.push('\n');
        text
    }
}
