//! What a release comes to, for somebody who has to answer for it.

use std::fmt::Write;

use pleiad::release::{
    Counted, Evaluation, Guarantee, LabelledEntry, Manifest, README_FILE, REPORT_FILE, Released,
};
use pleiad::spec::Positions;
use pleiad_report::Survival;

use super::promises::{entry, groups, listed};
use super::text::{counted, grouped};
use super::verdict::{Verdict, loss_in_words, risk_in_words, rows_in_words};
use crate::terminal::{STRONG, shown, styled, visible};

/// The summary in lines of at most `width` columns.
pub(crate) fn summary(released: &Released, width: usize) -> String {
    let evaluation = &released.evaluation;
    let mut text = title(released);
    let verdict = Verdict::of(evaluation);
    text.push_str(&entry("Verdict", &verdict.in_words(), width));
    text.push_str(&entry("Promised", &promised(&released.manifest), width));
    for promise in &evaluation.promises {
        let mut words = groups(promise);
        if evaluation.promises.len() > 1 {
            words.insert_str(0, &format!("By {}: ", listed(&promise.columns)));
        }
        text.push_str(&entry("Groups", &words, width));
    }
    text.push_str(&measures(evaluation, &verdict, width));
    let positions = disclosed(released.manifest.positions.disclosed);
    text.push_str(&entry("Positions", positions, width));
    let report = format!(
        "{}: all of this in full, to print and sign.",
        shown(&released.owner_folder.join(REPORT_FILE))
    );
    text.push_str(&entry("Read", &report, width));
    let public = format!(
        "{}: its {README_FILE} also says what is not promised.",
        shown(&released.folder)
    );
    text.push_str(&entry("Hand over", &public, width));
    let owner = format!(
        "{}: the evaluation, and which row is whose.",
        shown(&released.owner_folder)
    );
    text.push_str(&entry("Keep", &owner, width));
    text
}

fn title(released: &Released) -> String {
    let input = &released.evaluation.input;
    let are_rows = released
        .evaluation
        .promises
        .iter()
        .all(|promise| promise.counted == Counted::Rows);
    let mut words = if are_rows {
        format!("Released {}, each a person", counted(input.rows, "row"))
    } else {
        format!(
            "Released {} about {} people",
            counted(input.rows, "row"),
            grouped(input.people)
        )
    };
    if input.rows_left_out > 0 {
        let _ = write!(
            words,
            "; left out because a value is missing: {}",
            counted(input.rows_left_out, "row")
        );
    }
    format!("{}\n", styled(STRONG, &words))
}

fn promised(manifest: &Manifest) -> String {
    let Guarantee::Anonymity { in_words, .. } = &manifest.guarantee;
    visible(&in_words.join(" "))
}

/// What a masked table comes to: risk, clusters, loss, rows, and what to try.
pub(super) fn measures(evaluation: &Evaluation, verdict: &Verdict<'_>, width: usize) -> String {
    let mut text = String::new();
    if let Some(risk) = &evaluation.risk {
        text.push_str(&entry("Risk", &risk_in_words(risk), width));
    }
    text.push_str(&entry("Clusters", &structure(evaluation), width));
    if let Some(loss) = &evaluation.loss {
        text.push_str(&entry("Loss", &loss_in_words(loss), width));
        text.push_str(&entry("Rows", &rows_in_words(&loss.rows), width));
    }
    text.push_str(&entry("Try", &verdict.what_to_try(), width));
    text
}

fn structure(evaluation: &Evaluation) -> String {
    let structure = &evaluation.structure;
    let mut words = Survival::of(structure).map_or_else(
        || "They could not be compared.".to_owned(),
        |survival| survival.in_words(),
    );
    if structure.labelled == LabelledEntry::ByCentre {
        words.push_str(
            " Each raw row is in the cluster of the nearest centre found on the masked table.",
        );
    }
    if structure.recipient != structure.owner {
        let _ = write!(
            words,
            " The recipient clusters by {}, you by {}.",
            structure.recipient.in_words(),
            structure.owner.in_words()
        );
    }
    let told = evaluation.loss.as_ref().map(|loss| loss.rows.published);
    if structure.rows_compared < told.unwrap_or(evaluation.input.rows) {
        let _ = write!(
            words,
            " Compared on a random sample of {}.",
            counted(structure.rows_compared, "row")
        );
    }
    words
}

/// What positions disclose, shorter than the manifest has it.
fn disclosed(positions: Positions) -> &'static str {
    match positions {
        Positions::Uniform => "Nothing is told beyond the masked values.",
        Positions::Table => "Told of each masked value: how its rows spread; rare values pooled.",
        Positions::Group => {
            "Told of each group: the mean of its numbers, the shares of its values."
        }
    }
}
