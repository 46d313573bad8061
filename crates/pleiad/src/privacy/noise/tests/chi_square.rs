//! Pearson's test of draws against exact probabilities.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The probability that any of the statistical tests of this folder fails although every sampler is right.
pub(super) const FALSE_ALARM: f64 = 1e-9;

/// At least as many p-values as the statistical tests of this folder look at; each gets an equal part of the rate.
const P_VALUES: f64 = 100.0;

/// A right sampler has a p-value below this with probability 1e-11, as far as the statistic follows its limit; cells
/// with fewer than [`SMALLEST`] expected draws are pooled so that it does.
pub(super) const ALARM: f64 = FALSE_ALARM / P_VALUES;

const SMALLEST: f64 = 100.0;

/// p-value of the hypothesis that `observed` counts come from cells with these probabilities, neighbours pooled.
pub(super) fn p_value(observed: &[u64], probabilities: &[f64]) -> f64 {
    assert_eq!(observed.len(), probabilities.len());
    let draws = observed.iter().sum::<u64>() as f64;
    let total: f64 = probabilities.iter().sum();
    assert!((total - 1.0).abs() < 1e-9, "the cells cover {total}");

    let mut pooled: Vec<(f64, f64)> = vec![(0.0, 0.0)];
    for (&count, &probability) in observed.iter().zip(probabilities) {
        let last = pooled.last_mut().unwrap();
        last.0 += count as f64;
        last.1 += probability * draws;
        if last.1 >= SMALLEST {
            pooled.push((0.0, 0.0));
        }
    }
    // What is left over joins the last cell that is large enough.
    let rest = pooled.pop().unwrap();
    let last = pooled
        .last_mut()
        .expect("there are enough draws for a cell");
    last.0 += rest.0;
    last.1 += rest.1;
    assert!(pooled.len() > 1, "one cell tells nothing");

    let statistic: f64 = pooled
        .iter()
        .map(|(count, expected)| (count - expected).powi(2) / expected)
        .sum();
    ChiSquared::new(pooled.len() as f64 - 1.0)
        .unwrap()
        .sf(statistic)
}
