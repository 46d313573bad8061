//! The readable summary: every cluster in the words of its columns.

use std::fmt::Write;

use pleiad::cluster::{ColumnPortrait, Portrait, ValueShare};
use pleiad::spec::{Algorithm, Encoding, Seeding};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{by_distinction, difference};
use crate::clustering::Findings;
use crate::terminal::{FAINT, STRONG, styled, visible};

/// Columns that are shown of each cluster unless all are asked for.
pub(crate) const MOST_COLUMNS: usize = 6;

/// A column that sets a cluster apart by less is not worth a line.
const LEAST_DISTINCTION: f64 = 0.01;

/// A further value whose share differs by less, or is less, is not worth a word.
const LEAST_DIFFERENCE: f64 = 0.02;
const LEAST_SHARE: f64 = 0.1;

/// A share of missing numbers that differs by so much from the whole table's is worth a word.
const MISSING_WORTH_A_WORD: f64 = 0.05;

const INDENT: &str = "  ";
const WIDEST_NAME: usize = 28;
const BAR_WIDTH: f64 = 24.0;

/// The summary in lines of at most `width` columns; says also whether columns were left out.
pub(crate) fn summary(findings: &Findings, width: usize, all_columns: bool) -> (String, bool) {
    let chosen: Vec<Vec<usize>> = findings
        .clusters
        .iter()
        .map(|cluster| choose(cluster, &findings.whole, all_columns))
        .collect();
    let fields = findings.reading.table.fields();
    let name_width = chosen
        .iter()
        .flatten()
        .map(|&column| fields[column].name.width())
        .max()
        .unwrap_or(0)
        .min(WIDEST_NAME)
        .min(width / 3);
    let mut text = header(findings);
    let largest = findings
        .clusters
        .iter()
        .map(|cluster| cluster.share)
        .fold(0.0, f64::max);
    for (number, (cluster, columns)) in findings.clusters.iter().zip(&chosen).enumerate() {
        let is_noise = findings.clustering.noise == Some(number as u32);
        let title = if is_noise {
            "Noise".to_owned()
        } else {
            format!("Cluster {}", number + 1)
        };
        let _ = writeln!(text, "\n{}", cluster_line(&title, cluster, largest));
        for &column in columns {
            let name = cut(&visible(&fields[column].name), name_width);
            let padding = " ".repeat(name_width - name.width());
            let room = width.saturating_sub(INDENT.len() + name_width + 2);
            let words = words(
                &cluster.columns[column],
                &findings.whole.columns[column],
                room,
            );
            let _ = writeln!(text, "{INDENT}{name}{padding}  {words}");
        }
        if columns.is_empty() {
            let _ = writeln!(text, "{INDENT}like the whole table in every column");
        }
    }
    let some_left_out = chosen.iter().any(|columns| columns.len() < fields.len());
    (text, some_left_out)
}

/// The columns to show, the most telling first.
fn choose(cluster: &Portrait, whole: &Portrait, all: bool) -> Vec<usize> {
    let ranked = by_distinction(cluster, whole).into_iter();
    if all {
        return ranked.map(|(column, _)| column).collect();
    }
    ranked
        .take_while(|(_, distinction)| *distinction >= LEAST_DISTINCTION)
        .take(MOST_COLUMNS)
        .map(|(column, _)| column)
        .collect()
}

fn header(findings: &Findings) -> String {
    let settings = &findings.settings;
    let clustering = &findings.clustering;
    let algorithm = settings.algorithm.in_words();
    let encoding = match settings.encoding {
        Encoding::Semantic => "",
        Encoding::OneHot => ", one-hot encoding",
    };
    let n_rows = findings.whole.n_rows;
    let n_columns = findings.reading.table.fields().len() as u64;
    let columns = match findings.left_out.len() as u64 {
        0 => counted(n_columns, "column"),
        left_out => {
            let of = counted(n_columns + left_out, "column");
            format!("{} of {of}", grouped(n_columns))
        }
    };
    let n_clusters = clustering.n_clusters - usize::from(clustering.noise.is_some());
    let noise = match clustering.noise {
        Some(_) => " and noise",
        None => "",
    };
    let size = format!(
        "{}, {columns}, {}{noise} by {algorithm}{encoding}",
        counted(n_rows, "row"),
        counted(n_clusters as u64, "cluster"),
    );
    let mut course = Vec::new();
    if let Some(cost) = clustering.cost {
        course.push(format!(
            "cost {} ({} a row)",
            amount(cost, 4),
            amount(cost / n_rows as f64, 3)
        ));
    }
    let restarts = settings.restarts as u64;
    let rounds = clustering.rounds as u64;
    match settings.algorithm {
        Algorithm::KMeans | Algorithm::KPrototypes => {
            if let Some(gamma) = clustering.gamma {
                course.push(format!(
                    "γ {}{}",
                    amount(gamma, 3),
                    chosen(settings.tuning.gamma)
                ));
            }
            course.push(match settings.tuning.seeding {
                Seeding::Canopy => "started by canopy".to_owned(),
                Seeding::PlusPlus if restarts == 1 => "1 start".to_owned(),
                Seeding::PlusPlus => format!("best of {} restarts", grouped(restarts)),
            });
            course.push(counted(rounds, "round"));
            course.push(
                if clustering.converged {
                    "converged"
                } else {
                    "not converged"
                }
                .to_owned(),
            );
        }
        Algorithm::Bisecting => {
            course.push(format!(
                "{}, each the best of {}",
                counted(rounds, "cut"),
                grouped(restarts)
            ));
        }
        Algorithm::Dbscan => {
            if let (Some(radius), Some(neighbours)) = (clustering.radius, findings.neighbours()) {
                course.push(format!(
                    "radius {}{}",
                    amount(radius, 3),
                    chosen(settings.tuning.radius)
                ));
                course.push(counted(u64::from(neighbours), "neighbour"));
            }
        }
    }
    format!("{}\n{}\n", styled(STRONG, &size), course.join(", "))
}

/// Says whether the program chose what nobody said.
fn chosen(said: Option<f64>) -> &'static str {
    match said {
        Some(_) => "",
        None => " (chosen)",
    }
}

fn cluster_line(title: &str, cluster: &Portrait, largest: f64) -> String {
    let title = styled(STRONG, title);
    let rows = counted(cluster.n_rows, "row");
    let length = if largest > 0.0 {
        (cluster.share / largest * BAR_WIDTH).ceil() as usize
    } else {
        0
    };
    let bar = styled(FAINT, &"▬".repeat(length));
    format!("{title}  {rows}, {:.1} %  {bar}", cluster.share * 100.0)
}

/// A column of a cluster in at most `room` columns, as long as the first value fits.
fn words(of_cluster: &ColumnPortrait, of_whole: &ColumnPortrait, room: usize) -> String {
    match (of_cluster, of_whole) {
        (
            ColumnPortrait::Mean {
                mean,
                text,
                missing,
                ..
            },
            ColumnPortrait::Mean {
                text: overall,
                missing: missing_overall,
                ..
            },
        ) => {
            let mut words = match mean {
                Some(_) => format!(
                    "{text} {}",
                    styled(FAINT, &format!("(mean; all {overall})"))
                ),
                None => "missing".to_owned(),
            };
            if mean.is_none() || (missing - missing_overall).abs() >= MISSING_WORTH_A_WORD {
                let shares = format!(
                    "missing {} {}",
                    percent(*missing),
                    faint_all(&percent(*missing_overall))
                );
                words = if mean.is_some() {
                    format!("{words}, {shares}")
                } else {
                    shares
                };
            }
            words
        }
        (ColumnPortrait::Mean { text, .. }, _) => text.clone(),
        (ColumnPortrait::Most(values), _) => {
            let written = telling(values).into_iter().map(|value| {
                let shares = format!(
                    " {} (all {})",
                    percent(value.share),
                    percent(value.share_overall)
                );
                let name = cut(&visible(&value.value), room.saturating_sub(shares.width()));
                let plain_width = name.width() + shares.width();
                let words = format!(
                    "{name} {} {}",
                    percent(value.share),
                    faint_all(&percent(value.share_overall))
                );
                (words, plain_width)
            });
            fitting(written, room)
        }
        (ColumnPortrait::Typical(items), _) => set_words(&values_by_difference(items), room),
    }
}

/// As many of the phrases as fit, at least the first.
fn fitting(phrases: impl Iterator<Item = (String, usize)>, room: usize) -> String {
    let mut line = String::new();
    let mut used = 0;
    for (phrase, width) in phrases {
        if !line.is_empty() {
            if used + 2 + width > room {
                break;
            }
            line.push_str(", ");
            used += 2;
        }
        line.push_str(&phrase);
        used += width;
    }
    line
}

/// `{I50 61 %, I10 40 %} (all 12 %, 31 %)` with as many items as fit, at least one.
fn set_words(items: &[&ValueShare], room: usize) -> String {
    let write = |items: &[&ValueShare]| {
        let own: Vec<String> = items
            .iter()
            .map(|item| format!("{} {}", visible(&item.value), percent(item.share)))
            .collect();
        let overall: Vec<String> = items
            .iter()
            .map(|item| percent(item.share_overall))
            .collect();
        (format!("{{{}}}", own.join(", ")), overall.join(", "))
    };
    let fits = |n_items: &usize| {
        let (own, overall) = write(&items[..*n_items]);
        own.width() + overall.width() + " (all )".len() <= room
    };
    let n_items = (1..=items.len())
        .rev()
        .find(fits)
        .unwrap_or(items.len().min(1));
    let (own, overall) = write(&items[..n_items]);
    format!("{own} {}", faint_all(&overall))
}

/// The largest difference first; of two values that make up a column, which differ alike, the more frequent one.
fn values_by_difference(values: &[ValueShare]) -> Vec<&ValueShare> {
    let coarse = |value: &ValueShare| (difference(value) * 1e9).round();
    let mut sorted: Vec<&ValueShare> = values.iter().collect();
    sorted.sort_by(|a, b| {
        coarse(b)
            .total_cmp(&coarse(a))
            .then(b.share.total_cmp(&a.share))
    });
    sorted
}

/// The values that say something new: the most telling one, and further ones unless they are rare, differ little from
/// the whole table or follow from the first.
fn telling(values: &[ValueShare]) -> Vec<&ValueShare> {
    let sum = |share: fn(&ValueShare) -> f64| values.iter().map(share).sum::<f64>();
    let are_all = sum(|value| value.share).min(sum(|value| value.share_overall)) > 1.0 - 1e-9;
    let mut sorted = values_by_difference(values);
    if are_all && values.len() == 2 {
        sorted.truncate(1);
    }
    let mut is_first = true;
    sorted.retain(|value| {
        let is_telling = difference(value) >= LEAST_DIFFERENCE && value.share >= LEAST_SHARE;
        std::mem::take(&mut is_first) || is_telling
    });
    sorted
}

fn faint_all(overall: &str) -> String {
    styled(FAINT, &format!("(all {overall})"))
}

/// A share as people write it; what is not nothing is not written as nothing.
pub(crate) fn percent(share: f64) -> String {
    let rounded = (share * 100.0).round();
    if share > 0.0 && rounded == 0.0 {
        "<1 %".to_owned()
    } else if share < 1.0 && rounded == 100.0 {
        ">99 %".to_owned()
    } else {
        format!("{rounded} %")
    }
}

/// A count and its noun.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// A count with its thousands set apart.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A positive amount with so many significant digits, whole from a thousand on.
pub(super) fn amount(value: f64, digits: i32) -> String {
    if value >= 999.95 {
        return grouped(value.round() as u64);
    }
    let digits_before = if value < 1e-9 {
        1
    } else {
        value.log10().floor() as i32 + 1
    };
    let decimals = (digits - digits_before).clamp(0, 9) as usize;
    format!("{value:.decimals$}")
}

/// The text, or its beginning and an ellipsis if it is wider.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 1;
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used > width {
            break;
        }
        kept.push(letter);
    }
    kept + "…"
}
