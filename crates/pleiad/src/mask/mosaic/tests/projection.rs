//! Counts that are made fit to be counts.

use super::super::project::{apportioned, project};
use super::Dice;

/// The projection by bisection on the amount that everything is lowered by.
fn by_bisection(noisy: &[f64], total: f64) -> Vec<f64> {
    let lowered = |amount: f64| -> Vec<f64> {
        noisy
            .iter()
            .map(|value| (value - amount).max(0.0))
            .collect()
    };
    let most = noisy.iter().copied().fold(f64::MIN, f64::max);
    let (mut low, mut high) = (most - total - 1.0, most);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if lowered(middle).iter().sum::<f64>() > total {
            low = middle;
        } else {
            high = middle;
        }
    }
    lowered(high)
}

#[test]
fn the_projection_is_the_nearest_point() {
    let mut dice = Dice::new(51);
    for _ in 0..2_000 {
        let n = dice.between(1, 12);
        let noisy: Vec<f64> = (0..n)
            .map(|_| dice.between(0, 200) as f64 - 100.0)
            .collect();
        let total = dice.between(1, 300) as f64;
        let projected = project(&noisy, total);
        let expected = by_bisection(&noisy, total);
        for (one, other) in projected.iter().zip(&expected) {
            assert!((one - other).abs() < 1e-6, "{noisy:?} to {total}");
        }
        assert!((projected.iter().sum::<f64>() - total).abs() < 1e-6);
    }
}

#[test]
fn whole_numbers_add_up_and_stay_within_one() {
    let mut dice = Dice::new(52);
    for _ in 0..2_000 {
        let n = dice.between(1, 12);
        let shares: Vec<f64> = (0..n).map(|_| dice.between(0, 1000) as f64 / 7.0).collect();
        let sum: f64 = shares.iter().sum();
        if sum == 0.0 {
            continue;
        }
        let total = dice.between(0, 5_000) as u64;
        let whole = apportioned(&shares, total);
        assert_eq!(whole.iter().sum::<u64>(), total);
        for (share, whole) in shares.iter().zip(whole) {
            assert!((share / sum * total as f64 - whole as f64).abs() < 1.0);
        }
    }
}
