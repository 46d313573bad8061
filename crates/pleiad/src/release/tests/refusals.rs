//! What cannot be promised or written is refused, and nothing is left behind.

use std::fs;

use super::Case;
use super::random_table::random_table;
use crate::error::Kind;
use crate::table::Format;

fn case(protect: &str) -> Case {
    let random = random_table(3);
    let head = random.spec.split("[protect]").next().unwrap().to_owned();
    let head = head.replace("person = \"id\"", "");
    Case::new(&random.csv(), &(head + protect))
}

#[test]
fn a_threshold_above_the_number_of_people_says_what_could_be_met() {
    let case = case("[protect]\nanonymity = 5000\n");
    let n_rows = random_table(3).rows.len();
    let error = case.release("out", Format::Csv).unwrap_err();
    assert_eq!(error.kind(), Kind::Refused);
    assert_eq!(
        error.message(),
        format!("at least 5000 people must look alike, and the table is about {n_rows}")
    );
    assert_eq!(
        error.hints(),
        [format!(
            "`at_least` can be {n_rows} at most, and the fewer the more can be told"
        )]
    );
    assert!(case.outputs().is_empty());
}

#[test]
fn all_people_alike_is_a_promise_that_can_be_kept() {
    let n_rows = random_table(3).rows.len();
    let case = case(&format!("[protect]\nanonymity = {n_rows}\n"));
    let released = case.release("out", Format::Csv).unwrap();
    assert_eq!(released.evaluation.promises[0].groups, 1);
}

#[test]
fn people_are_counted_not_rows() {
    let random = random_table(3);
    let mut rows = random.rows.clone();
    for row in &mut rows {
        // Two people with all rows between them.
        let (_, rest) = row.split_once(',').unwrap();
        *row = format!("p{},{rest}", rest.len() % 2);
    }
    let head = random
        .spec
        .split("[protect]")
        .next()
        .unwrap()
        .replace("person = \"id\"", "");
    let head = head.replacen("missing", "person = \"id\"\nmissing", 1);
    let table = super::random_table::RandomTable {
        rows,
        spec: head + "[protect]\nanonymity = 3\n",
    };
    let case = Case::new(&table.csv(), &table.spec);
    let error = case.release("out", Format::Csv).unwrap_err();
    assert!(error.message().ends_with("the table is about 2"), "{error}");
    assert!(case.outputs().is_empty());
}

#[test]
fn a_spec_without_protection_is_refused() {
    let case = case("");
    let error = case.release("out", Format::Csv).unwrap_err();
    assert_eq!(error.kind(), Kind::Spec);
    assert!(case.outputs().is_empty());
}

#[test]
fn what_is_in_the_way_stays_as_it_is() {
    for in_the_way in ["out", "out.owner"] {
        let case = case("[protect]\nanonymity = 5\n");
        fs::create_dir(case.path(in_the_way)).unwrap();
        fs::write(case.path(in_the_way).join("thesis.txt"), "years of work").unwrap();
        let error = case.release("out", Format::Csv).unwrap_err();
        assert_eq!(error.kind(), Kind::Refused);
        assert!(
            error
                .message()
                .ends_with(&format!("{in_the_way} exists already"))
        );
        assert_eq!(case.outputs(), [in_the_way]);
        assert!(case.path(in_the_way).join("thesis.txt").exists());
    }
}

#[test]
fn a_folder_that_does_not_exist_is_refused_before_any_work() {
    let case = case("[protect]\nanonymity = 5\n");
    let error = case.release("nowhere/out", Format::Csv).unwrap_err();
    assert_eq!(error.kind(), Kind::System);
    assert!(case.outputs().is_empty());
}

#[test]
fn the_rest_of_a_killed_run_is_cleared_away() {
    let case = case("[protect]\nanonymity = 5\n");
    // As a kill leaves it while files are written.
    for name in ["out.incomplete", "out.owner.incomplete"] {
        fs::create_dir(case.path(name)).unwrap();
        fs::write(case.path(name).join("data.csv"), "half a line").unwrap();
    }
    case.release("out", Format::Csv).unwrap();
    assert_eq!(case.outputs(), ["out", "out.owner"]);
    // And between the two last steps.
    fs::rename(case.path("out"), case.path("out.incomplete")).unwrap();
    case.release("out", Format::Csv).unwrap();
    assert_eq!(case.outputs(), ["out", "out.owner"]);
}

#[test]
fn what_is_no_rest_is_not_cleared_away() {
    // An owner's folder whose release was moved away, beside the rest of some other run.
    let case = case("[protect]\nanonymity = 5\n");
    case.release("out", Format::Csv).unwrap();
    fs::rename(case.path("out"), case.path("handed-over")).unwrap();
    fs::create_dir(case.path("out.incomplete")).unwrap();
    fs::write(case.path("out.incomplete").join("data.csv"), "half a line").unwrap();
    let error = case.release("out", Format::Csv).unwrap_err();
    assert!(
        error.message().ends_with("out.owner exists already"),
        "{error}"
    );
    assert!(case.path("out.owner").join("rows.parquet").exists());
    // Somebody's own files.
    for (folder, file) in [
        ("new.incomplete", "thesis.txt"),
        ("new.owner.incomplete", "a/data.csv"),
    ] {
        let path = case.path(folder).join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "years of work").unwrap();
        let error = case.release("new", Format::Csv).unwrap_err();
        assert!(
            error.message().contains("is not the rest of a release"),
            "{error}"
        );
        assert!(path.exists());
        fs::remove_dir_all(case.path(folder)).unwrap();
    }
}

#[test]
fn a_table_in_a_folder_that_would_be_cleared_away_is_refused() {
    let case = case("[protect]\nanonymity = 5\n");
    let spec = fs::read_to_string(case.path("pleiad.toml")).unwrap();
    fs::create_dir(case.path("out.incomplete")).unwrap();
    fs::rename(
        case.path("people.csv"),
        case.path("out.incomplete").join("data.csv"),
    )
    .unwrap();
    fs::write(
        case.path("pleiad.toml"),
        spec.replace("people.csv", "out.incomplete/data.csv"),
    )
    .unwrap();
    let error = case.release("out", Format::Csv).unwrap_err();
    assert!(error.message().contains("would clear away"), "{error}");
    assert!(case.path("out.incomplete").join("data.csv").exists());
}

#[test]
fn a_run_that_is_under_way_is_not_taken_for_a_rest() {
    let case = case("[protect]\nanonymity = 5\n");
    let target = crate::release::folder::Target::check(&case.path("out"), &[]).unwrap();
    let under_way = target.claim().unwrap();
    let error = case.release("out", Format::Csv).unwrap_err();
    assert_eq!(error.kind(), Kind::Refused);
    assert!(error.message().contains("another release is being written"));
    drop(under_way);
    assert!(case.outputs().is_empty());
    case.release("out", Format::Csv).unwrap();
}
