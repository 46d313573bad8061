//! `u128` and big integers make the same of the same bits, and no parameter makes a panic.

use proptest::prelude::*;

use super::*;
use crate::privacy::noise::entropy::Bits;
use crate::privacy::noise::natural::{Natural, Pair};
use crate::privacy::noise::selection::{exponential_from, permute_and_flip_from};

/// Two samplers, one stream: the same draws, and the streams stay in step.
fn same<T: PartialEq + std::fmt::Debug>(
    seed: u64,
    mut narrow: impl FnMut(&mut PrivateRandom) -> T,
    mut wide: impl FnMut(&mut PrivateRandom) -> T,
) {
    let mut left = PrivateRandom::replay(seed);
    let mut right = PrivateRandom::replay(seed);
    for _ in 0..8 {
        assert_eq!(narrow(&mut left), wide(&mut right));
        assert_eq!(left.bits(7), right.bits(7));
    }
}

fn narrow_and_wide(scale: &Fraction) -> (Pair, Pair) {
    let pair = Pair::from(scale);
    assert!(matches!(pair, Pair::Narrow(..)));
    let wide = pair.widened();
    assert!(matches!(wide, Pair::Wide(..)));
    (pair, wide)
}

/// Integers of every length, not only the longest.
fn integers() -> impl Strategy<Value = u128> {
    (any::<u128>(), 0..128_u32).prop_map(|(word, shift)| (word >> shift).max(1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn uniform(bound in integers(), seed: u64) {
        let wide = UBig::from(bound);
        same(
            seed,
            |random| UBig::from(u128::below(&bound, random)),
            |random| UBig::below(&wide, random),
        );
        prop_assert!(u128::below(&bound, &mut PrivateRandom::replay(seed)) < bound);
    }

    #[test]
    fn coins(numerator in integers(), denominator in integers(), seed: u64) {
        let exponent = fraction(numerator, denominator);
        let (narrow, wide) = narrow_and_wide(&exponent);
        let (narrow, wide) = (BernoulliExp(narrow), BernoulliExp(wide));
        same(seed, |random| narrow.draw(random), |random| wide.draw(random));
    }

    #[test]
    fn laplace(numerator in integers(), denominator in integers(), seed: u64) {
        let scale = fraction(numerator, denominator);
        let (narrow, wide) = narrow_and_wide(&scale);
        let (narrow, wide) = (DiscreteLaplace(Geometric(narrow)), DiscreteLaplace(Geometric(wide)));
        same(seed, |random| narrow.draw(random), |random| wide.draw(random));
    }

    #[test]
    fn tails(numerator in integers(), denominator in integers(), threshold: u64, shift in 0..64_u32, seed: u64) {
        let (narrow, wide) = narrow_and_wide(&fraction(numerator, denominator));
        let (narrow, wide) = (DiscreteLaplace(Geometric(narrow)), DiscreteLaplace(Geometric(wide)));
        let count = |laplace: &DiscreteLaplace, random: &mut PrivateRandom| {
            laplace.how_many_reach(threshold >> shift, 100, random)
        };
        same(seed, |random| count(&narrow, random), |random| count(&wide, random));
    }

    #[test]
    fn gaussian(numerator in integers(), denominator in integers(), seed: u64) {
        let narrow = DiscreteGaussian::with_variance(&fraction(numerator, denominator)).unwrap();
        let wide = narrow.widened();
        same(seed, |random| narrow.draw(random), |random| wide.draw(random));
    }

    #[test]
    fn selection(
        scores in prop::collection::vec(any::<i128>(), 0..6),
        shift in 0..128_u32,
        numerator: u128,
        denominator in integers(),
        seed: u64,
    ) {
        let scores: Vec<i128> = scores.into_iter().map(|score| score >> shift).collect();
        let (narrow, wide) = narrow_and_wide(&fraction(numerator, denominator));
        same(
            seed,
            |random| exponential_from(&scores, &narrow, random),
            |random| exponential_from(&scores, &wide, random),
        );
        same(
            seed,
            |random| permute_and_flip_from(&scores, &narrow, random),
            |random| permute_and_flip_from(&scores, &wide, random),
        );
    }
}

#[test]
fn a_sum_beyond_u128_goes_on_with_the_bits_drawn() {
    // Every second draw or so has a whole period more, which does not fit beside the remainder.
    let scale = fraction(u128::MAX - 5, 1_u8);
    let (narrow, wide) = narrow_and_wide(&scale);
    let (narrow, wide) = (Geometric(narrow), Geometric(wide));
    let mut beyond = 0;
    for seed in 0..50 {
        let drawn = narrow.draw(&mut PrivateRandom::replay(seed));
        beyond += u32::from(drawn > UBig::from(u128::MAX));
        same(
            seed,
            |random| narrow.draw(random),
            |random| wide.draw(random),
        );
    }
    assert!((5..45).contains(&beyond), "{beyond}");
}

#[test]
fn an_exponent_beyond_u128_goes_on_with_the_bits_drawn() {
    // t = 2^31 + 1: the denominator of the exponent has 126 bits, and its numerator too many as soon as |y| > 4t or so.
    let narrow = DiscreteGaussian::with_variance(&fraction(1_u128 << 62, 1_u8)).unwrap();
    let wide = narrow.widened();
    for seed in 0..400 {
        same(
            seed,
            |random| narrow.draw(random),
            |random| wide.draw(random),
        );
    }
}
