//! Probabilities counted over all streams of bits.

use super::streams::Outcomes;
use super::*;
use crate::privacy::noise::entropy::Bits;
use crate::privacy::noise::natural::Natural;

#[test]
fn uniform_numbers_are_equally_likely() {
    for bound in 1..=33_u128 {
        let outcomes = Outcomes::of(18, |stream| u128::below(&bound, stream));
        let ways: Vec<u128> = outcomes.streams.values().copied().collect();
        assert_eq!(ways.len() as u128, bound);
        assert!(ways.iter().all(|way| *way == ways[0]), "below {bound}");
        // 18 bits are at least three tries, and a try fails at most every other time.
        assert!(outcomes.undecided() < 0.125, "below {bound}");
        let wide = Outcomes::of(18, |stream| UBig::below(&UBig::from(bound), stream));
        assert_eq!(wide.streams.into_values().collect::<Vec<_>>(), ways);
    }
}

#[test]
fn a_rational_coin_has_its_odds() {
    for denominator in 1..=16_u128 {
        for numerator in 0..=denominator {
            let coin = Bernoulli::new(&fraction(numerator, denominator)).unwrap();
            let outcomes = Outcomes::of(16, |stream| coin.draw_from(stream));
            let ways = |side| outcomes.streams.get(&side).copied().unwrap_or(0);
            // Heads to tails as the numerator to what is missing to the denominator, to the last stream.
            assert_eq!(
                ways(true) * (denominator - numerator),
                ways(false) * numerator,
                "{numerator}/{denominator}"
            );
        }
    }
}

#[test]
fn an_exponential_coin_has_its_probability() {
    for (numerator, denominator) in [
        (0_u8, 1_u8),
        (1, 8),
        (1, 3),
        (1, 2),
        (3, 4),
        (1, 1),
        (5, 4),
        (3, 2),
        (2, 1),
        (4, 1),
    ] {
        let exponent = fraction(numerator, denominator);
        let coin = BernoulliExp::new(&exponent);
        let outcomes = Outcomes::of(22, |stream| coin.draw_from(stream));
        assert!(outcomes.undecided() < 0.01, "{}", outcomes.undecided());
        let heads = (-value(&exponent)).exp();
        assert!(outcomes.allow(&true, heads), "exp(-{exponent})");
        assert!(outcomes.allow(&false, 1.0 - heads), "exp(-{exponent})");
        // The bounds are narrow enough to see a hundredth more or less.
        assert!(!outcomes.allow(&true, heads + 0.01));
        assert!(!outcomes.allow(&true, heads - 0.01));
    }
}

fn laplace_probability(scale: &Fraction, z: i64) -> f64 {
    let ratio = (-1.0 / value(scale)).exp();
    (1.0 - ratio) / (1.0 + ratio) * ratio.powi(z.unsigned_abs() as i32)
}

#[test]
fn geometric_probabilities_are_right() {
    for (numerator, denominator) in [(1_u8, 2_u8), (1, 1), (2, 1), (4, 1), (2, 3), (4, 3)] {
        let scale = fraction(numerator, denominator);
        let geometric = Geometric::with_scale(&scale).unwrap();
        let outcomes = Outcomes::of(22, |stream| {
            u64::try_from(geometric.draw_from(stream)).unwrap()
        });
        assert!(outcomes.undecided() < 0.1, "{}", outcomes.undecided());
        let ratio = (-1.0 / value(&scale)).exp();
        for y in 0..8 {
            let probability = (1.0 - ratio) * ratio.powi(y);
            assert!(outcomes.allow(&(y as u64), probability), "{scale}: {y}");
        }
    }
}

#[test]
fn laplace_probabilities_are_right_and_symmetric() {
    for (numerator, denominator) in [(1_u8, 2_u8), (1, 1), (2, 1), (4, 1), (2, 3)] {
        let scale = fraction(numerator, denominator);
        let laplace = DiscreteLaplace::with_scale(&scale).unwrap();
        let outcomes = Outcomes::of(22, |stream| {
            i64::try_from(laplace.draw_from(stream)).unwrap()
        });
        assert!(outcomes.undecided() < 0.2, "{}", outcomes.undecided());
        for z in -6..=6 {
            let probability = laplace_probability(&scale, z);
            assert!(outcomes.allow(&z, probability), "{scale}: {z}");
            assert_eq!(outcomes.streams.get(&z), outcomes.streams.get(&-z));
        }
    }
}

#[test]
fn counting_zero_twice_shows() {
    let scale = fraction(1_u8, 1_u8);
    let geometric = Geometric::with_scale(&scale).unwrap();
    let outcomes = Outcomes::of(22, |stream| {
        let size = i64::try_from(geometric.draw_from(stream)).unwrap();
        if Bits::bits(stream, 1) == 1 {
            -size
        } else {
            size
        }
    });
    assert!(!outcomes.allow(&0, laplace_probability(&scale, 0)));
    assert!(!outcomes.allow(&1, laplace_probability(&scale, 1)));
}

#[test]
fn gaussian_probabilities_are_right_and_symmetric() {
    for (numerator, denominator) in [(1_u8, 2_u8), (2, 1)] {
        let variance = fraction(numerator, denominator);
        let gaussian = DiscreteGaussian::with_variance(&variance).unwrap();
        let outcomes = Outcomes::of(22, |stream| {
            i64::try_from(gaussian.draw_from(stream)).unwrap()
        });
        assert!(outcomes.undecided() < 0.45, "{}", outcomes.undecided());
        let weight = |z: i64| (-((z * z) as f64) / (2.0 * value(&variance))).exp();
        let all: f64 = (-60..=60).map(weight).sum();
        for z in -6..=6 {
            assert!(outcomes.allow(&z, weight(z) / all), "{variance}: {z}");
            assert_eq!(outcomes.streams.get(&z), outcomes.streams.get(&-z));
        }
    }
}

fn choose(n: u64, k: u64) -> u128 {
    (0..k).fold(1, |ways, i| ways * u128::from(n - i) / u128::from(i + 1))
}

#[test]
fn binomial_probabilities_of_eighths_are_exact() {
    // With p = e/8 at most three digits are read, three bits per trial: no stream is undecided, no share is rounded.
    for trials in 0..=5_u64 {
        for eighths in 0..=8_u128 {
            let binomial = Binomial::new(trials, &fraction(eighths, 8_u8)).unwrap();
            let outcomes = Outcomes::of(15, |stream| binomial.draw_from(stream));
            assert_eq!(outcomes.undecided, 0);
            for k in 0..=trials {
                let expected = choose(trials, k)
                    * eighths.pow(k as u32)
                    * (8 - eighths).pow((trials - k) as u32)
                    * 8_u128.pow((5 - trials) as u32);
                let ways = outcomes.streams.get(&k).copied().unwrap_or(0);
                assert_eq!(ways, expected, "{k} of {trials} at {eighths}/8");
            }
        }
    }
}

#[test]
fn binomial_probabilities_of_thirds_are_right() {
    let third = fraction(1_u8, 3_u8);
    for trials in 1..=4_u64 {
        let binomial = Binomial::new(trials, &third).unwrap();
        let outcomes = Outcomes::of(20, |stream| binomial.draw_from(stream));
        assert!(outcomes.undecided() < 0.01, "{}", outcomes.undecided());
        for k in 0..=trials {
            let probability = choose(trials, k) as f64 * 2_f64.powi((trials - k) as i32)
                / 3_f64.powi(trials as i32);
            assert!(outcomes.allow(&k, probability), "{k} of {trials}");
        }
    }
}

#[test]
fn draws_that_reach_a_threshold_are_counted_with_their_probability() {
    for (numerator, threshold, draws) in [(1_u8, 0, 1), (1, 1, 1), (2, 3, 1), (1, 2, 2), (2, 4, 2)]
    {
        let scale = fraction(numerator, 1_u8);
        let laplace = DiscreteLaplace::with_scale(&scale).unwrap();
        let outcomes = Outcomes::of(22, |stream| {
            laplace.how_many_reach_from(threshold, draws, stream)
        });
        assert!(outcomes.undecided() < 0.05, "{}", outcomes.undecided());
        let ratio = (-1.0 / value(&scale)).exp();
        let reaches = ratio.powi(threshold as i32) / (1.0 + ratio);
        for k in 0..=draws {
            let probability = choose(draws, k) as f64
                * reaches.powi(k as i32)
                * (1.0 - reaches).powi((draws - k) as i32);
            assert!(
                outcomes.allow(&k, probability),
                "{k} of {draws} over {threshold} at {scale}"
            );
        }
    }
}
