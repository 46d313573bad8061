//! Tests of the tables as a whole, by purpose.

mod arrow_files;
mod bad_input;
mod collapse;
mod masked;
mod reading;
mod storm;
mod taxonomy;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

use super::taxonomy::Draft;
use super::*;
use crate::error::{Error, Result};
use crate::progress::Silent;

/// A column with a domain of its own.
fn column(name: &str, kind: Kind) -> ColumnPlan {
    ColumnPlan {
        name: name.to_owned(),
        role: Role::Quasi,
        kind: Some(kind),
        may_be_missing: false,
        weight: 1.0,
        domain_from_data: false,
    }
}

fn identifier(name: &str) -> ColumnPlan {
    ColumnPlan {
        role: Role::Identifier,
        kind: None,
        ..column(name, free_numbers())
    }
}

fn optional(column: ColumnPlan) -> ColumnPlan {
    ColumnPlan {
        may_be_missing: true,
        ..column
    }
}

fn free_numbers() -> Kind {
    Kind::Numbers {
        unit: Unit::Number,
        interval: None,
        step: None,
    }
}

fn free_days() -> Kind {
    Kind::Numbers {
        unit: Unit::Day,
        interval: None,
        step: None,
    }
}

fn grid(low: f64, high: f64, step: f64) -> Kind {
    Kind::Numbers {
        unit: Unit::Number,
        interval: Some(Interval::new(low, high, Some(step), Unit::Number, true).unwrap()),
        step: None,
    }
}

fn days(low: &str, high: &str) -> Kind {
    let day = |text: &str| f64::from(parse_day(text.as_bytes()).unwrap());
    Kind::Numbers {
        unit: Unit::Day,
        interval: Some(Interval::new(day(low), day(high), None, Unit::Day, true).unwrap()),
        step: None,
    }
}

fn free_values() -> Kind {
    Kind::Values { tree: None }
}

fn listed(values: &[&str]) -> Kind {
    Kind::Values {
        tree: Some((
            Taxonomy::star(values.iter().copied()).unwrap(),
            TreeSource::List,
        )),
    }
}

fn free_sets() -> Kind {
    Kind::Sets {
        tree: None,
        separator: ";".to_owned(),
    }
}

fn listed_sets(items: &[&str]) -> Kind {
    Kind::Sets {
        tree: Some((
            Taxonomy::star(items.iter().copied()).unwrap(),
            TreeSource::List,
        )),
        separator: ";".to_owned(),
    }
}

fn plan(columns: impl IntoIterator<Item = ColumnPlan>) -> Plan {
    Plan {
        delimiter: None,
        missing: vec![String::new(), "?".to_owned()],
        incomplete_rows: IncompleteRows::Refuse,
        person: None,
        columns: columns.into_iter().collect(),
        source: None,
    }
}

/// A file that is deleted when it is no longer needed.
struct TestFile {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn file(name: &str, bytes: &[u8]) -> TestFile {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    TestFile {
        _folder: folder,
        path,
    }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read_bytes(name: &str, bytes: &[u8], plan: &Plan) -> Result<Reading> {
    let file = file(name, bytes);
    read_table(&file.path, plan, &Silent)
}

fn read_text(text: &str, plan: &Plan) -> Result<Reading> {
    read_bytes("table.csv", text.as_bytes(), plan)
}

/// The table of a text whose columns have no missing values.
fn table_of(text: &str, columns: impl IntoIterator<Item = ColumnPlan>) -> Table {
    read_text(text, &plan(columns)).unwrap().table
}

/// The cells of a column, as they would be written.
fn texts(table: &Table, name: &str) -> Vec<String> {
    let at = table.column_of(name).unwrap();
    let column = &table.columns()[at];
    let writer = column.writer(&table.fields()[at].domain).unwrap();
    let cells = column
        .codes()
        .iter()
        .map(|code| writer.text(code).into_owned());
    cells.collect()
}

fn domain<'t>(table: &'t Table, name: &str) -> &'t Domain {
    &table.fields()[table.column_of(name).unwrap()].domain
}

fn interval<'t>(table: &'t Table, name: &str) -> &'t Interval {
    match domain(table, name) {
        Domain::Numbers { interval, .. } => interval,
        _ => unreachable!("a column of numbers"),
    }
}

fn tree<'t>(table: &'t Table, name: &str) -> &'t Tree {
    domain(table, name).tree().unwrap()
}

fn values(table: &Table, name: &str) -> Vec<String> {
    let taxonomy = &tree(table, name).taxonomy;
    taxonomy.value_labels().map(str::to_owned).collect()
}

/// An error as its reader sees it, without the folder of the file.
fn shown(error: &Error) -> String {
    let folder = error
        .place()
        .and_then(|place| place.file.as_deref())
        .and_then(Path::parent);
    let text = error.to_string();
    match folder {
        Some(folder) => text.replace(&format!("{}/", folder.display()), ""),
        None => text,
    }
}

/// A tree of random shape: the parent of each node but the root is some node before it.
fn parents(max_nodes: usize) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<prop::sample::Index>(), 1..max_nodes).prop_map(|picks| {
        picks
            .iter()
            .enumerate()
            .map(|(node, pick)| pick.index(node + 1))
            .collect()
    })
}

/// The tree in which node `i + 1` hangs below `parents[i]` and is called `labels[i]`.
fn tree_of(parents: &[usize], labels: &[String]) -> Taxonomy {
    let mut draft = Draft::default();
    let root = draft.add(ROOT_LABEL);
    for (&parent, label) in parents.iter().zip(labels) {
        let node = draft.add(label.as_str());
        draft.children[parent].push(node);
    }
    Taxonomy::number(&draft, root).unwrap()
}
