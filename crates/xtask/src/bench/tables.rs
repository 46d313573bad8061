//! The tables that benchmarks run on: Adult where it is at hand, else the generated hospital.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use pleiad::generate::Hospital;

use super::folder;
use crate::workspace;

/// A CSV file, its spec and its columns by kind.
pub(crate) struct BenchTable {
    pub(crate) name: String,
    pub(crate) csv: PathBuf,
    pub(crate) spec: PathBuf,
    pub(crate) numeric: Vec<(String, f64, f64)>,
    pub(crate) categorical: Vec<String>,
    pub(crate) n_rows: usize,
}

const ADULT_NUMERIC: [(&str, f64, f64); 6] = [
    ("age", 17.0, 90.0),
    ("fnlwgt", 0.0, 1_500_000.0),
    ("education-num", 1.0, 16.0),
    ("capital-gain", 0.0, 99_999.0),
    ("capital-loss", 0.0, 5_000.0),
    ("hours-per-week", 1.0, 99.0),
];

const ADULT_CATEGORICAL: [&str; 8] = [
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
];

/// A mixed table of 14 columns, its rows written `copies` times.
pub(crate) fn mixed(copies: usize) -> Result<BenchTable> {
    let adult = workspace().join("../shared/data/adult");
    if adult.join("adult.csv.gz").exists() {
        adult_table(&adult, copies)
    } else {
        hospital_table(45_222 * copies as u64)
    }
}

fn adult_table(adult: &Path, copies: usize) -> Result<BenchTable> {
    let folder = folder()?;
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(BufReader::new(File::open(adult.join("adult.csv.gz"))?))
        .read_to_string(&mut text)
        .context("cannot unpack adult.csv.gz")?;
    let (header, rows) = text
        .split_once('\n')
        .context("adult.csv.gz has no header")?;
    // The class is not one of the fourteen attributes, and the last column.
    let without_class = |line: &str| {
        line.rsplit_once(',')
            .map_or(line, |(front, _)| front)
            .to_owned()
    };
    let rows: Vec<String> = rows.lines().map(without_class).collect();
    let csv = folder.join(format!("adult-{copies}.csv"));
    let mut out = BufWriter::new(File::create(&csv)?);
    writeln!(out, "{}", without_class(header))?;
    for _ in 0..copies {
        for row in &rows {
            writeln!(out, "{row}")?;
        }
    }
    out.flush()?;
    let mut spec = format!("[data]\npath = '{}'\n\n[columns]\n", csv.display());
    for name in without_class(header).split(',') {
        if let Some((_, low, high)) = ADULT_NUMERIC.iter().find(|(numeric, ..)| *numeric == name) {
            writeln!(
                spec,
                "{name} = {{ kind = \"numeric\", bounds = [{low}, {high}], step = 1 }}"
            )?;
        } else {
            let taxonomy = adult
                .join("taxonomy")
                .join(format!("{name}.csv"))
                .canonicalize()?;
            writeln!(
                spec,
                "{name} = {{ kind = \"categorical\", taxonomy = '{}' }}",
                taxonomy.display()
            )?;
        }
    }
    spec.push_str("\n[cluster]\nclusters = 6\n");
    let spec_path = folder.join(format!("adult-{copies}.toml"));
    std::fs::write(&spec_path, spec)?;
    Ok(BenchTable {
        name: format!("Adult, {} rows × 14 columns", rows.len() * copies),
        csv,
        spec: spec_path,
        numeric: ADULT_NUMERIC
            .iter()
            .map(|&(name, low, high)| (name.to_owned(), low, high))
            .collect(),
        categorical: ADULT_CATEGORICAL
            .iter()
            .map(|&name| name.to_owned())
            .collect(),
        n_rows: rows.len() * copies,
    })
}

/// The generated hospital without its dates and sets, which the peers' one-hot table has no form for.
fn hospital_table(n_rows: u64) -> Result<BenchTable> {
    let (csv, spec) = hospital(n_rows)?;
    Ok(BenchTable {
        name: format!("generated hospital, {n_rows} rows"),
        csv,
        spec,
        numeric: vec![
            ("age".to_owned(), 0.0, 109.0),
            ("length_of_stay".to_owned(), 0.0, 180.0),
            ("lab_score".to_owned(), 0.0, 100.0),
        ],
        categorical: [
            "sex",
            "postcode",
            "insurance",
            "admission",
            "ward",
            "drug_group",
        ]
        .map(str::to_owned)
        .to_vec(),
        n_rows: n_rows as usize,
    })
}

/// The generated hospital with so many rows, and its spec.
pub(crate) fn hospital(n_rows: u64) -> Result<(PathBuf, PathBuf)> {
    let folder = folder()?.join(format!("hospital-{n_rows}"));
    let csv = folder.join(Hospital::DATA_FILE);
    let spec = folder.join(Hospital::SPEC_FILE);
    if !spec.exists() {
        std::fs::create_dir_all(&folder)?;
        Hospital::new(n_rows, 1).write_folder(&folder)?;
    }
    Ok((csv, spec))
}
