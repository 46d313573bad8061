//! `pleiad taxonomy`: check, draw, draft.

use insta::assert_snapshot;

use crate::common::Folder;

const WRONG: &str = "a;x;*\nb;y;*\nb;y;*\nc;x;root\nd;;*\nx;*\ne;y;x;*\n";

#[test]
fn everything_that_is_wrong_is_listed_with_its_line() {
    let folder = Folder::new().with("t.csv", WRONG);
    let run = folder.run(&["taxonomy", "check", "t.csv"]);
    assert_eq!(run.exit, 2);
    assert_snapshot!(run.stdout, @"
    t.csv:3: the value `b` is listed twice, first on line 2
    t.csv:4: the taxonomy has several roots: `*` and `root`
      hint: end every line with the same label, for example `*`
    t.csv:5: label 2 of the line is empty
    t.csv:7: `y` has two parents: `*` on line 2, and `x` here
      hint: a label stands for one node: give one of the two another label
    t.csv:6: `x` is a value and has other values below it
      hint: give the inner node another label, for example with a trailing `*`
    ");
    assert_snapshot!(run.stderr, @"error: t.csv has 5 problems");
    let run = folder.run(&["taxonomy", "draw", "t.csv"]);
    assert_eq!(run.exit, 2);
    assert!(
        run.stderr.contains("`pleiad taxonomy check` lists all"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_sound_one_is_described_and_compared_with_a_column() {
    let folder = Folder::new()
        .with(
            "t.csv",
            "Bern;Mittelland;*\nBasel;North;*\nThun;Mittelland;*\n",
        )
        .with(
            "people.csv",
            "city,age\nBern,1\nBasle,2\nBern,3\nLiestal,4\n",
        );
    let run = folder.run(&["taxonomy", "check", "t.csv"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    t.csv: 3 values, 3 levels, 6 nodes
      1 below the root: 2 groups, 0 values
      2 below the root: 0 groups, 3 values
    ");
    let arguments = [
        "taxonomy",
        "check",
        "t.csv",
        "--values",
        "people.csv",
        "--column",
        "city",
    ];
    let run = folder.run(&arguments);
    assert_eq!(run.exit, 3);
    assert_snapshot!(run.stdout, @"
    t.csv: 3 values, 3 levels, 6 nodes
      1 below the root: 2 groups, 0 values
      2 below the root: 0 groups, 3 values
    It lacks 2 of the column's 3 different values, in 2 cells; 2 of the taxonomy do not occur.
    The nearest names that it has: `Basel`.
    ");
    assert_snapshot!(run.stderr, @"
    error: t.csv lacks 2 values of the column
    hint: `--show-values` lists them: they are cells of the table
    ");
    let run = folder.run(&[&arguments[..], &["--show-values"]].concat());
    assert!(run.stdout.contains("  Liestal  1 cell\n"), "{}", run.stdout);
    let run = folder.run(&[
        "taxonomy",
        "check",
        "t.csv",
        "--values",
        "people.csv",
        "--column",
        "town",
    ]);
    assert_eq!(run.exit, 2);
}

#[test]
fn hierarchies_of_numbers_say_what_is_odd() {
    let folder = Folder::new().with("age.csv", "99;95-99;*\n100;95-99;*\n");
    let run = folder.run(&["taxonomy", "check", "age.csv"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .contains("odd: `95-99` has a value below it that lies outside"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_taxonomy_is_drawn_and_drafted() {
    let rows: Vec<String> = (0..40)
        .map(|row| format!("{:04},{}\n", 100 + row % 20 * 13, row % 7))
        .collect();
    let rows = rows.concat();
    let folder = Folder::new().with("people.csv", &format!("zip,n\n{rows}"));
    let run = folder.run(&["taxonomy", "draft", "people.csv", "--column", "zip"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("0100;01*;*\n"), "{}", run.stdout);
    assert!(
        run.stderr
            .contains("20 values on 3 levels: what begins alike is together."),
        "{}",
        run.stderr
    );
    let folder = folder.with("zip.csv", &run.stdout);
    let run = folder.run(&["taxonomy", "draw", "zip.csv", "--depth", "1"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    *  (20 values)
    ├─ 01*  (8 values)
    ├─ 02*  (8 values)
    └─ 03*  (4 values)
    ");
    let run = folder.run(&[
        "taxonomy",
        "draft",
        "people.csv",
        "--column",
        "zip",
        "--by",
        "letters",
    ]);
    assert!(run.stdout.starts_with("0100;0*;*\n"), "{}", run.stdout);
    let run = folder.run(&["taxonomy", "draft", "people.csv", "--column", "zup"]);
    assert_eq!(run.exit, 2);
    assert!(run.stderr.contains("did you mean `zip`?"), "{}", run.stderr);
}
