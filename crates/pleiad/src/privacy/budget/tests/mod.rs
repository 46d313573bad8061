//! Amounts, costs, purses and sealed tables.

mod accounts;
mod conversion;
mod mechanisms;
mod purses;
mod rationals;
mod sealed;

use proptest::prelude::*;

use super::{Charge, Cost, Measure, Mechanism, Positive, Rational, Relation};

fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

fn pure<R: Relation>(epsilon: &str) -> Cost<R> {
    Cost::Pure(epsilon.parse().unwrap())
}

fn pure_step<R: Relation>(epsilon: &str) -> Charge<R> {
    Charge::of(Mechanism::Pure {
        epsilon: rational(epsilon),
    })
}

fn fraction(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator, denominator).unwrap()
}

fn any_rational() -> impl Strategy<Value = Rational> {
    prop_oneof![
        (0_u64..1_000, 1_u64..1_000).prop_map(|(upper, lower)| fraction(upper, lower)),
        (any::<u128>(), 1..u128::MAX)
            .prop_map(|(upper, lower)| Rational::new(upper, lower).unwrap()),
    ]
}

fn any_positive() -> impl Strategy<Value = Positive> {
    (1_u64..1_000, 1_u64..1_000)
        .prop_map(|(upper, lower)| fraction(upper, lower).try_into().unwrap())
}

fn any_pure_mechanism() -> impl Strategy<Value = Mechanism> {
    let small = || (0_u64..20, 1_u64..20).prop_map(|(upper, lower)| fraction(upper, lower));
    prop_oneof![
        (small(), any_positive()).prop_map(|(l1_sensitivity, scale)| Mechanism::DiscreteLaplace {
            l1_sensitivity,
            scale
        }),
        (small(), small()).prop_map(|(factor, range)| Mechanism::Exponential { factor, range }),
        (small(), small()).prop_map(|(factor, range)| Mechanism::PermuteAndFlip { factor, range }),
        small().prop_map(|run_epsilon| Mechanism::PrivateSelection { run_epsilon }),
        small().prop_map(|epsilon| Mechanism::Pure { epsilon }),
    ]
}

fn any_mechanism() -> impl Strategy<Value = Mechanism> {
    prop_oneof![
        3 => any_pure_mechanism(),
        1 => (any_rational(), any_positive()).prop_map(|(l2_sensitivity_squared, scale_squared)| {
            Mechanism::DiscreteGaussian { l2_sensitivity_squared, scale_squared }
        }),
        1 => any_rational().prop_map(|rho| Mechanism::Concentrated { rho }),
    ]
}

fn any_measure() -> impl Strategy<Value = Measure> {
    prop_oneof![Just(Measure::Pure), Just(Measure::Concentrated)]
}
