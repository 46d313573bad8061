//! Judging any masked table beside its raw one: a release of ours, or what another program made.

use std::borrow::Cow;
use std::path::Path;

use super::alignment::{Alignment, Rows, Tables};
use super::compare::compare;
use super::evaluation::{AlignedBy, Evaluation, MaskedEntry};
use super::manifest::FORMAT;
use super::masked_table::{MaskedTable, read_population};
use super::pipeline::input;
use super::publish::made_by;
use crate::cluster::Points;
use crate::error::{Error, Place, Result};
use crate::evaluate::{LabelledBy, Pairs, Sides, loss_and_risk, suppressed_rows};
use crate::progress::Progress;
use crate::spec::{Algorithm, ClusterSpec};
use crate::table::{Field, People, Plan, Role, Table, read_table};

/// What to judge, and how.
#[derive(Debug, Clone)]
pub struct JudgeOptions<'a> {
    /// The raw table.
    pub raw: &'a Path,
    /// How to read it, which is also how masked values are understood.
    pub plan: &'a Plan,
    /// How both tables are clustered.
    pub cluster: &'a ClusterSpec,
    /// How the recipient clusters the masked one.
    pub recipient: Algorithm,
    /// The masked table, or the folder of a release.
    pub masked: &'a Path,
    /// Which row is which; without it by the owner's map of a release, else by order.
    pub rows: Option<Rows>,
    /// A table of the people among whom those of the table are hidden.
    pub population: Option<&'a Path>,
    /// What counts as a high risk.
    pub threshold: f64,
    /// Whether cells in no known form are taken as suppressed.
    pub suppress_unknown: bool,
}

/// Shows what a masked table comes to, with the rows that were compared.
pub type Show<'s> = &'s dyn Fn(&Evaluation, Sides<'_>) -> Result<()>;

/// Judges a masked table, and shows it if that is asked for.
///
/// # Errors
/// Other columns than the raw table has; cells in no known form; rows that cannot be aligned; too few different rows to
/// find clusters among. No message shows a cell.
pub fn judge(
    options: &JudgeOptions<'_>,
    show: Option<Show<'_>>,
    progress: &dyn Progress,
) -> Result<Evaluation> {
    let reading = read_table(options.raw, options.plan, progress)?;
    let fields = reading.table.fields();
    let masked = MaskedTable::read(options, fields, progress)?;
    let rows = match &options.rows {
        Some(rows) => rows.clone(),
        None => masked.rows.clone(),
    };
    let tables = Tables {
        raw_path: options.raw,
        reading: &reading,
        raw_delimiter: options.plan.delimiter,
        masked_path: &masked.path,
        masked: &masked.texts,
    };
    let alignment = tables.align(&rows, progress)?;
    let quasi = quasi_columns(fields);
    let raw = Points::new(&reading.table, options.cluster.encoding);
    let released = Points::in_space(&masked.table, raw.space().clone())
        .with_spreads(&masked.table, &masked.spreads);
    let mut entry = not_aligned(options, &masked);
    let population = options
        .population
        .map(|path| read_population(path, options, fields, &quasi, progress))
        .transpose()?;
    let at_masked = |error: Error| error.at(Place::file(&masked.path));
    let mut told = Told::default();
    let (mut loss, mut risk) = (None, None);
    let mut labelled_by = LabelledBy::Centre;
    if let Some(Alignment {
        raw: raw_rows,
        masked: masked_rows,
        by,
    }) = alignment
    {
        entry.aligned = by;
        labelled_by = LabelledBy::Row;
        if raw_rows.is_empty() {
            return Err(at_masked(Error::data("no row of the raw table is in it")));
        }
        let pairs = Pairs {
            raw: &selected(&reading.table, &raw_rows),
            masked: &selected(&masked.table, &masked_rows),
            quasi: &quasi,
            dropped: (reading.table.n_rows() - raw_rows.len()) as u64,
        };
        let (lost, at_risk) = loss_and_risk(&pairs, population.as_ref(), options.threshold);
        let columns = lost.columns.iter();
        entry.contradicted_cells = columns.map(|column| column.contradicted).sum();
        (loss, risk) = (Some(lost), Some(at_risk));
        let is_suppressed = suppressed_rows(pairs.masked, &quasi);
        told = Told {
            raw: told_rows(&raw_rows, &is_suppressed, raw.n_rows()),
            masked: told_rows(&masked_rows, &is_suppressed, released.n_rows()),
        };
    }
    let some_raw = told.raw.as_ref().map(|rows| raw.select(rows));
    let some_released = told.masked.as_ref().map(|rows| released.select(rows));
    let compared_points = (
        some_raw.as_ref().unwrap_or(&raw),
        some_released.as_ref().unwrap_or(&released),
    );
    let compared = compare(
        options.cluster,
        options.recipient,
        compared_points,
        labelled_by,
        progress,
    )
    .map_err(at_masked)?;
    let evaluation = Evaluation {
        format: FORMAT,
        made_by: made_by(),
        input: input(options.raw, &reading)?,
        masked: Some(entry),
        manifest_sha256: masked.manifest_sha256,
        promises: Vec::new(),
        structure: compared.structure.clone(),
        loss,
        risk,
        refinements: Vec::new(),
        privacy: None,
    };
    if let Some(show) = show {
        let some_raw = told.raw.map(|rows| reading.table.select(&rows));
        let some_masked = told.masked.map(|rows| masked.table.select(&rows));
        compared.with_sides(
            (
                some_raw.as_ref().unwrap_or(&reading.table),
                compared_points.0,
            ),
            (
                some_masked.as_ref().unwrap_or(&masked.table),
                compared_points.1,
            ),
            |sides| show(&evaluation, sides),
        )?;
    }
    Ok(evaluation)
}

/// What there is to say about a masked table before its rows are aligned.
fn not_aligned(options: &JudgeOptions<'_>, masked: &MaskedTable) -> MaskedEntry {
    MaskedEntry {
        file: options.masked.display().to_string(),
        rows: masked.table.n_rows() as u64,
        aligned: AlignedBy::Nothing,
        unknown_cells: masked.unknown_cells,
        numbers_outside: masked.numbers_outside,
        contradicted_cells: 0,
    }
}

/// The rows that are compared, if not all are: a row that tells nothing has no cluster.
#[derive(Default)]
struct Told {
    raw: Option<Vec<u32>>,
    masked: Option<Vec<u32>>,
}

/// The rows that are not suppressed; nothing if these are all, for rows need not be picked then, which would copy a
/// large table.
fn told_rows(rows: &[u32], is_suppressed: &[bool], n_rows: usize) -> Option<Vec<u32>> {
    let told = rows.iter().zip(is_suppressed);
    let told = told.filter(|(_, is_suppressed)| !**is_suppressed);
    let told: Vec<u32> = told.map(|(&row, _)| row).collect();
    (!is_every_row(&told, n_rows)).then_some(told)
}

/// The columns by which somebody could be looked up: those that are said to be so, else all.
fn quasi_columns(fields: &[Field]) -> Vec<usize> {
    let quasi: Vec<usize> = (0..fields.len())
        .filter(|&column| fields[column].role == Role::Quasi)
        .collect();
    if quasi.is_empty() {
        (0..fields.len()).collect()
    } else {
        quasi
    }
}

fn is_every_row(rows: &[u32], n_rows: usize) -> bool {
    rows.len() == n_rows && rows.iter().zip(0..).all(|(&row, at)| row == at)
}

/// Some rows of a table with the people they are about; the table itself where these are all.
fn selected<'t>(table: &'t Table, rows: &[u32]) -> Cow<'t, Table> {
    if is_every_row(rows, table.n_rows()) {
        return Cow::Borrowed(table);
    }
    let picked = table.select(rows);
    let people = table.people().map(|people| {
        let of_row = rows.iter().map(|&row| people.of_row[row as usize]);
        numbered(of_row)
    });
    Cow::Owned(Table::new(
        picked.fields().to_vec(),
        picked.columns().to_vec(),
        people,
    ))
}

/// People numbered as they appear.
pub(super) fn numbered(people: impl Iterator<Item = u32>) -> People {
    let mut number = rustc_hash::FxHashMap::default();
    let of_row = people
        .map(|person| {
            let next = number.len() as u32;
            *number.entry(person).or_insert(next)
        })
        .collect();
    People {
        of_row,
        n_people: number.len(),
    }
}
