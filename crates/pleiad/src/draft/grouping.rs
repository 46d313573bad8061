//! Taxonomies drafted from nothing but a list of values.
//!
//! They group what is written alike: codes by their first letters, bands of numbers by their neighbours. Whether that
//! is what the values mean, somebody has to say who knows them.

mod bands;
mod prefixes;

use crate::error::{Error, Result};
use crate::table::{Band, ROOT_LABEL, Unit};

/// How values are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// Not at all: all values are directly under the root.
    Flat,
    /// By what they begin with, as codes are.
    Prefix,
    /// Neighbours on a line, two and two: bands such as `[70-80)`, or numbers.
    Bands,
    /// By their first letter.
    Letters,
}

/// A taxonomy that nobody has looked at yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftedTaxonomy {
    /// How its values were put together.
    pub grouping: Grouping,
    /// Lines `value;…;root`, all with the same number of labels.
    pub text: String,
    /// Labels on a line, the value and the root among them.
    pub n_levels: usize,
    /// Number of values.
    pub n_values: usize,
}

/// Labels from a value up to, and without, the root.
type Path = Vec<String>;

/// Fewer codes than this are seen at a glance.
const FEW_CODES: usize = 10;

/// The grouping that the values themselves suggest.
pub fn likely_grouping(values: &[String]) -> Grouping {
    if values.len() > 3 && bands::all(values).is_some() {
        return Grouping::Bands;
    }
    if values.len() >= FEW_CODES && prefixes::are_codes(values) {
        let paths = prefixes::paths(values);
        if paths.iter().any(|path| path.len() > 1) {
            return Grouping::Prefix;
        }
    }
    Grouping::Flat
}

/// Puts values together.
///
/// # Errors
/// Values that cannot be put together so, or whose groups would have the name of a value.
pub fn draft_taxonomy(values: &[String], grouping: Grouping) -> Result<DraftedTaxonomy> {
    let mut values = values.to_vec();
    values.sort_unstable();
    values.dedup();
    if values.is_empty() {
        return Err(Error::data("there are no values to put into a taxonomy"));
    }
    if let Some(wrong) = values
        .iter()
        .find(|value| value.trim() != **value || value.is_empty() || *value == ROOT_LABEL)
    {
        let rule = if wrong == ROOT_LABEL {
            "is `*`, which is the text of the root"
        } else {
            "begins or ends with a blank, which a taxonomy file cannot say"
        };
        return Err(Error::data(format!("a value {rule}")));
    }
    let mut paths = match grouping {
        Grouping::Flat => values.iter().map(|value| vec![value.clone()]).collect(),
        Grouping::Prefix => prefixes::paths(&values),
        Grouping::Letters => letters(&values),
        Grouping::Bands => neighbours(&values)?,
    };
    for path in &mut paths {
        path.dedup();
    }
    refuse_confusion(&values, &paths)?;
    Ok(DraftedTaxonomy {
        grouping,
        n_values: paths.len(),
        n_levels: 1 + paths.iter().map(Vec::len).max().unwrap_or(0),
        text: lines(&paths),
    })
}

/// A group must not have the name of a value, or it could not be told from it.
fn refuse_confusion(values: &[String], paths: &[Path]) -> Result<()> {
    let groups = || paths.iter().flat_map(|path| &path[1..]);
    if groups().any(|group| values.binary_search(group).is_ok()) {
        return Err(
            Error::data("a group would have the name of a value that is there already")
                .hint("put the values together in another way"),
        );
    }
    Ok(())
}

fn letters(values: &[String]) -> Vec<Path> {
    let group = |value: &String| {
        let first = value
            .chars()
            .next()
            .into_iter()
            .flat_map(char::to_uppercase);
        format!("{}*", first.collect::<String>())
    };
    values
        .iter()
        .map(|value| vec![value.clone(), group(value)])
        .collect()
}

/// Bands by their ends, or numbers in bands of round width.
fn neighbours(values: &[String]) -> Result<Vec<Path>> {
    if let Some(bands) = bands::all(values) {
        return Ok(bands::paths(&bands));
    }
    let numbers: Option<Vec<Band>> = values
        .iter()
        .map(|value| Some(Band::of_number(Unit::Number.parse(value)?, value)))
        .collect();
    match numbers {
        Some(numbers) => Ok(bands::paths_of_numbers(&bands::without_gaps(numbers))),
        None => Err(Error::data(
            "these values are neither numbers nor bands of numbers without overlap, such as `[70-80)`, `18 to 25` or `65+`",
        )
        .hint("put them together by prefix or by letters")),
    }
}

/// Lines of equal length: the value is repeated where its branch is short.
fn lines(paths: &[Path]) -> String {
    let n_levels = paths.iter().map(Vec::len).max().unwrap_or(0);
    let mut writer = csv::WriterBuilder::new()
        .delimiter(b';')
        .flexible(true)
        .from_writer(Vec::new());
    for path in paths {
        let padding = std::iter::repeat_n(&path[0], n_levels - path.len());
        let labels = padding.chain(path).map(String::as_str);
        writer
            .write_record(labels.chain([ROOT_LABEL]))
            .expect("a vector takes all bytes");
    }
    let bytes = writer.into_inner().expect("a vector takes all bytes");
    String::from_utf8(bytes).expect("labels are text")
}
