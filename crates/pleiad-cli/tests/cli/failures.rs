//! Everything that can be wrong: what is said, and the exit code.

use std::process::Stdio;

use crate::common::{Folder, PEOPLE, Run, SPEC, exists, finish, people};
use insta::assert_snapshot;

/// A cell that must never be shown.
const SECRET: &str = "Zacharias77";

fn refused(run: &Run, exit: i32) {
    assert_eq!(run.exit, exit, "{}", run.stderr);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("error: "), "{}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

#[test]
fn a_wrong_key_is_shown_where_it_stands() {
    let folder = people().with("pleiad.toml", &SPEC.replace("bounds", "bonds"));
    let run = folder.run(&["cluster"]);
    refused(&run, 2);
    assert_snapshot!(run.stderr, @r#"
    error: unknown key `bonds`
     --> pleiad.toml:5:43
      |
    5 | age = { kind = "numeric", role = "quasi", bonds = [0, 120], step = 1 }
      |                                           ^^^^^
    hint: did you mean `bounds`?
    "#);
}

#[test]
fn a_wrong_value_is_shown_where_it_stands() {
    let folder = people().with("pleiad.toml", &SPEC.replace("clusters = 2", "clusters = 1"));
    let run = folder.run(&["cluster"]);
    refused(&run, 2);
    assert_snapshot!(run.stderr, @"
    error: there must be at least 2 clusters
      --> pleiad.toml:10:12
       |
    10 | clusters = 1
       |            ^
    ");
}

#[test]
fn a_section_of_many_lines_is_shown_by_its_first() {
    let spec = SPEC.replace("clusters = 2", "restarts = 3\nseed = 4");
    let run = people().with("pleiad.toml", &spec).run(&["cluster"]);
    refused(&run, 2);
    assert!(
        run.stderr.contains("[cluster] has no `clusters`"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("pleiad.toml:9:"), "{}", run.stderr);
}

#[test]
fn a_taxonomy_with_a_fault_is_named_with_the_line() {
    let spec = SPEC.replace(
        "ward = { kind = \"categorical\"",
        "ward = { taxonomy = \"ward.csv\", kind = \"categorical\"",
    );
    let folder = people()
        .with("pleiad.toml", &spec)
        .with("ward.csv", "Cardiology;A;*\nSurgery;B;*\nSurgery;A;*\n");
    let run = folder.run(&["cluster"]);
    refused(&run, 2);
    assert!(run.stderr.contains("ward.csv:3"), "{}", run.stderr);
}

#[test]
fn a_spec_that_is_missing_or_no_text_is_a_spec_error() {
    let folder = people();
    refused(&folder.run(&["cluster", "-c", "nowhere.toml"]), 2);
    std::fs::write(folder.path("pleiad.toml"), b"[data]\npath = \"\xff\"\n").unwrap();
    refused(&folder.run(&["cluster"]), 2);
}

#[test]
fn unknown_options_and_commands_are_usage_errors() {
    let folder = people();
    let option = folder.run(&["cluster", "--restart", "3"]);
    refused(&option, 2);
    assert!(option.stderr.contains("'--restarts'"), "{}", option.stderr);
    let command = folder.run(&["clutser"]);
    refused(&command, 2);
    assert!(command.stderr.contains("'cluster'"), "{}", command.stderr);
    refused(&folder.run(&["cluster", "-k", "1"]), 2);
    refused(&folder.run(&["cluster", "-k", "many"]), 2);
    refused(&folder.run(&["cluster", "--threads", "0"]), 2);
    refused(&folder.run(&["cluster", "--restarts", "0"]), 2);
    refused(&folder.run(&["cluster", "--labels", "labels.txt"]), 2);
}

#[test]
fn without_spec_and_number_the_number_is_asked_for() {
    let run = Folder::new()
        .with("people.csv", PEOPLE)
        .run(&["cluster", "people.csv"]);
    refused(&run, 2);
    assert_snapshot!(run.stderr, @"
    error: the number of clusters is not known: there is no spec, and no -k
    hint: say how many: `pleiad cluster people.csv -k 6`
    hint: see how many there may be: `pleiad cluster people.csv --suggest`
    ");
}

#[test]
fn without_table_and_spec_a_table_is_asked_for() {
    let run = Folder::new().run(&["cluster"]);
    refused(&run, 2);
    assert!(run.stderr.contains("hint: name a table"), "{}", run.stderr);
}

#[test]
fn a_missing_table_is_a_data_error() {
    let folder = Folder::new();
    let run = folder.run(&["cluster", "nowhere.csv", "-k", "2"]);
    refused(&run, 3);
    assert_snapshot!(run.stderr, @"
    error: cannot open nowhere.csv: No such file or directory
    ");
    refused(&folder.run(&["cluster", "nowhere.csv"]), 3);
    refused(&folder.run(&["cluster", ".", "-k", "2"]), 3);
}

#[test]
fn tables_that_are_no_tables_are_data_errors() {
    let folder = Folder::new()
        .with("empty.csv", "")
        .with("header.csv", "a,b\n")
        .with("twice.csv", "a,a\n1,2\n")
        .with("ragged.csv", "a,b\n1,2\n3\n")
        .with("one.csv", "a,b\n1,2\n")
        .with("same.csv", "a,b\n1,2\n1,2\n1,2\n")
        .with("text.parquet", "a,b\n1,2\n")
        .with("text.arrow", "a,b\n1,2\n");
    std::fs::write(folder.path("bytes.csv"), [0x1f, 0x8b, 0, 1, 2, 255, 254]).unwrap();
    std::fs::write(folder.path("latin.csv"), b"a,b\n1,\xe9\n2,x\n3,\xe9\n4,x\n").unwrap();
    for name in folder.files() {
        refused(&folder.run(&["cluster", &name, "-k", "2"]), 3);
    }
}

#[test]
fn no_error_shows_a_cell() {
    let tables = [
        format!("{PEOPLE}{SECRET},Surgery,I10\n"),
        format!("{PEOPLE}50,{SECRET},I10\n"),
        format!("{PEOPLE}50,Surgery,{SECRET}\n"),
        format!("{PEOPLE}50,Surgery,I10,{SECRET}\n"),
        format!("{PEOPLE}50,{SECRET}\n"),
        format!("{PEOPLE}7777,Surgery,I10\n"),
        format!("{PEOPLE}50,\"{SECRET},I10\n"),
        format!("{PEOPLE},{SECRET},I10\n"),
    ];
    let spec = SPEC
        .replace(
            "ward = {",
            "ward = { values = [\"Cardiology\", \"Surgery\", \"Maternity\"],",
        )
        .replace(
            "diagnoses = {",
            "diagnoses = { values = [\"I10\", \"I50\", \"O80\", \"D50\"],",
        );
    for table in tables {
        let run = people()
            .with("pleiad.toml", &spec)
            .with("people.csv", &table)
            .run(&["cluster"]);
        refused(&run, 3);
        assert!(
            !run.stderr.contains(SECRET) && !run.stderr.contains("7777"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_column_that_the_table_lacks_is_a_spec_error_with_the_nearest_name() {
    let run = people()
        .with("pleiad.toml", &SPEC.replace("ward =", "wards ="))
        .run(&["cluster"]);
    refused(&run, 2);
    assert!(
        run.stderr.contains("hint: did you mean `ward`?"),
        "{}",
        run.stderr
    );
}

#[test]
fn more_clusters_than_rows_is_a_data_error() {
    let run = people().run(&["cluster", "-k", "10"]);
    refused(&run, 3);
    assert!(
        run.stderr
            .contains("10 clusters were asked for, the table has 9 rows"),
        "{}",
        run.stderr
    );
}

#[test]
fn labels_into_a_folder_that_is_not_there_fail_before_any_work() {
    let run = people().run(&["cluster", "--labels", "nowhere/labels.csv"]);
    refused(&run, 1);
    assert_eq!(
        run.stderr,
        "error: cannot write nowhere/labels.csv: No such file or directory\n"
    );
    refused(
        &people().run(&["cluster", "--labels", "people.csv/labels.csv"]),
        1,
    );
}

#[test]
#[cfg(unix)]
fn a_folder_without_write_permission_is_a_clean_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = people();
    std::fs::create_dir(folder.path("locked")).unwrap();
    std::fs::set_permissions(
        folder.path("locked"),
        std::fs::Permissions::from_mode(0o555),
    )
    .unwrap();
    if std::fs::write(folder.path("locked/probe"), "").is_ok() {
        // The superuser may write anywhere; there is nothing to see.
        return;
    }
    refused(
        &folder.run(&["cluster", "--labels", "locked/labels.csv"]),
        1,
    );
    refused(
        &folder.run(&["demo", "--rows", "100", "--out", "locked/demo"]),
        1,
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_clean_error() {
    let folder = people();
    let labels = folder.run(&["cluster", "--quiet", "--labels", "/dev/full"]);
    refused(&labels, 1);
    assert_eq!(
        labels.stderr,
        "error: cannot write /dev/full: No space left on device\n"
    );
    for arguments in [
        &["cluster", "--quiet"][..],
        &["cluster", "--quiet", "--json"],
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let child = folder
            .command(arguments)
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            stderr,
            "error: cannot write standard output: No space left on device\n"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_place_where_nobody_can_write_is_a_clean_error() {
    let folder = people();
    refused(&folder.run(&["cluster", "--labels", "/proc/labels.csv"]), 1);
    refused(
        &folder.run(&["demo", "--rows", "100", "--out", "/proc/demo"]),
        1,
    );
    assert!(!exists(&folder.path("labels.csv")));
}

#[test]
fn nothing_typed_is_answered_by_help() {
    let run = Folder::new().run(&[]);
    assert_eq!(run.exit, 2);
    assert!(run.stderr.contains("Usage: pleiad"), "{}", run.stderr);
}

#[test]
fn help_teaches_examples_and_exit_codes() {
    let folder = Folder::new();
    let help = folder.run(&["help"]);
    assert_eq!(help.exit, 0);
    assert!(
        help.stdout.contains("Exit codes:\n  0  done\n"),
        "{}",
        help.stdout
    );
    for command in ["check", "cluster", "demo", "release"] {
        let help = folder.run(&["help", command]);
        assert!(
            help.stdout
                .contains(&format!("Examples:\n  pleiad {command}")),
            "{}",
            help.stdout
        );
    }
    let script = finish(&mut folder.command(&["completions", "bash"]));
    assert_eq!(script.exit, 0);
    assert!(script.stdout.contains("_pleiad()"));
}
