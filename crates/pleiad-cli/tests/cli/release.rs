//! `pleiad release` as somebody at a terminal meets it.

use std::fs;
use std::process::Stdio;

use crate::common::{Folder, PATIENTS_SPEC, Run, exists, has_escapes, patients};
use insta::assert_snapshot;
use serde_json::Value;

/// Fails, and leaves the folder as it was.
fn refused(folder: &Folder, arguments: &[&str], exit: i32) -> Run {
    let before = folder.files();
    let run = folder.run(arguments);
    assert_eq!(run.exit, exit, "{}", run.stderr);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("error: "), "{}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    assert_eq!(folder.files(), before);
    run
}

#[test]
fn the_summary_says_what_is_promised_what_survived_and_what_to_hand_over() {
    let folder = patients();
    let run = folder.run(&["release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    Released 240 rows about 160 people
    Verdict    Good: nobody stands out by the quasi columns, and the clusters
               survived.
    Promised   Whoever looks for a person by `age` and `sex` finds at least 5 people
               who look alike there, or nobody. People are counted, not rows: a
               person may have several rows.
    Groups     20 groups of 7 to 12 people who look alike; the median is 8.
    Risk       Whoever knows a person's 2 quasi columns finds the easiest of 160
               people with a chance of 0.143, the average one of 0.125; nobody is
               above 0.2; nobody is alone in a group.
    Clusters   Well kept: clusters found on the release fit the raw rows as well as
               the best ones (cost ratio 1.00; 1 is perfect). Rows are in the same
               clusters: F 1.00, where columns shuffled apart reach 0.56 and the raw
               table itself 1.00.
    Loss       A value may stand for 52 % of its domain on average (NCP 0.52);
               granularity 0.48 and entropy 0.40 of 1 are left. `sex` lost most: NCP
               1.00, root.
    Rows       All 240 are there; none is suppressed.
    Try        Nothing needs to change.
    Positions  Told of each masked value: how its rows spread; rare values pooled.
    Read       release.owner/report.html: all of this in full, to print and sign.
    Hand over  release: its README.md also says what is not promised.
    Keep       release.owner: the evaluation, and which row is whose.
    ");
    assert_eq!(run.stderr, "Reading patients.csv as pleiad.toml says.\n");
    assert!(!has_escapes(&run.stdout));
}

#[test]
fn two_folders_are_made_and_nothing_else() {
    let folder = patients();
    assert_eq!(folder.run(&["release", "--out", "here"]).exit, 0);
    assert_eq!(
        folder.files(),
        ["here", "here.owner", "patients.csv", "pleiad.toml"]
    );
    assert_eq!(
        folder.files_in("here"),
        ["README.md", "data.csv", "manifest.json", "positions.csv"]
    );
    assert_eq!(
        folder.files_in("here.owner"),
        ["evaluation.json", "report.html", "rows.parquet"]
    );
    let report = folder.read("here.owner/report.html");
    assert!(report.contains("<h1>Report on “here”</h1>"));
    let data = folder.read("here/data.csv");
    assert_eq!(data.lines().count(), 241);
    assert_eq!(data.lines().next(), Some("age,sex,ward,score"));
    for file in folder.files_in("here") {
        let text = folder.read(&format!("here/{file}"));
        assert!(!text.contains("Zacharias"), "{file}");
    }
}

#[test]
fn parquet_is_written_if_asked_for() {
    let folder = patients();
    let run = folder.run(&["release", "--format", "parquet", "--quiet"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_eq!(run.stderr, "");
    assert!(exists(&folder.path("release/data.parquet")));
    assert!(!exists(&folder.path("release/data.csv")));
    let check = folder.run(&["check", "release"]);
    assert_eq!(check.exit, 0, "{}", check.stderr);
    let cluster = folder.run(&["cluster", "release"]);
    assert_eq!(cluster.exit, 0, "{}", cluster.stderr);
}

#[test]
fn json_is_the_evaluation() {
    let folder = patients();
    let run = folder.run(&["release", "--json"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_eq!(run.stdout, folder.read("release.owner/evaluation.json"));
    let evaluation: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(evaluation["input"]["people"], 160);
    assert!(evaluation["promises"][0]["smallest"].as_u64().unwrap() >= 5);
    assert!(
        run.stderr
            .ends_with("Hand over release. Keep release.owner.\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn rows_left_out_are_said() {
    let spec = PATIENTS_SPEC.replace("path =", "incomplete_rows = \"drop\"\npath =");
    let folder = patients().with("pleiad.toml", &spec);
    let table = folder.read("patients.csv");
    let gap = table.replacen(",Cardiology,", ",,", 2);
    let folder = folder.with("patients.csv", &gap);
    let run = folder.run(&["release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout.starts_with(
            "Released 238 rows about 160 people; left out because a value is missing: 2 rows\n"
        ),
        "{}",
        run.stdout
    );
}

#[test]
fn several_promises_are_each_reported() {
    let spec = PATIENTS_SPEC.replace(
        "[protect]\nanonymity = 5",
        "[[protect.anonymity]]\ncolumns = [\"age\", \"sex\"]\nat_least = 4\n\
         [[protect.anonymity]]\ncolumns = [\"age\"]\nat_least = 20",
    );
    let run = patients().with("pleiad.toml", &spec).run(&["release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("Groups     By `age` and `sex`: "),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("Groups     By `age`: "),
        "{}",
        run.stdout
    );
}

#[test]
fn one_row_may_be_one_person() {
    let spec = PATIENTS_SPEC
        .replace("person = \"id\"\n", "")
        .replace("anonymity = 5", "anonymity = 5\npositions = \"uniform\"");
    let run = patients().with("pleiad.toml", &spec).run(&["release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout.starts_with("Released 240 rows, each a person\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("Positions  Nothing is told beyond the masked values.\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_domain_that_was_drafted_from_the_data_is_noted() {
    let spec = PATIENTS_SPEC.replace("values = [", "from = \"data\", values = [");
    let run = patients().with("pleiad.toml", &spec).run(&["release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stderr
            .contains("The spec marks the values of `sex` as taken from the data"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_release_is_never_replaced() {
    let folder = patients();
    assert_eq!(folder.run(&["release"]).exit, 0);
    let before = folder.read("release/manifest.json");
    let run = refused(&folder, &["release"], 1);
    assert!(
        run.stderr.contains("error: release exists already\nhint: "),
        "{}",
        run.stderr
    );
    assert_eq!(folder.read("release/manifest.json"), before);
    fs::rename(folder.path("release"), folder.path("moved")).unwrap();
    let run = refused(&folder, &["release"], 1);
    assert!(
        run.stderr.contains("error: release.owner exists already"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_spec_without_promises_is_a_spec_error() {
    let spec = PATIENTS_SPEC.replace("[protect]\nanonymity = 5\n", "");
    let run = refused(&patients().with("pleiad.toml", &spec), &["release"], 2);
    assert!(
        run.stderr.contains(
            "no section [protect]: nothing is promised\n --> pleiad.toml\nhint: add `anonymity = 5`"
        ),
        "{}",
        run.stderr
    );
}

#[test]
fn without_a_spec_one_is_asked_for() {
    let run = refused(&Folder::new(), &["release"], 2);
    assert_snapshot!(run.stderr, @"
    error: there is no spec: none was named, and no `pleiad.toml` is here
    hint: name one: `pleiad release -c folder/pleiad.toml`
    hint: draft one: `pleiad init patients.csv`
    ");
    refused(&patients(), &["release", "-c", "nowhere.toml"], 2);
}

#[test]
fn more_people_than_there_are_cannot_look_alike() {
    let spec = PATIENTS_SPEC.replace("anonymity = 5", "anonymity = 161");
    let run = refused(&patients().with("pleiad.toml", &spec), &["release"], 1);
    assert_snapshot!(run.stderr, @"
    Reading patients.csv as pleiad.toml says.
    error: at least 161 people must look alike, and the table is about 160
    hint: `at_least` can be 160 at most, and the fewer the more can be told
    ");
}

#[test]
fn everybody_may_have_to_look_alike() {
    let spec = PATIENTS_SPEC.replace("anonymity = 5", "anonymity = 160");
    let run = patients().with("pleiad.toml", &spec).run(&["release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .contains("Groups     One group: all 160 people look alike"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_table_that_does_not_fit_is_a_data_error_without_a_cell() {
    let folder = patients();
    let table = folder.read("patients.csv");
    let table = format!("{table}P999,Zacharias77,F,Surgery,50\n");
    let run = refused(&folder.with("patients.csv", &table), &["release"], 3);
    assert!(!run.stderr.contains("Zacharias77"), "{}", run.stderr);
}

#[test]
fn a_place_where_nobody_can_write_is_found_before_any_work() {
    let folder = patients();
    let run = refused(&folder, &["release", "--out", "nowhere/release"], 1);
    assert!(
        run.stderr
            .contains("error: cannot write nowhere/release: No such file or directory"),
        "{}",
        run.stderr
    );
    refused(&folder, &["release", "--out", "patients.csv/release"], 1);
    refused(&folder, &["release", "--out", ".."], 2);
    #[cfg(target_os = "linux")]
    refused(&folder, &["release", "--out", "/proc/release"], 1);
}

#[test]
#[cfg(target_os = "linux")]
fn what_was_released_stays_when_the_summary_cannot_be_written() {
    let folder = patients();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let child = folder
        .command(&["release", "--quiet"])
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: cannot write standard output: No space left on device\n"
    );
    assert_eq!(folder.run(&["check", "release"]).exit, 0);
}

#[test]
#[cfg(unix)]
fn words_and_results_keep_their_order_in_one_file() {
    let folder = patients();
    let both = fs::File::create(folder.path("both.txt")).unwrap();
    let mut child = folder
        .command(&["release", "--json"])
        .stdout(both.try_clone().unwrap())
        .stderr(both)
        .spawn()
        .unwrap();
    assert!(child.wait().unwrap().success());
    let both = folder.read("both.txt");
    assert!(both.starts_with("Reading patients.csv"), "{both}");
    assert!(
        both.ends_with("}\nHand over release. Keep release.owner.\n"),
        "{both}"
    );
}
