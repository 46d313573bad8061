//! A private release by mosaic, from coded rows to cells and synthetic rows, on tables whose rows are written again and
//! again.

use anyhow::Result;

use super::{best_of, cpu, own, peak, say};

const ROWS: [usize; 3] = [200_000, 500_000, 1_000_000];

/// Releases heterogeneous Adult and sets of ICD-9 codes.
pub(super) fn run(repeat: usize) -> Result<()> {
    say("mosaic, ε = 1, one thread: asking the table, then cells and as many synthetic rows")?;
    say("table             rows  CPU s  of which asking  µs a row  peak MB")?;
    for (table, most_seconds) in [("adult-set", 5), ("diabetes", 20)] {
        for rows in ROWS {
            let report = best_of(repeat, own(&[&"mosaic", &table, &rows.to_string()])?)?;
            say(&format!(
                "{table:9}  {rows:11}  {:5.2}  {:15.2}  {:8.2}  {:7.0}",
                cpu(&report),
                report["measure_cpu_seconds"].as_f64().unwrap_or(f64::NAN),
                cpu(&report) / rows as f64 * 1e6,
                peak(&report),
            ))?;
        }
        say(&format!("(at most {most_seconds} CPU s for the largest)"))?;
    }
    say("")
}
