//! Finding clusters: one space for raw and masked rows, one kernel, several clusterers.
//!
//! Everything here is deterministic: the same rows and the same seed give the same bits, whatever the number of threads,
//! the size of the blocks they work on, the order of the rows, or whether equal rows are collapsed into weights.

mod algorithm;
mod between;
mod bisecting;
mod canopy;
mod dbscan;
mod distance;
mod distinct;
mod fold;
mod kernel;
mod kmeans;
mod knee;
mod kprototypes;
mod lloyd;
mod neighbours;
mod points;
mod portrait;
mod projection;
mod prototypes;
mod restarts;
mod seeding;
mod silhouette;
mod space;
mod sparse;
mod suggest;
mod sums;
#[cfg(test)]
mod tests;

pub use bisecting::{BisectingKMeans, CutNext, spread};
pub use canopy::canopy_clusters;
pub use dbscan::{Dbscan, MOST_DIFFERENT_ROWS, USUAL_NEIGHBOURS};
pub use kmeans::KMeans;
pub use kprototypes::KPrototypes;
pub use points::Points;
pub use portrait::{ColumnPortrait, Portrait, ValueShare, portraits};
pub use projection::{Plane, rows_to_draw};
pub use restarts::MOST_ROUNDS;
pub use silhouette::{MOST_ROWS_JUDGED, Silhouettes, silhouettes};
pub use space::Space;
pub use suggest::{Suggestion, Tried, suggest};

pub use crate::spec::{Algorithm, Encoding, Seeding, Tuning};

use crate::error::{Error, Result};
use crate::progress::Progress;

/// Something that finds clusters.
pub trait Clusterer: Sync {
    /// Labels every point.
    ///
    /// # Errors
    /// Fewer different rows than clusters; more rows than the clusterer can take.
    fn cluster(&self, points: &Points<'_>, progress: &dyn Progress) -> Result<Clustering>;
}

/// Which cluster each row belongs to, and what else the clusterer knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Clustering {
    /// A label below `n_clusters` for each row.
    pub labels: Vec<u32>,
    /// Number of clusters, noise included where there is any.
    pub n_clusters: usize,
    /// The label of rows that are in no cluster, the last one, where there are such rows.
    pub noise: Option<u32>,
    /// The centre of each cluster in the space, where rows belong to the nearest centre.
    pub centres: Option<Vec<Vec<f64>>>,
    /// What the clusterer made small, where there is such a thing: the sum of squared distances of the rows to their
    /// centres, or, without centres in the space, to their prototypes.
    pub cost: Option<f64>,
    /// Rounds (or cuts) of the run that was kept.
    pub rounds: usize,
    /// Whether it ended because nothing changed any more.
    pub converged: bool,
    /// What a category that differs counted for, given or chosen, in k-prototypes.
    pub gamma: Option<f64>,
    /// How far neighbours could lie, given or chosen, in DBSCAN.
    pub radius: Option<f64>,
}

/// What marks noise among labels.
pub const NOISE: u32 = u32::MAX;

/// Labels with noise marked, as files have them: clusters from 1, noise −1.
pub fn written_labels(marked: &[u32]) -> Vec<i64> {
    let written = |&label: &u32| match label {
        NOISE => -1,
        label => i64::from(label) + 1,
    };
    marked.iter().map(written).collect()
}

impl Clustering {
    /// The labels with [`NOISE`] where rows are in no cluster.
    pub fn marked_labels(&self) -> Vec<u32> {
        let labels = self.labels.iter();
        labels
            .map(|&label| match self.noise {
                Some(noise) if noise == label => NOISE,
                _ => label,
            })
            .collect()
    }

    /// Centres that other rows can be assigned to: its own or, without, the means of its clusters. Noise, which lies
    /// everywhere, has no mean that says anything, unless there is nothing else.
    pub fn centres_or_means(&self, points: &Points<'_>) -> Vec<Vec<f64>> {
        if let Some(centres) = &self.centres {
            return centres.clone();
        }
        let sums = sums::Sums::of_labels(points, &self.labels, self.n_clusters);
        let is_meant = |&cluster: &usize| {
            self.n_clusters == 1 || self.noise.is_none_or(|noise| noise as usize != cluster)
        };
        let meant = (0..self.n_clusters).filter(is_meant);
        meant.map(|cluster| sums.mean(points, cluster)).collect()
    }
}

impl From<lloyd::Fit> for Clustering {
    fn from(fit: lloyd::Fit) -> Self {
        Self {
            labels: fit.labels,
            n_clusters: fit.centres.len(),
            noise: None,
            centres: Some(fit.centres),
            cost: Some(fit.cost),
            rounds: fit.rounds,
            converged: fit.converged,
            gamma: None,
            radius: None,
        }
    }
}

/// Each point's nearest centre, and the cost of that.
pub fn assign(points: &Points<'_>, centres: &[Vec<f64>]) -> (Vec<u32>, f64) {
    distance::assign(points, centres)
}

/// Each point's squared distance from the nearest centre.
pub fn squared_distances(points: &Points<'_>, centres: &[Vec<f64>]) -> Vec<f64> {
    distance::all_squared_distances(points, centres)
}

/// Refuses to look for more clusters than there are different rows.
fn check_size(points: &Points<'_>, n_clusters: usize) -> Result<()> {
    if n_clusters == 0 {
        return Err(Error::spec("there must be at least one cluster"));
    }
    let n_rows = points.total_weight();
    if (n_rows as u128) < n_clusters as u128 {
        return Err(Error::data(format!(
            "{n_clusters} clusters were asked for, the table has {n_rows} {}",
            if n_rows == 1 { "row" } else { "rows" }
        )));
    }
    let mut different: Vec<usize> = Vec::with_capacity(n_clusters);
    for row in 0..points.n_rows() {
        if different.len() == n_clusters {
            return Ok(());
        }
        if !different
            .iter()
            .any(|&other| points.compare_rows(row, other).is_eq())
        {
            different.push(row);
        }
    }
    if different.len() == n_clusters {
        return Ok(());
    }
    Err(too_few_different(n_clusters, different.len()))
}

/// Rows that lie in the same place are no different rows, however they are written.
fn too_few_different(n_clusters: usize, n_different: usize) -> Error {
    Error::data(format!(
        "{n_clusters} clusters were asked for, the table has only {n_different} different {}",
        if n_different == 1 { "row" } else { "rows" }
    ))
}
