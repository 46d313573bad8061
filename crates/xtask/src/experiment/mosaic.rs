//! Mosaic on real tables: the cost ratio of cells and synthetic rows beside the ceiling and the floor.
//!
//! Restarts follow the measuring protocol. The floor is a release of every column by itself, with the same ε.

use anyhow::Result;
use pleiad::Silent;
use pleiad::cluster::{Algorithm, Encoding, Points};
use pleiad::evaluate::{Comparison, LabelledBy, Protocol, Reference};
use pleiad::mask::mosaic::Mosaic;
use pleiad::mask::private::PrivateMethod;
use pleiad::privacy::budget::{AddRemove, Cost, Epsilon, Purse, SealedTable};
use pleiad::privacy::noise::PrivateRandom;
use pleiad::table::Table;

use super::public_tables::{PublicTable, read};
use crate::bench::say;

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The table.
    #[arg(long, value_enum, default_value_t = PublicTable::AdultSet)]
    data: PublicTable,
    /// Privacy budgets, as exact numbers.
    #[arg(long, value_delimiter = ',', default_values_t = ["1".to_owned(), "0.1".to_owned()])]
    epsilon: Vec<String>,
    /// Numbers of clusters; 3, 5 and 8 (Adult in one-hot code: 2 and 5) if none is given.
    #[arg(long, value_delimiter = ',')]
    clusters: Vec<usize>,
    /// Releases of each kind.
    #[arg(long, default_value_t = 20)]
    runs: usize,
    /// Releases of which the synthetic rows are clustered too; all if not given.
    #[arg(long)]
    row_runs: Option<usize>,
}

/// Runs the experiment.
pub(super) fn run(options: &Options) -> Result<()> {
    let table = read(options.data)?;
    let clusters = match (&options.clusters[..], options.data) {
        ([], PublicTable::AdultOneHot) => vec![2, 5],
        ([], _) => vec![3, 5, 8],
        (given, _) => given.to_vec(),
    };
    let raw = Points::new(&table, Encoding::Semantic);
    say(&format!(
        "{} rows × {} columns, {} runs; cost ratio and F-near, mean (standard error)",
        table.n_rows(),
        table.fields().len(),
        options.runs
    ))?;
    say(&format!("  ({})", options.data.chosen_here()))?;
    let mut references = Vec::new();
    for &n_clusters in &clusters {
        let protocol = Protocol {
            floor_draws: 0,
            ..Protocol::new(Algorithm::KMeans, n_clusters)
        };
        let reference = Reference::new(&raw, &protocol, &Silent)?;
        say(&format!(
            "  k={n_clusters}  ceiling: cost {:.4}, F {:.3}; {} optima; one cluster for all: {:.3}",
            reference.ceiling_cost_ratio,
            reference.ceiling.f,
            reference.optima.len(),
            one_cluster_cost(&raw) / reference.cost,
        ))?;
        references.push((protocol, reference));
    }
    for epsilon in &options.epsilon {
        say(&format!("ε = {epsilon}"))?;
        let epsilon: Epsilon<AddRemove> = epsilon.parse()?;
        let mosaic = Mosaic::new(table.fields(), &epsilon)?;
        let judge = Judge {
            table: &table,
            raw: &raw,
            references: &references,
            epsilon: &epsilon,
        };
        let row_runs = options.row_runs.unwrap_or(options.runs);
        judge.repeat("mosaic", &mosaic, options.runs, row_runs)?;
        let marginals = mosaic.marginals_only();
        judge.repeat("floor: marginals only", &marginals, row_runs, row_runs)?;
    }
    Ok(())
}

/// The cost of all rows under their common mean.
fn one_cluster_cost(raw: &Points<'_>) -> f64 {
    pleiad::cluster::spread(raw, &vec![0; raw.n_rows()], 1)
}

/// What releases are judged by.
struct Judge<'a> {
    table: &'a Table,
    raw: &'a Points<'a>,
    references: &'a [(Protocol, Reference)],
    epsilon: &'a Epsilon<AddRemove>,
}

/// What repeated releases came to.
#[derive(Default)]
struct Results {
    cost_ratios: Vec<f64>,
    f_near: Vec<f64>,
}

impl Results {
    fn add(&mut self, comparison: &Comparison) {
        self.cost_ratios.push(comparison.release.cost_ratio);
        self.f_near.push(comparison.release.f_near);
    }

    fn text(&self) -> String {
        let (cost, near) = (with_error(&self.cost_ratios), with_error(&self.f_near));
        format!("cost {cost}  F-near {near}")
    }
}

fn with_error(values: &[f64]) -> String {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squared: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squared / (n - 1.0).max(1.0) / n).sqrt();
    format!("{mean:.4} ({error:.4})")
}

impl Judge<'_> {
    /// Releases the table again and again; the rows of some of the releases are clustered too.
    fn repeat(&self, name: &str, mosaic: &Mosaic, runs: usize, row_runs: usize) -> Result<()> {
        let none = || self.references.iter().map(|_| Results::default());
        let mut of_cells: Vec<Results> = none().collect();
        let mut of_rows: Vec<Results> = none().collect();
        for run in 0..runs {
            let mut purse = Purse::new(&Cost::Pure(self.epsilon.clone()));
            let mut random = PrivateRandom::new()?;
            let sealed = SealedTable::seal(self.table);
            let outputs = mosaic.measure(&sealed, &mut purse, &mut random)?;
            let publication = mosaic.publish(&outputs)?;
            let cells = &publication.cells;
            let cell_of_rows = mosaic.cell_of_rows(self.table, &outputs, cells);
            let space = self.raw.space();
            let cell_points = Points::in_space(&cells.table, space.clone())
                .with_spreads(&cells.table, &cells.spreads);
            let row_points = Points::in_space(&publication.rows, space.clone());
            for (number, (protocol, _)) in self.references.iter().enumerate() {
                if cells.table.n_rows() >= protocol.n_clusters {
                    let labelled_by = LabelledBy::Cell(&cell_of_rows);
                    of_cells[number].add(&self.compare(number, &cell_points, labelled_by)?);
                }
                if run < row_runs {
                    of_rows[number].add(&self.compare(number, &row_points, LabelledBy::Centre)?);
                }
            }
        }
        for (number, (protocol, _)) in self.references.iter().enumerate() {
            let k = protocol.n_clusters;
            let (cells, rows) = (&of_cells[number], &of_rows[number]);
            if !cells.cost_ratios.is_empty() {
                say(&format!("  k={k}  {name}, cells: {}", cells.text()))?;
            }
            if rows.cost_ratios.is_empty() {
                continue;
            }
            say(&format!("  k={k}  {name}, rows:  {}", rows.text()))?;
            // Cells and rows of the same releases: what the releases differ by does not count.
            let pairs = rows.cost_ratios.iter().zip(&cells.cost_ratios);
            let more: Vec<f64> = pairs.map(|(rows, cells)| rows - cells).collect();
            if !more.is_empty() {
                let n_pairs = more.len();
                let more = with_error(&more);
                say(&format!(
                    "  k={k}  {name}, rows less cells of the same {n_pairs} releases: cost {more}"
                ))?;
            }
        }
        Ok(())
    }

    fn compare(
        &self,
        number: usize,
        release: &Points<'_>,
        labelled_by: LabelledBy<'_>,
    ) -> Result<Comparison> {
        let (protocol, reference) = &self.references[number];
        Ok(Comparison::new(
            self.raw,
            reference,
            release,
            labelled_by,
            protocol,
            &Silent,
        )?)
    }
}
