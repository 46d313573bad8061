//! Does a release keep its promises? Judged from the written files alone: nothing here knows how tables are masked.
//!
//! Every promise is counted anew on the cells as they are written. Two cells are alike only if their texts are: should
//! one value ever be written in two ways, the count can only become stricter.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rustc_hash::FxHashSet;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::manifest::{FileEntry, KindEntry, Manifest, RequirementEntry, UnitEntry};
use super::{MANIFEST_FILE, ROWS_FILE};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::spec::Spec;
use crate::table::{Format, TextColumn, TextTable, Unit, read_texts};

/// What the groups of a promise were counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// People.
    People,
    /// Rows, each of which is a person.
    Rows,
    /// Rows, though people were promised: who they are about stays with the owner. A person may have several rows, so
    /// this can miss a broken promise.
    RowsOnly,
}

/// A promise that was found to be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PromiseKept {
    /// The columns by which somebody could be looked up.
    pub columns: Vec<String>,
    /// How many must look alike.
    pub at_least: u32,
    /// What was counted.
    pub counted: Counted,
    /// Number of groups.
    pub groups: u64,
    /// The smallest of them.
    pub smallest: u64,
    /// The one in the middle.
    pub median: u64,
    /// The largest.
    pub largest: u64,
}

/// A release that keeps its promises.
#[derive(Debug, Clone)]
pub struct Verified {
    /// What the release says of itself.
    pub manifest: Manifest,
    /// The promises, as they were counted.
    pub promises: Vec<PromiseKept>,
}

/// Checks the public folder of a release, with the owner's folder where people are to be counted.
///
/// # Errors
/// What is broken, by the number of rows, groups and files, never by a cell.
pub fn verify_release(
    public: &Path,
    owner: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Verified> {
    let manifest_path = public.join(MANIFEST_FILE);
    let manifest = Manifest::read(&manifest_path)?;
    check_files(public, &manifest)?;
    let data_path = public.join(&manifest.data.file);
    let data = read_texts(&data_path, Some(b','), progress)?;
    let at_data = |error: Error| error.at(Place::file(&data_path));
    check_columns(&manifest, &data, &data_path).map_err(at_data)?;
    check_order(&manifest, &data).map_err(at_data)?;
    let (unit, requirements) = manifest.requirements();
    let people = match (unit, owner) {
        (UnitEntry::Rows, _) => People::EachRow,
        (UnitEntry::People, None) => People::Unknown,
        (UnitEntry::People, Some(owner)) => People::OfRow(people_of_public_rows(
            &owner.join(ROWS_FILE),
            data.n_rows(),
            progress,
        )?),
    };
    let promises = requirements
        .iter()
        .map(|requirement| count(&data, requirement, &people).map_err(at_data))
        .collect::<Result<Vec<_>>>()?;
    // Whatever a recipient needs must be there: the whole release is read as a recipient reads it.
    super::open::open_release(public, progress)?;
    Ok(Verified { manifest, promises })
}

/// Checks any table against the promises of a spec. People are counted if the table still has the spec's column of
/// persons, else rows.
pub fn check_table(path: &Path, spec: &Spec, progress: &dyn Progress) -> Result<Vec<PromiseKept>> {
    let Some(protect) = &spec.protect else {
        return Err(
            Error::spec("the spec has no section [protect]: nothing is promised")
                .hint("add `anonymity = 5` under a line `[protect]`"),
        );
    };
    let data = read_texts(path, spec.plan.delimiter, progress)?;
    let person = spec.plan.person.as_ref();
    let people = match person.map(|name| data.column(name)) {
        Some(Some(column)) => People::OfRow(column.codes.clone()),
        Some(None) => People::Unknown,
        None => People::EachRow,
    };
    protect
        .anonymity
        .iter()
        .map(|requirement| {
            let requirement = RequirementEntry {
                columns: requirement.columns.clone(),
                at_least: requirement.at_least,
            };
            count(&data, &requirement, &people).map_err(|error| error.at(Place::file(path)))
        })
        .collect()
}

/// Whom rows are about.
enum People {
    EachRow,
    OfRow(Vec<u32>),
    Unknown,
}

/// Counts the groups of one promise.
fn count(data: &TextTable, requirement: &RequirementEntry, people: &People) -> Result<PromiseKept> {
    let columns = requirement
        .columns
        .iter()
        .map(|name| {
            data.column(name).ok_or_else(|| {
                Error::data(format!(
                    "the table has no column `{name}`, in which people must look alike"
                ))
            })
        })
        .collect::<Result<Vec<&TextColumn>>>()?;
    let (group_of_row, n_groups) = TextTable::groups(&columns);
    let mut sizes = vec![0_u64; n_groups];
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    for (row, &group) in group_of_row.iter().enumerate() {
        let is_new = match people {
            People::OfRow(person) => seen.insert((group, person[row])),
            People::EachRow | People::Unknown => true,
        };
        sizes[group as usize] += u64::from(is_new);
    }
    let counted = match people {
        People::OfRow(_) => Counted::People,
        People::EachRow => Counted::Rows,
        People::Unknown => Counted::RowsOnly,
    };
    refuse_small_groups(requirement, &group_of_row, &sizes, counted)?;
    sizes.sort_unstable();
    let at = |place: usize| sizes.get(place).copied().unwrap_or(0);
    Ok(PromiseKept {
        columns: requirement.columns.clone(),
        at_least: requirement.at_least,
        counted,
        groups: n_groups as u64,
        smallest: at(0),
        median: at(n_groups / 2),
        largest: at(n_groups.saturating_sub(1)),
    })
}

/// Says which groups are too small by where they begin, not by what they say: few people are behind them.
fn refuse_small_groups(
    requirement: &RequirementEntry,
    group_of_row: &[u32],
    sizes: &[u64],
    counted: Counted,
) -> Result<()> {
    let at_least = u64::from(requirement.at_least);
    let too_small: Vec<usize> = (0..sizes.len())
        .filter(|&group| sizes[group] < at_least)
        .collect();
    let Some(&smallest) = too_small.iter().min_by_key(|&&group| sizes[group]) else {
        return Ok(());
    };
    let first_row = group_of_row
        .iter()
        .position(|&group| group as usize == smallest)
        .map_or(0, |row| row + 1);
    let what = if counted == Counted::People {
        "people"
    } else {
        "rows"
    };
    let size = sizes[smallest];
    Err(Error::refused(format!(
        "{} of {} groups of `{}` have fewer than {at_least} {what}; the smallest has {size} and begins in row {first_row}",
        too_small.len(),
        sizes.len(),
        requirement.columns.join("`, `"),
    )))
}

/// Every file is there as it was written, and no other.
fn check_files(public: &Path, manifest: &Manifest) -> Result<()> {
    let failed = |source| Error::system("read", public, source);
    let mut found: BTreeSet<String> = BTreeSet::new();
    for entry in fs::read_dir(public).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        found.insert(name.to_string_lossy().into_owned());
    }
    found.remove(MANIFEST_FILE);
    if let Some(name) = found
        .iter()
        .find(|name| !manifest.files.contains_key(*name))
    {
        return Err(Error::refused(format!(
            "the folder has a file `{name}` that the manifest does not name"
        ))
        .at(Place::file(public)));
    }
    for needed in [&manifest.data.file, &manifest.positions.file] {
        if !manifest.files.contains_key(needed) {
            return Err(Error::refused(format!(
                "the manifest does not list its own file `{needed}`"
            ))
            .at(Place::file(public)));
        }
    }
    for (name, expected) in &manifest.files {
        let path = public.join(name);
        if !found.contains(name) {
            return Err(
                Error::refused(format!("the file `{name}` is missing")).at(Place::file(public))
            );
        }
        if describe_file(&path)? != *expected {
            return Err(Error::refused(
                "the file is not the one that was written: its hash differs",
            )
            .at(Place::file(path)));
        }
    }
    Ok(())
}

/// Length and hash of a file.
pub(super) fn describe_file(path: &Path) -> Result<FileEntry> {
    let failed = |source| Error::system("read", path, source);
    let mut file = fs::File::open(path).map_err(failed)?;
    let mut hash = Sha256::new();
    let bytes = std::io::copy(&mut file, &mut hash).map_err(failed)?;
    let sha256 = hash
        .finalize()
        .iter()
        .fold(String::new(), |mut text, byte| {
            use std::fmt::Write as _;
            write!(text, "{byte:02x}").expect("a string takes what it is given");
            text
        });
    Ok(FileEntry { bytes, sha256 })
}

/// The table has the columns of the manifest and nothing else.
fn check_columns(manifest: &Manifest, data: &TextTable, path: &Path) -> Result<()> {
    let mut expected: Vec<String> = Vec::new();
    for column in &manifest.columns {
        expected.push(column.name.clone());
        let is_number = matches!(column.kind, KindEntry::Numeric | KindEntry::Date);
        if column.masked && is_number && Format::of_path(path) == Format::Parquet {
            expected.push(format!("{}_low", column.name));
            expected.push(format!("{}_high", column.name));
        }
    }
    if data.names() != expected {
        return Err(Error::refused(
            "the columns of the table are not those of the manifest",
        ));
    }
    if data.n_rows() as u64 != manifest.data.rows {
        return Err(Error::refused(format!(
            "the table has {} rows, the manifest says {}",
            data.n_rows(),
            manifest.data.rows
        )));
    }
    let (_, requirements) = manifest.requirements();
    for name in requirements
        .iter()
        .flat_map(|requirement| &requirement.columns)
    {
        if !manifest
            .columns
            .iter()
            .any(|column| column.name == *name && column.masked)
        {
            return Err(Error::refused(format!(
                "people must look alike in `{name}`, which is not masked"
            )));
        }
    }
    Ok(())
}

/// Rows are in the order of their published values: any other could tell where they come from.
fn check_order(manifest: &Manifest, data: &TextTable) -> Result<()> {
    let ranks = manifest
        .columns
        .iter()
        .map(|entry| {
            let column = data.column(&entry.name).expect("the columns were checked");
            let unit = match (entry.masked, entry.kind) {
                (false, KindEntry::Numeric) => Some(Unit::Number),
                (false, KindEntry::Date) => Some(Unit::Day),
                _ => None,
            };
            rank_of_texts(column, unit).map(|ranks| (column, ranks))
        })
        .collect::<Result<Vec<_>>>()?;
    for row in 1..data.n_rows() {
        let rank = |row: usize| {
            ranks
                .iter()
                .map(move |(column, ranks)| ranks[column.codes[row] as usize])
        };
        if rank(row - 1).cmp(rank(row)).is_gt() {
            return Err(Error::refused(format!(
                "row {} is not in the order of the published values",
                row + 1
            )));
        }
    }
    Ok(())
}

/// The place of each text of a column in its order: by size for numbers, a missing one last; else by the text itself.
fn rank_of_texts(column: &TextColumn, unit: Option<Unit>) -> Result<Vec<usize>> {
    let mut by_rank: Vec<usize> = (0..column.texts.len()).collect();
    match unit {
        None => by_rank.sort_by(|&a, &b| column.texts[a].cmp(&column.texts[b])),
        Some(unit) => {
            let numbers = column
                .texts
                .iter()
                .map(|text| match text.as_str() {
                    "" => Some(f64::INFINITY),
                    text => unit.parse(text),
                })
                .collect::<Option<Vec<f64>>>()
                .ok_or_else(|| Error::refused("a column of numbers has a cell that is none"))?;
            by_rank.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
        }
    }
    let mut ranks = vec![0; by_rank.len()];
    for (rank, &text) in by_rank.iter().enumerate() {
        ranks[text] = rank;
    }
    Ok(ranks)
}

/// Whom each public row is about, from the owner's file of rows.
fn people_of_public_rows(path: &Path, n_rows: usize, progress: &dyn Progress) -> Result<Vec<u32>> {
    let rows = read_texts(path, Some(b','), progress)?;
    let wrong =
        || Error::refused("the owner's file of rows does not fit the table").at(Place::file(path));
    let (Some(public_row), Some(person)) = (rows.column("public_row"), rows.column("person"))
    else {
        return Err(wrong());
    };
    let mut people = vec![None; n_rows];
    for row in 0..rows.n_rows() {
        let number = |column: &TextColumn| column.texts[column.codes[row] as usize].parse().ok();
        let (Some(public), Some(person)) = (number(public_row), number(person)) else {
            return Err(wrong());
        };
        let public: u32 = public;
        match (public as usize)
            .checked_sub(1)
            .and_then(|at| people.get_mut(at))
        {
            Some(slot @ None) => *slot = Some(person),
            _ => return Err(wrong()),
        }
    }
    people.into_iter().collect::<Option<_>>().ok_or_else(wrong)
}
