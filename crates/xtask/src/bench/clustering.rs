//! k-means beside scikit-learn's, from the same starting centres, for the same number of rounds.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use serde_json::json;

use super::random::Words;
use super::{best_of, cpu, folder, own, peak, peers, say, tables};

/// A million rows of ten numbers around ten centres.
pub(super) fn numeric(repeat: usize) -> Result<()> {
    const ROWS: usize = 1_000_000;
    const COLUMNS: usize = 10;
    const CLUSTERS: usize = 10;
    const ROUNDS: usize = 20;
    let folder = folder()?;
    let (points, start) = (folder.join("points.f64"), folder.join("start.f64"));
    let mut words = Words::new(1);
    let centres: Vec<f64> = (0..CLUSTERS * COLUMNS).map(|_| words.unit()).collect();
    let mut rows = Vec::with_capacity(ROWS * COLUMNS);
    for _ in 0..ROWS {
        let centre = words.below(CLUSTERS);
        for column in 0..COLUMNS {
            let bell: f64 = (0..4).map(|_| words.unit()).sum::<f64>() - 2.0;
            rows.push((centres[centre * COLUMNS + column] + 0.4 * bell).clamp(0.0, 1.0));
        }
    }
    write_numbers(&points, &rows)?;
    write_numbers(&start, &rows[..CLUSTERS * COLUMNS])?;
    drop(rows);
    let text = |number: usize| number.to_string();
    let (n, d, k, rounds) = (text(ROWS), text(COLUMNS), text(CLUSTERS), text(ROUNDS));
    let theirs = best_of(
        repeat,
        peers::script("kmeans.py", &[&points, &start, &n, &d, &k, &rounds])?,
    )?;
    let ours = best_of(repeat, own(&[&"k-means", &points, &start, &d, &rounds])?)?;
    say(&format!(
        "k-means, {ROWS} rows × {COLUMNS} numbers, {CLUSTERS} clusters, {ROUNDS} rounds, one thread"
    ))?;
    say(&format!(
        "  scikit-learn  {:8.3} CPU s  {:6.0} MB  cost {}",
        cpu(&theirs),
        peak(&theirs),
        theirs["cost"]
    ))?;
    say(&format!(
        "  pleiad        {:8.3} CPU s  {:6.0} MB  cost {}",
        cpu(&ours),
        peak(&ours),
        ours["cost"]
    ))?;
    say(&format!(
        "  ratio         {:8.3} (at most 1, aim for 0.5)\n",
        cpu(&ours) / cpu(&theirs)
    ))
}

fn write_numbers(path: &Path, numbers: &[f64]) -> Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    for number in numbers {
        out.write_all(&number.to_le_bytes())?;
    }
    Ok(out.flush()?)
}

/// The Adult table with its categories, beside scikit-learn on the one-hot table.
pub(super) fn mixed(repeat: usize) -> Result<()> {
    const CLUSTERS: usize = 6;
    const RESTARTS: usize = 10;
    const ROUNDS: &str = "30";
    let table = tables::mixed(1)?;
    let folder = folder()?;
    let mut words = Words::new(2);
    let starts: Vec<Vec<usize>> = (0..RESTARTS)
        .map(|_| (0..CLUSTERS).map(|_| words.below(table.n_rows)).collect())
        .collect();
    let starts_path = folder.join("starts.json");
    std::fs::write(&starts_path, json!(starts).to_string())?;
    let numeric: serde_json::Map<String, serde_json::Value> = table
        .numeric
        .iter()
        .map(|(name, low, high)| (name.clone(), json!([low, high])))
        .collect();
    let peer_spec = folder.join("one-hot.json");
    let spec = json!({ "numeric": numeric, "categorical": table.categorical, "starts": starts });
    std::fs::write(&peer_spec, spec.to_string())?;
    let clusters = CLUSTERS.to_string();
    let theirs = best_of(
        repeat,
        peers::script(
            "kmeans_one_hot.py",
            &[&table.csv, &peer_spec, &clusters, &ROUNDS],
        )?,
    )?;
    let ours = |encoding: &str| {
        best_of(
            repeat,
            own(&[&"starts", &table.spec, &starts_path, &ROUNDS, &encoding])?,
        )
    };
    let (one_hot, semantic) = (ours("one-hot")?, ours("semantic")?);
    say(&format!(
        "k-means, {}, {CLUSTERS} clusters, {RESTARTS} restarts of at most {ROUNDS} rounds, one thread",
        table.name
    ))?;
    say(&format!(
        "  scikit-learn, one-hot {:8.3} CPU s  {:6.0} MB  costs {}",
        cpu(&theirs),
        peak(&theirs),
        costs(&theirs)
    ))?;
    say(&format!(
        "  pleiad, one-hot       {:8.3} CPU s  {:6.0} MB  costs {}",
        cpu(&one_hot),
        peak(&one_hot),
        costs(&one_hot)
    ))?;
    say(&format!(
        "  pleiad, semantic      {:8.3} CPU s  {:6.0} MB",
        cpu(&semantic),
        peak(&semantic)
    ))?;
    say(&format!(
        "  times less CPU        {:8.1} one-hot, {:.1} semantic (at least 5)\n",
        cpu(&theirs) / cpu(&one_hot),
        cpu(&theirs) / cpu(&semantic)
    ))
}

/// The first costs of a report, to see that both did the same work.
fn costs(report: &serde_json::Value) -> String {
    let costs = report["costs"].as_array().map_or(&[][..], Vec::as_slice);
    let shown: Vec<String> = costs
        .iter()
        .take(3)
        .filter_map(serde_json::Value::as_f64)
        .map(|cost| format!("{cost:.3}"))
        .collect();
    format!("{}, …", shown.join(", "))
}
