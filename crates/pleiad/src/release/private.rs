//! Releases that claim differential privacy.
//!
//! `measure` looks at the table, against payment from a booking in the ledger; what leaves the owner is written from its
//! outputs, the spec's words and the account. So no hash of the input, no number of rows, no seed and no time can be in
//! it: the code that writes has none of them. The test replays recorded outputs beside another table and compares all
//! public bytes.
//!
//! A privacy claim is no property of bytes. What is verified is the arithmetic of the account, the schema and the hashes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::folder::{Target, write_file};
use super::manifest::{ClusterEntry, ColumnEntry, DataEntry, FORMAT, FileEntry, UnitEntry};
use super::publish::made_by;
use super::verify::describe_file;
use super::{MANIFEST_FILE, README_FILE};
use crate::error::{Error, Place, Result};
use crate::mask::mosaic::{Mosaic, Outputs};
use crate::mask::private::PrivateMethod as _;
use crate::privacy::budget::{Account, AddRemove, SealedTable};
use crate::privacy::ledger::Booking;
use crate::privacy::noise::PrivateRandom;
use crate::progress::Silent;
use crate::spec::schema_text;
use crate::table::{IncompleteRows, Plan, Table, read_table, write_table};

/// The owner's record of what was measured.
const OUTPUTS_FILE: &str = "outputs.json";

const DATA_FILE: &str = "data.csv";

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

/// How a private release was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PrivateMethodName {
    /// A few private cells, noisy histograms in groups of them, and rows drawn from these.
    Mosaic,
}

/// The JSON schema of the manifest of a private release.
pub fn private_manifest_schema() -> String {
    schema_text::<PrivateManifest>()
}

/// All that a private release is written from: nothing of it has seen the table but the outputs.
#[derive(Debug)]
pub struct PrivatePublication<'a> {
    /// The method, which holds public knowledge only.
    pub method: &'a Mosaic,
    /// What was measured.
    pub outputs: &'a Outputs,
    /// What it cost.
    pub account: &'a Account<AddRemove>,
    /// What a person is.
    pub unit: UnitEntry,
    /// Looks at raw evaluations of the population that were logged before.
    pub looks_before: u64,
    /// The structure that the release is meant for.
    pub cluster: &'a ClusterEntry,
}

impl PrivatePublication<'_> {
    /// Writes the public files.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let rows = self.method.publish(self.outputs)?.rows;
        write_table(&folder.join(DATA_FILE), &rows, &[])?;
        let mut manifest = self.manifest(rows.n_rows() as u64);
        write_file(
            &folder.join(README_FILE),
            for_recipient(&manifest).as_bytes(),
        )?;
        for name in [DATA_FILE, README_FILE] {
            let entry = describe_file(&folder.join(name))?;
            manifest.files.insert(name.to_owned(), entry);
        }
        let mut text = serde_json::to_string_pretty(&manifest).expect("a manifest is JSON");
        text.push('\n');
        write_file(&folder.join(MANIFEST_FILE), text.as_bytes())
    }

    fn manifest(&self, n_rows: u64) -> PrivateManifest {
        let epsilon = self.account.total().value().to_string();
        let fields = self.method.fields();
        let total: f64 = fields.iter().map(|field| field.weight).sum();
        PrivateManifest {
            format: FORMAT,
            made_by: made_by(),
            guarantee: DifferentialPrivacy {
                in_words: promise(&epsilon, self.unit),
                not_promised: not_promised(self.looks_before),
                unit: self.unit,
                epsilon,
                account: self.account.clone(),
            },
            method: PrivateMethodName::Mosaic,
            cluster: self.cluster.clone(),
            data: DataEntry {
                file: DATA_FILE.to_owned(),
                rows: n_rows,
            },
            columns: fields
                .iter()
                .map(|field| ColumnEntry::new(field, false, false, field.weight / total))
                .collect(),
            files: BTreeMap::new(),
        }
    }
}

/// Measures a table, publishes what was measured, and says so in the ledger. The booking is spent, whatever happens.
///
/// # Errors
/// Something is in the way; the purse cannot pay; the ledger does not know the booking any more; the disk is full.
pub fn release_private(
    method: &Mosaic,
    table: &Table,
    cluster: &ClusterEntry,
    mut booking: Booking<'_, AddRemove>,
    folder: &Path,
) -> Result<PrivateManifest> {
    let target = Target::check(folder, &[])?;
    let mut purse = booking.purse()?;
    let mut random = PrivateRandom::new()?;
    let outputs = method.measure(&SealedTable::seal(table), &mut purse, &mut random)?;
    let publication = PrivatePublication {
        method,
        outputs: &outputs,
        account: &purse.account(),
        unit: match table.people() {
            Some(_) => UnitEntry::People,
            None => UnitEntry::Rows,
        },
        looks_before: booking.looks_before(),
        cluster,
    };
    let workplace = target.claim()?;
    publication.write(workplace.public_folder())?;
    let recorded = serde_json::to_string(&outputs).expect("outputs are JSON");
    write_file(
        &workplace.owner_folder().join(OUTPUTS_FILE),
        recorded.as_bytes(),
    )?;
    let manifest = verify_private(workplace.public_folder())?;
    booking.confirm()?;
    workplace.finish()?;
    booking.published()?;
    Ok(manifest)
}

/// Checks a private release: the account adds up to what is claimed, the words are its own, every file is as it was
/// written, and the rows are of the stated domains.
pub fn verify_private(folder: &Path) -> Result<PrivateManifest> {
    let path = folder.join(MANIFEST_FILE);
    let at = |error: Error| error.at(Place::file(&path));
    let text = fs::read_to_string(&path).map_err(|source| Error::system("read", &path, source))?;
    // Reading an account computes every cost anew and refuses one that does not add up.
    let manifest: PrivateManifest = serde_json::from_str(&text).map_err(|error| {
        at(Error::refused(format!(
            "the manifest does not hold: {error}"
        )))
    })?;
    let guarantee = &manifest.guarantee;
    if guarantee.account.total().value().to_string() != guarantee.epsilon
        || guarantee.in_words != promise(&guarantee.epsilon, guarantee.unit)
    {
        return Err(at(Error::refused(
            "the manifest claims something else than its account adds up to",
        )));
    }
    let mut expected: Vec<&str> = vec![DATA_FILE, README_FILE];
    expected.sort_unstable();
    let listed: Vec<&str> = manifest.files.keys().map(String::as_str).collect();
    if listed != expected || manifest.data.file != DATA_FILE {
        return Err(at(Error::refused(
            "the manifest lists other files than a private release has",
        )));
    }
    for (name, described) in &manifest.files {
        let file = folder.join(name);
        if describe_file(&file)? != *described {
            return Err(Error::refused(
                "the file is not the one that was written: its hash differs",
            )
            .at(Place::file(file)));
        }
    }
    let plan = Plan {
        delimiter: Some(b','),
        missing: vec![String::new()],
        incomplete_rows: IncompleteRows::Refuse,
        person: None,
        columns: manifest
            .columns
            .iter()
            .map(ColumnEntry::plan)
            .collect::<Result<_>>()?,
        source: None,
    };
    if manifest.data.rows > 0 {
        let rows = read_table(&folder.join(DATA_FILE), &plan, &Silent)?;
        if rows.table.n_rows() as u64 != manifest.data.rows {
            return Err(at(Error::refused(
                "the table has another number of rows than the manifest says",
            )));
        }
    }
    Ok(manifest)
}

fn promise(epsilon: &str, unit: UnitEntry) -> Vec<String> {
    vec![
        format!(
            "Nothing that can be concluded from this release is more than e^{epsilon} times as likely with a person in the \
             table as without (differential privacy, ε = {epsilon}, one person added or removed)."
        ),
        match unit {
            UnitEntry::People => "One row of each person was used.",
            UnitEntry::Rows => "One row is one person: so the owner of the table asserts.",
        }
        .to_owned(),
    ]
}

fn not_promised(looks_before: u64) -> Vec<String> {
    let mut sentences = vec![
        "What is true of people in general is published, and may be true of somebody who is not in the table."
            .to_owned(),
        "Releases about the same people add up: the owner's ledger says how much was spent in all."
            .to_owned(),
    ];
    if looks_before > 0 {
        sentences.push(
            "An evaluation of the raw table had been looked at before: ε covers the mechanism, not the choice of it."
                .to_owned(),
        );
    }
    sentences
}

fn for_recipient(manifest: &PrivateManifest) -> String {
    let guarantee = &manifest.guarantee;
    let list = |sentences: &[String]| -> String {
        let lines = sentences.iter().map(|sentence| format!("- {sentence}\n"));
        lines.collect()
    };
    format!(
        "# A table about people who do not exist\n\n\
         `{}` has {} rows, drawn from what was measured privately about real people; none of them is a person. It was \
         made by {}.\n\n\
         ## What is promised\n\n{}\nWhat is not:\n\n{}\n\
         Columns, their domains and what each step cost are in `manifest.json`. The table was made to be clustered; what is \
         connected inside a cluster is kept in part only.\n",
        manifest.data.file,
        manifest.data.rows,
        manifest.made_by,
        list(&guarantee.in_words),
        list(&guarantee.not_promised),
    )
}

#[cfg(test)]
mod tests;
