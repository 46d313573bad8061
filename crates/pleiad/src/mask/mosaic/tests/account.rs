//! The account adds up to ε, whatever the table.

use super::{Dice, Mosaic, epsilon, field, numbers, purse, sets, table, tree, values};
use crate::error::Kind;
use crate::mask::private::PrivateMethod;
use crate::privacy::budget::{Cost, SealedTable};
use crate::privacy::noise::PrivateRandom;
use crate::table::{Domain, Field, Interval, Taxonomy, Unit};

fn mixed() -> Vec<Field> {
    let wide = Taxonomy::star((0..40).map(|value| format!("v{value}"))).unwrap();
    let small = tree(&[None, Some(0), Some(1), Some(1), Some(0), Some(4)]);
    vec![
        field("age", numbers(90, true), 1.0),
        field("grade", numbers(4, false), 2.0),
        field("country", values(wide), 1.0),
        field("job", values(small.clone()), 0.5),
        field("codes", sets(small), 1.0),
    ]
}

#[test]
fn the_account_is_exactly_the_budget() {
    let mut dice = Dice::new(41);
    for number in 0..40 {
        let fields = match number {
            0 => mixed(),
            _ => dice.fields(5),
        };
        let rows = dice.rows(&fields, 60);
        let table = table(&fields, &rows);
        for budget in ["1", "0.1", "1/7", "25"] {
            for is_cut in [true, false] {
                let mut mosaic = Mosaic::new(&fields, &epsilon(budget)).unwrap();
                if !is_cut {
                    mosaic = mosaic.marginals_only();
                }
                let mut purse = purse("30");
                let mut random = PrivateRandom::new().unwrap();
                let sealed = SealedTable::seal(&table);
                mosaic.measure(&sealed, &mut purse, &mut random).unwrap();
                let account = purse.account();
                assert_eq!(account.total(), Cost::Pure(epsilon(budget)));
            }
        }
    }
}

#[test]
fn the_account_names_every_step() {
    let fields = mixed();
    let table = table(&fields, &[]);
    let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
    let mut purse = purse("1");
    let mut random = PrivateRandom::new().unwrap();
    let sealed = SealedTable::seal(&table);
    mosaic.measure(&sealed, &mut purse, &mut random).unwrap();
    // Cube roots of bins × weight, in steps of 1/64: 17·2/12·½, 5/12, 20·2/2·½, 3/2·¼ and 4/2·½ make 72, 48, 138, 46
    // and 64 steps of 368; together 0.6.
    let account = purse.account();
    let lines: Vec<String> = account
        .entries()
        .iter()
        .map(|entry| format!("{}: {}", entry.what(), entry.cost()))
        .collect();
    assert_eq!(
        lines,
        [
            "how many people there are: ε = 0.02",
            "which tests cut the cells: ε = 0.3",
            "how many people are in each cell: ε = 0.08",
            "how `age` spreads: ε = 27/230",
            "how `grade` spreads: ε = 9/115",
            "how `country` spreads: ε = 0.225",
            "how `job` spreads: ε = 0.075",
            "how `codes` spreads: ε = 12/115",
        ]
    );
}

#[test]
fn a_purse_that_cannot_pay_is_refused() {
    let fields = mixed();
    let table = table(&fields, &[]);
    let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
    let mut random = PrivateRandom::new().unwrap();
    let sealed = SealedTable::seal(&table);
    let error = mosaic
        .measure(&sealed, &mut purse("0.99"), &mut random)
        .unwrap_err();
    assert_eq!(error.kind(), Kind::Refused);
}

#[test]
fn domains_that_only_the_rows_can_tell_are_refused() {
    let interval = Interval::new(0.0, 9.0, Some(1.0), Unit::Number, false).unwrap();
    let private = Domain::Numbers {
        interval,
        may_be_missing: false,
    };
    let nothing = values(Taxonomy::star::<String>([]).unwrap());
    for (domain, rule) in [
        (private, "the column `c` has no bounds"),
        (nothing, "the column `c` has no list of values"),
    ] {
        let error = Mosaic::new(&[field("c", domain, 1.0)], &epsilon("1")).unwrap_err();
        assert_eq!(error.kind(), Kind::Spec);
        assert_eq!(error.message(), rule);
        assert_eq!(error.hints().len(), 1);
    }
    assert!(Mosaic::new(&[], &epsilon("1")).is_err());
    assert!(Mosaic::new(&mixed(), &epsilon("0")).is_err());
}

#[test]
fn the_number_of_cuts_follows_from_noisy_people_and_epsilon() {
    let mosaic = |budget: &str| Mosaic::new(&mixed(), &epsilon(budget)).unwrap();
    // 5 columns: ½·log₂(people · ε / 30), rounded.
    let depth = |people, budget| {
        let depth = mosaic(budget).depth(people);
        (depth.groups, depth.cells)
    };
    assert_eq!(depth(i64::MIN, "1"), (0, 5));
    assert_eq!(depth(59, "1"), (0, 5));
    assert_eq!(depth(60, "1"), (1, 5));
    assert_eq!(depth(239, "1"), (1, 5));
    assert_eq!(depth(240, "1"), (2, 5));
    assert_eq!(depth(2_400, "0.1"), (2, 5));
    assert_eq!(depth(15_360, "1"), (5, 6));
    assert_eq!(depth(i64::MAX, "1"), (8, 9));
    let only_numbers = [field("a", numbers(90, false), 1.0)];
    let only_numbers = Mosaic::new(&only_numbers, &epsilon("1")).unwrap();
    for (people, cuts) in [(5, 1), (12, 2), (i64::MAX, 9)] {
        let depth = only_numbers.depth(people);
        assert_eq!((depth.groups, depth.cells), (cuts, cuts));
    }
}
