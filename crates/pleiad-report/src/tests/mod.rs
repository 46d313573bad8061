//! What must hold of every report, whatever the table.

mod colours;
mod markup;
mod nasty;
mod snapshots;

use pleiad::Silent;
use pleiad::cluster::{Encoding, Points};
use pleiad::evaluate::{Attack, ClassSize, ColumnLoss, Loss, Risk, RowsLost, Side, Sides};
use pleiad::release::{
    Counted, LabelledEntry, MeasureEntry, PromiseKept, RefinementEntry, StructureEntry,
};
use pleiad::spec::{Algorithm, Spec};
use pleiad::table::{Table, read_table};

use crate::{Association, ColumnDistance, Material, PrivacyAccount, PrivacyStep, Promise, Source};

/// A table read as a spec says.
fn table(csv: &str, columns: &str) -> Table {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), csv).unwrap();
    let spec =
        format!("[data]\npath = \"people.csv\"\n[cluster]\nclusters = 2\n[columns]\n{columns}");
    let path = folder.path().join("pleiad.toml");
    std::fs::write(&path, spec).unwrap();
    let spec = Spec::read(&path).unwrap();
    read_table(&spec.data_path, &spec.plan, &Silent)
        .unwrap()
        .table
}

/// Eight people of two kinds, before and after.
struct People {
    before: Table,
    after: Table,
    raw_labels: Vec<u32>,
    released_labels: Vec<u32>,
}

impl People {
    fn new() -> Self {
        let columns = "age = { kind = \"numeric\", bounds = [0, 100], step = 1 }\n\
             job = { kind = \"categorical\", values = [\"baker\", \"cook\", \"nurse\"] }\n";
        let before = "age,job\n20,baker\n22,baker\n25,cook\n31,baker\n60,nurse\n66,nurse\n71,nurse\n80,cook\n";
        let after = "age,job\n23,baker\n23,baker\n23,cook\n23,baker\n69,nurse\n69,nurse\n69,nurse\n69,cook\n";
        Self {
            before: table(before, columns),
            after: table(after, columns),
            raw_labels: vec![1, 1, 1, 1, 0, 0, 0, 0],
            released_labels: vec![0, 0, 1, 0, 1, 1, 1, 1],
        }
    }
}

/// Everything that a report can tell, about eight people.
fn with_everything(tell: impl FnOnce(&Material<'_>)) {
    let people = People::new();
    let raw = Points::new(&people.before, Encoding::Semantic);
    let released = Points::in_space(&people.after, raw.space().clone());
    let (loss, risk) = (loss(), risk());
    let structure = structure();
    let promises = [PromiseKept {
        columns: vec!["age".to_owned(), "job".to_owned()],
        at_least: 3,
        counted: Counted::Rows,
        groups: 2,
        smallest: 4,
        median: 4,
        largest: 4,
    }];
    let refinements = [
        step("age", "[0, 100]", Some("50"), 0.61),
        step("job", "*", Some("nurse"), 0.2),
    ];
    tell(&Material {
        subject: "people-2026".to_owned(),
        made_by: "pleiad 0.1.0",
        source: Source {
            file: "people.csv",
            sha256: Some("00ff"),
            rows: 8,
            rows_left_out: 1,
            people: Some(8),
        },
        promise: Some(Promise {
            name: "Anonymity in a crowd".to_owned(),
            in_words: vec!["At least 3 people look alike.".to_owned()],
            not_promised: vec!["Nothing is promised about `job`.".to_owned()],
            unit: "A row is a person.".to_owned(),
            parameters: vec![("Look alike".to_owned(), "at least 3".to_owned())],
        }),
        promises_kept: &promises,
        structure: Some(&structure),
        sides: Some(Sides {
            n_clusters: 2,
            raw: Side {
                table: &people.before,
                points: &raw,
                labels: &people.raw_labels,
            },
            released: Side {
                table: &people.after,
                points: &released,
                labels: &people.released_labels,
            },
            raw_by_release: &people.released_labels,
            are_same_rows: true,
        }),
        loss: Some(&loss),
        risk: Some(&risk),
        refinements: &refinements,
        account: Some(PrivacyAccount {
            total: "ε = 1".to_owned(),
            steps: vec![PrivacyStep {
                name: "counts of cells".to_owned(),
                mechanism: "discrete Laplace".to_owned(),
                cost: "0.25".to_owned(),
                share: 0.25,
            }],
        }),
        distances: vec![ColumnDistance {
            column: "age".to_owned(),
            distance: 0.125,
        }],
        associations: vec![Association {
            columns: ["age".to_owned(), "job".to_owned()],
            before: 0.8,
            after: 0.7,
        }],
    });
}

/// A report about nothing but a table: nothing is promised, compared or counted.
fn bare() -> Material<'static> {
    Material {
        subject: "foreign.csv".to_owned(),
        made_by: "pleiad 0.1.0",
        source: Source {
            file: "raw.csv",
            sha256: None,
            rows: 10,
            rows_left_out: 0,
            people: None,
        },
        promise: None,
        promises_kept: &[],
        structure: None,
        sides: None,
        loss: None,
        risk: None,
        refinements: &[],
        account: None,
        distances: Vec::new(),
        associations: Vec::new(),
    }
}

fn structure() -> StructureEntry {
    let measure = |name: &str, higher_is_better, value, ceiling, floor| MeasureEntry {
        name: name.to_owned(),
        meaning: format!("what {name} means"),
        higher_is_better,
        value: Some(value),
        ceiling,
        floor: Some(floor),
    };
    StructureEntry {
        labelled: LabelledEntry::ByRow,
        clusters: 2,
        owner: Algorithm::KMeans,
        recipient: Algorithm::KMeans,
        rows_compared: 8,
        raw_optima: 2,
        measures: vec![
            measure("cost ratio", false, 1.02, Some(1.0), 1.5),
            measure("F-measure", true, 0.95, Some(1.0), 0.5),
            measure("F-near", true, 0.96, None, 0.5),
        ],
    }
}

fn step(column: &str, value: &str, at: Option<&str>, gain: f64) -> RefinementEntry {
    RefinementEntry {
        column: column.to_owned(),
        value: value.to_owned(),
        at: at.map(ToOwned::to_owned),
        score: gain,
        gain,
        loss: 2.0,
        rows: 8,
    }
}

fn loss() -> Loss {
    let column = |name: &str, ncp| ColumnLoss {
        contradicted: 0,
        column: name.to_owned(),
        ncp,
        granularity: 1.0 - ncp,
        entropy: 0.5,
        values_before: 8,
        values_after: 2,
        suppressed: 0,
        level: "2 intervals".to_owned(),
    };
    Loss {
        rows: RowsLost {
            raw: 9,
            published: 8,
            suppressed: 0,
            dropped: 1,
        },
        columns: vec![column("age", 0.5), column("job", 0.25)],
        ncp: 0.375,
        granularity: 0.625,
        entropy: 0.5,
        discernibility: 0.5,
        average_class_size: 4.0,
        class_sizes: vec![ClassSize { size: 4, groups: 2 }],
    }
}

fn risk() -> Risk {
    Risk {
        not_in_population: None,
        columns: vec!["age".to_owned(), "job".to_owned()],
        people: 8,
        prosecutor: Attack {
            highest: 0.25,
            average: 0.25,
            above_threshold: 0.0,
        },
        journalist: None,
        marketer: 0.25,
        uniques: 0,
        threshold: 0.2,
    }
}
