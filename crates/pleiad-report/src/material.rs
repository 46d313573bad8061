//! What a report is made from.

use pleiad::evaluate::{Loss, Risk, Sides};
use pleiad::release::{PromiseKept, RefinementEntry, StructureEntry};

/// All that there is to tell. What is absent is left out of the report.
#[derive(Debug, Clone)]
pub struct Material<'a> {
    /// What the report is about: the name of a release, or of a masked table.
    pub subject: String,
    /// The program that made what is reported.
    pub made_by: &'a str,
    /// The raw table.
    pub source: Source<'a>,
    /// What is promised, if anything is.
    pub promise: Option<Promise>,
    /// The promises as they were counted on the written files.
    pub promises_kept: &'a [PromiseKept],
    /// How much of the cluster structure survived.
    pub structure: Option<&'a StructureEntry>,
    /// The rows before and after.
    pub sides: Option<Sides<'a>>,
    /// What the table lost.
    pub loss: Option<&'a Loss>,
    /// What attackers come to.
    pub risk: Option<&'a Risk>,
    /// Every step of the refinement, in order.
    pub refinements: &'a [RefinementEntry],
    /// What a private method spent.
    pub account: Option<PrivacyAccount>,
    /// How far the columns of the release are from the raw ones.
    pub distances: Vec<ColumnDistance>,
    /// How much of what connects two columns was kept.
    pub associations: Vec<Association>,
}

/// The raw table.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The file.
    pub file: &'a str,
    /// Its SHA-256 hash.
    pub sha256: Option<&'a str>,
    /// Rows that were published.
    pub rows: u64,
    /// Rows that lacked a value and were left out.
    pub rows_left_out: u64,
    /// People in the rows that were published; nothing if each row is one.
    pub people: Option<u64>,
}

/// What is promised, in words that somebody can sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// Its name.
    pub name: String,
    /// The promise.
    pub in_words: Vec<String>,
    /// What it does not promise.
    pub not_promised: Vec<String>,
    /// Whom it is given to: what counts as a person.
    pub unit: String,
    /// Its parameters and the method's, with their values.
    pub parameters: Vec<(String, String)>,
}

/// What a private method spent, step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct PrivacyAccount {
    /// The total with its unit, as it is stated: `ε = 1`.
    pub total: String,
    /// The steps in order.
    pub steps: Vec<PrivacyStep>,
}

/// One step of a private method.
#[derive(Debug, Clone, PartialEq)]
pub struct PrivacyStep {
    /// What was measured.
    pub name: String,
    /// By what mechanism.
    pub mechanism: String,
    /// Its cost as it is stated, in the unit of the total.
    pub cost: String,
    /// Its share of the total.
    pub share: f64,
}

/// How far a column of the release is from the raw one.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDistance {
    /// The column.
    pub column: String,
    /// 0 is the same distribution, 1 is as far as can be.
    pub distance: f64,
}

/// How strongly two columns go together, before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Association {
    /// The two columns.
    pub columns: [String; 2],
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
}
