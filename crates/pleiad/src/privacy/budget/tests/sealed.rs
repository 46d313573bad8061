//! Sealed tables: first the payment, then the look.

use std::cell::Cell;

use super::super::relation::AddRemove;
use super::super::sealed::Question;
use super::super::{Charge, Mechanism, Purse, SealedTable};
use super::{pure, rational};
use crate::table::{Codes, Column, Domain, Field, Interval, People, Role, Table, Unit};

/// Counts rows with noise that a test can foresee.
struct Count<'a> {
    looks: &'a Cell<u32>,
}

impl Question for Count<'_> {
    type Relation = AddRemove;
    type Answer = i64;

    fn what(&self) -> String {
        "rows".to_owned()
    }

    fn charge(&self) -> Charge<AddRemove> {
        Charge::of(Mechanism::DiscreteLaplace {
            l1_sensitivity: rational("1"),
            scale: "2".parse().unwrap(),
        })
    }

    fn answer(self, rows: &Table) -> i64 {
        self.looks.set(self.looks.get() + 1);
        rows.n_rows() as i64 - 3
    }
}

/// A column of ages, and whom the rows are about.
fn ages(ages: &[u32], people: Option<People>) -> Table {
    let interval = Interval::new(0.0, 120.0, Some(1.0), Unit::Number, true).unwrap();
    let field = Field {
        name: "age".to_owned(),
        role: Role::Quasi,
        domain: Domain::Numbers {
            interval,
            may_be_missing: false,
        },
        weight: 1.0,
    };
    let codes = Codes::pack(ages.iter().copied(), 122);
    Table::new(vec![field], vec![Column::Numbers(codes)], people)
}

#[test]
fn an_answer_is_paid_for_before_anybody_looks() {
    let table = ages(&[31, 45, 45, 62, 80], None);
    let sealed = SealedTable::seal(&table);
    let mut purse = Purse::new(&pure("1.2"));
    let looks = Cell::new(0);
    for _ in 0..2 {
        let answer = sealed.ask(Count { looks: &looks }, &mut purse).unwrap();
        assert_eq!(answer, 2);
    }
    assert!(sealed.ask(Count { looks: &looks }, &mut purse).is_err());
    assert_eq!(looks.get(), 2);
    assert_eq!(purse.account().total(), pure("1"));
}

/// The ages that a private method would see.
struct Ages;

impl Question for Ages {
    type Relation = AddRemove;
    type Answer = Vec<u32>;

    fn what(&self) -> String {
        "ages".to_owned()
    }

    fn charge(&self) -> Charge<AddRemove> {
        Charge::parallel([])
    }

    fn answer(self, rows: &Table) -> Vec<u32> {
        rows.columns()[0].codes().iter().collect()
    }
}

#[test]
fn nobody_has_two_rows_behind_the_seal() {
    let people = People {
        of_row: vec![0, 1, 0, 2, 1, 0],
        n_people: 3,
    };
    let table = ages(&[31, 45, 32, 62, 46, 33], Some(people));
    let sealed = SealedTable::seal(&table);
    let seen = sealed.ask(Ages, &mut Purse::new(&pure("1"))).unwrap();
    assert_eq!(seen, [31, 45, 62]);
}

#[test]
fn a_sealed_table_tells_nothing_about_its_rows() {
    let few = ages(&[31], None);
    let many = ages(&[31, 45, 62], None);
    let tell = |table| format!("{:?}", SealedTable::seal(table));
    assert_eq!(tell(&few), tell(&many));
}
