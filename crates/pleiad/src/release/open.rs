//! Reading a release back: what a recipient with this library does.

use std::path::Path;

use super::MANIFEST_FILE;
use super::manifest::{KeyedBy, Manifest};
use super::positions_file::{PositionLines, group_of_rows};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::table::{
    Codes, Column, ColumnPlan, ColumnSpread, Field, IncompleteRows, MaskedDictionary, MaskedValue,
    Plan, Role, Table, TextTable, read_table, read_texts,
};

/// A published table and where its masked values lie.
#[derive(Debug, Clone)]
pub struct OpenedRelease {
    /// What the release says of itself.
    pub manifest: Manifest,
    /// The published rows.
    pub table: Table,
    /// Where masked values lie, column by column.
    pub spreads: Vec<Option<ColumnSpread>>,
}

/// Reads the public folder of a release. Whether it keeps its promises is for
/// [`verify_release`](super::verify_release) to say.
pub fn open_release(folder: &Path, progress: &dyn Progress) -> Result<OpenedRelease> {
    let manifest = Manifest::read(&folder.join(MANIFEST_FILE))?;
    let fields = manifest
        .columns
        .iter()
        .map(super::manifest::ColumnEntry::field)
        .collect::<Result<Vec<Field>>>()
        .map_err(|error| error.at(Place::file(folder.join(MANIFEST_FILE))))?;
    let path = folder.join(&manifest.data.file);
    let texts = read_texts(&path, Some(b','), progress)?;
    let mut as_they_are = read_unmasked(&path, &manifest, &texts, progress)?.into_iter();
    let mut columns = Vec::with_capacity(fields.len());
    for (entry, field) in manifest.columns.iter().zip(&fields) {
        columns.push(if entry.masked {
            let hidden = entry.hidden_leaves(field)?;
            masked_column(field, hidden.as_deref(), &texts)
                .map_err(|error| error.at(Place::file(&path)))?
        } else {
            as_they_are
                .next()
                .expect("every column that is not masked was read")
        });
    }
    let table = Table::new(fields, columns, None);
    let lines = PositionLines::read(
        &folder.join(&manifest.positions.file),
        manifest.positions.keyed_by,
    )?;
    let spreads = manifest
        .columns
        .iter()
        .enumerate()
        .map(|(number, entry)| {
            if !entry.masked {
                return Ok(None);
            }
            let field = &table.fields()[number];
            Ok(Some(match (manifest.positions.keyed_by, &entry.groups) {
                (KeyedBy::Published, _) => lines.of_published(field, &table.columns()[number])?,
                (KeyedBy::Group, Some(groups)) => {
                    let (codes, n_groups) = group_of_rows(&folder.join(groups), &texts)?;
                    lines.of_groups(field, &table.columns()[number], &codes, n_groups)?
                }
                (KeyedBy::Group, None) => {
                    return Err(Error::data(format!(
                        "the manifest names no file of groups for `{}`",
                        entry.name
                    )));
                }
            }))
        })
        .collect::<Result<_>>()?;
    lines
        .check_all_were_asked()
        .map_err(|error| error.at(Place::file(folder.join(&manifest.positions.file))))?;
    Ok(OpenedRelease {
        manifest,
        table,
        spreads,
    })
}

/// The columns that are published as they are.
fn read_unmasked(
    path: &Path,
    manifest: &Manifest,
    texts: &TextTable,
    progress: &dyn Progress,
) -> Result<Vec<Column>> {
    if manifest.columns.iter().all(|entry| entry.masked) {
        return Ok(Vec::new());
    }
    let columns = texts.names().iter().map(|name| {
        let mut entries = manifest.columns.iter();
        match entries.find(|entry| entry.name == *name && !entry.masked) {
            Some(entry) => entry.plan(),
            None => Ok(ColumnPlan {
                name: name.clone(),
                role: Role::Identifier,
                kind: None,
                may_be_missing: true,
                weight: 1.0,
                domain_from_data: false,
            }),
        }
    });
    let plan = Plan {
        delimiter: Some(b','),
        missing: vec![String::new()],
        incomplete_rows: IncompleteRows::Refuse,
        person: None,
        columns: columns.collect::<Result<_>>()?,
        source: None,
    };
    let table = read_table(path, &plan, progress)?.table;
    let in_order_of_manifest = manifest
        .columns
        .iter()
        .filter(|entry| !entry.masked)
        .map(|entry| {
            let at = table.column_of(&entry.name).ok_or_else(|| {
                Error::data(format!("the table has no column `{}`", entry.name))
                    .at(Place::file(path))
            })?;
            Ok(table.columns()[at].clone())
        });
    in_order_of_manifest.collect()
}

/// A masked column from its texts.
pub(super) fn masked_column(
    field: &Field,
    hidden: Option<&[u32]>,
    texts: &TextTable,
) -> Result<Column> {
    let column = texts
        .column(&field.name)
        .ok_or_else(|| Error::data(format!("the table has no column `{}`", field.name)))?;
    let values = column
        .texts
        .iter()
        .map(|text| MaskedValue::parse(text, &field.domain, hidden))
        .collect::<Option<Vec<MaskedValue>>>()
        .ok_or_else(|| {
            Error::data(format!(
                "column `{}` has a cell that is no masked value of its domain",
                field.name
            ))
        })?;
    let mut sorted = values.clone();
    sorted.sort_unstable();
    let mut dictionary = MaskedDictionary::default();
    for value in sorted {
        dictionary.code(value);
    }
    let code_of_text: Vec<u32> = values
        .into_iter()
        .map(|value| dictionary.code(value))
        .collect();
    let n_values = dictionary.values().len();
    let codes = column.codes.iter().map(|&code| code_of_text[code as usize]);
    Ok(Column::Masked(Codes::pack(codes, n_values), dictionary))
}
