//! What a release comes to, for somebody who has to answer for it.

use std::fmt::Write;

use pleiad::release::{Counted, Guarantee, Manifest, README_FILE, Released};
use pleiad::spec::Positions;

use super::promises::{entry, groups, listed};
use super::survival::Survival;
use super::text::{counted, grouped};
use crate::terminal::{STRONG, shown, styled, visible};

/// The summary in lines of at most `width` columns.
pub(crate) fn summary(released: &Released, width: usize) -> String {
    let evaluation = &released.evaluation;
    let mut text = title(released);
    text.push_str(&entry("Promised", &promised(&released.manifest), width));
    for promise in &evaluation.promises {
        let mut words = groups(promise);
        if evaluation.promises.len() > 1 {
            words.insert_str(0, &format!("By {}: ", listed(&promise.columns)));
        }
        text.push_str(&entry("Groups", &words, width));
    }
    text.push_str(&entry("Clusters", &structure(released), width));
    let positions = disclosed(released.manifest.positions.disclosed);
    text.push_str(&entry("Positions", positions, width));
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

fn structure(released: &Released) -> String {
    let structure = &released.evaluation.structure;
    let mut words = Survival::of(&released.evaluation).map_or_else(
        || "They could not be compared.".to_owned(),
        |survival| survival.in_words(),
    );
    if structure.recipient != structure.owner {
        let _ = write!(
            words,
            " The recipient clusters by {}, you by {}.",
            structure.recipient.in_words(),
            structure.owner.in_words()
        );
    }
    if structure.rows_compared < released.evaluation.input.rows {
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
