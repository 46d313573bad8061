//! What is told about masked rows, on tables small enough to count by hand.

use std::fmt::Write as _;

use super::*;
use crate::cluster::{Encoding, Points};
use crate::mask::refine::{RefineParams, refine};
use crate::privacy::QuasiIdentifier;
use crate::progress::Silent;
use crate::table::{
    ColumnPlan, IncompleteRows, Interval, Kind, MaskedDictionary, Plan, Role, TreeSource, Unit,
    parse_taxonomy, read_table,
};

const JOBS: &str = "nurse;health;*\ndoctor;health;*\nbaker;food;*\ncook;food;*\nbutcher;food;*\n";

fn column(name: &str, kind: Kind, may_be_missing: bool) -> ColumnPlan {
    ColumnPlan {
        name: name.to_owned(),
        role: Role::Quasi,
        kind: Some(kind),
        may_be_missing,
        weight: 1.0,
        domain_from_data: false,
    }
}

/// A table with a job, an age that may be missing, and a set of jobs.
fn table(text: &str) -> Table {
    let jobs = || {
        Some((
            parse_taxonomy(JOBS.as_bytes(), "jobs.csv".as_ref()).unwrap(),
            TreeSource::Taxonomy,
        ))
    };
    let ages = Interval::new(0.0, 100.0, Some(1.0), Unit::Number, true).unwrap();
    let plan = Plan {
        delimiter: Some(b','),
        missing: vec![String::new()],
        incomplete_rows: IncompleteRows::Refuse,
        person: None,
        columns: vec![
            column("job", Kind::Values { tree: jobs() }, false),
            column(
                "age",
                Kind::Numbers {
                    unit: Unit::Number,
                    interval: Some(ages),
                    step: None,
                },
                true,
            ),
            column(
                "past",
                Kind::Sets {
                    tree: jobs(),
                    separator: ";".to_owned(),
                },
                false,
            ),
        ],
        source: None,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, format!("job,age,past\n{text}")).unwrap();
    read_table(&path, &plan, &Silent).unwrap().table
}

/// The same table with every value hidden.
fn hidden(table: &Table) -> Table {
    let columns = table
        .columns()
        .iter()
        .map(|column| {
            let mut dictionary = MaskedDictionary::default();
            let code = dictionary.code(MaskedValue::Anything);
            Column::Masked(
                Codes::pack(column.codes().iter().map(|_| code), 1),
                dictionary,
            )
        })
        .collect();
    Table::new(table.fields().to_vec(), columns, None)
}

fn requirement(at_least: u32) -> Requirement {
    Requirement::new(&[QuasiIdentifier::new(vec![0, 1, 2], at_least).unwrap()]).unwrap()
}

fn rows() -> Table {
    rows_with_first_ages("")
}

/// 7 nurses, 2 doctors, 3 bakers; ages 10 and 30 after the first five.
fn rows_with_first_ages(first: &str) -> Table {
    let mut text = String::new();
    for row in 0..12 {
        let job = ["nurse", "doctor", "baker"][usize::from(row >= 7) + usize::from(row >= 9)];
        let age = if row < 5 {
            first
        } else {
            ["10", "30"][usize::from(row % 2 == 0)]
        };
        let past = if row < 6 { "nurse;baker" } else { "baker" };
        writeln!(text, "{job},{age},{past}").unwrap();
    }
    table(&text)
}

fn entry(told: &[Option<ColumnSpread>], column: usize) -> &Spread {
    let Some(ColumnSpread::Entries { entries, .. }) = &told[column] else {
        panic!("a column that is told about entry by entry")
    };
    &entries[0]
}

fn leaf_share(table: &Table, column: usize, spread: &Spread, label: &str) -> f64 {
    let Spread::Leaves(shares) = spread else {
        panic!("a column of words")
    };
    let tree = table.fields()[column].domain.tree().unwrap();
    let leaf = tree.taxonomy.leaf_of_label(label).unwrap();
    shares
        .iter()
        .filter(|(own, _)| *own == leaf)
        .map(|(_, share)| share)
        .sum()
}

#[test]
fn uniform_says_what_the_masked_values_say() {
    let raw = rows();
    let masked = hidden(&raw);
    let told = spreads(&raw, &masked, &requirement(3), Positions::Uniform);
    let plain = Points::new(&masked, Encoding::Semantic);
    let spread = plain.clone().with_spreads(&masked, &told);
    for row in 0..masked.n_rows() {
        assert_eq!(plain.position(row), spread.position(row));
    }
}

#[test]
fn the_table_tells_in_steps_of_the_threshold() {
    let raw = rows();
    let told = spreads(&raw, &hidden(&raw), &requirement(3), Positions::Table);
    let job = entry(&told, 0);
    // 3 bakers count as 3 of 12. The 2 doctors are pooled with the values that nobody has and told as half a step of 3; the
    // nurses are what remains.
    assert_eq!(leaf_share(&raw, 0, job, "nurse"), 7.5 / 12.0);
    assert_eq!(leaf_share(&raw, 0, job, "baker"), 3.0 / 12.0);
    for pooled in ["doctor", "cook", "butcher"] {
        assert!((leaf_share(&raw, 0, job, pooled) - 0.5 / 12.0).abs() < 1e-12);
    }
    // 7 ages count as 6, 5 missing ones as 6. Their mean of 18.6 is in the lower of two steps from 0 to 100.
    assert_eq!(
        *entry(&told, 1),
        Spread::Numbers {
            mean_place: 25.0,
            missing: 0.5
        }
    );
}

#[test]
fn too_few_people_are_not_told_about() {
    let raw = rows();
    let told = spreads(&raw, &hidden(&raw), &requirement(8), Positions::Table);
    let job = entry(&told, 0);
    for label in ["nurse", "doctor", "baker", "cook", "butcher"] {
        assert_eq!(leaf_share(&raw, 0, job, label), 0.2, "{label}");
    }
    assert_eq!(
        *entry(&told, 1),
        Spread::Numbers {
            mean_place: 50.0,
            missing: 0.0
        }
    );
}

#[test]
fn shares_always_sum_to_one() {
    let raw = rows();
    for at_least in 1..=12 {
        for positions in [Positions::Table, Positions::Group] {
            for spread in spreads(&raw, &hidden(&raw), &requirement(at_least), positions)
                .into_iter()
                .flatten()
            {
                let shares: Vec<Vec<(Leaf, f64)>> = match spread {
                    ColumnSpread::Nodes(nodes) => {
                        nodes.into_iter().map(|(_, shares)| shares).collect()
                    }
                    ColumnSpread::Entries { entries, .. } => entries
                        .into_iter()
                        .filter_map(|entry| match entry {
                            Spread::Leaves(shares) => Some(shares),
                            Spread::Numbers { .. } => None,
                        })
                        .collect(),
                };
                for shares in shares {
                    let sum: f64 = shares.iter().map(|(_, share)| share).sum();
                    assert!((sum - 1.0).abs() < 1e-9, "{at_least} {positions:?} {sum}");
                }
            }
        }
    }
}

#[test]
fn a_group_is_told_as_it_is() {
    let raw = rows();
    let told = spreads(&raw, &hidden(&raw), &requirement(3), Positions::Group);
    let job = entry(&told, 0);
    assert_eq!(leaf_share(&raw, 0, job, "nurse"), 7.0 / 12.0);
    let past = entry(&told, 2);
    // Half of the rows have two items, each of which counts for a half.
    assert_eq!(leaf_share(&raw, 2, past, "nurse"), 0.25);
    assert_eq!(leaf_share(&raw, 2, past, "baker"), 0.75);
}

#[test]
fn with_group_positions_the_centre_of_the_whole_table_is_the_raw_one() {
    let raw = rows_with_first_ages("20");
    let labels: Vec<u32> = (0..12).map(|row| u32::from(row >= 6)).collect();
    let requirement = requirement(3);
    let refined = refine(
        &raw,
        &labels,
        &requirement,
        &RefineParams::default(),
        &Silent,
    )
    .unwrap();
    let told = spreads(&raw, &refined.table, &requirement, Positions::Group);
    let raw_points = Points::new(&raw, Encoding::Semantic);
    let points = Points::in_space(&refined.table, raw_points.space().clone())
        .with_spreads(&refined.table, &told);
    let mean = |points: &Points<'_>| -> Vec<f64> {
        let sum = (0..12)
            .map(|row| points.position(row))
            .reduce(|mut sum, position| {
                sum.iter_mut()
                    .zip(position)
                    .for_each(|(sum, value)| *sum += value);
                sum
            });
        sum.unwrap()
    };
    for (raw, released) in mean(&raw_points).into_iter().zip(mean(&points)) {
        assert!((raw - released).abs() < 1e-9);
    }
}

#[test]
fn many_rows_of_one_person_are_one_person() {
    // One person has all seven ages; five others have none.
    let rows = rows();
    let people = crate::table::People {
        of_row: vec![1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0],
        n_people: 6,
    };
    let raw = Table::new(
        rows.fields().to_vec(),
        rows.columns().to_vec(),
        Some(people),
    );
    let told = spreads(&raw, &hidden(&raw), &requirement(3), Positions::Table);
    assert_eq!(
        *entry(&told, 1),
        Spread::Numbers {
            mean_place: 50.0,
            missing: 1.0
        }
    );
    let job = entry(&told, 0);
    for label in ["doctor", "baker", "cook", "butcher"] {
        let nurse = leaf_share(&raw, 0, job, "nurse");
        assert!(leaf_share(&raw, 0, job, label) < nurse, "{label}");
    }
}

#[test]
fn a_group_with_few_numbers_tells_no_mean() {
    // Seven of twelve have an age: enough for a threshold of 7, too few for 8.
    let raw = rows();
    let mean_of = |at_least: u32| {
        let told = spreads(
            &raw,
            &hidden(&raw),
            &requirement(at_least),
            Positions::Group,
        );
        match entry(&told, 1) {
            Spread::Numbers {
                mean_place,
                missing,
            } => (*mean_place, *missing),
            Spread::Leaves(_) => panic!("a column of numbers"),
        }
    };
    assert_eq!(mean_of(7), (130.0 / 7.0, 5.0 / 12.0));
    assert_eq!(mean_of(8), (50.0, 5.0 / 12.0));
}

#[test]
fn what_is_told_of_some_says_nothing_of_the_few_others() {
    // Whether none, one or four of eleven are bakers: what is told is the same.
    let told_for = |n_bakers: usize| {
        let mut text = String::new();
        for row in 0..11 {
            let job = if row < n_bakers { "baker" } else { "nurse" };
            writeln!(text, "{job},20,none").unwrap();
        }
        let raw = table(&text);
        let told = spreads(&raw, &hidden(&raw), &requirement(5), Positions::Table);
        entry(&told, 0).clone()
    };
    for n_bakers in 1..5 {
        assert_eq!(told_for(n_bakers), told_for(0), "{n_bakers}");
    }
    assert_ne!(told_for(5), told_for(0));
}

#[test]
fn nobody_stands_out_by_many_rows() {
    // Four people have one row each, the fifth has all others.
    let told_for = |n_rows: usize, positions: Positions| {
        let mut text = String::new();
        for row in 0..n_rows {
            let (job, age) = if row < 4 {
                ("nurse", "40")
            } else {
                ("baker", "60")
            };
            writeln!(text, "{job},{age},none").unwrap();
        }
        let rows = table(&text);
        let people = crate::table::People {
            of_row: (0..n_rows as u32).map(|row| row.min(4)).collect(),
            n_people: 5,
        };
        let raw = Table::new(
            rows.fields().to_vec(),
            rows.columns().to_vec(),
            Some(people),
        );
        spreads(&raw, &hidden(&raw), &requirement(5), positions)
    };
    for positions in [Positions::Table, Positions::Group] {
        let (few, many) = (told_for(5, positions), told_for(1000, positions));
        for column in 0..2 {
            let (few, many) = (entry(&few, column), entry(&many, column));
            match (few, many) {
                (
                    Spread::Numbers { mean_place, .. },
                    Spread::Numbers {
                        mean_place: other, ..
                    },
                ) => assert!((mean_place - other).abs() < 1e-6, "{positions:?}"),
                (Spread::Leaves(few), Spread::Leaves(many)) => {
                    for (few, many) in few.iter().zip(many) {
                        assert_eq!(few.0, many.0);
                        assert!((few.1 - many.1).abs() < 1e-6, "{positions:?}");
                    }
                }
                _ => panic!("the same column"),
            }
        }
    }
}
