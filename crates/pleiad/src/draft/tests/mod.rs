//! Drafts of tables that are like those people have, reviewed by eye and released as they are.

mod grouping;
mod odd_tables;
mod unique;

use std::path::{Path, PathBuf};

use insta::assert_snapshot;

use super::*;
use crate::generate::Hospital;
use crate::progress::Silent;
use crate::release::{ReleaseOptions, release};
use crate::spec::Spec;
use crate::table::Format;

/// A table in a folder of its own.
struct Table {
    folder: tempfile::TempDir,
}

impl Table {
    fn new(text: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("table.csv"), text).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn draft(&self) -> Result<Draft> {
        draft_spec(&self.path("table.csv"), &Silent)
    }

    /// The text of a draft that is read as it was meant, and that can be released.
    fn released_draft(&self) -> String {
        let draft = self.draft().unwrap();
        let text = draft.text("table.csv");
        let spec_path = self.path("pleiad.toml");
        std::fs::write(&spec_path, &text).unwrap();
        for (name, taxonomy) in draft.taxonomies() {
            let path = self.path(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, taxonomy).unwrap();
        }
        let spec = Spec::read(&spec_path).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let read = Plan {
            source: None,
            ..spec.plan.clone()
        };
        assert_eq!(read, draft.plan, "{text}");
        let options = ReleaseOptions {
            folder: self.path("release"),
            format: Format::Csv,
        };
        release(&spec, &options, &Silent).unwrap_or_else(|error| panic!("{error}\n{text}"));
        text
    }
}

fn refusal(text: &str) -> String {
    let error = Table::new(text).draft().unwrap_err();
    let name = error
        .place()
        .and_then(|place| place.file.as_deref())
        .and_then(Path::file_name);
    assert_eq!(name.unwrap(), "table.csv");
    error.message().to_owned()
}

#[test]
fn the_hospital_is_drafted_as_its_owner_would() {
    let mut text = Vec::new();
    Hospital::new(2_000, 42).write_csv(&mut text).unwrap();
    let table = Table::new(text);
    assert_snapshot!(table.released_draft());
    let postcodes = std::fs::read_to_string(table.path("taxonomies/postcode.csv")).unwrap();
    assert!(postcodes.lines().all(|line| line.ends_with(";*")));
}

#[test]
fn a_draft_is_the_same_from_every_format() {
    let text = "id,day,code,amount,items\n\
                1,2020-01-02,007,1.5,a;b\n2,2020-02-03,012,2.25,b;c\n3,2021-03-04,007,,a;c\n4,2021-03-05,012,0.5,a\n";
    let table = Table::new(text);
    let read = read_table(
        &table.path("table.csv"),
        &table.draft().unwrap().plan,
        &Silent,
    )
    .unwrap();
    let parquet = table.path("table.parquet");
    crate::table::write_table(&parquet, &read.table, &[]).unwrap();
    let from_parquet = draft_spec(&parquet, &Silent).unwrap();
    let from_text = table.draft().unwrap();
    // What text calls missing, a typed file leaves out.
    let comparable = |draft: &Draft| {
        let text = draft.text("table");
        text.lines()
            .filter(|line| !line.starts_with("# Cells that mean"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(comparable(&from_parquet), comparable(&from_text));
}

#[test]
fn a_table_of_which_nothing_can_be_published_is_refused() {
    let nothing = "nothing is left to publish: every column seems to name people, or is empty, or the same in all rows";
    assert_eq!(refusal("age,sex\n30,f\n"), nothing, "one row");
    assert_eq!(refusal("x,y\n1,2\n1,2\n"), nothing, "equal rows");
    assert_eq!(
        refusal("name,mail\nAda,a@b.org\nBob,b@c.org\nCyd,c@d.org\n"),
        nothing
    );
    assert_eq!(refusal("age,sex\n,\n"), "the table has no values");
    assert_eq!(
        refusal("age,age\n1,2\n"),
        "columns 1 and 2 of the header have the same name"
    );
}
