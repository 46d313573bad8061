//! Reading a file of any format into a coded table, as a plan says.

use std::fs::File;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::build::{ColumnBuilder, Fit, Strangers};
use super::plan::{IncompleteRows, Plan};
use super::profile::profile_table;
use super::write::Format;
use super::{Field, People, Table, arrow, csv_file, infer};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::toml_text::toml_key;

/// A table and what was left out of it.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The coded table.
    pub table: Table,
    /// Rows of the file that lacked a value and were left out, where the spec allows that; counted from 1, in order.
    pub dropped_rows: Vec<u32>,
}

impl Reading {
    /// The rows of the file that the table has, counted from 1, in order.
    pub fn kept_rows(&self) -> impl Iterator<Item = u32> + '_ {
        let n_rows = self.table.n_rows() + self.dropped_rows.len();
        let mut dropped = self.dropped_rows.iter().peekable();
        (1..=n_rows as u32).filter(move |row| dropped.next_if_eq(&row).is_none())
    }
}

/// Reads a CSV (also gzipped), Parquet or Arrow IPC file.
///
/// # Errors
/// Says everything that is wrong with the first column that does not fit, with counts and the first line, and never
/// prints a cell.
pub fn read_table(path: &Path, plan: &Plan, progress: &dyn Progress) -> Result<Reading> {
    let mut assembly = Assembly::new(path, plan, Strangers::Refuse)?;
    assembly.read(progress)?;
    assembly.check_rows()?;
    assembly.finish()
}

/// A table read whatever its cells are, and what that took.
#[derive(Debug, Clone)]
pub struct AnyRows {
    /// The coded table; it may have no rows.
    pub reading: Reading,
    /// For each column how many of its cells were taken for something else, because they are not of its domain.
    pub taken_in: Vec<u64>,
}

/// Reads a file as a private method must: whatever the cells are, there is a table. A cell that is not of its column's
/// domain is taken for one that is, by a rule that looks at this cell alone; a row with too many or too few fields, or
/// about nobody knows whom, is left out.
///
/// The domains are those of [`public_fields`].
///
/// # Errors
/// The file cannot be read at all, or has other columns than the plan.
pub fn read_any_rows(path: &Path, plan: &Plan, progress: &dyn Progress) -> Result<AnyRows> {
    let mut assembly = Assembly::new(path, plan, Strangers::TakeIn)?;
    assembly.read(progress)?;
    let builders = assembly.builders.iter();
    Ok(AnyRows {
        taken_in: builders.map(ColumnBuilder::n_strangers).collect(),
        reading: assembly.finish()?,
    })
}

/// The columns that [`read_any_rows`] will read, as far as a plan tells: names, roles and domains. No file is opened.
///
/// # Errors
/// A domain that cannot be, such as a separator within a value.
pub fn public_fields(plan: &Plan) -> Result<Vec<Field>> {
    let assembly = Assembly::new(Path::new(""), plan, Strangers::TakeIn)?;
    Ok(assembly.finish()?.table.fields().to_vec())
}

/// Whether a file has the columns of a plan; no row is looked at.
///
/// # Errors
/// It has not, or it cannot be opened.
pub fn check_columns(path: &Path, plan: &Plan) -> Result<()> {
    let assembly = Assembly::new(path, plan, Strangers::Refuse)?;
    let header = match Format::of_path(path) {
        Format::Csv => csv_file::column_names(path, plan.delimiter)?,
        Format::Parquet => arrow::parquet_names(path)?,
        Format::ArrowIpc => arrow::ipc_names(path)?,
    };
    assembly
        .targets(&header)
        .map(|_| ())
        .map_err(|error| error.at(Place::file(path)))
}

/// A plan for a file that nobody described: kinds are guessed from all rows, domains left to the data.
///
/// # Errors
/// A pipe, for guessing and reading are two passes; what [`read_table`] would say of the header.
pub fn infer_plan(path: &Path, progress: &dyn Progress) -> Result<Plan> {
    Ok(infer::plan(&profile_table(path, progress)?))
}

/// Refuses what can be read only once.
pub(super) fn refuse_pipe(path: &Path) -> Result<()> {
    if path
        .metadata()
        .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    {
        return Err(Error::data(format!(
            "{} is not a file on disk, and a table without a spec is read twice",
            path.display()
        ))
        .hint("save it to a file, or describe it in a spec"));
    }
    Ok(())
}

/// Opens a file with an error that names it.
pub(super) fn open(path: &Path) -> Result<File> {
    let file = File::open(path).map_err(|source| Error::system("open", path, source))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Error::data(format!(
            "{} is a folder, not a table",
            path.display()
        )));
    }
    Ok(file)
}

/// Where a field of the file goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Nowhere: an identifier.
    Nowhere,
    /// Into the numbering of people.
    Person,
    /// Into the column with this number.
    Column(usize),
}

/// A table while its file is read.
pub(super) struct Assembly<'p> {
    pub(super) path: &'p Path,
    pub(super) plan: &'p Plan,
    pub(super) builders: Vec<ColumnBuilder>,
    /// Marks for "no value".
    missing: Vec<&'p [u8]>,
    /// The length of the longest mark: most fields are longer, and need no further look.
    longest_mark: usize,
    people: FxHashMap<Box<[u8]>, u32>,
    person_of_row: Vec<u32>,
    /// The first row that stays and is about nobody.
    row_without_person: Option<u64>,
    /// What the row that is being read lacks.
    lacks_person: bool,
    incomplete: Vec<usize>,
    n_rows: u64,
    dropped_rows: Vec<u32>,
    /// Rows are told by where they begin in a text; otherwise by their number.
    rows_are_offsets: bool,
    strangers: Strangers,
}

impl<'p> Assembly<'p> {
    fn new(path: &'p Path, plan: &'p Plan, strangers: Strangers) -> Result<Self> {
        let builders = plan
            .columns
            .iter()
            .filter(|column| column.kind.is_some())
            .map(|column| {
                ColumnBuilder::new(column.clone(), strangers)
                    .map_err(|error| error.hint(format!("this is about column `{}`", column.name)))
            })
            .collect::<Result<Vec<_>>>()?;
        if builders.is_empty() {
            return Err(Error::spec(
                "no column is left to read: all are identifiers",
            ));
        }
        if let Some(person) = &plan.person
            && builders.iter().any(|builder| builder.name() == person)
        {
            return Err(Error::spec(format!(
                "`{person}` says whom a row is about, so it must be an identifier"
            )));
        }
        Ok(Self {
            path,
            plan,
            builders,
            missing: plan.missing.iter().map(String::as_bytes).collect(),
            longest_mark: plan.missing.iter().map(String::len).max().unwrap_or(0),
            people: FxHashMap::default(),
            person_of_row: Vec::new(),
            row_without_person: None,
            lacks_person: false,
            incomplete: Vec::new(),
            n_rows: 0,
            dropped_rows: Vec::new(),
            rows_are_offsets: false,
            strangers,
        })
    }

    fn read(&mut self, progress: &dyn Progress) -> Result<()> {
        match Format::of_path(self.path) {
            Format::Csv => csv_file::read(self.path, self, progress),
            Format::Parquet => arrow::read_parquet(self.path, self, progress),
            Format::ArrowIpc => arrow::read_ipc(self.path, self, progress),
        }
    }

    /// Whether there is a table whatever the cells are.
    pub(super) fn takes_in_strangers(&self) -> bool {
        self.strangers == Strangers::TakeIn
    }

    /// Passes over a row of which nothing was taken.
    pub(super) fn leave_out_row(&mut self) {
        self.n_rows += 1;
        self.dropped_rows.push(self.n_rows as u32);
    }

    /// Rows are told by where they begin in a text.
    pub(super) fn rows_are_offsets(&mut self) {
        self.rows_are_offsets = true;
    }

    /// Words for a row: its line in a text, else its number.
    fn row_words(&self, row: u64) -> String {
        if !self.rows_are_offsets {
            return format!("row {row}");
        }
        match csv_file::line_in_file(self.path, row) {
            Some(line) => format!("line {line}"),
            None => format!("the line at byte {row}"),
        }
    }

    /// Matches the header of the file to the plan: every column of each must be in the other.
    pub(super) fn targets(&self, header: &[String]) -> Result<Vec<Target>> {
        check_header(header)?;
        let planned = || {
            self.plan
                .columns
                .iter()
                .map(|column| &column.name)
                .chain(&self.plan.person)
        };
        let at_spec = |error: Error| match &self.plan.source {
            Some(source) => error.at(Place::file(source)),
            None => error,
        };
        if !planned().any(|name| header.contains(name)) {
            // The first line may well be a row of people: nothing of it is shown.
            return Err(at_spec(Error::spec(format!(
                "none of the columns that the spec names is in the first line of {}",
                self.path.display()
            )))
            .hint("the first line must name the columns")
            .hint("or is `delimiter` under [data] wrong?"));
        }
        if let Some(name) = planned().find(|name| !header.contains(name)) {
            return Err(at_spec(Error::spec(format!(
                "the spec names a column `{name}` that {} does not have",
                self.path.display()
            )))
            .nearest(name, header.iter().map(String::as_str)));
        }
        header
            .iter()
            .map(|name| {
                if self.plan.person.as_ref() == Some(name) {
                    return Ok(Target::Person);
                }
                let planned = self.plan.columns.iter().find(|column| column.name == *name);
                let Some(planned) = planned else {
                    return Err(Error::data(format!(
                        "the file has a column `{name}` that the spec does not name"
                    ))
                    .hint(format!(
                        "describe it under [columns], or leave it out with `{} = {{ role = \"identifier\" }}`",
                        toml_key(name)
                    )));
                };
                let number = self.builders.iter().position(|builder| builder.name() == planned.name);
                Ok(number.map_or(Target::Nowhere, Target::Column))
            })
            .collect()
    }

    /// Whether a field means "no value".
    pub(super) fn is_missing(&self, field: &[u8]) -> bool {
        field.len() <= self.longest_mark && self.missing.contains(&field)
    }

    /// Takes a field of text to where it belongs.
    pub(super) fn push_text(&mut self, target: Target, field: &[u8], row: u64) {
        match target {
            Target::Nowhere => {}
            Target::Person => self.push_person(field),
            Target::Column(column) if self.is_missing(field) => self.push_missing(column, row),
            Target::Column(column) => self.builders[column].push_text(field, row),
        }
    }

    /// Appends a cell without a value.
    pub(super) fn push_missing(&mut self, column: usize, row: u64) {
        let builder = &mut self.builders[column];
        let keeps_incomplete = self.plan.incomplete_rows == IncompleteRows::Refuse;
        if self.strangers == Strangers::TakeIn && keeps_incomplete && !builder.may_be_missing() {
            builder.push_missing_taken_in(row);
        } else if builder.push_missing() == Fit::Incomplete {
            self.incomplete.push(column);
        }
    }

    /// Says whom the row is about.
    pub(super) fn push_person(&mut self, name: &[u8]) {
        if self.is_missing(name) {
            return self.push_nobody();
        }
        let next = self.people.len() as u32;
        let person = match self.people.get(name) {
            Some(&person) => person,
            None => *self.people.entry(name.into()).or_insert(next),
        };
        self.person_of_row.push(person);
    }

    /// Says that nobody knows whom the row is about.
    pub(super) fn push_nobody(&mut self) {
        self.lacks_person = true;
        self.person_of_row.push(0);
    }

    /// Ends a row: keeps it, or takes it back where incomplete rows are dropped.
    pub(super) fn end_row(&mut self, row: u64) {
        self.n_rows += 1;
        if self.incomplete.is_empty() && !self.lacks_person {
            return;
        }
        let drops = self.plan.incomplete_rows == IncompleteRows::Drop;
        let is_about_nobody = self.lacks_person && self.takes_in_strangers();
        if is_about_nobody || drops && !self.incomplete.is_empty() {
            self.dropped_rows.push(self.n_rows as u32);
            self.person_of_row.pop();
            for builder in &mut self.builders {
                builder.pop();
            }
        } else {
            for &column in &self.incomplete {
                self.builders[column].note_incomplete(row);
            }
            if self.lacks_person {
                self.row_without_person.get_or_insert(row);
            }
        }
        self.lacks_person = false;
        self.incomplete.clear();
    }

    /// What is wrong with the first column that has problems, and how many others have some.
    fn complaint(&self) -> Option<Error> {
        let mut faulty = self
            .builders
            .iter()
            .filter(|builder| builder.has_problems());
        let first = faulty.next()?.complaint(&|row| self.row_words(row))?;
        Some(match faulty.count() {
            0 => first,
            1 => first.hint("one other column has problems too"),
            others => first.hint(format!("{others} other columns have problems too")),
        })
    }

    /// Whether everything that was read fits.
    fn check_rows(&self) -> Result<()> {
        let at = || Place::file(self.path);
        if self.n_rows == 0 {
            return Err(Error::data("the table has no rows").at(at()));
        }
        if let Some(complaint) = self.complaint() {
            return Err(complaint.at(at()));
        }
        if let (Some(row), Some(person)) = (self.row_without_person, &self.plan.person) {
            return Err(Error::data(format!(
                "`{person}` says whom a row is about, and is missing, first on {}",
                self.row_words(row)
            ))
            .at(at()));
        }
        if self.dropped_rows.len() as u64 == self.n_rows {
            return Err(Error::data("every row lacks a value: none is left").at(at()));
        }
        Ok(())
    }

    /// The table, once nothing is complained about.
    fn finish(self) -> Result<Reading> {
        let people = self
            .plan
            .person
            .is_some()
            .then(|| number_people(self.person_of_row));
        let (fields, columns) = self
            .builders
            .into_iter()
            .map(|builder| {
                builder
                    .finish()
                    .map_err(|error| error.at(Place::file(self.path)))
            })
            .collect::<Result<Vec<_>>>()?
            .into_iter()
            .unzip();
        Ok(Reading {
            table: Table::new(fields, columns, people),
            dropped_rows: self.dropped_rows,
        })
    }
}

/// Numbers people densely: those whose every row was dropped leave no gap.
fn number_people(mut of_row: Vec<u32>) -> People {
    let mut number: FxHashMap<u32, u32> = FxHashMap::default();
    for person in &mut of_row {
        let next = number.len() as u32;
        *person = *number.entry(*person).or_insert(next);
    }
    People {
        n_people: number.len(),
        of_row,
    }
}

/// Every column has a name of its own. Columns are counted, not named: in a file without a header these are cells.
pub(super) fn check_header(header: &[String]) -> Result<()> {
    if let Some(at) = header.iter().position(|name| name.trim().is_empty()) {
        return Err(Error::data(format!(
            "column {} of the header has no name",
            at + 1
        )));
    }
    for (at, name) in header.iter().enumerate() {
        if let Some(first) = header[..at].iter().position(|other| other == name) {
            return Err(Error::data(format!(
                "columns {} and {} of the header have the same name",
                first + 1,
                at + 1
            ))
            .hint("the first line of the file must name the columns"));
        }
    }
    Ok(())
}
