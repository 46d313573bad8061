//! A first spec for a table that nobody described: every guess with its reason, for somebody to correct.
//!
//! The table is looked at once to propose what its columns are, and read once more as the proposal says: so the draft is
//! known to fit, and the people whom the quasi columns would single out can be counted. Nothing here is a promise. A
//! draft holds values of the table, and says so.

mod bounds;
mod column;
mod grouping;
mod names;
#[cfg(test)]
mod tests;
mod text;
mod unique;

use std::path::Path;

use crate::error::{Error, Place, Result};
use crate::progress::{Amount, Progress};
use crate::table::{
    Guess, IncompleteRows, MARKS, Plan, Profile, Role, Table, guess, profile_table, read_table,
};

pub use column::ColumnDraft;
pub use grouping::{DraftedTaxonomy, Grouping, draft_taxonomy, likely_grouping};

use unique::Alone;

/// The folder beside the spec that drafted taxonomies go to.
pub const TAXONOMY_FOLDER: &str = "taxonomies";

/// How many people look alike unless somebody says otherwise, and how many clusters are looked for.
const ANONYMITY: usize = 5;
const CLUSTERS: usize = 5;

/// Two groups of two.
const FEWEST_PEOPLE: usize = 4;

/// A draft of a spec.
#[derive(Debug)]
pub struct Draft {
    /// What is proposed for each column, in the order of the file.
    pub columns: Vec<ColumnDraft>,
    /// Rows of the table.
    pub n_rows: u64,
    /// People in the table: rows, unless one of the columns tells them apart.
    pub n_people: u64,
    /// The column that says whom a row is about.
    pub person: Option<String>,
    /// Texts that mean "no value", with the cells that have them.
    pub missing: Vec<(&'static str, u64)>,
    /// How many people are alone with their exact values: of single quasi columns, of pairs, of triples.
    pub alone: Vec<NamedAlone>,
    /// The same for all quasi columns together.
    pub alone_on_quasi: NamedAlone,
    /// The same for the columns that are published as they are.
    pub alone_on_published: NamedAlone,
    /// Number of clusters that is proposed.
    pub clusters: usize,
    /// How many people must look alike.
    pub anonymity: usize,
    /// How the draft is read.
    pub plan: Plan,
    taxonomy_names: Vec<Option<String>>,
}

/// How many people are alone with their values of certain columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedAlone {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// People with whom nobody shares these values.
    pub people: u64,
}

/// Drafts a spec for a CSV (also gzipped), Parquet or Arrow IPC file.
///
/// # Errors
/// What [`read_table`] would say of the file; a table of which nothing can be published, or in which nobody could hide.
pub fn draft_spec(path: &Path, progress: &dyn Progress) -> Result<Draft> {
    let profile = profile_table(path, progress)?;
    let missing = profile.missing_texts();
    let mut columns: Vec<ColumnDraft> = profile
        .columns
        .iter()
        .map(|profile| column::draft(profile, &missing))
        .collect();
    let at = |error: Error| error.at(Place::file(path));
    refuse_nothing_to_publish(&columns).map_err(at)?;
    mask_at_least_something(&mut columns);
    let person = person(&profile, &mut columns);
    let plan = Plan {
        delimiter: None,
        missing,
        incomplete_rows: IncompleteRows::Refuse,
        person: person.clone(),
        columns: columns
            .iter()
            .map(ColumnDraft::plan)
            .collect::<Result<_>>()?,
        source: None,
    };
    let table = read_table(path, &plan, progress)?.table;
    let n_people = table
        .people()
        .map_or(table.n_rows(), |people| people.n_people);
    if n_people < FEWEST_PEOPLE {
        let message = format!("the table is about {n_people} people: too few to hide among");
        return Err(at(Error::data(message)));
    }
    doubt_repetition(&mut columns, &table);
    let with_role = |is_role: fn(Role) -> bool| -> Vec<usize> {
        let fields = table.fields().iter().enumerate();
        fields
            .filter(|(_, field)| is_role(field.role))
            .map(|(at, _)| at)
            .collect()
    };
    let quasi = with_role(|role| role == Role::Quasi);
    let published = with_role(|role| role != Role::Quasi);
    let named = |alone: Alone| NamedAlone {
        columns: alone
            .columns
            .iter()
            .map(|&column| table.fields()[column].name.clone())
            .collect(),
        people: alone.people,
    };
    let anonymity = ANONYMITY.min(n_people / 2);
    let clusters = clusters(&table, &quasi, &published, anonymity);
    progress.begin("counting people", 0, Amount::Rows);
    let alone = unique::most_telling(&table, &quasi);
    let alone_on_quasi = unique::alone(&table, &quasi);
    let alone_on_published = unique::alone(&table, &published);
    progress.end();
    Ok(Draft {
        n_rows: table.n_rows() as u64,
        n_people: n_people as u64,
        person,
        missing: missing_counts(&profile),
        alone: alone.into_iter().map(named).collect(),
        alone_on_quasi: named(alone_on_quasi),
        alone_on_published: named(alone_on_published),
        clusters,
        anonymity,
        plan,
        taxonomy_names: text::taxonomy_names(&columns),
        columns,
    })
}

impl Draft {
    /// The text of the spec, with the reason at each guess; `data_path` is where the table lies as seen from the spec.
    pub fn text(&self, data_path: &str) -> String {
        text::spec(self, data_path)
    }

    /// The drafted taxonomies: the path as seen from the spec, and the text.
    pub fn taxonomies(&self) -> impl Iterator<Item = (&str, &str)> {
        let named = self.taxonomy_names.iter().zip(&self.columns);
        named
            .filter_map(|(name, column)| Some((name.as_deref()?, column.taxonomy()?.text.as_str())))
    }
}

/// A first number of clusters: no more than a masked table of these columns is likely to have different rows.
fn clusters(table: &Table, quasi: &[usize], published: &[usize], anonymity: usize) -> usize {
    let groups = quasi
        .iter()
        .map(|&column| unique::likely_groups(table, column, anonymity));
    // Other quasi columns take their share of what can be told.
    let from_quasi = groups.max().unwrap_or(0) / 2;
    let from_published = unique::n_different(table, published);
    from_quasi.max(from_published).clamp(2, CLUSTERS)
}

fn refuse_nothing_to_publish(columns: &[ColumnDraft]) -> Result<()> {
    if columns.iter().any(|column| column.role != Role::Identifier) {
        return Ok(());
    }
    Err(Error::data(
        "nothing is left to publish: every column seems to name people, or is empty, or the same in all rows",
    )
    .hint("if one of them is something else, write the spec by hand: `pleiad help release` shows how one begins"))
}

/// A release masks something. Where nothing is known to strangers by its name and nothing is rare, everything is masked
/// until somebody who knows the table says otherwise.
fn mask_at_least_something(columns: &mut [ColumnDraft]) {
    if columns.iter().any(|column| column.role == Role::Quasi) {
        return;
    }
    for column in columns
        .iter_mut()
        .filter(|column| column.role == Role::Plain)
    {
        column.role = Role::Quasi;
        column.reasons.retain(|reason| !reason.starts_with("Plain"));
        column.reasons.push(
            "Quasi: nothing in this table is known to be what others know, so all of it is masked until somebody says."
                .to_owned(),
        );
    }
}

/// Notes columns that say what an earlier one says: such a one counts twice in every distance.
fn doubt_repetition(columns: &mut [ColumnDraft], table: &Table) {
    let name = |column: usize| table.fields()[column].name.as_str();
    for (first, second) in unique::same(table) {
        let mut columns = columns.iter_mut();
        if let Some(column) = columns.find(|column| column.name == name(second)) {
            column.doubts.push(format!(
                "it says the same as `{}` in other words: leave one of the two out",
                name(first)
            ));
        }
    }
}

/// The column that tells people apart who have several rows: a repeated key, one of a person before others.
fn person(profile: &Profile, columns: &mut [ColumnDraft]) -> Option<String> {
    let is_complete = |at: usize| profile.columns[at].n_missing() == 0;
    let keys = || (0..columns.len()).filter(|&at| columns[at].is_repeated_key);
    let of_person = |at: &usize| names::is_person(&crate::table::name_words(&columns[*at].name));
    let complete = || keys().filter(|&at| is_complete(at));
    let chosen = complete().find(of_person).or_else(|| complete().next());
    let incomplete: Vec<usize> = keys().filter(|&at| !is_complete(at)).collect();
    for at in incomplete {
        columns[at].doubts.push(
            "it may say whom a row is about, but is missing in some rows: not used so".to_owned(),
        );
    }
    Some(columns[chosen?].name.clone())
}

fn missing_counts(profile: &Profile) -> Vec<(&'static str, u64)> {
    let cells = |mark: usize| {
        profile
            .columns
            .iter()
            .map(|column| column.marks[mark])
            .sum()
    };
    let marks = MARKS.iter().enumerate();
    marks
        .filter(|(at, _)| profile.missing[*at])
        .map(|(at, mark)| (mark.text, cells(at)))
        .collect()
}

/// The different values of a column, or its items where it holds sets, sorted, with the cells that have each.
///
/// # Errors
/// What [`read_table`] would say of the file; a column that it does not have, or with too many values to list.
pub fn column_values(
    path: &Path,
    name: &str,
    progress: &dyn Progress,
) -> Result<Vec<(String, u64)>> {
    let profile = profile_table(path, progress)?;
    let Some(column) = profile.columns.iter().find(|column| column.name == name) else {
        let names = profile.columns.iter().map(|column| column.name.as_str());
        let message = format!("{} has no column `{name}`", path.display());
        return Err(Error::spec(message).nearest(name, names));
    };
    let counts = match guess(column) {
        Guess::Sets(separator) => column
            .items()
            .find(|(sign, _)| *sign == separator)
            .map(|(_, items)| items.counted()),
        _ => column.counted_words(),
    };
    let wrong = |what: &str| Error::data(format!("column `{name}` {what}")).at(Place::file(path));
    let counts = counts.ok_or_else(|| wrong("has too many different values to list"))?;
    let mut values = counts
        .into_iter()
        .map(|(value, cells)| Some((std::str::from_utf8(value).ok()?.to_owned(), cells)))
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| wrong("is not UTF-8 text"))?;
    values.sort_unstable();
    Ok(values)
}
