//! From the name of a clusterer in a spec or a protocol to the clusterer.

use rayon::prelude::*;

use super::bisecting::BisectingKMeans;
use super::dbscan::Dbscan;
use super::kmeans::KMeans;
use super::kprototypes::KPrototypes;
use super::points::Points;
use super::{Clusterer, Clustering};
use crate::error::Result;
use crate::progress::{Amount, Progress, Silent};
use crate::spec::{Algorithm, ClusterSpec, Seeding, Tuning};

impl ClusterSpec {
    /// The clusterer that a spec describes.
    pub fn clusterer(&self) -> Box<dyn Clusterer> {
        let Self {
            clusters,
            restarts,
            seed,
            tuning,
            ..
        } = self;
        self.algorithm
            .clusterer(*clusters, *restarts, *seed, tuning)
    }
}

impl Algorithm {
    /// The clusterer that keeps the best of `restarts` runs (of `restarts` trials for each cut).
    pub fn clusterer(
        self,
        n_clusters: usize,
        restarts: usize,
        seed: u64,
        tuning: &Tuning,
    ) -> Box<dyn Clusterer> {
        match self {
            Self::KMeans => Box::new(
                KMeans::new(n_clusters)
                    .restarts(restarts)
                    .seed(seed)
                    .seeding(tuning.seeding),
            ),
            Self::Bisecting => {
                Box::new(BisectingKMeans::new(n_clusters).trials(restarts).seed(seed))
            }
            Self::KPrototypes => Box::new(
                KPrototypes::new(n_clusters)
                    .restarts(restarts)
                    .seed(seed)
                    .seeding(tuning.seeding)
                    .gamma(tuning.gamma),
            ),
            Self::Dbscan => Box::new(
                Dbscan::new()
                    .radius(tuning.radius)
                    .neighbours(tuning.neighbours),
            ),
        }
    }

    /// All of `restarts` runs with the seeds from `seed` on, in that order; one where the seed changes nothing.
    pub fn restarts(
        self,
        points: &Points<'_>,
        n_clusters: usize,
        seed: u64,
        restarts: usize,
        tuning: &Tuning,
        progress: &dyn Progress,
    ) -> Result<Vec<Clustering>> {
        let restarts = if self.draws(tuning) { restarts } else { 1 };
        progress.begin("clustering", restarts as u64, Amount::Steps);
        let fits = (0..restarts as u64)
            .into_par_iter()
            .map(|restart| {
                let seed = seed.wrapping_add(restart);
                // One run of bisecting is a whole sequence of cuts; seeds of different runs stay apart.
                let (trials, seed) = match self {
                    Self::Bisecting => (3, seed << 32),
                    Self::KMeans | Self::KPrototypes | Self::Dbscan => (1, seed),
                };
                let clusterer = self.clusterer(n_clusters, trials, seed, tuning);
                let fit = clusterer.cluster(points, &Silent);
                progress.advance(1);
                fit
            })
            .collect();
        progress.end();
        fits
    }

    /// Whether the seed changes anything.
    pub fn draws(self, tuning: &Tuning) -> bool {
        match self {
            Self::KMeans | Self::KPrototypes => tuning.seeding != Seeding::Canopy,
            Self::Bisecting => true,
            Self::Dbscan => false,
        }
    }
}
