//! What steps cost, alone and together.

use proptest::prelude::*;

use super::super::{AddRemove, Charge, Epsilon, Measure, Mechanism, Replace, Rho};
use super::{any_mechanism, any_pure_mechanism, pure_step, rational};

fn costs(mechanism: Mechanism) -> (Option<String>, String) {
    let charge = Charge::<AddRemove>::of(mechanism);
    let epsilon = charge.epsilon().map(|epsilon| epsilon.to_string());
    (epsilon, charge.rho().to_string())
}

fn known(epsilon: &str, rho: &str) -> (Option<String>, String) {
    (Some(epsilon.to_owned()), rho.to_owned())
}

#[test]
fn each_mechanism_knows_its_costs() {
    let (factor, range) = (rational("0.1"), rational("2"));
    assert_eq!(
        costs(Mechanism::DiscreteLaplace {
            l1_sensitivity: rational("2"),
            scale: "10".parse().unwrap()
        }),
        known("0.2", "0.02")
    );
    assert_eq!(
        costs(Mechanism::Exponential {
            factor: factor.clone(),
            range: range.clone()
        }),
        known("0.2", "0.005")
    );
    assert_eq!(
        costs(Mechanism::PermuteAndFlip { factor, range }),
        known("0.2", "0.02")
    );
    assert_eq!(
        costs(Mechanism::Pure {
            epsilon: rational("0.2")
        }),
        known("0.2", "0.02")
    );
    assert_eq!(
        costs(Mechanism::PrivateSelection {
            run_epsilon: rational("0.1")
        }),
        known("0.3", "0.045")
    );
    // √2 and 5: the sensitivity of two sizes when somebody is replaced.
    assert_eq!(
        costs(Mechanism::DiscreteGaussian {
            l2_sensitivity_squared: rational("2"),
            scale_squared: "25".parse().unwrap()
        }),
        (None, "0.04".to_owned())
    );
}

#[test]
fn a_fixed_number_of_runs_costs_each_of_them() {
    let runs = pure_step::<AddRemove>("0.1").times(7);
    assert_eq!(runs.epsilon().unwrap().to_string(), "0.7");
    assert_eq!(runs.rho().to_string(), "0.035");
}

#[test]
fn disjoint_parts_cost_the_dearest() {
    let parts = ["0.1", "0.3", "0.2", "0.3"].map(pure_step::<AddRemove>);
    let charge = Charge::parallel(parts);
    assert_eq!(charge.epsilon().unwrap().to_string(), "0.3");
    assert_eq!(charge.rho().to_string(), "0.045");
    assert!(Charge::parallel([]).rho().value().is_zero());
}

#[test]
fn the_dearest_part_may_differ_by_measure() {
    let selection = Charge::of(Mechanism::Exponential {
        factor: rational("0.3"),
        range: rational("1"),
    });
    let charge = Charge::<AddRemove>::parallel([selection, pure_step("0.2")]);
    assert_eq!(charge.epsilon().unwrap().to_string(), "0.3");
    assert_eq!(charge.rho().to_string(), "0.02");
}

#[test]
fn gaussian_noise_has_no_epsilon_alone_or_in_company() {
    let gaussian = || {
        Charge::<AddRemove>::of(Mechanism::DiscreteGaussian {
            l2_sensitivity_squared: rational("1"),
            scale_squared: "4".parse().unwrap(),
        })
    };
    for charge in [
        gaussian(),
        gaussian().then(pure_step("0.1")),
        pure_step("0.1").then(gaussian()),
        gaussian().times(2),
        Charge::parallel([pure_step("0.1"), gaussian()]),
    ] {
        assert!(charge.epsilon().is_none());
        assert!(charge.cost(Measure::Pure).is_err());
        assert!(charge.cost(Measure::Concentrated).is_ok());
    }
}

proptest! {
    #[test]
    fn to_replace_costs_twice_epsilon_and_four_times_rho(mechanism in any_mechanism()) {
        let charge = Charge::<AddRemove>::of(mechanism);
        let replaced: Charge<Replace> = charge.clone().to_replace();
        prop_assert_eq!(replaced.epsilon(), charge.epsilon().map(|epsilon| epsilon.to_replace()));
        prop_assert_eq!(replaced.rho(), charge.rho().to_replace());
        prop_assert_eq!(replaced.rho().value().clone(), charge.rho().value().clone() * 4.into());
    }

    #[test]
    fn a_pure_step_never_costs_more_rho_than_half_its_square(mechanism in any_pure_mechanism()) {
        let charge = Charge::<AddRemove>::of(mechanism);
        prop_assert!(charge.rho() <= charge.epsilon().unwrap().to_rho());
    }

    #[test]
    fn parts_never_cost_more_than_the_same_steps_in_sequence(
        mechanisms in prop::collection::vec(any_mechanism(), 1..6)
    ) {
        let charges: Vec<Charge<AddRemove>> = mechanisms.into_iter().map(Charge::of).collect();
        let together = Charge::parallel(charges.clone());
        let one_by_one = charges.into_iter().reduce(Charge::then).unwrap();
        prop_assert!(together.rho() <= one_by_one.rho());
        prop_assert!(together.epsilon() <= one_by_one.epsilon());
    }

    #[test]
    fn epsilons_add_the_same_in_any_order(
        (some, shuffled) in prop::collection::vec(super::any_rational(), 0..8)
            .prop_flat_map(|some| (Just(some.clone()), Just(some).prop_shuffle()))
    ) {
        let sum = |values: Vec<_>| values.into_iter().map(Epsilon::<Replace>::new).sum::<Epsilon<_>>();
        prop_assert_eq!(sum(some.clone()), sum(shuffled.clone()));
        let sum = |values: Vec<_>| values.into_iter().map(Rho::<Replace>::new).sum::<Rho<_>>();
        prop_assert_eq!(sum(some), sum(shuffled));
    }
}
