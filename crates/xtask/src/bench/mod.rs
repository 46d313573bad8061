//! Speed and memory beside named peers, in one run, as ratios.
//!
//! Every measured piece of work is a process of its own, ours and theirs, on one thread; what is compared is CPU time.
//! Times change from machine to machine and from minute to minute, ratios of the same run much less.

pub(crate) mod child;
mod clustering;
mod evaluate;
mod kprototypes;
mod masking;
mod mosaic;
mod peers;
pub(crate) mod random;
mod reading;
mod scaling;
pub(crate) mod tables;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde_json::Value;

use crate::workspace;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Which benchmarks to run; all if none is named.
    #[arg(value_enum)]
    which: Vec<Benchmark>,
    /// Repetitions of each measurement, of which the least is taken.
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Most rows of the scaling benchmark.
    #[arg(long, default_value_t = 10_000_000)]
    most_rows: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Benchmark {
    /// k-means on a million rows of ten numbers, beside scikit-learn.
    Numeric,
    /// k-means on the Adult table, beside scikit-learn on its one-hot table.
    Mixed,
    /// k-prototypes on the Adult table, beside kmodes.
    Kprototypes,
    /// Reading and clustering 100,000 to 10 million rows.
    Scaling,
    /// From CSV bytes to coded columns, beside pandas and polars.
    Reading,
    /// Top-down refinement of up to a million rows, beside one group-by of pandas.
    Masking,
    /// Judging a masked table of a million rows, beside clustering the raw one once.
    Evaluate,
    /// A private release by mosaic of 200,000 to a million rows.
    Mosaic,
}

/// Runs benchmarks and prints what they took.
pub(crate) fn run(options: &Options) -> Result<()> {
    if cfg!(debug_assertions) {
        return again_in_release();
    }
    let all = [
        Benchmark::Numeric,
        Benchmark::Mixed,
        Benchmark::Kprototypes,
        Benchmark::Scaling,
        Benchmark::Reading,
        Benchmark::Masking,
        Benchmark::Evaluate,
        Benchmark::Mosaic,
    ];
    let which = if options.which.is_empty() {
        &all[..]
    } else {
        &options.which
    };
    for benchmark in which {
        match benchmark {
            Benchmark::Numeric => clustering::numeric(options.repeat)?,
            Benchmark::Mixed => clustering::mixed(options.repeat)?,
            Benchmark::Kprototypes => kprototypes::run(options.repeat)?,
            Benchmark::Scaling => scaling::run(options.most_rows)?,
            Benchmark::Reading => reading::run(options.repeat)?,
            Benchmark::Masking => masking::run(options.repeat)?,
            Benchmark::Evaluate => evaluate::run(options.repeat)?,
            Benchmark::Mosaic => mosaic::run(options.repeat)?,
        }
    }
    Ok(())
}

/// A benchmark of an unoptimised program says nothing: starts over with an optimised one.
fn again_in_release() -> Result<()> {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--release", "--locked", "--package", "xtask", "--"])
        .args(std::env::args_os().skip(1))
        .current_dir(workspace())
        .status()
        .context("cargo could not be started")?;
    ensure!(status.success(), "the benchmark failed");
    Ok(())
}

/// Where benchmarks keep their tables and their peers.
fn folder() -> Result<PathBuf> {
    let folder = workspace().join("target/bench");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder.canonicalize()?)
}

/// Our own work, measured in a process of its own.
fn own(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("bench-child").env("RAYON_NUM_THREADS", "1");
    for argument in arguments {
        command.arg(argument);
    }
    Ok(command)
}

/// Runs a child several times and returns the report of the run with the least CPU time.
fn best_of(repeat: usize, mut command: Command) -> Result<Value> {
    let mut best: Option<Value> = None;
    for _ in 0..repeat.max(1) {
        let output = command
            .output()
            .with_context(|| format!("cannot start {command:?}"))?;
        if !output.status.success() {
            bail!(
                "{command:?} failed:\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let report: Value = serde_json::from_slice(&output.stdout)?;
        let is_better = best.as_ref().is_none_or(|best| cpu(&report) < cpu(best));
        if is_better {
            best = Some(report);
        }
    }
    best.context("at least one run")
}

fn cpu(report: &Value) -> f64 {
    report["cpu_seconds"].as_f64().unwrap_or(f64::NAN)
}

fn peak(report: &Value) -> f64 {
    report["own_peak_mb"].as_f64().unwrap_or(f64::NAN)
}

/// Writes a line of results.
pub(crate) fn say(line: &str) -> Result<()> {
    use std::io::Write as _;
    writeln!(std::io::stdout(), "{line}").context("cannot write")
}
