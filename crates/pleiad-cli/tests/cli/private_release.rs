//! `pleiad release` with `method = "mosaic"`: paid from a budget, checked, clustered again.

use std::fmt::Write;

use crate::common::Folder;

const SPEC: &str = r#"
[data]
path = "people.csv"

[columns]
age = { kind = "numeric", bounds = [0, 120], step = 1 }
job = { kind = "categorical", values = ["nurse", "baker", "clerk"] }

[cluster]
clusters = 2

[protect]
method = "mosaic"
epsilon = 1
population = "people"
"#;

/// Old bakers and young nurses.
fn people() -> Folder {
    let mut csv = String::from("age,job\n");
    for person in 0..500 {
        let (age, job) = [(20 + person % 9, "nurse"), (70 + person % 9, "baker")][person % 2];
        writeln!(csv, "{age},{job}").expect("a string takes what it is given");
    }
    Folder::new()
        .with("people.csv", &csv)
        .with("pleiad.toml", SPEC)
}

fn declared() -> Folder {
    let folder = people();
    let run = folder.run(&["ledger", "declare", "people", "--epsilon", "2"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    folder
}

#[test]
fn a_private_release_goes_all_the_way() {
    let folder = declared();
    let run = folder.run(&["release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    for words in [
        "about people who do not exist",
        "differential privacy, ε = 1",
        "cost ratio",
        "the noise adds",
    ] {
        let one_line = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(one_line.contains(words), "{words} in {}", run.stdout);
    }
    assert_eq!(
        folder.files_in("release"),
        [
            "README.md",
            "cells.csv",
            "data.csv",
            "manifest.json",
            "positions.csv"
        ]
    );
    assert_eq!(
        folder.files_in("release.owner")[..2],
        ["evaluation.json", "outputs.json"]
    );
    let check = folder.run(&["check", "release"]);
    assert_eq!(check.exit, 0, "{}", check.stderr);
    assert!(
        check.stdout.starts_with("The account holds"),
        "{}",
        check.stdout
    );
    let cluster = folder.run(&["cluster", "release"]);
    assert_eq!(cluster.exit, 0, "{}", cluster.stderr);
    assert!(cluster.stdout.contains("baker"), "{}", cluster.stdout);
    let log = folder.run(&["ledger", "log"]);
    assert!(log.stdout.contains("published") && log.stdout.contains("looked"));
}

#[test]
fn a_budget_that_is_spent_refuses_and_nothing_is_written() {
    let folder = declared();
    for out in ["first", "second"] {
        let run = folder.run(&["release", "--out", out, "--unseen"]);
        assert_eq!(run.exit, 0, "{}", run.stderr);
        assert!(run.stdout.contains("Not compared"), "{}", run.stdout);
    }
    let run = folder.run(&["release", "--out", "third"]);
    assert_eq!((run.exit, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("has ε = 0 left"), "{}", run.stderr);
    assert!(!folder.path("third").exists() && !folder.path("third.owner").exists());
}

#[test]
fn who_pays_must_be_declared_first() {
    let run = people().run(&["release"]);
    assert_ne!(run.exit, 0);
    assert!(
        run.stderr.contains("pleiad ledger declare people"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_dry_run_complains_about_rows_and_books_nothing() {
    let folder = declared();
    let run = folder.run(&["release", "--dry-run"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    let odd = folder.read("people.csv") + "130,pilot\n";
    let folder = folder.with("people.csv", &odd);
    let run = folder.run(&["release", "--dry-run"]);
    assert_eq!(run.exit, 3, "{}", run.stderr);
    assert_eq!(folder.run(&["ledger", "log"]).stdout.lines().count(), 1);
    // A release takes these rows in, and says so.
    let run = folder.run(&["release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(run.stderr.contains("Not of the domain"), "{}", run.stderr);
    assert!(!run.stderr.contains("pilot") && !run.stdout.contains("pilot"));
}
