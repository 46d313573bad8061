//! Tables to measure: one small enough to do it by hand, and random ones for a slow count.

use super::*;
use crate::repeatable::Repeatable;
use crate::table::{
    Codes, Domain, Field, Interval, MaskedDictionary, MaskedValue, People, Role, Tree, Unit,
    parse_taxonomy,
};

/// Raw and masked rows, and all columns as quasi-identifying ones.
pub(in crate::evaluate) struct Example {
    pub(in crate::evaluate) raw: Table,
    pub(in crate::evaluate) masked: Table,
    pub(in crate::evaluate) quasi: Vec<usize>,
}

impl Example {
    pub(in crate::evaluate) fn pairs(&self) -> Pairs<'_> {
        Pairs {
            raw: &self.raw,
            masked: &self.masked,
            quasi: &self.quasi,
            dropped: 0,
        }
    }
}

pub(in crate::evaluate) fn jobs() -> Tree {
    let lines = "nurse;health;*\ndoctor;health;*\nbaker;food;*\ncook;food;*\nclerk;*\n";
    Tree {
        taxonomy: parse_taxonomy(lines.as_bytes(), std::path::Path::new("jobs.csv")).unwrap(),
        is_star: false,
    }
}

pub(in crate::evaluate) fn fields() -> Vec<Field> {
    let field = |name: &str, domain: Domain| Field {
        name: name.to_owned(),
        role: Role::Quasi,
        domain,
        weight: 1.0,
    };
    let interval = Interval::new(0.0, 10.0, Some(1.0), Unit::Number, true).unwrap();
    vec![
        field(
            "age",
            Domain::Numbers {
                interval,
                may_be_missing: false,
            },
        ),
        field("job", Domain::Values(jobs())),
    ]
}

/// Ages and jobs as they are.
pub(in crate::evaluate) fn raw_table(rows: &[(u32, &str)], people: Option<People>) -> Table {
    let tree = jobs();
    let job = |label: &str| tree.taxonomy.leaf_of_label(label).unwrap();
    let columns = vec![
        Column::Numbers(Codes::pack(rows.iter().map(|row| row.0), 12)),
        Column::Values(Codes::pack(rows.iter().map(|row| job(row.1)), 5)),
    ];
    Table::new(fields(), columns, people)
}

/// A column of masked values.
pub(in crate::evaluate) fn masked_column(values: Vec<MaskedValue>) -> Column {
    let mut dictionary = MaskedDictionary::default();
    let codes: Vec<u32> = values
        .into_iter()
        .map(|value| dictionary.code(value))
        .collect();
    let n_values = dictionary.values().len();
    Column::Masked(Codes::pack(codes, n_values), dictionary)
}

/// Ages as ranges of places and jobs as nodes; an empty text is hidden.
pub(in crate::evaluate) fn masked_table(rows: &[(Option<(u32, u32)>, &str)]) -> Table {
    let tree = jobs();
    let ages = rows.iter().map(|row| {
        row.0.map_or(MaskedValue::Anything, |(first, last)| {
            MaskedValue::range(first, last)
        })
    });
    let jobs = rows.iter().map(|row| {
        let node = tree.taxonomy.node_of_label(row.1);
        node.map_or(MaskedValue::Anything, |node| {
            MaskedValue::under(&tree, node)
        })
    });
    let columns = vec![masked_column(ages.collect()), masked_column(jobs.collect())];
    Table::new(fields(), columns, None)
}

/// Six people, of whom one is suppressed.
pub(in crate::evaluate) fn by_hand() -> Example {
    Example {
        raw: raw_table(
            &[
                (2, "nurse"),
                (4, "doctor"),
                (4, "nurse"),
                (7, "baker"),
                (9, "cook"),
                (9, "clerk"),
            ],
            None,
        ),
        masked: masked_table(&[
            (Some((0, 4)), "health"),
            (Some((0, 4)), "health"),
            (Some((0, 4)), "health"),
            (Some((5, 10)), "food"),
            (Some((5, 10)), "food"),
            (None, ""),
        ]),
        quasi: vec![0, 1],
    }
}

/// Rows masked each in its own way, some of them suppressed, people with several rows.
pub(in crate::evaluate) fn random(seed: u64) -> Example {
    let mut dice = Repeatable::new(seed);
    let mut below = |bound: u32| dice.below(u128::from(bound)) as u32;
    let tree = jobs();
    let n_rows = 1 + below(40);
    let labels = ["nurse", "doctor", "baker", "cook", "clerk"];
    let rows: Vec<(u32, &str)> = (0..n_rows)
        .map(|_| (below(11), labels[below(5) as usize]))
        .collect();
    let masked: Vec<(Option<(u32, u32)>, &str)> = rows
        .iter()
        .map(|&(age, job)| {
            let leaf = tree.taxonomy.node_of_label(job).unwrap();
            let above = tree.taxonomy.label(tree.taxonomy.parent(leaf));
            match below(6) {
                0 => (None, ""),
                1 => (Some((age, age)), job),
                2 => (Some((0, 10)), above),
                3 => (None, above),
                _ => {
                    let first = age / 5 * 5;
                    (Some((first, (first + 4).min(10))), above)
                }
            }
        })
        .collect();
    let people = (below(2) == 0).then(|| {
        let drawn: Vec<u32> = (0..n_rows).map(|_| below(n_rows)).collect();
        let mut different = drawn.clone();
        different.sort_unstable();
        different.dedup();
        let number = |person: &u32| different.binary_search(person).unwrap() as u32;
        People {
            of_row: drawn.iter().map(number).collect(),
            n_people: different.len(),
        }
    });
    Example {
        raw: raw_table(&rows, people),
        masked: masked_table(&masked),
        quasi: vec![0, 1],
    }
}

#[test]
fn rows_that_tell_nothing_are_suppressed_unless_none_tells_anything() {
    let example = by_hand();
    assert_eq!(
        suppressed_rows(&example.masked, &[0, 1]),
        [false, false, false, false, false, true]
    );
    let silent = masked_table(&[(None, ""), (Some((0, 10)), "")]);
    assert_eq!(suppressed_rows(&silent, &[0, 1]), [false, false]);
    assert_eq!(suppressed_rows(&example.raw, &[0, 1]), [false; 6]);
}
