//! k-prototypes (Huang 1998): k-means over numbers, modes over categories.
//!
//! Rows are assigned all at once and prototypes moved afterwards, as in the parallel form of the algorithm. Huang's own
//! loop moves prototypes after every row, so that its result depends on the order of the rows; here it does not.

use super::lloyd::{Fit, lloyd};
use super::points::Points;
use super::prototypes::{in_prototype_space, settle, usual_gamma};
use super::restarts::Restarts;
use super::{Clusterer, Clustering, check_size};
use crate::error::Result;
use crate::progress::Progress;
use crate::spec::Seeding;

/// k-prototypes with restarts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KPrototypes {
    restarts: Restarts,
    gamma: Option<f64>,
}

impl KPrototypes {
    /// This many clusters; 10 restarts by k-means++, seed 0, at most 300 rounds, γ by Huang's rule.
    pub fn new(n_clusters: usize) -> Self {
        Self {
            restarts: Restarts::new(n_clusters),
            gamma: None,
        }
    }

    /// How many starts are tried; restart `i` has the seed `seed + i`.
    #[must_use]
    pub fn restarts(mut self, restarts: usize) -> Self {
        self.restarts.n_starts = restarts;
        self
    }

    /// The seed of the first restart.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.restarts.seed = seed;
        self
    }

    /// Rounds of one restart, at most.
    #[must_use]
    pub fn most_rounds(mut self, most_rounds: usize) -> Self {
        self.restarts.most_rounds = most_rounds.max(1);
        self
    }

    /// Where it starts.
    #[must_use]
    pub fn seeding(mut self, seeding: Seeding) -> Self {
        self.restarts.seeding = seeding;
        self
    }

    /// What a category that differs counts for, above 0; nothing leaves it to Huang's rule.
    #[must_use]
    pub fn gamma(mut self, gamma: Option<f64>) -> Self {
        self.gamma = gamma;
        self
    }

    /// Runs one fit from the values of given rows.
    ///
    /// # Errors
    /// More rows than there are different ones.
    pub fn from_rows(&self, points: &Points<'_>, rows: &[usize]) -> Result<Clustering> {
        check_size(points, rows.len())?;
        let gamma = self.gamma_for(points);
        let own = in_prototype_space(points, gamma);
        let start = rows.iter().map(|&row| own.position(row)).collect();
        let fit = lloyd(&own, start, self.restarts.most_rounds, &|mean| {
            settle(&own, gamma, mean);
        });
        Ok(described(fit, gamma))
    }

    fn gamma_for(&self, points: &Points<'_>) -> f64 {
        self.gamma.unwrap_or_else(|| usual_gamma(points))
    }
}

impl Clusterer for KPrototypes {
    fn cluster(&self, points: &Points<'_>, progress: &dyn Progress) -> Result<Clustering> {
        let gamma = self.gamma_for(points);
        let own = in_prototype_space(points, gamma);
        let fit = self
            .restarts
            .best(&own, &|mean| settle(&own, gamma, mean), progress)?;
        Ok(described(fit, gamma))
    }
}

/// Prototypes are no centres of the space that others share, and the cost is not one of its distances.
fn described(fit: Fit, gamma: f64) -> Clustering {
    Clustering {
        centres: None,
        gamma: Some(gamma),
        ..fit.into()
    }
}
