//! Promises and how they were found to be kept, in words.

use pleiad::release::{Counted, PromiseKept};

use super::text::{counted, grouped};
use crate::terminal::{STRONG, broken, styled, visible};

/// Room for the longest label and two blanks.
const LABEL_WIDTH: usize = 11;

/// A label and what there is to say about it, in lines of at most `width` columns.
pub(crate) fn entry(label: &str, words: &str, width: usize) -> String {
    let room = width.saturating_sub(LABEL_WIDTH);
    let indent = format!("\n{}", " ".repeat(LABEL_WIDTH));
    let padding = " ".repeat(LABEL_WIDTH - label.len());
    let lines = broken(words, room).join(&indent);
    format!("{}{padding}{lines}\n", styled(STRONG, label))
}

/// How the groups of a promise came out.
pub(crate) fn groups(promise: &PromiseKept) -> String {
    let (what, who) = match promise.counted {
        Counted::People | Counted::Rows => ("people", "people who"),
        Counted::RowsOnly => ("rows", "rows that"),
    };
    if promise.groups == 1 {
        return format!(
            "One group: all {} {what} look alike, and these columns tell nothing.",
            grouped(promise.smallest)
        );
    }
    format!(
        "{} of {} to {} {who} look alike; the median is {}.",
        counted(promise.groups, "group"),
        grouped(promise.smallest),
        grouped(promise.largest),
        grouped(promise.median),
    )
}

/// Names of columns as a sentence has them.
pub(crate) fn listed(columns: &[String]) -> String {
    let names: Vec<String> = columns
        .iter()
        .map(|name| format!("`{}`", visible(name)))
        .collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}
