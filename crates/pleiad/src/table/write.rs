//! Writing a table, raw or masked, as CSV or Parquet.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use rustc_hash::FxHashSet;

use super::Table;
use super::arrow::ParquetCells;
use super::codes::Codes;
use super::column::CellWriter;
use super::csv_file::DELIMITERS;
use crate::error::{Error, Result};

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated text, also gzipped.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC (Feather), file or stream.
    ArrowIpc,
}

impl Format {
    /// The format that a file name says.
    pub fn of_path(path: &Path) -> Self {
        let extension = path
            .extension()
            .map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("parquet" | "pq") => Self::Parquet,
            Some("arrow" | "feather" | "ipc" | "arrows") => Self::ArrowIpc,
            _ => Self::Csv,
        }
    }
}

/// A column of whole numbers to write beside the table's own, such as labels or weights.
#[derive(Debug, Clone, Copy)]
pub struct Extra<'a> {
    /// The name in the header.
    pub name: &'a str,
    /// One number per row.
    pub values: &'a [i64],
}

/// Writes a table as its file name says, with extra columns behind its own.
pub fn write_table(path: &Path, table: &Table, extra: &[Extra<'_>]) -> Result<()> {
    match Format::of_path(path) {
        Format::Csv => {
            let cells = CsvCells::new(table, extra)?;
            if path
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
            {
                write_file(path, |out| {
                    let mut compressed = GzEncoder::new(out, Compression::default());
                    cells.write(&mut compressed)?;
                    compressed.finish().map(|_| ())
                })
            } else {
                write_file(path, |out| cells.write(out))
            }
        }
        Format::Parquet => {
            let cells = ParquetCells::new(table, extra)?;
            write_file(path, |out| cells.write(out))
        }
        Format::ArrowIpc => Err(Error::spec("tables are written as CSV or Parquet")
            .hint("name the file `.csv` or `.parquet`")),
    }
}

fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<()> {
    let written = || {
        let mut out = BufWriter::with_capacity(1 << 17, File::create(path)?);
        write(&mut out)?;
        out.flush()?;
        out.get_ref().sync_all()
    };
    written().map_err(|source| Error::system("write", path, source))
}

/// Number of rows of a file: a table without columns of its own has those of its extra ones.
pub(super) fn n_rows(table: &Table, extra: &[Extra<'_>]) -> usize {
    match extra.first() {
        Some(first) if table.columns().is_empty() => first.values.len(),
        _ => table.n_rows(),
    }
}

/// Every column of a file has a name of its own.
pub(super) fn check_names<'n>(names: impl Iterator<Item = &'n str>) -> Result<()> {
    let mut seen = FxHashSet::default();
    for name in names {
        if !seen.insert(name) {
            return Err(Error::spec(format!(
                "two columns of the file would both be called `{name}`"
            )));
        }
    }
    Ok(())
}

/// A table whose cells are ready to be written as text.
struct CsvCells<'t> {
    names: Vec<&'t str>,
    columns: Vec<(&'t Codes, CellWriter<'t>)>,
    extra: &'t [Extra<'t>],
    n_rows: usize,
}

impl<'t> CsvCells<'t> {
    fn new(table: &'t Table, extra: &'t [Extra<'t>]) -> Result<Self> {
        let names = table.fields().iter().map(|field| field.name.as_str());
        let names: Vec<&str> = names.chain(extra.iter().map(|extra| extra.name)).collect();
        check_names(names.iter().copied())?;
        let columns = table
            .fields()
            .iter()
            .zip(table.columns())
            .map(|(field, column)| Ok((column.codes(), column.writer(&field.domain)?)))
            .collect::<Result<_>>()?;
        Ok(Self {
            names,
            columns,
            extra,
            n_rows: n_rows(table, extra),
        })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        // Where a name could be mistaken for several, all are quoted: the header is where a reader finds the delimiter.
        let misleading = |name: &&str| name.bytes().any(|byte| DELIMITERS.contains(&byte));
        let quoting = if self.names.iter().any(misleading) {
            csv::QuoteStyle::Always
        } else {
            csv::QuoteStyle::Necessary
        };
        let mut header = csv::WriterBuilder::new()
            .quote_style(quoting)
            .from_writer(&mut *out);
        header.write_record(&self.names)?;
        header.flush()?;
        drop(header);
        let mut writer = csv::Writer::from_writer(out);
        for row in 0..self.n_rows {
            for (codes, texts) in &self.columns {
                writer.write_field(texts.text(codes.get(row)).as_bytes())?;
            }
            for extra in self.extra {
                writer.write_field(extra.values[row].to_string())?;
            }
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }
}
