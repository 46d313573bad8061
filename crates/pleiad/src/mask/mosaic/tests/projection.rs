//! Counts that are made fit to be counts, and shapes that are made to have a mean.

use super::super::axis::Axis;
use super::super::marginal::{mean_place, smoothed, tilted};
use super::super::project::{apportioned, project};
use super::super::region::Plan;
use super::super::shrink::{GroupCounts, shares, summed_up};
use super::{Dice, numbers};

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

#[test]
fn a_tilted_shape_has_the_mean_that_it_is_told() {
    let axes = [Axis::new(&numbers(99, false))];
    let Axis::Numbers(axis) = &axes[0] else {
        panic!("numbers")
    };
    let plan = Plan::new(&axes);
    let region = &plan.cells()[0].as_ref().unwrap().regions[0];
    let shape: Vec<f64> = (0..100).map(|bin| f64::from(100 - bin)).collect();
    for mean in [0.5, 12.0, 33.0, 70.0, 98.5] {
        let shares = tilted(axis, &shape, region, mean);
        assert!((mean_place(axis, &shares) - mean).abs() < 0.01, "{mean}");
        let sum: f64 = shares.iter().map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }
    // The mean it has by itself leaves it as it is.
    let whole: Vec<(u32, f64)> = (0..).zip(shape.iter().copied()).collect();
    for (bin, share) in tilted(axis, &shape, region, mean_place(axis, &whole)) {
        let own = shape[bin as usize] / shape.iter().sum::<f64>();
        assert!((share - own).abs() < 1e-6);
    }
}

#[test]
fn smoothing_keeps_what_stands_out_and_evens_out_what_does_not() {
    let mut noisy = vec![3_i64, -4, 2, 5, -1, 0, 4, -2];
    noisy[5] = 1_000;
    let kept = smoothed(&noisy, 8.0, 1_007.0);
    assert!((kept[5] - 1_000.0).abs() < 15.0, "{kept:?}");
    assert!((kept.iter().sum::<f64>() - 1_007.0).abs() < 1e-6);
    let even = smoothed(&[12, 9, 11, 8], 1_000.0, 40.0);
    assert_eq!(even, [10.0; 4]);
}

fn group(counts: &[f64], variance: f64) -> GroupCounts {
    GroupCounts {
        counts: counts.to_vec(),
        variance,
    }
}

#[test]
fn a_group_is_believed_as_far_as_it_stands_out_from_its_noise() {
    let people = [vec![200.0], vec![100.0, 100.0]];
    let of = |variance: f64| {
        let groups = vec![
            Some(group(&[90.0, 10.0], variance)),
            Some(group(&[10.0, 90.0], variance)),
        ];
        shares(&summed_up(groups), &people, |_, _, _| 1.0)
    };
    assert_eq!(of(0.0)[0].as_deref(), Some(&[0.9, 0.1][..]));
    // |r|² is 2·40²: more noise than that, and nothing is believed.
    assert_eq!(of(3_200.0)[0].as_deref(), Some(&[0.5, 0.5][..]));
    assert_eq!(of(1_600.0)[1].as_deref(), Some(&[0.3, 0.7][..]));
}

#[test]
fn a_group_has_nothing_of_what_is_impossible_there() {
    let people = [vec![100.0], vec![100.0, 0.0]];
    let groups = vec![Some(group(&[0.0, 60.0, 40.0], 1e9)), None];
    let levels = summed_up(groups);
    let found = shares(&levels, &people, |_, _, bin| [0.0, 1.0, 0.5][bin]);
    let expected = [0.0, 60.0 / 80.0, 20.0 / 80.0];
    for (share, expected) in found[0].as_ref().unwrap().iter().zip(expected) {
        assert!((share - expected).abs() < 1e-9);
    }
    assert_eq!(found[1], None);
}
