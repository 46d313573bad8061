//! A recipient's walk: nothing but the public folder, Python with pandas and scikit-learn, and the program in its README.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pleiad::Silent;
use pleiad::cluster::{self, Clusterer as _, KMeans, Points};
use pleiad::generate::Hospital;
use pleiad::release::{ReleaseOptions, open_release, release};
use pleiad::spec::Spec;
use pleiad::table::{Format, read_texts};

const ROWS: u64 = 1500;

/// Makes a release of the hospital table under a changed spec and moves its public folder to where nothing else is.
fn received(folder: &Path, change: impl Fn(String) -> String, format: Format) -> PathBuf {
    let owner = folder.join("owner");
    Hospital::new(ROWS, 3).write_folder(&owner).unwrap();
    let spec_path = owner.join(Hospital::SPEC_FILE);
    let spec = fs::read_to_string(&spec_path).unwrap();
    fs::write(&spec_path, change(spec)).unwrap();
    let options = ReleaseOptions {
        folder: owner.join("out"),
        format,
    };
    release(&Spec::read(&spec_path).unwrap(), &options, &Silent).unwrap();
    let received = folder.join("received");
    fs::rename(owner.join("out"), &received).unwrap();
    fs::remove_dir_all(owner).unwrap();
    received
}

/// The program that the README prints.
fn program(readme: &str) -> &str {
    let (_, after) = readme.split_once("```python\n").unwrap();
    after.split_once("```").unwrap().0
}

/// A number after a word in what the program said.
fn number_after(words: &str, word: &str) -> f64 {
    let (_, after) = words.split_once(word).unwrap();
    let number = after.trim_start().split([',', '\n']).next().unwrap();
    number.trim().parse().unwrap()
}

fn walk(change: impl Fn(String) -> String, format: Format) {
    let python = std::env::var_os("PLEIAD_PYTHON").expect("`cargo xtask check` runs this test");
    let folder = tempfile::tempdir().unwrap();
    let release = received(folder.path(), change, format);
    let readme = fs::read_to_string(release.join("README.md")).unwrap();
    fs::write(folder.path().join("recipient.py"), program(&readme)).unwrap();
    let run = Command::new(python)
        .args(["recipient.py", "received"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );

    // The recipient's points are ours, and so are the clusters.
    let opened = open_release(&release, &Silent).unwrap();
    let points = Points::new(&opened.table, opened.manifest.cluster.encoding)
        .with_spreads(&opened.table, &opened.spreads);
    // One cluster for all: the sum of squared distances of all points from their mean.
    let own_spread = cluster::spread(&points, &vec![0; points.n_rows()], 1);
    let their_spread = number_after(&words, "spread");
    assert!(
        (own_spread - their_spread).abs() < 1e-6 * own_spread,
        "{own_spread} against {their_spread}"
    );
    let own = KMeans::new(opened.manifest.cluster.clusters)
        .restarts(10)
        .cluster(&points, &Silent)
        .unwrap();
    let (own_cost, their_cost) = (own.cost.unwrap(), number_after(&words, "cost"));
    assert!(
        their_cost < 1.02 * own_cost,
        "{their_cost} against {own_cost}"
    );
    let clusters = read_texts(&folder.path().join("clusters.csv"), None, &Silent).unwrap();
    let clusters = clusters.column("cluster").unwrap();
    // Row by row: their labels have the cost on our points that they found on theirs.
    let cost_here = cluster::spread(&points, &clusters.codes, clusters.texts.len());
    assert!(
        (cost_here - their_cost).abs() < 1e-6 * their_cost,
        "{cost_here} against {their_cost}"
    );
}

#[test]
#[ignore = "needs Python with pandas and scikit-learn: `cargo xtask check` runs it"]
fn a_recipient_clusters_a_release_with_what_its_readme_says() {
    walk(|spec| spec, Format::Csv);
}

#[test]
#[ignore = "needs Python with pandas and scikit-learn: `cargo xtask check` runs it"]
fn a_recipient_reads_group_positions_from_parquet() {
    let group = |spec: String| {
        spec.replace("positions = \"table\"", "positions = \"group\"")
            .replace(
                "diagnoses = { kind = \"set\", role = \"sensitive\"",
                "diagnoses = { kind = \"set\", role = \"quasi\"",
            )
            .replace(
                "lab_score = { kind = \"numeric\", role = \"plain\"",
                "lab_score = { kind = \"numeric\", role = \"quasi\"",
            )
    };
    walk(group, Format::Parquet);
}

#[test]
#[ignore = "needs Python with pandas and scikit-learn: `cargo xtask check` runs it"]
fn a_recipient_reads_masked_sets_and_symbols() {
    let sets = |spec: String| {
        spec.replace(
            "diagnoses = { kind = \"set\", role = \"sensitive\"",
            "diagnoses = { kind = \"set\", role = \"quasi\"",
        )
    };
    walk(sets, Format::Csv);
    walk(
        |spec| sets(spec).replace("[cluster]", "[cluster]\nencoding = \"one-hot\""),
        Format::Csv,
    );
}
