//! From CSV bytes to coded columns.

use anyhow::Result;
use serde_json::Value;

use super::{best_of, cpu, own, peak, peers, say, tables};

/// Reads a mixed table of about 100 MB.
pub(super) fn run(repeat: usize) -> Result<()> {
    let table = tables::mixed(22)?;
    let categorical = table.categorical.join(",");
    let theirs = |package: &str| {
        best_of(
            repeat,
            peers::script("read_csv.py", &[&package, &table.csv, &categorical])?,
        )
    };
    let ours = best_of(repeat, own(&[&"read", &table.spec])?)?;
    let (pandas, polars) = (theirs("pandas")?, theirs("polars")?);
    say(&format!("CSV to coded columns, {}, one thread", table.name))?;
    for (name, report) in [("pandas", &pandas), ("polars", &polars), ("pleiad", &ours)] {
        say(&format!(
            "  {name}  {:8.3} CPU s  {:6.0} MB/s  {:6.0} MB peak",
            cpu(report),
            megabytes(&ours) / cpu(report),
            peak(report)
        ))?;
    }
    say(&format!(
        "  pleiad reads {:.0} MB/s (at least 100), {:.1} times pandas, {:.1} times polars\n",
        megabytes(&ours) / cpu(&ours),
        cpu(&pandas) / cpu(&ours),
        cpu(&polars) / cpu(&ours)
    ))
}

fn megabytes(report: &Value) -> f64 {
    report["bytes"].as_f64().unwrap_or(f64::NAN) / 1e6
}
