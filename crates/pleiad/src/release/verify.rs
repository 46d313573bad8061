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

use super::folder::is_file_of_a_release;
use super::manifest::{
    FileEntry, Guarantee, KindEntry, Manifest, RequirementEntry, RoleEntry, UnitEntry,
};
use super::open::OpenedRelease;
use super::{EVALUATION_FILE, MANIFEST_FILE, POSITIONS_FILE, README_FILE, ROWS_FILE, readme};
use crate::error::{Error, Place, Result};
use crate::progress::Progress;
use crate::spec::{Positions, ProtectSpec, Spec};
use crate::table::{
    Column, ColumnSpread, Format, MaskedValue, Spread, TextColumn, TextTable, Unit, read_texts,
};

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
    check_promises(&manifest).map_err(|error| error.at(Place::file(&manifest_path)))?;
    check_files(public, &manifest)?;
    if let Some(owner) = owner {
        check_is_the_evaluated_one(&manifest_path, &owner.join(EVALUATION_FILE))?;
    }
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
    let opened = super::open::open_release(public, progress)?;
    check_disclosure(&opened)?;
    Ok(Verified { manifest, promises })
}

/// Checks any table against the promises of a spec. People are counted if the table still has the spec's column of
/// persons, else rows.
pub fn check_table(path: &Path, spec: &Spec, progress: &dyn Progress) -> Result<Vec<PromiseKept>> {
    let protect = match &spec.protect {
        Some(ProtectSpec::Refine(protect)) => protect,
        Some(ProtectSpec::Mosaic(_)) => {
            return Err(Error::spec(
                "the spec promises differential privacy, which cannot be counted in a table: it is a property of how a table was made",
            )
            .hint("check the folder of a release: its manifest has the account"));
        }
        None => {
            return Err(
                Error::spec("the spec has no section [protect]: nothing is promised")
                    .hint("add `anonymity = 5` under a line `[protect]`"),
            );
        }
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

/// The manifest promises something, of every column by which a person could be looked up, and in its own words.
fn check_promises(manifest: &Manifest) -> Result<()> {
    let Guarantee::Anonymity {
        in_words,
        not_promised,
        unit,
        requirements,
    } = &manifest.guarantee;
    let promises_something = |requirement: &RequirementEntry| {
        requirement.at_least >= 2 && !requirement.columns.is_empty()
    };
    if requirements.is_empty() || !requirements.iter().all(promises_something) {
        return Err(Error::refused("the manifest promises nothing"));
    }
    for column in &manifest.columns {
        let is_required = requirements
            .iter()
            .any(|requirement| requirement.columns.contains(&column.name));
        let is_quasi = column.role == RoleEntry::Quasi;
        if is_quasi != column.masked || is_quasi != is_required {
            return Err(Error::refused(format!(
                "`{}` must be quasi, masked and in a promise, or none of these",
                column.name
            )));
        }
    }
    let words_fit = *in_words == readme::promise(requirements, *unit)
        && *not_promised == readme::not_promised(&manifest.columns)
        && manifest.positions.in_words == readme::positions(manifest.positions.disclosed);
    if words_fit {
        Ok(())
    } else {
        Err(Error::refused(
            "the words of the manifest say something else than its numbers",
        ))
    }
}

/// Every file is there as it was written, and no other.
fn check_files(public: &Path, manifest: &Manifest) -> Result<()> {
    let failed = |source| Error::system("read", public, source);
    let refused = |what: String| Error::refused(what).at(Place::file(public));
    let mut expected: BTreeSet<&str> = BTreeSet::from([README_FILE, POSITIONS_FILE]);
    expected.extend(
        manifest
            .columns
            .iter()
            .filter_map(|column| column.groups.as_deref()),
    );
    expected.insert(&manifest.data.file);
    let is_fixed = ["data.csv", "data.parquet"].contains(&manifest.data.file.as_str())
        && manifest.positions.file == POSITIONS_FILE
        && expected.iter().all(|name| is_file_of_a_release(name));
    let listed: BTreeSet<&str> = manifest.files.keys().map(String::as_str).collect();
    if !is_fixed || listed != expected {
        return Err(refused(
            "the manifest lists other files than a release has".to_owned(),
        ));
    }
    for entry in fs::read_dir(public).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name != MANIFEST_FILE && !expected.contains(&*name) {
            return Err(refused(format!(
                "the folder has a file `{name}` that the manifest does not name"
            )));
        }
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            return Err(refused(format!(
                "`{name}` is no file, but a link or a folder"
            )));
        }
    }
    for (name, described) in &manifest.files {
        let path = public.join(name);
        if !path.exists() {
            return Err(refused(format!("the file `{name}` is missing")));
        }
        if describe_file(&path)? != *described {
            return Err(Error::refused(
                "the file is not the one that was written: its hash differs",
            )
            .at(Place::file(path)));
        }
    }
    let readme = public.join(README_FILE);
    let words = fs::read(&readme).map_err(|source| Error::system("read", &readme, source))?;
    if words != readme::for_recipient(manifest).as_bytes() {
        return Err(
            Error::refused("its words are not those of this manifest").at(Place::file(readme))
        );
    }
    Ok(())
}

/// The manifest is the one that the owner's evaluation is about. While a release is written there is none yet.
fn check_is_the_evaluated_one(manifest: &Path, evaluation: &Path) -> Result<()> {
    let text = match fs::read_to_string(evaluation) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(Error::system("read", evaluation, source)),
    };
    let value: serde_json::Value = serde_json::from_str(&text)
        .map_err(|_| Error::data("this is no evaluation").at(Place::file(evaluation)))?;
    let evaluated = value
        .get("manifest_sha256")
        .and_then(serde_json::Value::as_str);
    if evaluated == Some(describe_file(manifest)?.sha256.as_str()) {
        Ok(())
    } else {
        Err(
            Error::refused("the manifest is not the one that the owner's evaluation is about")
                .at(Place::file(manifest)),
        )
    }
}

/// Where nothing is to be disclosed beyond the masked values, positions say just what these say.
fn check_disclosure(opened: &OpenedRelease) -> Result<()> {
    if opened.manifest.positions.disclosed != Positions::Uniform {
        return Ok(());
    }
    let columns = opened.table.fields().iter().zip(opened.table.columns());
    for ((field, column), spread) in columns.zip(&opened.spreads) {
        let (Some(spread), Column::Masked(_, dictionary)) = (spread, column) else {
            continue;
        };
        let is_even = match spread {
            ColumnSpread::Entries { entries, .. } => dictionary
                .values()
                .iter()
                .zip(entries)
                .all(|(value, entry)| is_near(&Spread::even(value, &field.domain), entry)),
            ColumnSpread::Nodes(nodes) => nodes.iter().all(|(node, shares)| {
                let tree = field.domain.tree().expect("sets have a tree");
                let even = Spread::even(&MaskedValue::under(tree, *node), &field.domain);
                is_near(&even, &Spread::Leaves(shares.clone()))
            }),
        };
        if !is_even {
            return Err(Error::refused(format!(
                "positions disclose more of `{}` than the manifest says",
                field.name
            )));
        }
    }
    Ok(())
}

fn is_near(one: &Spread, other: &Spread) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(1.0);
    match (one, other) {
        (Spread::Leaves(one), Spread::Leaves(other)) => {
            let pairs = one.iter().zip(other);
            one.len() == other.len()
                && pairs
                    .into_iter()
                    .all(|(one, other)| one.0 == other.0 && near(one.1, other.1))
        }
        (
            Spread::Numbers {
                mean_place,
                missing,
            },
            Spread::Numbers {
                mean_place: other_place,
                missing: other_missing,
            },
        ) => near(*mean_place, *other_place) && near(*missing, *other_missing),
        _ => false,
    }
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
    check_ends(manifest, data)
}

/// The ends of an interval beside its text, in Parquet, say what the text says and nothing else.
fn check_ends(manifest: &Manifest, data: &TextTable) -> Result<()> {
    for column in &manifest.columns {
        let beside = |suffix: &str| data.column(&format!("{}{suffix}", column.name));
        if let (true, Some(text), Some(low), Some(high)) = (
            column.masked,
            data.column(&column.name),
            beside("_low"),
            beside("_high"),
        ) && TextTable::groups(&[text, low, high]).1 != text.texts.len()
        {
            return Err(Error::refused(format!(
                "the ends of `{}` differ where the interval is the same",
                column.name
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
