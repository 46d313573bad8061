//! How the release was made: the steps of a refinement, the account of a private method and what it kept.

use pleiad::release::RefinementEntry;

use super::{LONGEST_NAME, LONGEST_SENTENCE, Listing, MOST_LINES};
use crate::charts::{self, Chart};
use crate::material::{Material, PrivacyAccount};
use crate::words::{counted, cut, grouped, number, percent};

pub(super) struct RefinementView {
    pub(super) chart: Chart,
    pub(super) n_steps: String,
    pub(super) drawn: Option<String>,
    pub(super) steps: Listing<StepLine>,
}

pub(super) struct StepLine {
    pub(super) number: usize,
    pub(super) column: String,
    pub(super) value: String,
    pub(super) at: String,
    pub(super) gain: String,
    pub(super) loss: String,
    pub(super) rows: String,
}

pub(super) struct AccountView {
    pub(super) total: String,
    pub(super) steps: Listing<AccountLine>,
}

pub(super) struct AccountLine {
    pub(super) name: String,
    pub(super) mechanism: String,
    pub(super) cost: String,
    pub(super) share: String,
    pub(super) length: f64,
}

pub(super) struct KeptView {
    pub(super) distances: Listing<(String, String, f64)>,
    pub(super) associations: Listing<[String; 4]>,
}

impl RefinementView {
    pub(super) fn of(steps: &[RefinementEntry]) -> Self {
        Self {
            chart: charts::order_of_refinement(steps),
            n_steps: counted(steps.len() as u64, "step"),
            drawn: (steps.len() > charts::MOST_STEPS).then(|| grouped(charts::MOST_STEPS as u64)),
            steps: Listing::of(steps, MOST_LINES, |number, step| StepLine {
                number: number + 1,
                column: cut(&step.column, LONGEST_NAME),
                value: cut(&step.value, LONGEST_NAME),
                at: step
                    .at
                    .as_deref()
                    .map_or_else(String::new, |at| cut(at, LONGEST_NAME)),
                gain: format!("{:.3}", step.gain),
                loss: format!("{:.0}", step.loss),
                rows: grouped(step.rows),
            }),
        }
    }
}

impl AccountView {
    pub(super) fn of(account: &PrivacyAccount) -> Self {
        Self {
            total: cut(&account.total, LONGEST_NAME),
            steps: Listing::of(&account.steps, MOST_LINES, |_, step| AccountLine {
                name: cut(&step.name, LONGEST_SENTENCE),
                mechanism: cut(&step.mechanism, LONGEST_SENTENCE),
                cost: cut(&step.cost, LONGEST_NAME),
                share: percent(step.share),
                length: in_percent(step.share),
            }),
        }
    }
}

impl KeptView {
    pub(super) fn of(material: &Material<'_>) -> Option<Self> {
        if material.distances.is_empty() && material.associations.is_empty() {
            return None;
        }
        Some(Self {
            distances: Listing::of(&material.distances, MOST_LINES, |_, column| {
                let distance = column.distance;
                (
                    cut(&column.column, LONGEST_NAME),
                    number(distance),
                    in_percent(distance),
                )
            }),
            associations: Listing::of(&material.associations, MOST_LINES, |_, pair| {
                let [first, second] = &pair.columns;
                [
                    cut(first, LONGEST_NAME),
                    cut(second, LONGEST_NAME),
                    number(pair.before),
                    number(pair.after),
                ]
            }),
        })
    }
}

/// The length of a bar.
fn in_percent(share: f64) -> f64 {
    (share.clamp(0.0, 1.0) * 1000.0).round() / 10.0
}
