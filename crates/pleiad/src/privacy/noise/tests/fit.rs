//! Many draws at many scales against the exact probabilities.
//!
//! The same check, with the same number of draws, is made of samplers that are wrong on purpose, and has to fail them.

use std::num::NonZeroU128;

use dashu_int::Sign;
use statrs::function::erf::erfc;
use statrs::function::gamma::ln_gamma;

use super::chi_square::{ALARM, p_value};
use super::*;
use crate::privacy::noise::entropy::Bits;

const DRAWS: usize = 100_000;

/// p-value of `draw` against a distribution given by P(X ≥ x), in cells between `edges`.
fn fit(
    edges: &[IBig],
    tail: impl Fn(&IBig) -> f64,
    mut draw: impl FnMut(&mut PrivateRandom) -> IBig,
    seed: u64,
) -> f64 {
    let mut random = PrivateRandom::replay(seed);
    let mut observed = vec![0; edges.len() + 1];
    for _ in 0..DRAWS {
        let drawn = draw(&mut random);
        observed[edges.partition_point(|edge| *edge <= drawn)] += 1;
    }
    let mut tails: Vec<f64> = edges.iter().map(tail).collect();
    tails.insert(0, 1.0);
    tails.push(0.0);
    let probabilities: Vec<f64> = tails.windows(2).map(|pair| pair[0] - pair[1]).collect();
    p_value(&observed, &probabilities)
}

/// Integers around 0 in steps of an eighth of `scale`, to eight times the scale and to 40 at least.
fn edges(scale: &Fraction) -> Vec<IBig> {
    let eighth = scale.numerator() / (scale.denominator() * 8_u8);
    let step = IBig::from(eighth.max(UBig::ONE));
    (-64..=64).map(|times: i32| &step * times).collect()
}

fn float(integer: &IBig) -> f64 {
    integer.to_f64().value()
}

/// P(X ≥ x) of the discrete Laplace distribution.
fn laplace_tail(scale: &Fraction) -> impl Fn(&IBig) -> f64 {
    let scale = value(scale);
    let positive = move |x: f64| (-x / scale).exp() / (1.0 + (-1.0 / scale).exp());
    move |x| {
        if x.sign() == Sign::Positive && !x.is_zero() {
            positive(float(x))
        } else {
            1.0 - positive(1.0 - float(x))
        }
    }
}

fn laplace_fit(claimed: &Fraction, draw: impl FnMut(&mut PrivateRandom) -> IBig, seed: u64) -> f64 {
    fit(&edges(claimed), laplace_tail(claimed), draw, seed)
}

/// From a quarter to beyond what `u128` can hold; the last one has a small value made of large integers.
fn scales() -> Vec<Fraction> {
    let ten = UBig::from(10_u8);
    vec![
        fraction(1_u8, 4_u8),
        fraction(1_u8, 3_u8),
        fraction(1_u8, 1_u8),
        fraction(7_u8, 3_u8),
        fraction(10_u8, 1_u8),
        fraction(1_000_u32, 7_u8),
        fraction(10_u64.pow(6), 1_u8),
        fraction(10_u64.pow(12), 1_u8),
        fraction(u128::MAX, 2_u8),
        fraction(UBig::ONE << 200, 3_u8),
        fraction(ten.pow(50) + UBig::ONE, ten.pow(49)),
    ]
}

#[test]
fn laplace_fits_at_every_scale() {
    for (seed, scale) in scales().iter().enumerate() {
        let laplace = DiscreteLaplace::with_scale(scale).unwrap();
        let p = laplace_fit(scale, |random| laplace.draw(random), seed as u64);
        assert!(p > ALARM, "scale {scale}: p = {p:e}");
    }
}

#[test]
fn laplace_of_a_fiftieth_is_zero() {
    // Another value has probability 2·exp(−50)/(1 + exp(−50)): 4e-18 over all draws.
    let laplace = DiscreteLaplace::with_scale(&fraction(1_u8, 50_u8)).unwrap();
    let mut random = PrivateRandom::replay(1);
    assert!((0..10_000).all(|_| laplace.draw(&mut random).is_zero()));
}

#[test]
fn a_scale_off_by_a_twentieth_is_caught_at_every_scale() {
    for (seed, scale) in scales().iter().enumerate() {
        for percent in [95_u8, 105] {
            let off = fraction(scale.numerator() * percent, scale.denominator() * 100_u8);
            let laplace = DiscreteLaplace::with_scale(&off).unwrap();
            let p = laplace_fit(scale, |random| laplace.draw(random), seed as u64);
            assert!(p < ALARM, "scale {scale} at {percent} %: p = {p:e}");
        }
    }
}

#[test]
fn zero_counted_twice_is_caught_while_zero_is_common() {
    for scale in scales().into_iter().filter(|scale| value(scale) < 20.0) {
        let geometric = Geometric::with_scale(&scale).unwrap();
        let draw = |random: &mut PrivateRandom| {
            let size = IBig::from(geometric.draw(random));
            if random.bits(1) == 1 { -size } else { size }
        };
        let p = laplace_fit(&scale, draw, 3);
        assert!(p < ALARM, "scale {scale}: p = {p:e}");
    }
}

#[test]
fn a_flat_period_is_caught() {
    // Step 1 of the geometric without keeping by exp(−U/n): right at multiples of the scale, flat between.
    let scale = fraction(1_000_u32, 1_u8);
    let draw = |random: &mut PrivateRandom| {
        let within = uniform_below(NonZeroU128::new(1_000).unwrap(), random);
        let unit = Geometric::with_scale(&fraction(1_u8, 1_u8)).unwrap();
        let size = IBig::from(unit.draw(random) * 1_000_u16 + within);
        if random.bits(1) == 1 { -size } else { size }
    };
    let p = laplace_fit(&scale, draw, 4);
    assert!(p < ALARM, "p = {p:e}");
}

#[test]
fn geometric_fits_at_every_scale() {
    for (seed, scale) in scales().iter().enumerate() {
        let geometric = Geometric::with_scale(scale).unwrap();
        let edges: Vec<IBig> = edges(scale)
            .into_iter()
            .filter(|x| *x > IBig::ZERO)
            .collect();
        let tail = |x: &IBig| (-float(x) / value(scale)).exp();
        let draw = |random: &mut PrivateRandom| IBig::from(geometric.draw(random));
        let p = fit(&edges, tail, draw, 100 + seed as u64);
        assert!(p > ALARM, "scale {scale}: p = {p:e}");
    }
}

/// P(X ≥ x) of the discrete Gaussian distribution: summed, or from a σ of 2,000 on by the integral between half
/// integers, which is within a part in 10⁷ of it.
fn gaussian_tail(sigma: f64) -> impl Fn(&IBig) -> f64 {
    let weight = move |z: i64| (-(z as f64 / sigma).powi(2) / 2.0).exp();
    let end = (12.0 * sigma).min(30_000.0) as i64 + 12;
    let mut tails = vec![0.0; 2 * end as usize + 2];
    for z in (-end..=end).rev() {
        let at = (z + end) as usize;
        tails[at] = tails[at + 1] + weight(z);
    }
    move |x| {
        if sigma >= 2_000.0 {
            return erfc((float(x) - 0.5) / (sigma * std::f64::consts::SQRT_2)) / 2.0;
        }
        let x = i64::try_from(x).unwrap().clamp(-end, end + 1);
        tails[(x + end) as usize] / tails[0]
    }
}

fn gaussian_fit(
    variance: &Fraction,
    draw: impl FnMut(&mut PrivateRandom) -> IBig,
    seed: u64,
) -> f64 {
    let sigma = value(variance).sqrt();
    let step = IBig::try_from((sigma / 8.0).floor().max(1.0)).unwrap();
    let edges: Vec<IBig> = (-40..=40).map(|times: i32| &step * times).collect();
    fit(&edges, gaussian_tail(sigma), draw, seed)
}

fn variances() -> Vec<Fraction> {
    vec![
        fraction(1_u8, 4_u8),
        fraction(2_u8, 3_u8),
        fraction(1_u8, 1_u8),
        fraction(50_u8, 7_u8),
        fraction(10_000_u32, 1_u8),
        fraction(10_u64.pow(12) + 1, 1_u8),
        fraction(10_u128.pow(24), 1_u8),
        fraction(UBig::ONE << 300, 3_u8),
    ]
}

#[test]
fn gaussian_fits_at_every_variance() {
    for (seed, variance) in variances().iter().enumerate() {
        let gaussian = DiscreteGaussian::with_variance(variance).unwrap();
        let p = gaussian_fit(variance, |random| gaussian.draw(random), 200 + seed as u64);
        assert!(p > ALARM, "variance {variance}: p = {p:e}");
    }
}

#[test]
fn a_sigma_off_by_a_twentieth_is_caught_at_every_variance() {
    for (seed, variance) in variances().iter().enumerate() {
        let off = fraction(
            variance.numerator() * 441_u32,
            variance.denominator() * 400_u32,
        );
        let gaussian = DiscreteGaussian::with_variance(&off).unwrap();
        let p = gaussian_fit(variance, |random| gaussian.draw(random), 300 + seed as u64);
        assert!(p < ALARM, "variance {variance}: p = {p:e}");
    }
}

#[test]
fn laplace_of_the_same_variance_is_no_gaussian() {
    let laplace = DiscreteLaplace::with_scale(&fraction(10_u8, 1_u8)).unwrap();
    let p = gaussian_fit(&fraction(200_u8, 1_u8), |random| laplace.draw(random), 1);
    assert!(p < ALARM, "p = {p:e}");
}

fn heads_fit(probability: f64, mut toss: impl FnMut(&mut PrivateRandom) -> bool, seed: u64) -> f64 {
    let mut random = PrivateRandom::replay(seed);
    let heads = (0..DRAWS).filter(|_| toss(&mut random)).count() as u64;
    p_value(
        &[heads, DRAWS as u64 - heads],
        &[probability, 1.0 - probability],
    )
}

#[test]
fn coins_fit() {
    let beyond = UBig::from(10_u8).pow(45);
    for (seed, exponent) in [
        fraction(1_u8, 200_u8),
        fraction(1_u8, 3_u8),
        fraction(1_u8, 1_u8),
        fraction(5_u8, 2_u8),
        fraction(11_u8, 2_u8),
        fraction(&beyond * 3_u8, &beyond * 2_u8 + UBig::ONE),
    ]
    .iter()
    .enumerate()
    {
        let coin = BernoulliExp::new(exponent);
        let heads = (-value(exponent)).exp();
        let p = heads_fit(heads, |random| coin.draw(random), 400 + seed as u64);
        assert!(p > ALARM, "exp(-{exponent}): p = {p:e}");
    }
    let third = Bernoulli::new(&fraction(1_u8, 3_u8)).unwrap();
    let p = heads_fit(1.0 / 3.0, |random| third.draw(random), 450);
    assert!(p > ALARM, "1/3: p = {p:e}");
    let p = heads_fit(0.35, |random| third.draw(random), 450);
    assert!(p < ALARM, "1/3 is not 0.35: p = {p:e}");
}

#[test]
fn uniform_numbers_fit_beyond_one_word() {
    for (seed, bound) in [48, (1 << 64) + 5, 3 << 125, u128::MAX]
        .into_iter()
        .enumerate()
    {
        let bound = NonZeroU128::new(bound).unwrap();
        let sixteenth = bound.get() / 16;
        let edges: Vec<IBig> = (1..16_u128).map(|i| IBig::from(i * sixteenth)).collect();
        let tail = |x: &IBig| 1.0 - float(x) / bound.get() as f64;
        let draw = |random: &mut PrivateRandom| IBig::from(uniform_below(bound, random));
        let p = fit(&edges, tail, draw, 500 + seed as u64);
        assert!(p > ALARM, "below {bound}: p = {p:e}");
    }
}

fn binomial_fit(
    trials: u64,
    probability: f64,
    mut draw: impl FnMut(&mut PrivateRandom) -> u64,
) -> f64 {
    let mut random = PrivateRandom::replay(trials);
    let mut observed = vec![0; trials as usize + 1];
    for _ in 0..DRAWS / 10 {
        observed[draw(&mut random) as usize] += 1;
    }
    let n = trials as f64;
    let log_choose = |k: f64| ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0);
    let probabilities: Vec<f64> = (0..=trials)
        .map(|k| k as f64)
        .map(|k| (log_choose(k) + k * probability.ln() + (n - k) * (-probability).ln_1p()).exp())
        .collect();
    p_value(&observed, &probabilities)
}

#[test]
fn binomial_fits() {
    for (trials, numerator, denominator) in [
        (10_u64, 1_u32, 3_u32),
        (1_000, 2, 7),
        (1_000, 999, 1_000),
        (20_000, 1, 5_000),
        (3_000, 1, 2),
    ] {
        let probability = fraction(numerator, denominator);
        let binomial = Binomial::new(trials, &probability).unwrap();
        let p = binomial_fit(trials, value(&probability), |random| binomial.draw(random));
        assert!(p > ALARM, "{trials} trials at {probability}: p = {p:e}");
    }
    let off = Binomial::new(1_000, &fraction(21_u8, 70_u8)).unwrap();
    let p = binomial_fit(1_000, 2.0 / 7.0, |random| off.draw(random));
    assert!(p < ALARM, "p = {p:e}");
}

#[test]
fn binomial_without_doubt_has_one_outcome() {
    let mut random = PrivateRandom::replay(1);
    for trials in [0, 1, 1_000, u64::MAX] {
        let never = Binomial::new(trials, &fraction(0_u8, 1_u8)).unwrap();
        let always = Binomial::new(trials, &fraction(1_u8, 1_u8)).unwrap();
        assert_eq!(never.draw(&mut random), 0);
        assert_eq!(always.draw(&mut random), trials);
    }
}

#[test]
fn draws_that_reach_a_threshold_fit() {
    for (numerator, denominator, threshold, draws) in [
        (1_u64, 1_u64, 0_u64, 50_u64),
        (1, 3, 1, 500),
        (10, 1, 25, 1_000),
        (10, 1, 62, 5_000),
        (1_000, 7, 1_000, 3_000),
        (10_u64.pow(12), 1, 3 * 10_u64.pow(12), 300),
    ] {
        let scale = fraction(numerator, denominator);
        let laplace = DiscreteLaplace::with_scale(&scale).unwrap();
        let reaches = laplace_tail(&scale)(&IBig::from(threshold));
        let p = binomial_fit(draws, reaches, |random| {
            laplace.how_many_reach(threshold, draws, random)
        });
        assert!(p > ALARM, "{threshold} at {scale}: p = {p:e}");
        let off = DiscreteLaplace::with_scale(&fraction(numerator * 21, denominator * 20)).unwrap();
        let p = binomial_fit(draws, reaches, |random| {
            off.how_many_reach(threshold, draws, random)
        });
        assert!(
            threshold == 0 || p < ALARM,
            "{threshold} at {scale}: p = {p:e}"
        );
    }
}

#[test]
fn a_draw_beyond_a_threshold_forgets_how_it_came_there() {
    // Laplace draws of at least 7, less 7, against the geometric that `how_many_reach` promises.
    let scale = fraction(4_u8, 1_u8);
    let laplace = DiscreteLaplace::with_scale(&scale).unwrap();
    let beyond = |random: &mut PrivateRandom| {
        loop {
            let over = laplace.draw(random) - IBig::from(7);
            if over >= IBig::ZERO {
                return over;
            }
        }
    };
    let edges: Vec<IBig> = (1..40).map(IBig::from).collect();
    let p = fit(&edges, |x| (-float(x) / 4.0).exp(), beyond, 700);
    assert!(p > ALARM, "p = {p:e}");
}
