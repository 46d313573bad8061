//! From the name of a clusterer in a spec or a protocol to the clusterer.

use rayon::prelude::*;

use super::bisecting::BisectingKMeans;
use super::kmeans::KMeans;
use super::points::Points;
use super::{Clusterer, Clustering};
use crate::error::Result;
use crate::progress::{Amount, Progress, Silent};
use crate::spec::Algorithm;

impl Algorithm {
    /// The clusterer that keeps the best of `restarts` runs (of `restarts` trials for each cut).
    pub fn clusterer(self, n_clusters: usize, restarts: usize, seed: u64) -> Box<dyn Clusterer> {
        match self {
            Self::KMeans => Box::new(KMeans::new(n_clusters).restarts(restarts).seed(seed)),
            Self::Bisecting => {
                Box::new(BisectingKMeans::new(n_clusters).trials(restarts).seed(seed))
            }
        }
    }

    /// All of `restarts` runs with the seeds from `seed` on, in that order.
    pub fn restarts(
        self,
        points: &Points<'_>,
        n_clusters: usize,
        seed: u64,
        restarts: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Clustering>> {
        progress.begin("clustering", restarts as u64, Amount::Steps);
        let fits = (0..restarts as u64)
            .into_par_iter()
            .map(|restart| {
                let seed = seed.wrapping_add(restart);
                let clusterer: Box<dyn Clusterer> = match self {
                    Self::KMeans => self.clusterer(n_clusters, 1, seed),
                    // One run of it is a whole sequence of cuts; seeds of different runs stay apart.
                    Self::Bisecting => self.clusterer(n_clusters, 3, seed << 32),
                };
                let fit = clusterer.cluster(points, &Silent);
                progress.advance(1);
                fit
            })
            .collect();
        progress.end();
        fits
    }
}
