//! What a private release comes to, for somebody who has to answer for it.

use std::fmt::Write as _;

use pleiad::release::{Evaluation, PrivateManifest, PrivatelyReleased, README_FILE, REPORT_FILE};
use pleiad_report::Survival;

use super::promises::entry;
use super::text::{counted, grouped};
use crate::terminal::{STRONG, shown, styled, visible};

/// Steps of an account that are shown by name.
const MOST_STEPS: usize = 4;

/// Decimals of a cost that people are shown, rounded up; the manifest has exact amounts.
const SHOWN_DECIMALS: usize = 4;

/// The summary in lines of at most `width` columns.
pub(crate) fn summary(released: &PrivatelyReleased, width: usize) -> String {
    let manifest = &released.manifest;
    let title = format!(
        "Released {} about people who do not exist",
        counted(manifest.data.rows, "row")
    );
    let mut text = format!("{}\n", styled(STRONG, &title));
    text.push_str(&entry("Promised", &promised(manifest), width));
    text.push_str(&entry("Paid", &paid(manifest), width));
    text.push_str(&entry("Clusters", &clusters(released), width));
    if let Some(Ok(evaluation)) = &released.evaluation
        && let Some(lost) = lost(evaluation)
    {
        text.push_str(&entry("Lost", &lost, width));
    }
    if let Some(Ok(_)) = &released.evaluation {
        let report = format!(
            "{}: all of this in full, to print and sign.",
            shown(&released.owner_folder.join(REPORT_FILE))
        );
        text.push_str(&entry("Read", &report, width));
    }
    let public = format!(
        "{}: its {README_FILE} also says what is not promised.",
        shown(&released.folder)
    );
    text.push_str(&entry("Hand over", &public, width));
    let owner = match &released.evaluation {
        Some(Ok(_)) => "the evaluation, which is no part of what the promise covers",
        _ => "what was measured",
    };
    let owner = format!("{}: {owner}.", shown(&released.owner_folder));
    text.push_str(&entry("Keep", &owner, width));
    text
}

/// The promise in words.
pub(crate) fn promised(manifest: &PrivateManifest) -> String {
    visible(&manifest.guarantee.in_words.join(" "))
}

/// What the dearest steps cost.
pub(crate) fn paid(manifest: &PrivateManifest) -> String {
    let account = &manifest.guarantee.account;
    let steps: Vec<String> = account
        .entries()
        .iter()
        .take(MOST_STEPS)
        .map(|entry| {
            let cost = entry.cost().value().rounded_up(SHOWN_DECIMALS);
            format!("{cost} for {}", visible(entry.what()))
        })
        .collect();
    let rest = account.entries().len() - steps.len();
    let more = match rest {
        0 => String::new(),
        _ => format!(", and {} more", counted(rest as u64, "step")),
    };
    format!(
        "ε = {} in {}: {}{more}.",
        manifest.guarantee.epsilon,
        counted(account.entries().len() as u64, "step"),
        steps.join(", ")
    )
}

fn clusters(released: &PrivatelyReleased) -> String {
    match &released.evaluation {
        None => "Not compared with the raw table, as asked for.".to_owned(),
        Some(Err(reason)) => format!("They could not be compared: {reason}."),
        Some(Ok(evaluation)) => {
            let mut words = Survival::of(&evaluation.structure).map_or_else(
                || "They could not be compared.".to_owned(),
                |survival| survival.in_words(),
            );
            if evaluation.structure.rows_compared < evaluation.input.people {
                let _ = write!(
                    words,
                    " Compared on a random sample of {} people.",
                    grouped(evaluation.structure.rows_compared)
                );
            }
            words
        }
    }
}

/// What it is that was lost, and where.
fn lost(evaluation: &Evaluation) -> Option<String> {
    let evidence = evaluation.privacy.as_ref()?;
    let farthest = evidence
        .columns
        .iter()
        .max_by(|a, b| a.distance.total_cmp(&b.distance))?;
    let mut words = format!(
        "Cutting the table into cells takes the cost ratio to {}, the noise adds {}. The column that is farthest from what \
         it was is `{}` ({} % of people would have to move)",
        two_decimals(evidence.cost_of_cells),
        two_decimals(evidence.cost_of_noise.max(0.0)),
        visible(&farthest.column),
        two_decimals(100.0 * farthest.distance)
    );
    let differences = evidence
        .associations
        .iter()
        .map(|pair| (pair.raw - pair.released).abs());
    let n_pairs = evidence.associations.len();
    if n_pairs > 0 {
        let mean = differences.sum::<f64>() / n_pairs as f64;
        let _ = write!(
            words,
            "; how much two columns have to do with each other is off by {} on average (Cramér's V, from 0 to 1)",
            two_decimals(mean)
        );
    }
    Some(words + ".")
}

fn two_decimals(value: f64) -> String {
    format!("{value:.2}")
}
