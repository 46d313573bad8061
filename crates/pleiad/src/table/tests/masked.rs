//! Masked values and their texts.

use super::*;

/// Labels that do their best to be taken for something else.
fn nasty_label() -> impl Strategy<Value = String> {
    let trap = prop::sample::select(vec![
        "a",
        "b",
        "{a}",
        "{b}",
        "{a, b}",
        "{a, a}",
        "{b, b}",
        "{a, b, b}",
        "{",
        "}",
        "{}",
        "\\",
        "\\}",
        "a\\",
        ", ",
        ",",
        "[1, 2)",
        "<3",
        ">=3",
        "1",
        "none",
        "(-inf, inf)",
        " a",
        "a ",
        "\"",
        "\"a\"",
        "é",
        "漢字",
        "NA",
    ]);
    prop_oneof![
        trap.prop_map(str::to_owned),
        "[ab,{}\\\\ \"'é漢\\[\\]<>=\n]{1,5}",
    ]
}

/// A tree of random shape with such labels; it may have a leaf for missing values.
fn nasty_tree() -> impl Strategy<Value = Taxonomy> {
    let labels = prop::collection::hash_set(nasty_label(), 1..16);
    (labels, parents(16), any::<bool>()).prop_map(|(labels, parents, may_be_missing)| {
        let mut labels: Vec<String> = labels.into_iter().collect();
        labels.sort_unstable();
        labels.truncate(parents.len());
        let tree = tree_of(&parents[..labels.len()], &labels);
        if may_be_missing {
            tree.with_missing().unwrap()
        } else {
            tree
        }
    })
}

fn subset(picks: &[prop::sample::Index], n: usize) -> Vec<u32> {
    let mut picked: Vec<u32> = picks.iter().map(|pick| pick.index(n) as u32).collect();
    picked.sort_unstable();
    picked.dedup();
    picked
}

fn picks() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 1..5)
}

/// Grids as people give them, and the finest one; bounds from the spec or from the data.
fn numbers() -> impl Strategy<Value = Domain> {
    let step = prop::sample::select(vec![
        None,
        Some(1.0),
        Some(0.5),
        Some(0.1),
        Some(0.25),
        Some(0.01),
        Some(7.0),
    ]);
    let low = prop_oneof![
        Just(0.0),
        (-1000..1000_i32).prop_map(f64::from),
        (-1000..1000_i32).prop_map(|tenths| f64::from(tenths) / 10.0),
        -1e9..1e9_f64,
        -1e-9..1e-9_f64,
    ];
    let width = prop_oneof![1e-6..10.0_f64, 1.0..1e6_f64];
    (low, width, step, 1..500_u32, any::<bool>(), any::<bool>()).prop_map(
        |(low, width, step, steps, public, may_be_missing)| {
            let high = match step {
                Some(step) => low + f64::from(steps) * step,
                None => low + width,
            };
            let interval = Interval::new(low, high, step, Unit::Number, public).unwrap();
            Domain::Numbers {
                interval,
                may_be_missing,
            }
        },
    )
}

fn dates() -> impl Strategy<Value = Domain> {
    (
        -719_528..2_000_000_i32,
        1..100_000_i32,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(low, width, public, may_be_missing)| {
            let (low, high) = (f64::from(low), f64::from(low + width));
            let interval = Interval::new(low, high, None, Unit::Day, public).unwrap();
            Domain::Numbers {
                interval,
                may_be_missing,
            }
        })
}

/// A place that is often one of the ends.
fn place(pick: u32, last: Place) -> Place {
    match pick % 4 {
        0 => pick / 4 % 3 % (last + 1),
        1 => last - (pick / 4 % 3).min(last),
        _ => ((u64::from(pick) * u64::from(last)) >> 32) as Place,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_value_of_a_tree_is_read_back(taxonomy in nasty_tree(), picks in picks()) {
        let tree = Tree { taxonomy, is_star: false };
        let domain = Domain::Values(tree.clone());
        let mut dictionary = MaskedDictionary::default();
        dictionary.code(MaskedValue::Anything);
        for node in 0..tree.taxonomy.n_nodes() as Node {
            dictionary.code(MaskedValue::under(&tree, node));
        }
        for at in 1..=picks.len() {
            dictionary.code(MaskedValue::Region(subset(&picks[..at], tree.taxonomy.n_leaves())));
        }
        let texts = dictionary.texts(&domain).unwrap();
        for (value, text) in dictionary.values().iter().zip(&texts) {
            let read = MaskedValue::parse(text, &domain, None);
            prop_assert_eq!(read.as_ref(), Some(value), "{}", text);
        }
        let rest = MaskedValue::Rest(subset(&picks, tree.taxonomy.n_leaves()));
        let MaskedValue::Rest(hidden) = &rest else { unreachable!() };
        prop_assert_eq!(rest.text(&domain), "*");
        prop_assert_eq!(MaskedValue::parse("*", &domain, Some(hidden)), Some(rest));
    }

    #[test]
    fn a_set_is_read_back(
        taxonomy in nasty_tree(),
        separator in prop::sample::select(vec![";", "; ", "||", ",", "ab", " "]),
        sets in prop::collection::vec(picks(), 1..5),
    ) {
        let Ok(taxonomy) = taxonomy.with_empty_set() else { return Ok(()) };
        let tree = Tree { taxonomy, is_star: false };
        let Ok(domain) = Domain::sets(tree.clone(), separator.to_owned()) else { return Ok(()) };
        let mut dictionary = MaskedDictionary::default();
        dictionary.code(MaskedValue::Anything);
        dictionary.code(MaskedValue::items(&tree, Vec::new()));
        for picks in &sets {
            dictionary.code(MaskedValue::items(&tree, subset(picks, tree.taxonomy.n_nodes())));
        }
        let texts = dictionary.texts(&domain).unwrap();
        for (value, text) in dictionary.values().iter().zip(&texts) {
            let read = MaskedValue::parse(text, &domain, None);
            prop_assert_eq!(read.as_ref(), Some(value), "{}", text);
        }
    }

    #[test]
    fn numbers_and_dates_are_read_back(
        domain in prop_oneof![numbers(), dates()],
        ends in prop::collection::vec((any::<u32>(), any::<u32>()), 1..8),
    ) {
        let Domain::Numbers { interval, may_be_missing } = &domain else { unreachable!() };
        let last = interval.last();
        let mut dictionary = MaskedDictionary::default();
        dictionary.code(MaskedValue::Anything);
        dictionary.code(MaskedValue::range(0, last));
        if *may_be_missing {
            dictionary.code(MaskedValue::Missing);
        }
        for (a, b) in ends {
            let (a, b) = (place(a, last), place(b, last));
            dictionary.code(MaskedValue::range(a.min(b), a.max(b)));
            dictionary.code(MaskedValue::Number(a));
        }
        let least = interval.text(0);
        let texts = dictionary.texts(&domain).unwrap();
        for (value, text) in dictionary.values().iter().zip(&texts) {
            let read = MaskedValue::parse(text, &domain, None);
            if *value == MaskedValue::Range(0, last) && !interval.has_public_bounds() && !may_be_missing {
                prop_assert_eq!(text, "*");
                continue;
            }
            prop_assert_eq!(read.as_ref(), Some(value), "{}", text);
            if !interval.has_public_bounds() {
                let mut numbers = text.split(['[', ']', '(', ')', '<', '>', '=', ',', ' ']);
                prop_assert!(numbers.all(|number| number != least), "{text} says the least value {least}");
                prop_assert!(!text.ends_with(']'), "{text} says the greatest value");
            }
        }
    }

    #[test]
    fn a_number_is_written_as_it_was_read(hundredths in prop::collection::vec(-1_000_000..1_000_000_i32, 1..20)) {
        let cells: Vec<String> = hundredths.iter().map(|&number| format!("{}", f64::from(number) / 100.0)).collect();
        let table = table_of(&format!("x\n{}\n", cells.join("\n")), [column("x", free_numbers())]);
        prop_assert_eq!(texts(&table, "x"), cells);
    }
}

#[test]
fn intervals_are_written_as_the_guide_says() {
    let numbers = |public, may_be_missing| Domain::Numbers {
        interval: Interval::new(17.0, 90.0, Some(1.0), Unit::Number, public).unwrap(),
        may_be_missing,
    };
    let text = |first, last, domain: &Domain| MaskedValue::range(first, last).text(domain);
    let public = numbers(true, false);
    assert_eq!(text(0, 19, &public), "[17, 37)");
    assert_eq!(text(20, 73, &public), "[37, 90]");
    assert_eq!(text(0, 73, &public), "[17, 90]");
    assert_eq!(text(0, 0, &public), "17");
    assert_eq!(text(73, 73, &public), "90");
    let private = numbers(false, false);
    assert_eq!(text(0, 19, &private), "<37");
    assert_eq!(text(20, 73, &private), ">=37");
    assert_eq!(text(0, 73, &private), "*");
    assert_eq!(text(1, 72, &private), "[18, 90)");
    assert_eq!(text(0, 0, &private), "<18");
    assert_eq!(text(73, 73, &private), ">=90");
    assert_eq!(text(20, 20, &private), "37");
    assert_eq!(text(0, 73, &numbers(false, true)), "(-inf, inf)");
    let days = Domain::Numbers {
        interval: Interval::new(0.0, 365.0, None, Unit::Day, true).unwrap(),
        may_be_missing: true,
    };
    assert_eq!(text(0, 30, &days), "[1970-01-01, 1970-02-01)");
    assert_eq!(MaskedValue::Missing.text(&days), "");
    assert_eq!(MaskedValue::parse("", &public, None), None);
    for wrong in [
        "[20, 20)", "[30, 20]", "[17, 37", "17.5", "16", "<17", ">=91", "x", "[a, b)", "{17}",
        "nan",
    ] {
        assert_eq!(MaskedValue::parse(wrong, &public, None), None, "{wrong}");
    }
}

#[test]
fn a_grid_that_starts_between_whole_numbers_is_written_exactly() {
    let halves = Interval::new(0.5, 10.5, Some(1.0), Unit::Number, true).unwrap();
    assert_eq!(
        (halves.text(0), halves.text(1), halves.text(10)),
        ("0.5".into(), "1.5".into(), "10.5".into())
    );
    let across_zero = Interval::new(-0.3, 0.3, Some(0.1), Unit::Number, true).unwrap();
    let written: Vec<String> = (0..=6).map(|place| across_zero.text(place)).collect();
    assert_eq!(written, ["-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"]);
    assert_eq!(across_zero.number_text(0.123), "0.1");
    let tiny = Interval::new(1e-13, 3e-13, Some(1e-13), Unit::Number, true).unwrap();
    assert_eq!(tiny.place(tiny.parse(&tiny.text(1)).unwrap()), Some(1));
}

#[test]
fn regions_escape_what_would_end_a_label() {
    let taxonomy = Taxonomy::star(["a,b", "c}", "d\\", "{e, f}", "e", "f"]).unwrap();
    let tree = Tree {
        taxonomy,
        is_star: true,
    };
    let domain = Domain::Values(tree);
    let text = |leaves: &[Leaf]| MaskedValue::Region(leaves.to_vec()).text(&domain);
    assert_eq!(text(&[0, 1, 2]), "{a\\,b, c\\}, d\\\\}");
    // `{e, f}` is a label of the tree.
    assert_eq!(text(&[4, 5]), "{e, f, f}");
    assert_eq!(
        MaskedValue::parse("{e, f}", &domain, None),
        Some(MaskedValue::Node(4))
    );
    for wrong in ["{", "{e", "e}", "{e,f}", "{e, }", "{e\\}", "{g}", "{}"] {
        assert_eq!(MaskedValue::parse(wrong, &domain, None), None, "{wrong}");
    }
}

#[test]
fn two_values_with_one_text_are_refused() {
    let taxonomy = Taxonomy::star(["a", "b", "c"]).unwrap();
    let domain = Domain::Values(Tree {
        taxonomy,
        is_star: true,
    });
    let mut dictionary = MaskedDictionary::default();
    assert_eq!(dictionary.code(MaskedValue::Anything), 0);
    assert_eq!(dictionary.code(MaskedValue::Node(1)), 1);
    assert_eq!(dictionary.code(MaskedValue::Anything), 0);
    assert_eq!(dictionary.texts(&domain).unwrap(), ["*", "a"]);
    dictionary.code(MaskedValue::Rest(vec![1, 2]));
    let error = dictionary.texts(&domain).unwrap_err();
    assert_eq!(
        error.to_string(),
        "two masked values would both be written `*`"
    );
}

#[test]
fn separators_that_cut_a_label_are_refused() {
    let sets = |label: &str, separator: &str| {
        let taxonomy = Taxonomy::star([label]).unwrap();
        Domain::sets(
            Tree {
                taxonomy,
                is_star: true,
            },
            separator.to_owned(),
        )
    };
    let message = |label, separator| sets(label, separator).unwrap_err().to_string();
    assert_eq!(
        message("a;b", ";"),
        "the value `a;b` contains the separator `;`"
    );
    assert_eq!(
        message("a;", ";;"),
        "the value `a;` runs into the separator `;;`"
    );
    assert_eq!(
        message("a", ""),
        "the separator of a set-valued column is empty"
    );
    assert!(sets(";a", ";;").is_ok());
}

#[test]
fn a_masked_value_knows_what_it_may_stand_for() {
    let taxonomy = parse_taxonomy(b"a;x;*\nb;x;*\nc;*\n", Path::new("t")).unwrap();
    let taxonomy = taxonomy.with_missing().unwrap();
    let tree = Tree {
        taxonomy,
        is_star: false,
    };
    let node = |label| tree.taxonomy.node_of_label(label).unwrap();
    let shares = |value: MaskedValue| value.leaf_shares(&tree);
    assert_eq!(shares(MaskedValue::Anything).len(), 4);
    assert_eq!(
        shares(MaskedValue::under(&tree, node("x"))),
        [(0, 0.5), (1, 0.5)]
    );
    assert_eq!(shares(MaskedValue::under(&tree, node(""))), [(3, 1.0)]);
    assert_eq!(
        shares(MaskedValue::Region(vec![0, 2])),
        [(0, 0.5), (2, 0.5)]
    );
    let items = MaskedValue::items(&tree, vec![node("c"), node("x"), node("c")]);
    assert_eq!(shares(items), [(0, 0.25), (1, 0.25), (2, 0.5)]);
}
