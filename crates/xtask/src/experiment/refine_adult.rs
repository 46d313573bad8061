//! Top-down refinement on Adult: how much of the clusters survives, by positions.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use pleiad::Silent;
use pleiad::cluster::{Algorithm, Encoding, Points};
use pleiad::evaluate::{Comparison, LabelledBy, Protocol, Reference};
use pleiad::mask::positions::{Positions, spreads};
use pleiad::mask::refine::{RefineParams, Score, rank_columns, refine};
use pleiad::privacy::{QuasiIdentifier, Requirement};
use pleiad::spec::Spec;
use pleiad::table::{Table, read_table};

use crate::bench::{say, tables};

/// Masks Adult for several numbers of clusters and thresholds.
pub(super) fn run(clusters: &[usize], at_least: &[u32], floor_draws: usize) -> Result<()> {
    let spec = adult_spec()?;
    let table = read_table(&spec.data_path, &spec.plan, &Silent)?.table;
    for &n_clusters in clusters {
        refine_adult(&table, n_clusters, at_least, floor_draws)?;
    }
    Ok(())
}

fn adult_spec() -> Result<Spec> {
    let table = tables::mixed(1)?;
    ensure!(
        table.name.starts_with("Adult"),
        "this experiment needs the Adult table in ../shared/data"
    );
    let path: PathBuf = table.spec;
    Spec::read(&path).context("the spec of Adult")
}

/// The columns of the quasi-identifier: the nine that tell most about the raw labels.
const TOP: usize = 9;

/// One way to publish.
struct Variant {
    name: &'static str,
    score: Score,
    positions: Positions,
    encoding: Encoding,
}

const VARIANTS: [Variant; 5] = [
    Variant {
        name: "table",
        score: Score::Cluster,
        positions: Positions::Table,
        encoding: Encoding::Semantic,
    },
    Variant {
        name: "group",
        score: Score::Cluster,
        positions: Positions::Group,
        encoding: Encoding::Semantic,
    },
    Variant {
        name: "uniform",
        score: Score::Cluster,
        positions: Positions::Uniform,
        encoding: Encoding::Semantic,
    },
    Variant {
        name: "distortion, table",
        score: Score::Distortion,
        positions: Positions::Table,
        encoding: Encoding::Semantic,
    },
    Variant {
        name: "one-hot",
        score: Score::Cluster,
        positions: Positions::Uniform,
        encoding: Encoding::OneHot,
    },
];

fn refine_adult(
    table: &Table,
    n_clusters: usize,
    thresholds: &[u32],
    floor_draws: usize,
) -> Result<()> {
    say(&format!(
        "Adult, {n_clusters} clusters, the {TOP} most telling columns, means over {thresholds:?}"
    ))?;
    say(
        "  positions           F      floor  ceiling  F-near  floor  optima  cost ratio  floor   ceiling",
    )?;
    for variant in &VARIANTS {
        let protocol = Protocol {
            floor_draws,
            ..Protocol::new(Algorithm::KMeans, n_clusters)
        };
        let raw = Points::new(table, variant.encoding);
        let reference = Reference::new(&raw, &protocol, &Silent)?;
        let ranked = rank_columns(table, &reference.best.labels);
        let columns: Vec<usize> = ranked
            .iter()
            .take(TOP)
            .map(|ranked| ranked.column)
            .collect();
        let mut all: Vec<Comparison> = Vec::new();
        for &at_least in thresholds {
            let requirement =
                Requirement::new(&[QuasiIdentifier::new(columns.clone(), at_least)?])?;
            let params = RefineParams {
                score: variant.score,
                ..RefineParams::default()
            };
            let refined = refine(
                table,
                &reference.best.labels,
                &requirement,
                &params,
                &Silent,
            )?;
            let spreads = spreads(table, &refined.table, &requirement, variant.positions);
            let points = Points::in_space(&refined.table, raw.space().clone())
                .with_spreads(&refined.table, &spreads);
            all.push(Comparison::new(
                &raw,
                &reference,
                &points,
                LabelledBy::Row,
                &protocol,
                &Silent,
            )?);
        }
        let mean = |value: &dyn Fn(&Comparison) -> f64| {
            all.iter().map(value).sum::<f64>() / all.len() as f64
        };
        say(&format!(
            "  {:18}  {:.3}  {:.3}  {:.3}    {:.3}   {:.3}  {:6}  {:.4}      {:.3}   {:.4}",
            variant.name,
            mean(&|one| one.release.agreement.f),
            mean(&|one| one.floor.agreement.f),
            reference.ceiling.f,
            mean(&|one| one.release.f_near),
            mean(&|one| one.floor.f_near),
            reference.optima.len(),
            mean(&|one| one.release.cost_ratio),
            mean(&|one| one.floor.cost_ratio),
            reference.ceiling_cost_ratio,
        ))?;
    }
    say("")
}
