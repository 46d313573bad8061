//! A release that is killed while it is written: there is either no release, or all of it.
//!
//! The test starts itself anew as a process that writes a release, and kills that process at a random moment.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Case;
use super::random_table::random_table;
use crate::mask::positions::spreads;
use crate::mask::refine::{RefineParams, refine};
use crate::progress::Silent;
use crate::release::evaluation::{Evaluation, InputEntry, LabelledEntry, StructureEntry};
use crate::release::folder::Target;
use crate::release::pipeline::{put_in_place, requirement};
use crate::release::publish::Publication;
use crate::release::verify_release;
use crate::repeatable::Repeatable;
use crate::spec::{Algorithm, Spec};
use crate::table::{Format, read_table};

const KILLS: usize = 1000;

/// Says to the process that it is the one to be killed, and where it writes.
const FOLDER: &str = "PLEIAD_TEST_KILLED_FOLDER";

/// Writes a release of the case in a folder; `begin` is called when everything but writing is done.
fn write(folder: &Path, begin: impl FnOnce()) {
    let spec = Spec::read(&folder.join("pleiad.toml")).unwrap();
    let protect = spec.refinement().unwrap();
    let reading = read_table(&spec.data_path, &spec.plan, &Silent).unwrap();
    let requirement = requirement(protect, &reading.table).unwrap();
    let labels: Vec<u32> = (0..reading.table.n_rows() as u32)
        .map(|row| row % 2)
        .collect();
    let params = RefineParams::default();
    let refined = refine(&reading.table, &labels, &requirement, &params, &Silent).unwrap();
    let told = spreads(
        &reading.table,
        &refined.table,
        &requirement,
        protect.positions,
    );
    let publication = Publication {
        spec: &spec,
        protect,
        reading: &reading,
        requirement: &requirement,
        masked: &refined.table,
        spreads: &told,
        positions: protect.positions,
        labels: &labels,
        released_labels: &labels,
        format: Format::Csv,
    };
    let target = Target::check(&folder.join("out"), &[]).unwrap();
    begin();
    put_in_place(
        target,
        &publication,
        |verified, manifest_sha256| Evaluation {
            format: 1,
            made_by: "a test".to_owned(),
            input: InputEntry {
                file: String::new(),
                sha256: String::new(),
                rows: 0,
                rows_left_out: 0,
                people: 0,
            },
            masked: None,
            manifest_sha256: Some(manifest_sha256),
            promises: verified.promises.clone(),
            structure: StructureEntry {
                clusters: 2,
                owner: Algorithm::KMeans,
                recipient: Algorithm::KMeans,
                rows_compared: 0,
                raw_optima: 0,
                measures: Vec::new(),
                labelled: LabelledEntry::ByRow,
            },
            loss: None,
            risk: None,
            refinements: Vec::new(),
            privacy: None,
        },
        |_, _| Ok(Some("a report".to_owned())),
        &Silent,
    )
    .unwrap();
}

fn assert_is_whole(case: &Case, when: &str) {
    verify_release(&case.path("out"), Some(&case.path("out.owner")), &Silent)
        .unwrap_or_else(|error| panic!("{when}: {error}"));
    assert!(
        case.path("out.owner").join("evaluation.json").exists(),
        "{when}"
    );
}

fn case() -> Case {
    let random = random_table(5);
    let head = random.spec.split("[protect]").next().unwrap().to_owned();
    Case::new(
        &random.csv(),
        &(head + "[protect]\nanonymity = 3\npositions = \"group\"\n"),
    )
}

#[test]
fn a_killed_release_is_whole_or_not_there() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        // This is the process to be killed.
        return write(Path::new(&folder), || {
            let mut out = std::io::stderr();
            out.write_all(b"writing begins\n").unwrap();
            out.flush().unwrap();
        });
    }
    let whole = case();
    let mut began = Instant::now();
    write(whole.folder.path(), || began = Instant::now());
    let usual = began.elapsed();
    assert_is_whole(&whole, "undisturbed");

    let name = "release::tests::killed::a_killed_release_is_whole_or_not_there";
    let mut dice = Repeatable::new(17);
    for kill in 0..KILLS {
        let case = case();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact", "--nocapture"])
            .env(FOLDER, case.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut words = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(
            words.any(|line| line.unwrap().ends_with("writing begins")),
            "the process came to write"
        );
        // A little longer than writing takes, so that some releases are finished.
        let moment = usual.mul_f64(1.3 * dice.below(1 << 20) as f64 / f64::from(1 << 20));
        let begin = Instant::now();
        while begin.elapsed() < moment {
            std::thread::sleep(Duration::from_micros(50));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if case.path("out").exists() {
            assert_is_whole(&case, &format!("kill {kill}"));
            assert_eq!(case.outputs(), ["out", "out.owner"], "kill {kill}");
        } else {
            // The next run finds the place free and succeeds.
            write(case.folder.path(), || {});
            assert_is_whole(&case, &format!("after kill {kill}"));
            assert_eq!(case.outputs(), ["out", "out.owner"], "after kill {kill}");
        }
    }
}
