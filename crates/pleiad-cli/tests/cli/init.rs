//! `pleiad init` as somebody at a terminal meets it: from a table to a release without a word typed into the spec.

use insta::assert_snapshot;
use serde_json::Value;

use crate::common::{Folder, exists, has_escapes, patients};

/// The patients without the spec that somebody wrote for them.
fn undescribed() -> Folder {
    let folder = patients();
    std::fs::remove_file(folder.path("pleiad.toml")).expect("it is there");
    folder
}

#[test]
fn a_table_is_drafted_and_released_as_it_is() {
    let folder = undescribed();
    let run = folder.run(&["init", "patients.csv"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    240 rows, 5 columns, 160 people told apart by `id`

    Left out
      id

    Masked: quasi
      age (numeric), sex (categorical)

    Published as they are: plain
      ward (categorical), score (numeric)

    Alone with their exact values, of 160 people
      all 2 quasi columns           30     19 %
      (On what is published as it is, 2 columns: 18.)
    ");
    assert!(
        run.stderr
            .contains("The draft is pleiad.toml. It holds values of the table: it is not public."),
        "{}",
        run.stderr
    );
    assert_eq!(folder.files(), ["patients.csv", "pleiad.toml"]);
    let draft = folder.read("pleiad.toml");
    assert!(draft.contains("path = \"patients.csv\"\n"), "{draft}");
    assert!(draft.contains("person = \"id\"\n"), "{draft}");
    let run = folder.run(&["release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    let run = folder.run(&["check", "release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
}

#[test]
fn no_cell_is_printed() {
    let folder = undescribed();
    let run = folder.run(&["init", "patients.csv", "--color", "always"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    for cell in ["Zacharias", "Cardiology", "Maternity", "Surgery"] {
        assert!(
            !run.stdout.contains(cell) && !run.stderr.contains(cell),
            "{cell}"
        );
    }
    assert!(folder.read("pleiad.toml").contains("Cardiology"));
    assert!(
        !folder.read("pleiad.toml").contains("Zacharias"),
        "identifiers stay in the table"
    );
}

#[test]
fn the_json_has_what_the_summary_says() {
    let folder = undescribed();
    let run = folder.run(&["init", "patients.csv", "--json", "-o", "draft.toml"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(!has_escapes(&run.stdout));
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(json["spec"], "draft.toml");
    assert_eq!((&json["rows"], &json["people"]), (&240.into(), &160.into()));
    assert_eq!(json["person"], "id");
    assert_eq!(json["columns"][1]["name"], "age");
    assert_eq!(json["columns"][1]["kind"], "numeric");
    assert_eq!(json["columns"][1]["role"], "quasi");
    assert!(exists(&folder.path("draft.toml")));
}

#[test]
fn nothing_is_replaced_unless_forced() {
    let folder = patients();
    let before = folder.read("pleiad.toml");
    let run = folder.run(&["init", "patients.csv"]);
    assert_eq!(run.exit, 1);
    assert_snapshot!(run.stderr, @r"
    error: pleiad.toml exists already
    hint: `--force` replaces it and its taxonomies
    hint: or choose another file with `--out FILE`
    ");
    assert_eq!(folder.read("pleiad.toml"), before);
    let run = folder.run(&["init", "patients.csv", "--force"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_ne!(folder.read("pleiad.toml"), before);
    let run = folder.run(&["init", "patients.csv", "--force", "-o", "patients.csv"]);
    assert_eq!(run.exit, 1);
    assert!(
        run.stderr.contains("the spec would replace the table"),
        "{}",
        run.stderr
    );
}

#[test]
fn taxonomies_are_beside_the_spec_and_are_not_replaced() {
    let rows: Vec<String> = (0..400)
        .map(|row| format!("{:05},{}\n", 1000 + row % 40 * 7, row % 9))
        .collect();
    let rows = rows.concat();
    let folder = Folder::new().with("people.csv", &format!("zip,visits\n{rows}"));
    std::fs::create_dir(folder.path("specs")).unwrap();
    let run = folder.run(&["init", "people.csv", "-o", "specs/draft.toml"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_eq!(folder.files_in("specs"), ["draft.toml", "taxonomies"]);
    assert_eq!(folder.files_in("specs/taxonomies"), ["zip.csv"]);
    assert!(
        folder
            .read("specs/draft.toml")
            .contains("path = \"../people.csv\"\n")
    );
    let run = folder.run(&["release", "-c", "specs/draft.toml"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    std::fs::remove_file(folder.path("specs/draft.toml")).unwrap();
    let run = folder.run(&["init", "people.csv", "-o", "specs/draft.toml"]);
    assert_eq!(run.exit, 1);
    assert!(
        run.stderr
            .contains("specs/taxonomies/zip.csv exists already"),
        "{}",
        run.stderr
    );
    assert_eq!(
        folder.files_in("specs"),
        ["taxonomies"],
        "nothing is left half-written"
    );
}

#[test]
fn what_cannot_be_drafted_is_said() {
    let folder = Folder::new().with("one.csv", "age,sex\n30,f\n");
    let run = folder.run(&["init", "one.csv"]);
    assert_eq!(run.exit, 3);
    assert!(
        run.stderr.contains("nothing is left to publish"),
        "{}",
        run.stderr
    );
    let run = folder.run(&["init", "two.csv"]);
    assert_eq!(run.exit, 3);
    assert!(run.stderr.contains("cannot open two.csv"), "{}", run.stderr);
    let run = folder.run(&["init", "one.csv", "-o", "."]);
    assert_eq!(run.exit, 1);
    let run = folder.run(&["init", "one.csv", "-o", "nowhere/pleiad.toml"]);
    assert_eq!(run.exit, 3, "the table is looked at first");
    assert_eq!(folder.files(), ["one.csv"]);
}
