//! Choices among candidates against their exact probabilities.

use super::chi_square::{ALARM, p_value};
use super::streams::Outcomes;
use super::*;
use crate::privacy::noise::natural::Pair;
use crate::privacy::noise::selection::{exponential_from, permute_and_flip_from};

/// exp(c·(u − u*)), the coin of each candidate.
fn coins(scores: &[i128], weight: &Fraction) -> Vec<f64> {
    let best = *scores.iter().max().unwrap();
    scores
        .iter()
        .map(|score| (-value(weight) * best.abs_diff(*score) as f64).exp())
        .collect()
}

fn exponential_probabilities(scores: &[i128], weight: &Fraction) -> Vec<f64> {
    let coins = coins(scores, weight);
    let all: f64 = coins.iter().sum();
    coins.iter().map(|coin| coin / all).collect()
}

/// Over all orders of the candidates: nobody before, then this one.
fn permute_and_flip_probabilities(scores: &[i128], weight: &Fraction) -> Vec<f64> {
    fn go(coins: &[f64], waiting: &[usize], reached: f64, chosen: &mut [f64]) {
        for (place, &candidate) in waiting.iter().enumerate() {
            let drawn = reached / waiting.len() as f64;
            chosen[candidate] += drawn * coins[candidate];
            let mut rest = waiting.to_vec();
            rest.remove(place);
            go(coins, &rest, drawn * (1.0 - coins[candidate]), chosen);
        }
    }
    let mut chosen = vec![0.0; scores.len()];
    let everybody: Vec<usize> = (0..scores.len()).collect();
    go(&coins(scores, weight), &everybody, 1.0, &mut chosen);
    chosen
}

fn cases() -> Vec<(Vec<i128>, Fraction)> {
    vec![
        (vec![0, 1], fraction(1_u8, 1_u8)),
        (vec![5, 5, 5], fraction(3_u8, 1_u8)),
        (vec![3, -1, 2], fraction(1_u8, 2_u8)),
        (vec![10, 7, 12, 9], fraction(1_u8, 3_u8)),
        (vec![0, 100, 80, 40], fraction(1_u8, 50_u8)),
        (vec![-4, 9, 2, 6], fraction(0_u8, 1_u8)),
        (
            vec![i128::MIN, i128::MIN + 2, i128::MIN + 1],
            fraction(7_u8, 5_u8),
        ),
    ]
}

type Mechanism = fn(&[i128], &Fraction, &mut PrivateRandom) -> Option<usize>;

fn fit(
    mechanism: Mechanism,
    scores: &[i128],
    weight: &Fraction,
    probabilities: &[f64],
    seed: u64,
) -> f64 {
    let mut random = PrivateRandom::replay(seed);
    let mut observed = vec![0; scores.len()];
    for _ in 0..100_000 {
        observed[mechanism(scores, weight, &mut random).unwrap()] += 1;
    }
    p_value(&observed, probabilities)
}

#[test]
fn both_mechanisms_fit() {
    for (seed, (scores, weight)) in cases().iter().enumerate() {
        let expected = exponential_probabilities(scores, weight);
        let p = fit(
            exponential_mechanism,
            scores,
            weight,
            &expected,
            seed as u64,
        );
        assert!(p > ALARM, "exponential {scores:?} {weight}: p = {p:e}");
        let expected = permute_and_flip_probabilities(scores, weight);
        let p = fit(permute_and_flip, scores, weight, &expected, seed as u64);
        assert!(p > ALARM, "permute-and-flip {scores:?} {weight}: p = {p:e}");
    }
}

#[test]
fn one_mechanism_is_not_taken_for_the_other() {
    let (scores, weight) = (&[3, -1, 2], &fraction(1_u8, 2_u8));
    let expected = exponential_probabilities(scores, weight);
    assert!(fit(permute_and_flip, scores, weight, &expected, 1) < ALARM);
    let expected = permute_and_flip_probabilities(scores, weight);
    assert!(fit(exponential_mechanism, scores, weight, &expected, 1) < ALARM);
}

#[test]
fn a_doubled_weight_or_a_lost_candidate_is_caught() {
    let (scores, weight) = (&[10, 7, 12, 9], &fraction(1_u8, 3_u8));
    let expected = exponential_probabilities(scores, weight);
    let doubled: Mechanism =
        |scores, _, random| exponential_mechanism(scores, &fraction(2_u8, 3_u8), random);
    let lost: Mechanism =
        |scores, weight, random| exponential_mechanism(&scores[..3], weight, random);
    let heavier: Mechanism =
        |scores, _, random| exponential_mechanism(scores, &fraction(21_u8, 60_u8), random);
    for mutant in [doubled, lost, heavier] {
        let p = fit(mutant, scores, weight, &expected, 2);
        assert!(p < ALARM, "p = {p:e}");
    }
}

#[test]
fn probabilities_are_right_over_all_streams() {
    for (scores, weight) in cases().into_iter().take(4) {
        let pair = Pair::from(&weight);
        let exponential = Outcomes::of(22, |stream| {
            exponential_from(&scores, &pair, stream).unwrap()
        });
        let flipped = Outcomes::of(22, |stream| {
            permute_and_flip_from(&scores, &pair, stream).unwrap()
        });
        assert!(
            exponential.undecided() < 0.11,
            "{}",
            exponential.undecided()
        );
        assert!(flipped.undecided() < 0.06, "{}", flipped.undecided());
        let expected = exponential_probabilities(&scores, &weight);
        let expected_flipped = permute_and_flip_probabilities(&scores, &weight);
        for candidate in 0..scores.len() {
            assert!(exponential.allow(&candidate, expected[candidate]));
            assert!(flipped.allow(&candidate, expected_flipped[candidate]));
        }
    }
}

#[test]
fn nobody_is_chosen_from_nobody_and_one_from_one() {
    let mut random = PrivateRandom::replay(1);
    let weight = fraction(1_u8, 2_u8);
    for mechanism in [exponential_mechanism as Mechanism, permute_and_flip] {
        assert_eq!(mechanism(&[], &weight, &mut random), None);
        assert_eq!(mechanism(&[i128::MIN], &weight, &mut random), Some(0));
    }
}

#[test]
fn the_best_by_far_is_chosen_however_large_the_numbers() {
    let mut random = PrivateRandom::replay(1);
    let scores = [i128::MIN, 0, i128::MAX, -1];
    // 2^127 behind with a weight of 1 in 10^30: exp(−1.7e8) and less.
    for weight in [
        fraction(u128::MAX, 1_u8),
        fraction(1_u8, 10_u128.pow(30)),
        fraction(UBig::ONE << 200, 3_u8),
    ] {
        for mechanism in [exponential_mechanism as Mechanism, permute_and_flip] {
            assert_eq!(mechanism(&scores, &weight, &mut random), Some(2));
        }
    }
}
