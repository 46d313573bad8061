//! Numbers of clusters that were tried, and the one that is proposed.

use std::fmt::Write as _;

use pleiad::cluster::{Suggestion, Tried};
use pleiad::spec::{Algorithm, Encoding};
use serde::Serialize;

use super::text::{amount, counted, grouped};
use crate::clustering::Trial;
use crate::failure::Outcome;
use crate::terminal::{self, FAINT, STRONG, Terminal, styled};

/// Raised when a key changes its meaning or goes.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Document {
    format: u32,
    pleiad: &'static str,
    data: String,
    rows: u64,
    algorithm: Algorithm,
    encoding: Encoding,
    suggested: usize,
    canopy: Option<usize>,
    elbow: Option<usize>,
    different_rows: usize,
    silhouette_rows: usize,
    tried: Vec<TriedJson>,
}

#[derive(Serialize)]
struct TriedJson {
    clusters: usize,
    cost: f64,
    silhouette: f64,
}

/// Prints the table, or the document for programs.
pub(crate) fn print(trial: &Trial, as_json: bool, terminal: &Terminal) -> Outcome<()> {
    if as_json {
        return terminal::print(|out| {
            serde_json::to_writer_pretty(&mut *out, &document(trial))?;
            writeln!(out)
        });
    }
    terminal::print(|out| out.write_all(table(trial).as_bytes()))?;
    let suggestion = &trial.suggestion;
    if suggestion.rows_judged < suggestion.rows_different {
        terminal.say(&format!(
            "Silhouettes are of a sample of {} of {} different rows.",
            grouped(suggestion.rows_judged as u64),
            grouped(suggestion.rows_different as u64)
        ));
    }
    Ok(())
}

fn document(trial: &Trial) -> Document {
    let suggestion = &trial.suggestion;
    Document {
        format: FORMAT,
        pleiad: env!("CARGO_PKG_VERSION"),
        data: trial.data.display().to_string(),
        rows: trial.n_rows,
        algorithm: trial.settings.algorithm,
        encoding: trial.settings.encoding,
        suggested: suggestion.suggested,
        canopy: suggestion.canopy,
        elbow: suggestion.elbow,
        different_rows: suggestion.rows_different,
        silhouette_rows: suggestion.rows_judged,
        tried: suggestion
            .tried
            .iter()
            .map(|tried| TriedJson {
                clusters: tried.n_clusters,
                cost: tried.cost,
                silhouette: tried.silhouette,
            })
            .collect(),
    }
}

/// One line for each number that was tried.
fn table(trial: &Trial) -> String {
    let suggestion = &trial.suggestion;
    let title = format!(
        "{}, clusters by {}",
        counted(trial.n_rows, "row"),
        trial.settings.algorithm.in_words()
    );
    let mut text = format!("{}\n\n", styled(STRONG, &title));
    let _ = writeln!(text, "clusters        cost  silhouette");
    for tried in &suggestion.tried {
        let _ = writeln!(
            text,
            "{:8}  {:>10}  {:10.3}{}",
            tried.n_clusters,
            amount(tried.cost, 4),
            tried.silhouette,
            remarks(suggestion, *tried)
        );
    }
    let beyond = suggestion.canopy.filter(|canopy| {
        let mut tried = suggestion.tried.iter();
        !tried.any(|tried| tried.n_clusters == *canopy)
    });
    if let Some(canopy) = beyond {
        let _ = writeln!(
            text,
            "\nA canopy over the rows shows {canopy}, which was not tried."
        );
    }
    let _ = writeln!(
        text,
        "\nSuggested: {}, where rows are nearest to their own cluster and farthest from the next.",
        styled(STRONG, &counted(suggestion.suggested as u64, "cluster"))
    );
    let last = suggestion.tried.last().map(|tried| tried.n_clusters);
    if last == Some(suggestion.suggested) {
        text.push_str("It is the last number tried: more may be better.\n");
    }
    text
}

/// What speaks for a number.
fn remarks(suggestion: &Suggestion, tried: Tried) -> String {
    let is_here = |number: Option<usize>| number == Some(tried.n_clusters);
    let mut remarks = Vec::new();
    if suggestion.suggested == tried.n_clusters {
        remarks.push("suggested");
    }
    if is_here(suggestion.elbow) {
        remarks.push("elbow of the cost");
    }
    if is_here(suggestion.canopy) {
        remarks.push("canopy");
    }
    if remarks.is_empty() {
        return String::new();
    }
    format!("  {}", styled(FAINT, &format!("← {}", remarks.join(", "))))
}
