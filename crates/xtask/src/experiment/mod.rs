//! Experiments on real tables, for the numbers that documents and issues quote.

mod mosaic;
pub(crate) mod public_tables;
mod refine_adult;
mod refine_arx;

use anyhow::Result;
use clap::Subcommand;

/// Which experiment.
#[derive(Subcommand)]
pub(crate) enum Experiment {
    /// Top-down refinement on Adult: how much of the clusters survives, by positions.
    RefineAdult {
        /// Numbers of clusters.
        #[arg(long, value_delimiter = ',', default_values_t = [2, 6, 10])]
        clusters: Vec<usize>,
        /// Anonymity thresholds.
        #[arg(long, value_delimiter = ',', default_values_t = [5, 20, 50, 100])]
        at_least: Vec<u32>,
        /// Draws of the floor.
        #[arg(long, default_value_t = 1)]
        floor_draws: usize,
    },
    /// Top-down refinement beside ARX on ARX's own example, with each kind of positions.
    RefineArx,
    /// Mosaic: what privacy costs the clusters, over repeated runs.
    Mosaic(mosaic::Options),
}

/// Runs an experiment.
pub(crate) fn run(experiment: &Experiment) -> Result<()> {
    match experiment {
        Experiment::RefineAdult {
            clusters,
            at_least,
            floor_draws,
        } => refine_adult::run(clusters, at_least, *floor_draws),
        Experiment::RefineArx => refine_arx::run(),
        Experiment::Mosaic(options) => mosaic::run(options),
    }
}
