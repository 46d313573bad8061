//! The draft as `pleiad.toml`: plain keys, and above each the reasons.

use std::fmt::Write;

use super::column::{ColumnDraft, DomainDraft, TreeDraft};
use super::{Draft, NamedAlone, TAXONOMY_FOLDER};
use crate::table::{Interval, Unit};
use crate::toml_text::{toml_key, toml_string};
use crate::words::{counted, grouped, percent};

/// Columns of a line.
const WIDTH: usize = 110;

/// The text of the spec.
pub(super) fn spec(draft: &Draft, data_path: &str) -> String {
    let mut text = String::new();
    head(draft, &mut text);
    data(draft, data_path, &mut text);
    columns(draft, &mut text);
    cluster(draft, &mut text);
    protect(draft, &mut text);
    text
}

fn head(draft: &Draft, text: &mut String) {
    let people = match &draft.person {
        Some(_) => format!(" about {}", people(draft.n_people)),
        None => String::new(),
    };
    comment(
        text,
        &format!(
            "Drafted by `pleiad init` from a table of {}{people}, {}. Each guess says why; correct what is wrong, and \
             `pleiad release` it.",
            counted(draft.n_rows, "row"),
            counted(draft.columns.len() as u64, "column"),
        ),
    );
    comment(text, "");
    let holds = if draft.taxonomies().next().is_some() {
        format!(
            "This file and those in `{TAXONOMY_FOLDER}` hold values of your table: they are not public."
        )
    } else {
        "This file holds values of your table: it is not public.".to_owned()
    };
    comment(text, &holds);
    if draft.columns.iter().any(ColumnDraft::is_from_data) {
        comment(
            text,
            "Bounds and values marked `from = \"data\"` were read off the rows, and a release tells them to everybody. \
             Replace them by what is known without looking at the rows, and take the mark away: methods with a privacy \
             guarantee refuse a column that has it.",
        );
    }
    let doubts = draft
        .columns
        .iter()
        .flat_map(|column| column.doubts.iter().map(move |doubt| (&column.name, doubt)));
    let doubts: Vec<String> = doubts
        .map(|(name, doubt)| format!("  `{}`: {doubt}.", visible(name)))
        .collect();
    if !doubts.is_empty() {
        comment(text, "");
        comment(text, "Not understood, and worth a look:");
        for doubt in doubts {
            comment(text, &doubt);
        }
    }
}

fn data(draft: &Draft, data_path: &str, text: &mut String) {
    let _ = writeln!(text, "\n[data]\npath = {}", toml_string(data_path));
    let found: Vec<String> = draft
        .missing
        .iter()
        .map(|(mark, cells)| match *mark {
            "" => format!("empty: {}", counted(*cells, "cell")),
            mark => format!("`{mark}`: {}", counted(*cells, "cell")),
        })
        .collect();
    if found.is_empty() {
        comment(text, "Cells that mean \"no value\": none were found.");
    } else {
        comment(
            text,
            &format!("Cells that mean \"no value\": {}.", found.join(", ")),
        );
    }
    let marks: Vec<String> = draft
        .plan
        .missing
        .iter()
        .map(|mark| toml_string(mark))
        .collect();
    let _ = writeln!(text, "missing = [{}]", marks.join(", "));
    match &draft.person {
        Some(person) => {
            comment(
                text,
                &format!(
                    "The unit of protection: {} in {}.",
                    people(draft.n_people),
                    counted(draft.n_rows, "row")
                ),
            );
            let _ = writeln!(text, "person = {}", toml_string(person));
        }
        None => comment(
            text,
            "No column tells people apart who have several rows, so each row counts as a person. If there is one, say \
             `person = \"its name\"`.",
        ),
    }
}

fn columns(draft: &Draft, text: &mut String) {
    text.push_str("\n[columns]\n");
    for (column, taxonomy) in draft.columns.iter().zip(&draft.taxonomy_names) {
        comment(text, &column.reasons.join(" "));
        column_line(column, taxonomy.as_deref(), text);
    }
}

fn column_line(column: &ColumnDraft, taxonomy: Option<&str>, text: &mut String) {
    let key = toml_key(&column.name);
    let (Some(domain), Some(kind)) = (&column.domain, column.kind()) else {
        let _ = writeln!(text, "{key} = {{ role = \"identifier\" }}\n");
        return;
    };
    let mut keys = vec![
        format!("kind = \"{kind}\""),
        format!("role = \"{}\"", column.role),
    ];
    let mut values: Option<&[String]> = None;
    match domain {
        DomainDraft::Numbers { interval, .. } => keys.extend(bounds(interval)),
        DomainDraft::Values(TreeDraft::List(list)) => values = Some(list),
        DomainDraft::Sets(tree, separator) => {
            keys.push(format!(
                "separator = {}",
                toml_string(&separator.to_string())
            ));
            if let TreeDraft::List(list) = tree {
                values = Some(list);
            }
        }
        DomainDraft::Values(TreeDraft::File(_)) => {}
    }
    keys.extend(taxonomy.map(|file| format!("taxonomy = {}", toml_string(file))));
    if column.may_be_missing {
        keys.push("may_be_missing = true".to_owned());
    }
    if column.is_from_data() {
        keys.push("from = \"data\"".to_owned());
    }
    let Some(values) = values else {
        let _ = writeln!(text, "{key} = {{ {} }}\n", keys.join(", "));
        return;
    };
    let values: Vec<String> = values.iter().map(|value| toml_string(value)).collect();
    let line = format!(
        "{key} = {{ {}, values = [{}] }}",
        keys.join(", "),
        values.join(", ")
    );
    if line.chars().count() <= WIDTH {
        let _ = writeln!(text, "{line}\n");
    } else {
        let _ = writeln!(text, "{key} = {{ {}, values = [", keys.join(", "));
        for line in wrapped(values.iter().map(|value| format!("{value},")), WIDTH - 2) {
            let _ = writeln!(text, "  {line}");
        }
        text.push_str("] }\n\n");
    }
}

fn bounds(interval: &Interval) -> Vec<String> {
    match interval.unit() {
        Unit::Number => {
            let mut keys = vec![format!(
                "bounds = [{}, {}]",
                number(interval.low()),
                number(interval.high())
            )];
            keys.extend(
                interval
                    .given_step()
                    .map(|step| format!("step = {}", number(step))),
            );
            keys
        }
        Unit::Day => {
            let [low, high] = [interval.low(), interval.high()]
                .map(|day| toml_string(&interval.number_text(day)));
            vec![format!("bounds = [{low}, {high}]")]
        }
    }
}

/// A number as TOML has it: whole ones beyond its integers need a sign that they are none.
fn number(number: f64) -> String {
    if number.abs() < 1e15 && number.abs() >= 1e-6 || number == 0.0 {
        format!("{number}")
    } else {
        format!("{number:e}")
    }
}

fn cluster(draft: &Draft, text: &mut String) {
    text.push_str("[cluster]\n");
    comment(
        text,
        "A first guess. `pleiad cluster -k 4`, `-k 6` and so on show what other numbers of clusters look like.",
    );
    let _ = writeln!(
        text,
        "algorithm = \"kmeans\"\nclusters = {}",
        draft.clusters
    );
}

fn protect(draft: &Draft, text: &mut String) {
    text.push_str("\n[protect]\n");
    let of_all = people(draft.n_people);
    comment(
        text,
        &format!(
            "How many of the {of_all} are alone with their exact values, so that whoever knows these finds them:"
        ),
    );
    let width = draft
        .alone
        .iter()
        .map(|alone| listed(alone).chars().count())
        .max();
    let width = width.unwrap_or(0).clamp(26, 70);
    let mut lines = draft.alone.clone();
    lines.push(draft.alone_on_quasi.clone());
    for alone in &lines {
        let is_all = alone.columns.len() == draft.alone_on_quasi.columns.len();
        let columns = match (is_all, alone.columns.len()) {
            (true, 1) | (false, _) => listed(alone),
            (true, many) => format!("all {many} quasi columns"),
        };
        let share = percent(alone.people as f64 / draft.n_people.max(1) as f64);
        let _ = writeln!(
            text,
            "#   {columns:<width$}  {:>9}  {share:>5}",
            grouped(alone.people)
        );
    }
    comment(
        text,
        &format!(
            "The release generalises the quasi columns until at least {} people look alike on all of them together.",
            draft.anonymity
        ),
    );
    let _ = writeln!(text, "method = \"refine\"\nanonymity = {}", draft.anonymity);
    several(draft, text);
    published(draft, text);
}

/// Says how to promise less, where a promise for all quasi columns is dear.
fn several(draft: &Draft, text: &mut String) {
    let most = draft.alone.iter().find(|alone| alone.columns.len() == 3);
    let Some(most) = most.filter(|_| draft.alone_on_quasi.columns.len() > 4) else {
        return;
    };
    text.push('\n');
    comment(
        text,
        "If nobody knows all of these of a person at once, promise it for what may be known together, in place of the \
         line above; each quasi column must be in one of the promises:",
    );
    let columns: Vec<String> = most.columns.iter().map(|name| toml_string(name)).collect();
    let _ = writeln!(text, "# [[protect.anonymity]]");
    let _ = writeln!(text, "# columns = [{}]", columns.join(", "));
    let _ = writeln!(text, "# at_least = {}", draft.anonymity);
}

/// Says what the columns tell that are published as they are.
fn published(draft: &Draft, text: &mut String) {
    let published = &draft.alone_on_published;
    if published.columns.is_empty() || published.people == 0 {
        return;
    }
    text.push('\n');
    comment(
        text,
        &format!(
            "What is published as it is, {}, leaves {} of the {} alone. If others may know such values of somebody, \
             make some of it quasi.",
            counted(published.columns.len() as u64, "column"),
            grouped(published.people),
            people(draft.n_people),
        ),
    );
}

fn listed(alone: &NamedAlone) -> String {
    let names: Vec<String> = alone.columns.iter().map(|name| visible(name)).collect();
    names.join(", ")
}

fn people(count: u64) -> String {
    match count {
        1 => "1 person".to_owned(),
        _ => format!("{} people", grouped(count)),
    }
}

/// File names for the drafted taxonomies: the name of the column as far as every system takes it, each once.
pub(super) fn taxonomy_names(columns: &[ColumnDraft]) -> Vec<Option<String>> {
    let mut taken: Vec<String> = Vec::new();
    let name = |column: &ColumnDraft| {
        column.taxonomy()?;
        let safe = |letter: char| match letter {
            letter if letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-') => {
                letter.to_ascii_lowercase()
            }
            _ => '-',
        };
        let name: String = column.name.chars().map(safe).collect();
        let stem = match name.trim_matches('-') {
            "" => "column",
            stem => stem,
        };
        let mut path = format!("{TAXONOMY_FOLDER}/{stem}.csv");
        let mut number = 2;
        while taken.contains(&path) {
            path = format!("{TAXONOMY_FOLDER}/{stem}-{number}.csv");
            number += 1;
        }
        taken.push(path.clone());
        Some(path)
    };
    columns.iter().map(name).collect()
}

/// A comment in lines of bounded width; what begins with blanks is indented throughout.
fn comment(text: &mut String, words: &str) {
    let words = visible(words);
    let indent = words.len() - words.trim_start().len();
    let lines = wrapped(
        words.split_whitespace().map(str::to_owned),
        WIDTH - 2 - indent,
    );
    for line in &lines {
        let _ = writeln!(text, "{}", format!("# {:indent$}{line}", "").trim_end());
    }
}

/// Words in lines of at most so many letters; a longer word has a line of its own. There is a line even without words.
fn wrapped(words: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words {
        let line = lines.last_mut().expect("there is a line from the start on");
        if line.is_empty() {
            *line = word;
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(&word);
        } else {
            lines.push(word);
        }
    }
    lines
}

/// A name in a comment, which ends where its line ends.
fn visible(name: &str) -> String {
    name.chars()
        .map(|letter| {
            if letter.is_control() {
                '\u{fffd}'
            } else {
                letter
            }
        })
        .collect()
}
