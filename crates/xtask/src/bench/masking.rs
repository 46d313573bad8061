//! Top-down refinement alone, without reading, clustering or writing, on tables built as the paper does.

use anyhow::Result;

use super::{best_of, cpu, folder, own, peak, peers, say, tables};

/// Sizes in copies of Adult: about 200,000 to 1 million rows.
const COPIES: [usize; 5] = [5, 9, 13, 18, 22];

/// Masks Adult and its expansions, and lets pandas group the largest one once.
pub(super) fn run(repeat: usize) -> Result<()> {
    let table = tables::mixed(1)?;
    say(&format!(
        "masking: {}, one thread, at least 50 alike on all columns",
        table.name
    ))?;
    say("        rows  CPU s  µs a row  peak MB  refinements")?;
    let csv = folder()?.join("expanded.csv");
    let mut largest = None;
    for copies in std::iter::once(1).chain(COPIES) {
        let copies_text = copies.to_string();
        let report = best_of(
            repeat,
            own(&[&"mask", &table.spec, &copies_text, &"50", &csv])?,
        )?;
        let rows = report["rows"].as_f64().unwrap_or(f64::NAN);
        say(&format!(
            "{rows:12}  {:5.2}  {:8.2}  {:7.0}  {:11}",
            cpu(&report),
            cpu(&report) / rows * 1e6,
            peak(&report),
            report["refinements"]
        ))?;
        largest = Some(report);
    }
    let several = best_of(
        1,
        own(&[&"mask-several", &table.spec, &"22", &"50", &"30"])?,
    )?;
    say(&format!(
        "30 random requirements of 3 to 7 quasi-identifiers, {} rows: {:.2} CPU s each on average",
        several["rows"],
        cpu(&several) / 30.0
    ))?;
    for at_least in ["5", "20", "50", "100"] {
        let report = best_of(repeat, own(&[&"mask", &table.spec, &"1", &at_least, &csv])?)?;
        say(&format!(
            "Adult itself, at least {at_least}: {:.0} ms",
            cpu(&report) * 1e3
        ))?;
    }
    if let Some(ours) = largest {
        // The last run left Adult itself in the file: the largest table again.
        best_of(1, own(&[&"mask", &table.spec, &"22", &"50", &csv])?)?;
        let theirs = best_of(repeat, peers::script("group_by.py", &[&csv])?)?;
        say(&format!(
            "one group-by of pandas over the same columns: {:.2} CPU s; masking takes {:.1} times as long (at most 2 CPU s and 500 MB)\n",
            cpu(&theirs),
            cpu(&ours) / cpu(&theirs)
        ))?;
    }
    Ok(())
}
