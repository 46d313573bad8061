use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::{
    CELLS_FILE, OUTPUTS_FILE, PrivateManifest, PrivateOptions, PrivatePublication,
    PrivatelyReleased, open_private, private_manifest_schema, release_privately, verify_private,
};
use crate::error::{Kind, Result};
use crate::mask::mosaic::{Mosaic, Outputs};
use crate::mask::private::PrivateMethod as _;
use crate::privacy::budget::{AddRemove, Cost, Epsilon, Purse, SealedTable};
use crate::privacy::ledger::{Ledger, Total};
use crate::privacy::noise::PrivateRandom;
use crate::progress::Silent;
use crate::release::manifest::{ClusterEntry, UnitEntry};
use crate::release::tests::files;
use crate::release::{MANIFEST_FILE, POSITIONS_FILE};
use crate::spec::{Algorithm, Encoding, Spec, Tuning};
use crate::table::{Format, Table, read_any_rows};

const SPEC: &str = r#"
[data]
path = "people.csv"
person = "id"

[columns]
id = { role = "identifier" }
age = { kind = "numeric", role = "quasi", bounds = [0, 120], step = 1, may_be_missing = true }
job = { kind = "categorical", role = "quasi", values = ["nurse", "baker", "clerk"] }
past = { kind = "set", role = "quasi", values = ["nurse", "baker", "clerk"] }

[cluster]
clusters = 2

[protect]
method = "mosaic"
epsilon = 1
population = "patients"
"#;

fn cluster() -> ClusterEntry {
    ClusterEntry {
        algorithm: Algorithm::KMeans,
        tuning: Tuning::default(),
        clusters: 2,
        encoding: Encoding::Semantic,
    }
}

/// Rows about so many people, every second with two.
fn rows(n_people: usize) -> String {
    let mut csv = String::from("id,age,job,past\n");
    for person in 0..n_people {
        for _ in 0..=person % 2 {
            let age = if person % 7 == 0 {
                String::new()
            } else {
                (person % 90).to_string()
            };
            let job = ["nurse", "baker"][person % 2];
            writeln!(csv, "{person},{age},{job},{job};clerk").unwrap();
        }
    }
    csv
}

/// An owner's folder with a table, a spec and a ledger in which ε = 2 was given.
struct Owner(tempfile::TempDir);

impl Owner {
    fn new(csv: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("people.csv"), csv).unwrap();
        fs::write(folder.path().join("pleiad.toml"), SPEC).unwrap();
        let owner = Self(folder);
        let ledger = Ledger::create(&owner.path("pleiad.ledger")).unwrap();
        ledger
            .declare("patients", &Total::<AddRemove>::Pure(epsilon("2")))
            .unwrap();
        owner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn spec(&self) -> Spec {
        Spec::read(&self.path("pleiad.toml")).unwrap()
    }

    fn ledger(&self) -> Ledger {
        Ledger::open(&self.path("pleiad.ledger")).unwrap()
    }

    fn states(&self) -> Vec<&'static str> {
        let log = self.ledger().log().unwrap();
        log.iter().map(|entry| entry.state.name()).collect()
    }

    fn release(&self, name: &str, compare: bool) -> Result<PrivatelyReleased> {
        let options = PrivateOptions {
            folder: self.path(name),
            format: Format::Csv,
            compare,
        };
        release_privately(&self.spec(), &options, None, &Silent)
    }

    fn table(&self) -> Table {
        let spec = self.spec();
        let rows = read_any_rows(&spec.data_path, &spec.plan, &Silent).unwrap();
        rows.reading.table
    }
}

fn epsilon(text: &str) -> Epsilon<AddRemove> {
    text.parse().unwrap()
}

fn mosaic(table: &Table) -> Mosaic {
    Mosaic::new(table.fields(), &epsilon("1")).unwrap()
}

#[test]
fn a_private_release_is_booked_paid_written_and_marked() {
    let owner = Owner::new(&rows(200));
    let released = owner.release("out", true).unwrap();
    let out = owner.path("out");
    assert_eq!(verify_private(&out, &Silent).unwrap(), released.manifest);
    let guarantee = &released.manifest.guarantee;
    assert_eq!(guarantee.epsilon, "1");
    assert_eq!(guarantee.account.total(), Cost::Pure(epsilon("1")));
    assert!(guarantee.account.entries().len() > 4);
    assert_eq!(guarantee.unit, UnitEntry::People);
    let kept = files(&owner.path("out.owner"));
    let kept: Vec<&str> = kept.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(kept, ["evaluation.json", OUTPUTS_FILE]);
    assert_eq!(owner.states(), ["published", "looked"]);
    let evaluation = released.evaluation.unwrap().unwrap();
    assert_eq!(evaluation.input.people, 200);
    let evidence = evaluation.privacy.unwrap();
    assert_eq!(evidence.columns.len(), 3);
    assert_eq!(evidence.associations.len(), 3);
    assert!(evidence.cost_of_cells >= 1.0 - 1e-9);
    // The job says which people have which past, in both tables.
    let [_, _, job_and_past] = &evidence.associations[..] else {
        panic!("three pairs of columns");
    };
    assert!(job_and_past.raw > 0.4, "{job_and_past:?}");
}

#[test]
fn a_recipient_finds_rows_and_cells_of_the_stated_domains() {
    let owner = Owner::new(&rows(400));
    owner.release("out", false).unwrap();
    let opened = open_private(&owner.path("out"), &Silent).unwrap();
    let people: u64 = opened
        .cells
        .weights()
        .unwrap()
        .iter()
        .map(|&n| u64::from(n))
        .sum();
    assert_eq!(people, opened.rows.n_rows() as u64);
    assert_eq!(opened.manifest.cells.cells, opened.cells.n_rows() as u64);
    assert!(!opened.manifest.cells.cuts.is_empty());
    assert_eq!(opened.spreads.len(), 3);
}

#[test]
fn a_release_without_a_look_leaves_none_in_the_ledger() {
    let owner = Owner::new(&rows(100));
    assert!(owner.release("first", false).unwrap().evaluation.is_none());
    assert_eq!(owner.states(), ["published"]);
    owner.release("second", true).unwrap();
    let not_promised = |name: &str| {
        let manifest = PrivateManifest::read(&owner.path(name).join(MANIFEST_FILE)).unwrap();
        manifest.guarantee.not_promised.len()
    };
    assert_eq!(not_promised("first"), not_promised("second"));
    // A total is spent now; the next release would be about people whose evaluation was seen.
    let error = owner.release("third", true).unwrap_err();
    assert_eq!(error.kind(), Kind::Refused);
    assert!(!owner.path("third").exists());
}

#[test]
fn what_was_looked_at_before_is_said() {
    let owner = Owner::new(&rows(100));
    owner.release("first", true).unwrap();
    let second = owner.release("second", false).unwrap();
    let said = second.manifest.guarantee.not_promised.join(" ");
    assert!(said.contains("had been looked at before"), "{said}");
}

#[test]
fn any_rows_get_a_release() {
    let odd = "id,age,job,past\n\
               1,200,pilot,nurse;pilot\n\
               2,many,,\n\
               ,30,nurse,nurse\n\
               4,1e999,*,none;nurse\n\
               5,30,nurse,nurse,one field more\n\
               6,-7.3,\u{e9}t\u{e9},;;\n";
    let nobody = "id,age,job,past\n";
    for (csv, left_out) in [(odd, 2), (nobody, 0)] {
        let owner = Owner::new(csv);
        let released = owner.release("out", true).unwrap();
        assert_eq!(released.rows_left_out, left_out);
        verify_private(&owner.path("out"), &Silent).unwrap();
    }
    let owner = Owner::new(odd);
    let spec = owner.spec();
    let read = read_any_rows(&spec.data_path, &spec.plan, &Silent).unwrap();
    let text = |column: usize| {
        let (field, column) = (
            &read.reading.table.fields()[column],
            &read.reading.table.columns()[column],
        );
        let writer = column.writer(&field.domain).unwrap();
        let codes = column.codes().iter();
        codes
            .map(|code| writer.text(code).into_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(text(0), ["120", "", "", "0"]);
    assert_eq!(text(1), ["other", "other", "other", "other"]);
    assert_eq!(text(2), ["nurse;other", "none", "nurse", "none"]);
    assert_eq!(read.taken_in, [4, 4, 3]);
}

#[test]
fn what_the_spec_or_the_header_lacks_costs_nothing() {
    let owner = Owner::new(&rows(50).replacen("job", "work", 1));
    assert_eq!(owner.release("out", true).unwrap_err().kind(), Kind::Spec);
    assert_eq!(owner.states(), Vec::<&str>::new());
    let owner = Owner::new(&rows(50));
    fs::create_dir(owner.path("out")).unwrap();
    assert_eq!(
        owner.release("out", true).unwrap_err().kind(),
        Kind::Refused
    );
    assert_eq!(owner.states(), Vec::<&str>::new());
    // Another name is another population, which nobody declared.
    let spec = SPEC.replace("patients", "strangers");
    fs::write(owner.path("pleiad.toml"), spec).unwrap();
    let error = owner.release("other", true).unwrap_err();
    assert!(
        error
            .hints()
            .iter()
            .any(|hint| hint.contains("ledger declare"))
    );
}

#[test]
fn a_release_that_fails_after_the_first_look_stays_booked() {
    let owner = Owner::new(&(rows(50) + "51,30,\"nurse"));
    let error = owner.release("out", true).unwrap_err();
    assert_eq!(error.kind(), Kind::Data);
    assert_eq!(owner.states(), ["broken_off"]);
    assert_eq!(
        owner
            .ledger()
            .statement("patients")
            .unwrap()
            .left
            .to_string(),
        "1"
    );
    assert!(!owner.path("out").exists());
}

#[test]
fn public_bytes_depend_on_the_outputs_and_the_spec_alone() {
    let (here, there) = (Owner::new(&rows(120)), Owner::new(&rows(11)));
    let (raw, other) = (here.table(), there.table());
    let measure = |table: &Table| {
        let mut purse = Purse::new(&Cost::Pure(epsilon("1")));
        let mut random = PrivateRandom::new().unwrap();
        let outputs = mosaic(table)
            .measure(&SealedTable::seal(table), &mut purse, &mut random)
            .unwrap();
        (outputs, purse.account())
    };
    let write = |method: &Mosaic, outputs: &Outputs, account: &_, folder: &Path| {
        fs::create_dir(folder).unwrap();
        let publication = PrivatePublication {
            method,
            is_tuned: false,
            outputs,
            account,
            unit: UnitEntry::People,
            looks_before: 0,
            cluster: &cluster(),
            format: Format::Csv,
        };
        publication.write(folder).unwrap();
        files(folder)
    };
    let (outputs, account) = measure(&raw);
    let first = write(&mosaic(&raw), &outputs, &account, &here.path("out"));
    // What was recorded, beside another table and with a method made for it.
    let text = serde_json::to_string(&outputs).unwrap();
    let recorded: Outputs = serde_json::from_str(&text).unwrap();
    let again = write(&mosaic(&other), &recorded, &account, &there.path("out"));
    assert!(first == again);
    // And the other table's own outputs do give something else.
    let (outputs, account) = measure(&other);
    let own = write(&mosaic(&other), &outputs, &account, &there.path("own"));
    assert!(first != own);
}

#[test]
fn a_release_that_was_changed_is_refused() {
    let owner = Owner::new(&rows(60));
    let out = owner.path("out");
    owner.release("out", false).unwrap();
    let path = out.join(MANIFEST_FILE);
    let whole: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let mut claims_less = whole.clone();
    claims_less["guarantee"]["epsilon"] = serde_json::json!("0.5");
    let mut forgets_a_step = whole.clone();
    let entries = forgets_a_step["guarantee"]["account"]["entries"].as_array_mut();
    entries.unwrap().pop();
    for changed in [claims_less, forgets_a_step] {
        fs::write(&path, changed.to_string()).unwrap();
        assert_eq!(
            verify_private(&out, &Silent).unwrap_err().kind(),
            Kind::Refused
        );
    }
    fs::write(&path, whole.to_string()).unwrap();
    verify_private(&out, &Silent).unwrap();
    for name in [CELLS_FILE, POSITIONS_FILE] {
        let file = out.join(name);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.clone() + "\n").unwrap();
        assert_eq!(
            verify_private(&out, &Silent).unwrap_err().kind(),
            Kind::Refused
        );
        fs::write(&file, text).unwrap();
    }
}

#[test]
fn the_schema_in_the_docs_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/reference/private-manifest.schema.json");
    if std::env::var_os("PLEIAD_UPDATE").is_some() {
        fs::write(&path, private_manifest_schema()).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == private_manifest_schema(),
        "run the tests with PLEIAD_UPDATE=1"
    );
}
