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
            "how `age` spreads: ε = 0.12",
            "how `grade` spreads: ε = 0.12",
            "how `country` spreads: ε = 0.12",
            "how `job` spreads: ε = 0.12",
            "how `codes` spreads: ε = 0.12",
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
    // 5 columns: ½·log₂(people · ε / 40), rounded.
    let depth = |people, budget| {
        let depth = mosaic(budget).depth(people);
        (depth.groups, depth.cells)
    };
    assert_eq!(depth(i64::MIN, "1"), (0, 4));
    assert_eq!(depth(79, "1"), (0, 4));
    assert_eq!(depth(80, "1"), (1, 4));
    assert_eq!(depth(319, "1"), (1, 4));
    assert_eq!(depth(320, "1"), (2, 4));
    assert_eq!(depth(3_200, "0.1"), (2, 4));
    assert_eq!(depth(20_480, "1"), (5, 6));
    assert_eq!(depth(i64::MAX, "1"), (8, 9));
    let only_numbers = [field("a", numbers(90, false), 1.0)];
    let depth = Mosaic::new(&only_numbers, &epsilon("1")).unwrap().depth(5);
    assert_eq!((depth.groups, depth.cells), (6, 6));
}
