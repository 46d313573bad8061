//! Events that may tell two inputs apart.

use std::collections::BTreeMap;

/// A number that is read off an output: events are about these.
pub struct Feature<'f, O> {
    /// What it is, in words.
    pub name: &'static str,
    /// Reads it.
    pub value: Box<dyn Fn(&O) -> i64 + 'f>,
}

impl<'f, O> Feature<'f, O> {
    /// A feature.
    pub fn new(name: &'static str, value: impl Fn(&O) -> i64 + 'f) -> Self {
        Self {
            name,
            value: Box::new(value),
        }
    }
}

/// Something that an output may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) feature: usize,
    shape: Shape,
    value: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Is,
    AtLeast,
    AtMost,
}

impl Event {
    pub(super) fn holds(&self, features: &[i64]) -> bool {
        let own = features[self.feature];
        match self.shape {
            Shape::Is => own == self.value,
            Shape::AtLeast => own >= self.value,
            Shape::AtMost => own <= self.value,
        }
    }

    pub(super) fn words(&self, name: &str) -> String {
        let sign = match self.shape {
            Shape::Is => "=",
            Shape::AtLeast => "≥",
            Shape::AtMost => "≤",
        };
        format!("{name} {sign} {}", self.value)
    }
}

/// The event whose two frequencies are the farthest apart for what chance allows, and on which input it is likelier.
pub(super) fn most_telling(runs: &[Vec<Vec<i64>>; 2], n_features: usize) -> Option<(Event, usize)> {
    let mut best: Option<(f64, Event, usize)> = None;
    for feature in 0..n_features {
        let mut counts: BTreeMap<i64, [u64; 2]> = BTreeMap::new();
        for (input, runs) in runs.iter().enumerate() {
            for run in runs {
                counts.entry(run[feature]).or_default()[input] += 1;
            }
        }
        let n_runs = [runs[0].len() as u64, runs[1].len() as u64];
        let mut up_to = [0; 2];
        for (&value, &here) in &counts {
            let before = up_to;
            up_to = [before[0] + here[0], before[1] + here[1]];
            let from = [n_runs[0] - before[0], n_runs[1] - before[1]];
            for (shape, counts) in [
                (Shape::Is, here),
                (Shape::AtMost, up_to),
                (Shape::AtLeast, from),
            ] {
                for likelier in [0, 1] {
                    let (often, seldom) = (counts[likelier], counts[1 - likelier]);
                    let score = cautious(often, n_runs[likelier], -1.0)
                        / cautious(seldom, n_runs[1 - likelier], 1.0);
                    if score > best.map_or(1.0, |(best, ..)| best) {
                        let event = Event {
                            feature,
                            shape,
                            value,
                        };
                        best = Some((score, event, likelier));
                    }
                }
            }
        }
    }
    best.map(|(_, event, likelier)| (event, likelier))
}

/// A frequency moved by a few standard errors (Wilson's interval): good enough to choose by, quick enough to try all.
fn cautious(successes: u64, runs: u64, direction: f64) -> f64 {
    const STANDARD_ERRORS: f64 = 4.0;
    let (k, n) = (successes as f64, runs as f64);
    let z = STANDARD_ERRORS;
    let centre = k + z * z / 2.0;
    let width = z * (k * (n - k) / n + z * z / 4.0).sqrt();
    ((centre + direction * width) / (n + z * z)).max(0.0)
}
