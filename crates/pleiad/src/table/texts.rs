//! A file as it is written: cells as text, nothing known about them.
//!
//! This is how promises are checked on the bytes of a release, and how masked columns are read: what a cell means is
//! decided afterwards, once for each different text.

use std::path::Path;

use rustc_hash::FxHashMap;

use super::write::Format;
use super::{arrow, csv_file};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;

/// The cells of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextTable {
    names: Vec<String>,
    columns: Vec<TextColumn>,
    n_rows: usize,
}

/// The cells of a column, each different text once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextColumn {
    /// The text of each row, by its place in `texts`.
    pub codes: Vec<u32>,
    /// The different texts, as they appear first; an absent cell is an empty text.
    pub texts: Vec<String>,
}

impl TextTable {
    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The column with a name.
    pub fn column(&self, name: &str) -> Option<&TextColumn> {
        let at = self.names.iter().position(|own| own == name)?;
        Some(&self.columns[at])
    }

    /// The group of each row among rows that have the same texts in these columns, and how many groups there are.
    pub fn groups(columns: &[&TextColumn]) -> (Vec<u32>, usize) {
        let Some((first, others)) = columns.split_first() else {
            return (Vec::new(), 0);
        };
        let mut groups = first.codes.clone();
        let mut n_groups = first.texts.len();
        for column in others {
            let mut number: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            for (group, &code) in groups.iter_mut().zip(&column.codes) {
                let next = number.len() as u32;
                *group = *number.entry((*group, code)).or_insert(next);
            }
            n_groups = number.len();
        }
        (groups, n_groups)
    }
}

/// Reads all cells of a CSV (also gzipped), Parquet or Arrow IPC file as text.
///
/// # Errors
/// A file that cannot be read, ragged rows, a header that names two columns alike.
pub fn read_texts(
    path: &Path,
    delimiter: Option<u8>,
    progress: &dyn Progress,
) -> Result<TextTable> {
    let mut texts = Texts::default();
    match Format::of_path(path) {
        Format::Csv => csv_file::read_texts(path, delimiter, &mut texts, progress)?,
        Format::Parquet => arrow::read_texts_parquet(path, &mut texts, progress)?,
        Format::ArrowIpc => arrow::read_texts_ipc(path, &mut texts, progress)?,
    }
    texts.finish(path)
}

/// Cells while a file is read.
#[derive(Default)]
pub(super) struct Texts {
    table: TextTable,
    known: Vec<FxHashMap<Box<[u8]>, u32>>,
    /// The first column with a cell that is no text.
    unreadable: Option<usize>,
}

impl Texts {
    /// The names of the columns.
    pub(super) fn begin(&mut self, names: &[String]) -> Result<()> {
        super::read::check_header(names)?;
        self.table.names = names.to_vec();
        self.table.columns = vec![TextColumn::default(); names.len()];
        self.known = vec![FxHashMap::default(); names.len()];
        Ok(())
    }

    /// Appends a cell.
    pub(super) fn push(&mut self, column: usize, text: &[u8]) {
        let own = &mut self.table.columns[column];
        if let Some(&code) = self.known[column].get(text) {
            own.codes.push(code);
            return;
        }
        let code = own.texts.len() as u32;
        if let Ok(words) = std::str::from_utf8(text) {
            own.texts.push(words.to_owned());
        } else {
            self.unreadable.get_or_insert(column);
            own.texts.push(String::new());
        }
        self.known[column].insert(text.into(), code);
        own.codes.push(code);
    }

    fn finish(mut self, path: &Path) -> Result<TextTable> {
        if let Some(column) = self.unreadable {
            return Err(Error::data(format!(
                "column {} has a cell that is not UTF-8 text",
                column + 1
            ))
            .at(Place::file(path)));
        }
        self.table.n_rows = self
            .table
            .columns
            .first()
            .map_or(0, |column| column.codes.len());
        Ok(self.table)
    }
}
