//! A portrait of each cluster, in words and small bars, before and after.

use pleiad::cluster::{ColumnPortrait, Portrait, ValueShare};

use crate::clusters::Clusters;
use crate::palette::{cluster_colour, cluster_path};
use crate::telling::{by_distinction, telling, values_by_difference};
use crate::words::{cut, grouped, percent};

/// Clusters with a portrait, at most.
pub(crate) const MOST_PORTRAITS: usize = 24;

/// Columns of a portrait, at most; and values of a column.
const MOST_COLUMNS: usize = 5;
const MOST_VALUES: usize = 2;

/// A column that sets a cluster apart by less is not worth a line.
const LEAST_DISTINCTION: f64 = 0.02;

const LONGEST_NAME: usize = 40;
const LONGEST_VALUE: usize = 60;

/// A cluster as the page shows it.
pub(crate) struct Card {
    pub(crate) mark: Mark,
    /// Before and after.
    pub(crate) halves: [Half; 2],
    pub(crate) sentence: String,
}

/// The colour, shape and number by which a cluster is known.
pub(crate) struct Mark {
    pub(crate) index: usize,
    pub(crate) number: usize,
    pub(crate) colour: String,
    pub(crate) path: &'static str,
    pub(crate) rows: String,
}

impl Mark {
    pub(crate) fn of(cluster: usize, rows: u64) -> Self {
        Self {
            index: cluster,
            number: cluster + 1,
            colour: cluster_colour(cluster),
            path: cluster_path(cluster),
            rows: grouped(rows),
        }
    }
}

/// A cluster before or after.
pub(crate) struct Half {
    pub(crate) title: &'static str,
    pub(crate) rows: String,
    pub(crate) share: String,
    pub(crate) traits: Vec<Trait>,
}

/// What is special along one column.
pub(crate) struct Trait {
    pub(crate) column: String,
    pub(crate) values: Vec<Bar>,
}

/// A value with a bar: a share with that of the whole table beside it, or how far a mean lies from that of the whole.
pub(crate) struct Bar {
    /// The same in a sentence.
    phrase: String,
    pub(crate) text: String,
    pub(crate) own: String,
    pub(crate) all: String,
    /// Where the bar begins and how long it is, in percents; where the whole table stands.
    pub(crate) from: f64,
    pub(crate) length: f64,
    pub(crate) all_at: f64,
}

/// The clusters that are shown; how many are not.
pub(crate) fn cards(clusters: &Clusters) -> (Vec<Card>, usize) {
    let n_clusters = clusters.before.len();
    let shown = n_clusters.min(MOST_PORTRAITS);
    let cards = (0..shown)
        .map(|cluster| {
            let sides = [&clusters.before, &clusters.after];
            let halves = [0, 1].map(|side| {
                half(
                    ["Before", "After"][side],
                    &sides[side][cluster],
                    &clusters.whole[side],
                    &clusters.columns,
                )
            });
            Card {
                mark: Mark::of(cluster, clusters.sizes[cluster][0]),
                sentence: sentence(&halves[0]),
                halves,
            }
        })
        .collect();
    (cards, n_clusters - shown)
}

fn half(title: &'static str, cluster: &Portrait, whole: &Portrait, columns: &[String]) -> Half {
    let traits = by_distinction(cluster, whole)
        .into_iter()
        .take(MOST_COLUMNS)
        .filter(|&(_, distinction)| distinction >= LEAST_DISTINCTION)
        .map(|(column, _)| Trait {
            column: cut(&columns[column], LONGEST_NAME),
            values: bars(&cluster.columns[column], &whole.columns[column]),
        })
        .collect();
    Half {
        title,
        rows: grouped(cluster.n_rows),
        share: percent(cluster.share),
        traits,
    }
}

/// The most telling traits as one sentence.
fn sentence(half: &Half) -> String {
    let told: Vec<String> = half
        .traits
        .iter()
        .take(3)
        .filter_map(|told| {
            let bar = told.values.first()?;
            Some(format!("{} {}", told.column, bar.phrase))
        })
        .collect();
    if told.is_empty() {
        "Nothing sets it apart from the whole table.".to_owned()
    } else {
        format!("{}.", told.join("; "))
    }
}

fn bars(cluster: &ColumnPortrait, whole: &ColumnPortrait) -> Vec<Bar> {
    match (cluster, whole) {
        (
            ColumnPortrait::Mean {
                text,
                shift,
                missing,
                ..
            },
            ColumnPortrait::Mean {
                text: all,
                missing: missing_overall,
                ..
            },
        ) => {
            if (missing - missing_overall).abs() > shift.abs() {
                return vec![share_bar("missing", *missing, *missing_overall)];
            }
            vec![shift_bar(text, all, *shift)]
        }
        (ColumnPortrait::Most(values), _) => share_bars(telling(values)),
        (ColumnPortrait::Typical(values), _) => share_bars(values_by_difference(values)),
        (ColumnPortrait::Mean { .. }, _) => Vec::new(),
    }
}

fn share_bars(values: Vec<&ValueShare>) -> Vec<Bar> {
    let shown = values.into_iter().take(MOST_VALUES);
    shown
        .map(|value| share_bar(&value.value, value.share, value.share_overall))
        .collect()
}

fn share_bar(value: &str, share: f64, overall: f64) -> Bar {
    let text = cut(value, LONGEST_VALUE);
    let (own, all) = (percent(share), percent(overall));
    Bar {
        phrase: format!("{text} in {own} ({all} of all rows)"),
        text,
        own,
        all,
        from: 0.0,
        length: in_percent(share),
        all_at: in_percent(overall),
    }
}

/// The whole table's mean is in the middle; a shift by half the range reaches the end.
fn shift_bar(mean: &str, overall: &str, shift: f64) -> Bar {
    let half = shift.clamp(-0.5, 0.5);
    Bar {
        phrase: format!("{mean} on average ({overall} in all rows)"),
        text: if shift < 0.0 { "lower" } else { "higher" }.to_owned(),
        own: format!("mean {mean}"),
        all: overall.to_owned(),
        from: in_percent(0.5 + half.min(0.0)),
        length: in_percent(half.abs()),
        all_at: 50.0,
    }
}

/// Percents to one digit: nobody sees more, and snapshots stay stable.
fn in_percent(share: f64) -> f64 {
    (share * 1000.0).round() / 10.0
}
