//! Repeatable choices.
//!
//! Everything is drawn from whole 32-bit words with additions, products, quotients and square roots only. These are exact or
//! correctly rounded on every machine, and do not depend on how a library turns words into ranges, so a seed means the same bytes
//! everywhere and in later versions.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// Values with their relative weights.
pub(super) type Mix<T> = &'static [(T, u32)];

/// What a stream of choices is about; streams of different topics never share a word.
#[derive(Clone, Copy)]
pub(super) enum Topic {
    Grouping = 0,
    Patient = 1,
    Stay = 2,
}

pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// The choices about one thing, the same whenever and in whatever order they are asked for.
    pub(super) fn new(seed: u64, topic: Topic, index: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = topic as u8;
        let mut words = ChaCha8Rng::from_seed(key);
        words.set_stream(index);
        Self(words)
    }

    /// A whole number in `0..bound`.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// A whole number in `0..bound` where small numbers are the more frequent ones.
    pub(super) fn below_skewed(&mut self, bound: u32) -> u32 {
        let share = self.unit();
        (share * share * f64::from(bound)) as u32
    }

    /// A number in `[0, 1)`.
    pub(super) fn unit(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / 4_294_967_296.0
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// A bell-shaped number: four uniform ones, scaled to the given mean and standard deviation.
    pub(super) fn bell(&mut self, mean: f64, deviation: f64) -> f64 {
        let sum = self.unit() + self.unit() + self.unit() + self.unit();
        mean + deviation * (sum - 2.0) * 3.0_f64.sqrt()
    }

    /// A long-tailed number (log-logistic of shape 2) in `[0, limit)`.
    pub(super) fn long_tail(&mut self, median: f64, limit: f64) -> f64 {
        let reach = limit / median;
        let below_limit = reach * reach / (1.0 + reach * reach);
        let share = self.unit() * below_limit;
        median * (share / (1.0 - share)).sqrt()
    }

    pub(super) fn pick<T: Copy>(&mut self, mix: Mix<T>) -> T {
        self.pick_where(mix, |_| true)
    }

    /// A value of the mix among those allowed; some allowed value must have a weight.
    pub(super) fn pick_where<T: Copy>(&mut self, mix: Mix<T>, allowed: impl Fn(T) -> bool) -> T {
        let candidates = || mix.iter().filter(|(value, _)| allowed(*value));
        let total = candidates().map(|(_, weight)| weight).sum();
        let mut left = self.below(total);
        for &(value, weight) in candidates() {
            if left < weight {
                return value;
            }
            left -= weight;
        }
        unreachable!("a number below the total of the weights falls on one of them")
    }
}
