//! `pleiad ledger`: declaring, showing, refusing.

use std::path::Path;

use insta::assert_snapshot;
use pleiad::privacy::budget::{AddRemove, Cost};
use pleiad::privacy::ledger::{Act, Ledger};

use crate::common::{Folder, Run, exists};

/// A folder in which patients have ε = 2, and visitors about ε = 1 with a δ.
fn declared() -> Folder {
    let folder = Folder::new();
    for arguments in [
        &["ledger", "declare", "patients", "--epsilon", "2"][..],
        &[
            "ledger",
            "declare",
            "visitors",
            "--epsilon",
            "1",
            "--delta",
            "1e-6",
        ],
    ] {
        let run = folder.run(arguments);
        assert_eq!((run.exit, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    }
    folder
}

/// Two acts, one of which came to nothing, an act of another measure, and a look.
fn spend(ledger: &Path) -> pleiad::Result<()> {
    let ledger = Ledger::open(ledger)?;
    let book = |population, epsilon: &str, note| {
        let act = Act {
            note,
            ..Act::by("mosaic")
        };
        let cost = Cost::<AddRemove>::Pure(epsilon.parse()?);
        ledger.book(population, &cost, &act)
    };
    book("patients", "1/3", "spring")?.published()?;
    book("patients", "0.5", "")?.broken_off()?;
    book("visitors", "0.1", "")?.published()?;
    ledger.look("patients", &Act::by("evaluate"))
}

fn refused(run: &Run, exit: i32) -> &str {
    assert_eq!(run.exit, exit, "{}", run.stderr);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("error: "), "{}", run.stderr);
    &run.stderr
}

#[test]
fn declaring_says_what_was_declared() {
    let folder = Folder::new();
    let run = folder.run(&["ledger", "declare", "patients", "--epsilon", "0.1"]);
    assert_eq!(run.exit, 0);
    assert_snapshot!(run.stderr, @"At most ε = 0.1 may ever be spent on the population `patients`, under adding or removing a person.");
    let run = folder.run(&[
        "ledger",
        "declare",
        "visitors",
        "--epsilon",
        "1",
        "--delta",
        "1e-6",
        "--neighbours",
        "replace",
    ]);
    assert_snapshot!(run.stderr, @"At most ρ = 0.017468904769, which is ε = 1 with δ = 0.000001, may ever be spent on the population `visitors`, under replacing a person.");
}

#[test]
fn the_table_shows_what_was_given_spent_and_left() {
    let folder = declared();
    spend(&folder.path("pleiad.ledger")).unwrap();
    let run = folder.run(&["ledger"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    population  neighbours         given               spent     left      entries  looks
    patients    add-remove         ε = 2               0.833334  1.166666  2        1
    visitors    add-remove         ρ = 0.017468904769  0.005     0.012468  1        0
                with δ = 0.000001  ε = 1               0.530653
    ");
    assert_eq!(folder.run(&["ledger", "show"]).stdout, run.stdout);
}

#[test]
fn json_has_exact_amounts() {
    let folder = declared();
    spend(&folder.path("pleiad.ledger")).unwrap();
    let run = folder.run(&["ledger", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["format"], 1);
    let patients = &document["populations"][0];
    assert_eq!(patients["population"], "patients");
    assert_eq!(patients["neighbours"], "add_remove");
    assert_eq!(patients["spent"], "5/6");
    assert_eq!(patients["left"], "7/6");
    assert_eq!(patients["looks"], 1);
    assert_eq!(document["populations"][1]["spent"], "0.005");
    assert_eq!(folder.run(&["ledger", "show", "--json"]).stdout, run.stdout);
}

#[test]
fn the_log_lists_every_entry() {
    let folder = declared();
    spend(&folder.path("pleiad.ledger")).unwrap();
    let run = folder.run(&["ledger", "log"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    // The time is always 20 characters.
    let lines = run.stdout.lines();
    let without_times: Vec<String> = lines
        .map(|line| format!("{}{}", &line[..7], &line[27..]))
        .collect();
    assert_snapshot!(without_times.join("\n"), @"
    entry    population  method    cost          state       note
    1        patients    mosaic    ε = 0.333334  published   spring
    2        patients    mosaic    ε = 0.5       broken off
    3        visitors    mosaic    ε = 0.1       published
    4        patients    evaluate  nothing       looked
    ");
    let of_visitors = folder.run(&["ledger", "log", "visitors", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&of_visitors.stdout).unwrap();
    assert_eq!(document["entries"].as_array().unwrap().len(), 1);
    assert_eq!(document["entries"][0]["amount"], "0.1");
    assert_eq!(document["entries"][0]["cost"], "0.005");
    let unknown = folder.run(&["ledger", "log", "visitor"]);
    assert!(refused(&unknown, 2).contains("did you mean `visitors`?"));
}

#[test]
fn a_ledger_may_have_any_name() {
    let folder = Folder::new();
    let elsewhere = ["--file", "elsewhere.ledger"];
    let declare = ["ledger", "declare", "patients", "--epsilon", "2"];
    assert_eq!(folder.run(&[&declare[..], &elsewhere].concat()).exit, 0);
    assert_eq!(folder.files(), ["elsewhere.ledger"]);
    assert_eq!(folder.run(&[&["ledger"][..], &elsewhere].concat()).exit, 0);
    assert_eq!(
        folder
            .run(&[&["ledger", "log"][..], &elsewhere].concat())
            .exit,
        0
    );
}

#[test]
fn without_a_ledger_declaring_is_suggested_and_nothing_is_made() {
    let folder = Folder::new();
    for arguments in [&["ledger"][..], &["ledger", "log"]] {
        let run = folder.run(arguments);
        assert!(refused(&run, 1).contains("pleiad ledger declare"));
    }
    assert!(!exists(&folder.path("pleiad.ledger")));
}

#[test]
fn a_total_is_declared_once() {
    let folder = declared();
    let run = folder.run(&["ledger", "declare", "patients", "--epsilon", "9"]);
    assert!(refused(&run, 1).contains("declared already"));
}

#[test]
fn amounts_that_are_none_are_usage_errors() {
    let folder = Folder::new();
    for amount in ["-1", "nan", "inf", "much", "", "1/0"] {
        let run = folder.run(&["ledger", "declare", "patients", "--epsilon", amount]);
        refused(&run, 2);
    }
    for arguments in [
        &["--epsilon", "0"][..],
        &["--rho", "0.1"],
        &["--rho", "0.1", "--epsilon", "1", "--delta", "1e-6"],
        &["--epsilon", "1", "--delta", "1"],
        &["--delta", "1e-6"],
        &[],
    ] {
        let declare = [&["ledger", "declare", "patients"][..], arguments].concat();
        refused(&folder.run(&declare), 2);
    }
    refused(&folder.run(&["ledger", "declare", "", "--epsilon", "1"]), 2);
}

#[test]
fn what_is_no_ledger_is_refused() {
    let folder = Folder::new().with("pleiad.ledger", "age,ward\n31,Surgery\n");
    for arguments in [
        &["ledger"][..],
        &["ledger", "declare", "patients", "--epsilon", "1"],
    ] {
        let run = folder.run(arguments);
        assert!(refused(&run, 1).contains("is no ledger"));
    }
    assert_eq!(folder.read("pleiad.ledger"), "age,ward\n31,Surgery\n");
}
