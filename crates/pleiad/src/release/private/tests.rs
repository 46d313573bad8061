use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{
    DifferentialPrivacy, OUTPUTS_FILE, PrivatePublication, private_manifest_schema,
    release_private, verify_private,
};
use crate::error::Kind;
use crate::mask::mosaic::{Mosaic, Outputs};
use crate::mask::private::PrivateMethod as _;
use crate::privacy::budget::{AddRemove, Cost, Epsilon, Purse, SealedTable};
use crate::privacy::ledger::{Act, Ledger, Total};
use crate::privacy::noise::PrivateRandom;
use crate::progress::Silent;
use crate::release::MANIFEST_FILE;
use crate::release::manifest::{ClusterEntry, UnitEntry};
use crate::spec::{Algorithm, Encoding, Spec, Tuning};
use crate::table::{Table, read_table};

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
"#;

fn cluster() -> ClusterEntry {
    ClusterEntry {
        algorithm: Algorithm::KMeans,
        tuning: Tuning::default(),
        clusters: 2,
        encoding: Encoding::Semantic,
    }
}

/// A table of so many people, every second with two rows.
fn table(folder: &Path, n_people: usize) -> Table {
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
    fs::write(folder.join("people.csv"), csv).unwrap();
    fs::write(folder.join("pleiad.toml"), SPEC).unwrap();
    let spec = Spec::read(&folder.join("pleiad.toml")).unwrap();
    read_table(&spec.data_path, &spec.plan, &Silent)
        .unwrap()
        .table
}

fn epsilon(text: &str) -> Epsilon<AddRemove> {
    text.parse().unwrap()
}

fn mosaic(table: &Table) -> Mosaic {
    Mosaic::new(table.fields(), &epsilon("1")).unwrap()
}

fn ledger(folder: &Path, total: &str) -> Ledger {
    let ledger = Ledger::create(&folder.join("pleiad.ledger")).unwrap();
    ledger
        .declare("patients", &Total::<AddRemove>::Pure(epsilon(total)))
        .unwrap();
    ledger
}

#[test]
fn a_private_release_is_booked_paid_written_and_marked() {
    let folder = tempfile::tempdir().unwrap();
    let raw = table(folder.path(), 200);
    let ledger = ledger(folder.path(), "2");
    let cost = Cost::Pure(epsilon("1"));
    let booking = ledger.book("patients", &cost, &Act::by("mosaic")).unwrap();
    let out = folder.path().join("out");
    let manifest = release_private(&mosaic(&raw), &raw, &cluster(), booking, &out).unwrap();
    assert_eq!(verify_private(&out).unwrap(), manifest);
    let DifferentialPrivacy {
        epsilon, account, ..
    } = &manifest.guarantee;
    assert_eq!(epsilon, "1");
    assert_eq!(account.total(), cost);
    assert!(account.entries().len() > 4);
    assert!(folder.path().join("out.owner").join(OUTPUTS_FILE).exists());
    let log = ledger.log().unwrap();
    assert_eq!(log.len(), 1);
    assert_eq!(log[0].state.name(), "published");
}

#[test]
fn a_release_that_cannot_be_written_stays_booked() {
    let folder = tempfile::tempdir().unwrap();
    let raw = table(folder.path(), 50);
    let ledger = ledger(folder.path(), "1");
    let cost = Cost::Pure(epsilon("1"));
    let booking = ledger.book("patients", &cost, &Act::by("mosaic")).unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let error = release_private(&mosaic(&raw), &raw, &cluster(), booking, &out).unwrap_err();
    assert_eq!(error.kind(), Kind::Refused);
    assert_eq!(ledger.log().unwrap()[0].state.name(), "broken_off");
    let error = ledger
        .book("patients", &cost, &Act::by("mosaic"))
        .unwrap_err();
    assert_eq!(error.kind(), Kind::Refused);
}

#[test]
fn public_bytes_depend_on_the_outputs_and_the_spec_alone() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let raw = table(here.path(), 120);
    let other = table(there.path(), 11);
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
            outputs,
            account,
            unit: UnitEntry::People,
            looks_before: 0,
            cluster: &cluster(),
        };
        publication.write(folder).unwrap();
        crate::release::tests::files(folder)
    };
    let (outputs, account) = measure(&raw);
    let first = write(&mosaic(&raw), &outputs, &account, &here.path().join("out"));
    // What was recorded, beside another table and with a method made for it.
    let text = serde_json::to_string(&outputs).unwrap();
    let recorded: Outputs = serde_json::from_str(&text).unwrap();
    let again = write(
        &mosaic(&other),
        &recorded,
        &account,
        &there.path().join("out"),
    );
    assert!(first == again);
    // And the other table's own outputs do give something else.
    let (outputs, account) = measure(&other);
    let own = write(
        &mosaic(&other),
        &outputs,
        &account,
        &there.path().join("own"),
    );
    assert!(first != own);
}

#[test]
fn an_account_that_does_not_add_up_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let raw = table(folder.path(), 60);
    let ledger = ledger(folder.path(), "1");
    let booking = ledger
        .book("patients", &Cost::Pure(epsilon("1")), &Act::by("mosaic"))
        .unwrap();
    let out = folder.path().join("out");
    release_private(&mosaic(&raw), &raw, &cluster(), booking, &out).unwrap();
    let path = out.join(MANIFEST_FILE);
    let whole: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let mut claims_less = whole.clone();
    claims_less["guarantee"]["epsilon"] = serde_json::json!("0.5");
    let mut forgets_a_step = whole;
    let entries = forgets_a_step["guarantee"]["account"]["entries"].as_array_mut();
    entries.unwrap().pop();
    for changed in [claims_less, forgets_a_step] {
        fs::write(&path, changed.to_string()).unwrap();
        assert_eq!(verify_private(&out).unwrap_err().kind(), Kind::Refused);
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
