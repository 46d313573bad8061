//! k-prototypes beside the Python package kmodes, from the same rows, with the same weight of a category.

use anyhow::Result;
use serde_json::json;

use super::random::Words;
use super::{best_of, cpu, folder, own, peak, peers, say, tables};

const CLUSTERS: usize = 6;
const ROUNDS: &str = "100";

/// One fit of Adult; the peer, which takes minutes, is measured once.
pub(super) fn run(repeat: usize) -> Result<()> {
    let table = tables::mixed(1)?;
    let folder = folder()?;
    let mut words = Words::new(5);
    let start: Vec<usize> = (0..CLUSTERS).map(|_| words.below(table.n_rows)).collect();
    let start_path = folder.join("prototypes.json");
    std::fs::write(&start_path, json!(start).to_string())?;
    let numeric: serde_json::Map<String, serde_json::Value> = table
        .numeric
        .iter()
        .map(|(name, low, high)| (name.clone(), json!([low, high])))
        .collect();
    let peer_spec = folder.join("prototypes-peer.json");
    let spec = json!({ "numeric": numeric, "categorical": table.categorical, "start": start });
    std::fs::write(&peer_spec, spec.to_string())?;
    let ours = best_of(
        repeat,
        own(&[&"k-prototypes", &table.spec, &start_path, &ROUNDS])?,
    )?;
    let theirs = best_of(
        1,
        peers::script("kprototypes.py", &[&table.csv, &peer_spec, &ROUNDS])?,
    )?;
    say(&format!(
        "k-prototypes, {}, {CLUSTERS} clusters from the same rows, at most {ROUNDS} rounds, one thread",
        table.name
    ))?;
    for (name, report) in [("kmodes", &theirs), ("pleiad", &ours)] {
        say(&format!(
            "  {name}  {:8.3} CPU s  {:6.0} MB  cost {:.3}  γ {:.6}  {} rounds",
            cpu(report),
            peak(report),
            report["cost"].as_f64().unwrap_or(f64::NAN),
            report["gamma"].as_f64().unwrap_or(f64::NAN),
            report["rounds"],
        ))?;
    }
    say(&format!(
        "  times less CPU {:8.0} (at least 100)\n",
        cpu(&theirs) / cpu(&ours)
    ))
}
