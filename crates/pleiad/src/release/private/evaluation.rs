//! What a private release comes to, for its owner alone.
//!
//! Everything here compares with the raw table and is no part of what the guarantee covers: it stays in the owner's
//! folder, and that somebody could look at it is logged in the ledger.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::cluster::Points;
use crate::error::Result;
use crate::evaluate::{
    Association, ColumnDistance, Comparison, LabelledBy, Protocol, Reference, Side, Sides,
    associations, column_distances,
};
use crate::mask::mosaic::{Mosaic, Outputs, Publication};
use crate::mask::positions::exact_spreads;
use crate::progress::Progress;
use crate::release::compare::sample;
use crate::release::evaluation::{LabelledEntry, StructureEntry, measures};
use crate::spec::{Encoding, Spec};
use crate::table::{Codes, Table};

/// What only a private release has to say about itself.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PrivateEvidence {
    /// How much of the structure survived in the cells, beside the rows that were drawn from them.
    pub cells: StructureEntry,
    /// The cost ratio of the same cells without any noise: what cutting the table into cells costs by itself.
    pub cost_of_cells: f64,
    /// What the noise adds to that.
    pub cost_of_noise: f64,
    /// How far the spread of each column is from what it was.
    pub columns: Vec<ColumnDistance>,
    /// How much every two columns have to do with each other, before and after.
    pub associations: Vec<Association>,
    /// Cells of the raw table that were not of their column's domain, and what they were taken for counts as theirs.
    pub taken_in: Vec<TakenIn>,
}

/// How many cells of a column were not of its domain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TakenIn {
    /// The column.
    pub column: String,
    /// How many cells.
    pub cells: u64,
}

/// What comparing a private release with its raw table gave.
pub(super) struct Compared<'t> {
    /// Of the synthetic rows.
    pub(super) structure: StructureEntry,
    pub(super) evidence: PrivateEvidence,
    /// The rows that were compared, raw and synthetic.
    raw: Cow<'t, Table>,
    rows: Cow<'t, Table>,
    encoding: Encoding,
    /// Their clusters, and those of the raw ones by the synthetic ones.
    raw_labels: Vec<u32>,
    row_labels: Vec<u32>,
    raw_by_release: Vec<u32>,
}

impl Compared<'_> {
    /// Shows the rows that were compared with their clusters.
    pub(super) fn with_sides<T>(&self, show: impl FnOnce(Sides<'_>) -> T) -> T {
        let raw = Points::new(&self.raw, self.encoding);
        let rows = Points::in_space(&self.rows, raw.space().clone());
        show(Sides {
            n_clusters: self.structure.clusters,
            raw: Side {
                table: &self.raw,
                points: &raw,
                labels: &self.raw_labels,
            },
            released: Side {
                table: &self.rows,
                points: &rows,
                labels: &self.row_labels,
            },
            raw_by_release: &self.raw_by_release,
            are_same_rows: false,
        })
    }
}

/// Compares. `raw` has one row for each person; a large table is compared on a sample of its rows.
///
/// # Errors
/// There are too few rows or cells for so many clusters.
pub(super) fn compare<'t>(
    spec: &Spec,
    raw: &'t Table,
    method: &Mosaic,
    outputs: &Outputs,
    publication: &'t Publication,
    taken_in: Vec<TakenIn>,
    progress: &dyn Progress,
) -> Result<Compared<'t>> {
    let raw = sampled(raw, spec.cluster.seed);
    let rows = sampled(&publication.rows, spec.cluster.seed);
    let points = Points::new(&raw, spec.cluster.encoding);
    let protocol = Protocol {
        recipient: spec.recipient,
        tuning: spec.cluster.tuning,
        ..Protocol::new(spec.cluster.algorithm, spec.cluster.clusters)
    };
    let reference = Reference::new(&points, &protocol, progress)?;
    let judge = |release: &Points<'_>, labelled_by: LabelledBy<'_>, protocol: &Protocol| {
        Comparison::new(
            &points,
            &reference,
            release,
            labelled_by,
            protocol,
            progress,
        )
    };
    let entry = |comparison: &Comparison, labelled: LabelledEntry| StructureEntry {
        clusters: spec.cluster.clusters,
        owner: protocol.owner,
        recipient: protocol.recipient,
        rows_compared: raw.n_rows() as u64,
        labelled,
        raw_optima: comparison.n_optima,
        measures: measures(comparison),
    };

    let row_points = Points::in_space(&rows, points.space().clone());
    let of_rows = judge(&row_points, LabelledBy::Centre, &protocol)?;

    let cells = &publication.cells;
    let cell_of_rows = method.cell_of_rows(&raw, outputs, cells);
    let cell_points = Points::in_space(&cells.table, points.space().clone())
        .with_spreads(&cells.table, &cells.spreads);
    let of_cells = judge(&cell_points, LabelledBy::Cell(&cell_of_rows), &protocol)?;

    // Every raw row in the middle of the raw rows of its cell.
    let codes = Codes::pack(cell_of_rows.iter().copied(), cells.table.n_rows());
    let exact = exact_spreads(&raw, &codes);
    let exact_points = Points::in_space(&raw, points.space().clone()).with_spreads(&raw, &exact);
    let without_floor = Protocol {
        floor_draws: 0,
        ..protocol
    };
    let without_noise = judge(&exact_points, LabelledBy::Row, &without_floor)?;

    let cost_of_cells = without_noise.release.cost_ratio;
    let evidence = PrivateEvidence {
        cells: entry(&of_cells, LabelledEntry::ByCell),
        cost_of_cells,
        cost_of_noise: of_cells.release.cost_ratio - cost_of_cells,
        columns: column_distances(&raw, &rows),
        associations: associations(&raw, &rows),
        taken_in,
    };
    let structure = entry(&of_rows, LabelledEntry::ByCentre);
    let raw_labels = reference.best.labels.clone();
    drop(points);
    Ok(Compared {
        structure,
        evidence,
        raw,
        rows,
        encoding: spec.cluster.encoding,
        raw_labels,
        row_labels: of_rows.clustering.labels,
        raw_by_release: of_rows.labels,
    })
}

fn sampled(table: &Table, seed: u64) -> Cow<'_, Table> {
    match sample(table.n_rows(), seed) {
        None => Cow::Borrowed(table),
        Some(rows) => Cow::Owned(table.select(&rows)),
    }
}
