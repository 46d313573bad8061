//! Time and memory as tables grow.

use anyhow::Result;

use super::{best_of, cpu, own, peak, say, tables};

/// Reads and clusters generated tables, each about three times as long as the one before.
pub(super) fn run(most_rows: u64) -> Result<()> {
    say(
        "reading and k-means (6 clusters, one restart of 10 rounds), generated hospital, one thread",
    )?;
    say("        rows  reading CPU s  clustering CPU s  µs a row  peak MB  bytes a row")?;
    for n_rows in [100_000, 300_000, 1_000_000, 3_000_000, 10_000_000] {
        if n_rows > most_rows {
            break;
        }
        let (_, spec) = tables::hospital(n_rows)?;
        let report = best_of(1, own(&[&"read-and-cluster", &spec, &"10"])?)?;
        let reading = report["read_cpu_seconds"].as_f64().unwrap_or(f64::NAN);
        let total = reading + cpu(&report);
        say(&format!(
            "{n_rows:12}  {reading:13.2}  {:16.2}  {:8.2}  {:7.0}  {:11.0}",
            cpu(&report),
            total / n_rows as f64 * 1e6,
            peak(&report),
            peak(&report) * 1_048_576.0 / n_rows as f64,
        ))?;
    }
    say("")
}
