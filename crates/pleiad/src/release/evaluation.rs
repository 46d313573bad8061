//! `evaluation.json`: what a release comes to. It is made from the raw table and stays with the owner.

use schemars::JsonSchema;
use serde::Serialize;

use super::private::PrivateEvidence;
use super::verify::PromiseKept;
use crate::evaluate::{Better, Comparison, MEASURES};
use crate::mask::refine::Refinement;
use crate::spec::{Algorithm, schema_text};
use crate::table::Table;

/// What a release comes to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename = "evaluation.json")]
pub struct Evaluation {
    /// The version of this layout.
    pub format: u32,
    /// The program that wrote it.
    pub made_by: String,
    /// The raw table.
    pub input: InputEntry,
    /// The SHA-256 hash of the release's manifest.
    pub manifest_sha256: String,
    /// The promises, as they were counted on the written files.
    pub promises: Vec<PromiseKept>,
    /// How much of the cluster structure survived.
    pub structure: StructureEntry,
    /// Every step of the refinement, in order.
    pub refinements: Vec<RefinementEntry>,
    /// What only a private release has to say about itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privacy: Option<PrivateEvidence>,
}

/// The raw table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputEntry {
    /// The file.
    pub file: String,
    /// Its SHA-256 hash, in hexadecimal.
    pub sha256: String,
    /// Rows that were published.
    pub rows: u64,
    /// Rows that lacked a value and were left out.
    pub rows_left_out: u64,
    /// People in the rows that were published.
    pub people: u64,
}

/// How much of the cluster structure survived.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StructureEntry {
    /// Number of clusters.
    pub clusters: usize,
    /// How the owner clusters the raw table.
    pub owner: Algorithm,
    /// How the recipient clusters the release.
    pub recipient: Algorithm,
    /// How many rows were compared: all, or a sample of a large table.
    pub rows_compared: u64,
    /// How many clusterings of the raw table are as good as the best one. Where there are several, agreement with one
    /// of them says little.
    pub raw_optima: usize,
    /// The measures, the most telling first.
    pub measures: Vec<MeasureEntry>,
}

/// One measure.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MeasureEntry {
    /// Its name.
    pub name: String,
    /// What it says.
    pub meaning: String,
    /// Whether larger values are better.
    pub higher_is_better: bool,
    /// The release's value.
    pub value: Option<f64>,
    /// What two clusterings of the raw table itself reach.
    pub ceiling: Option<f64>,
    /// What the published columns reach without what connects them.
    pub floor: Option<f64>,
}

/// One step of the refinement.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RefinementEntry {
    /// The column.
    pub column: String,
    /// What was refined, as it is written.
    pub value: String,
    /// Where an interval was split, or which hidden value was disclosed.
    pub at: Option<String>,
    /// Its score.
    pub score: f64,
    /// What it told about the clusters, in bits.
    pub gain: f64,
    /// People that the smallest group lost, on average over the promises.
    pub loss: f64,
    /// Rows that became more precise.
    pub rows: u64,
}

/// The JSON schema of `evaluation.json`.
pub fn evaluation_schema() -> String {
    schema_text::<Evaluation>()
}

impl Evaluation {
    /// The text of the file.
    pub(super) fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("an evaluation is JSON");
        text.push('\n');
        text
    }

    /// A measure by its name.
    pub fn measure(&self, name: &str) -> Option<&MeasureEntry> {
        self.structure
            .measures
            .iter()
            .find(|measure| measure.name == name)
    }
}

/// All measures of a comparison.
pub(super) fn measures(comparison: &Comparison) -> Vec<MeasureEntry> {
    MEASURES
        .iter()
        .map(|measure| MeasureEntry {
            name: measure.name.to_owned(),
            meaning: measure.meaning.to_owned(),
            higher_is_better: measure.better == Better::Higher,
            value: measure.value(comparison),
            ceiling: measure.ceiling(comparison),
            floor: measure.floor(comparison),
        })
        .collect()
}

/// The steps of a refinement in the words of the table.
pub(super) fn refinements(table: &Table, trace: &[Refinement]) -> Vec<RefinementEntry> {
    trace
        .iter()
        .map(|step| RefinementEntry {
            column: table.fields()[step.column].name.clone(),
            value: step.value.clone(),
            at: step.at.clone(),
            score: step.score,
            gain: step.gain,
            loss: step.loss,
            rows: step.n_rows,
        })
        .collect()
}
