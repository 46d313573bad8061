//! The guarantee, and how it was found to be kept.

use pleiad::release::{Counted, PromiseKept};

use super::{LONGEST_NAME, LONGEST_SENTENCE, MOST_SENTENCES};
use crate::material::Promise;
use crate::words::{cut, grouped, listed};

pub(super) struct KeptPromise {
    pub(super) columns: String,
    pub(super) at_least: String,
    pub(super) counted: &'static str,
    pub(super) groups: String,
    pub(super) smallest: String,
    pub(super) median: String,
    pub(super) largest: String,
}

/// A promise of bounded length: a table may have hundreds of columns, and a report is to be read.
pub(super) fn bounded(promise: &Promise) -> Promise {
    let sentences = |all: &[String]| {
        let shown = all.iter().take(MOST_SENTENCES);
        let mut shown: Vec<String> = shown
            .map(|sentence| quoted(&cut(sentence, LONGEST_SENTENCE)))
            .collect();
        if all.len() > MOST_SENTENCES {
            shown.push(format!("… and {} more", all.len() - MOST_SENTENCES));
        }
        shown
    };
    let parameters = promise.parameters.iter().take(MOST_SENTENCES);
    Promise {
        name: cut(&promise.name, LONGEST_NAME),
        in_words: sentences(&promise.in_words),
        not_promised: sentences(&promise.not_promised),
        unit: cut(&promise.unit, LONGEST_SENTENCE),
        parameters: parameters
            .map(|(name, value)| (cut(name, LONGEST_SENTENCE), cut(value, LONGEST_SENTENCE)))
            .collect(),
    }
}

pub(super) fn kept_promise(promise: &PromiseKept) -> KeptPromise {
    KeptPromise {
        columns: listed(&promise.columns),
        at_least: grouped(u64::from(promise.at_least)),
        counted: match promise.counted {
            Counted::People => "people",
            Counted::Rows => "rows, each a person",
            Counted::RowsOnly => "rows only",
        },
        groups: grouped(promise.groups),
        smallest: grouped(promise.smallest),
        median: grouped(promise.median),
        largest: grouped(promise.largest),
    }
}

/// Names between grave accents, as the manifest has them, between quotation marks.
fn quoted(sentence: &str) -> String {
    let mut is_inside = false;
    let quote = |letter: char| {
        if letter != '`' {
            return letter;
        }
        is_inside = !is_inside;
        if is_inside { '“' } else { '”' }
    };
    sentence.chars().map(quote).collect()
}
