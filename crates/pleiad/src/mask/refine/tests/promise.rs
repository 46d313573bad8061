//! What is promised, checked on what would be published.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{RefineParams, refine};
use super::random_case::{Dice, RandomCase, Size};
use super::{masked_values, naive, numbers, table, texts, whole_numbers};
use crate::error::Kind;
use crate::privacy::{QuasiIdentifier, Requirement};
use crate::progress::Silent;
use crate::table::{Column, Domain, Leaf, MaskedValue, Table};

const SIZE: Size = Size {
    rows: 120,
    columns: 6,
    at_least: 12,
};

fn for_random_cases(check: impl Fn(&RandomCase, &Table)) {
    for seed in 10_000..10_150 {
        let case = Dice::new(seed).case(SIZE);
        let refined = refine(
            &case.table,
            &case.labels,
            &case.requirement,
            &case.params,
            &Silent,
        );
        check(&case, &refined.unwrap().table);
    }
}

#[test]
fn every_group_has_enough_people() {
    for_random_cases(|case, masked| {
        for qid in &case.quasi_identifiers {
            let columns: Vec<Vec<String>> = qid
                .columns()
                .iter()
                .map(|&column| texts(masked, column))
                .collect();
            let mut groups: BTreeMap<Vec<&str>, BTreeSet<usize>> = BTreeMap::new();
            for row in 0..masked.n_rows() {
                let looks = columns.iter().map(|cells| cells[row].as_str()).collect();
                let person = case
                    .table
                    .people()
                    .map_or(row, |people| people.of_row[row] as usize);
                groups.entry(looks).or_default().insert(person);
            }
            for people in groups.values() {
                assert!(people.len() >= qid.at_least() as usize);
            }
        }
    });
}

#[test]
fn nothing_more_could_be_told() {
    for_random_cases(|case, masked| {
        let slow = naive::Case::new(&case.table, &case.labels, &case.requirement, &case.params);
        let left = naive::State::of_masked(&slow, masked).candidates(&slow);
        assert!(left.is_empty(), "{left:?}");
    });
}

/// Whether a masked cell may stand for a raw one.
fn covers(domain: &Domain, raw: &Column, row: usize, masked: &MaskedValue) -> bool {
    let code = raw.codes().get(row);
    let is_missing = match (domain, raw) {
        (Domain::Numbers { interval, .. }, _) => code == interval.missing(),
        (Domain::Values(tree), _) => tree.taxonomy.missing() == Some(code),
        (Domain::Sets { tree, .. }, Column::Sets(_, sets)) => {
            tree.taxonomy.missing().as_slice() == sets.items(code)
        }
        _ => panic!("a raw column"),
    };
    match (masked, domain, raw) {
        (MaskedValue::Anything, ..) => true,
        (MaskedValue::Missing, ..) => is_missing,
        _ if is_missing && !matches!(masked, MaskedValue::Rest(_)) => false,
        (MaskedValue::Number(place), ..) => *place == code,
        (MaskedValue::Range(first, last), ..) => (*first..=*last).contains(&code),
        (MaskedValue::Rest(leaves), ..) => leaves.contains(&code),
        (MaskedValue::Node(node), Domain::Values(tree), _) => {
            tree.taxonomy.leaves(*node).contains(&code)
        }
        (MaskedValue::Nodes(nodes), Domain::Sets { tree, .. }, Column::Sets(_, sets)) => {
            let below = |node: u32, item: Leaf| tree.taxonomy.leaves(node).contains(&item);
            let items = sets.items(code);
            items
                .iter()
                .all(|&item| nodes.iter().any(|&node| below(node, item)))
                && nodes
                    .iter()
                    .all(|&node| items.iter().any(|&item| below(node, item)))
        }
        _ => false,
    }
}

#[test]
fn every_cell_covers_the_raw_one_of_its_row() {
    for_random_cases(|case, masked| {
        assert_eq!(masked.fields(), case.table.fields());
        assert_eq!(masked.people(), case.table.people());
        for (number, raw) in case.table.columns().iter().enumerate() {
            if case.requirement.at_least_for(number).is_none() {
                assert_eq!(&masked.columns()[number], raw, "not to be touched");
                continue;
            }
            let domain = &case.table.fields()[number].domain;
            for (row, value) in masked_values(masked, number).iter().enumerate() {
                assert!(covers(domain, raw, row, value), "row {row}, {value:?}");
            }
        }
    });
}

#[test]
fn every_text_is_read_back_as_the_value() {
    for_random_cases(|case, masked| {
        for (number, field) in case.table.fields().iter().enumerate() {
            if case.requirement.at_least_for(number).is_none() {
                continue;
            }
            let values = masked_values(masked, number);
            let hidden = values.iter().find_map(|value| match value {
                MaskedValue::Rest(leaves) => Some(&leaves[..]),
                _ => None,
            });
            for (value, text) in values.iter().zip(texts(masked, number)) {
                let read = MaskedValue::parse(&text, &field.domain, hidden).unwrap();
                // A number that is never missing is "any number" in two ways.
                let is_any = text == "*" && !field.domain.may_be_missing();
                assert!(&read == value || is_any, "{text}: {read:?} {value:?}");
            }
        }
    });
}

fn requirement(at_least: u32) -> Requirement {
    let qid = QuasiIdentifier::new(vec![0], at_least).unwrap();
    Requirement::new(&[qid]).unwrap()
}

fn ages(ages: &[u32]) -> Table {
    let places: Vec<Option<u32>> = ages.iter().copied().map(Some).collect();
    table(vec![numbers(
        "age",
        whole_numbers(0, 99, true),
        false,
        &places,
    )])
}

#[test]
fn more_people_than_there_are_cannot_look_alike() {
    let params = RefineParams::default();
    let table = ages(&[30, 40, 50]);
    let error = refine(&table, &[0, 0, 1], &requirement(4), &params, &Silent).unwrap_err();
    assert_eq!(error.kind(), Kind::Refused);
    let nobody = ages(&[]);
    let error = refine(&nobody, &[], &requirement(1), &params, &Silent).unwrap_err();
    assert_eq!(error.kind(), Kind::Refused);
}

#[test]
fn when_all_must_look_alike_everything_is_hidden() {
    let params = RefineParams::default();
    let table = ages(&[30, 40, 50]);
    let refined = refine(&table, &[0, 0, 1], &requirement(3), &params, &Silent).unwrap();
    assert_eq!(texts(&refined.table, 0), ["[0, 99]"; 3]);
    assert!(refined.trace.is_empty());
}

#[test]
fn a_threshold_of_all_people_never_splits_them() {
    for seed in 20_000..20_100 {
        let case = Dice::new(seed).case(SIZE);
        let people = case.table.people();
        let n_people = people.map_or(case.table.n_rows(), |people| people.n_people);
        let everything = (0..case.table.columns().len()).collect();
        let qid = QuasiIdentifier::new(everything, n_people as u32).unwrap();
        let all = Requirement::new(&[qid]).unwrap();
        let refined = refine(&case.table, &case.labels, &all, &case.params, &Silent).unwrap();
        for column in 0..case.table.columns().len() {
            // Who has several rows may be told in several ways, as long as everybody is told in each.
            let mut people_of_text: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
            for (row, text) in texts(&refined.table, column).into_iter().enumerate() {
                let person = people.map_or(row, |people| people.of_row[row] as usize);
                people_of_text.entry(text).or_default().insert(person);
            }
            assert!(
                people_of_text
                    .values()
                    .all(|people| people.len() == n_people)
            );
        }
    }
}

#[test]
fn a_masked_column_is_not_masked_again() {
    let params = RefineParams::default();
    let once = refine(&ages(&[3, 4]), &[0, 1], &requirement(1), &params, &Silent).unwrap();
    let error = refine(&once.table, &[0, 1], &requirement(1), &params, &Silent).unwrap_err();
    assert_eq!(error.kind(), Kind::Spec);
}
