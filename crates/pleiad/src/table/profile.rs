//! What a file's columns look like, seen in one pass: the ground on which kinds are guessed and specs are drafted.
//!
//! Nothing is decided here. Counts are kept of everything that a later guess may ask for, each bounded, so that a table
//! of any length can be looked at.

mod items;
mod looks;
mod marks;
mod numbers;
mod words;

use std::path::Path;

use super::interval::parse_day;
use super::plan::Kind;
use super::read::{check_header, refuse_pipe};
use super::write::Format;
use super::{arrow, csv_file};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;

pub(crate) use items::Items;
pub(crate) use looks::{Look, Looks};
pub(crate) use marks::MARKS;
pub(crate) use numbers::Numbers;
pub(crate) use words::{Different, WORDS_KEPT};

use items::SEPARATORS;
use words::Words;

/// What the columns of a file look like.
#[derive(Debug, Default)]
pub(crate) struct Profile {
    pub(crate) columns: Vec<ColumnProfile>,
    pub(crate) n_rows: u64,
    /// Which of [`MARKS`] mean "no value" here.
    pub(crate) missing: [bool; MARKS.len()],
}

/// What one column looks like.
#[derive(Debug)]
pub(crate) struct ColumnProfile {
    pub(crate) name: String,
    /// The kind that the file format says.
    pub(crate) known: Option<Kind>,
    /// Whether the file format has a type that no column can be read from.
    pub(crate) is_foreign: bool,
    /// Cells that are neither absent nor a mark that may mean "no value".
    pub(crate) n_values: u64,
    /// Cells that are absent, in files that know the difference.
    pub(crate) n_absent: u64,
    /// Cells that equal each of [`MARKS`].
    pub(crate) marks: [u64; MARKS.len()],
    pub(crate) numbers: Numbers,
    /// Days, and the first and the last of them.
    pub(crate) n_days: u64,
    pub(crate) days: Option<(i32, i32)>,
    pub(crate) looks: Looks,
    /// Different cells that are no UTF-8 text.
    pub(crate) n_not_text: u64,
    words: Words,
    /// The items of the cells, for each separator that occurs.
    items: [Option<Box<Items>>; SEPARATORS.len()],
}

/// Looks at all rows of a CSV (also gzipped), Parquet or Arrow IPC file.
pub(crate) fn profile_table(path: &Path, progress: &dyn Progress) -> Result<Profile> {
    refuse_pipe(path)?;
    let mut profile = Profile::default();
    match Format::of_path(path) {
        Format::Csv => csv_file::infer(path, &mut profile, progress)?,
        Format::Parquet => arrow::infer_parquet(path, &mut profile, progress)?,
        Format::ArrowIpc => arrow::infer_ipc(path, &mut profile, progress)?,
    }
    let names: Vec<String> = profile
        .columns
        .iter()
        .map(|column| column.name.clone())
        .collect();
    check_header(&names).map_err(|error| error.at(Place::line(path, 1)))?;
    profile.settle_marks();
    if profile
        .columns
        .iter()
        .all(|column| column.n_values == 0 && column.known.is_none())
    {
        return Err(Error::data("the table has no values").at(Place::file(path)));
    }
    Ok(profile)
}

impl Profile {
    /// The header of a file without types.
    pub(super) fn begin(&mut self, header: &[String]) {
        for name in header {
            self.add(name, None, false);
        }
    }

    /// A column; its kind may be known from the file format.
    pub(super) fn add(&mut self, name: &str, known: Option<Kind>, is_foreign: bool) {
        self.columns.push(ColumnProfile {
            name: name.to_owned(),
            known,
            is_foreign,
            n_values: 0,
            n_absent: 0,
            marks: [0; MARKS.len()],
            numbers: Numbers::default(),
            n_days: 0,
            days: None,
            looks: Looks::default(),
            n_not_text: 0,
            words: Words::default(),
            items: Default::default(),
        });
    }

    /// Decides which marks mean "no value": the sure ones that occur, and those that interrupt a column of numbers or
    /// dates, unless they are common among the words of another column. The others are values like any.
    fn settle_marks(&mut self) {
        for (at, mark) in MARKS.iter().enumerate() {
            let occurs = |column: &&ColumnProfile| column.marks[at] > 0;
            let with_mark = || self.columns.iter().filter(occurs);
            self.missing[at] = if mark.is_sure {
                with_mark().next().is_some()
            } else {
                with_mark().any(|column| column.is_all_numbers() || column.is_all_days())
                    && !with_mark().any(|column| column.has_common_word(at))
            };
            if !self.missing[at] {
                for column in &mut self.columns {
                    column.take_mark_as_value(at);
                }
            }
        }
    }

    /// The texts that mean "no value" here, the empty one always among them.
    pub(crate) fn missing_texts(&self) -> Vec<String> {
        let occurring = MARKS.iter().zip(self.missing);
        let marks = occurring.filter(|(mark, occurs)| *occurs && !mark.text.is_empty());
        std::iter::once("")
            .chain(marks.map(|(mark, _)| mark.text))
            .map(str::to_owned)
            .collect()
    }
}

impl ColumnProfile {
    /// A cell of text.
    pub(super) fn see(&mut self, field: &[u8]) {
        if let Some(mark) = marks::position(field) {
            self.marks[mark] += 1;
            return;
        }
        self.n_values += 1;
        let is_new = self.words.see(field);
        let is_number = self.numbers.see(field);
        // Most columns are numbers throughout, or hardly ever: what a word looks like matters only in the others.
        if !is_number {
            match parse_day(without_midnight(field)) {
                Some(day) => self.see_day(day),
                None if is_new => self.looks.see(field),
                None => {}
            }
            if is_new && !field.is_ascii() && std::str::from_utf8(field).is_err() {
                self.n_not_text += 1;
            }
        }
        for (at, &separator) in SEPARATORS.iter().enumerate() {
            if self.items[at].is_none() && field.contains(&separator) {
                self.items[at] = Some(Box::new(Items::after(separator, &self.words, field)));
            }
            if let Some(items) = &mut self.items[at] {
                items.see(field, is_new);
            }
        }
    }

    fn see_day(&mut self, day: i32) {
        self.n_days += 1;
        let (first, last) = self.days.unwrap_or((day, day));
        self.days = Some((first.min(day), last.max(day)));
    }

    /// A cell that is a list.
    pub(super) fn see_list<'t>(&mut self, list: impl Iterator<Item = &'t str>) {
        self.n_values += 1;
        let items = self.items[0].get_or_insert_with(Box::default);
        items.see_list(list.map(|item| item.as_bytes().trim_ascii()), true);
    }

    /// A cell without a value.
    pub(super) fn see_absent(&mut self) {
        self.n_absent += 1;
    }

    /// Whether every value is a number.
    pub(crate) fn is_all_numbers(&self) -> bool {
        self.n_values > 0 && self.numbers.count == self.n_values
    }

    /// Whether every value is a day.
    pub(crate) fn is_all_days(&self) -> bool {
        self.n_values > 0 && self.n_days == self.n_values
    }

    /// Cells without a value.
    pub(crate) fn n_missing(&self) -> u64 {
        self.n_absent + self.marks.iter().sum::<u64>()
    }

    /// Whether a mark would be one of the usual words of a column of words.
    fn has_common_word(&self, mark: usize) -> bool {
        !self.is_all_numbers() && !self.is_all_days() && self.marks[mark] * 10 > self.n_values
    }

    fn take_mark_as_value(&mut self, at: usize) {
        let count = std::mem::take(&mut self.marks[at]);
        let text = MARKS[at].text.as_bytes();
        for _ in 0..count {
            let is_new = self.words.see(text);
            for items in self.items.iter_mut().flatten() {
                items.see(text, is_new);
            }
        }
        self.n_values += count;
    }

    /// How many different values there are, marks apart.
    pub(crate) fn different(&self) -> Different {
        self.words.different()
    }

    /// The different values with how often each occurs, in no order; nothing if there are too many.
    pub(crate) fn counted_words(&self) -> Option<Vec<(&[u8], u64)>> {
        self.words.counted()
    }

    /// The items for each separator that occurs.
    pub(crate) fn items(&self) -> impl Iterator<Item = (char, &Items)> {
        let with_separator = SEPARATORS.iter().zip(&self.items);
        with_separator
            .filter_map(|(&separator, items)| Some((char::from(separator), &**items.as_ref()?)))
    }
}

/// A day that a typed file writes with the time of its first moment.
fn without_midnight(field: &[u8]) -> &[u8] {
    field.strip_suffix(b"T00:00:00").unwrap_or(field)
}
