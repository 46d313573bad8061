//! People who are alone, counted by comparing everybody with everybody.

use proptest::prelude::*;

use crate::draft::unique::{alone, most_telling, same};
use crate::table::{Codes, Column, Domain, Field, Interval, People, Role, Table, Unit};

fn table(columns: &[Vec<u32>], people: Option<Vec<u32>>) -> Table {
    let interval = Interval::new(0.0, 9.0, Some(1.0), Unit::Number, true).unwrap();
    let field = |at: usize| Field {
        name: format!("c{at}"),
        role: Role::Quasi,
        domain: Domain::Numbers {
            interval: interval.clone(),
            may_be_missing: false,
        },
        weight: 1.0,
    };
    let coded = columns
        .iter()
        .map(|codes| Column::Numbers(Codes::pack(codes.iter().copied(), 10)));
    let people = people.map(|of_row| People {
        n_people: of_row.iter().max().map_or(0, |most| *most as usize + 1),
        of_row,
    });
    Table::new(
        (0..columns.len()).map(field).collect(),
        coded.collect(),
        people,
    )
}

/// A person is alone if one of their rows is like no row of anybody else.
fn by_comparing(columns: &[Vec<u32>], people: &[u32], chosen: &[usize]) -> u64 {
    let agree = |a: usize, b: usize| {
        chosen
            .iter()
            .all(|&column| columns[column][a] == columns[column][b])
    };
    let n_rows = people.len();
    let mut found: Vec<u32> = (0..n_rows)
        .filter(|&a| (0..n_rows).all(|b| people[a] == people[b] || !agree(a, b)))
        .map(|a| people[a])
        .collect();
    found.sort_unstable();
    found.dedup();
    found.len() as u64
}

proptest! {
    #[test]
    fn counts_agree_with_comparing_everybody(
        rows in prop::collection::vec((0_u32..4, 0_u32..3, 0_u32..5, 0_u32..12), 1..40),
        by_person in any::<bool>(),
    ) {
        let columns = vec![
            rows.iter().map(|row| row.0).collect::<Vec<_>>(),
            rows.iter().map(|row| row.1).collect(),
            rows.iter().map(|row| row.2).collect(),
        ];
        let people: Vec<u32> = if by_person {
            rows.iter().map(|row| row.3).collect()
        } else {
            (0..rows.len() as u32).collect()
        };
        let table = table(&columns, by_person.then(|| people.clone()));
        for chosen in [&[0][..], &[1, 2], &[0, 1, 2]] {
            prop_assert_eq!(alone(&table, chosen).people, by_comparing(&columns, &people, chosen));
        }
        for found in most_telling(&table, &[0, 1, 2]) {
            prop_assert_eq!(found.people, by_comparing(&columns, &people, &found.columns));
        }
    }
}

#[test]
fn columns_that_say_the_same_are_found() {
    let first = vec![0, 1, 2, 0, 1, 2];
    let other_words = vec![5, 6, 7, 5, 6, 7];
    let nearly = vec![5, 6, 7, 5, 7, 7];
    assert_eq!(same(&table(&[first, other_words, nearly], None)), [(0, 1)]);
    let numbered = vec![0, 1, 2, 3, 4, 5];
    assert_eq!(
        same(&table(&[numbered.clone(), numbered], None)),
        [],
        "they are keys, not repetitions"
    );
}
