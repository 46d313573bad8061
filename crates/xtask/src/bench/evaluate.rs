//! Judging a masked table of a million rows beside clustering the raw one once.

use anyhow::Result;

use super::{best_of, folder, own, peak, say, tables};

const ROWS: u64 = 1_000_000;

/// Evaluates the generated hospital, masked and written in the order of its rows.
pub(super) fn run(repeat: usize) -> Result<()> {
    let (_, spec) = tables::hospital(ROWS)?;
    let masked = folder()?.join("hospital-masked.csv");
    say(&format!(
        "evaluation of {ROWS} rows of the generated hospital, one thread, from files; the settings of its spec"
    ))?;
    let report = best_of(repeat, own(&[&"evaluate", &spec, &masked])?)?;
    let seconds = |key: &str| report[key].as_f64().unwrap_or(f64::NAN);
    say("                                 CPU s  wall s")?;
    for (name, key) in [
        ("reading the raw table", "read"),
        ("clustering it once", "cluster"),
        ("evaluation as a whole", "evaluate"),
        ("of which loss and risk", "loss_and_risk"),
    ] {
        say(&format!(
            "  {name:30} {:6.1}  {:6.1}",
            seconds(&format!("{key}_cpu_seconds")),
            seconds(&format!("{key}_wall_seconds"))
        ))?;
    }
    say(&format!(
        "evaluation takes {:.2} times the CPU time of reading and clustering, {:.2} times that of clustering (at most 2); \
         peak {:.0} MB\n",
        seconds("evaluate_cpu_seconds")
            / (seconds("read_cpu_seconds") + seconds("cluster_cpu_seconds")),
        seconds("evaluate_cpu_seconds") / seconds("cluster_cpu_seconds"),
        peak(&report)
    ))
}
