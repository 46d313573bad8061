//! The owner's report: written with the rest or not at all, and never where it could be handed over.

use std::fs;

use super::random_table::random_table;
use super::{Case, files};
use crate::error::{Error, Result};
use crate::progress::Silent;
use crate::release::{
    Evidence, REPORT_FILE, ReleaseOptions, Released, release_with_report, verify_release,
};
use crate::table::Format;

fn case() -> Case {
    let random = random_table(5);
    Case::new(&random.csv(), &random.spec)
}

fn release(case: &Case, reporter: &dyn Fn(&Evidence<'_>) -> Result<String>) -> Result<Released> {
    let options = ReleaseOptions {
        folder: case.path("out"),
        format: Format::Csv,
    };
    release_with_report(&case.spec(), &options, reporter, &Silent)
}

#[test]
fn a_report_sees_both_sides_and_lands_with_the_owner_alone() {
    let case = case();
    let released = release(&case, &|evidence| {
        let sides = &evidence.sides;
        let n_rows = sides.raw.table.n_rows();
        assert!(sides.are_same_rows);
        assert_eq!(n_rows as u64, evidence.evaluation.input.rows);
        assert_eq!(sides.released.table.n_rows(), n_rows);
        for labels in [
            sides.raw.labels,
            sides.released.labels,
            sides.raw_by_release,
        ] {
            assert_eq!(labels.len(), n_rows);
            assert!(
                labels
                    .iter()
                    .all(|&label| (label as usize) < sides.n_clusters)
            );
        }
        Ok(format!(
            "about {} promises",
            evidence.evaluation.promises.len()
        ))
    })
    .unwrap();
    let report = fs::read_to_string(released.owner_folder.join(REPORT_FILE)).unwrap();
    assert!(report.starts_with("about "), "{report}");
    assert!(
        files(&released.folder)
            .iter()
            .all(|(name, _)| name != REPORT_FILE)
    );
    verify_release(&released.folder, Some(&released.owner_folder), &Silent).unwrap();
    fs::copy(
        released.owner_folder.join(REPORT_FILE),
        released.folder.join(REPORT_FILE),
    )
    .unwrap();
    let error = verify_release(&released.folder, None, &Silent).unwrap_err();
    assert!(error.to_string().contains(REPORT_FILE), "{error}");
}

#[test]
fn a_report_that_fails_leaves_nothing_behind() {
    let case = case();
    let failed = release(&case, &|_| Err(Error::refused("no paper"))).unwrap_err();
    assert_eq!(failed.to_string(), "no paper");
    assert_eq!(case.outputs(), Vec::<String>::new());
}
