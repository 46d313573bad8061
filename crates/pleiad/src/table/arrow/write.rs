//! Writing Parquet.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use crate::error::Result;
use crate::table::Table;
use crate::table::codes::Codes;
use crate::table::column::{CellWriter, Column};
use crate::table::domain::{Domain, Field};
use crate::table::interval::{Interval, Unit};
use crate::table::masked::MaskedValue;
use crate::table::write::{Extra, check_names, n_rows};

/// Rows that are encoded at once; a column of text must stay below 2 GiB.
const BATCH_ROWS: usize = 1 << 16;

/// A table whose cells are ready to be written as Parquet. Masked numbers stand as text with their ends beside them in
/// `<column>_low` and `<column>_high`.
pub(in crate::table) struct ParquetCells<'t> {
    columns: Vec<(String, Cells<'t>)>,
    n_rows: usize,
}

impl<'t> ParquetCells<'t> {
    pub(in crate::table) fn new(table: &'t Table, extra: &'t [Extra<'t>]) -> Result<Self> {
        let mut columns: Vec<(String, Cells<'t>)> = Vec::new();
        for (field, column) in table.fields().iter().zip(table.columns()) {
            for (suffix, cells) in Cells::of_column(field, column)? {
                columns.push((format!("{}{suffix}", field.name), cells));
            }
        }
        for extra in extra {
            columns.push((extra.name.to_owned(), Cells::Whole(extra.values)));
        }
        check_names(columns.iter().map(|(name, _)| name.as_str()))?;
        Ok(Self {
            columns,
            n_rows: n_rows(table, extra),
        })
    }

    pub(in crate::table) fn write(&self, out: impl Write + Send) -> io::Result<()> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .build();
        let schema = self.batch(0..0)?.schema();
        let mut writer = ArrowWriter::try_new(out, schema, Some(properties))?;
        for start in (0..self.n_rows).step_by(BATCH_ROWS) {
            let end = self.n_rows.min(start + BATCH_ROWS);
            writer.write(&self.batch(start..end)?)?;
        }
        writer.close()?;
        Ok(())
    }

    fn batch(&self, rows: Range<usize>) -> io::Result<RecordBatch> {
        let arrays = self
            .columns
            .iter()
            // Every column may be null, so that the schema does not depend on the rows of a batch.
            .map(|(name, cells)| (name, cells.array(rows.clone()), true));
        RecordBatch::try_from_iter_with_nullable(arrays).map_err(io::Error::other)
    }
}

/// A column of the file.
enum Cells<'t> {
    Numbers(&'t Codes, &'t Interval),
    /// Texts of codes, and the code that has none.
    Texts(&'t Codes, CellWriter<'t>, Option<u32>),
    /// An end of the interval that each code stands for.
    Ends(&'t Codes, Vec<Option<f64>>, Unit),
    Whole(&'t [i64]),
}

impl<'t> Cells<'t> {
    fn of_column(field: &'t Field, column: &'t Column) -> Result<Vec<(&'static str, Self)>> {
        if let (Column::Numbers(codes), Domain::Numbers { interval, .. }) = (column, &field.domain)
        {
            return Ok(vec![("", Self::Numbers(codes, interval))]);
        }
        let texts = column.writer(&field.domain)?;
        let mut columns = vec![(
            "",
            Self::Texts(column.codes(), texts, missing_code(field, column)),
        )];
        if let (Column::Masked(codes, dictionary), Domain::Numbers { interval, .. }) =
            (column, &field.domain)
        {
            let ends = dictionary
                .values()
                .iter()
                .map(|value| ends(value, interval));
            let (low, high) = ends.unzip();
            columns.push(("_low", Self::Ends(codes, low, interval.unit())));
            columns.push(("_high", Self::Ends(codes, high, interval.unit())));
        }
        Ok(columns)
    }

    fn array(&self, rows: Range<usize>) -> ArrayRef {
        match self {
            Self::Numbers(codes, interval) => {
                let numbers = rows.map(|row| {
                    let place = codes.get(row);
                    (place <= interval.last()).then(|| interval.written_number(place))
                });
                number_array(numbers, interval.unit())
            }
            Self::Texts(codes, texts, missing) => Arc::new(
                rows.map(|row| codes.get(row))
                    .map(|code| (Some(code) != *missing).then(|| texts.text(code)))
                    .collect::<StringArray>(),
            ),
            Self::Ends(codes, ends, unit) => {
                number_array(rows.map(|row| ends[codes.get(row) as usize]), *unit)
            }
            Self::Whole(values) => Arc::new(Int64Array::from(values[rows].to_vec())),
        }
    }
}

fn number_array(numbers: impl Iterator<Item = Option<f64>>, unit: Unit) -> ArrayRef {
    match unit {
        Unit::Number => Arc::new(numbers.collect::<Float64Array>()),
        Unit::Day => {
            let days = numbers.map(|day| day.map(|day| day as i32));
            Arc::new(days.collect::<Date32Array>())
        }
    }
}

/// The code that means "no value", where there is one.
fn missing_code(field: &Field, column: &Column) -> Option<u32> {
    match (column, &field.domain) {
        (Column::Values(_), Domain::Values(tree)) => tree.taxonomy.missing(),
        (Column::Sets(_, sets), Domain::Sets { tree, .. }) => {
            let missing = tree.taxonomy.missing()?;
            sets.iter()
                .position(|items| items == [missing])
                .map(|code| code as u32)
        }
        (Column::Masked(_, dictionary), _) => dictionary
            .values()
            .iter()
            .position(|value| *value == MaskedValue::Missing)
            .map(|code| code as u32),
        _ => None,
    }
}

/// The least and greatest number a masked value may stand for, as far as they may be told.
fn ends(value: &MaskedValue, interval: &Interval) -> (Option<f64>, Option<f64>) {
    let (first, last) = match value {
        MaskedValue::Number(place) => (*place, *place),
        MaskedValue::Range(first, last) => (*first, *last),
        MaskedValue::Anything => (0, interval.last()),
        _ => return (None, None),
    };
    let public = interval.has_public_bounds();
    (
        (public || first > 0).then(|| interval.written_number(first)),
        (public || last < interval.last()).then(|| interval.written_number(last)),
    )
}
