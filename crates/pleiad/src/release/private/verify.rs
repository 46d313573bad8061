//! Reading a private release back, and checking what can be checked about it.

use std::path::Path;

use super::manifest::PrivateManifest;
use super::{CELL_COLUMN, CELLS_FILE, COUNT_COLUMN, words};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::release::manifest::{ColumnEntry, KeyedBy};
use crate::release::open::masked_column;
use crate::release::positions_file::PositionLines;
use crate::release::publish::data_file;
use crate::release::verify::describe_file;
use crate::release::{MANIFEST_FILE, POSITIONS_FILE, README_FILE};
use crate::table::{
    Codes, Column, ColumnSpread, Field, Format, IncompleteRows, Plan, Table, TextTable, read_table,
    read_texts,
};

/// A private release as a recipient with this library has it.
#[derive(Debug, Clone)]
pub struct OpenedPrivateRelease {
    /// What the release says of itself.
    pub manifest: PrivateManifest,
    /// The synthetic rows.
    pub rows: Table,
    /// What they were drawn from; the weights are the people in each cell.
    pub cells: Table,
    /// How the people of each cell spread, column by column.
    pub spreads: Vec<Option<ColumnSpread>>,
}

/// Checks a private release: the account adds up to what is claimed, the words are its own, every file is as it was
/// written, and rows and cells are of the stated domains.
pub fn verify_private(folder: &Path, progress: &dyn Progress) -> Result<PrivateManifest> {
    let path = folder.join(MANIFEST_FILE);
    let at = |error: Error| error.at(Place::file(&path));
    let manifest = PrivateManifest::read(&path)?;
    let guarantee = &manifest.guarantee;
    if guarantee.account.total().value().to_string() != guarantee.epsilon
        || guarantee.in_words != words::promise(&guarantee.epsilon, guarantee.unit)
    {
        return Err(at(Error::refused(
            "the manifest claims something else than its account adds up to",
        )));
    }
    let data_file = data_file(Format::of_path(Path::new(&manifest.data.file)))?;
    let mut expected = [data_file, CELLS_FILE, POSITIONS_FILE, README_FILE];
    expected.sort_unstable();
    let listed: Vec<&str> = manifest.files.keys().map(String::as_str).collect();
    let named = [
        &manifest.data.file,
        &manifest.cells.file,
        &manifest.cells.positions,
    ];
    if listed != expected || named != [data_file, CELLS_FILE, POSITIONS_FILE] {
        return Err(at(Error::refused(
            "the manifest lists other files than a private release has",
        )));
    }
    for (name, described) in &manifest.files {
        let file = folder.join(name);
        if describe_file(&file)? != *described {
            return Err(Error::refused(
                "the file is not the one that was written: its hash differs",
            )
            .at(Place::file(file)));
        }
    }
    let opened = open_private(folder, progress)?;
    let counts = [
        (opened.rows.n_rows(), manifest.data.rows),
        (opened.cells.n_rows(), manifest.cells.cells),
    ];
    if counts.iter().any(|(found, said)| *found as u64 != *said) {
        return Err(at(Error::refused(
            "there are other numbers of rows or cells than the manifest says",
        )));
    }
    Ok(manifest)
}

/// Reads the public folder of a private release.
pub fn open_private(folder: &Path, progress: &dyn Progress) -> Result<OpenedPrivateRelease> {
    let manifest = PrivateManifest::read(&folder.join(MANIFEST_FILE))?;
    let rows = read_rows(folder, &manifest, progress)?;
    let path = folder.join(CELLS_FILE);
    let texts = read_texts(&path, Some(b','), progress)?;
    let fields = manifest
        .columns
        .iter()
        .map(ColumnEntry::field)
        .collect::<Result<Vec<Field>>>()?;
    let columns = fields
        .iter()
        .map(|field| masked_column(field, None, &texts))
        .collect::<Result<Vec<Column>>>()
        .map_err(|error| error.at(Place::file(&path)))?;
    let numbers = whole_numbers(&texts, CELL_COLUMN, &path)?;
    if !numbers.iter().copied().eq(1..=numbers.len() as u32) {
        return Err(Error::data("cells are not numbered from 1 on").at(Place::file(&path)));
    }
    let counts = whole_numbers(&texts, COUNT_COLUMN, &path)?;
    let cells = Table::new(fields, columns, None).weighted(counts);
    let lines = PositionLines::read(&folder.join(POSITIONS_FILE), KeyedBy::Group)?;
    let n_cells = cells.n_rows();
    let of_cell = Codes::pack(0..n_cells as u32, n_cells);
    let spreads = cells
        .fields()
        .iter()
        .zip(cells.columns())
        .map(|(field, column)| Ok(Some(lines.of_groups(field, column, &of_cell, n_cells)?)))
        .collect::<Result<_>>()
        .map_err(|error| error.at(Place::file(folder.join(POSITIONS_FILE))))?;
    lines
        .check_all_were_asked()
        .map_err(|error| error.at(Place::file(folder.join(POSITIONS_FILE))))?;
    Ok(OpenedPrivateRelease {
        manifest,
        rows,
        cells,
        spreads,
    })
}

/// The synthetic rows, of which there may be none.
fn read_rows(folder: &Path, manifest: &PrivateManifest, progress: &dyn Progress) -> Result<Table> {
    if manifest.data.rows == 0 {
        let fields = manifest.columns.iter().map(ColumnEntry::field);
        return Ok(Table::without_rows(fields.collect::<Result<_>>()?));
    }
    let plan = Plan {
        delimiter: Some(b','),
        missing: vec![String::new()],
        incomplete_rows: IncompleteRows::Refuse,
        person: None,
        columns: manifest
            .columns
            .iter()
            .map(ColumnEntry::plan)
            .collect::<Result<_>>()?,
        source: None,
    };
    Ok(read_table(&folder.join(&manifest.data.file), &plan, progress)?.table)
}

fn whole_numbers(texts: &TextTable, name: &str, path: &Path) -> Result<Vec<u32>> {
    let wrong = |what: &str| Error::data(format!("{what} `{name}`")).at(Place::file(path));
    let column = texts
        .column(name)
        .ok_or_else(|| wrong("there is no column"))?;
    let codes = column.codes.iter();
    codes
        .map(|&code| column.texts[code as usize].parse().ok())
        .collect::<Option<_>>()
        .ok_or_else(|| wrong("there is something else than whole numbers in"))
}
