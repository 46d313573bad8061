//! Risk against tables done by hand and against a slow count.

use super::*;
use crate::evaluate::pairs::suppressed_rows;
use crate::evaluate::pairs::tests::{Example, by_hand, masked_table, random, raw_table};
use crate::repeatable::Repeatable;
use crate::table::{Column, People};

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn a_table_done_by_hand() {
    let example = by_hand();
    let risk = Risk::of(&example.pairs(), None, 0.4);
    assert_eq!(risk.columns, ["age", "job"]);
    assert_eq!(risk.people, 5);
    // Groups of three and of two: two groups among five people.
    assert!(near(risk.prosecutor.highest, 0.5));
    assert!(near(risk.prosecutor.average, 0.4));
    assert!(near(risk.marketer, 0.4));
    assert!(near(risk.prosecutor.above_threshold, 0.4));
    assert_eq!((risk.uniques, risk.journalist), (0, None));
    // A risk that is just the threshold is not above it.
    let risk = Risk::of(&example.pairs(), None, 0.5);
    assert_eq!(risk.prosecutor.above_threshold, 0.0);
}

#[test]
fn people_are_counted_and_as_easy_to_find_as_in_their_smallest_group() {
    let mut example = by_hand();
    // The first and the third row are one person, who is in the other group too.
    let people = People {
        of_row: vec![0, 1, 0, 0, 2, 3],
        n_people: 4,
    };
    let rows = [
        (2, "nurse"),
        (4, "doctor"),
        (4, "nurse"),
        (7, "baker"),
        (9, "cook"),
        (9, "clerk"),
    ];
    example.raw = raw_table(&rows, Some(people));
    example.masked = masked_table(&[
        (Some((0, 4)), "health"),
        (Some((0, 4)), "health"),
        (Some((0, 4)), "health"),
        (Some((5, 10)), "food"),
        (Some((9, 9)), "food"),
        (None, ""),
    ]);
    let risk = Risk::of(&example.pairs(), None, 0.2);
    // People 0 and 1 share a group; 0 is alone in the second, 2 in the third; 3 is suppressed.
    assert_eq!((risk.people, risk.uniques), (3, 2));
    assert!(near(risk.prosecutor.average, (1.0 + 0.5 + 1.0) / 3.0));
    assert!(near(risk.marketer, (0.75 + 0.5 + 1.0) / 3.0));
}

#[test]
fn a_population_hides_people() {
    let example = by_hand();
    let population = raw_table(
        &[
            (2, "nurse"),
            (4, "doctor"),
            (4, "nurse"),
            (3, "doctor"),
            (0, "nurse"),
            (7, "baker"),
            (9, "cook"),
            (6, "baker"),
            (9, "clerk"),
            (3, "baker"),
        ],
        None,
    );
    let risk = Risk::of(&example.pairs(), Some(&population), 0.2);
    let journalist = risk.journalist.unwrap();
    // Five like the three of the first group, three like the two of the second.
    assert!(near(journalist.highest, 1.0 / 3.0));
    assert!(near(journalist.average, (3.0 / 5.0 + 2.0 / 3.0) / 5.0));
    assert!(near(journalist.above_threshold, 0.4));
    assert!(near(risk.marketer, journalist.average));
    assert!(near(risk.prosecutor.highest, 0.5));
    assert_eq!(risk.not_in_population, Some(0));
    let nobody = raw_table(&[(3, "clerk")], None);
    let risk = Risk::of(&example.pairs(), Some(&nobody), 0.2);
    assert_eq!(risk.not_in_population, Some(5));
    assert_eq!(risk.journalist.unwrap(), risk.prosecutor);
}

/// Among how many each person hides, by comparing every row with every other.
fn slowly(example: &Example, population: Option<&Table>, threshold: f64) -> (Attack, f64, u64) {
    let masked = &example.masked;
    let is_suppressed = suppressed_rows(masked, &example.quasi);
    let rows: Vec<usize> = (0..masked.n_rows())
        .filter(|&row| !is_suppressed[row])
        .collect();
    let person = |row: usize| match example.raw.people() {
        Some(people) => people.of_row[row],
        None => row as u32,
    };
    let alike = |a: usize, b: usize| {
        let mut columns = masked.columns().iter();
        columns.all(|column| column.codes().get(a) == column.codes().get(b))
    };
    let distinct = |mut people: Vec<u32>| {
        people.sort_unstable();
        people.dedup();
        people.len() as u64
    };
    let matches = |row: usize, other: usize, population: &Table| {
        let columns = masked.columns().iter().zip(population.columns());
        let mut fields = masked.fields().iter().zip(columns);
        fields.all(|(field, (own, theirs))| {
            let Column::Masked(codes, dictionary) = own else {
                panic!("all columns are masked");
            };
            let value = &dictionary.values()[codes.get(row) as usize];
            value.may_be(&field.domain, None, theirs.codes().get(other))
        })
    };
    let size = |row: usize| {
        let among = rows.iter().filter(|&&other| alike(row, other));
        let own = distinct(among.map(|&other| person(other)).collect());
        let Some(population) = population else {
            return own;
        };
        let found = (0..population.n_rows()).filter(|&other| matches(row, other, population));
        own.max(match population.people() {
            Some(people) => distinct(found.map(|other| people.of_row[other]).collect()),
            None => found.count() as u64,
        })
    };
    let mut people: Vec<u32> = rows.iter().map(|&row| person(row)).collect();
    people.sort_unstable();
    people.dedup();
    let n = people.len().max(1) as f64;
    let (mut sum, mut found, mut above, mut highest) = (0.0, 0.0, 0.0, 0.0_f64);
    let mut uniques = 0;
    for &one in &people {
        let mut first_rows: Vec<usize> = Vec::new();
        for &row in rows.iter().filter(|&&row| person(row) == one) {
            if !first_rows.iter().any(|&other| alike(row, other)) {
                first_rows.push(row);
            }
        }
        let risks: Vec<f64> = first_rows
            .iter()
            .map(|&row| 1.0 / size(row) as f64)
            .collect();
        let worst = risks.iter().copied().fold(0.0, f64::max);
        sum += worst;
        found += risks.iter().sum::<f64>() / risks.len() as f64;
        above += f64::from(u8::from(worst > threshold));
        highest = highest.max(worst);
        uniques += u64::from(worst == 1.0);
    }
    let attack = Attack {
        highest,
        average: sum / n,
        above_threshold: above / n,
    };
    (attack, found / n, uniques)
}

fn assert_near(measured: &Attack, expected: &Attack, seed: u64) {
    assert!(
        near(measured.highest, expected.highest)
            && near(measured.average, expected.average)
            && near(measured.above_threshold, expected.above_threshold),
        "seed {seed}: {measured:?} {expected:?}"
    );
}

#[test]
fn a_slow_count_agrees_on_random_tables() {
    for seed in 0..300 {
        let example = random(seed);
        let risk = Risk::of(&example.pairs(), None, 0.3);
        let (attack, marketer, uniques) = slowly(&example, None, 0.3);
        assert_near(&risk.prosecutor, &attack, seed);
        assert!(near(risk.marketer, marketer), "seed {seed}");
        assert_eq!(risk.uniques, uniques, "seed {seed}");
    }
}

#[test]
fn a_slow_count_agrees_on_random_populations() {
    let labels = ["nurse", "doctor", "baker", "cook", "clerk"];
    for seed in 0..200 {
        let example = random(seed);
        let mut dice = Repeatable::new(seed + 1000);
        let mut below = |bound: u128| dice.below(bound) as u32;
        let rows: Vec<(u32, &str)> = (0..60)
            .map(|_| (below(11), labels[below(5) as usize]))
            .collect();
        let people = (seed % 2 == 0).then(|| People {
            of_row: (0..60).map(|_| below(25)).collect(),
            n_people: 25,
        });
        let population = raw_table(&rows, people);
        let risk = Risk::of(&example.pairs(), Some(&population), 0.1);
        let (attack, marketer, _) = slowly(&example, Some(&population), 0.1);
        assert_near(&risk.journalist.unwrap(), &attack, seed);
        assert!(near(risk.marketer, marketer), "seed {seed}");
    }
}
