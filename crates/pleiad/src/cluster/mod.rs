//! Finding clusters: one space for raw and masked rows, one kernel, several clusterers.
//!
//! Everything here is deterministic: the same rows and the same seed give the same bits, whatever the number of threads,
//! the size of the blocks they work on, the order of the rows, or whether equal rows are collapsed into weights.

mod algorithm;
mod bisecting;
mod distance;
mod fold;
mod kernel;
mod kmeans;
mod lloyd;
mod points;
mod portrait;
mod projection;
mod seeding;
mod space;
mod sparse;
mod sums;
#[cfg(test)]
mod tests;

pub use bisecting::{BisectingKMeans, CutNext, spread};
pub use kmeans::{KMeans, MOST_ROUNDS};
pub use points::Points;
pub use portrait::{ColumnPortrait, Portrait, ValueShare, portraits};
pub use projection::{Plane, rows_to_draw};
pub use space::Space;

pub use crate::spec::{Algorithm, Encoding};

use crate::error::{Error, Result};
use crate::progress::Progress;

/// Something that finds clusters.
pub trait Clusterer: Sync {
    /// Labels every point.
    ///
    /// # Errors
    /// Fewer different rows than clusters.
    fn cluster(&self, points: &Points<'_>, progress: &dyn Progress) -> Result<Clustering>;
}

/// Which cluster each row belongs to, and what else the clusterer knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Clustering {
    /// A label below `n_clusters` for each row.
    pub labels: Vec<u32>,
    /// Number of clusters.
    pub n_clusters: usize,
    /// The centre of each cluster, where the clusterer has centres.
    pub centres: Option<Vec<Vec<f64>>>,
    /// The sum of squared distances of the rows to their centres, where it has a meaning.
    pub cost: Option<f64>,
    /// Rounds (or cuts) of the run that was kept.
    pub rounds: usize,
    /// Whether it ended because nothing changed any more.
    pub converged: bool,
}

impl From<lloyd::Fit> for Clustering {
    fn from(fit: lloyd::Fit) -> Self {
        Self {
            labels: fit.labels,
            n_clusters: fit.centres.len(),
            centres: Some(fit.centres),
            cost: Some(fit.cost),
            rounds: fit.rounds,
            converged: fit.converged,
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
