//! Drafted taxonomies, compared with what a person would write.

use std::path::Path;

use proptest::prelude::*;

use crate::draft::{Grouping, draft_taxonomy, likely_grouping};
use crate::table::parse_taxonomy;

fn values(list: &[&str]) -> Vec<String> {
    list.iter().map(|&value| value.to_owned()).collect()
}

fn lines(list: &[&str], grouping: Grouping) -> String {
    draft_taxonomy(&values(list), grouping).unwrap().text
}

#[test]
fn codes_are_together_by_what_they_begin_with() {
    let codes = ["250", "250.01", "250.02", "250.1", "401", "V27", "V30"];
    assert_eq!(
        lines(&codes, Grouping::Prefix),
        "250;250;250*;*\n250.01;250.0*;250*;*\n250.02;250.0*;250*;*\n250.1;250.1;250*;*\n\
         401;401;401;*\nV27;V27;V*;*\nV30;V30;V*;*\n"
    );
    assert_eq!(
        lines(&["8001", "8002", "8050", "9000"], Grouping::Prefix),
        "8001;800*;80*;*\n8002;800*;80*;*\n8050;8050;80*;*\n9000;9000;9000;*\n"
    );
}

#[test]
fn bands_are_together_with_their_neighbours() {
    let decades: Vec<String> = (0..10)
        .map(|at| format!("[{}-{})", at * 10, at * 10 + 10))
        .collect();
    assert_eq!(likely_grouping(&decades), Grouping::Bands);
    let text = draft_taxonomy(&decades, Grouping::Bands).unwrap().text;
    let expected = [
        "[0-10);[0-20);[0-40);*",
        "[10-20);[0-20);[0-40);*",
        "[20-30);[20-40);[0-40);*",
        "[30-40);[20-40);[0-40);*",
        "[40-50);[40-60);[40-80);*",
        "[50-60);[40-60);[40-80);*",
        "[60-70);[60-80);[40-80);*",
        "[70-80);[60-80);[40-80);*",
        "[80-90);[80-90);[80-100);*",
        "[90-100);[90-100);[80-100);*",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    assert_eq!(
        lines(&["<18", "18-29", "30-44", "45-64", "65+"], Grouping::Bands),
        "<18;<=29;*\n18-29;<=29;*\n30-44;30-64;*\n45-64;30-64;*\n65+;65+;*\n"
    );
    assert!(draft_taxonomy(&values(&["0-10", "5-15", "20-30"]), Grouping::Bands).is_err());
}

#[test]
fn numbers_are_in_bands_of_round_width() {
    let ages: Vec<String> = [17, 18, 64, 90].map(|age| age.to_string()).to_vec();
    let text = draft_taxonomy(&ages, Grouping::Bands).unwrap().text;
    assert_eq!(
        text.lines().next(),
        Some("17;[15, 20);[10, 20);[0, 20);[0, 40);*")
    );
    assert_eq!(
        text.lines().count(),
        74,
        "all between the least and the greatest"
    );
    assert_eq!(
        text.lines().last(),
        Some("90;[90, 95);[90, 100);[80, 100);[80, 120);*")
    );
}

#[test]
fn what_suggests_nothing_stays_flat() {
    for list in [
        &["red", "green", "blue"][..],
        &[
            "1", "2", "10", "11", "12", "13", "14", "15", "16", "17", "18",
        ],
        &[
            "Bern", "Basel", "Chur", "Genf", "Thun", "Biel", "Zug", "Olten", "Wil", "Brig", "Sion",
        ],
    ] {
        assert_eq!(likely_grouping(&values(list)), Grouping::Flat);
    }
    assert_eq!(lines(&["b;c", "a"], Grouping::Flat), "a;*\n\"b;c\";*\n");
    assert_eq!(
        lines(&["apple", "Ant", "bee"], Grouping::Letters),
        "Ant;A*;*\napple;A*;*\nbee;B*;*\n"
    );
}

#[test]
fn a_group_never_has_the_name_of_a_value() {
    assert!(draft_taxonomy(&values(&["A1", "A2", "A*", "B"]), Grouping::Prefix).is_err());
    assert!(draft_taxonomy(&values(&["*", "x"]), Grouping::Flat).is_err());
    assert!(draft_taxonomy(&values(&[" x", "y"]), Grouping::Flat).is_err());
}

proptest! {
    #[test]
    fn every_draft_is_a_taxonomy_of_its_values(list in prop::collection::btree_set("[A-C0-2.é;\"-]{1,5}", 1..30)) {
        let list: Vec<String> = list.into_iter().collect();
        for grouping in [Grouping::Flat, Grouping::Prefix, Grouping::Letters] {
            let drafted = draft_taxonomy(&list, grouping).unwrap();
            let taxonomy = parse_taxonomy(drafted.text.as_bytes(), Path::new("draft.csv")).unwrap();
            let mut values: Vec<&str> = taxonomy.value_labels().collect();
            values.sort_unstable();
            prop_assert_eq!(values, list.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
}
