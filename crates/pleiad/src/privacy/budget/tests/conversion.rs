//! From one quantity to another: never less than the truth.
//!
//! The reference goes the other way round: ε = ρ + 2√(ρ ln(1/δ)) means exp((ε − ρ)²/(4ρ)) = 1/δ, and the exponential
//! is bounded from both sides by its series on big rationals. It shares nothing with the code under test.

use dashu_int::UBig;
use dashu_ratio::RBig;
use proptest::prelude::*;

use super::super::{AddRemove, Delta, Epsilon, Rational, Rho};
use super::{fraction, rational};

const BITS: usize = 640;

/// ρ, δ and ε, computed by Python's `decimal` with sixty digits and rounded up to twelve decimals.
const KNOWN: [(&str, &str, &str); 4] = [
    ("0.5", "1e-6", "5.756521769757"),
    ("0.005", "1e-5", "0.484852591219"),
    ("1/3", "1e-9", "5.589855103091"),
    ("0.125", "0.5", "0.713705011258"),
];

fn floor(value: &RBig) -> RBig {
    let unit = RBig::from(UBig::ONE << BITS);
    RBig::from((value * &unit).floor()) / unit
}

fn ceil(value: &RBig) -> RBig {
    let unit = RBig::from(UBig::ONE << BITS);
    RBig::from((value * &unit).ceil()) / unit
}

/// Bounds of exp(x) for an x that is not negative: the series at x/2^h below 1, squared h times.
fn exp(x: &RBig) -> (RBig, RBig) {
    let mut halvings = 0;
    let mut small = x.clone();
    while small > RBig::ONE {
        small /= RBig::from(2);
        halvings += 1;
    }
    let (mut low, mut high) = (RBig::ONE, RBig::ONE);
    let (mut low_term, mut high_term) = (RBig::ONE, RBig::ONE);
    for i in 1..150_u32 {
        low_term = floor(&(low_term * &small / RBig::from(i)));
        high_term = ceil(&(high_term * &small / RBig::from(i)));
        low += &low_term;
        high += &high_term;
    }
    // What follows is less than the last term.
    high += high_term;
    for _ in 0..halvings {
        low = floor(&(&low * &low));
        high = ceil(&(&high * &high));
    }
    (low, high)
}

fn exact(amount: &Rational) -> RBig {
    RBig::from_parts(amount.numerator().into(), amount.denominator().clone())
}

/// exp((ε − ρ)²/(4ρ)) from both sides.
fn inverse_delta(epsilon: &RBig, rho: &RBig) -> (RBig, RBig) {
    let above = epsilon - rho;
    exp(&(&above * &above / (RBig::from(4) * rho)))
}

fn check_rounded_up(rho: &Rational, delta: &Delta) -> Result<(), TestCaseError> {
    let epsilon = Rho::<AddRemove>::new(rho.clone()).to_epsilon(delta);
    let (epsilon, rho) = (exact(epsilon.value()), exact(rho));
    let target = RBig::ONE / exact(delta.value());
    let (low, _) = inverse_delta(&epsilon, &rho);
    prop_assert!(low >= target, "the result is less than the truth");
    // A unit of the last decimal and a millionth of it.
    let unit = exact(&rational("1.000001e-12"));
    let less = epsilon - unit;
    if less > rho {
        let (_, high) = inverse_delta(&less, &rho);
        prop_assert!(
            high < target,
            "the result is more than a unit above the truth"
        );
    }
    Ok(())
}

#[test]
fn known_values_are_met() {
    for (rho, delta, epsilon) in KNOWN {
        let converted = Rho::<AddRemove>::new(rational(rho)).to_epsilon(&delta.parse().unwrap());
        assert_eq!(converted.to_string(), epsilon, "{rho} {delta}");
    }
    let nothing = Rho::<AddRemove>::new(Rational::ZERO);
    assert!(
        nothing
            .to_epsilon(&"1e-6".parse().unwrap())
            .value()
            .is_zero()
    );
}

#[test]
fn extremes_are_rounded_up_too() {
    for rho in ["1e-30", "1e-9", "1", "700"] {
        for delta in ["1e-60", "1e-9", "1/2", "0.999999999999"] {
            check_rounded_up(&rational(rho), &delta.parse().unwrap()).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn conversions_round_up_and_hardly(
        rho in (1_u64..5_000, 1_u64..5_000),
        delta in (1_u64..1_000, 0_usize..20),
    ) {
        let delta = fraction(delta.0, 1_001) * format!("1e-{}", delta.1).parse().unwrap();
        check_rounded_up(&fraction(rho.0, rho.1), &delta.try_into().unwrap())?;
    }

    #[test]
    fn the_most_rho_within_epsilon_and_delta_is_within(
        epsilon in (1_u64..500, 1_u64..100),
        exponent in 1_usize..20,
    ) {
        let epsilon = Epsilon::<AddRemove>::new(fraction(epsilon.0, epsilon.1));
        let delta: Delta = format!("1e-{exponent}").parse().unwrap();
        let rho = Rho::within(&epsilon, &delta);
        let target = RBig::ONE / exact(delta.value());
        if !rho.value().is_zero() {
            let (_, high) = inverse_delta(&exact(epsilon.value()), &exact(rho.value()));
            prop_assert!(high >= target);
        }
        let more = rho + Rho::new(rational("1.001e-12"));
        let (low, _) = inverse_delta(&exact(epsilon.value()), &exact(more.value()));
        prop_assert!(low < target);
    }
}
