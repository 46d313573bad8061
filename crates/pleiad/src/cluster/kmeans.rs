//! k-means: Lloyd's rounds, the best of several starts.

use super::lloyd::lloyd;
use super::points::Points;
use super::restarts::Restarts;
use super::{Clusterer, Clustering, check_size};
use crate::error::Result;
use crate::progress::Progress;
use crate::spec::Seeding;

/// k-means with restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KMeans(Restarts);

impl KMeans {
    /// This many clusters; 10 restarts by k-means++, seed 0, at most 300 rounds.
    pub fn new(n_clusters: usize) -> Self {
        Self(Restarts::new(n_clusters))
    }

    /// How many starts are tried; restart `i` has the seed `seed + i`.
    #[must_use]
    pub fn restarts(mut self, restarts: usize) -> Self {
        self.0.n_starts = restarts;
        self
    }

    /// The seed of the first restart.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.0.seed = seed;
        self
    }

    /// Rounds of one restart, at most.
    #[must_use]
    pub fn most_rounds(mut self, most_rounds: usize) -> Self {
        self.0.most_rounds = most_rounds.max(1);
        self
    }

    /// Where it starts.
    #[must_use]
    pub fn seeding(mut self, seeding: Seeding) -> Self {
        self.0.seeding = seeding;
        self
    }

    /// Runs one fit from given centres (positions in the points' space).
    ///
    /// # Errors
    /// More centres than different rows.
    pub fn from_centres(&self, points: &Points<'_>, centres: Vec<Vec<f64>>) -> Result<Clustering> {
        check_size(points, centres.len())?;
        Ok(lloyd(points, centres, self.0.most_rounds, &anywhere).into())
    }
}

/// A centre may be anywhere.
fn anywhere(_: &mut [f64]) {}

impl Clusterer for KMeans {
    fn cluster(&self, points: &Points<'_>, progress: &dyn Progress) -> Result<Clustering> {
        Ok(self.0.best(points, &anywhere, progress)?.into())
    }
}
