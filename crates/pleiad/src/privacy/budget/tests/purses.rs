//! Purses never give more than they hold.

use proptest::prelude::*;

use super::super::{AddRemove, Cost, Entry, Purse, Rational, Replace};
use super::{fraction, pure, pure_step, rational};

#[test]
fn an_overdraft_is_refused_and_changes_nothing() {
    let mut purse = Purse::<Replace>::new(&pure("1"));
    purse.pay("a step", pure_step("0.7")).unwrap();
    let error = purse.pay("another", pure_step("0.31")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "another would cost ε = 0.31, and ε = 0.3 is left"
    );
    assert_eq!(error.kind(), crate::Kind::Refused);
    assert_eq!(purse.left(), pure("0.3"));
    assert_eq!(purse.account().entries().len(), 1);
    purse.pay("the rest", pure_step("0.3")).unwrap();
    assert_eq!(purse.left(), pure("0"));
}

#[test]
fn a_purse_in_rho_pays_each_mechanism_its_own_price() {
    let mut purse = Purse::<AddRemove>::new(&Cost::Concentrated("0.02".parse().unwrap()));
    purse.pay("a pure step", pure_step("0.2")).unwrap();
    assert!(purse.left().value().is_zero());
    assert!(purse.pay("one more", pure_step("0.0001")).is_err());
}

#[test]
fn fractions_that_are_more_than_the_purse_are_refused() {
    let mut purse = Purse::<AddRemove>::new(&pure("1"));
    assert!(
        purse
            .split(&[rational("0.5"), rational("0.500001")])
            .is_err()
    );
    assert_eq!(purse.left(), pure("1"));
    let parts = purse
        .split(&["0.02", "0.3", "0.08", "0.6"].map(rational))
        .unwrap();
    let amounts: Vec<String> = parts.iter().map(|part| part.left().to_string()).collect();
    assert_eq!(amounts, ["ε = 0.02", "ε = 0.3", "ε = 0.08", "ε = 0.6"]);
    assert_eq!(purse.left(), pure("0"));
}

#[test]
fn parts_of_a_purse_write_into_one_account() {
    let mut purse = Purse::<AddRemove>::new(&pure("1"));
    let mut parts = purse.split(&[rational("0.25"), rational("0.25")]).unwrap();
    parts[1].pay("second", pure_step("0.1")).unwrap();
    purse.pay("whole", pure_step("0.5")).unwrap();
    parts[0].pay("first", pure_step("0.25")).unwrap();
    assert!(parts[0].pay("too much", pure_step("0.01")).is_err());
    let account = purse.account();
    let names: Vec<&str> = account.entries().iter().map(Entry::what).collect();
    assert_eq!(names, ["second", "whole", "first"]);
    assert_eq!(account.total(), pure("0.85"));
}

#[test]
fn disjoint_parts_pay_once_together_and_each_holds_all_of_it() {
    let mut purse = Purse::<AddRemove>::new(&pure("1"));
    let mut wards = purse.parallel("wards", 3, &rational("0.4")).unwrap();
    for ward in &mut wards {
        ward.pay("a count", pure_step("0.4")).unwrap();
        assert!(ward.pay("another", pure_step("0.1")).is_err());
    }
    assert_eq!(purse.left(), pure("0.6"));
    assert_eq!(purse.account().total(), pure("0.4"));
    assert!(purse.parallel("again", 3, &rational("0.7")).is_err());
}

/// Something that can be done to a purse.
#[derive(Debug, Clone)]
enum Deed {
    Pay(usize, Rational),
    Split(usize, Vec<Rational>),
    Parallel(usize, Rational),
}

fn any_deed() -> impl Strategy<Value = Deed> {
    let amount = || (0_u64..40, 1_u64..40).prop_map(|(upper, lower)| fraction(upper, lower * 20));
    prop_oneof![
        3 => (any::<usize>(), amount()).prop_map(|(which, amount)| Deed::Pay(which, amount)),
        1 => (any::<usize>(), prop::collection::vec(amount(), 0..4))
            .prop_map(|(which, fractions)| Deed::Split(which, fractions)),
        1 => (any::<usize>(), amount()).prop_map(|(which, amount)| Deed::Parallel(which, amount)),
    ]
}

proptest! {
    #[test]
    fn paid_and_left_are_together_the_total_whatever_is_done(
        deeds in prop::collection::vec(any_deed(), 0..30)
    ) {
        let total = rational("1");
        let mut purses = vec![Purse::<AddRemove>::new(&pure("1"))];
        for deed in deeds {
            let n_purses = purses.len();
            // Refusals are as good as payments here: neither may lose or make anything.
            match deed {
                Deed::Pay(which, epsilon) => {
                    let charge = pure_step(&epsilon.to_string());
                    let _ = purses[which % n_purses].pay("a step", charge);
                }
                Deed::Split(which, fractions) => {
                    if let Ok(parts) = purses[which % n_purses].split(&fractions) {
                        purses.extend(parts);
                    }
                }
                Deed::Parallel(which, amount) => {
                    let _ = purses[which % n_purses].parallel("parts", 2, &amount);
                }
            }
            let left: Vec<Rational> = purses.iter().map(|purse| purse.left().value().clone()).collect();
            let paid = purses[0].account().total().value().clone();
            prop_assert_eq!(left.iter().sum::<Rational>() + paid, total.clone());
        }
    }
}
