//! What any masked table comes to, in a few lines.

use pleiad::release::{AlignedBy, Evaluation};

use super::promises::entry;
use super::release::measures;
use super::text::counted;
use super::verdict::Verdict;
use crate::terminal::{STRONG, styled, visible};

/// The summary in lines of at most `width` columns.
pub(crate) fn summary(evaluation: &Evaluation, width: usize) -> String {
    let verdict = Verdict::of(evaluation);
    let mut text = format!("{}\n", styled(STRONG, &title(evaluation)));
    text.push_str(&entry("Verdict", &verdict.in_words(), width));
    text.push_str(&measures(evaluation, &verdict, width));
    text
}

fn title(evaluation: &Evaluation) -> String {
    match &evaluation.masked {
        Some(masked) => format!(
            "{}: {}, raw {}",
            visible(&masked.file),
            counted(masked.rows, "row"),
            counted(evaluation.input.rows, "row")
        ),
        None => counted(evaluation.input.rows, "row"),
    }
}

/// What a reader of the result might not expect.
pub(crate) fn notes(evaluation: &Evaluation) -> Vec<String> {
    let mut notes = Vec::new();
    if evaluation.input.rows_left_out > 0 {
        notes.push(format!(
            "Left out of the raw table because a value is missing: {}.",
            counted(evaluation.input.rows_left_out, "row")
        ));
    }
    let Some(masked) = &evaluation.masked else {
        return notes;
    };
    notes.push(match &masked.aligned {
        AlignedBy::Order => {
            "Rows are taken to be in the order of the raw table; `--key` or `--map` would say which is which.".to_owned()
        }
        AlignedBy::Key { column } => format!("Rows are aligned by `{}`.", visible(column)),
        AlignedBy::Map { file } => format!("Rows are aligned by the owner's map {}.", visible(file)),
        AlignedBy::Nothing => {
            "Rows are not aligned: clusters are compared by centres, and neither loss nor risk of rows is measured."
                .to_owned()
        }
    });
    if masked.unknown_cells > 0 {
        notes.push(format!(
            "Taken as suppressed, being no value, node or interval: {}.",
            counted(masked.unknown_cells, "cell")
        ));
    }
    if masked.numbers_outside > 0 {
        notes.push(format!(
            "Taken as the nearest bound, being outside: {}.",
            counted(masked.numbers_outside, "number")
        ));
    }
    notes
}
