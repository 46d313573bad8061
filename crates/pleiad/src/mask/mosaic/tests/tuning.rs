//! Settings chosen by a private score.

use super::super::tuning::{TunedMosaic, far_from_cells};
use super::{Dice, Mosaic, Raw, Row, epsilon, field, measured, numbers, purse, sets, table, tree};
use crate::mask::private::{PrivateMethod, replay};
use crate::privacy::audit::{Audit, Feature};
use crate::privacy::budget::{Cost, SealedTable};
use crate::privacy::noise::PrivateRandom;
use crate::table::Field;

const FULL_DISTANCE: u128 = 1 << 20;

fn columns() -> Vec<Field> {
    vec![
        field("a", numbers(9, true), 1.0),
        field("s", sets(tree(&[None, Some(0), Some(0)])), 3.0),
    ]
}

#[test]
fn all_runs_together_cost_the_budget_and_are_one_line_of_the_account() {
    let mut dice = Dice::new(91);
    let mut random = PrivateRandom::replay(91);
    for _ in 0..10 {
        let fields = dice.fields(4);
        let table = table(&fields, &dice.rows(&fields, 30));
        let tuned = TunedMosaic::new(&fields, &epsilon("1/7")).unwrap();
        let mut purse = purse("1/7");
        let sealed = SealedTable::seal(&table);
        let outputs = tuned.measure(&sealed, &mut purse, &mut random).unwrap();
        assert_eq!(purse.account().entries().len(), 1);
        assert_eq!(purse.account().total(), Cost::Pure(epsilon("1/7")));
        assert!(outputs.setting < 3);
    }
}

#[test]
fn a_tuned_release_replays() {
    let mut dice = Dice::new(92);
    let fields = dice.fields(4);
    let table = table(&fields, &dice.rows(&fields, 50));
    let tuned = || TunedMosaic::new(&fields, &epsilon("1")).unwrap();
    replay::check(&tuned(), &tuned(), &table, "1");
}

#[test]
fn one_person_moves_a_score_by_no_more_than_the_full_distance() {
    let mut dice = Dice::new(93);
    let mut random = PrivateRandom::replay(93);
    let mut largest = 0;
    for _ in 0..60 {
        let fields = dice.fields(4);
        let rows = dice.rows(&fields, 40);
        let mosaic = Mosaic::new(&fields, &epsilon("3")).unwrap();
        let outputs = measured(&mosaic, &table(&fields, &rows), "3", &mut random);
        let cells = mosaic.cells(&outputs).unwrap();
        let all = far_from_cells(&cells, &table(&fields, &rows));
        for left_out in 0..rows.len() {
            let mut fewer: Vec<Row> = rows.clone();
            fewer.remove(left_out);
            let without = far_from_cells(&cells, &table(&fields, &fewer));
            let alone = far_from_cells(&cells, &table(&fields, &rows[left_out..=left_out]));
            // What a person adds depends on that person alone, wherever in the table.
            assert_eq!(all - without, alone);
            largest = largest.max(alone);
        }
    }
    assert!(largest <= FULL_DISTANCE, "{largest}");
    assert!(largest > FULL_DISTANCE / 3, "{largest}");
}

#[test]
fn a_tuned_release_stays_under_its_claim() {
    let fields = columns();
    let row = |code: u32, items: &[u32]| vec![Raw::Code(code), Raw::Set(items.to_vec())];
    let rows = [row(0, &[0])];
    let more = [row(0, &[0]), row(9, &[1])];
    let tables = [table(&fields, &rows), table(&fields, &more)];
    let tuned = TunedMosaic::new(&fields, &epsilon("1")).unwrap();
    let mut randoms = [94, 95].map(PrivateRandom::replay);
    let [one, other] = &mut randoms;
    let measured = |number: usize, random: &mut PrivateRandom| {
        let sealed = SealedTable::seal(&tables[number]);
        tuned.measure(&sealed, &mut purse("1"), random).unwrap()
    };
    let features = vec![
        Feature::new("setting", |run: &super::super::TunedOutputs| {
            run.setting as i64
        }),
        Feature::new("people", |run: &super::super::TunedOutputs| {
            run.outputs.people / 16
        }),
        Feature::new("cells", |run: &super::super::TunedOutputs| {
            run.outputs.cells.iter().sum::<i64>() / 16
        }),
    ];
    let audit = Audit {
        runs: 2_000,
        false_alarm: 1e-9,
        delta: 0.0,
    };
    let finding = audit.bound(|| measured(0, one), || measured(1, other), &features);
    assert!(finding.epsilon <= 1.0, "{}", finding.epsilon);
}
