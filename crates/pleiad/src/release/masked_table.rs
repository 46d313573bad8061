//! Reading a masked table with the columns of the raw one: a foreign file, or the folder of a release.

use std::path::{Path, PathBuf};

use super::alignment::Rows;
use super::judge::{JudgeOptions, numbered};
use super::manifest::Manifest;
use super::open::open_release;
use super::private::PrivateManifest;
use super::verify::describe_file;
use super::{MANIFEST_FILE, ROWS_FILE};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::table::{
    Column, ColumnSpread, Domain, Field, Table, TextTable, Unknown, foreign_column, read_texts,
};

/// A masked table with the columns of the raw one.
pub(super) struct MaskedTable {
    /// The file with its rows.
    pub(super) path: PathBuf,
    pub(super) table: Table,
    pub(super) texts: TextTable,
    pub(super) spreads: Vec<Option<ColumnSpread>>,
    /// How its rows are aligned where nobody says.
    pub(super) rows: Rows,
    pub(super) manifest_sha256: Option<String>,
    pub(super) unknown_cells: u64,
    pub(super) numbers_outside: u64,
}

impl MaskedTable {
    /// Reads a file, or the folder of a release.
    pub(super) fn read(
        options: &JudgeOptions<'_>,
        fields: &[Field],
        progress: &dyn Progress,
    ) -> Result<Self> {
        let Some(folder) = release_folder(options.masked) else {
            return Self::read_file(options.masked, options, fields, progress);
        };
        let manifest_path = folder.join(MANIFEST_FILE);
        let manifest_sha256 = Some(describe_file(&manifest_path)?.sha256);
        if let Some(manifest) = read_private_manifest(&manifest_path)? {
            let path = folder.join(manifest.data.file);
            let masked = Self::read_file(&path, options, fields, progress)?;
            return Ok(Self {
                rows: Rows::Synthetic,
                manifest_sha256,
                ..masked
            });
        }
        let manifest = Manifest::read(&manifest_path)?;
        let path = folder.join(&manifest.data.file);
        let mut masked = Self::read_file(&path, options, fields, progress)?;
        let opened = open_release(folder, progress)?;
        let mut columns = masked.table.columns().to_vec();
        for (number, field) in fields.iter().enumerate() {
            let Some(at) = opened.table.column_of(&field.name) else {
                continue;
            };
            if !matches!(opened.table.columns()[at], Column::Masked(..)) {
                continue;
            }
            if opened.table.fields()[at].domain != field.domain {
                return Err(Error::spec(format!(
                    "the release was made of other values of `{}` than the raw table can have",
                    field.name
                ))
                .at(Place::file(&manifest_path))
                .hint("name the spec that the release was made with: `-c pleiad.toml`"));
            }
            columns[number] = opened.table.columns()[at].clone();
            masked.spreads[number].clone_from(&opened.spreads[at]);
        }
        let map = owner_map(folder);
        Ok(Self {
            table: Table::new(fields.to_vec(), columns, None),
            // Public rows are sorted by what they say: without the map nobody knows whose they are.
            rows: if map.exists() {
                Rows::Map(map)
            } else {
                Rows::Synthetic
            },
            manifest_sha256,
            ..masked
        })
    }

    fn read_file(
        path: &Path,
        options: &JudgeOptions<'_>,
        fields: &[Field],
        progress: &dyn Progress,
    ) -> Result<Self> {
        let texts = read_texts(path, None, progress)?;
        check_columns(&texts, options, fields).map_err(|error| error.at(Place::file(path)))?;
        let all: Vec<usize> = (0..fields.len()).collect();
        let read = read_columns(path, &texts, options, fields, &all)?;
        Ok(Self {
            path: path.to_owned(),
            table: Table::new(fields.to_vec(), read.read, None),
            texts,
            spreads: vec![None; fields.len()],
            rows: Rows::Order,
            manifest_sha256: None,
            unknown_cells: read.unknown.cells,
            numbers_outside: read.outside,
        })
    }
}

/// The release that a path leads to: a folder, or the table within.
fn release_folder(path: &Path) -> Option<&Path> {
    if path.is_dir() {
        return Some(path);
    }
    let parent = path.parent()?;
    parent.join(MANIFEST_FILE).exists().then_some(parent)
}

/// The manifest of a private release, if it is one.
fn read_private_manifest(path: &Path) -> Result<Option<PrivateManifest>> {
    let text =
        std::fs::read_to_string(path).map_err(|source| Error::system("read", path, source))?;
    Ok(serde_json::from_str(&text).ok())
}

/// The owner's map is in the folder beside the release.
fn owner_map(folder: &Path) -> PathBuf {
    // A path such as `.` has no name of its own.
    let folder = match folder.file_name() {
        Some(_) => folder.to_owned(),
        None => folder.canonicalize().unwrap_or_else(|_| folder.to_owned()),
    };
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".owner");
    folder.with_file_name(name).join(ROWS_FILE)
}

/// Every column of the raw table is there, and none that it does not know.
fn check_columns(texts: &TextTable, options: &JudgeOptions<'_>, fields: &[Field]) -> Result<()> {
    if texts.n_rows() == 0 {
        return Err(Error::data("the table has no rows"));
    }
    let names = || texts.names().iter().map(String::as_str);
    for field in fields {
        if texts.column(&field.name).is_none() {
            return Err(
                Error::data(format!("the masked table has no column `{}`", field.name))
                    .nearest(&field.name, names())
                    .hint("a column that was left out tells nothing: fill it with `*`"),
            );
        }
    }
    let is_known = |name: &str| {
        // A release in Parquet has the ends of intervals as numbers too.
        let ends = fields.iter().any(|field| {
            matches!(field.domain, Domain::Numbers { .. })
                && name
                    .strip_prefix(field.name.as_str())
                    .is_some_and(|end| ["_low", "_high"].contains(&end))
        });
        let is_key = matches!(&options.rows, Some(Rows::Key(key)) if key == name);
        let mut planned = options.plan.columns.iter();
        ends || is_key
            || planned.any(|column| column.name == name)
            || options.plan.person.as_deref() == Some(name)
    };
    match names().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => Err(Error::data(format!(
            "the masked table has a column `{name}` that the raw one does not have"
        ))
        .nearest(name, fields.iter().map(|field| field.name.as_str()))
        .hint("take it out, or name it as the raw table does")),
    }
}

/// Columns that were read.
struct Columns {
    read: Vec<Column>,
    unknown: Unknown,
    outside: u64,
}

/// Reads columns of a foreign file as the raw table's fields have them.
fn read_columns(
    path: &Path,
    texts: &TextTable,
    options: &JudgeOptions<'_>,
    fields: &[Field],
    which: &[usize],
) -> Result<Columns> {
    let mut read = Columns {
        read: Vec::with_capacity(which.len()),
        unknown: Unknown::default(),
        outside: 0,
    };
    let mut faulty: Vec<(&str, Unknown)> = Vec::new();
    for &number in which {
        let field = &fields[number];
        let cells = texts.column(&field.name).ok_or_else(|| {
            Error::data(format!("there is no column `{}`", field.name)).at(Place::file(path))
        })?;
        let foreign = foreign_column(field, &options.plan.missing, cells);
        if foreign.unknown.cells > 0 {
            faulty.push((&field.name, foreign.unknown));
        }
        read.unknown.cells += foreign.unknown.cells;
        read.outside += foreign.outside;
        read.read.push(foreign.column);
    }
    match faulty.first() {
        Some((name, unknown)) if !options.suppress_unknown => {
            let error = Error::data(format!(
                "column `{name}` has {} that {} no value, node, interval or mark that it can have",
                match unknown.cells {
                    1 => "a cell".to_owned(),
                    cells => format!("{cells} cells, {} of them different,", unknown.texts),
                },
                if unknown.cells == 1 { "is" } else { "are" },
            ))
            .at(Place::file(path))
            .hint("a spec says what they can be: nodes are those of its taxonomy, intervals of its bounds")
            .hint("`--suppress-unknown` takes them as suppressed, and counts them");
            Err(match faulty.len() - 1 {
                0 => error,
                1 => error.hint("one other column has such cells too"),
                others => error.hint(format!("{others} other columns have such cells too")),
            })
        }
        _ => Ok(read),
    }
}

/// The quasi-identifying columns of a population.
pub(super) fn read_population(
    path: &Path,
    options: &JudgeOptions<'_>,
    fields: &[Field],
    quasi: &[usize],
    progress: &dyn Progress,
) -> Result<Table> {
    let texts = read_texts(path, None, progress)?;
    if texts.n_rows() == 0 {
        return Err(Error::data("the table has no rows").at(Place::file(path)));
    }
    let read = read_columns(path, &texts, options, fields, quasi)?;
    let person = options.plan.person.as_ref();
    let people = person
        .and_then(|name| texts.column(name))
        .map(|column| numbered(column.codes.iter().copied()));
    let fields = quasi.iter().map(|&column| fields[column].clone()).collect();
    Ok(Table::new(fields, read.read, people))
}
