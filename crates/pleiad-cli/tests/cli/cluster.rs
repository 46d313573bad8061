//! `pleiad cluster` as somebody at a terminal meets it.

use crate::common::{
    Folder, PATIENTS_SPEC, PEOPLE, SPEC, exists, finish, has_escapes, patients, people,
};
use insta::assert_snapshot;
use serde_json::Value;

#[test]
fn the_summary_describes_each_cluster_in_the_words_of_its_columns() {
    let run = people().run(&["cluster"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    9 rows, 3 columns, 2 clusters by k-means
    cost 0.7008 (0.0779 a row), best of 10 restarts, 2 rounds, converged

    Cluster 1  5 rows, 55.6 %  ▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬
      diagnoses  {I50 100 %, I10 60 %} (all 56 %, 33 %)
      ward       Cardiology 80 % (all 44 %), Surgery 20 % (all 22 %)
      age        80.2 (mean; all 58.2)

    Cluster 2  4 rows, 44.4 %  ▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬
      diagnoses  {O80 100 %, D50 50 %} (all 44 %, 22 %)
      ward       Maternity 75 % (all 33 %), Surgery 25 % (all 22 %)
      age        30.8 (mean; all 58.2)
    ");
    assert_snapshot!(run.stderr, @"
    Reading people.csv as pleiad.toml says.
    ");
}

#[test]
fn without_a_spec_the_guesses_are_said() {
    let folder = Folder::new().with("people.csv", PEOPLE);
    let run = folder.run(&["cluster", "people.csv", "-k", "2"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(run.stdout.contains("9 rows, 3 columns, 2 clusters"));
    assert!(
        run.stderr
            .contains("guessed the kinds of columns (1 numeric, 1 categorical, 1 set)"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("come from the data"));
}

#[test]
fn columns_that_seem_to_name_people_are_left_out_and_named() {
    let rows: Vec<String> = (0..1_500)
        .map(|row| format!("person {row},{}", row % 7))
        .collect();
    let rows = rows.join("\n");
    let folder = Folder::new().with("t.csv", &format!("name,amount\n{rows}"));
    let run = folder.run(&["cluster", "t.csv", "-k", "2"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stderr
            .contains("Left out because they seem to name people: `name`."),
        "{}",
        run.stderr
    );
}

#[test]
fn quiet_leaves_the_result_alone() {
    let run = people().run(&["cluster", "--quiet"]);
    assert_eq!(run.stderr, "");
    assert!(run.stdout.contains("Cluster 2"));
}

#[test]
fn options_win_over_the_spec() {
    let run = people().run(&[
        "cluster",
        "-k",
        "3",
        "--algorithm",
        "bisecting",
        "--encoding",
        "one-hot",
        "--restarts",
        "4",
    ]);
    assert!(
        run.stdout
            .starts_with("9 rows, 3 columns, 3 clusters by bisecting k-means, one-hot encoding\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("2 cuts, each the best of 4"));
}

#[test]
fn a_spec_beside_the_table_is_used_only_if_it_is_about_the_table() {
    let folder = people().with("others.csv", PEOPLE);
    let run = folder.run(&["cluster", "others.csv", "-k", "2"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stderr
            .contains("is about people.csv, not about this table"),
        "{}",
        run.stderr
    );
    let named = folder.run(&["cluster", "others.csv", "-c", "pleiad.toml"]);
    assert_eq!(named.exit, 0, "{}", named.stderr);
    assert_eq!(named.stdout, folder.run(&["cluster"]).stdout);
}

#[test]
fn the_result_is_the_same_for_any_number_of_threads() {
    let folder = people();
    let one = folder.run(&["cluster", "--json", "--threads", "1"]);
    let three = folder.run(&["cluster", "--json", "--threads", "3"]);
    assert_eq!(one.exit, 0, "{}", one.stderr);
    assert_eq!(one.stdout, three.stdout);
}

#[test]
fn json_has_every_column_of_every_cluster() {
    let run = people().run(&["cluster", "--json"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["format"], 1);
    assert_eq!(document["rows"], 9);
    assert_eq!(document["algorithm"], "kmeans");
    assert_eq!(document["spec"], "pleiad.toml");
    let clusters = document["clusters"].as_array().unwrap();
    assert_eq!(clusters.len(), 2);
    assert_eq!(clusters[0]["cluster"], 1);
    assert_eq!(clusters[0]["rows"], 5);
    for group in clusters.iter().chain([&document["whole"]]) {
        assert_eq!(group["columns"].as_array().unwrap().len(), 3);
    }
    assert_eq!(clusters[0]["columns"][0]["mean"], 80.2);
    assert_eq!(
        clusters[0]["columns"][1]["values"][0]["value"],
        "Cardiology"
    );
    assert_eq!(clusters[0]["columns"][2]["items"][0]["value"], "I50");
    assert!(document["whole"].get("cluster").is_none());
}

#[test]
fn labels_are_numbered_as_in_the_summary() {
    let folder = people();
    let run = folder.run(&["cluster", "--labels", "labels.csv"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    let labels = folder.read("labels.csv");
    assert_eq!(
        labels,
        "row,cluster\n1,1\n2,1\n3,1\n4,1\n5,1\n6,2\n7,2\n8,2\n9,2\n"
    );
    assert_eq!(folder.files(), ["labels.csv", "people.csv", "pleiad.toml"]);
}

#[test]
fn labels_in_parquet_are_a_table_that_can_be_read() {
    let folder = people();
    assert_eq!(
        folder.run(&["cluster", "--labels", "labels.parquet"]).exit,
        0
    );
    std::fs::remove_file(folder.path("pleiad.toml")).unwrap();
    let run = folder.run(&["cluster", "labels.parquet", "-k", "2"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout.starts_with("9 rows, 2 columns, 2 clusters"),
        "{}",
        run.stdout
    );
}

#[test]
fn labels_of_dropped_rows_leave_a_gap() {
    let spec = SPEC.replace("path =", "incomplete_rows = \"drop\"\npath =");
    let table = PEOPLE
        .replace("84,Cardiology,I50;I10", "84,,I50")
        .replace("30,Surgery,O80;D50", ",Surgery,O80");
    let folder = people()
        .with("pleiad.toml", &spec)
        .with("people.csv", &table);
    let run = folder.run(&["cluster", "--labels", "labels.csv"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stderr
            .contains("Left out because a value is missing: 2 rows."),
        "{}",
        run.stderr
    );
    assert_eq!(
        folder.read("labels.csv"),
        "row,cluster\n1,1\n2,1\n4,1\n5,1\n6,2\n7,2\n8,2\n"
    );
}

#[test]
fn labels_are_not_replaced_unasked() {
    let folder = people().with("labels.csv", "mine");
    let run = folder.run(&["cluster", "--labels", "labels.csv"]);
    assert_eq!(run.exit, 1);
    assert_eq!(run.stdout, "");
    assert!(
        run.stderr
            .contains("labels.csv exists already\nhint: `--force` replaces it"),
        "{}",
        run.stderr
    );
    assert_eq!(folder.read("labels.csv"), "mine");
    assert_eq!(
        folder
            .run(&["cluster", "--labels", "labels.csv", "--force"])
            .exit,
        0
    );
    assert!(folder.read("labels.csv").starts_with("row,cluster\n"));
}

#[test]
fn labels_never_replace_what_is_read() {
    let folder = people();
    let table = folder.run(&["cluster", "--labels", "./people.csv", "--force"]);
    assert_eq!(table.exit, 1, "{}", table.stderr);
    assert_eq!(folder.read("people.csv"), PEOPLE);
}

#[test]
fn a_pipe_gets_no_colours_unless_they_are_asked_for() {
    let folder = people();
    let plain = folder.run(&["cluster"]);
    assert!(!has_escapes(&plain.stdout) && !has_escapes(&plain.stderr));
    let coloured = folder.run(&["cluster", "--color", "always"]);
    assert!(has_escapes(&coloured.stdout));
    let mut forced = folder.command(&["cluster"]);
    let forced = finish(forced.env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"));
    assert!(!has_escapes(&forced.stdout));
    let usage = folder.run(&["cluster", "--color=never", "--wrong"]);
    assert!(!has_escapes(&usage.stderr));
}

#[test]
fn all_lines_fit_into_eighty_columns() {
    let name = "a_column_with_a_name_that_nobody_would_want_to_type";
    let value = "a value that goes on and on and on, as if it had been written by a committee of committees";
    let rows: Vec<String> = (0..40)
        .map(|row| format!("\"{value} {}\",{row}", row / 20))
        .collect();
    let rows = rows.join("\n");
    let folder = Folder::new().with("t.csv", &format!("{name},b\n{rows}"));
    let run = folder.run(&["cluster", "t.csv", "-k", "2", "--all-columns"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    for line in run.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_table_cannot_steer_the_terminal() {
    let table = PEOPLE
        .replace("Cardiology", "\u{1b}[2JCardiology")
        .replace("ward", "\u{1b}]0;ward");
    let folder = Folder::new().with("t.csv", &table);
    let run = folder.run(&["cluster", "t.csv", "-k", "2", "--color", "always"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(!run.stdout.contains("\u{1b}[2J") && !run.stdout.contains("\u{1b}]0;"));
}

#[test]
#[cfg(unix)]
fn a_reader_who_has_seen_enough_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let folder = people();
    let mut command = folder.command(&["cluster", "--labels", "labels.csv"]);
    let output = command
        .stdout(writer)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let output = output.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("error"));
    assert!(
        exists(&folder.path("labels.csv")),
        "labels are written before the summary"
    );
}

#[test]
fn a_release_is_clustered_as_its_manifest_says() {
    let folder = patients();
    assert_eq!(folder.run(&["release", "--quiet"]).exit, 0);
    let raw = folder.run(&["cluster", "--labels", "raw.csv"]);
    assert_eq!(raw.exit, 0, "{}", raw.stderr);
    // A recipient has nothing but the folder.
    for name in ["patients.csv", "pleiad.toml"] {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    std::fs::remove_dir_all(folder.path("release.owner")).unwrap();
    let run = folder.run(&[
        "cluster",
        "release",
        "--all-columns",
        "--labels",
        "labels.csv",
    ]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with("240 rows, 4 columns, 2 clusters by k-means\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("  age    ["),
        "masked values are shown as they are published: {}",
        run.stdout
    );
    assert_eq!(
        run.stderr,
        "Reading release/data.csv as release/manifest.json says.\n\
         Labels are in labels.csv.\n"
    );
    let sizes = |name: &str| {
        let labels = folder.read(name);
        labels.lines().filter(|line| line.ends_with(",1")).count()
    };
    assert_eq!(sizes("labels.csv"), sizes("raw.csv"));
}

#[test]
fn options_win_over_the_manifest() {
    let folder = patients();
    assert_eq!(folder.run(&["release", "--quiet"]).exit, 0);
    let run = folder.run(&[
        "cluster",
        "release",
        "-k",
        "3",
        "--encoding",
        "one-hot",
        "--algorithm",
        "bisecting",
        "--json",
    ]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["data"], "release/data.csv");
    assert_eq!(document["spec"], Value::Null);
    assert_eq!(document["encoding"], "one-hot");
    assert_eq!(document["clusters"].as_array().unwrap().len(), 3);
}

#[test]
fn positions_told_by_group_are_used_and_not_confused_with_values() {
    let spec = PATIENTS_SPEC.replace("anonymity = 5", "anonymity = 5\npositions = \"group\"");
    let folder = patients().with("pleiad.toml", &spec);
    let released = folder.run(&["release"]);
    assert_eq!(released.exit, 0, "{}", released.stderr);
    assert!(
        released.stdout.contains("Positions  Told of each group: "),
        "{}",
        released.stdout
    );
    let run = folder.run(&["cluster", "release", "--json"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let data = folder.read("release/data.csv");
    let age = document["whole"]["columns"][0]["values"]
        .as_array()
        .unwrap();
    for value in age {
        let text = value["value"].as_str().unwrap();
        let rows = data
            .lines()
            .filter(|line| line.starts_with(&format!("\"{text}\",")))
            .count();
        assert_eq!(value["share"], rows as f64 / 240.0, "{text}");
    }
}

#[test]
fn a_release_stays_as_it_is_and_needs_no_spec() {
    let folder = patients();
    assert_eq!(folder.run(&["release", "--quiet"]).exit, 0);
    let labels = folder.run(&["cluster", "release", "--labels", "release/labels.csv"]);
    assert_eq!(labels.exit, 1, "{}", labels.stderr);
    assert!(
        labels.stderr.contains("would break the release"),
        "{}",
        labels.stderr
    );
    let spec = folder.run(&["cluster", "release", "-c", "pleiad.toml"]);
    assert_eq!(spec.exit, 2, "{}", spec.stderr);
    assert_eq!(folder.run(&["check", "release"]).exit, 0);
    let other = folder.run(&["cluster", "release.owner"]);
    assert_eq!(other.exit, 3, "{}", other.stderr);
    assert!(
        other.stderr.contains("hint: this is the owner's part"),
        "{}",
        other.stderr
    );
}
