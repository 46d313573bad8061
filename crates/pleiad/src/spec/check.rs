//! From what was written to what it means.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::raw::{self, At};
use super::{Spec, cluster, column, protect};
use crate::error::{Error, Place, Result};
use crate::table::{ColumnPlan, IncompleteRows, Plan, Role};

/// The text of a spec and the file that it is in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'s> {
    pub(super) text: &'s str,
    pub(super) path: &'s Path,
}

impl Source<'_> {
    pub(super) fn place(&self, span: Range<usize>) -> Place {
        Place::span(self.path, self.text, span)
    }

    /// An error about something that was written.
    pub(super) fn wrong<T>(&self, written: &At<T>, message: impl Into<String>) -> Error {
        Error::spec(message).at(self.place(written.span.clone()))
    }

    /// A finite number above 0.
    pub(super) fn positive(&self, written: &At<f64>, what: &str) -> Result<f64> {
        if written.value.is_finite() && written.value > 0.0 {
            Ok(written.value)
        } else {
            Err(self.wrong(
                written,
                format!("the {what} must be a finite number above 0"),
            ))
        }
    }

    /// A path as seen from where the command runs.
    pub(super) fn beside_spec(&self, written: &At<String>) -> Result<PathBuf> {
        if written.value.is_empty() {
            return Err(self.wrong(written, "the path is empty"));
        }
        let folder = self.path.parent().unwrap_or(Path::new(""));
        Ok(folder.join(&written.value))
    }

    /// A section that must be there.
    fn section<T>(&self, section: Option<At<T>>, name: &str, example: &str) -> Result<At<T>> {
        section.ok_or_else(|| {
            Error::spec(format!("the section [{name}] is missing"))
                .at(Place::file(self.path))
                .hint(format!("add `{example}` under a line `[{name}]`"))
        })
    }
}

/// Checks everything, sections in the order in which they stand in the documentation.
pub(super) fn spec(written: raw::Spec, source: &Source<'_>) -> Result<Spec> {
    let data = source.section(written.data, "data", "path = \"table.csv\"")?;
    let columns = source.section(
        written.columns,
        "columns",
        "age = { kind = \"numeric\", role = \"quasi\" }",
    )?;
    let cluster = source.section(written.cluster, "cluster", "clusters = 6")?;
    let data_path = match &data.value.path {
        Some(path) => source.beside_spec(path)?,
        None => return Err(source.wrong(&data, "[data] has no `path`: the file with the table")),
    };
    let plan = plan(&data.value, &columns, source)?;
    let recipient = written.recipient.and_then(|recipient| recipient.algorithm);
    let cluster = cluster::check(&cluster, recipient, source)?;
    let protect = match &written.protect {
        Some(protect) => Some(protect::check(protect, &columns.value, &plan, source)?),
        None => None,
    };
    Ok(Spec {
        plan,
        data_path,
        recipient: recipient.unwrap_or(cluster.algorithm),
        cluster,
        protect,
    })
}

fn plan(data: &raw::Data, columns: &At<raw::Columns>, source: &Source<'_>) -> Result<Plan> {
    let missing = missing_marks(data);
    let mut plans = columns
        .value
        .iter()
        .map(|(name, written)| {
            let name = At {
                value: name.get_ref().as_str(),
                span: name.span(),
            };
            column::check(&name, written, &missing, source)
        })
        .collect::<Result<Vec<_>>>()?;
    if plans.is_empty() {
        return Err(source.wrong(columns, "[columns] names no column"));
    }
    if plans.iter().all(|column| column.role == Role::Identifier) {
        return Err(source.wrong(
            columns,
            "all columns are identifiers: nothing is left to publish",
        ));
    }
    if let Some(person) = &data.person {
        check_person(person, &mut plans, source)?;
    }
    Ok(Plan {
        delimiter: data
            .delimiter
            .as_ref()
            .map(|written| delimiter(written, source))
            .transpose()?,
        missing,
        incomplete_rows: match data.incomplete_rows.unwrap_or_default() {
            raw::IncompleteRows::Refuse => IncompleteRows::Refuse,
            raw::IncompleteRows::Drop => IncompleteRows::Drop,
        },
        person: data.person.as_ref().map(|person| person.value.clone()),
        columns: plans,
        source: Some(source.path.to_owned()),
    })
}

/// The marks, each once.
fn missing_marks(data: &raw::Data) -> Vec<String> {
    let Some(written) = &data.missing else {
        return vec![String::new()];
    };
    let mut marks: Vec<String> = Vec::with_capacity(written.len());
    for mark in written {
        if !marks.contains(mark) {
            marks.push(mark.clone());
        }
    }
    marks
}

fn delimiter(written: &At<String>, source: &Source<'_>) -> Result<u8> {
    match written.value.as_bytes() {
        [b'"' | b'\n' | b'\r'] => Err(source.wrong(
            written,
            "quotes and line ends have another meaning in a CSV file",
        )),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err(source
            .wrong(written, "the delimiter must be one ASCII character")
            .hint("leave `delimiter` out to have it found from the header")),
    }
}

/// The person's column is an identifier, also where [columns] does not name it.
fn check_person(
    person: &At<String>,
    plans: &mut Vec<ColumnPlan>,
    source: &Source<'_>,
) -> Result<()> {
    if person.value.is_empty() {
        return Err(source.wrong(person, "the name of the person's column is empty"));
    }
    match plans.iter().find(|column| column.name == person.value) {
        Some(column) if column.role == Role::Identifier => Ok(()),
        Some(column) => Err(source
            .wrong(
                person,
                format!(
                    "`{}` says whom a row is about, and its role is {}",
                    person.value, column.role
                ),
            )
            .hint("describe it by `{ role = \"identifier\" }`: it must not be published")),
        None => {
            plans.push(column::identifier(&person.value));
            Ok(())
        }
    }
}
