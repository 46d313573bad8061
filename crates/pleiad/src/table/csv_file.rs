//! CSV files, plain or gzipped, read as a stream.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;

use super::infer::Guesses;
use super::read::{Assembly, open};
use crate::error::{Error, Place, Result};
use crate::progress::{Amount, Progress};

/// Bytes between two reports of progress.
const REPORT_EVERY: u64 = 4 << 20;

const BUFFER: usize = 1 << 17;

/// What may stand between fields, if nobody says.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Reads all rows into a table.
pub(super) fn read(path: &Path, assembly: &mut Assembly<'_>, progress: &dyn Progress) -> Result<()> {
    assembly.rows_are_lines();
    let delimiter = assembly.plan.delimiter;
    let mut targets = Vec::new();
    for_each_record(path, delimiter, progress, |record| match record {
        Record::Header(header) => {
            targets = assembly.targets(header)?;
            Ok(())
        }
        Record::Row(row, line) => {
            for (&target, field) in targets.iter().zip(row) {
                assembly.push_text(target, field, line);
            }
            assembly.end_row(line);
            Ok(())
        }
    })
}

/// Shows all rows to the guesses.
pub(super) fn infer(path: &Path, guesses: &mut Guesses, progress: &dyn Progress) -> Result<()> {
    for_each_record(path, None, progress, |record| match record {
        Record::Header(header) => {
            guesses.begin(header);
            Ok(())
        }
        Record::Row(row, _) => {
            for (column, field) in row.iter().enumerate() {
                guesses.see(column, field);
            }
            Ok(())
        }
    })
}

enum Record<'r> {
    Header(&'r [String]),
    Row(&'r csv::ByteRecord, u64),
}

fn for_each_record(
    path: &Path,
    delimiter: Option<u8>,
    progress: &dyn Progress,
    mut act: impl FnMut(Record<'_>) -> Result<()>,
) -> Result<()> {
    let file = open(path)?;
    let total = file.metadata().map_or(0, |metadata| metadata.len());
    let done = Rc::new(Cell::new(0));
    let mut text = decoded(Counting { file, done: Rc::clone(&done) })
        .map_err(|source| Error::system("read", path, source))?;
    let delimiter = match delimiter {
        Some(delimiter) => delimiter,
        None => likely_delimiter(&mut text).map_err(|source| Error::system("read", path, source))?,
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .buffer_capacity(BUFFER)
        .from_reader(text);
    let header = reader.byte_headers().map_err(|error| csv_error(error, path))?;
    if header.is_empty() {
        return Err(Error::data("the file is empty").at(Place::file(path)));
    }
    let names = header
        .iter()
        .map(|name| String::from_utf8(name.to_vec()))
        .collect::<Result<Vec<String>, _>>()
        .map_err(|_| Error::data("the header is not UTF-8 text").at(Place::line(path, 1)))?;
    act(Record::Header(&names))?;
    progress.begin("reading", total, Amount::Bytes);
    let mut reported = 0;
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(|error| csv_error(error, path))? {
        let line = record.position().map_or(0, csv::Position::line);
        act(Record::Row(&record, line))?;
        if done.get() - reported >= REPORT_EVERY {
            progress.advance(done.get() - reported);
            reported = done.get();
        }
    }
    progress.end();
    Ok(())
}

/// Counts the bytes that leave the file, so that progress is right for gzipped files too.
struct Counting {
    file: File,
    done: Rc<Cell<u64>>,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.file.read(buffer)?;
        self.done.set(self.done.get() + n_bytes as u64);
        Ok(n_bytes)
    }
}

/// The text of a file: gzip is known by its first bytes, a byte-order mark is passed over.
fn decoded(file: Counting) -> io::Result<Box<dyn BufRead>> {
    let mut raw = BufReader::with_capacity(BUFFER, file);
    let gzipped = raw.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    let mut text: Box<dyn BufRead> = if gzipped {
        Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(raw)))
    } else {
        Box::new(raw)
    };
    if text.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        text.consume(3);
    }
    Ok(text)
}

/// The delimiter that cuts the first line into the most fields.
fn likely_delimiter(text: &mut dyn BufRead) -> io::Result<u8> {
    let start = text.fill_buf()?;
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or(start);
    let count = |delimiter: u8| line.iter().filter(|&&byte| byte == delimiter).count();
    // `max_by_key` keeps the last of equals; a comma should win.
    let best = DELIMITERS.into_iter().rev().max_by_key(|&delimiter| count(delimiter));
    Ok(best.unwrap_or(b','))
}

/// A CSV error in our words, without its cells.
fn csv_error(error: csv::Error, path: &Path) -> Error {
    let line = error.position().map(csv::Position::line);
    let place = match line {
        Some(line) => Place::line(path, line),
        None => Place::file(path),
    };
    match error.into_kind() {
        csv::ErrorKind::Io(source) => Error::system("read", path, source),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => Error::data(format!(
            "this row has {len} fields, the header has {expected_len}"
        ))
        .at(place)
        .hint("a field that contains the delimiter must stand in double quotes"),
        _ => Error::data("this is not a CSV file").at(place),
    }
}
