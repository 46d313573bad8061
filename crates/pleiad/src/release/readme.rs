//! Words about a release: for its recipient, and for whoever has to sign.

use std::fmt::Write as _;

use super::manifest::{
    ColumnEntry, Guarantee, KeyedBy, KindEntry, Manifest, RequirementEntry, RoleEntry, UnitEntry,
};
use crate::spec::{Encoding, Positions};

/// A program that clusters a release, using nothing but what is in it.
const PROGRAM: &str = include_str!("recipient.py");

/// What is promised.
pub(super) fn promise(requirements: &[RequirementEntry], unit: UnitEntry) -> Vec<String> {
    let mut sentences: Vec<String> = requirements
        .iter()
        .map(|requirement| {
            format!(
                "Whoever looks for a person by {} finds at least {} people who look alike there, or nobody.",
                listed(requirement.columns.iter().map(String::as_str)),
                requirement.at_least
            )
        })
        .collect();
    sentences.push(
        match unit {
            UnitEntry::People => "People are counted, not rows: a person may have several rows.",
            UnitEntry::Rows => "One row is one person: so the owner of the table asserts.",
        }
        .to_owned(),
    );
    sentences
}

/// What is not promised.
pub(super) fn not_promised(columns: &[ColumnEntry]) -> Vec<String> {
    let names = |is_meant: &dyn Fn(&ColumnEntry) -> bool| -> Vec<&str> {
        let meant = columns.iter().filter(|column| is_meant(column));
        meant.map(|column| column.name.as_str()).collect()
    };
    let mut sentences = Vec::new();
    let as_they_are = names(&|column| !column.masked);
    if !as_they_are.is_empty() {
        let one = as_they_are.len() == 1;
        sentences.push(format!(
            "{} {} published as {}: whoever knows a person's value there may narrow down the search.",
            listed(as_they_are.iter().copied()),
            if one { "is" } else { "are" },
            if one { "it is" } else { "they are" },
        ));
    }
    if columns
        .iter()
        .any(|column| column.role == RoleEntry::Sensitive)
    {
        sentences.push(
            "People who look alike may have the same sensitive value: then it is known of each of them."
                .to_owned(),
        );
    }
    let from_data = names(&|column| column.from_data);
    if !from_data.is_empty() {
        sentences.push(format!(
            "The values that {} can have were taken from the data: that a value is listed says that somebody has it.",
            listed(from_data.into_iter())
        ));
    }
    sentences.push(
        "Where an interval begins is a value that somebody has, and of people who look alike one may have most of the rows."
            .to_owned(),
    );
    sentences.push(
        "This is anonymity in a crowd, not differential privacy: what else somebody knows about the people may tell more."
            .to_owned(),
    );
    sentences
}

/// What positions disclose.
pub(super) fn positions(disclosed: Positions) -> &'static str {
    match disclosed {
        Positions::Uniform => {
            "Nothing is disclosed beyond the masked values: each value that a masked one may stand for is taken as equally likely."
        }
        Positions::Table => {
            "For each masked value of a column it is disclosed how its people in the whole table spread over raw values: values \
             that at least as many people have as must look alike, in steps of that number, the others together; and the \
             mean of an interval, in as many steps as that number goes into its people."
        }
        Positions::Group => {
            "For each group of people who look alike the mean of their numbers, if as many as must look alike have one, and the \
             exact shares of their other values are disclosed: that one of five has a value may be seen, not which one. It tells \
             more to somebody who knows some of their values already."
        }
    }
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// The recipient's README.
pub(super) fn for_recipient(manifest: &Manifest) -> String {
    let mut text = String::new();
    write_readme(&mut text, manifest).expect("a string takes what it is given");
    text
}

fn write_readme(out: &mut String, manifest: &Manifest) -> std::fmt::Result {
    let Guarantee::Anonymity {
        in_words,
        not_promised,
        ..
    } = &manifest.guarantee;
    writeln!(
        out,
        "# A table about people, published so that its clusters survive\n"
    )?;
    writeln!(
        out,
        "`{}` has {} rows in the order of their published values. It was made by {}.\n",
        manifest.data.file, manifest.data.rows, manifest.made_by
    )?;
    writeln!(out, "## What is promised\n")?;
    for sentence in in_words {
        writeln!(out, "- {sentence}")?;
    }
    writeln!(out, "\nWhat is not:\n")?;
    for sentence in not_promised {
        writeln!(out, "- {sentence}")?;
    }
    writeln!(out, "\n## The columns\n")?;
    writeln!(out, "| column | kind | role | published |")?;
    writeln!(out, "|---|---|---|---|")?;
    for column in &manifest.columns {
        writeln!(
            out,
            "| {} | {} | {} | {} |",
            column.name.replace('|', "\\|"),
            kind_word(column.kind),
            role_word(column.role),
            published_words(column)
        )?;
    }
    out.push_str(HOW_TO_READ);
    writeln!(out, "\n## Where the values lie\n")?;
    match manifest.cluster.encoding {
        Encoding::Semantic => out.push_str(SEMANTIC_SPACE),
        Encoding::OneHot => out.push_str(ONE_HOT_SPACE),
    }
    writeln!(
        out,
        "\n`{}` says where masked values lie, in lines of {}. {}",
        manifest.positions.file,
        match manifest.positions.keyed_by {
            KeyedBy::Published =>
                "`column`, `published` (the masked value; in a set column one item of it), `value` and `share`",
            KeyedBy::Group =>
                "`column`, `group`, `value` and `share`; which row is in which group follows from the values of the columns in the \
                 file that the manifest names as the column's `groups`",
        },
        manifest.positions.in_words
    )?;
    out.push_str(SHARES);
    writeln!(
        out,
        "\n## Clustering it\n\nThe release was made to keep {} clusters. With pleiad: `pleiad cluster FOLDER`. With Python:\n\n```python\n{PROGRAM}```",
        manifest.cluster.clusters
    )
}

fn kind_word(kind: KindEntry) -> &'static str {
    match kind {
        KindEntry::Numeric => "numeric",
        KindEntry::Date => "date",
        KindEntry::Categorical => "categorical",
        KindEntry::Set => "set",
    }
}

fn role_word(role: RoleEntry) -> &'static str {
    match role {
        RoleEntry::Quasi => "quasi",
        RoleEntry::Sensitive => "sensitive",
        RoleEntry::Plain => "plain",
    }
}

fn published_words(column: &ColumnEntry) -> &'static str {
    match (column.masked, column.kind) {
        (false, _) => "as it is",
        (true, KindEntry::Numeric | KindEntry::Date) => "as intervals",
        (true, KindEntry::Categorical) => "generalised",
        (true, KindEntry::Set) => "as generalised items",
    }
}

const HOW_TO_READ: &str = "
## How to read a cell

- `[17, 37)` is a number (or date) from 17 up to, and without, 37; `[17, 37]` includes 37; a bare `17` is 17.
- The name of a node of the column's tree is any value under that node; the trees are in `manifest.json`.
- `*` is any value of the column; where the manifest lists `hidden` values, any of those.
- An empty cell is a missing value. `none` is the empty set.
- The items of a set are joined by the column's `separator`.
- In Parquet, `<column>_low` and `<column>_high` are the ends of an interval, both included.
";

const SEMANTIC_SPACE: &str = "\
With w the column's `weight`, coordinates are:

- categorical: one for each node of the tree but the root. With H the longest path from the root to a leaf, a value has √(w/2H) on
  every node of its path, and 0 elsewhere. A missing value (the empty label) is a leaf under the root;
- set: the mean of its items;
- numeric and date: two. A number is (p√w, 0), p its share of the way from the lower to the upper bound; a missing one is
  (½√w, √(w/2)).
";

const ONE_HOT_SPACE: &str = "\
Coordinates are:

- categorical: one for each node of the tree, 1 for the published value and 0 for all others, generalised values included;
- set: the sum of its items;
- numeric and date: two. A number is (p, 0), p its share of the way from the lower to the upper bound; a missing one is (½, 1).
";

const SHARES: &str = "
A masked value (or group) lies at the mean of the raw `value`s of its lines with their `share`s. In a column of numbers there is one
line for the mean of those that are there, and one with an empty `value` for those that are missing.
";
