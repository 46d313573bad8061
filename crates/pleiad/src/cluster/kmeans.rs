//! k-means: k-means++ starts, Lloyd's rounds, the best of several restarts.

use rayon::prelude::*;

use super::lloyd::{Fit, lloyd};
use super::points::Points;
use super::seeding::{plus_plus, usual_trials};
use super::{Clusterer, Clustering, check_size, too_few_different};
use crate::error::Result;
use crate::progress::{Amount, Progress};
use crate::repeatable::Repeatable;

/// Rounds of one restart, at most.
pub const MOST_ROUNDS: usize = 300;

/// k-means with restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KMeans {
    n_clusters: usize,
    restarts: usize,
    seed: u64,
    most_rounds: usize,
}

impl KMeans {
    /// This many clusters; 10 restarts, seed 0, at most 300 rounds.
    pub fn new(n_clusters: usize) -> Self {
        Self {
            n_clusters,
            restarts: 10,
            seed: 0,
            most_rounds: MOST_ROUNDS,
        }
    }

    /// How many starts are tried; restart `i` has the seed `seed + i`.
    #[must_use]
    pub fn restarts(mut self, restarts: usize) -> Self {
        self.restarts = restarts.max(1);
        self
    }

    /// The seed of the first restart.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Rounds of one restart, at most.
    #[must_use]
    pub fn most_rounds(mut self, most_rounds: usize) -> Self {
        self.most_rounds = most_rounds.max(1);
        self
    }

    /// Runs one fit from given centres (positions in the points' space).
    ///
    /// # Errors
    /// More centres than different rows.
    pub fn from_centres(&self, points: &Points<'_>, centres: Vec<Vec<f64>>) -> Result<Clustering> {
        check_size(points, centres.len())?;
        Ok(lloyd(points, centres, self.most_rounds).into())
    }

    fn restart(&self, points: &Points<'_>, seed: u64) -> Fit {
        let trials = usual_trials(self.n_clusters);
        let start = plus_plus(points, self.n_clusters, trials, &mut Repeatable::new(seed));
        lloyd(points, start, self.most_rounds)
    }

    /// Rows that are written differently can still lie in one place; then no start has enough centres.
    fn check_found(&self, n_found: usize) -> Result<()> {
        if n_found < self.n_clusters {
            return Err(too_few_different(self.n_clusters, n_found));
        }
        Ok(())
    }
}

impl Clusterer for KMeans {
    fn cluster(&self, points: &Points<'_>, progress: &dyn Progress) -> Result<Clustering> {
        check_size(points, self.n_clusters)?;
        progress.begin("clustering", self.restarts as u64, Amount::Steps);
        let best = (0..self.restarts as u64)
            .into_par_iter()
            .map(|restart| {
                let fit = self.restart(points, self.seed.wrapping_add(restart));
                progress.advance(1);
                (restart, fit)
            })
            // The first of equals, whichever thread was done first.
            .min_by(|(i, a), (j, b)| {
                let more_centres = b.centres.len().cmp(&a.centres.len());
                more_centres.then(a.cost.total_cmp(&b.cost)).then(i.cmp(j))
            });
        progress.end();
        let (_, fit) = best.expect("there is at least one restart");
        self.check_found(fit.centres.len())?;
        Ok(fit.into())
    }
}
