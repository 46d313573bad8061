//! CSV files, plain or gzipped, read as a stream.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;

use super::profile::Profile;
use super::read::{Assembly, open};
use super::texts::Texts;
use crate::error::{Error, Place, Result};
use crate::progress::{Amount, Progress};

/// Bytes between two reports of progress.
const REPORT_EVERY: u64 = 4 << 20;

const BUFFER: usize = 1 << 17;

/// What may stand between fields, if nobody says.
pub(super) const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Put behind a text before it is split into records: a field whose quote was never closed swallows it.
pub(super) const END: &[u8] = b"\n\0end\n";

/// What a record of a text with [`END`] behind it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// A row of the text.
    Row,
    /// What was put behind the text.
    End,
    /// A row whose last field has a quote that was never closed.
    Unclosed,
}

pub(super) fn ending(record: &csv::ByteRecord) -> Ending {
    match record.get(record.len().wrapping_sub(1)) {
        Some(last) if last.ends_with(END) => Ending::Unclosed,
        Some(last) if record.len() == 1 && last == END.trim_ascii() => Ending::End,
        _ => Ending::Row,
    }
}

/// Reads all rows into a table.
pub(super) fn read(
    path: &Path,
    assembly: &mut Assembly<'_>,
    progress: &dyn Progress,
) -> Result<()> {
    assembly.rows_are_offsets();
    let delimiter = assembly.plan.delimiter;
    let mut targets = Vec::new();
    for_each_record(path, delimiter, progress, |record| match record {
        Record::Header(header) => {
            targets = assembly.targets(header)?;
            Ok(())
        }
        Record::Ragged(_) if assembly.takes_in_strangers() => {
            assembly.leave_out_row();
            Ok(())
        }
        Record::Ragged(error) => Err(error),
        Record::Row(row, offset) => {
            for (&target, field) in targets.iter().zip(row) {
                assembly.push_text(target, field, offset);
            }
            assembly.end_row(offset);
            Ok(())
        }
    })
}

/// Shows all rows to a profile.
pub(super) fn infer(path: &Path, profile: &mut Profile, progress: &dyn Progress) -> Result<()> {
    for_each_record(path, None, progress, |record| match record {
        Record::Header(header) => {
            profile.begin(header);
            Ok(())
        }
        Record::Row(row, _) => {
            profile.n_rows += 1;
            for (column, field) in profile.columns.iter_mut().zip(row) {
                column.see(field);
            }
            Ok(())
        }
        Record::Ragged(error) => Err(error),
    })
}

/// Takes all cells as they are.
pub(super) fn read_texts(
    path: &Path,
    delimiter: Option<u8>,
    texts: &mut Texts,
    progress: &dyn Progress,
) -> Result<()> {
    for_each_record(path, delimiter, progress, |record| match record {
        Record::Header(header) => texts.begin(header),
        Record::Row(row, _) => {
            for (column, field) in row.iter().enumerate() {
                texts.push(column, field);
            }
            Ok(())
        }
        Record::Ragged(error) => Err(error),
    })
}

enum Record<'r> {
    Header(&'r [String]),
    /// The fields, and where in the text they begin.
    Row(&'r csv::ByteRecord, u64),
    /// A row with more or fewer fields than the header, as an error says it.
    Ragged(Error),
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
    let mut reader = records(path, file, Rc::clone(&done), delimiter)?;
    let mut record = csv::ByteRecord::new();
    let mut names: Option<Vec<String>> = None;
    let mut reported = 0;
    while reader
        .read_byte_record(&mut record)
        .map_err(|error| read_error(path, error.into()))?
    {
        let offset = record.position().map_or(0, csv::Position::byte);
        let at = || Place::line(path, line_in_file(path, offset).unwrap_or(1));
        match ending(&record) {
            Ending::End => break,
            Ending::Unclosed => {
                return Err(
                    Error::data("this row has a double quote that is never closed").at(at()),
                );
            }
            Ending::Row => {}
        }
        let Some(names) = &names else {
            let header = header(&record).map_err(|error| error.at(at()))?;
            act(Record::Header(&header)).map_err(|error| error.at(at()))?;
            progress.begin("reading", total, Amount::Bytes);
            names = Some(header);
            continue;
        };
        if record.len() != names.len() {
            let error = Error::data(format!(
                "this row has {}, the header has {}",
                fields(record.len()),
                fields(names.len())
            ))
            .at(at())
            .hint("a field that contains the delimiter must stand in double quotes");
            act(Record::Ragged(error))?;
            continue;
        }
        act(Record::Row(&record, offset))?;
        if done.get() - reported >= REPORT_EVERY {
            progress.advance(done.get() - reported);
            reported = done.get();
        }
    }
    if names.is_none() {
        return Err(Error::data("the file is empty").at(Place::file(path)));
    }
    progress.advance(done.get() - reported);
    progress.end();
    Ok(())
}

/// The records of a file; `done` counts the bytes that have left it.
fn records(
    path: &Path,
    file: File,
    done: Rc<Cell<u64>>,
    delimiter: Option<u8>,
) -> Result<csv::Reader<impl Read>> {
    let text = decoded(Counting { file, done }).map_err(|source| read_error(path, source))?;
    Ok(csv::ReaderBuilder::new()
        .delimiter(delimiter.unwrap_or_else(|| likely_delimiter(&text.start)))
        .has_headers(false)
        // Lengths are checked where the line can be told.
        .flexible(true)
        .buffer_capacity(BUFFER)
        .from_reader(text.into_reader().chain(END)))
}

/// The names in the first line.
pub(super) fn column_names(path: &Path, delimiter: Option<u8>) -> Result<Vec<String>> {
    let mut record = csv::ByteRecord::new();
    records(path, open(path)?, Rc::default(), delimiter)?
        .read_byte_record(&mut record)
        .map_err(|error| read_error(path, error.into()))?;
    match ending(&record) {
        Ending::Row => header(&record).map_err(|error| error.at(Place::line(path, 1))),
        Ending::End => Err(Error::data("the file is empty").at(Place::file(path))),
        Ending::Unclosed => Err(
            Error::data("the header has a double quote that is never closed")
                .at(Place::line(path, 1)),
        ),
    }
}

fn header(record: &csv::ByteRecord) -> Result<Vec<String>> {
    record
        .iter()
        .map(|name| String::from_utf8(name.to_vec()))
        .collect::<Result<_, _>>()
        .map_err(|_| Error::data("the header is not UTF-8 text").hint("save the file as UTF-8"))
}

fn fields(count: usize) -> String {
    format!("{count} {}", if count == 1 { "field" } else { "fields" })
}

/// What the system says, or that the gzip decoder cannot go on.
fn read_error(path: &Path, source: io::Error) -> Error {
    if source.raw_os_error().is_some() {
        Error::system("read", path, source)
    } else {
        Error::data("this is not a readable gzip file").at(Place::file(path))
    }
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

/// The text of a file, its start read ahead.
struct Text {
    start: Vec<u8>,
    rest: Box<dyn Read>,
}

impl Text {
    fn into_reader(self) -> impl Read {
        Cursor::new(self.start).chain(self.rest)
    }
}

/// The text of a file: gzip is known by its first bytes, a byte-order mark is passed over.
fn decoded(file: impl Read + 'static) -> io::Result<Text> {
    let mut raw = BufReader::with_capacity(BUFFER, file);
    let magic = read_ahead(&mut raw, 2)?;
    let gzipped = magic == [0x1f, 0x8b];
    let raw = Cursor::new(magic).chain(raw);
    let mut rest: Box<dyn Read> = if gzipped {
        Box::new(MultiGzDecoder::new(raw))
    } else {
        Box::new(raw)
    };
    let mut start = read_ahead(&mut rest, BUFFER)?;
    if start.starts_with(b"\xef\xbb\xbf") {
        start.drain(..3);
    }
    Ok(Text { start, rest })
}

/// So many bytes, fewer only at the end: a single `read` may stop anywhere.
fn read_ahead(reader: &mut impl Read, n_bytes: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(n_bytes as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The delimiter that cuts the header into the most fields, quoted text apart.
fn likely_delimiter(start: &[u8]) -> u8 {
    let mut counts = [0_usize; DELIMITERS.len()];
    let mut quoted = false;
    for &byte in start {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            _ if quoted => {}
            _ => {
                if let Some(at) = DELIMITERS.iter().position(|&delimiter| delimiter == byte) {
                    counts[at] += 1;
                }
            }
        }
    }
    // `max_by_key` keeps the last of equals; a comma should win.
    let best = (0..DELIMITERS.len()).rev().max_by_key(|&at| counts[at]);
    DELIMITERS[best.unwrap_or(0)]
}

/// The line of a file's text on which the record at an offset begins.
///
/// Only needed to say what is wrong, so it is counted when it is needed, and not for every row.
pub(super) fn line_in_file(path: &Path, offset: u64) -> Option<u64> {
    let text = decoded(File::open(path).ok()?).ok()?;
    line_at(text.into_reader(), offset).ok()
}

/// The line on which the record at an offset begins; the offset may lie before blank lines, or inside a line break.
pub(super) fn line_at(text: impl Read, offset: u64) -> io::Result<u64> {
    let mut line = 1;
    let mut after_return = false;
    for (at, byte) in BufReader::with_capacity(BUFFER, text).bytes().enumerate() {
        match byte? {
            b'\n' if after_return => after_return = false,
            byte @ (b'\n' | b'\r') => {
                line += 1;
                after_return = byte == b'\r';
            }
            _ if at as u64 >= offset => break,
            _ => after_return = false,
        }
    }
    Ok(line)
}
