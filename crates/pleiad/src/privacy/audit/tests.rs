use super::confidence::{lower_bound, upper_bound};
use super::{Audit, Feature, largest_change};

/// The probability of at most `k` successes in `n` runs, added up term by term.
fn at_most(k: u64, n: u64, p: f64) -> f64 {
    let mut term = (1.0 - p).powi(n as i32);
    let mut sum = term;
    for i in 0..k {
        term *= (n - i) as f64 / (i + 1) as f64 * p / (1.0 - p);
        sum += term;
    }
    sum
}

#[test]
fn bounds_leave_just_the_allowed_probability_outside() {
    for (k, n) in [(1, 10), (3, 10), (5, 40), (39, 40), (17, 100)] {
        for alarm in [0.05, 1e-3, 1e-6] {
            let low = lower_bound(k, n, alarm);
            let high = upper_bound(k, n, alarm);
            assert!(low < k as f64 / n as f64 && k as f64 / (n as f64) < high);
            let above = 1.0 - at_most(k - 1, n, low);
            let below = at_most(k, n, high);
            assert!(
                (above / alarm - 1.0).abs() < 1e-6,
                "{k} {n} {alarm}: {above}"
            );
            assert!(
                (below / alarm - 1.0).abs() < 1e-6,
                "{k} {n} {alarm}: {below}"
            );
        }
    }
    assert_eq!(lower_bound(0, 10, 0.05), 0.0);
    assert_eq!(upper_bound(10, 10, 0.05), 1.0);
}

#[test]
fn the_rule_of_three() {
    // No success in n runs: p is below −ln(α)/n, nearly.
    let bound = upper_bound(0, 1_000_000, 0.05);
    assert!((bound * 1e6 - 2.9957).abs() < 1e-3, "{bound}");
}

#[test]
fn equal_inputs_show_nothing() {
    let mut turn = 0_i64;
    let mut next = || {
        turn = (turn * 7919 + 104_729) % 1_000_003;
        turn % 50
    };
    let outputs: Vec<i64> = (0..40_000).map(|_| next()).collect();
    let mut first = outputs.iter().copied();
    let mut second = outputs.iter().rev().copied();
    let finding = Audit {
        runs: 20_000,
        ..Audit::default()
    }
    .bound(
        || first.next().unwrap(),
        || second.next().unwrap(),
        &[Feature::new("output", |output: &i64| *output)],
    );
    assert!(finding.epsilon < 0.05, "{finding:?}");
}

#[test]
fn an_output_that_only_one_input_has_is_found() {
    let finding = Audit::default().bound(
        || 1_i64,
        || 2_i64,
        &[Feature::new("output", |output: &i64| *output)],
    );
    // 5,000 runs that always, and never, show it: no more than this can be said with such confidence.
    assert!(finding.epsilon > 5.0, "{finding:?}");
    assert_eq!(finding.event, "output = 1, on the first");
}

#[test]
fn delta_is_taken_off() {
    let mut turn = 0;
    let outcome = |turn: &mut u32| {
        *turn += 1;
        i64::from(turn.is_multiple_of(10))
    };
    let audit = |delta: f64, turn: &mut u32| {
        let finding = Audit {
            delta,
            ..Audit::default()
        }
        .bound(
            || outcome(turn),
            || 0,
            &[Feature::new("output", |output: &i64| *output)],
        );
        finding.epsilon
    };
    assert!(audit(0.0, &mut turn) > 2.0);
    assert_eq!(audit(0.1, &mut turn), 0.0);
}

#[test]
fn changes_of_scores_are_measured_with_their_range() {
    let pairs = [(vec![1, 2, 3], vec![2, 2, 1]), (vec![0], vec![-5])];
    let change = largest_change(pairs, |scores: &Vec<i128>| scores.clone());
    assert_eq!((change.single, change.range), (5, 3));
}
