//! `evaluation.json`: what a release, or any masked table, comes to. It is made from the raw table and stays with the
//! owner.

use schemars::JsonSchema;
use serde::Serialize;

use super::private::PrivateEvidence;
use super::verify::PromiseKept;
use crate::evaluate::{Better, Comparison, LabelledBy, Loss, MEASURES, Risk};
use crate::mask::refine::Refinement;
use crate::spec::{Algorithm, schema_text};
use crate::table::Table;

/// What a masked table comes to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename = "evaluation.json")]
pub struct Evaluation {
    /// The version of this layout.
    pub format: u32,
    /// The program that wrote it.
    pub made_by: String,
    /// The raw table.
    pub input: InputEntry,
    /// The masked table, where it was there before.
    pub masked: Option<MaskedEntry>,
    /// The SHA-256 hash of the release's manifest; nothing for a table that is no release.
    pub manifest_sha256: Option<String>,
    /// The promises, as they were counted on the written files; none for a table that promises nothing itself.
    pub promises: Vec<PromiseKept>,
    /// How much of the cluster structure survived.
    pub structure: StructureEntry,
    /// What was lost; nothing where no row of the masked table is somebody's.
    pub loss: Option<Loss>,
    /// How likely it is that somebody is found; nothing where no row of the masked table is somebody's.
    pub risk: Option<Risk>,
    /// Every step of the refinement, in order; none where a table was masked in another way.
    pub refinements: Vec<RefinementEntry>,
    /// What only a private release has to say about itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privacy: Option<PrivateEvidence>,
}

/// A masked table that was there before, and how it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MaskedEntry {
    /// The file, or the folder of a release.
    pub file: String,
    /// Its rows.
    pub rows: u64,
    /// How its rows were found to be those of the raw table.
    pub aligned: AlignedBy,
    /// Cells in none of the known forms, which were taken as suppressed because that was asked for.
    pub unknown_cells: u64,
    /// Numbers outside their bounds, which were taken as the nearest bound.
    pub numbers_outside: u64,
    /// Cells that cannot stand for the raw value: it was changed, or the rows do not belong together.
    pub contradicted_cells: u64,
}

/// How masked rows were found to be those of the raw table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "by")]
pub enum AlignedBy {
    /// By a column that both tables have.
    Key {
        /// The column.
        column: String,
    },
    /// By the owner's map of rows.
    Map {
        /// The file.
        file: String,
    },
    /// By their order, which is the raw table's.
    Order,
    /// Not at all: no row is somebody's, or nobody knows whose.
    Nothing,
}

/// The raw table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputEntry {
    /// The file.
    pub file: String,
    /// Its SHA-256 hash, in hexadecimal.
    pub sha256: String,
    /// Its rows, without those that were left out.
    pub rows: u64,
    /// Rows that lacked a value and were left out.
    pub rows_left_out: u64,
    /// People in these rows.
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
    /// How raw rows got their cluster on the masked table.
    pub labelled: LabelledEntry,
    /// How many clusterings of the raw table are as good as the best one. Where there are several, agreement with one
    /// of them says little.
    pub raw_optima: usize,
    /// The measures, the most telling first.
    pub measures: Vec<MeasureEntry>,
}

/// How raw rows get their cluster on the masked table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LabelledEntry {
    /// That of the row that they became.
    ByRow,
    /// That of the cell that they are in.
    ByCell,
    /// That of the nearest centre.
    ByCentre,
}

impl From<LabelledBy<'_>> for LabelledEntry {
    fn from(labelled_by: LabelledBy<'_>) -> Self {
        match labelled_by {
            LabelledBy::Row => Self::ByRow,
            LabelledBy::Cell(_) => Self::ByCell,
            LabelledBy::Centre => Self::ByCentre,
        }
    }
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
    pub fn text(&self) -> String {
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
