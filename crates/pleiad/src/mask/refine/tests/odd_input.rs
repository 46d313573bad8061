//! Input that is allowed and easily forgotten.

use super::super::{RefineParams, Refined, refine};
use super::{masked_values, numbers, sets, table, taxonomy, texts, values, whole_numbers};
use crate::privacy::{QuasiIdentifier, Requirement};
use crate::progress::Silent;
use crate::table::{MaskedValue, Table, Taxonomy};

fn refined(table: &Table, labels: &[u32], at_least: u32) -> Refined {
    let everything = (0..table.columns().len()).collect();
    let qid = QuasiIdentifier::new(everything, at_least).unwrap();
    let requirement = Requirement::new(&[qid]).unwrap();
    let params = RefineParams::default();
    refine(table, labels, &requirement, &params, &Silent).unwrap()
}

#[test]
fn labels_may_be_any_numbers() {
    let places = [1, 1, 5, 5, 9, 9].map(Some);
    let ages = table(vec![numbers(
        "age",
        whole_numbers(0, 9, true),
        false,
        &places,
    )]);
    let sparse = refined(&ages, &[7, 7, u32::MAX, u32::MAX, 7, 7], 2);
    let dense = refined(&ages, &[0, 0, 1, 1, 0, 0], 2);
    assert_eq!(sparse.trace, dense.trace);
    assert_eq!(sparse.table, dense.table);
}

#[test]
fn a_long_list_of_hidden_values_is_kept_once() {
    let n_values = 60_000;
    let list = (0..n_values).map(|value| format!("v{value}"));
    let star = Taxonomy::star(list).unwrap();
    let table = table(vec![values("zip", star, true, &[0, 0, 5, 6, 7])]);
    let refined = refined(&table, &[0, 0, 1, 1, 1], 2);
    assert_eq!(texts(&refined.table, 0), ["v0", "v0", "*", "*", "*"]);
    let hidden = &masked_values(&refined.table, 0)[2];
    assert_eq!(hidden, &MaskedValue::Rest((1..n_values).collect()));
}

#[test]
fn values_that_no_row_has_are_never_opened() {
    let tree = taxonomy("a;x;*\nb;x;*\nc;y;*\nd;y;*\n");
    let table = table(vec![values("letter", tree, false, &[0, 0, 1, 1])]);
    let refined = refined(&table, &[0, 0, 1, 1], 2);
    let opened: Vec<&str> = refined.trace.iter().map(|step| &step.value[..]).collect();
    assert_eq!(opened, ["*", "x"]);
    assert_eq!(texts(&refined.table, 0), ["a", "a", "b", "b"]);
}

#[test]
fn numbers_that_are_all_missing_are_told_to_be() {
    let table = table(vec![numbers(
        "age",
        whole_numbers(0, 9, true),
        true,
        &[None; 3],
    )]);
    let refined = refined(&table, &[0, 1, 0], 3);
    assert_eq!(
        masked_values(&refined.table, 0),
        vec![MaskedValue::Missing; 3]
    );
    assert_eq!(refined.trace.len(), 1);
}

#[test]
fn an_empty_set_is_hidden_like_any_other() {
    let tree = taxonomy("a;*\nb;*\n").with_empty_set().unwrap();
    let none = tree.empty_set().unwrap();
    let cells = [vec![0], vec![none], vec![0, 1], vec![0]];
    let table = table(vec![sets("items", tree, &cells)]);
    let hidden = refined(&table, &[0, 1, 0, 1], 2);
    assert_eq!(texts(&hidden.table, 0), ["*"; 4]);
    let told = refined(&table, &[0, 1, 0, 1], 1);
    assert_eq!(texts(&told.table, 0), ["a", "none", "a|b", "a"]);
}

#[test]
fn a_single_row_is_told_as_far_as_it_can_be() {
    let tree = taxonomy("a;x;*\nb;x;*\n");
    let columns = vec![
        values("letter", tree, false, &[1]),
        numbers("age", whole_numbers(0, 9, true), true, &[Some(4)]),
    ];
    let refined = refined(&table(columns), &[0], 1);
    assert_eq!(texts(&refined.table, 0), ["b"]);
    // One value leaves nothing to split.
    assert_eq!(texts(&refined.table, 1), ["[0, 9]"]);
}
