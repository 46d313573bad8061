//! Numeric columns with a taxonomy, in the forms in which ARX writes hierarchies of numbers.

use std::fmt::Write as _;
use std::path::Path;

use super::super::Spec;
use crate::progress::Silent;
use crate::release::{ReleaseOptions, release};
use crate::table::{Format, Kind, TreeSource, number_doubts, read_table, read_taxonomy};

/// Intervals closed on the left, as ARX's builder of intervals writes them.
const INTERVALS: &str = "17;[0, 20[;[0, 40[;*\n19;[0, 20[;[0, 40[;*\n20;[20, 40[;[0, 40[;*\n39;[20, 40[;[0, 40[;*\n\
                         40;[40, 60[;[40, 80[;*\n64;[60, 80[;[40, 80[;*\n80;>=80;>=80;*\n";
/// Bands of whole numbers, as in ARX's examples.
const BANDS: &str = "17;15-19;10-19;*\n19;15-19;10-19;*\n20;20-24;20-29;*\n39;35-39;30-39;*\n40;40-44;40-49;*\n\
                     64;60-64;60-69;*\n80;80-84;80-89;*\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(taxonomy: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("age.csv"), taxonomy).unwrap();
        let mut table = String::from("age,score\n");
        for row in 0..70 {
            let age = ["17", "19.0", "20", "39", "40.00", "64", "8e1"][row % 7];
            let _ = writeln!(table, "{age},{}", row % 11 + row % 7 * 10);
        }
        std::fs::write(folder.path().join("people.csv"), table).unwrap();
        Self(folder)
    }

    fn spec(&self, age: &str) -> crate::Result<Spec> {
        let text = format!(
            "[data]\npath = \"people.csv\"\n[columns]\nage = {{ kind = \"numeric\", role = \"quasi\", {age} }}\n\
             score = {{ kind = \"numeric\" }}\n[cluster]\nclusters = 2\n[protect]\nanonymity = 5\n"
        );
        Spec::parse(&text, &self.path("pleiad.toml"))
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn refusal(&self, age: &str) -> String {
        self.spec(age).unwrap_err().message().to_owned()
    }
}

#[test]
fn arx_hierarchies_of_numbers_are_read_and_released() {
    for taxonomy in [INTERVALS, BANDS] {
        let folder = Folder::new(taxonomy);
        assert!(number_doubts(&read_taxonomy(&folder.path("age.csv")).unwrap()).is_empty());
        let spec = folder.spec("taxonomy = \"age.csv\"").unwrap();
        let Some(Kind::Values {
            tree: Some((_, TreeSource::Numbers)),
        }) = &spec.plan.columns[0].kind
        else {
            panic!("a tree of numbers");
        };
        let table = read_table(&spec.data_path, &spec.plan, &Silent)
            .unwrap()
            .table;
        let writer = table.columns()[0]
            .writer(&table.fields()[0].domain)
            .unwrap();
        let ages: Vec<String> = (0..7)
            .map(|row| {
                writer
                    .text(table.columns()[0].codes().get(row))
                    .into_owned()
            })
            .collect();
        assert_eq!(
            ages,
            ["17", "19", "20", "39", "40", "64", "80"],
            "however a cell writes them"
        );
        let options = ReleaseOptions {
            folder: folder.path("release"),
            format: Format::Csv,
        };
        release(&spec, &options, &Silent).unwrap();
        let mut published = csv::Reader::from_path(folder.path("release/data.csv")).unwrap();
        let at = published
            .headers()
            .unwrap()
            .iter()
            .position(|name| name == "age")
            .unwrap();
        for row in published.records() {
            let row = row.unwrap();
            let labels: Vec<&str> = taxonomy.split([';', '\n']).collect();
            assert!(labels.contains(&&row[at]), "{row:?}");
        }
    }
}

#[test]
fn a_number_that_the_taxonomy_lacks_is_refused() {
    let folder = Folder::new("17;*\n19;*\n20;*\n39;*\n40;*\n64;*\n");
    let spec = folder.spec("taxonomy = \"age.csv\"").unwrap();
    let error = read_table(&spec.data_path, &spec.plan, &Silent).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("column `age` has 1 value that its taxonomy lacks"),
        "{error}"
    );
}

#[test]
fn a_taxonomy_lists_the_numbers_and_nothing_else_does() {
    let folder = Folder::new(BANDS);
    assert_eq!(
        folder.refusal("taxonomy = \"age.csv\", bounds = [0, 120]"),
        "a numeric column with a `taxonomy` has no `bounds`: the taxonomy lists its numbers"
    );
    assert_eq!(
        folder.refusal("taxonomy = \"age.csv\", step = 1"),
        "a numeric column with a `taxonomy` has no `step`: the taxonomy lists its numbers"
    );
    let words = Folder::new("young;*\n17;*\n");
    assert_eq!(
        words.refusal("taxonomy = \"age.csv\""),
        "the value `young` of the taxonomy is no number"
    );
    let twice = Folder::new("17;*\n17.0;*\n");
    assert_eq!(
        twice.refusal("taxonomy = \"age.csv\""),
        "the value `17.0` of the taxonomy is the same number as another"
    );
}

#[test]
fn groups_that_say_something_else_than_they_hold_are_odd() {
    let doubts = |text: &str| {
        let taxonomy = crate::table::parse_taxonomy(text.as_bytes(), Path::new("age.csv")).unwrap();
        number_doubts(&taxonomy)
    };
    assert_eq!(
        doubts("99;95-99;*\n100;95-99;*\n"),
        ["`95-99` has a value below it that lies outside"]
    );
    assert_eq!(
        doubts("1;odd;*\n3;odd;*\n2;even;*\n"),
        ["`odd` has a gap: a number of another group lies inside"]
    );
    assert_eq!(
        doubts("a;1-2;*\n7;1-2;*\n"),
        [""; 0],
        "not all values are numbers"
    );
}
