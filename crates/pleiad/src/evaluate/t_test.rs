//! Is one method better than another over repeated runs, or was it luck?

use statrs::distribution::{ContinuousCDF, StudentsT};
use std::error::Error;
use std::fmt;

/// The outcome of [`paired_t_test`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TTest {
    /// Mean of the differences a − b over its standard error. Infinite when all differences are the same.
    pub statistic: f64,
    /// One less than the number of pairs.
    pub degrees_of_freedom: u64,
    /// The probability of a statistic at least as large if the means were equal, in [0, 1].
    pub p_value: f64,
}

/// Why there is nothing to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untestable {
    /// One pair has no spread to judge it by, and no pair has nothing to judge.
    TooFewPairs,
    /// Every pair is a draw: no difference, and no spread to measure its absence by.
    AllEqual,
    /// A value, or the difference of a pair, is infinite or not a number.
    NotFinite,
}

impl fmt::Display for Untestable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooFewPairs => "a paired t-test needs at least two pairs",
            Self::AllEqual => "the two sides are equal in every pair",
            Self::NotFinite => "a difference is infinite or not a number",
        })
    }
}

impl Error for Untestable {}

/// Paired one-tailed t-test of the hypothesis that the mean of `a` is greater than the mean of `b`.
///
/// With the differences d = a − b of m pairs, their mean d̄ and their standard deviation s (divisor m − 1),
///
/// ```text
/// statistic = d̄ / (s / √m),   p = P(T > statistic), T Student's t with m − 1 degrees of freedom.
/// ```
///
/// A small p-value speaks for "greater"; exchanging `a` and `b` gives 1 − p.
///
/// The same as `SciPy` gives (`ttest_rel` with `alternative="greater"`) wherever that is a number. In
/// particular differences that are all the same and not zero give an infinite statistic and
/// p = 0 (all positive) or p = 1 (all negative). Where it answers "not a number", the answer here is
/// [`Untestable`].
///
/// # Panics
/// If the slices differ in length: the test is about pairs.
pub fn paired_t_test(a: &[f64], b: &[f64]) -> Result<TTest, Untestable> {
    assert_eq!(a.len(), b.len(), "a paired test needs whole pairs");
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    if !differences.iter().all(|difference| difference.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    if differences.len() < 2 {
        return Err(Untestable::TooFewPairs);
    }
    let largest = differences
        .iter()
        .fold(0.0_f64, |most, d| most.max(d.abs()));
    if largest == 0.0 {
        return Err(Untestable::AllEqual);
    }

    // The statistic does not depend on the scale. On this one squares neither overflow nor vanish, and equal
    // differences are exactly ±1, so that their variance is exactly 0.
    let scaled = || differences.iter().map(|difference| difference / largest);
    let pairs = differences.len() as f64;
    let freedom = pairs - 1.0;
    let mean = scaled().sum::<f64>() / pairs;
    let variance = scaled().map(|d| (d - mean).powi(2)).sum::<f64>() / freedom;
    let (statistic, p_value) = if variance == 0.0 {
        (
            f64::INFINITY.copysign(mean),
            if mean > 0.0 { 0.0 } else { 1.0 },
        )
    } else {
        let statistic = mean / (variance / pairs).sqrt();
        let student = StudentsT::new(0.0, 1.0, freedom)
            .expect("the scale is positive, and two pairs leave a degree of freedom");
        (statistic, student.sf(statistic))
    };
    Ok(TTest {
        statistic,
        degrees_of_freedom: differences.len() as u64 - 1,
        p_value,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "signs and ends are exact")]

    use super::*;
    use proptest::prelude::*;

    /// Expected values from `SciPy` 1.17.1, `ttest_rel(a, b, alternative="greater")`.
    fn agrees(a: &[f64], b: &[f64], statistic: f64, p_value: f64) {
        let close =
            |actual: f64, expected: f64| (actual - expected).abs() <= 1e-11 * expected.abs();
        let test = paired_t_test(a, b).expect("the pairs differ");
        assert_eq!(test.degrees_of_freedom, a.len() as u64 - 1);
        assert!(close(test.statistic, statistic), "{test:?}");
        assert!(close(test.p_value, p_value), "{test:?}");
    }

    #[test]
    fn agrees_with_scipy() {
        let better = [0.91, 0.87, 0.93, 0.90, 0.95];
        let worse = [0.80, 0.85, 0.79, 0.88, 0.81];
        agrees(
            &better,
            &worse,
            3.127_789_760_049_225_3,
            0.017_630_186_713_393_392,
        );
        agrees(
            &worse,
            &better,
            -3.127_789_760_049_225_3,
            0.982_369_813_286_606_6,
        );
        agrees(&[3.0, 5.0], &[1.0, 4.0], 3.0, 0.102_416_382_349_566_72);
        agrees(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 3.0], 0.0, 0.5);
    }

    #[test]
    fn tiny_p_values_keep_their_digits() {
        let better: Vec<f64> = (0..20)
            .map(|run| 0.9 + 0.01 * f64::from(7 * run % 5))
            .collect();
        let worse: Vec<f64> = (0..20)
            .map(|run| 0.4 + 0.01 * f64::from(3 * run % 7))
            .collect();
        agrees(
            &better,
            &worse,
            89.181_818_181_818_17,
            1.094_850_661_829_914e-26,
        );
    }

    #[test]
    fn equal_differences_decide_without_doubt() {
        for pairs in 2..12 {
            let higher = vec![0.1; pairs];
            let lower = vec![0.0; pairs];
            let greater = paired_t_test(&higher, &lower).expect("the pairs differ");
            assert_eq!((greater.statistic, greater.p_value), (f64::INFINITY, 0.0));
            let smaller = paired_t_test(&lower, &higher).expect("the pairs differ");
            assert_eq!(
                (smaller.statistic, smaller.p_value),
                (f64::NEG_INFINITY, 1.0)
            );
        }
    }

    #[test]
    fn what_cannot_be_tested_is_said() {
        assert_eq!(paired_t_test(&[], &[]), Err(Untestable::TooFewPairs));
        assert_eq!(paired_t_test(&[1.0], &[0.0]), Err(Untestable::TooFewPairs));
        assert_eq!(
            paired_t_test(&[1.0, 2.0], &[1.0, 2.0]),
            Err(Untestable::AllEqual)
        );
        assert_eq!(
            paired_t_test(&[1.0, f64::NAN], &[0.0, 0.0]),
            Err(Untestable::NotFinite)
        );
        assert_eq!(
            paired_t_test(&[f64::MAX, 0.0], &[f64::MIN, 0.0]),
            Err(Untestable::NotFinite)
        );
    }

    #[test]
    #[should_panic(expected = "whole pairs")]
    fn half_a_pair_is_refused() {
        let _ = paired_t_test(&[1.0, 2.0], &[1.0]);
    }

    #[test]
    fn extreme_scales_neither_overflow_nor_vanish() {
        let plain = paired_t_test(&[3.0, 5.0, 4.0], &[1.0, 4.0, 1.5]).expect("the pairs differ");
        for scale in [2.0_f64.powi(-1000), 2.0_f64.powi(1000)] {
            let a = [3.0, 5.0, 4.0].map(|value| value * scale);
            let b = [1.0, 4.0, 1.5].map(|value| value * scale);
            assert_eq!(paired_t_test(&a, &b), Ok(plain));
        }
    }

    proptest! {
        #[test]
        fn the_two_tails_are_complements(pairs in prop::collection::vec((-10.0..10.0_f64, -10.0..10.0_f64), 2..40)) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let test = paired_t_test(&a, &b).expect("the pairs differ");
            let reverse = paired_t_test(&b, &a).expect("the pairs differ");
            prop_assert!((0.0..=1.0).contains(&test.p_value));
            prop_assert_eq!(test.statistic, -reverse.statistic);
            prop_assert!((test.p_value + reverse.p_value - 1.0).abs() < 1e-12);
            prop_assert_eq!(test.statistic > 0.0, test.p_value < 0.5);
        }

        #[test]
        fn no_finite_input_gives_a_silent_not_a_number(values in prop::collection::vec((any::<f64>(), any::<f64>()), 0..8)) {
            let (a, b): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
            if let Ok(test) = paired_t_test(&a, &b) {
                prop_assert!(!test.statistic.is_nan());
                prop_assert!((0.0..=1.0).contains(&test.p_value));
            }
        }
    }
}
