//! Exact confidence bounds for a probability (Clopper and Pearson 1934).

use statrs::function::beta::beta_reg;

/// A probability that is at most the true one, except with probability `alarm`.
pub(super) fn lower_bound(successes: u64, runs: u64, alarm: f64) -> f64 {
    if successes == 0 {
        return 0.0;
    }
    // The p for which so many successes, or more, have probability `alarm`.
    let (a, b) = (successes as f64, (runs - successes + 1) as f64);
    solve(|p| beta_reg(a, b, p) < alarm)
}

/// A probability that is at least the true one, except with probability `alarm`.
pub(super) fn upper_bound(successes: u64, runs: u64, alarm: f64) -> f64 {
    if successes == runs {
        return 1.0;
    }
    // The p for which so few successes, or fewer, have probability `alarm`. The tail is computed as such: subtracted
    // from 1 it would be lost.
    let (a, b) = ((runs - successes) as f64, (successes + 1) as f64);
    1.0 - solve(|q| beta_reg(a, b, q) < alarm)
}

/// The point of [0, 1] up to which something holds.
fn solve(holds_at: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if holds_at(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
