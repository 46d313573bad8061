//! From the noisy histograms of groups to shares: each group is drawn towards the group it was cut from, the more the
//! less its own histogram stands out from its noise (James and Stein 1961).
//!
//! The histograms of the groups add up to those of the groups above, up to the whole table. Going down again, what is
//! known of the group above, restricted to what is possible, is the expectation p; the group's own counts less its
//! people's share of p are r, whose noise is known to have the variance V in all; and λ = max(0, 1 − V/|r|²) of r is
//! believed. All of it works on noisy numbers.

use super::project::{normalised, project};

/// A node of the tree of groups: counts with their variance, and which share of each bin of the group above is
/// possible here.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GroupCounts {
    pub(super) counts: Vec<f64>,
    pub(super) variance: f64,
}

/// One level of the tree of groups; nothing stands where nobody can be.
pub(super) type Level<T> = Vec<Option<T>>;

/// The counts of all levels, the whole table first, from those of the last level.
pub(super) fn summed_up(groups: Level<GroupCounts>) -> Vec<Level<GroupCounts>> {
    let mut levels = vec![groups];
    while levels[0].len() > 1 {
        let above = levels[0]
            .chunks(2)
            .map(|halves| {
                let mut both = halves.iter().flatten().cloned();
                let first = both.next()?;
                Some(both.fold(first, |mut sum, other| {
                    for (count, more) in sum.counts.iter_mut().zip(&other.counts) {
                        *count += more;
                    }
                    sum.variance += other.variance;
                    sum
                }))
            })
            .collect();
        levels.insert(0, above);
    }
    levels
}

/// The shares of the bins in each group of the last level. `people` are the people of every group of every level;
/// `kept(level, group, bin)` is which share of a bin of the group above is possible in a group.
pub(super) fn shares(
    levels: &[Level<GroupCounts>],
    people: &[Vec<f64>],
    kept: impl Fn(usize, usize, usize) -> f64,
) -> Level<Vec<f64>> {
    let whole = levels[0][0].as_ref().map(|whole| {
        let total = people[0][0].max(1.0);
        normalised(project(&whole.counts, total))
    });
    let mut above = vec![whole];
    for (level, groups) in levels.iter().enumerate().skip(1) {
        above = groups
            .iter()
            .enumerate()
            .map(|(number, group)| {
                let (own, parent) = (group.as_ref()?, above[number / 2].as_ref()?);
                let possible: Vec<f64> = (0..parent.len())
                    .map(|bin| kept(level, number, bin))
                    .collect();
                let expected = restricted(parent, &possible);
                Some(shrunk(own, people[level][number], &expected, &possible))
            })
            .collect();
    }
    above
}

/// What is left of shares where only a part of each bin is possible; even shares where nothing is left.
fn restricted(shares: &[f64], possible: &[f64]) -> Vec<f64> {
    let left: Vec<f64> = shares.iter().zip(possible).map(|(a, b)| a * b).collect();
    if left.iter().sum::<f64>() > 0.0 {
        return normalised(left);
    }
    let even = possible
        .iter()
        .map(|&possible| f64::from(possible > 0.0))
        .collect();
    normalised(even)
}

fn shrunk(own: &GroupCounts, people: f64, expected: &[f64], possible: &[f64]) -> Vec<f64> {
    if people <= 0.0 {
        return expected.to_vec();
    }
    let own_counts = own.counts.iter().zip(expected);
    let differences: Vec<f64> = own_counts
        .map(|(count, share)| count - people * share)
        .collect();
    let squared: f64 = differences
        .iter()
        .map(|difference| difference * difference)
        .sum();
    let believed = if squared > 0.0 {
        (1.0 - own.variance / squared).max(0.0)
    } else {
        0.0
    };
    let bins: Vec<usize> = (0..expected.len())
        .filter(|&bin| possible[bin] > 0.0)
        .collect();
    let moved: Vec<f64> = bins
        .iter()
        .map(|&bin| people * expected[bin] + believed * differences[bin])
        .collect();
    let mut shares = vec![0.0; expected.len()];
    for (&bin, share) in bins.iter().zip(normalised(project(&moved, people))) {
        shares[bin] = share;
    }
    shares
}
