//! What `pleiad init` found, without a cell of the table.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use pleiad::draft::{ColumnDraft, Draft, NamedAlone};
use pleiad::table::Role;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::summary::text::{counted, grouped, percent};
use crate::terminal::{STRONG, broken, styled, visible};

/// The readable summary.
pub(crate) fn summary(draft: &Draft, width: usize) -> String {
    let mut text = format!(
        "{}, {}, {}\n",
        counted(draft.n_rows, "row"),
        counted(draft.columns.len() as u64, "column"),
        match &draft.person {
            Some(person) => format!(
                "{} told apart by `{}`",
                people(draft.n_people),
                visible(person)
            ),
            None => "each row a person".to_owned(),
        }
    );
    for (role, heading) in [
        (Role::Identifier, "Left out"),
        (Role::Quasi, "Masked: quasi"),
        (Role::Plain, "Published as they are: plain"),
    ] {
        let columns: Vec<&ColumnDraft> = draft
            .columns
            .iter()
            .filter(|column| column.role == role)
            .collect();
        if !columns.is_empty() {
            let _ = writeln!(text, "\n{}", styled(STRONG, heading));
            list(&columns, width, &mut text);
        }
    }
    let doubts: Vec<String> = draft
        .columns
        .iter()
        .flat_map(|column| column.doubts.iter().map(move |doubt| (column, doubt)))
        .map(|(column, doubt)| format!("{}: {doubt}", visible(&column.name)))
        .collect();
    if !doubts.is_empty() {
        let _ = writeln!(
            text,
            "\n{}",
            styled(STRONG, "Not understood, and worth a look")
        );
        for doubt in doubts {
            paragraph(&doubt, width, &mut text);
        }
    }
    let _ = writeln!(
        text,
        "\n{}",
        styled(
            STRONG,
            &format!(
                "Alone with their exact values, of {}",
                people(draft.n_people)
            )
        )
    );
    alone(draft, width, &mut text);
    text
}

/// The columns, each with the word for its kind, as many on a line as fit.
fn list(columns: &[&ColumnDraft], width: usize, text: &mut String) {
    let entry = |column: &&ColumnDraft| match column.kind() {
        // A word with its kind must not be broken apart.
        Some(kind) => format!(
            "{}\u{a0}({kind})",
            visible(&column.name).replace(' ', "\u{a0}")
        ),
        None => visible(&column.name).replace(' ', "\u{a0}"),
    };
    let entries: Vec<String> = columns.iter().map(entry).collect();
    paragraph(&entries.join(", "), width, text);
}

fn paragraph(words: &str, width: usize, text: &mut String) {
    for (at, line) in broken(words, width.saturating_sub(4)).iter().enumerate() {
        let indent = if at == 0 { "  " } else { "    " };
        let _ = writeln!(text, "{indent}{}", line.replace('\u{a0}', " "));
    }
}

fn alone(draft: &Draft, width: usize, text: &mut String) {
    let all = &draft.alone_on_quasi;
    let names = |alone: &NamedAlone| {
        let is_all = alone.columns.len() == all.columns.len();
        match (is_all, alone.columns.len()) {
            (true, 1) | (false, _) => visible(&alone.columns.join(", ")),
            (true, many) => format!("all {many} quasi columns"),
        }
    };
    let lines: Vec<(String, &NamedAlone)> = draft
        .alone
        .iter()
        .chain([all])
        .map(|alone| (names(alone), alone))
        .collect();
    let widest = lines
        .iter()
        .map(|(names, _)| names.width())
        .max()
        .unwrap_or(0);
    let room = widest.min(width.saturating_sub(26));
    for (names, alone) in lines {
        let names = shortened(&names, room);
        let padding = " ".repeat(room.saturating_sub(names.width()));
        let share = percent(alone.people as f64 / draft.n_people.max(1) as f64);
        let _ = writeln!(
            text,
            "  {names}{padding}  {:>11}  {share:>7}",
            grouped(alone.people)
        );
    }
    let published = &draft.alone_on_published;
    if published.people > 0 {
        paragraph(
            &format!(
                "(On what is published as it is, {}: {}.)",
                counted(published.columns.len() as u64, "column"),
                grouped(published.people)
            ),
            width,
            text,
        );
    }
}

/// A text in so many columns.
fn shortened(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        if short.width() + 2 > room {
            break;
        }
        short.push(letter);
    }
    short.push('…');
    short
}

fn people(count: u64) -> String {
    match count {
        1 => "1 person".to_owned(),
        _ => format!("{} people", grouped(count)),
    }
}

#[derive(Serialize)]
struct Json<'d> {
    spec: String,
    taxonomies: Vec<&'d str>,
    rows: u64,
    people: u64,
    person: Option<&'d str>,
    missing: Vec<JsonMark>,
    columns: Vec<JsonColumn<'d>>,
    alone: Vec<JsonAlone<'d>>,
    clusters: usize,
    anonymity: usize,
}

#[derive(Serialize)]
struct JsonMark {
    mark: &'static str,
    cells: u64,
}

#[derive(Serialize)]
struct JsonColumn<'d> {
    name: &'d str,
    role: String,
    kind: Option<&'static str>,
    doubts: &'d [String],
}

#[derive(Serialize)]
struct JsonAlone<'d> {
    columns: &'d [String],
    people: u64,
}

/// The same for programs.
pub(crate) fn write_json(draft: &Draft, spec: &Path, out: &mut dyn io::Write) -> io::Result<()> {
    let all = [&draft.alone_on_quasi, &draft.alone_on_published];
    let json = Json {
        spec: spec.display().to_string(),
        taxonomies: draft.taxonomies().map(|(path, _)| path).collect(),
        rows: draft.n_rows,
        people: draft.n_people,
        person: draft.person.as_deref(),
        missing: draft
            .missing
            .iter()
            .map(|&(mark, cells)| JsonMark { mark, cells })
            .collect(),
        columns: draft
            .columns
            .iter()
            .map(|column| JsonColumn {
                name: &column.name,
                role: column.role.to_string(),
                kind: column.kind(),
                doubts: &column.doubts,
            })
            .collect(),
        alone: draft
            .alone
            .iter()
            .chain(all)
            .filter(|alone| !alone.columns.is_empty())
            .map(|set| JsonAlone {
                columns: &set.columns,
                people: set.people,
            })
            .collect(),
        clusters: draft.clusters,
        anonymity: draft.anonymity,
    };
    serde_json::to_writer_pretty(&mut *out, &json)?;
    writeln!(out)
}
