//! From a table to its clusters and what they look like.

use std::path::{Path, PathBuf};

use pleiad::cluster::{Clustering, Points, Portrait, portraits};
use pleiad::spec::ClusterSpec;
use pleiad::table::{Plan, Reading, read_table};
use pleiad::{Progress, Result};

/// A table, its clusters and what they look like.
#[derive(Debug)]
pub(crate) struct Findings {
    /// The file of the table.
    pub(crate) data: PathBuf,
    /// The spec, if there was one.
    pub(crate) spec: Option<PathBuf>,
    /// The table, and the rows that lacked a value and were left out.
    pub(crate) reading: Reading,
    /// Columns that were not read.
    pub(crate) left_out: Vec<String>,
    /// What was asked for.
    pub(crate) settings: ClusterSpec,
    /// The clusters, the largest first.
    pub(crate) clustering: Clustering,
    /// What they look like.
    pub(crate) clusters: Vec<Portrait>,
    /// What the whole table looks like.
    pub(crate) whole: Portrait,
}

/// Reads a table and finds its clusters.
pub(crate) fn find(
    data: &Path,
    spec: Option<&Path>,
    plan: &Plan,
    settings: &ClusterSpec,
    progress: &dyn Progress,
) -> Result<Findings> {
    let reading = read_table(data, plan, progress)?;
    let table = &reading.table;
    let points = Points::new(table, settings.encoding);
    let found = settings
        .algorithm
        .clusterer(settings.clusters, settings.restarts, settings.seed)
        .cluster(&points, progress);
    let clustering = largest_first(found.map_err(|error| error.at(pleiad::Place::file(data)))?);
    let clusters = portraits(table, &points, &clustering.labels, clustering.n_clusters);
    let whole = portraits(table, &points, &vec![0; table.n_rows()], 1).swap_remove(0);
    drop(points);
    Ok(Findings {
        data: data.to_owned(),
        spec: spec.map(Path::to_owned),
        reading,
        left_out: left_out(plan),
        settings: settings.clone(),
        clustering,
        clusters,
        whole,
    })
}

fn left_out(plan: &Plan) -> Vec<String> {
    let not_read = plan.columns.iter().filter(|column| column.kind.is_none());
    not_read.map(|column| column.name.clone()).collect()
}

/// Renumbers clusters by falling size, so that the number means something to a reader.
fn largest_first(clustering: Clustering) -> Clustering {
    let mut sizes = vec![0_u64; clustering.n_clusters];
    for &label in &clustering.labels {
        sizes[label as usize] += 1;
    }
    let mut order: Vec<usize> = (0..clustering.n_clusters).collect();
    order.sort_by_key(|&cluster| (std::cmp::Reverse(sizes[cluster]), cluster));
    let mut number = vec![0_u32; clustering.n_clusters];
    for (new, &old) in order.iter().enumerate() {
        number[old] = new as u32;
    }
    Clustering {
        labels: clustering
            .labels
            .iter()
            .map(|&label| number[label as usize])
            .collect(),
        centres: clustering
            .centres
            .map(|centres| order.iter().map(|&old| centres[old].clone()).collect()),
        ..clustering
    }
}
