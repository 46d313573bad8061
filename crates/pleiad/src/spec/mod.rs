//! `pleiad.toml`, the one file that describes a release, turned into types that cannot hold a bad value.
//!
//! The way is text, `raw` (what was written, with its place), `check` (what it means). Whatever is wrong is an
//! error that points at the key or value; an unknown name is refused together with the nearest one that exists. The
//! JSON schema for editors is generated from the raw types.

mod check;
mod cluster;
mod column;
mod domain;
mod mosaic;
mod protect;
mod raw;
mod schema;
#[cfg(test)]
mod tests;
mod words;

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Place, Result};
use crate::privacy::budget::{AddRemove, Epsilon};
use crate::table::Plan;

pub use schema::json_schema;
pub(crate) use schema::schema_text;

/// A checked spec.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// How to read the table.
    pub plan: Plan,
    /// The table.
    pub data_path: PathBuf,
    /// The structure to keep.
    pub cluster: ClusterSpec,
    /// How people are protected; nothing where a table is only clustered.
    pub protect: Option<ProtectSpec>,
    /// How the recipient will cluster the release; the owner's own way unless said otherwise.
    pub recipient: Algorithm,
}

/// How the table is clustered.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterSpec {
    /// The clusterer.
    pub algorithm: Algorithm,
    /// Number of clusters, at least 2. DBSCAN finds its own number; then it is what other clusterers are told.
    pub clusters: usize,
    /// Number of runs of which the best is taken, at least 1.
    pub restarts: usize,
    /// Where the random numbers start.
    pub seed: u64,
    /// How values become coordinates.
    pub encoding: Encoding,
    /// What else the clusterers of owner and recipient are told.
    pub tuning: Tuning,
}

/// What a clusterer is told beside the number of clusters. What it has no use for, it ignores.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    /// Where k-means and k-prototypes start.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub seeding: Seeding,
    /// What a category that differs counts for in k-prototypes, where a number counts for the square of its difference
    /// as a share of its range. Without it, half the mean standard deviation of the numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gamma: Option<f64>,
    /// How far from each other neighbours of DBSCAN may lie. Without it, the elbow of the distances between neighbours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// How many rows within the radius, itself included, make a row the core of a cluster of DBSCAN. Without it, 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<u32>,
}

impl Tuning {
    /// Whether everything is left to the clusterer.
    pub fn is_usual(&self) -> bool {
        is_usual(self)
    }
}

/// Where a clusterer with centres starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// Rows drawn with a chance that grows with their distance from those drawn before; several starts are tried.
    #[default]
    PlusPlus,
    /// The row nearest the middle of the table, then again and again the row farthest from those chosen: one start, which
    /// has nothing to do with the seed.
    Canopy,
}

/// Whether a value is the usual one.
fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How the people in the table are protected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProtectSpec {
    /// So many people look alike.
    Refine(RefineSpec),
    /// Differential privacy.
    Mosaic(MosaicSpec),
}

/// What refinement is to promise, and how it goes about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefineSpec {
    /// At least one, and every quasi column is in one.
    pub anonymity: Vec<AnonymitySpec>,
    /// What is disclosed about the rows behind masked values.
    pub positions: Positions,
    /// What makes one refinement better than another.
    pub score: Score,
    /// Breaks ties of the distortion score.
    pub seed: u64,
}

/// What mosaic may spend. Everything in it is public, and so are the domains of all columns of such a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MosaicSpec {
    /// What the release costs, more than 0.
    pub epsilon: Epsilon<AddRemove>,
    /// Whose budget it is taken from.
    pub population: String,
    /// The ledger that keeps the budget.
    pub ledger: PathBuf,
    /// Number of synthetic rows; the noisy number of people unless given.
    pub rows: Option<u64>,
    /// Whether settings are chosen by a private score.
    pub tune: bool,
}

/// Columns by which a person could be looked up, and how many people must look alike there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnonymitySpec {
    /// Names of quasi columns, each once.
    pub columns: Vec<String>,
    /// How many people, at least 2.
    pub at_least: u32,
}

/// A clusterer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Rows go to the nearest of several centres, centres to the middle of their rows, until nothing moves.
    #[default]
    KMeans,
    /// The whole table is split in two by k-means, then the worst of the parts, until there are enough.
    Bisecting,
    /// As k-means, but a centre has the most frequent value of a category instead of a mean, and values that differ
    /// are all equally far apart.
    KPrototypes,
    /// Rows with enough neighbours, and what they reach, are clusters; the others are noise. It finds the number itself.
    Dbscan,
}

impl Algorithm {
    /// Its name as people write it.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::KMeans => "k-means",
            Self::Bisecting => "bisecting k-means",
            Self::KPrototypes => "k-prototypes",
            Self::Dbscan => "DBSCAN",
        }
    }
}

/// How values become coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// Values that are close in the taxonomy are close to each other.
    #[default]
    Semantic,
    /// Any two different values are equally far from each other.
    OneHot,
}

/// How values are masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// All values start fully generalised and are made more precise for as long as the promise holds.
    #[default]
    Refine,
    /// Differential privacy: a few private cells, noisy histograms within groups of them, and synthetic rows.
    Mosaic,
}

/// What is disclosed about the rows behind masked values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Positions {
    /// Nothing beyond the generalised values themselves.
    Uniform,
    /// For each masked value of a column, how its rows in the whole table spread over the raw values: leaves with at
    /// least as many people as the column's largest threshold, the others pooled, in steps of one over that threshold;
    /// and the mean of an interval.
    #[default]
    Table,
    /// For each group of people who look alike, the mean of its numbers and the shares of its other values, as
    /// microaggregation publishes them: whatever is said of a group is common to its people.
    Group,
}

/// What makes one refinement better than another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Information about the clusters per unit of anonymity lost.
    #[default]
    Cluster,
    /// The number of rows that become more precise, whatever the clusters: the baseline.
    Distortion,
}

impl Spec {
    /// Reads and checks a spec and the taxonomies that it names.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|source| Error::system("read", path, source))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
            Error::spec("the spec is not UTF-8 text").at(Place::span(path, &before, valid..valid))
        })?;
        Self::parse(&text, path)
    }

    /// What is to be promised by refinement, if that is the method.
    pub fn refinement(&self) -> Option<&RefineSpec> {
        match &self.protect {
            Some(ProtectSpec::Refine(protect)) => Some(protect),
            Some(ProtectSpec::Mosaic(_)) | None => None,
        }
    }

    /// Checks the text of a spec; `path` is for messages, and its folder is where relative paths start.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let source = check::Source { text, path };
        check::spec(raw::parse(&source)?, &source)
    }
}
