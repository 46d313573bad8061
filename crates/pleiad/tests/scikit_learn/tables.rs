//! Fixtures and the tables that they describe.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use pleiad::Silent;
use pleiad::table::{
    ColumnPlan, IncompleteRows, Interval, Kind, Plan, Role, Table, TreeSource, Unit,
    parse_taxonomy, read_table,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

pub(crate) fn fixture<T: DeserializeOwned>(name: &str) -> T {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/scikit_learn");
    let text = fs::read_to_string(folder.join(name)).expect("the fixture is there");
    serde_json::from_str(&text).expect("the fixture has these fields")
}

pub(crate) fn assert_close(found: f64, expected: f64, relative: f64, what: &str) {
    let allowed = relative * expected.abs().max(1e-3);
    assert!(
        (found - expected).abs() <= allowed,
        "{what}: {found} instead of {expected}"
    );
}

/// Reads columns of text through a file, as an owner's table is read.
fn read(columns: &[(ColumnPlan, Vec<String>)]) -> Table {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("table.csv");
    let mut writer = csv::Writer::from_path(&path).expect("a file in it");
    writer
        .write_record(columns.iter().map(|(plan, _)| &plan.name))
        .expect("room for the header");
    for row in 0..columns[0].1.len() {
        writer
            .write_record(columns.iter().map(|(_, texts)| &texts[row]))
            .expect("room for the rows");
    }
    writer.flush().expect("room for the rows");
    let plan = Plan {
        delimiter: Some(b','),
        missing: vec![String::new()],
        incomplete_rows: IncompleteRows::Refuse,
        person: None,
        columns: columns.iter().map(|(plan, _)| plan.clone()).collect(),
        source: None,
    };
    read_table(&path, &plan, &Silent)
        .expect("a table that its plan describes")
        .table
}

fn column(name: &str, kind: Kind, may_be_missing: bool) -> ColumnPlan {
    ColumnPlan {
        name: name.to_owned(),
        role: Role::Plain,
        kind: Some(kind),
        may_be_missing,
        weight: 1.0,
        domain_from_data: false,
    }
}

fn numbers(low: f64, high: f64, step: f64) -> Kind {
    Kind::Numbers {
        unit: Unit::Number,
        interval: Some(
            Interval::new(low, high, Some(step), Unit::Number, true)
                .expect("a whole number of steps"),
        ),
        step: None,
    }
}

/// Points of the unit cube as a table; in the one-hot encoding a number is its own coordinate.
pub(crate) fn unit_cube(points: &[Vec<f64>]) -> Table {
    let columns: Vec<(ColumnPlan, Vec<String>)> = (0..points[0].len())
        .map(|at| {
            let texts = points.iter().map(|point| point[at].to_string()).collect();
            (
                column(&format!("x{at}"), numbers(0.0, 1.0, 0.0001), false),
                texts,
            )
        })
        .collect();
    read(&columns)
}

/// A table as text, and what its columns are.
#[derive(Deserialize)]
pub(crate) struct Described {
    columns: indexmap::IndexMap<String, Vec<String>>,
    kinds: HashMap<String, String>,
    may_be_missing: Vec<String>,
    separator: String,
    taxonomies: HashMap<String, String>,
    bounds: HashMap<String, (f64, f64)>,
    steps: HashMap<String, String>,
}

impl Described {
    pub(crate) fn read(&self) -> Table {
        let columns: Vec<(ColumnPlan, Vec<String>)> = self
            .columns
            .iter()
            .map(|(name, texts)| {
                let tree = self.taxonomies.get(name).map(|lines| {
                    let taxonomy = parse_taxonomy(lines.as_bytes(), Path::new("taxonomy.csv"));
                    (taxonomy.expect("a sound taxonomy"), TreeSource::Taxonomy)
                });
                let kind = match self.kinds[name].as_str() {
                    "numeric" => {
                        let (low, high) = self.bounds[name];
                        numbers(
                            low,
                            high,
                            self.steps[name].parse().expect("a step is a number"),
                        )
                    }
                    "categorical" => Kind::Values { tree },
                    _ => Kind::Sets {
                        tree,
                        separator: self.separator.clone(),
                    },
                };
                (
                    column(name, kind, self.may_be_missing.contains(name)),
                    texts.clone(),
                )
            })
            .collect();
        read(&columns)
    }
}
