//! `pleiad evaluate`: releases, foreign tables, and what cannot be judged.

use std::fmt::Write as _;
use std::fs;

use crate::common::{Folder, PATIENTS_SPEC, Run, patients};
use insta::assert_snapshot;
use serde_json::Value;

/// The patients as another program might mask them: ages in bands of 20, sex hidden for the first `hidden` rows.
fn masked_as(rows: impl Fn(usize, &str, u32, &str) -> String) -> String {
    let folder = patients();
    let table = folder.read("patients.csv");
    let mut lines = table.lines();
    let mut masked = format!("{}\n", lines.next().expect("a header"));
    for (row, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let age: u32 = cells[1].parse().expect("an age");
        let quasi = rows(row, cells[0], age, cells[2]);
        let _ = writeln!(masked, "{quasi},{},{}", cells[3], cells[4]);
    }
    masked
}

fn banded() -> String {
    masked_as(|_, name, age, sex| format!("{name},{}-{},{sex}", age / 20 * 20, age / 20 * 20 + 19))
}

fn refused(run: &Run, exit: i32) {
    assert_eq!(run.exit, exit, "{}", run.stderr);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("error: "), "{}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    for cell in ["Zacharias", "P12", "Maternity"] {
        assert!(!run.stderr.contains(cell), "{}", run.stderr);
    }
}

fn json(run: &Run) -> Value {
    assert_eq!(run.exit, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn a_foreign_table_is_judged_in_a_few_lines() {
    let folder = patients().with("masked.csv", &banded());
    let run = folder.run(&["evaluate", "patients.csv", "masked.csv"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    masked.csv: 240 rows, raw 240 rows
    Verdict    Good: nobody stands out by the quasi columns, and the clusters
               survived.
    Risk       Whoever knows a person's 2 quasi columns finds the easiest of 160
               people with a chance of 0.083, the average one of 0.037; nobody is
               above 0.2; nobody is alone in a group.
    Clusters   Well kept: clusters found on the release fit the raw rows as well as
               the best ones (cost ratio 1.00; 1 is perfect). Rows are in the same
               clusters: F 1.00, where columns shuffled apart reach 0.59 and the raw
               table itself 1.00.
    Loss       A value may stand for 8 % of its domain on average (NCP 0.08);
               granularity 0.92 and entropy 0.65 of 1 are left. `age` lost most: NCP
               0.16, 3 intervals.
    Rows       All 240 are there; none is suppressed.
    Try        Nothing needs to change.
    ");
    assert_snapshot!(run.stderr, @"
    Reading patients.csv as pleiad.toml says.
    Rows are taken to be in the order of the raw table; `--key` or `--map` would say which is which.
    ");
}

#[test]
fn json_is_the_file_and_has_loss_and_risk() {
    let folder = patients().with("masked.csv", &banded());
    let arguments = [
        "evaluate",
        "patients.csv",
        "masked.csv",
        "--json",
        "--out",
        "out.json",
    ];
    let run = folder.run(&arguments);
    let evaluation = json(&run);
    assert_eq!(run.stdout, folder.read("out.json"));
    assert_eq!(evaluation["masked"]["aligned"]["by"], "order");
    assert_eq!(evaluation["loss"]["rows"]["published"], 240);
    // Bands of 20 years on a scale from 0 to 120.
    let ncp = evaluation["loss"]["columns"][0]["ncp"].as_f64().unwrap();
    assert!((ncp - 19.0 / 120.0).abs() < 1e-9, "{ncp}");
    assert_eq!(evaluation["risk"]["people"], 160);
    assert_eq!(evaluation["manifest_sha256"], Value::Null);
    refused(&folder.run(&arguments), 1);
}

#[test]
fn rows_are_aligned_by_a_key_and_those_that_are_not_there_are_counted() {
    let masked = banded();
    let mut lines: Vec<&str> = masked.lines().collect();
    // One row of each person, backwards, and ten of them left out.
    let header = lines.remove(0);
    let numbered = |line: &str, row: usize| format!("{row},{}", line.split_once(',').unwrap().1);
    let mut rows: Vec<String> = lines
        .iter()
        .enumerate()
        .map(|(row, line)| numbered(line, row))
        .collect();
    rows.truncate(230);
    rows.reverse();
    let folder = patients();
    let raw = folder.read("patients.csv");
    let raw_rows: Vec<String> = raw
        .lines()
        .skip(1)
        .enumerate()
        .map(|(row, line)| numbered(line, row))
        .collect();
    let spec = PATIENTS_SPEC.replace("person = \"id\"\n", "");
    let folder = folder
        .with(
            "patients.csv",
            &format!("{header}\n{}\n", raw_rows.join("\n")),
        )
        .with("masked.csv", &format!("{header}\n{}\n", rows.join("\n")))
        .with("pleiad.toml", &spec);
    let run = folder.run(&[
        "evaluate",
        "patients.csv",
        "masked.csv",
        "--key",
        "id",
        "--json",
    ]);
    let evaluation = json(&run);
    let expected =
        serde_json::json!({"raw": 240, "published": 230, "suppressed": 0, "dropped": 10});
    assert_eq!(evaluation["loss"]["rows"], expected);
    assert_eq!(evaluation["masked"]["contradicted_cells"], 0);
    assert!(
        run.stderr.contains("Rows are aligned by `id`."),
        "{}",
        run.stderr
    );
    // By their order they cannot be.
    let run = folder.run(&["evaluate", "patients.csv", "masked.csv"]);
    refused(&run, 3);
    assert!(run.stderr.contains("--key COLUMN"), "{}", run.stderr);
    refused(
        &folder.run(&["evaluate", "patients.csv", "masked.csv", "--key", "sex"]),
        3,
    );
    refused(
        &folder.run(&["evaluate", "patients.csv", "masked.csv", "--key", "idd"]),
        2,
    );
    // Somebody whom the raw table does not know.
    let stranger = folder.read("masked.csv").replacen("\n7,", "\n700,", 1);
    let folder = folder.with("masked.csv", &stranger);
    refused(
        &folder.run(&["evaluate", "patients.csv", "masked.csv", "--key", "id"]),
        3,
    );
}

#[test]
fn a_release_is_judged_by_the_owners_map_as_it_was_when_it_was_made() {
    let folder = patients();
    let released = json(&folder.run(&["release", "--json"]));
    let run = folder.run(&["evaluate", "patients.csv", "release", "--json"]);
    let evaluation = json(&run);
    for part in ["structure", "loss", "risk", "input", "manifest_sha256"] {
        assert_eq!(evaluation[part], released[part], "{part}");
    }
    assert_eq!(evaluation["masked"]["aligned"]["by"], "map");
    let by_file = json(&folder.run(&["evaluate", "patients.csv", "release/data.csv", "--json"]));
    assert_eq!(by_file["structure"], evaluation["structure"]);
    let map = "release.owner/rows.parquet";
    fs::rename(folder.path(map), folder.path("rows.parquet")).unwrap();
    let arguments = ["evaluate", "patients.csv", "release", "--json"];
    let alone = json(&folder.run(&arguments));
    assert_eq!(alone["masked"]["aligned"]["by"], "nothing");
    assert_eq!(alone["structure"]["labelled"], "by-centre");
    assert_eq!(
        (&alone["loss"], &alone["risk"]),
        (&Value::Null, &Value::Null)
    );
    let named = json(&folder.run(&[&arguments[..], &["--map", "rows.parquet"]].concat()));
    assert_eq!(named["loss"], evaluation["loss"]);
    // What is made from the raw table is not put where it would be handed over.
    let run = folder.run(&[
        "evaluate",
        "patients.csv",
        "release",
        "-o",
        "release/evaluation.json",
    ]);
    refused(&run, 1);
}

#[test]
fn suppressed_rows_are_counted_and_no_part_of_the_measures() {
    let masked = masked_as(|row, name, age, sex| match row % 8 {
        0 => format!("{name},*,NA"),
        _ => format!(
            "{name},\"[{}, {}[\",{sex}",
            age / 20 * 20,
            age / 20 * 20 + 20
        ),
    });
    let folder = patients().with("masked.csv", &masked);
    let run = folder.run(&["evaluate", "patients.csv", "masked.csv", "--json"]);
    let evaluation = json(&run);
    assert_eq!(evaluation["loss"]["rows"]["suppressed"], 30);
    assert_eq!(evaluation["loss"]["rows"]["published"], 210);
    assert_eq!(evaluation["structure"]["rows_compared"], 210);
    let ncp = evaluation["loss"]["columns"][0]["ncp"].as_f64().unwrap();
    assert!((ncp - 19.0 / 120.0).abs() < 1e-9, "{ncp}");
    let words = folder
        .run(&["evaluate", "patients.csv", "masked.csv"])
        .stdout;
    assert!(
        words.contains("210 tell something, 30 are suppressed"),
        "{words}"
    );
}

#[test]
fn a_synthetic_table_is_judged_by_centres() {
    let masked = banded();
    let header = masked.lines().next().unwrap();
    let raw = patients().read("patients.csv");
    let drawn: Vec<&str> = raw.lines().skip(1).step_by(2).collect();
    let folder = patients().with("drawn.csv", &format!("{header}\n{}\n", drawn.join("\n")));
    let run = folder.run(&["evaluate", "patients.csv", "drawn.csv", "--synthetic"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("Rows are not aligned"),
        "{}",
        run.stderr
    );
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("the nearest centre found"), "{words}");
    assert!(
        run.stdout.contains("Risk is not measured"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_population_hides_people_and_a_threshold_is_obeyed() {
    let folder = patients().with("masked.csv", &banded());
    let run = |more: &[&str]| {
        let arguments = ["evaluate", "patients.csv", "masked.csv", "--json"];
        json(&folder.run(&[&arguments[..], more].concat()))
    };
    let alone = run(&["--threshold", "0.01"]);
    assert_eq!(alone["risk"]["threshold"], 0.01);
    assert!(
        alone["risk"]["prosecutor"]["above_threshold"]
            .as_f64()
            .unwrap()
            > 0.0
    );
    assert_eq!(alone["risk"]["journalist"], Value::Null);
    let itself = run(&["--population", "patients.csv"]);
    assert_eq!(itself["risk"]["journalist"], itself["risk"]["prosecutor"]);
    assert_eq!(itself["risk"]["not_in_population"], 0);
    let usage = folder.run(&[
        "evaluate",
        "patients.csv",
        "masked.csv",
        "--threshold",
        "1.5",
    ]);
    assert_eq!(usage.exit, 2);
}

#[test]
fn cells_in_no_known_form_are_counted_never_shown() {
    let masked = masked_as(|row, name, age, sex| match row {
        5 | 6 => format!("{name},Zacharias,{sex}"),
        7 => format!("{name},12 or 13,{sex}"),
        8 => format!("{name},130,{sex}"),
        _ => format!("{name},{age},{sex}"),
    });
    let folder = patients().with("masked.csv", &masked);
    let run = folder.run(&["evaluate", "patients.csv", "masked.csv"]);
    refused(&run, 3);
    assert_snapshot!(run.stderr, @"
    Reading patients.csv as pleiad.toml says.
    error: column `age` has 3 cells, 2 of them different, that are no value, node, interval or mark that it can have
     --> masked.csv
    hint: a spec says what they can be: nodes are those of its taxonomy, intervals of its bounds
    hint: `--suppress-unknown` takes them as suppressed, and counts them
    ");
    let run = folder.run(&[
        "evaluate",
        "patients.csv",
        "masked.csv",
        "--suppress-unknown",
        "--json",
    ]);
    let evaluation = json(&run);
    assert_eq!(evaluation["masked"]["unknown_cells"], 3);
    assert_eq!(evaluation["masked"]["numbers_outside"], 1);
    assert_eq!(evaluation["loss"]["columns"][0]["suppressed"], 3);
    assert!(
        run.stderr
            .contains("being no value, node or interval: 3 cells."),
        "{}",
        run.stderr
    );
}

#[test]
fn tables_that_do_not_fit_are_refused() {
    let folder = patients().with("masked.csv", &banded());
    let evaluate = ["evaluate", "patients.csv", "masked.csv"];
    let with = |text: &str| {
        fs::write(folder.path("masked.csv"), text).unwrap();
        folder.run(&evaluate)
    };
    let run = with(&banded().replacen("id,age", "id,years", 1));
    refused(&run, 3);
    assert!(run.stderr.contains("has no column `age`"), "{}", run.stderr);
    let more = banded()
        .replace('\n', ",x\n")
        .replacen(",x\n", ",colour\n", 1);
    let run = with(&more);
    refused(&run, 3);
    assert!(
        run.stderr
            .contains("a column `colour` that the raw one does not have"),
        "{}",
        run.stderr
    );
    let header = banded().lines().next().unwrap().to_owned();
    refused(&with(&format!("{header}\n")), 3);
    refused(&with(""), 3);
    refused(&with(&format!("{header}\nP1,20-39,F,Surgery,30\n")), 3);
    refused(&folder.run(&["evaluate", "patients.csv", "nowhere.csv"]), 3);
    refused(
        &folder.run(&["evaluate", "nowhere.csv", "masked.csv", "-k", "2"]),
        3,
    );
    fs::remove_file(folder.path("pleiad.toml")).unwrap();
    refused(&folder.run(&evaluate), 2);
}

#[test]
fn without_a_spec_all_columns_are_known_to_whoever_looks() {
    let raw = "age,town\n20,A\n30,A\n40,B\n50,B\n60,A\n70,B\n";
    let masked = "age,town\n20-39,A\n20-39,A\n40-50,*\n40-50,*\n60-70,A\n60-70,B\n";
    let folder = Folder::new()
        .with("raw.csv", raw)
        .with("masked.csv", masked);
    let evaluation = json(&folder.run(&["evaluate", "raw.csv", "masked.csv", "-k", "2", "--json"]));
    assert_eq!(
        evaluation["risk"]["columns"],
        serde_json::json!(["age", "town"])
    );
    assert_eq!(evaluation["risk"]["uniques"], 2);
    assert_eq!(evaluation["risk"]["prosecutor"]["highest"], 1.0);
}

#[test]
fn a_foreign_table_gets_a_report_too() {
    let folder = patients().with("masked.csv", &banded());
    let run = folder.run(&[
        "evaluate",
        "patients.csv",
        "masked.csv",
        "--report",
        "report.html",
    ]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(run.stderr.contains("The report is"), "{}", run.stderr);
    let page = folder.read("report.html");
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("masked.csv"));
    let again = folder.run(&[
        "evaluate",
        "patients.csv",
        "masked.csv",
        "--report",
        "report.html",
    ]);
    assert_eq!(again.exit, 1, "a report is never replaced");
}
