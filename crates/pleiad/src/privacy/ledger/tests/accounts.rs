//! What is given, booked, published, and refused.

use super::super::{Act, Fingerprint, Ledger, State, Total};
use super::{Folder, MOSAIC, pure, rational};
use crate::privacy::budget::{AddRemove, Charge, Cost, Delta, Mechanism, Neighbours, Replace, Rho};
use crate::{Error, Kind, Result};

fn refused<T: std::fmt::Debug>(result: Result<T>, words: &str) -> Error {
    let error = result.unwrap_err();
    assert!(error.to_string().contains(words), "{error}");
    error
}

#[test]
fn what_is_booked_is_spent_however_it_ends() {
    let folder = Folder::with("2");
    let ledger = folder.ledger();
    let cost = pure::<AddRemove>("0.5");
    ledger
        .book("people", &cost, &MOSAIC)
        .unwrap()
        .published()
        .unwrap();
    ledger
        .book("people", &cost, &MOSAIC)
        .unwrap()
        .broken_off()
        .unwrap();
    drop(ledger.book("people", &cost, &MOSAIC).unwrap());
    // A process that is killed does not come to drop anything.
    std::mem::forget(ledger.book("people", &cost, &MOSAIC).unwrap());
    let states: Vec<State> = ledger
        .log()
        .unwrap()
        .iter()
        .map(|entry| entry.state)
        .collect();
    assert_eq!(
        states,
        [
            State::Published,
            State::BrokenOff,
            State::BrokenOff,
            State::Booked
        ]
    );
    let statement = ledger.statement("people").unwrap();
    assert_eq!(statement.spent, rational("2"));
    assert!(statement.left.is_zero());
    let counts = (statement.booked, statement.published, statement.broken_off);
    assert_eq!(counts, (1, 1, 2));
    let error = refused(
        ledger.book("people", &pure::<AddRemove>("1e-9"), &MOSAIC),
        "has ε = 0 left",
    );
    assert_eq!(error.kind(), Kind::Refused);
    assert_eq!(ledger.log().unwrap().len(), 4);
}

#[test]
fn amounts_add_up_exactly() {
    let folder = Folder::with("1");
    let ledger = folder.ledger();
    for _ in 0..3 {
        ledger
            .book("people", &pure::<AddRemove>("1/3"), &MOSAIC)
            .unwrap()
            .published()
            .unwrap();
    }
    assert!(ledger.statement("people").unwrap().left.is_zero());
}

#[test]
fn the_purse_of_a_booking_holds_what_was_booked_and_is_taken_once() {
    let folder = Folder::with("1");
    let ledger = folder.ledger();
    let mut booking = ledger
        .book("people", &pure::<AddRemove>("0.4"), &MOSAIC)
        .unwrap();
    let mut purse = booking.purse().unwrap();
    assert!(booking.purse().is_err());
    let step = |epsilon: &str| {
        Charge::of(Mechanism::Pure {
            epsilon: rational(epsilon),
        })
    };
    purse.pay("a step", step("0.4")).unwrap();
    assert!(purse.pay("another", step("0.1")).is_err());
    booking.published().unwrap();
}

#[test]
fn acts_under_another_relation_are_refused_and_nothing_is_booked() {
    let folder = Folder::with("2");
    let ledger = folder.ledger();
    ledger
        .declare("others", &Total::<Replace>::Pure("2".parse().unwrap()))
        .unwrap();
    let under_add_remove = pure::<AddRemove>("0.5");
    refused(
        ledger.book("people", &pure::<Replace>("0.5"), &MOSAIC),
        "do not add",
    );
    refused(
        ledger.book("others", &under_add_remove, &MOSAIC),
        "do not add",
    );
    assert!(ledger.log().unwrap().is_empty());
    ledger
        .book("others", &under_add_remove.to_replace(), &MOSAIC)
        .unwrap()
        .published()
        .unwrap();
    let statement = ledger.statement("others").unwrap();
    assert_eq!(statement.spent, rational("1"));
    assert_eq!(statement.neighbours, Neighbours::Replace);
}

#[test]
fn a_population_in_rho_takes_both_and_one_in_epsilon_does_not() {
    let folder = Folder::with("1");
    let ledger = folder.ledger();
    let delta: Delta = "1e-6".parse().unwrap();
    let total = Total::Concentrated {
        rho: "0.1".parse().unwrap(),
        delta: delta.clone(),
    };
    ledger.declare::<AddRemove>("sums", &total).unwrap();
    let rho = Cost::<AddRemove>::Concentrated("0.03".parse().unwrap());
    ledger
        .book("sums", &rho, &MOSAIC)
        .unwrap()
        .published()
        .unwrap();
    ledger
        .book("sums", &pure::<AddRemove>("0.2"), &MOSAIC)
        .unwrap()
        .published()
        .unwrap();
    refused(ledger.book("people", &rho, &MOSAIC), "no ε without a δ");
    let statement = ledger.statement("sums").unwrap();
    assert_eq!(statement.spent, rational("0.05"));
    let as_epsilon = statement.as_epsilon.unwrap();
    let spent = Rho::<AddRemove>::new(rational("0.05")).to_epsilon(&delta);
    assert_eq!(&as_epsilon.spent, spent.value());
    assert!(as_epsilon.spent < as_epsilon.total);
}

#[test]
fn a_total_in_epsilon_and_delta_is_kept() {
    let (epsilon, delta) = ("1".parse().unwrap(), "1e-6".parse().unwrap());
    let folder = Folder::with("1");
    let ledger = folder.ledger();
    ledger
        .declare::<AddRemove>("sums", &Total::within(&epsilon, delta))
        .unwrap();
    let as_epsilon = ledger.statement("sums").unwrap().as_epsilon.unwrap();
    assert!(as_epsilon.total <= rational("1"));
    assert!(as_epsilon.total > rational("0.9999999999"));
}

#[test]
fn looks_cost_nothing_and_later_bookings_know_of_them() {
    let folder = Folder::with("1");
    let ledger = folder.ledger();
    let cost = pure::<AddRemove>("0.5");
    assert_eq!(
        ledger
            .book("people", &cost, &MOSAIC)
            .unwrap()
            .looks_before(),
        0
    );
    let evaluate = Act {
        note: "F at 5 clusters",
        ..Act::by("evaluate")
    };
    ledger.look("people", &evaluate).unwrap();
    assert_eq!(
        ledger
            .book("people", &cost, &MOSAIC)
            .unwrap()
            .looks_before(),
        1
    );
    // Nothing is left, and looks are written down all the same.
    ledger.look("people", &evaluate).unwrap();
    let statement = ledger.statement("people").unwrap();
    assert_eq!(statement.looks, 2);
    assert_eq!(statement.spent, rational("1"));
}

#[test]
fn a_data_file_under_two_names_is_a_warning_and_no_more() {
    let folder = Folder::with("1");
    let ledger = folder.ledger();
    ledger
        .declare("others", &Total::<AddRemove>::Pure("1".parse().unwrap()))
        .unwrap();
    let path = folder.path().join("people.csv");
    std::fs::write(&path, "age\n31\n").unwrap();
    let data = Fingerprint::of_file(&path).unwrap();
    let act = Act {
        data: Some(&data),
        ..MOSAIC
    };
    let cost = pure::<AddRemove>("0.1");
    for _ in 0..2 {
        let booking = ledger.book("people", &cost, &act).unwrap();
        assert!(booking.other_populations().is_empty());
    }
    let booking = ledger.book("others", &cost, &act).unwrap();
    assert_eq!(booking.other_populations(), ["people"]);
    std::fs::write(&path, "age\n32\n").unwrap();
    let other_data = Fingerprint::of_file(&path).unwrap();
    let act = Act {
        data: Some(&other_data),
        ..MOSAIC
    };
    let booking = ledger.book("others", &cost, &act).unwrap();
    assert!(booking.other_populations().is_empty());
}

#[test]
fn a_population_is_declared_once_and_sensibly() {
    let folder = Folder::with("1");
    let ledger = folder.ledger();
    let total = |epsilon: &str| Total::<AddRemove>::Pure(epsilon.parse().unwrap());
    refused(ledger.declare("people", &total("1")), "declared already");
    refused(ledger.declare("people", &total("9")), "declared already");
    assert_eq!(ledger.statement("people").unwrap().total, rational("1"));
    for name in ["", " ", " people", "a\nb", "a\u{1b}[1m", &"x".repeat(101)] {
        assert!(ledger.declare(name, &total("1")).is_err(), "{name:?}");
    }
    for epsilon in ["0", "1000001", "1e300"] {
        refused(ledger.declare("more", &total(epsilon)), "is no total");
    }
    ledger.declare("more", &total("1000000")).unwrap();
    ledger
        .book("more", &pure::<AddRemove>("1000000"), &MOSAIC)
        .unwrap()
        .published()
        .unwrap();
}

#[test]
fn an_unknown_population_is_named_with_the_nearest_one() {
    let folder = Folder::with("1");
    let ledger = folder.ledger();
    let error = refused(ledger.statement("peopel"), "no population `peopel`");
    assert_eq!(error.hints(), ["did you mean `people`?"]);
    assert!(
        ledger
            .book("nobody", &pure::<AddRemove>("0.1"), &MOSAIC)
            .is_err()
    );
    assert!(ledger.look("nobody", &MOSAIC).is_err());
}

#[test]
fn an_amount_whose_text_has_no_end_is_rounded_up() {
    let folder = Folder::with("1");
    let ledger = folder.ledger();
    let denominator = dashu_int::UBig::from(3_u8).pow(9_000);
    let tiny = crate::privacy::budget::Rational::new(1_u8, denominator).unwrap();
    let cost = Cost::<AddRemove>::Pure(crate::privacy::budget::Epsilon::new(tiny));
    ledger
        .book("people", &cost, &MOSAIC)
        .unwrap()
        .published()
        .unwrap();
    assert_eq!(ledger.statement("people").unwrap().spent, rational("1e-30"));
}

#[test]
fn two_handles_on_one_file_share_what_is_left() {
    let folder = Folder::with("1");
    let (one, other): (Ledger, Ledger) = (folder.ledger(), folder.ledger());
    let cost = pure::<AddRemove>("0.6");
    let booking = one.book("people", &cost, &MOSAIC).unwrap();
    refused(other.book("people", &cost, &MOSAIC), "has ε = 0.4 left");
    booking.published().unwrap();
}
