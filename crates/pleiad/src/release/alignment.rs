//! Which raw row became which masked row.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::evaluation::AlignedBy;
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::table::{Reading, TextColumn, TextTable, read_texts};

/// How masked rows are to be found among the raw ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rows {
    /// By a column that both tables have.
    Key(String),
    /// By the owner's map of rows.
    Map(PathBuf),
    /// By their order.
    Order,
    /// Not at all: no row is somebody's.
    Synthetic,
}

/// Raw rows beside the masked rows that they became.
pub(super) struct Alignment {
    pub(super) raw: Vec<u32>,
    pub(super) masked: Vec<u32>,
    pub(super) by: AlignedBy,
}

/// The raw and the masked table as they are aligned.
pub(super) struct Tables<'t> {
    pub(super) raw_path: &'t Path,
    pub(super) reading: &'t Reading,
    pub(super) raw_delimiter: Option<u8>,
    pub(super) masked_path: &'t Path,
    pub(super) masked: &'t TextTable,
}

impl Tables<'_> {
    /// Aligns rows; nothing where no row is somebody's.
    pub(super) fn align(&self, rows: &Rows, progress: &dyn Progress) -> Result<Option<Alignment>> {
        match rows {
            Rows::Key(column) => self.by_key(column, progress).map(Some),
            Rows::Map(path) => self.by_map(path, progress).map(Some),
            Rows::Order => self.by_order().map(Some),
            Rows::Synthetic => Ok(None),
        }
    }

    fn by_order(&self) -> Result<Alignment> {
        let (n_raw, n_masked) = (self.reading.table.n_rows(), self.masked.n_rows());
        let all = |n_rows: usize| (0..n_rows as u32).collect();
        let n_dropped = self.reading.dropped_rows.len();
        if n_masked == n_raw {
            return Ok(Alignment {
                raw: all(n_raw),
                masked: all(n_masked),
                by: AlignedBy::Order,
            });
        }
        if n_masked == n_raw + n_dropped {
            return Ok(Alignment {
                raw: all(n_raw),
                masked: self.reading.kept_rows().map(|row| row - 1).collect(),
                by: AlignedBy::Order,
            });
        }
        Err(Error::data(format!(
            "the raw table has {n_raw} rows and the masked one {n_masked}: their order does not say which belong together"
        ))
        .at(Place::file(self.masked_path))
        .hint("name a column that both have with `--key COLUMN`, or the owner's map with `--map rows.parquet`")
        .hint("if no row of it is somebody's, say `--synthetic`"))
    }

    fn by_key(&self, name: &str, progress: &dyn Progress) -> Result<Alignment> {
        let raw = read_texts(self.raw_path, self.raw_delimiter, progress)?;
        let keys = |table: &TextTable, path: &Path| {
            let column = table.column(name).cloned().ok_or_else(|| {
                Error::spec(format!("there is no column `{name}` to align rows by"))
                    .at(Place::file(path))
                    .nearest(name, table.names().iter().map(String::as_str))
            })?;
            if column.texts.len() < column.codes.len() {
                return Err(Error::data(format!(
                    "`{name}` does not tell rows apart: {} rows have {} different values",
                    column.codes.len(),
                    column.texts.len()
                ))
                .at(Place::file(path)));
            }
            Ok(column)
        };
        let raw_keys = keys(&raw, self.raw_path)?;
        let masked_keys = keys(self.masked, self.masked_path)?;
        let text =
            |column: &TextColumn, row: usize| column.texts[column.codes[row] as usize].clone();
        let mut masked_row: FxHashMap<String, u32> = (0..self.masked.n_rows())
            .map(|row| (text(&masked_keys, row), row as u32))
            .collect();
        // Rows that were left out of the raw table are no strangers.
        for &row in &self.reading.dropped_rows {
            masked_row.remove(&text(&raw_keys, row as usize - 1));
        }
        let mut alignment = Alignment {
            raw: Vec::new(),
            masked: Vec::new(),
            by: AlignedBy::Key {
                column: name.to_owned(),
            },
        };
        for (row, file_row) in self.reading.kept_rows().enumerate() {
            if let Some(masked) = masked_row.remove(&text(&raw_keys, file_row as usize - 1)) {
                alignment.raw.push(row as u32);
                alignment.masked.push(masked);
            }
        }
        if !masked_row.is_empty() {
            return Err(Error::data(format!(
                "the raw table has no row for {} of the {} rows of the masked one, by `{name}`",
                masked_row.len(),
                self.masked.n_rows()
            ))
            .at(Place::file(self.masked_path)));
        }
        Ok(alignment)
    }

    fn by_map(&self, path: &Path, progress: &dyn Progress) -> Result<Alignment> {
        let map = read_texts(path, Some(b','), progress)?;
        let wrong = |what: &str| Error::data(what).at(Place::file(path));
        let numbers = |name: &str| -> Result<Vec<u32>> {
            let column = map.column(name).ok_or_else(|| {
                wrong("this is no map of rows: it has no columns `row` and `public_row`")
            })?;
            let numbers = column.texts.iter().map(|text| text.parse::<u32>().ok());
            let numbers = numbers
                .collect::<Option<Vec<u32>>>()
                .ok_or_else(|| wrong("a number of a row is no whole number"))?;
            Ok(column
                .codes
                .iter()
                .map(|&code| numbers[code as usize])
                .collect())
        };
        let mut row_of_file: FxHashMap<u32, u32> = FxHashMap::default();
        for (row, file_row) in self.reading.kept_rows().enumerate() {
            row_of_file.insert(file_row, row as u32);
        }
        let mut is_taken = vec![false; self.masked.n_rows()];
        let mut pairs = Vec::with_capacity(map.n_rows());
        for (file_row, public_row) in numbers("row")?.into_iter().zip(numbers("public_row")?) {
            let masked = public_row.checked_sub(1);
            let slot = masked.and_then(|masked| is_taken.get_mut(masked as usize));
            match (row_of_file.remove(&file_row), masked, slot) {
                (Some(raw), Some(masked), Some(slot)) if !*slot => {
                    *slot = true;
                    pairs.push((raw, masked));
                }
                _ => return Err(wrong("the map of rows does not fit the two tables")),
            }
        }
        if is_taken.contains(&false) {
            return Err(wrong("the map of rows does not fit the two tables"));
        }
        pairs.sort_unstable();
        let (raw, masked) = pairs.into_iter().unzip();
        Ok(Alignment {
            raw,
            masked,
            by: AlignedBy::Map {
                file: path.display().to_string(),
            },
        })
    }
}
