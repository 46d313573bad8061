//! Parquet and Arrow IPC: the only module that sees Arrow's types.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{StringBuilder, StringDictionaryBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, Date32Array, Float64Array, Int64Array, ListArray, RecordBatch, StringArray,
};
use arrow_cast::cast;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::column::Column;
use super::domain::{Domain, Field};
use super::infer::{Guesses, numbers};
use super::interval::{Interval, Unit};
use super::masked::MaskedValue;
use super::plan::Kind;
use super::read::{Assembly, Target, open};
use super::write::Extra;
use super::Table;
use crate::error::{Error, Place, Result};
use crate::progress::{Amount, Progress};

/// Rows that are decoded at once.
const BATCH_ROWS: usize = 8192;

pub(super) fn read_parquet(path: &Path, assembly: &mut Assembly<'_>, progress: &dyn Progress) -> Result<()> {
    let builder = parquet_reader(path)?;
    let schema = builder.schema().clone();
    let total = builder.metadata().file_metadata().num_rows().max(0) as u64;
    let batches = builder
        .with_batch_size(BATCH_ROWS)
        .build()
        .map_err(|_| not_readable(path, "Parquet"))?;
    read_batches(path, &schema, batches, total, assembly, progress)
}

pub(super) fn read_ipc(path: &Path, assembly: &mut Assembly<'_>, progress: &dyn Progress) -> Result<()> {
    let (schema, batches) = ipc_batches(path)?;
    read_batches(path, &schema, batches, 0, assembly, progress)
}

pub(super) fn infer_parquet(path: &Path, guesses: &mut Guesses) -> Result<()> {
    let builder = parquet_reader(path)?;
    let schema = builder.schema().clone();
    let batches = builder.build().map_err(|_| not_readable(path, "Parquet"))?;
    infer_batches(path, &schema, batches, guesses)
}

pub(super) fn infer_ipc(path: &Path, guesses: &mut Guesses) -> Result<()> {
    let (schema, batches) = ipc_batches(path)?;
    infer_batches(path, &schema, batches, guesses)
}

fn parquet_reader(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>> {
    ParquetRecordBatchReaderBuilder::try_new(open(path)?).map_err(|_| not_readable(path, "Parquet"))
}

type Batches = Box<dyn Iterator<Item = std::result::Result<RecordBatch, ArrowError>>>;

/// The batches of an IPC file or, failing that, of an IPC stream.
fn ipc_batches(path: &Path) -> Result<(SchemaRef, Batches)> {
    if let Ok(reader) = FileReader::try_new(BufReader::new(open(path)?), None) {
        return Ok((reader.schema(), Box::new(reader)));
    }
    let reader = StreamReader::try_new(BufReader::new(open(path)?), None)
        .map_err(|_| not_readable(path, "Arrow IPC"))?;
    Ok((reader.schema(), Box::new(reader)))
}

fn not_readable(path: &Path, format: &str) -> Error {
    Error::data(format!("this is not a readable {format} file")).at(Place::file(path))
}

fn header(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().clone()).collect()
}

fn read_batches(
    path: &Path,
    schema: &Schema,
    batches: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>,
    total: u64,
    assembly: &mut Assembly<'_>,
    progress: &dyn Progress,
) -> Result<()> {
    let targets = assembly.targets(&header(schema))?;
    progress.begin("reading", total, Amount::Rows);
    let mut row = 0_u64;
    for batch in batches {
        let batch = batch.map_err(|_| not_readable(path, "Arrow"))?;
        let columns = targets
            .iter()
            .zip(batch.columns())
            .zip(schema.fields())
            .map(|((&target, array), field)| {
                cells_for(target, array, assembly).map_err(|_| {
                    Error::data(format!(
                        "column `{}` has the type {}, which cannot be read as its kind",
                        field.name(),
                        field.data_type()
                    ))
                    .at(Place::file(path))
                })
            })
            .collect::<Result<Vec<Cells>>>()?;
        for at in 0..batch.num_rows() {
            row += 1;
            for (&target, cells) in targets.iter().zip(&columns) {
                cells.push(at, target, row, assembly);
            }
            assembly.end_row(row);
        }
        progress.advance(batch.num_rows() as u64);
    }
    progress.end();
    Ok(())
}

/// A batch's column in one of the forms that a builder takes.
enum Cells {
    Unread,
    Numbers(Float64Array),
    Days(Date32Array),
    Text(StringArray),
    Items(ListArray),
}

fn cells_for(target: Target, array: &ArrayRef, assembly: &Assembly<'_>) -> std::result::Result<Cells, ArrowError> {
    let unit = match target {
        Target::Nowhere => return Ok(Cells::Unread),
        Target::Person => None,
        Target::Column(column) => assembly.builders[column].unit(),
    };
    let data_type = array.data_type();
    Ok(match unit {
        Some(Unit::Number) if data_type.is_numeric() => {
            Cells::Numbers(cast(array, &DataType::Float64)?.as_primitive::<Float64Type>().clone())
        }
        Some(Unit::Day) if data_type.is_temporal() => {
            Cells::Days(cast(array, &DataType::Date32)?.as_primitive::<Date32Type>().clone())
        }
        None if matches!(data_type, DataType::List(_) | DataType::LargeList(_)) => {
            let item = arrow_schema::Field::new_list_field(DataType::Utf8, true);
            Cells::Items(cast(array, &DataType::List(Arc::new(item)))?.as_list::<i32>().clone())
        }
        _ => Cells::Text(cast(array, &DataType::Utf8)?.as_string::<i32>().clone()),
    })
}

impl Cells {
    fn array(&self) -> Option<&dyn Array> {
        match self {
            Self::Unread => None,
            Self::Numbers(array) => Some(array),
            Self::Days(array) => Some(array),
            Self::Text(array) => Some(array),
            Self::Items(array) => Some(array),
        }
    }

    fn push(&self, at: usize, target: Target, row: u64, assembly: &mut Assembly<'_>) {
        if self.array().is_some_and(|array| array.is_null(at)) {
            match target {
                Target::Nowhere => {}
                Target::Person => assembly.push_person(b"", row),
                Target::Column(column) => assembly.push_missing(column),
            }
            return;
        }
        match (self, target) {
            (Self::Numbers(array), Target::Column(column)) => {
                assembly.builders[column].push_number(array.value(at), row);
            }
            (Self::Days(array), Target::Column(column)) => {
                assembly.builders[column].push_number(f64::from(array.value(at)), row);
            }
            (Self::Items(array), Target::Column(column)) => {
                let items = array.value(at);
                let items = items.as_string::<i32>().iter().flatten();
                assembly.builders[column].push_items(items, row);
            }
            (Self::Text(array), target) => assembly.push_text(target, array.value(at).as_bytes(), row),
            _ => {}
        }
    }
}

fn infer_batches(
    path: &Path,
    schema: &Schema,
    batches: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>,
    guesses: &mut Guesses,
) -> Result<()> {
    for field in schema.fields() {
        let known = match field.data_type() {
            DataType::List(_) | DataType::LargeList(_) => Some(Kind::Sets {
                tree: None,
                separator: ";".to_owned(),
            }),
            data_type if data_type.is_numeric() => Some(numbers(Unit::Number)),
            data_type if data_type.is_temporal() => Some(numbers(Unit::Day)),
            _ => None,
        };
        guesses.add(field.name(), known, false);
    }
    for batch in batches {
        let batch = batch.map_err(|_| not_readable(path, "Arrow"))?;
        for (column, array) in batch.columns().iter().enumerate() {
            if array.null_count() > 0 {
                guesses.see(column, b"");
            }
            if let Ok(text) = cast(array, &DataType::Utf8) {
                for field in text.as_string::<i32>().iter().flatten() {
                    guesses.see(column, field.as_bytes());
                }
            }
        }
    }
    Ok(())
}

/// Writes a table as Parquet. Masked numbers stand as text with their ends beside them in `<column>_low` and
/// `<column>_high`.
pub(super) fn write_parquet(table: &Table, extra: &[Extra<'_>], out: impl Write + Send, path: &Path) -> Result<()> {
    let mut names: Vec<String> = Vec::new();
    let mut arrays: Vec<ArrayRef> = Vec::new();
    for (field, column) in table.fields().iter().zip(table.columns()) {
        for (suffix, array) in arrays_of(field, column)? {
            names.push(format!("{}{suffix}", field.name));
            arrays.push(array);
        }
    }
    for extra in extra {
        names.push(extra.name.to_owned());
        arrays.push(Arc::new(Int64Array::from_iter_values(extra.values.iter().map(|&value| i64::from(value)))));
    }
    let failed = |error: &dyn std::error::Error| {
        Error::system("write", path, std::io::Error::other(error.to_string()))
    };
    let batch = RecordBatch::try_from_iter(names.into_iter().zip(arrays)).map_err(|error| failed(&error))?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(out, batch.schema(), Some(properties)).map_err(|error| failed(&error))?;
    writer.write(&batch).map_err(|error| failed(&error))?;
    writer.close().map_err(|error| failed(&error))?;
    Ok(())
}

fn arrays_of(field: &Field, column: &Column) -> Result<Vec<(&'static str, ArrayRef)>> {
    if let (Column::Numbers(codes), Domain::Numbers { interval, .. }) = (column, &field.domain) {
        let numbers = codes.iter().map(|place| (place <= interval.last()).then(|| interval.number(place)));
        return Ok(vec![("", number_array(numbers, interval.unit()))]);
    }
    let writer = column.writer(&field.domain)?;
    let missing = missing_code(field, column);
    let mut text = StringDictionaryBuilder::<Int32Type>::new();
    for code in column.codes().iter() {
        if Some(code) == missing {
            text.append_null();
        } else {
            text.append_value(writer.text(code));
        }
    }
    let mut arrays: Vec<(&'static str, ArrayRef)> = vec![("", plain_text(&text.finish()))];
    if let (Column::Masked(codes, dictionary), Domain::Numbers { interval, .. }) = (column, &field.domain) {
        let ends: Vec<(Option<f64>, Option<f64>)> =
            dictionary.values().iter().map(|value| ends(value, interval)).collect();
        let low = codes.iter().map(|code| ends[code as usize].0);
        let high = codes.iter().map(|code| ends[code as usize].1);
        arrays.push(("_low", number_array(low, interval.unit())));
        arrays.push(("_high", number_array(high, interval.unit())));
    }
    Ok(arrays)
}

/// Text as every reader knows it; the dictionary only made building cheap.
fn plain_text(dictionary: &arrow_array::DictionaryArray<Int32Type>) -> ArrayRef {
    let words = dictionary.values().as_string::<i32>();
    let mut text = StringBuilder::new();
    for key in dictionary.keys() {
        text.append_option(key.map(|key| words.value(key as usize)));
    }
    Arc::new(text.finish())
}

fn number_array(numbers: impl Iterator<Item = Option<f64>>, unit: Unit) -> ArrayRef {
    match unit {
        Unit::Number => Arc::new(numbers.collect::<Float64Array>()),
        Unit::Day => Arc::new(numbers.map(|day| day.map(|day| day as i32)).collect::<Date32Array>()),
    }
}

/// The code that means "no value", where there is one.
fn missing_code(field: &Field, column: &Column) -> Option<u32> {
    match (column, &field.domain) {
        (Column::Values(_), Domain::Values(tree)) => tree.taxonomy.missing(),
        (Column::Sets(_, sets), Domain::Sets { tree, .. }) => {
            let missing = tree.taxonomy.missing()?;
            sets.iter().position(|items| items == [missing]).map(|code| code as u32)
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
        (public || first > 0).then(|| interval.number(first)),
        (public || last < interval.last()).then(|| interval.number(last)),
    )
}
