//! Writing a table, raw or masked, as CSV or Parquet.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::arrow::write_parquet;
use super::column::CellWriter;
use super::{Table, codes::Codes};
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
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
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
    pub values: &'a [u32],
}

/// Writes a table as its file name says, with extra columns behind its own.
pub fn write_table(path: &Path, table: &Table, extra: &[Extra<'_>]) -> Result<()> {
    let failed = |source| Error::system("write", path, source);
    let file = File::create(path).map_err(failed)?;
    let mut out = BufWriter::with_capacity(1 << 17, file);
    match Format::of_path(path) {
        Format::Csv => write_csv(table, extra, &mut out, path)?,
        Format::Parquet => write_parquet(table, extra, &mut out, path)?,
        Format::ArrowIpc => {
            return Err(Error::spec("tables are written as CSV or Parquet")
                .hint("name the file `.csv` or `.parquet`"));
        }
    }
    out.flush().map_err(failed)?;
    out.get_ref().sync_all().map_err(failed)
}

fn write_csv(table: &Table, extra: &[Extra<'_>], out: &mut impl Write, path: &Path) -> Result<()> {
    let failed = |error: csv::Error| Error::system("write", path, std::io::Error::other(error));
    let mut writer = csv::Writer::from_writer(out);
    let names = table.fields().iter().map(|field| field.name.as_str());
    writer
        .write_record(names.chain(extra.iter().map(|extra| extra.name)))
        .map_err(failed)?;
    let columns = table
        .fields()
        .iter()
        .zip(table.columns())
        .map(|(field, column)| Ok((column.codes(), column.writer(&field.domain)?)))
        .collect::<Result<Vec<(&Codes, CellWriter<'_>)>>>()?;
    for row in 0..table.n_rows() {
        for (codes, texts) in &columns {
            writer.write_field(texts.text(codes.get(row)).as_bytes()).map_err(failed)?;
        }
        for extra in extra {
            writer.write_field(extra.values[row].to_string()).map_err(failed)?;
        }
        writer.write_record(None::<&[u8]>).map_err(failed)?;
    }
    writer.flush().map_err(|source| Error::system("write", path, source))
}
