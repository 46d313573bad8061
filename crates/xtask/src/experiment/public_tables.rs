//! Real tables whose domains are public knowledge.
//!
//! Bounds come from `bounds.csv`, trees from the taxonomy files; of ICD-9 the whole code set is the domain. Four columns
//! of diabetes130 have no file with their values, though the source documents them: the lists are taken from the file
//! of all encounters, of which the table of first encounters is a part.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use pleiad::Silent;
use pleiad::spec::Spec;
use pleiad::table::{Table, read_table};

use crate::workspace;

/// A table with its public domains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PublicTable {
    /// Heterogeneous Adult: 28,308 rows, three numbers, seven categories, sets of occupations.
    AdultSet,
    /// First encounters of 71,518 diabetes patients: three numbers, eight categories, sets of ICD-9 codes.
    Diabetes,
    /// MAGIC: 19,020 rows of ten numbers.
    Magic,
    /// Adult, all 14 attributes, any two different values equally far apart.
    AdultOneHot,
}

impl PublicTable {
    /// What of mosaic was chosen on this very table, so that its figures are no proof of it.
    pub(crate) fn chosen_here(self) -> &'static str {
        match self {
            Self::AdultSet => {
                "how mosaic divides ε and how often it cuts mixed tables was chosen on this table"
            }
            Self::Magic => "how often mosaic cuts tables of numbers was chosen on this table",
            Self::Diabetes => {
                "choices of mosaic were made on other tables and looked at on this one"
            }
            Self::AdultOneHot => "mosaic was tuned on many of these people, in another code",
        }
    }
}

/// Where the tables are.
pub(super) fn data_folder() -> Result<PathBuf> {
    let folder = workspace().join("../shared/data");
    folder
        .canonicalize()
        .context("the tables are expected in ../shared/data")
}

/// Reads a table.
pub(crate) fn read(table: PublicTable) -> Result<Table> {
    let folder = data_folder()?;
    let text = match table {
        PublicTable::AdultSet => adult_set(&folder)?,
        PublicTable::Diabetes => diabetes(&folder)?,
        PublicTable::Magic => magic(&folder)?,
        PublicTable::AdultOneHot => adult_one_hot(&folder)?,
    };
    let spec = Spec::parse(&text, Path::new("mosaic.toml"))?;
    Ok(read_table(&spec.data_path, &spec.plan, &Silent)?.table)
}

/// The beginning of a spec.
fn head(data: &Path) -> String {
    format!("[data]\npath = '{}'\n\n[columns]\n", data.display())
}

/// The lines of the numeric columns of a data set, with their public bounds.
fn bounds(folder: &Path, dataset: &str) -> Result<Vec<(String, String)>> {
    let file = std::fs::read_to_string(folder.join("bounds.csv"))?;
    let lines = file.lines().skip(1).map(|line| line.split(',').collect());
    let own = lines.filter(|fields: &Vec<&str>| fields[0] == dataset);
    let columns: Vec<(String, String)> = own
        .map(|fields| {
            let [_, column, low, high, step] = fields[..] else {
                anyhow::bail!("bounds.csv has five columns");
            };
            let line = format!("kind = \"numeric\", bounds = [{low}, {high}], step = {step}");
            Ok((column.to_owned(), line))
        })
        .collect::<Result<_>>()?;
    ensure!(!columns.is_empty(), "no bounds for {dataset}");
    Ok(columns)
}

fn add(spec: &mut String, column: &str, line: &str) -> Result<()> {
    writeln!(spec, "{column} = {{ {line} }}").context("a string can be written to")
}

const END: &str = "\n[cluster]\nclusters = 5\n";

const ADULT_TREES: [&str; 7] = [
    "workclass",
    "education",
    "marital-status",
    "relationship",
    "race",
    "sex",
    "native-country",
];

fn adult_set(folder: &Path) -> Result<String> {
    let adult = folder.join("adult");
    let tree = |name: &str| adult.join("taxonomy").join(format!("{name}.csv"));
    let mut spec = head(&adult.join("adult_setvalued.csv"));
    for (column, line) in bounds(folder, "adult")? {
        if ["age", "education-num", "hours-per-week"].contains(&&*column) {
            add(&mut spec, &column, &line)?;
        }
    }
    for column in ADULT_TREES {
        let tree = tree(column);
        let line = format!("kind = \"categorical\", taxonomy = '{}'", tree.display());
        add(&mut spec, column, &line)?;
    }
    let tree = tree("occupation");
    let line = format!("kind = \"set\", taxonomy = '{}'", tree.display());
    add(&mut spec, "occupation", &line)?;
    Ok(spec + END)
}

/// One-hot code is a space like any other: stars, where two values differ by 2, and numbers, which differ by at most 1.
fn adult_one_hot(folder: &Path) -> Result<String> {
    let adult = folder.join("adult");
    let mut spec = head(&adult.join("adult.csv.gz"));
    for (column, line) in bounds(folder, "adult")? {
        add(&mut spec, &column, &format!("{line}, weight = 1"))?;
    }
    for column in ADULT_TREES.iter().chain(&["occupation"]) {
        let tree = std::fs::read_to_string(adult.join("taxonomy").join(format!("{column}.csv")))?;
        let leaves = tree.lines().filter_map(|line| line.split(';').next());
        let line = format!(
            "kind = \"categorical\", values = [{}], weight = 2",
            quoted(leaves)
        );
        add(&mut spec, column, &line)?;
    }
    spec.push_str("income = { role = \"identifier\" }\n");
    Ok(spec + END)
}

fn magic(folder: &Path) -> Result<String> {
    let mut spec = head(&folder.join("magic/magic.csv"));
    for (column, line) in bounds(folder, "magic")? {
        add(&mut spec, &column, &line)?;
    }
    spec.push_str("class = { role = \"identifier\" }\n");
    Ok(spec + END)
}

fn diabetes(folder: &Path) -> Result<String> {
    let diabetes = folder.join("diabetes130");
    let mut spec = head(&diabetes.join("diabetes130_first_encounter.csv.gz"));
    for (column, line) in bounds(folder, "diabetes130")? {
        add(&mut spec, &column, &line)?;
    }
    let bands: Vec<String> = (0..10)
        .map(|ten| format!("[{}-{})", 10 * ten, 10 * ten + 10))
        .collect();
    let line = format!(
        "kind = \"categorical\", values = [{}]",
        quoted(bands.iter().map(String::as_str))
    );
    add(&mut spec, "age", &line)?;
    let labels = std::fs::read_to_string(diabetes.join("id_labels.csv"))?;
    for column in [
        "admission_type_id",
        "discharge_disposition_id",
        "admission_source_id",
    ] {
        let own = labels.lines().filter_map(|line| {
            let rest = line.strip_prefix(column)?.strip_prefix(',')?;
            rest.split(',').next()
        });
        let line = format!("kind = \"categorical\", values = [{}]", quoted(own));
        add(&mut spec, column, &line)?;
    }
    let mut text = String::new();
    let encounters = File::open(diabetes.join("diabetes130.csv.gz"))?;
    flate2::read::MultiGzDecoder::new(BufReader::new(encounters)).read_to_string(&mut text)?;
    for (column, number, may_be_missing) in [
        ("race", 0, true),
        ("gender", 1, false),
        ("payer_code", 6, true),
        ("medical_specialty", 7, true),
    ] {
        let cells = text
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').nth(number));
        let values: BTreeSet<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        let line = format!(
            "kind = \"categorical\", values = [{}], may_be_missing = {may_be_missing}",
            quoted(values.into_iter())
        );
        add(&mut spec, column, &line)?;
    }
    let tree = diabetes.join("icd9_taxonomy_full.csv");
    let line = format!(
        "kind = \"set\", taxonomy = '{}', may_be_missing = true",
        tree.display()
    );
    add(&mut spec, "icd9", &line)?;
    Ok(spec + END)
}

fn quoted<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = values.map(|value| format!("'{value}'")).collect();
    quoted.join(", ")
}
