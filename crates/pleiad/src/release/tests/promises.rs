//! Whatever the input, a written release keeps its promises and can be read back as it was judged.

use std::collections::{BTreeMap, BTreeSet};

use super::random_table::random_table;
use super::{Case, files};
use crate::cluster::{Encoding, Points, spread};
use crate::progress::Silent;
use crate::release::positions_file::group_of_rows;
use crate::release::{Counted, MANIFEST_FILE, open_release, verify_release};
use crate::table::{Format, TextTable, read_texts};

const TABLES: u64 = 40;

/// Counts the groups of a release by the plainest means: the cells of `data` as text, people from the owner's file.
fn smallest_groups(case: &Case, name: &str, data_file: &str) -> Vec<(u64, usize)> {
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(case.path(name).join(MANIFEST_FILE)).unwrap())
            .unwrap();
    let data = read_texts(&case.path(name).join(data_file), None, &Silent).unwrap();
    let owner = case.path(&format!("{name}.owner")).join("rows.parquet");
    let owner = read_texts(&owner, None, &Silent).unwrap();
    let cell = |table: &crate::table::TextTable, column: &str, row: usize| {
        let column = table.column(column).unwrap();
        column.texts[column.codes[row] as usize].clone()
    };
    let person_of_public: BTreeMap<String, String> = (0..owner.n_rows())
        .map(|row| (cell(&owner, "public_row", row), cell(&owner, "person", row)))
        .collect();
    let by_people = manifest["guarantee"]["unit"] == "people";
    manifest["guarantee"]["requirements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|requirement| {
            let mut groups: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
            for row in 0..data.n_rows() {
                let key = requirement["columns"].as_array().unwrap().iter();
                let key = key
                    .map(|name| cell(&data, name.as_str().unwrap(), row))
                    .collect();
                let public = (row + 1).to_string();
                let who = if by_people {
                    person_of_public[&public].clone()
                } else {
                    public
                };
                groups.entry(key).or_default().insert(who);
            }
            let smallest = groups.values().map(BTreeSet::len).min().unwrap();
            (requirement["at_least"].as_u64().unwrap(), smallest)
        })
        .collect()
}

#[test]
fn every_release_keeps_its_promises_and_reads_back_as_it_was_made() {
    for seed in 0..TABLES {
        let random = random_table(seed);
        let case = Case::new(&random.csv(), &random.spec);
        let (format, data_file) = match seed % 3 {
            0 => (Format::Parquet, "data.parquet"),
            _ => (Format::Csv, "data.csv"),
        };
        let released = case.release("out", format).unwrap();
        for (at_least, smallest) in smallest_groups(&case, "out", data_file) {
            assert!(
                smallest as u64 >= at_least,
                "seed {seed}: {smallest} of {at_least}"
            );
        }
        assert_eq!(case.outputs(), ["out", "out.owner"], "seed {seed}");
        let owner = files(&released.owner_folder);
        let names: Vec<&str> = owner.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["evaluation.json", "rows.parquet"]);

        let verified =
            verify_release(&released.folder, Some(&released.owner_folder), &Silent).unwrap();
        assert_eq!(verified.promises, released.evaluation.promises);
        let by_people = case.spec().plan.person.is_some();
        let public_only = verify_release(&released.folder, None, &Silent).unwrap();
        for promise in public_only.promises {
            let expected = if by_people {
                Counted::RowsOnly
            } else {
                Counted::Rows
            };
            assert_eq!(promise.counted, expected);
        }
    }
}

/// The sum of squared distances of all rows from their mean: one number that no misplaced value leaves as it is.
fn spread_of_all(points: &Points<'_>) -> f64 {
    spread(points, &vec![0; points.n_rows()], 1)
}

#[test]
fn a_recipient_finds_the_points_that_the_owner_judged() {
    for seed in 0..TABLES {
        let random = random_table(seed);
        let case = Case::new(&random.csv(), &random.spec);
        let released = case.release("out", Format::Csv).unwrap();
        let opened = open_release(&released.folder, &Silent).unwrap();
        let encoding = released.manifest.cluster.encoding;
        let points =
            Points::new(&opened.table, encoding).with_spreads(&opened.table, &opened.spreads);
        // The owner's side, made anew from the raw table.
        let spec = case.spec();
        let raw = crate::table::read_table(&spec.data_path, &spec.plan, &Silent).unwrap();
        let labels = spec
            .cluster
            .clusterer()
            .cluster(&Points::new(&raw.table, encoding), &Silent)
            .unwrap()
            .labels;
        let protect = spec.refinement().unwrap();
        let requirement = crate::release::pipeline::requirement(protect, &raw.table).unwrap();
        let params = crate::mask::refine::RefineParams {
            score: protect.score,
            ..Default::default()
        };
        let refined =
            crate::mask::refine::refine(&raw.table, &labels, &requirement, &params, &Silent)
                .unwrap();
        let told = crate::mask::positions::spreads(
            &raw.table,
            &refined.table,
            &requirement,
            protect.positions,
        );
        let judged = Points::new(&refined.table, encoding);
        let judged = match encoding {
            Encoding::Semantic => judged.with_spreads(&refined.table, &told),
            Encoding::OneHot => judged,
        };
        let (own, others) = (spread_of_all(&points), spread_of_all(&judged));
        assert!(
            (own - others).abs() <= 1e-9 * others.max(1.0),
            "seed {seed}: {own} against {others}"
        );
    }
}

#[test]
fn groups_that_positions_are_told_by_cut_no_group_of_a_promise() {
    // Somebody who knows a person's values in the columns of one promise must not be able to rule out rows of the person's
    // group by what positions tell of these columns: within a group of the promise they tell the same of all rows.
    let mut with_several = 0;
    for seed in 300..340 {
        let random = random_table(seed);
        let spec = random.spec.replace("\"table\"", "\"group\"");
        let spec = spec
            .replace("\"uniform\"", "\"group\"")
            .replace("one-hot", "semantic");
        let case = Case::new(&random.csv(), &spec);
        let released = case.release("out", Format::Csv).unwrap();
        let data = read_texts(&released.folder.join("data.csv"), None, &Silent).unwrap();
        let (_, requirements) = released.manifest.requirements();
        with_several += usize::from(requirements.len() > 1);
        for requirement in requirements {
            let columns: Vec<_> = requirement
                .columns
                .iter()
                .map(|name| data.column(name).unwrap())
                .collect();
            let (group_of_row, n_groups) = TextTable::groups(&columns);
            for name in &requirement.columns {
                let entry = released
                    .manifest
                    .columns
                    .iter()
                    .find(|entry| entry.name == *name);
                let file = released
                    .folder
                    .join(entry.unwrap().groups.as_ref().unwrap());
                let (told_by, _) = group_of_rows(&file, &data).unwrap();
                let mut of_group = vec![None; n_groups];
                for (row, &group) in group_of_row.iter().enumerate() {
                    let first = of_group[group as usize].get_or_insert(told_by.get(row));
                    assert_eq!(*first, told_by.get(row), "seed {seed}, {name}");
                }
            }
        }
    }
    assert!(
        with_several > 5,
        "there were releases with several promises"
    );
}
