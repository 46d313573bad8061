//! From a table to its clusters and what they look like.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use pleiad::cluster::{
    self, Clustering, Points, Portrait, Suggestion, USUAL_NEIGHBOURS, portraits,
};
use pleiad::spec::{Algorithm, ClusterSpec};
use pleiad::table::Reading;
use pleiad::{Place, Progress};

use crate::failure::Outcome;
use crate::source::{Opened, Source};
use crate::terminal::Terminal;

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

impl Findings {
    /// Rows that made a core, where DBSCAN counted them.
    pub(crate) fn neighbours(&self) -> Option<u32> {
        let said = self.settings.tuning.neighbours.unwrap_or(USUAL_NEIGHBOURS);
        (self.settings.algorithm == Algorithm::Dbscan).then_some(said)
    }
}

/// Reads a table and finds its clusters.
pub(crate) fn find(
    source: &Source,
    settings: &ClusterSpec,
    progress: &dyn Progress,
    terminal: &Terminal,
) -> Outcome<Findings> {
    let Opened {
        reading,
        spreads,
        left_out,
    } = source.open(progress, terminal)?;
    let table = &reading.table;
    let points = Points::new(table, settings.encoding).with_spreads(table, &spreads);
    let found = settings.clusterer().cluster(&points, progress);
    let clustering = largest_first(found.map_err(|error| error.at(Place::file(&source.data)))?);
    // A portrait names published values, wherever they lie.
    let points = match spreads.as_slice() {
        [] => points,
        _ => Points::new(table, settings.encoding),
    };
    let clusters = portraits(table, &points, &clustering.labels, clustering.n_clusters);
    let whole = portraits(table, &points, &vec![0; table.n_rows()], 1).swap_remove(0);
    drop(points);
    Ok(Findings {
        data: source.data.clone(),
        spec: source.spec_path().map(ToOwned::to_owned),
        reading,
        left_out,
        settings: settings.clone(),
        clustering,
        clusters,
        whole,
    })
}

/// Numbers of clusters that were tried on a table.
#[derive(Debug)]
pub(crate) struct Trial {
    /// The file of the table.
    pub(crate) data: PathBuf,
    /// Its rows.
    pub(crate) n_rows: u64,
    /// What was asked for.
    pub(crate) settings: ClusterSpec,
    /// What came out.
    pub(crate) suggestion: Suggestion,
}

/// Reads a table and tries numbers of clusters.
pub(crate) fn suggest(
    source: &Source,
    settings: &ClusterSpec,
    numbers: RangeInclusive<usize>,
    progress: &dyn Progress,
    terminal: &Terminal,
) -> Outcome<Trial> {
    let opened = source.open(progress, terminal)?;
    let table = &opened.reading.table;
    let points = Points::new(table, settings.encoding).with_spreads(table, &opened.spreads);
    let suggestion = cluster::suggest(&points, settings, numbers, progress)
        .map_err(|error| error.at(Place::file(&source.data)))?;
    Ok(Trial {
        data: source.data.clone(),
        n_rows: points.total_weight(),
        settings: settings.clone(),
        suggestion,
    })
}

/// Renumbers clusters by falling size, so that the number means something to a reader; noise, which is no cluster, stays
/// last.
fn largest_first(clustering: Clustering) -> Clustering {
    let mut sizes = vec![0_u64; clustering.n_clusters];
    for &label in &clustering.labels {
        sizes[label as usize] += 1;
    }
    let mut order: Vec<usize> = (0..clustering.n_clusters).collect();
    let is_noise = |cluster: usize| clustering.noise == Some(cluster as u32);
    order.sort_by_key(|&cluster| {
        (
            is_noise(cluster),
            std::cmp::Reverse(sizes[cluster]),
            cluster,
        )
    });
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
