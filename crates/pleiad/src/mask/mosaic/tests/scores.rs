//! The scores are what they are said to be, and one person moves them no further than the charge says.

use super::super::axis::Axis;
use super::super::cuts::Search;
use super::super::params::FULL_WEIGHT;
use super::{Dice, Mosaic, Raw, Row, epsilon, naive, table};
use crate::privacy::audit::largest_change;
use crate::table::{Domain, Field, Table};

/// Whether the naive codes, which do not halve places, hold for these columns.
fn has_halved_places(fields: &[Field]) -> bool {
    fields.iter().any(|field| {
        matches!(&field.domain, Domain::Numbers { interval, .. } if interval.last() > 1 << 24)
    })
}

#[test]
fn scores_agree_with_the_definition_cut_after_cut() {
    let mut dice = Dice::new(1);
    let mut n_tests = 0;
    for _ in 0..250 {
        let fields = dice.fields(4);
        if has_halved_places(&fields) {
            continue;
        }
        let rows = dice.rows(&fields, 25);
        let table = table(&fields, &rows);
        let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
        let mut search = Search::new(&mosaic, &table);
        let mut cells: Vec<Vec<Row>> = vec![rows];
        for _ in 0..3 {
            let candidates = search.candidates();
            let scores = search.scores(&candidates);
            for (column, tests) in candidates.iter().enumerate() {
                let all = naive::scores(&mosaic, column, &cells);
                let expected: Vec<i128> = tests.iter().map(|&test| all[test]).collect();
                assert_eq!(scores[column], expected);
                n_tests += tests.len();
            }
            let n_candidates: usize = candidates.iter().map(Vec::len).sum();
            if n_candidates == 0 {
                break;
            }
            let chosen = dice.between(0, n_candidates - 1);
            search.cut(&candidates, chosen);
            cells = split(&mosaic, &candidates, chosen, cells);
        }
    }
    assert!(n_tests > 2_000, "{n_tests} tests were compared");
}

fn split(
    mosaic: &Mosaic,
    candidates: &[Vec<usize>],
    mut chosen: usize,
    cells: Vec<Vec<Row>>,
) -> Vec<Vec<Row>> {
    let mut column = 0;
    while chosen >= candidates[column].len() {
        chosen -= candidates[column].len();
        column += 1;
    }
    let test = &mosaic.tests[column][candidates[column][chosen]];
    let axis = &mosaic.axes[column];
    let halves = |rows: Vec<Row>| -> [Vec<Row>; 2] {
        let (passing, failing) = rows
            .into_iter()
            .partition(|row| naive::passes(axis, test, &row[column]));
        [failing, passing]
    };
    cells.into_iter().flat_map(halves).collect()
}

/// The scores of all candidates after some cuts that the seed decides.
fn scores_after_cuts(mosaic: &Mosaic, table: &Table, seed: u64) -> Vec<i128> {
    let mut dice = Dice::new(seed);
    let mut search = Search::new(mosaic, table);
    for _ in 0..dice.between(0, 3) {
        let candidates = search.candidates();
        let n_candidates: usize = candidates.iter().map(Vec::len).sum();
        if n_candidates == 0 {
            break;
        }
        let chosen = dice.between(0, n_candidates - 1);
        search.cut(&candidates, chosen);
    }
    let candidates = search.candidates();
    search.scores(&candidates).concat()
}

/// Neighbouring tables with one more person in the second, who lies as far from the others as one can.
fn neighbours(dice: &mut Dice, fields: &[Field]) -> [Table; 2] {
    let n_kinds = dice.between(1, 3);
    let kinds: Vec<Row> = (0..n_kinds).map(|_| dice.row(fields)).collect();
    let mut rows: Vec<Row> = (0..dice.between(0, 30))
        .map(|_| kinds[dice.between(0, n_kinds - 1)].clone())
        .collect();
    let smaller = table(fields, &rows);
    rows.push(dice.row(fields));
    [smaller, table(fields, &rows)]
}

#[test]
fn one_person_moves_scores_by_no_more_than_their_weight_and_twice_that_apart() {
    let mut dice = Dice::new(2);
    let mut largest = 0;
    for seed in 0..1_500 {
        let fields = dice.fields(3);
        let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
        let [smaller, larger] = neighbours(&mut dice, &fields);
        let found = largest_change([(smaller, larger)], |table| {
            scores_after_cuts(&mosaic, table, seed)
        });
        assert!(found.single <= u128::from(FULL_WEIGHT));
        assert!(found.range <= 2 * u128::from(FULL_WEIGHT));
        largest = found.single.max(largest);
    }
    // The bound is no idle one: some person comes near it.
    assert!(largest > u128::from(FULL_WEIGHT) * 9 / 10, "{largest}");
}

#[test]
fn candidates_do_not_depend_on_the_rows() {
    let mut dice = Dice::new(3);
    for _ in 0..100 {
        let fields = dice.fields(4);
        let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
        let tables = [(); 2].map(|()| {
            let rows = dice.rows(&fields, 20);
            table(&fields, &rows)
        });
        let [mut one, mut other] = [
            Search::new(&mosaic, &tables[0]),
            Search::new(&mosaic, &tables[1]),
        ];
        for _ in 0..4 {
            let candidates = one.candidates();
            assert_eq!(candidates, other.candidates());
            let n_candidates: usize = candidates.iter().map(Vec::len).sum();
            if n_candidates == 0 {
                break;
            }
            let chosen = dice.between(0, n_candidates - 1);
            one.cut(&candidates, chosen);
            other.cut(&candidates, chosen);
        }
    }
}

#[test]
fn no_test_equals_another_or_its_opposite() {
    let mut dice = Dice::new(4);
    for _ in 0..300 {
        let fields = dice.fields(1);
        let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
        let axis = &mosaic.axes[0];
        let n_atoms = axis.n_atoms() as u32;
        // A row for every atom; of sets one for every pair, in which only equal tests agree everywhere.
        let cells: Vec<Raw> = match axis {
            Axis::Sets(_) => (0..n_atoms)
                .flat_map(|a| (a..n_atoms).map(move |b| Raw::Set(vec![a, b])))
                .collect(),
            Axis::Numbers(numbers) => numbers
                .starts
                .iter()
                .copied()
                .chain(numbers.may_be_missing.then(|| numbers.interval.missing()))
                .map(Raw::Code)
                .collect(),
            Axis::Values(_) => (0..n_atoms).map(Raw::Code).collect(),
        };
        let answers: Vec<Vec<bool>> = mosaic.tests[0]
            .iter()
            .map(|test| {
                cells
                    .iter()
                    .map(|cell| naive::passes(axis, test, cell))
                    .collect()
            })
            .collect();
        for (number, answer) in answers.iter().enumerate() {
            assert!(answer.contains(&true) && answer.contains(&false));
            let opposite: Vec<bool> = answer.iter().map(|passes| !passes).collect();
            for other in &answers[..number] {
                assert!(other != answer && *other != opposite);
            }
        }
    }
}

#[test]
fn rows_that_stand_for_several_count_as_several() {
    let mut dice = Dice::new(5);
    for seed in 0..60 {
        let fields = dice.fields(4);
        let kinds: Vec<Row> = (0..4).map(|_| dice.row(&fields)).collect();
        let rows: Vec<Row> = (0..30).map(|_| kinds[dice.between(0, 3)].clone()).collect();
        let whole = table(&fields, &rows);
        let collapsed = whole.collapse().table;
        let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
        assert_eq!(
            scores_after_cuts(&mosaic, &whole, seed),
            scores_after_cuts(&mosaic, &collapsed, seed)
        );
    }
}
