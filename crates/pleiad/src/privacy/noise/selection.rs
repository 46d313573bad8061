//! Private selection: one of several candidates, the better its score the likelier.
//!
//! Scores are integers, the weight c is rational, and what decides is c times a score. Scores that are rational with
//! a public common denominator become integers by dividing c by it.
//!
//! Let u* be the largest score. Both mechanisms toss, for a candidate i, a coin with probability
//! qᵢ = exp(−c·(u* − uᵢ)), exactly: the exponent is a rational, and the differences of `i128` fit `u128`.
//!
//! # Exponential mechanism (`McSherry` and Talwar 2007)
//! Draw a candidate uniformly, keep it with probability qᵢ, else draw again. Given that a try is kept, it is i with
//! probability qᵢ / Σ qⱼ = exp(c·uᵢ) / Σ exp(c·uⱼ). ∎ The best candidate is always kept, so one of k tries is on
//! average, at worst.
//!
//! # Permute-and-flip (`McKenna` and Sheldon 2020)
//! Go through the candidates in a uniform random order, and take the first whose coin falls heads. The best one's
//! always does, so one is taken. Never worse than the exponential mechanism in expected score, at the same cost in
//! pure ε; at most k tries.
//!
//! # Privacy
//! With fᵢ the change of score i between two neighbours, the loss of either mechanism is at most
//! c·(max f − min f). A change common to all candidates cancels. So c = ε/range, where the range is at most twice the
//! sensitivity, and the sensitivity itself if all scores can only move the same way with one person more. The list of
//! candidates, and c, must not depend on the data.

use dashu_int::UBig;

use super::bernoulli::bernoulli_exp;
use super::entropy::{Bits, PrivateRandom};
use super::fraction::Fraction;
use super::natural::{Natural, Pair};

/// Chooses candidate i with probability proportional to exp(`weight` · `scores[i]`). `None` if there is no candidate.
///
/// # Cost
/// Σ over the candidates of exp(`weight` · (score − best)) goes into their number this many times on average: one try,
/// if all are equal, to as many as there are candidates. A try is a uniform number and a coin.
pub fn exponential_mechanism(
    scores: &[i128],
    weight: &Fraction,
    random: &mut PrivateRandom,
) -> Option<usize> {
    exponential_from(scores, &Pair::from(weight), random)
}

/// Chooses a candidate by permute-and-flip with coins exp(`weight` · (`scores[i]` − best)). `None` if there is no
/// candidate.
///
/// # Cost
/// At most one uniform number and one coin for each candidate.
pub fn permute_and_flip(
    scores: &[i128],
    weight: &Fraction,
    random: &mut PrivateRandom,
) -> Option<usize> {
    permute_and_flip_from(scores, &Pair::from(weight), random)
}

pub(super) fn exponential_from(
    scores: &[i128],
    weight: &Pair,
    random: &mut impl Bits,
) -> Option<usize> {
    let coins = Coins::new(scores, weight)?;
    loop {
        let candidate = u128::below(&(scores.len() as u128), random) as usize;
        if coins.toss(scores[candidate], random) {
            return Some(candidate);
        }
    }
}

pub(super) fn permute_and_flip_from(
    scores: &[i128],
    weight: &Pair,
    random: &mut impl Bits,
) -> Option<usize> {
    let coins = Coins::new(scores, weight)?;
    // The part of the order that is not drawn yet, in any arrangement. The best candidate's coin always falls heads,
    // so the search ends with a candidate.
    let mut waiting: Vec<usize> = (0..scores.len()).collect();
    (1..=scores.len()).rev().find_map(|left| {
        let candidate = waiting.swap_remove(u128::below(&(left as u128), random) as usize);
        coins.toss(scores[candidate], random).then_some(candidate)
    })
}

/// The coins of all candidates.
struct Coins<'a> {
    best: i128,
    weight: &'a Pair,
}

impl<'a> Coins<'a> {
    /// `None` without candidates.
    fn new(scores: &[i128], weight: &'a Pair) -> Option<Self> {
        let best = *scores.iter().max()?;
        Some(Self { best, weight })
    }

    /// Heads with probability exp(−weight · (best − score)).
    fn toss(&self, score: i128, random: &mut impl Bits) -> bool {
        let behind = self.best.abs_diff(score);
        match self.weight {
            Pair::Narrow(numerator, denominator) => {
                if let Some(exponent) = numerator.checked_mul(behind) {
                    bernoulli_exp(&exponent, denominator, random)
                } else {
                    let exponent = UBig::from(*numerator) * behind;
                    bernoulli_exp(&exponent, &UBig::from(*denominator), random)
                }
            }
            Pair::Wide(numerator, denominator) => {
                bernoulli_exp(&(numerator * behind), denominator, random)
            }
        }
    }
}
