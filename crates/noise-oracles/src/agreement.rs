//! Two samples, one distribution?
//!
//! Draws of both are counted in cells of an eighth of the width. With as many draws on either side, the sum over cells
//! of (a − b)²/(a + b) follows a chi-square distribution with one degree of freedom less than there are cells, if both
//! come from the same distribution (Pearson's test of homogeneity). Cells with few draws are pooled with a neighbour.

use std::collections::BTreeMap;

use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::Result;
use crate::samplers::{Draws, Noise, opendp, ours, prio};

/// The probability that a run fails although all samplers are right.
const FALSE_ALARM: f64 = 1e-9;

/// Each distribution is compared with two oracles; every comparison gets an equal part of the rate.
const ALARM: f64 = FALSE_ALARM / (2 * Noise::ALL.len()) as f64;

const DRAWS: usize = 200_000;

/// Draws of both sides that a cell needs.
const SMALLEST: f64 = 200.0;

pub(crate) fn run() -> Result<()> {
    println!(
        "two-sample tests, {DRAWS} draws a side, alarm below p = {ALARM:.1e} ({FALSE_ALARM:e} for the run)"
    );
    let mut failed = false;
    for noise in Noise::ALL {
        let against_opendp = p_value(ours(noise)?, opendp(noise), noise.width());
        let against_prio = p_value(ours(noise)?, prio(noise)?, noise.width());
        failed |= against_opendp < ALARM || against_prio < ALARM;
        println!(
            "{:<36} opendp p = {against_opendp:.3}   prio p = {against_prio:.3}",
            format!("{noise:?}")
        );
    }
    if failed {
        return Err("a sampler differs from its oracle".into());
    }
    Ok(())
}

fn p_value(mut one: Draws, mut other: Draws, width: f64) -> f64 {
    let step = ((width / 8.0) as i128).max(1);
    let mut cells: BTreeMap<i128, (f64, f64)> = BTreeMap::new();
    for _ in 0..DRAWS {
        cells.entry(one().div_euclid(step)).or_default().0 += 1.0;
        cells.entry(other().div_euclid(step)).or_default().1 += 1.0;
    }
    let mut pooled = vec![(0.0, 0.0)];
    for (a, b) in cells.into_values() {
        let last = pooled.len() - 1;
        pooled[last].0 += a;
        pooled[last].1 += b;
        if pooled[last].0 + pooled[last].1 >= SMALLEST {
            pooled.push((0.0, 0.0));
        }
    }
    // The last one was begun and may hold too few.
    let rest = pooled.pop().unwrap_or_default();
    if let Some(last) = pooled.last_mut() {
        last.0 += rest.0;
        last.1 += rest.1;
    }
    let statistic: f64 = pooled.iter().map(|(a, b)| (a - b).powi(2) / (a + b)).sum();
    ChiSquared::new(pooled.len() as f64 - 1.0)
        .expect("there are at least two cells at these widths")
        .sf(statistic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_agree_with_both_oracles() {
        run().unwrap();
    }

    #[test]
    fn a_width_off_by_a_twentieth_is_caught() {
        for noise in Noise::ALL {
            let p = p_value(
                ours(noise.wider()).unwrap(),
                prio(noise).unwrap(),
                noise.width(),
            );
            assert!(p < ALARM, "{noise:?}: p = {p:e}");
        }
    }
}
