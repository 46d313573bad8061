//! Portraits say in the words of the columns what the rows of a cluster have.

use super::super::{ColumnPortrait, ValueShare, portraits};
use super::*;

fn value(text: &str, share: f64, share_overall: f64) -> ValueShare {
    ValueShare {
        value: text.to_owned(),
        share,
        share_overall,
    }
}

/// Four rows in two of three clusters; the third has none.
fn portrait(domain: Domain, column: Column, cluster: usize) -> ColumnPortrait {
    let table = Table::new(vec![field("c", domain, 1.0)], vec![column], None);
    let points = Points::new(&table, Encoding::Semantic);
    let all = portraits(&table, &points, &[0, 0, 1, 1], 3);
    assert_eq!(
        all.iter()
            .map(|portrait| portrait.n_rows)
            .collect::<Vec<_>>(),
        [2, 2, 0]
    );
    assert_eq!(
        all.iter()
            .map(|portrait| portrait.share)
            .collect::<Vec<_>>(),
        [0.5, 0.5, 0.0]
    );
    all[cluster].columns[0].clone()
}

#[test]
fn numbers_have_a_mean_of_those_that_are_there() {
    let domain = numbers(10, true);
    let column = || number_column([2, 11, 8, 8], &domain);
    let ColumnPortrait::Mean {
        mean,
        missing,
        shift,
        ..
    } = portrait(domain.clone(), column(), 0)
    else {
        panic!("numbers have a mean");
    };
    assert_eq!((mean, missing), (Some(2.0), 0.5));
    assert!((shift + 0.4).abs() < 1e-12);
    let empty = portrait(domain.clone(), column(), 2);
    let expected = ColumnPortrait::Mean {
        mean: None,
        text: "(missing)".to_owned(),
        missing: 0.0,
        shift: 0.0,
    };
    assert_eq!(empty, expected);
}

#[test]
fn values_are_named_by_falling_share() {
    let domain = Domain::Values(with_missing(tree(WARDS)));
    let leaf = |label: &str| taxonomy(&domain).leaf_of_label(label).unwrap();
    let rows = [
        leaf("skin"),
        leaf("skin"),
        leaf("skin"),
        taxonomy(&domain).missing().unwrap(),
    ];
    let column = || value_column(rows, &domain);
    let expected = ColumnPortrait::Most(vec![value("skin", 1.0, 0.75)]);
    assert_eq!(portrait(domain.clone(), column(), 0), expected);
    let expected = ColumnPortrait::Most(vec![
        value("skin", 0.5, 0.75),
        value("(missing)", 0.5, 0.25),
    ]);
    assert_eq!(portrait(domain.clone(), column(), 1), expected);
    assert_eq!(
        portrait(domain.clone(), column(), 2),
        ColumnPortrait::Most(Vec::new())
    );
}

#[test]
fn sets_are_shown_by_the_items_that_many_rows_have() {
    let domain = sets_of(tree(WARDS));
    let leaf = |label: &str| taxonomy(&domain).leaf_of_label(label).unwrap();
    let rows = [
        vec![leaf("heart"), leaf("skin")],
        vec![leaf("skin")],
        vec![leaf("none")],
        vec![leaf("skin")],
    ];
    let expected =
        ColumnPortrait::Typical(vec![value("skin", 1.0, 0.75), value("heart", 0.5, 0.25)]);
    assert_eq!(portrait(domain.clone(), set_column(&rows), 0), expected);
}

#[test]
fn masked_sets_are_shown_by_their_nodes() {
    let domain = sets_of(tree(WARDS));
    let tree = domain.tree().unwrap();
    let node = |label: &str| taxonomy(&domain).node_of_label(label).unwrap();
    let set = |labels: &[&str]| {
        MaskedValue::items(tree, labels.iter().map(|label| node(label)).collect())
    };
    let rows = [
        set(&["inner", "outer"]),
        set(&["outer", "none"]),
        MaskedValue::Anything,
        set(&["outer"]),
    ];
    let expected = ColumnPortrait::Typical(vec![
        value("outer", 1.0, 0.75),
        value("inner", 0.5, 0.25),
        value("none", 0.5, 0.25),
    ]);
    assert_eq!(
        portrait(domain.clone(), masked_column(rows.clone()), 0),
        expected
    );
    let expected = ColumnPortrait::Typical(vec![value("*", 0.5, 0.25), value("outer", 0.5, 0.75)]);
    assert_eq!(portrait(domain.clone(), masked_column(rows), 1), expected);
}

#[test]
fn masked_values_that_share_a_text_are_still_shown() {
    let domain = Domain::Values(tree(WARDS));
    let rows = [
        MaskedValue::Anything,
        MaskedValue::Rest(vec![0, 1]),
        MaskedValue::Node(1),
        MaskedValue::Node(1),
    ];
    let expected = ColumnPortrait::Most(vec![value("*", 0.5, 0.25), value("*", 0.5, 0.25)]);
    assert_eq!(portrait(domain, masked_column(rows), 0), expected);
}
