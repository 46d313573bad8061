//! Reading Parquet and Arrow IPC.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date64Type, Float64Type};
use arrow_array::{
    Array, ArrayRef, Date64Array, Float64Array, ListArray, RecordBatch, StringArray,
};
use arrow_cast::cast;
use arrow_ipc::reader::{FileReader, StreamDecoder, read_footer_length};
use arrow_ipc::root_as_footer;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::error::{Error, Place, Result};
use crate::progress::{Amount, Progress};
use crate::table::infer::numbers;
use crate::table::interval::Unit;
use crate::table::plan::Kind;
use crate::table::profile::{ColumnProfile, Profile};
use crate::table::read::{Assembly, Target, open};
use crate::table::texts::Texts;

/// Rows that are decoded at once.
const BATCH_ROWS: usize = 8192;

pub(in crate::table) fn read_parquet(
    path: &Path,
    assembly: &mut Assembly<'_>,
    progress: &dyn Progress,
) -> Result<()> {
    read_batches(parquet_batches(path)?, assembly, progress)
}

pub(in crate::table) fn read_ipc(
    path: &Path,
    assembly: &mut Assembly<'_>,
    progress: &dyn Progress,
) -> Result<()> {
    read_batches(ipc_batches(path)?, assembly, progress)
}

pub(in crate::table) fn infer_parquet(
    path: &Path,
    profile: &mut Profile,
    progress: &dyn Progress,
) -> Result<()> {
    infer_batches(parquet_batches(path)?, profile, progress)
}

pub(in crate::table) fn infer_ipc(
    path: &Path,
    profile: &mut Profile,
    progress: &dyn Progress,
) -> Result<()> {
    infer_batches(ipc_batches(path)?, profile, progress)
}

/// The names of the columns.
pub(in crate::table) fn parquet_names(path: &Path) -> Result<Vec<String>> {
    Ok(names(&parquet_batches(path)?.schema))
}

/// The names of the columns.
pub(in crate::table) fn ipc_names(path: &Path) -> Result<Vec<String>> {
    Ok(names(&ipc_batches(path)?.schema))
}

fn names(schema: &SchemaRef) -> Vec<String> {
    let fields = schema.fields().iter();
    fields.map(|field| field.name().clone()).collect()
}

pub(in crate::table) fn read_texts_parquet(
    path: &Path,
    texts: &mut Texts,
    progress: &dyn Progress,
) -> Result<()> {
    text_batches(parquet_batches(path)?, texts, progress)
}

pub(in crate::table) fn read_texts_ipc(
    path: &Path,
    texts: &mut Texts,
    progress: &dyn Progress,
) -> Result<()> {
    text_batches(ipc_batches(path)?, texts, progress)
}

/// The decoded batches of a file.
struct Batches<'p> {
    path: &'p Path,
    format: &'static str,
    schema: SchemaRef,
    n_rows: u64,
    reader: Reader,
}

type Decoded<T> = std::result::Result<T, ArrowError>;

type Reader = Box<dyn Iterator<Item = Decoded<RecordBatch>>>;

impl Iterator for Batches<'_> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = &mut self.reader;
        decode(self.path, self.format, || reader.next().transpose()).transpose()
    }
}

/// Runs a decoder. The decoders panic on some damaged files; a file is never a reason to panic, so that is an error
/// like the ones they return. What a decoder leaves behind is dropped with it.
fn decode<T>(path: &Path, format: &str, run: impl FnOnce() -> Decoded<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(decoded)) => Ok(decoded),
        Ok(Err(ArrowError::IoError(_, source))) if source.raw_os_error().is_some() => {
            Err(Error::system("read", path, source))
        }
        Ok(Err(_)) | Err(_) => {
            Err(Error::data(format!("this is not a readable {format} file")).at(Place::file(path)))
        }
    }
}

fn parquet_batches(path: &Path) -> Result<Batches<'_>> {
    let format = "Parquet";
    let file = open(path)?;
    let (schema, n_rows, reader) = decode(path, format, || {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
        let schema = builder.schema().clone();
        let n_rows = builder.metadata().file_metadata().num_rows().max(0) as u64;
        let reader = builder.with_batch_size(BATCH_ROWS).build()?;
        Ok((schema, n_rows, Box::new(reader)))
    })?;
    Ok(Batches {
        path,
        format,
        schema,
        n_rows,
        reader,
    })
}

/// The batches of an IPC file, which says so at its start, or of an IPC stream.
fn ipc_batches(path: &Path) -> Result<Batches<'_>> {
    let format = "Arrow IPC";
    let mut file = open(path)?;
    let (schema, reader) = decode(path, format, || {
        let mut magic = Vec::new();
        file.by_ref()
            .take(ARROW_MAGIC.len() as u64)
            .read_to_end(&mut magic)?;
        if magic == ARROW_MAGIC {
            check_blocks(&mut file)?;
            let reader = FileReader::try_new(BufReader::new(file), None)?;
            Ok((reader.schema(), Box::new(reader) as Reader))
        } else {
            stream_batches(Cursor::new(magic).chain(file))
        }
    })?;
    Ok(Batches {
        path,
        format,
        schema,
        // An IPC file says how many rows it has only batch by batch.
        n_rows: 0,
        reader,
    })
}

/// The first bytes of an IPC file.
const ARROW_MAGIC: &[u8] = b"ARROW1";

/// Refuses a file whose footer names bytes that the file does not have: the reader would take memory for them first.
fn check_blocks(file: &mut File) -> Decoded<()> {
    let damaged = || ArrowError::ParseError("a block lies outside the file".to_owned());
    let mut trailer = [0; 10];
    let n_bytes = file.seek(SeekFrom::End(0))?;
    let trailer_start = n_bytes.checked_sub(10).ok_or_else(damaged)?;
    file.seek(SeekFrom::Start(trailer_start))?;
    file.read_exact(&mut trailer)?;
    let footer_length = read_footer_length(trailer)? as u64;
    let footer_start = trailer_start
        .checked_sub(footer_length)
        .ok_or_else(damaged)?;
    file.seek(SeekFrom::Start(footer_start))?;
    let mut footer = vec![0; footer_length as usize];
    file.read_exact(&mut footer)?;
    let footer = root_as_footer(&footer).map_err(|_| damaged())?;
    let dictionaries = footer.dictionaries().into_iter().flatten();
    let batches = footer.recordBatches().into_iter().flatten();
    for block in dictionaries.chain(batches) {
        let lengths = [
            block.offset(),
            block.metaDataLength().into(),
            block.bodyLength(),
        ];
        let end = lengths.into_iter().try_fold(0_u64, |end, length| {
            end.checked_add(u64::try_from(length).ok()?)
        });
        if end.is_none_or(|end| end > n_bytes) {
            return Err(damaged());
        }
    }
    Ok(())
}

/// Bytes of a stream that are decoded at once.
const STREAM_CHUNK: u64 = 1 << 20;

/// The batches of a stream. The decoder is given the bytes that there are; the crate's own reader would take memory
/// for as many as a damaged length claims.
fn stream_batches(mut stream: impl Read + 'static) -> Decoded<(SchemaRef, Reader)> {
    let mut decoder = StreamDecoder::new();
    let mut buffer = Vec::<u8>::new().into();
    let mut next = move |decoder: &mut StreamDecoder| -> Decoded<Option<RecordBatch>> {
        loop {
            if let Some(batch) = decoder.decode(&mut buffer)? {
                return Ok(Some(batch));
            }
            let mut bytes = Vec::new();
            if stream.by_ref().take(STREAM_CHUNK).read_to_end(&mut bytes)? == 0 {
                decoder.finish()?;
                return Ok(None);
            }
            buffer = bytes.into();
        }
    };
    // The schema comes before the first batch; a stream without one has no table.
    let mut first = next(&mut decoder)?;
    let schema = decoder
        .schema()
        .ok_or_else(|| ArrowError::ParseError("a stream without a schema".to_owned()))?;
    let mut ended = first.is_none();
    let batches = std::iter::from_fn(move || {
        if let Some(batch) = first.take() {
            return Some(Ok(batch));
        }
        if ended {
            return None;
        }
        let batch = next(&mut decoder);
        ended = !matches!(batch, Ok(Some(_)));
        batch.transpose()
    });
    Ok((schema, Box::new(batches)))
}

fn read_batches(
    batches: Batches<'_>,
    assembly: &mut Assembly<'_>,
    progress: &dyn Progress,
) -> Result<()> {
    let path = batches.path;
    let schema = batches.schema.clone();
    let targets = assembly
        .targets(&names(&schema))
        .map_err(|error| error.at(Place::file(path)))?;
    progress.begin("reading", batches.n_rows, Amount::Rows);
    let mut row = 0_u64;
    for batch in batches {
        let batch = batch?;
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
    /// Milliseconds since 1970-01-01, so that a time of day is seen and not cut off.
    Days(Date64Array),
    Text(StringArray),
    Items(ListArray),
}

const MILLISECONDS_PER_DAY: i64 = 86_400_000;

fn cells_for(target: Target, array: &ArrayRef, assembly: &Assembly<'_>) -> Decoded<Cells> {
    let (unit, takes_sets) = match target {
        Target::Nowhere => return Ok(Cells::Unread),
        Target::Person => (None, false),
        Target::Column(column) => {
            let builder = &assembly.builders[column];
            (builder.unit(), builder.takes_sets())
        }
    };
    let data_type = array.data_type();
    Ok(match unit {
        Some(Unit::Number) if data_type.is_numeric() => {
            let numbers = cast(array, &DataType::Float64)?;
            Cells::Numbers(numbers.as_primitive::<Float64Type>().clone())
        }
        Some(Unit::Day) if is_date(data_type) => {
            let days = cast(array, &DataType::Date64)?;
            Cells::Days(days.as_primitive::<Date64Type>().clone())
        }
        None if takes_sets && data_type.is_nested() => {
            let item = arrow_schema::Field::new_list_field(DataType::Utf8, true);
            let items = cast(array, &DataType::List(Arc::new(item)))?;
            Cells::Items(items.as_list::<i32>().clone())
        }
        _ if data_type.is_nested() => {
            return Err(ArrowError::CastError(
                "a list is no single value".to_owned(),
            ));
        }
        _ => Cells::Text(cast(array, &DataType::Utf8)?.as_string::<i32>().clone()),
    })
}

fn is_date(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..)
    )
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
                Target::Person => assembly.push_nobody(),
                Target::Column(column) => assembly.push_missing(column, row),
            }
            return;
        }
        match (self, target) {
            (Self::Text(array), target) => {
                assembly.push_text(target, array.value(at).as_bytes(), row);
            }
            (Self::Numbers(array), Target::Column(column)) => {
                let number = array.value(at);
                // What a text file would call `NaN`.
                if number.is_nan() && assembly.is_missing(b"NaN") {
                    assembly.push_missing(column, row);
                } else {
                    assembly.builders[column].push_number(number, row);
                }
            }
            (Self::Days(array), Target::Column(column)) => {
                let milliseconds = array.value(at);
                let builder = &mut assembly.builders[column];
                if milliseconds % MILLISECONDS_PER_DAY == 0 {
                    builder.push_number((milliseconds / MILLISECONDS_PER_DAY) as f64, row);
                } else {
                    builder.push_unreadable(row);
                }
            }
            (Self::Items(array), Target::Column(column)) => {
                let items = array.value(at);
                let items = items.as_string::<i32>();
                let builder = &mut assembly.builders[column];
                if items.null_count() > 0 {
                    builder.push_unreadable(row);
                } else {
                    builder.push_items(items.iter().flatten(), row);
                }
            }
            (Self::Unread, _) | (_, Target::Nowhere | Target::Person) => {}
        }
    }
}

fn infer_batches(
    batches: Batches<'_>,
    profile: &mut Profile,
    progress: &dyn Progress,
) -> Result<()> {
    for field in batches.schema.fields() {
        let known = match field.data_type() {
            DataType::List(_) | DataType::LargeList(_) => Some(Kind::Sets {
                tree: None,
                separator: ";".to_owned(),
            }),
            data_type if data_type.is_numeric() => Some(numbers(Unit::Number)),
            data_type if is_date(data_type) => Some(numbers(Unit::Day)),
            _ => None,
        };
        let is_foreign = known.is_none() && !can_be_text(field.data_type());
        profile.add(field.name(), known, is_foreign);
    }
    progress.begin("reading", batches.n_rows, Amount::Rows);
    for batch in batches {
        let batch = batch?;
        profile.n_rows += batch.num_rows() as u64;
        for (column, array) in profile.columns.iter_mut().zip(batch.columns()) {
            if array.data_type().is_nested() {
                infer_lists(column, array);
            } else if let Ok(text) = cast(array, &DataType::Utf8) {
                for field in text.as_string::<i32>() {
                    match field {
                        Some(field) => column.see(field.as_bytes()),
                        None => column.see_absent(),
                    }
                }
            }
        }
        progress.advance(batch.num_rows() as u64);
    }
    progress.end();
    Ok(())
}

fn can_be_text(data_type: &DataType) -> bool {
    !data_type.is_nested() && arrow_cast::can_cast_types(data_type, &DataType::Utf8)
}

/// Shows lists of texts; a list of anything else is not read.
fn infer_lists(column: &mut ColumnProfile, array: &ArrayRef) {
    let item = arrow_schema::Field::new_list_field(DataType::Utf8, true);
    let Ok(lists) = cast(array, &DataType::List(Arc::new(item))) else {
        column.is_foreign = true;
        return;
    };
    for list in lists.as_list::<i32>().iter() {
        match list {
            None => column.see_absent(),
            Some(list) => {
                let items = list.as_string::<i32>();
                column.is_foreign |= items.null_count() > 0;
                column.see_list(items.iter().flatten());
            }
        }
    }
}

fn text_batches(batches: Batches<'_>, texts: &mut Texts, progress: &dyn Progress) -> Result<()> {
    let path = batches.path;
    let schema = batches.schema.clone();
    let names: Vec<String> = schema
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect();
    texts
        .begin(&names)
        .map_err(|error| error.at(Place::file(path)))?;
    progress.begin("reading", batches.n_rows, Amount::Rows);
    for batch in batches {
        let batch = batch?;
        for (column, (array, field)) in batch.columns().iter().zip(schema.fields()).enumerate() {
            let cells = cast(array, &DataType::Utf8).map_err(|_| {
                Error::data(format!(
                    "column `{}` has the type {}, which cannot be read as text",
                    field.name(),
                    field.data_type()
                ))
                .at(Place::file(path))
            })?;
            for cell in cells.as_string::<i32>() {
                texts.push(column, cell.unwrap_or("").as_bytes());
            }
        }
        progress.advance(batch.num_rows() as u64);
    }
    progress.end();
    Ok(())
}
