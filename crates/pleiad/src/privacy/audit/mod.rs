//! Trying to break a privacy claim by experiment.
//!
//! A mechanism is run many times on two neighbouring inputs. If it is (ε, δ)-differentially private, no event is
//! more than e^ε times as likely (and δ more) on one of them as on the other. On one half of the runs the audit looks
//! for the event that speaks most against the claim, on the other half it tests that event: so the search costs no
//! confidence. What comes out is a lower bound on ε that holds up to a stated probability of a false alarm, whatever
//! the mechanism (Clopper and Pearson 1934, with Bonferroni for the two probabilities that enter the bound).
//!
//! An audit that passes proves nothing; one that fails proves that the claim is wrong. That it can fail at all is shown
//! by mutants: mechanisms with a known hole, each of which it must catch.

mod confidence;
mod events;
mod sensitivity;
#[cfg(test)]
mod tests;

pub use events::Feature;
pub use sensitivity::{ScoreChange, largest_change};

use confidence::{lower_bound, upper_bound};
use events::Event;

/// How an audit is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Audit {
    /// Runs on each of the two inputs; half of them choose the event, half test it.
    pub runs: usize,
    /// The probability of a bound that is too high.
    pub false_alarm: f64,
    /// The δ of the claim.
    pub delta: f64,
}

impl Default for Audit {
    /// For a claim of pure ε.
    fn default() -> Self {
        Self {
            runs: 10_000,
            false_alarm: 1e-9,
            delta: 0.0,
        }
    }
}

/// What an audit found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The mechanism has at least this ε, up to the probability of a false alarm; 0 if nothing speaks against it.
    pub epsilon: f64,
    /// The event that shows it, in words.
    pub event: String,
}

impl Audit {
    /// Runs a mechanism on two neighbours and bounds its ε from below by events of the features of its output.
    pub fn bound<O>(
        &self,
        mut on_first: impl FnMut() -> O,
        mut on_second: impl FnMut() -> O,
        features: &[Feature<'_, O>],
    ) -> Finding {
        let half = (self.runs / 2).max(1);
        let table = |mechanism: &mut dyn FnMut() -> O| -> Vec<Vec<i64>> {
            (0..half)
                .map(|_| {
                    let output = mechanism();
                    features
                        .iter()
                        .map(|feature| (feature.value)(&output))
                        .collect()
                })
                .collect()
        };
        let search = [table(&mut on_first), table(&mut on_second)];
        let test = [table(&mut on_first), table(&mut on_second)];
        let Some((event, likelier)) = events::most_telling(&search, features.len()) else {
            return Finding {
                epsilon: 0.0,
                event: "nothing differs".to_owned(),
            };
        };
        let count = |runs: &[Vec<i64>]| runs.iter().filter(|run| event.holds(run)).count() as u64;
        // Two probabilities are bounded, so each bound may be wrong with half of the allowed probability.
        let alarm = self.false_alarm / 2.0;
        let least = lower_bound(count(&test[likelier]), half as u64, alarm);
        let most = upper_bound(count(&test[1 - likelier]), half as u64, alarm);
        Finding {
            epsilon: ((least - self.delta) / most).max(1.0).ln(),
            event: describe(&event, features, likelier),
        }
    }
}

fn describe<O>(event: &Event, features: &[Feature<'_, O>], likelier: usize) -> String {
    let on = ["first", "second"][likelier];
    format!("{}, on the {on}", event.words(features[event.feature].name))
}
