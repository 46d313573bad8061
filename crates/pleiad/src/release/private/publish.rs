//! Writing what leaves the owner of a private release. Nothing here has seen the table.

use std::collections::BTreeMap;
use std::path::Path;

use super::manifest::{CellsEntry, DifferentialPrivacy, PrivateManifest, PrivateMethodName};
use super::{CELL_COLUMN, CELLS_FILE, COUNT_COLUMN, words};
use crate::error::Result;
use crate::mask::mosaic::{Cells, Mosaic, Outputs};
use crate::mask::private::PrivateMethod as _;
use crate::privacy::budget::{Account, AddRemove};
use crate::release::folder::write_file;
use crate::release::manifest::{ClusterEntry, ColumnEntry, DataEntry, FORMAT, KeyedBy, UnitEntry};
use crate::release::positions_file;
use crate::release::publish::{data_file, made_by};
use crate::release::verify::describe_file;
use crate::release::{MANIFEST_FILE, POSITIONS_FILE, README_FILE};
use crate::table::{Codes, ColumnSpread, Extra, Format, Spread, write_table};

/// Shares below this are left out of the file of positions: a tree of many thousand values would fill it with them.
const LEAST_SHARE: f64 = 1e-6;

/// All that a private release is written from: nothing of it has seen the table but the outputs.
#[derive(Debug)]
pub struct PrivatePublication<'a> {
    /// The method, which holds public knowledge only.
    pub method: &'a Mosaic,
    /// Whether the method was chosen among others by a private score.
    pub is_tuned: bool,
    /// What was measured.
    pub outputs: &'a Outputs,
    /// What it cost.
    pub account: &'a Account<AddRemove>,
    /// What a person is.
    pub unit: UnitEntry,
    /// Looks at raw evaluations of the population that were logged before.
    pub looks_before: u64,
    /// The structure that the release is meant for.
    pub cluster: &'a ClusterEntry,
    /// The format of the rows.
    pub format: Format,
}

impl PrivatePublication<'_> {
    /// Writes the public files.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let publication = self.method.publish(self.outputs)?;
        let data_file = data_file(self.format)?;
        write_table(&folder.join(data_file), &publication.rows, &[])?;
        write_cells(&publication.cells, folder)?;
        let n_rows = publication.rows.n_rows() as u64;
        let n_cells = publication.cells.table.n_rows() as u64;
        let mut manifest = self.manifest(data_file, n_rows, n_cells);
        write_file(
            &folder.join(README_FILE),
            words::for_recipient(&manifest).as_bytes(),
        )?;
        for name in [data_file, CELLS_FILE, POSITIONS_FILE, README_FILE] {
            let entry = describe_file(&folder.join(name))?;
            manifest.files.insert(name.to_owned(), entry);
        }
        write_file(&folder.join(MANIFEST_FILE), manifest.text().as_bytes())
    }

    fn manifest(&self, data_file: &str, n_rows: u64, n_cells: u64) -> PrivateManifest {
        let epsilon = self.account.total().value().to_string();
        let fields = self.method.fields();
        let total: f64 = fields.iter().map(|field| field.weight).sum();
        PrivateManifest {
            format: FORMAT,
            made_by: made_by(),
            guarantee: DifferentialPrivacy {
                in_words: words::promise(&epsilon, self.unit),
                not_promised: words::not_promised(self.looks_before),
                unit: self.unit,
                epsilon,
                account: self.account.clone(),
            },
            method: PrivateMethodName::Mosaic {
                tuned: self.is_tuned,
            },
            cluster: self.cluster.clone(),
            data: DataEntry {
                file: data_file.to_owned(),
                rows: n_rows,
            },
            cells: CellsEntry {
                file: CELLS_FILE.to_owned(),
                cells: n_cells,
                cuts: self.method.cuts_in_words(self.outputs),
                positions: POSITIONS_FILE.to_owned(),
            },
            columns: fields
                .iter()
                .map(|field| ColumnEntry::new(field, false, false, field.weight / total))
                .collect(),
            files: BTreeMap::new(),
        }
    }
}

/// Writes what is possible in each cell, how many people are in it, and how they spread.
fn write_cells(cells: &Cells, folder: &Path) -> Result<()> {
    let n_cells = cells.table.n_rows() as u32;
    let numbers: Vec<i64> = (1..=i64::from(n_cells)).collect();
    let weights = cells.table.weights().unwrap_or_default();
    let counts: Vec<i64> = weights.iter().map(|&count| count.into()).collect();
    let extra = [
        Extra {
            name: CELL_COLUMN,
            values: &numbers,
        },
        Extra {
            name: COUNT_COLUMN,
            values: &counts,
        },
    ];
    write_table(&folder.join(CELLS_FILE), &cells.table, &extra)?;
    let spreads: Vec<Option<ColumnSpread>> = cells
        .spreads
        .iter()
        .map(|spread| spread.as_ref().map(|spread| by_cell(spread, n_cells)))
        .collect();
    positions_file::write(
        &folder.join(POSITIONS_FILE),
        &cells.table,
        &spreads,
        KeyedBy::Group,
    )
}

/// An entry for each cell, without shares that nobody would miss.
fn by_cell(spread: &ColumnSpread, n_cells: u32) -> ColumnSpread {
    let ColumnSpread::Entries { codes, entries } = spread else {
        unreachable!("cells say how they spread one by one");
    };
    let entry = |cell: usize| match &entries[codes.get(cell) as usize] {
        Spread::Leaves(shares) => {
            let kept = || shares.iter().filter(|(_, share)| *share >= LEAST_SHARE);
            let total: f64 = kept().map(|(_, share)| share).sum();
            Spread::Leaves(kept().map(|(leaf, share)| (*leaf, share / total)).collect())
        }
        numbers @ Spread::Numbers { .. } => numbers.clone(),
    };
    ColumnSpread::Entries {
        codes: Codes::pack(0..n_cells, n_cells as usize),
        entries: (0..n_cells as usize).map(entry).collect(),
    }
}
