//! `pleiad check`: releases and foreign tables, kept and broken.

use std::fs;

use crate::common::{Folder, PATIENTS_SPEC, Run, patients};
use insta::assert_snapshot;
use serde_json::Value;

/// A folder with a release and its owner's folder.
fn released() -> Folder {
    let folder = patients();
    let run = folder.run(&["release", "--quiet"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    folder
}

fn refused(run: &Run, exit: i32) {
    assert_eq!(run.exit, exit, "{}", run.stderr);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("error: "), "{}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

/// A table in which ten patients look alike by age and sex, and one is called Zacharias, is 97 and alone.
fn masked(with_person: bool) -> String {
    let mut table = String::from(if with_person {
        "id,age,sex\n"
    } else {
        "age,sex\n"
    });
    for row in 0..11 {
        let (name, cells) = match row {
            6 => ("Zacharias".to_owned(), "97,M"),
            _ => (format!("P{row}"), "\"[20, 40)\",F"),
        };
        let line = if with_person {
            format!("{name},{cells}\n")
        } else {
            format!("{cells}\n")
        };
        table.push_str(&line);
    }
    table
}

#[test]
fn a_release_that_keeps_its_promise_is_said_to() {
    let folder = released();
    let run = folder.run(&["check", "release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    The promise is kept
    Promised   At least 5 people look alike in `age` and `sex`.
    Found      20 groups of 7 to 12 people who look alike; the median is 8.
    ");
    assert_eq!(
        run.stderr,
        "Checking release, with release.owner to tell people apart.\n"
    );
    for path in ["./release", "release/"] {
        assert_eq!(folder.run(&["check", path]).stdout, run.stdout);
    }
    let mut from_within = folder.command(&["check", "."]);
    let from_within = crate::common::finish(from_within.current_dir(folder.path("release")));
    assert_eq!(from_within.stdout, run.stdout, "{}", from_within.stderr);
}

#[test]
fn without_the_owner_people_cannot_be_counted_and_that_is_said() {
    let folder = released();
    fs::rename(folder.path("release.owner"), folder.path("elsewhere")).unwrap();
    let run = folder.run(&["check", "release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    No promise is found broken, counting rows
    Promised   At least 5 rows look alike in `age` and `sex`.
    Found      20 groups of 8 to 20 rows that look alike; the median is 14.
    Note       People are promised, but who is who stays with the owner: a person
               may have several rows, so that counting rows can miss a broken
               promise.
    ");
    let json: Value =
        serde_json::from_str(&folder.run(&["check", "release", "--json"]).stdout).unwrap();
    assert_eq!(json["promises"][0]["counted"], "rows-only");
}

#[test]
fn json_has_what_was_found() {
    let run = released().run(&["check", "release", "--json"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(json["format"], 1);
    assert_eq!(json["checked"], "release");
    assert_eq!(json["against"], "release/manifest.json");
    let promise = &json["promises"][0];
    assert_eq!(promise["at_least"], 5);
    assert_eq!(promise["counted"], "people");
    assert!(promise["smallest"].as_u64().unwrap() >= 5);
}

#[test]
fn whatever_is_changed_in_a_release_is_found() {
    let folder = released();
    let change = |name: &str, change: &dyn Fn(String) -> String| {
        let original = folder.read(name);
        fs::write(folder.path(name), change(original.clone())).unwrap();
        let run = folder.run(&["check", "release"]);
        fs::write(folder.path(name), original).unwrap();
        run
    };
    let longer = |text: String| text + "\n";
    for name in [
        "release/data.csv",
        "release/positions.csv",
        "release/README.md",
    ] {
        let run = change(name, &longer);
        refused(&run, 1);
        assert!(
            run.stderr.contains(&format!(
                "the file is not the one that was written: its hash differs\n --> {name}"
            )),
            "{}",
            run.stderr
        );
        assert!(
            run.stderr.contains("hint: do not hand it over"),
            "{}",
            run.stderr
        );
    }
    let bolder = |text: String| text.replace("\"at_least\": 5", "\"at_least\": 50");
    let run = change("release/manifest.json", &bolder);
    refused(&run, 1);
    assert!(
        run.stderr
            .contains("the words of the manifest say something else than its numbers"),
        "{}",
        run.stderr
    );
    refused(&change("release/manifest.json", &|_| "{}".to_owned()), 3);
    fs::write(folder.path("release/notes.txt"), "").unwrap();
    refused(&folder.run(&["check", "release"]), 1);
    fs::remove_file(folder.path("release/notes.txt")).unwrap();
    fs::remove_file(folder.path("release/positions.csv")).unwrap();
    refused(&folder.run(&["check", "release"]), 1);
}

#[test]
fn a_folder_without_manifest_is_no_release() {
    let folder = released();
    let run = folder.run(&["check", "release.owner"]);
    refused(&run, 3);
    assert_snapshot!(run.stderr, @"
    error: release.owner is no release: it has no `manifest.json`
    hint: this is the owner's part; the release is release
    ");
    let run = folder.run(&["check", "."]);
    refused(&run, 3);
    assert!(
        run.stderr.contains("hint: did you mean ./release?"),
        "{}",
        run.stderr
    );
    fs::remove_file(folder.path("release/manifest.json")).unwrap();
    refused(&folder.run(&["check", "release"]), 3);
    refused(&folder.run(&["check", "nowhere"]), 3);
}

#[test]
fn a_foreign_table_that_breaks_a_promise_is_named_by_the_row_and_no_cell() {
    let folder = Folder::new()
        .with("pleiad.toml", PATIENTS_SPEC)
        .with("masked.csv", &masked(true));
    let run = folder.run(&["check", "masked.csv"]);
    refused(&run, 1);
    assert_snapshot!(run.stderr, @"
    Checking masked.csv against pleiad.toml.
    error: 1 of 2 groups of `age`, `sex` have fewer than 5 people; the smallest has 1 and begins in row 7
     --> masked.csv
    hint: do not hand it over, and do not rely on it
    ");
    for cell in ["Zacharias", "97"] {
        assert!(!run.stderr.contains(cell), "{}", run.stderr);
    }
}

#[test]
fn a_foreign_table_that_keeps_the_promise_is_said_to() {
    let kept = masked(true).replace("97,M", "\"[20, 40)\",F");
    let folder = Folder::new()
        .with("spec.toml", PATIENTS_SPEC)
        .with("masked.csv", &kept);
    let run = folder.run(&["check", "masked.csv", "-c", "spec.toml"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout.starts_with("The promise is kept\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("One group: all 11 people look alike"),
        "{}",
        run.stdout
    );
    // Each of them twice: rows are not people.
    let twice = masked(true)
        .replace("97,M", "\"[20, 40)\",F")
        .replace("P7", "P1")
        .replace("P8", "P2");
    let folder = folder.with("masked.csv", &twice);
    let run = folder.run(&["check", "masked.csv", "-c", "spec.toml"]);
    assert!(
        run.stdout.contains("One group: all 9 people look alike"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_table_without_the_column_of_persons_is_counted_in_rows() {
    let kept = masked(false).replace("97,M", "\"[20, 40)\",F");
    let folder = Folder::new()
        .with("pleiad.toml", PATIENTS_SPEC)
        .with("masked.csv", &kept);
    let run = folder.run(&["check", "masked.csv"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with("No promise is found broken, counting rows\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn what_cannot_be_checked_is_said() {
    let folder = Folder::new().with("masked.csv", &masked(true));
    let run = folder.run(&["check", "masked.csv"]);
    refused(&run, 2);
    assert_snapshot!(run.stderr, @"
    error: there are no promises to check: no `pleiad.toml` is beside the table or here
    hint: name a spec: `pleiad check masked.csv -c pleiad.toml`
    ");
    let no_promise = PATIENTS_SPEC.replace("[protect]\nanonymity = 5\n", "");
    let folder = folder.with("pleiad.toml", &no_promise);
    refused(&folder.run(&["check", "masked.csv"]), 2);
    let folder = folder
        .with("pleiad.toml", PATIENTS_SPEC)
        .with("masked.csv", "age,colour\n3,red\n");
    refused(&folder.run(&["check", "masked.csv"]), 3);
    refused(&folder.run(&["check", "masked.parquet"]), 3);
}

#[test]
fn a_release_needs_no_spec_and_its_table_is_recognised() {
    let folder = released();
    refused(&folder.run(&["check", "release", "-c", "pleiad.toml"]), 2);
    fs::remove_file(folder.path("pleiad.toml")).unwrap();
    let run = folder.run(&["check", "release/data.csv"]);
    refused(&run, 2);
    assert!(
        run.stderr
            .contains("hint: or check the release that it is part of: `pleiad check release`"),
        "{}",
        run.stderr
    );
}
