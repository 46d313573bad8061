//! Counts that are made fit to be counts, and shapes that are made to have a mean.

use super::super::axis::Axis;
use super::super::marginal::{mean_place, moved, smoothed};
use super::super::project::{apportioned, project};
use super::super::region::Plan;
use super::super::shrink::{Groups, Level, Noisy, shares};
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
fn a_moved_shape_has_the_mean_that_it_is_told() {
    let axes = [Axis::new(&numbers(99, false))];
    let Axis::Numbers(axis) = &axes[0] else {
        panic!("numbers")
    };
    let plan = Plan::new(&axes);
    let region = &plan.cells()[0].as_ref().unwrap().regions[0];
    let shape: Vec<f64> = (0..100).map(|bin| f64::from(100 - bin)).collect();
    for mean in [0.5, 12.0, 33.0, 70.0, 98.5] {
        let shares = moved(axis, &shape, region, mean);
        assert!((mean_place(axis, &shares) - mean).abs() < 0.01, "{mean}");
        let sum: f64 = shares.iter().map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }
    // The mean it has by itself leaves it as it is.
    let whole: Vec<(u32, f64)> = (0..).zip(shape.iter().copied()).collect();
    for (bin, share) in moved(axis, &shape, region, mean_place(axis, &whole)) {
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

fn group(counts: &[f64], variance: f64) -> Noisy {
    Noisy {
        counts: counts.to_vec(),
        variances: vec![variance; counts.len()],
    }
}

/// Everything is possible in every group.
fn anywhere(n_cuts: usize, n_bins: usize) -> Vec<Level<Vec<f64>>> {
    (0..=n_cuts)
        .map(|level| vec![Some(vec![1.0; n_bins]); 1 << level])
        .collect()
}

#[test]
fn a_group_is_believed_as_far_as_it_stands_out_from_its_noise() {
    let people = [vec![200.0], vec![100.0, 100.0]];
    let of = |variance: f64| {
        let groups = vec![
            Some(group(&[90.0, 10.0], variance)),
            Some(group(&[10.0, 90.0], variance)),
        ];
        let known = Groups {
            people: &people,
            masses: &anywhere(1, 2),
        };
        shares(groups, known, None)
    };
    assert_eq!(of(0.0)[0].as_deref(), Some(&[0.9, 0.1][..]));
    // The contrast is 40 in either bin, its noise has half the variance: as much as 40², and nothing is believed.
    assert_eq!(of(3_200.0)[0].as_deref(), Some(&[0.5, 0.5][..]));
    assert_eq!(of(1_600.0)[1].as_deref(), Some(&[0.3, 0.7][..]));
}

#[test]
fn a_small_group_that_looks_like_the_others_brings_no_noise_into_the_whole() {
    // A tenth of the people, the same shares: least squares says (0.1·30 + 0.9·270) / (0.1² + 0.9²) = 300 for the
    // first bin, and the same with 82 more people of noise in the small group: 310, where the sum would say 382.
    let people = [vec![1_000.0], vec![100.0, 900.0]];
    let known = Groups {
        people: &people,
        masses: &anywhere(1, 2),
    };
    let first_of_large = |extra: f64| {
        let small = group(&[30.0 + extra, 70.0 - extra], 1e6);
        let found = shares(
            vec![Some(small), Some(group(&[270.0, 630.0], 1e6))],
            known,
            None,
        );
        found[1].as_ref().unwrap()[0]
    };
    assert!((first_of_large(0.0) - 0.3).abs() < 1e-3);
    assert!((first_of_large(82.0) - 0.31).abs() < 1e-3);
}

#[test]
fn what_else_is_known_of_the_whole_counts_by_its_variance() {
    let people = [vec![100.0]];
    let known = Groups {
        people: &people,
        masses: &anywhere(0, 2),
    };
    let whole = group(&[80.0, 20.0], 1.0);
    let found = shares(vec![Some(group(&[40.0, 60.0], 3.0))], known, Some(&whole));
    assert_eq!(found[0].as_deref(), Some(&[0.7, 0.3][..]));
}

#[test]
fn a_group_has_nothing_of_what_is_impossible_there() {
    let people = [vec![100.0], vec![100.0, 0.0]];
    let masses = [
        vec![Some(vec![1.0, 1.0, 1.0])],
        vec![Some(vec![0.0, 1.0, 0.5]), Some(vec![1.0, 0.0, 0.5])],
    ];
    let known = Groups {
        people: &people,
        masses: &masses,
    };
    let groups = vec![
        Some(group(&[0.0, 60.0, 40.0], 0.0)),
        Some(group(&[0.0, 0.0, 0.0], 0.0)),
    ];
    let found = shares(groups, known, None);
    assert_eq!(found[0].as_deref(), Some(&[0.0, 0.6, 0.4][..]));
    // Nobody is in the second: the shape of the whole, restricted.
    assert_eq!(found[1].as_deref(), Some(&[0.0, 0.0, 1.0][..]));
    let alone = vec![Some(group(&[0.0, 60.0, 40.0], 0.0)), None];
    let masses = [masses[0].clone(), vec![masses[1][0].clone(), None]];
    let known = Groups {
        people: &people,
        masses: &masses,
    };
    assert_eq!(shares(alone, known, None)[1], None);
}
