//! Each form of a foreign value, and texts that are none.

use proptest::prelude::*;

use super::*;
use crate::table::{Role, Taxonomy, Unit, parse_taxonomy};
use MaskedValue::{Anything, Missing, Number, Region};

fn numbers_from(low: f64, high: f64, unit: Unit, may_be_missing: bool) -> Domain {
    Domain::Numbers {
        interval: Interval::new(low, high, Some(1.0), unit, true).unwrap(),
        may_be_missing,
    }
}

fn ages() -> Domain {
    numbers_from(0.0, 120.0, Unit::Number, false)
}

fn jobs() -> Tree {
    let lines = "nurse;health;*\ndoctor;health;*\nbaker;food;*\ncook;food;*\nNA;*\n";
    Tree {
        taxonomy: parse_taxonomy(lines.as_bytes(), std::path::Path::new("jobs.csv")).unwrap(),
        is_star: false,
    }
}

fn marks() -> Vec<String> {
    vec!["?".to_owned(), "unknown".to_owned()]
}

fn reads(domain: &Domain, expected: &[(&str, MaskedValue)]) {
    for (text, value) in expected {
        assert_eq!(
            read(text, domain, &marks()),
            Foreign::Value(value.clone()),
            "{text}"
        );
    }
}

fn between(first: Place, last: Place) -> MaskedValue {
    MaskedValue::Range(first, last)
}

#[test]
fn every_form_of_a_number_is_read() {
    reads(
        &ages(),
        &[
            ("37", Number(37)),
            (" 37 ", Number(37)),
            ("37.0", Number(37)),
            ("37.4", Number(37)),
            ("-0.3", Number(0)),
            ("[20, 40)", between(20, 39)),
            ("[20,40)", between(20, 39)),
            ("[20, 40[", between(20, 39)),
            ("[20, 40]", between(20, 40)),
            ("[20; 40]", between(20, 40)),
            ("(20, 40]", between(21, 40)),
            ("]20, 40]", between(21, 40)),
            ("]20, 40[", between(21, 39)),
            ("(20, 40)", between(21, 39)),
            ("[19.5, 40.5]", between(20, 40)),
            ("[37, 38)", Number(37)),
            ("20-39", between(20, 39)),
            ("20 - 39", between(20, 39)),
            ("20-20", Number(20)),
            ("<40", between(0, 39)),
            ("<=40", between(0, 40)),
            (">40", between(41, 120)),
            (">=40", between(40, 120)),
            (">= 40", between(40, 120)),
            ("{20, 40}", between(20, 40)),
            ("{25, 20, 40}", between(20, 40)),
            ("{20; 40}", between(20, 40)),
            ("[90, 300)", between(90, 120)),
            ("-10-20", between(0, 20)),
            ("[0, 120]", Anything),
            ("0-120", Anything),
            (">=0", Anything),
            ("*", Anything),
            ("NA", Anything),
            ("⊥", Anything),
            ("?", Anything),
        ],
    );
}

#[test]
fn negative_numbers_and_dates_have_a_minus_of_their_own() {
    reads(
        &numbers_from(-50.0, 50.0, Unit::Number, false),
        &[
            ("-20", Number(30)),
            ("-20--10", between(30, 40)),
            ("-20-10", between(30, 60)),
            ("<-20", between(0, 29)),
            ("[-20, -10)", between(30, 39)),
        ],
    );
    // 2020-01-01 is day 18262.
    reads(
        &numbers_from(18_262.0, 18_627.0, Unit::Day, false),
        &[
            ("2020-01-31", Number(30)),
            ("[2020-01-01, 2020-02-01)", between(0, 30)),
            ("2020-01-02-2020-01-31", between(1, 30)),
            ("<2020-01-05", between(0, 3)),
            ("{2020-01-02, 2020-01-31}", between(1, 30)),
        ],
    );
}

#[test]
fn numbers_outside_are_at_the_nearest_bound_and_counted() {
    for (text, place) in [("130", 120), ("1e300", 120), ("-3", 0), ("120.7", 120)] {
        assert_eq!(
            read(text, &ages(), &[]),
            Foreign::Outside(Number(place)),
            "{text}"
        );
    }
}

#[test]
fn missing_marks_come_first_and_mean_hidden_where_nothing_can_be_missing() {
    let optional = numbers_from(0.0, 120.0, Unit::Number, true);
    reads(
        &optional,
        &[
            ("?", Missing),
            ("unknown", Missing),
            ("", Missing),
            ("*", Anything),
            // Any number, but a number.
            ("[0, 120]", between(0, 120)),
        ],
    );
    assert_eq!(read("", &ages(), &marks()), Foreign::Unknown);
    let domain = Domain::Values(jobs());
    assert_eq!(
        read("NA", &domain, &["NA".to_owned()]),
        Foreign::Value(Anything)
    );
}

#[test]
fn leaves_come_before_nodes_and_both_before_what_is_hidden() {
    let tree = jobs();
    let node = |label: &str| MaskedValue::Node(tree.taxonomy.node_of_label(label).unwrap());
    let leaf = |label: &str| tree.taxonomy.leaf_of_label(label).unwrap();
    reads(
        &Domain::Values(tree.clone()),
        &[
            ("nurse", node("nurse")),
            (" nurse", node("nurse")),
            ("health", node("health")),
            // A value of this tree, whatever it means elsewhere.
            ("NA", node("NA")),
            ("*", Anything),
            ("⊥", Anything),
            ("{nurse, cook}", Region(vec![leaf("nurse"), leaf("cook")])),
        ],
    );
    let sets = Domain::sets(
        Tree {
            taxonomy: tree.taxonomy.clone().with_empty_set().unwrap(),
            is_star: false,
        },
        ";".to_owned(),
    )
    .unwrap();
    let both = |a: &str, b: &str| {
        let mut nodes = [a, b].map(|label| tree.taxonomy.node_of_label(label).unwrap());
        nodes.sort_unstable();
        MaskedValue::Nodes(nodes.to_vec())
    };
    reads(
        &sets,
        &[
            ("nurse;food", both("nurse", "food")),
            ("food; nurse ;nurse", both("nurse", "food")),
            ("*", Anything),
            ("⊥", Anything),
        ],
    );
}

#[test]
fn anything_else_is_unknown() {
    let wrong_numbers = [
        "abc",
        "[40, 20)",
        "[200, 300]",
        "[20 40)",
        "[20, 40",
        "20, 40)",
        "20-",
        "-",
        "<",
        ">=",
        "{}",
        "{a}",
        "[,]",
        "[]",
        "[20, 21, 22]",
        "20--",
        "[20, NaN)",
        "<inf",
        "é",
        "]",
        "20–39",
    ];
    for text in wrong_numbers {
        assert_eq!(read(text, &ages(), &marks()), Foreign::Unknown, "{text}");
    }
    for text in ["Nurse", "health;food", "20-39", "{nurse, tailor}", "{"] {
        let domain = Domain::Values(jobs());
        assert_eq!(read(text, &domain, &marks()), Foreign::Unknown, "{text}");
    }
}

fn cells(texts: &[&str]) -> TextColumn {
    let mut column = TextColumn::default();
    for text in texts {
        let known = column.texts.iter().position(|other| other == text);
        let code = known.unwrap_or_else(|| {
            column.texts.push((*text).to_owned());
            column.texts.len() - 1
        });
        column.codes.push(code as u32);
    }
    column
}

fn field(domain: Domain) -> Field {
    Field {
        name: "column".to_owned(),
        role: Role::Quasi,
        domain,
        weight: 1.0,
    }
}

#[test]
fn a_column_of_exact_cells_is_a_raw_one() {
    let read = foreign_column(&field(ages()), &[], &cells(&["3", "3.0", "7"]));
    assert_eq!(read.column, Column::Numbers(Codes::U8(vec![3, 3, 7])));
    let tree = Tree {
        taxonomy: Taxonomy::star(["b", "a"])
            .unwrap()
            .with_empty_set()
            .unwrap(),
        is_star: true,
    };
    let sets = Domain::sets(tree, ";".to_owned()).unwrap();
    let read = foreign_column(&field(sets), &[], &cells(&["a;b", "none", "b;a", "a"]));
    let Column::Sets(codes, dictionary) = &read.column else {
        panic!("sets of leaves are raw sets");
    };
    let items: Vec<&[Leaf]> = codes.iter().map(|code| dictionary.items(code)).collect();
    assert_eq!(items, [&[0, 1][..], &[2], &[0, 1], &[1]]);
}

#[test]
fn unknown_cells_are_counted_by_cells_and_by_texts() {
    let read = foreign_column(
        &field(ages()),
        &[],
        &cells(&["3", "x", "x", "y", "*", "500", "[0, 9]"]),
    );
    assert_eq!(read.unknown, Unknown { cells: 3, texts: 2 });
    assert_eq!(read.outside, 1);
    let Column::Masked(codes, dictionary) = &read.column else {
        panic!("some cells are masked");
    };
    let values: Vec<&MaskedValue> = codes
        .iter()
        .map(|code| &dictionary.values()[code as usize])
        .collect();
    assert_eq!(
        values,
        [
            &Number(3),
            &Anything,
            &Anything,
            &Anything,
            &Anything,
            &Number(120),
            &between(0, 9)
        ]
    );
}

proptest! {
    #[test]
    fn no_text_is_a_reason_to_panic(text in "[-\\[\\](){}<>=,;*.0-9aé⊥ ]{0,12}") {
        for domain in [ages(), numbers_from(18_262.0, 18_627.0, Unit::Day, true), Domain::Values(jobs())] {
            let _ = read(&text, &domain, &marks());
        }
    }

    #[test]
    fn what_this_library_writes_is_read_as_it_was(first in 0_u32..120, length in 0_u32..120) {
        let value = MaskedValue::range(first, (first + length).min(120));
        let expected = if value.tells_nothing(&ages()) { Anything } else { value.clone() };
        prop_assert_eq!(read(&value.text(&ages()), &ages(), &[]), Foreign::Value(expected));
    }
}
