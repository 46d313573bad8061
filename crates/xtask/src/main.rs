//! Everything a contributor runs.
//!
//! `cargo xtask check` is what has to pass before a change lands; `cargo xtask bench` measures speed beside named peers.

mod audit;
mod bench;
mod browser;
mod check;
mod experiment;
mod python;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Everything a contributor runs", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Formatting, lints, documentation and all tests, those in Python and in Chromium included.
    Check,
    /// Speed and memory beside scikit-learn, pandas and polars, which it installs into `target/python`.
    Bench(bench::Options),
    /// Private mechanisms run against their claims, and mutants that must be caught; wants an optimised build too.
    Audit(audit::Options),
    /// Experiments on real tables; they want an optimised build: `cargo run --release -p xtask -- experiment …`.
    #[command(subcommand)]
    Experiment(experiment::Experiment),
    /// One measured piece of work, in a process of its own.
    #[command(hide = true)]
    BenchChild(bench::child::Job),
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Check => check::run(),
        Task::Audit(options) => audit::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Experiment(experiment) => experiment::run(&experiment),
        Task::BenchChild(job) => bench::child::run(&job),
    }
}

/// The folder of the workspace.
fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}
