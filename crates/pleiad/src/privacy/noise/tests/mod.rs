//! Are the samplers what they say?
//!
//! - `exact`: every stream of bits up to a length, so that probabilities are counted and not estimated;
//! - `widths`: `u128` and big integers give the same from the same bits, and nothing panics;
//! - `fit`: many draws at many scales against the exact probabilities;
//! - `selection`: both for the choice among candidates.
//!
//! Statistical tests draw from fixed seeds, so that they have one outcome. The rate of false alarms is written down all
//! the same: it says how likely a right sampler was to fail when the seeds were picked, and what a change of the bits
//! drawn, which redraws everything, is allowed to run into.

mod chi_square;
mod exact;
mod fit;
mod selection;
mod streams;
mod widths;

use super::*;

fn fraction(numerator: impl Into<UBig>, denominator: impl Into<UBig>) -> Fraction {
    Fraction::new(numerator, denominator).unwrap()
}

fn value(fraction: &Fraction) -> f64 {
    fraction.numerator().to_f64().value() / fraction.denominator().to_f64().value()
}

#[test]
fn parameters_without_a_distribution_are_refused() {
    let zero = fraction(0_u8, 3_u8);
    let above_one = fraction(4_u8, 3_u8);
    let refused = |result: crate::Result<()>| result.unwrap_err().to_string();
    assert_eq!(
        refused(DiscreteLaplace::with_scale(&zero).map(drop)),
        "the scale of noise has to be above 0"
    );
    assert!(Geometric::with_scale(&zero).is_err());
    assert_eq!(
        refused(DiscreteGaussian::with_variance(&zero).map(drop)),
        "the variance of noise has to be above 0"
    );
    assert_eq!(
        refused(Bernoulli::new(&above_one).map(drop)),
        "a probability cannot be above 1, it is 4/3"
    );
    assert!(Binomial::new(10, &above_one).is_err());
    assert_eq!(
        refused(Fraction::new(1_u8, 0_u8).map(drop)),
        "a fraction cannot have the denominator 0"
    );
}

#[test]
fn a_fraction_is_in_lowest_terms() {
    let half = fraction(21_u64, 42_u128);
    assert_eq!(half, fraction(1_u8, 2_u8));
    assert_eq!(half.to_string(), "1/2");
    assert_eq!(fraction(0_u8, 9_u8).to_string(), "0");
    assert_eq!(fraction(8_u8, 4_u8).to_string(), "2");
}

#[test]
fn noise_on_the_largest_integers_stops_at_their_end() {
    let huge = fraction(UBig::ONE << 300, 1_u8);
    let laplace = DiscreteLaplace::with_scale(&huge).unwrap();
    let gaussian = DiscreteGaussian::with_variance(&huge).unwrap();
    let mut random = PrivateRandom::replay(5);
    for _ in 0..20 {
        assert!([i128::MIN, i128::MAX].contains(&laplace.add_to(0, &mut random)));
        assert!([i128::MIN, i128::MAX].contains(&gaussian.add_to(0, &mut random)));
    }
    let small = DiscreteLaplace::with_scale(&fraction(1_u8, 50_u8)).unwrap();
    for end in [i128::MIN, i128::MAX, 0, 4_711] {
        assert_eq!(small.add_to(end, &mut random), end);
    }
}
