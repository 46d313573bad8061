//! From the noisy histograms of groups to shares: each group is drawn towards the group it was cut from, the more the
//! less the two halves of a cut stand out from their noise.
//!
//! Of a group's x people in a bin, a cut is expected to send the share f to its first half; what it sends there beyond
//! f·x is d, and that is missing in the second. Before anything is seen, d is a normal number around 0 with a variance
//! t that is larger for bins with more people. Then everything follows (Kalman 1960, on a tree):
//! * t is what the contrast (1−f)·first − f·second has beyond its noise, in the mean over the bins; never below 0
//!   (James and Stein 1961). The contrast does not depend on x.
//! * *Upwards* the two halves tell what x is. Where t is small, a half with few people says next to nothing about x and
//!   its noise is left out: the plain sum of the groups would carry the noise of all of them.
//! * *Downwards*, given x, both halves tell d, and t over t plus noise of it is believed.
//!
//! Bins that are possible in one half only are that half's alone. All of it works on noisy numbers.

use super::project::{normalised, project};

/// The part of the expected differences that all bins have in common; the rest goes by the people in them.
const EVEN: f64 = 0.3;

/// Counts over bins with the variance of each; both are 0 where a bin is impossible.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Noisy {
    pub(super) counts: Vec<f64>,
    pub(super) variances: Vec<f64>,
}

/// One level of the tree of groups; nothing stands where nobody can be.
pub(super) type Level<T> = Vec<Option<T>>;

/// What is known beside the histograms about the groups of all levels, the whole table first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Groups<'a> {
    pub(super) people: &'a [Vec<f64>],
    /// How much of each bin is possible, in the same measure for all groups: more than 0 where anything is.
    pub(super) masses: &'a [Level<Vec<f64>>],
}

/// The shares of the bins in each group of the last level. `whole` is what else is known of the whole table.
pub(super) fn shares(
    noisy: Level<Noisy>,
    groups: Groups<'_>,
    whole: Option<&Noisy>,
) -> Level<Vec<f64>> {
    let Some(whole_mass) = &groups.masses[0][0] else {
        return Vec::new();
    };
    let total = groups.people[0][0].max(1.0);
    let plain_sum = noisy
        .iter()
        .flatten()
        .fold(vec![0.0; whole_mass.len()], |sum, group| {
            sum.iter().zip(&group.counts).map(|(a, b)| a + b).collect()
        });
    let first_guess = density(&project(&plain_sum, total), whole_mass);

    let mut levels = vec![noisy];
    let mut spreads: Vec<Level<Vec<f64>>> = Vec::new();
    for level in (1..groups.masses.len()).rev() {
        let (above, spread): (Level<Noisy>, Level<Vec<f64>>) = levels[0]
            .chunks(2)
            .enumerate()
            .map(|(number, halves)| {
                let Some(pair) = Pair::new(groups, level, number, halves) else {
                    return (halves.iter().flatten().next().cloned(), None);
                };
                let first = pair.first_shares(&first_guess);
                let spread = pair.spread(&first, &pair.importance(&first_guess));
                (Some(pair.above(&first, &spread)), Some(spread))
            })
            .unzip();
        levels.insert(0, above);
        spreads.insert(0, spread);
    }

    let root = levels[0][0].as_ref().map(|root| {
        let counts = whole.map_or_else(|| root.counts.clone(), |whole| combined(root, whole));
        project(&counts, total)
    });
    let mut above = vec![root];
    for (level, halves) in levels.iter().enumerate().skip(1) {
        above = above
            .iter()
            .enumerate()
            .flat_map(|(number, parent)| {
                let halves = &halves[2 * number..2 * number + 2];
                let spread = &spreads[level - 1][number];
                let both = Pair::new(groups, level, number, halves);
                match (parent, both, spread) {
                    (Some(parent), Some(pair), Some(spread)) => {
                        pair.below(parent, spread).map(Some)
                    }
                    _ => [0, 1].map(|half| halves[half].as_ref().and_then(|_| parent.clone())),
                }
            })
            .collect();
    }
    above
        .into_iter()
        .map(|counts| counts.map(normalised))
        .collect()
}

/// Two estimates of the same counts as one, each believed by its variance.
fn combined(one: &Noisy, other: &Noisy) -> Vec<f64> {
    let bins = 0..one.counts.len();
    bins.map(|bin| {
        let (own, others) = (one.variances[bin], other.variances[bin]);
        if own + others > 0.0 {
            (one.counts[bin] * others + other.counts[bin] * own) / (own + others)
        } else {
            one.counts[bin]
        }
    })
    .collect()
}

/// People over what is possible, bin by bin.
fn density(counts: &[f64], mass: &[f64]) -> Vec<f64> {
    let bins = counts.iter().zip(mass);
    bins.map(|(count, &mass)| if mass > 0.0 { count / mass } else { 0.0 })
        .collect()
}

/// Two groups that one cut made, both of which can hold somebody.
struct Pair<'a> {
    noisy: [&'a Noisy; 2],
    people: [f64; 2],
    masses: [&'a [f64]; 2],
    mass_above: &'a [f64],
}

impl<'a> Pair<'a> {
    /// The halves of a group of the level above.
    fn new(
        groups: Groups<'a>,
        level: usize,
        number: usize,
        halves: &'a [Option<Noisy>],
    ) -> Option<Self> {
        let masses = &groups.masses[level];
        let (first, second) = (2 * number, 2 * number + 1);
        Some(Self {
            noisy: [halves[0].as_ref()?, halves[1].as_ref()?],
            people: [first, second].map(|half| groups.people[level][half]),
            masses: [masses[first].as_deref()?, masses[second].as_deref()?],
            mass_above: groups.masses[level - 1][number].as_deref()?,
        })
    }

    fn bins(&self) -> std::ops::Range<usize> {
        0..self.mass_above.len()
    }

    fn is_shared(&self, bin: usize) -> bool {
        self.masses.iter().all(|mass| mass[bin] > 0.0)
    }

    /// For each bin the share of its people that is expected in the first half.
    fn first_shares(&self, density: &[f64]) -> Vec<f64> {
        let all = self.masses.map(|mass| {
            let bins = mass.iter().zip(density);
            let people: f64 = bins.map(|(mass, density)| mass * density).sum();
            if people > 0.0 { people } else { 1.0 }
        });
        self.bins()
            .map(|bin| {
                // Half a person more: nobody is expected nowhere.
                let [first, second] = [0, 1]
                    .map(|half| (self.people[half] + 0.5) * self.masses[half][bin] / all[half]);
                if first > 0.0 {
                    first / (first + second)
                } else {
                    0.0
                }
            })
            .collect()
    }

    /// How large differences of each bin are expected to be, as shares of all.
    fn importance(&self, density: &[f64]) -> Vec<f64> {
        let bins = self.mass_above.iter().zip(density);
        let people = normalised(bins.map(|(mass, density)| mass * density).collect());
        let possible = self.mass_above.iter().map(|&mass| f64::from(mass > 0.0));
        let even = normalised(possible.collect());
        let both = people.iter().zip(even);
        both.map(|(people, even)| (1.0 - EVEN) * people + EVEN * even)
            .collect()
    }

    /// For each bin the variance of what the cut sends to the first half beyond what is expected.
    fn spread(&self, first: &[f64], importance: &[f64]) -> Vec<f64> {
        let (mut seen, mut expected) = (0.0, 0.0);
        for bin in self.bins().filter(|&bin| self.is_shared(bin)) {
            let [one, other] = self.noisy;
            let (to_first, to_second) = (first[bin], 1.0 - first[bin]);
            let contrast = to_second * one.counts[bin] - to_first * other.counts[bin];
            let noise =
                to_second.powi(2) * one.variances[bin] + to_first.powi(2) * other.variances[bin];
            seen += importance[bin] * (contrast * contrast - noise);
            expected += importance[bin] * importance[bin];
        }
        let factor = if expected > 0.0 {
            (seen / expected).max(0.0)
        } else {
            0.0
        };
        importance.iter().map(|share| factor * share).collect()
    }

    /// What the halves say about the group that they were cut from: least squares.
    fn above(&self, first: &[f64], spread: &[f64]) -> Noisy {
        let [one, other] = self.noisy;
        let of_bin = |bin: usize| {
            let (counts, variances) = (
                [one.counts[bin], other.counts[bin]],
                [one.variances[bin], other.variances[bin]],
            );
            let (to_first, to_second, spread) = (first[bin], 1.0 - first[bin], spread[bin]);
            let divisor =
                spread + to_first.powi(2) * variances[1] + to_second.powi(2) * variances[0];
            if !self.is_shared(bin) || divisor <= 0.0 {
                return (counts[0] + counts[1], variances[0] + variances[1]);
            }
            let count = spread * (counts[0] + counts[1])
                + to_first * variances[1] * counts[0]
                + to_second * variances[0] * counts[1];
            let variance = variances[0] * variances[1] + spread * (variances[0] + variances[1]);
            (count / divisor, variance / divisor)
        };
        let (counts, variances) = self.bins().map(of_bin).unzip();
        Noisy { counts, variances }
    }

    /// The people of both halves, given those of the group that they were cut from.
    fn below(&self, above: &[f64], spread: &[f64]) -> [Vec<f64>; 2] {
        let [one, other] = self.noisy;
        let density = density(above, self.mass_above);
        let first = self.first_shares(&density);
        let (in_first, in_second): (Vec<f64>, Vec<f64>) = self
            .bins()
            .map(|bin| {
                let expected = [first[bin] * above[bin], (1.0 - first[bin]) * above[bin]];
                let (noise, noise_of_other) = (one.variances[bin], other.variances[bin]);
                let beyond = one.counts[bin] - expected[0];
                let short = expected[1] - other.counts[bin];
                let noise_of_both = noise + noise_of_other;
                let moved = if !self.is_shared(bin) || spread[bin] <= 0.0 {
                    0.0
                } else if noise_of_both > 0.0 {
                    let seen = (beyond * noise_of_other + short * noise) / noise_of_both;
                    let left = noise * noise_of_other / noise_of_both;
                    seen * spread[bin] / (spread[bin] + left)
                } else {
                    beyond
                };
                (expected[0] + moved, expected[1] - moved)
            })
            .unzip();
        [(0, in_first), (1, in_second)].map(|(half, counts)| self.fitted(half, &counts, &density))
    }

    /// Counts of a half that add up to its people, in bins that are possible there; where there is nobody, the shape
    /// of the group above.
    fn fitted(&self, half: usize, counts: &[f64], density: &[f64]) -> Vec<f64> {
        let mass = self.masses[half];
        if self.people[half] <= 0.0 {
            let expected: Vec<f64> = mass.iter().zip(density).map(|(a, b)| a * b).collect();
            return if expected.iter().any(|&people| people > 0.0) {
                expected
            } else {
                mass.to_vec()
            };
        }
        let possible: Vec<usize> = self.bins().filter(|&bin| mass[bin] > 0.0).collect();
        let own: Vec<f64> = possible.iter().map(|&bin| counts[bin]).collect();
        let mut fitted = vec![0.0; counts.len()];
        for (bin, count) in possible.into_iter().zip(project(&own, self.people[half])) {
            fitted[bin] = count;
        }
        fitted
    }
}
