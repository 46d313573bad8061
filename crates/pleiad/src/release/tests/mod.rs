//! What must hold of every release, whatever the table.

mod example;
mod killed;
mod promises;
mod random_table;
mod refusals;
mod report;
mod silence;
mod tampering;

use std::fs;
use std::path::{Path, PathBuf};

use super::{ReleaseOptions, Released, release};
use crate::error::Result;
use crate::progress::Silent;
use crate::spec::Spec;
use crate::table::Format;

/// A folder with a table, its spec and taxonomies.
struct Case {
    folder: tempfile::TempDir,
}

const JOBS: &str = "nurse;health;all
doctor;health;all
baker;food;all
cook;food;all
clerk;all
";

impl Case {
    fn new(csv: &str, spec: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("people.csv"), csv).unwrap();
        fs::write(folder.path().join("jobs.csv"), JOBS).unwrap();
        fs::write(folder.path().join("pleiad.toml"), spec).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn spec(&self) -> Spec {
        Spec::read(&self.path("pleiad.toml")).unwrap()
    }

    fn release(&self, name: &str, format: Format) -> Result<Released> {
        let options = ReleaseOptions {
            folder: self.path(name),
            format,
        };
        release(&self.spec(), &options, &Silent)
    }

    /// Everything in the folder but the inputs.
    fn outputs(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !["people.csv", "jobs.csv", "pleiad.toml"].contains(&name.as_str()))
            .collect();
        names.sort();
        names
    }
}

/// The files of a folder with their bytes, by name.
pub(super) fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn the_schemas_in_the_docs_are_fresh() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    for (name, text) in [
        ("manifest.schema.json", super::manifest_schema()),
        ("evaluation.schema.json", super::evaluation_schema()),
    ] {
        let path = docs.join(name);
        if std::env::var_os("PLEIAD_UPDATE").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == text,
            "{name} is not what the code says: run the tests with PLEIAD_UPDATE=1"
        );
    }
}
