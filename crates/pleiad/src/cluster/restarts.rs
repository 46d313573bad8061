//! The best of several starts, for clusterers that are made of Lloyd's rounds.

use rayon::prelude::*;

use super::canopy::canopy;
use super::lloyd::{Fit, lloyd};
use super::points::Points;
use super::seeding::{plus_plus, usual_trials};
use super::{check_size, too_few_different};
use crate::error::Result;
use crate::progress::{Amount, Progress};
use crate::repeatable::Repeatable;
use crate::spec::Seeding;

/// Rounds of one restart, at most.
pub const MOST_ROUNDS: usize = 300;

/// How a best fit is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Restarts {
    pub(super) n_clusters: usize,
    pub(super) n_starts: usize,
    pub(super) seed: u64,
    pub(super) most_rounds: usize,
    pub(super) seeding: Seeding,
}

impl Restarts {
    /// 10 restarts, seed 0, at most 300 rounds.
    pub(super) fn new(n_clusters: usize) -> Self {
        Self {
            n_clusters,
            n_starts: 10,
            seed: 0,
            most_rounds: MOST_ROUNDS,
            seeding: Seeding::default(),
        }
    }

    /// The cheapest fit, the first of equals, whichever thread was done first.
    pub(super) fn best(
        &self,
        points: &Points<'_>,
        settle: &(dyn Fn(&mut [f64]) + Sync),
        progress: &dyn Progress,
    ) -> Result<Fit> {
        check_size(points, self.n_clusters)?;
        let restarts = match self.seeding {
            Seeding::PlusPlus => self.n_starts.max(1) as u64,
            Seeding::Canopy => 1,
        };
        progress.begin("clustering", restarts, Amount::Steps);
        let best = (0..restarts)
            .into_par_iter()
            .map(|restart| {
                let start = self.start(points, self.seed.wrapping_add(restart));
                let fit = lloyd(points, start, self.most_rounds, settle);
                progress.advance(1);
                (restart, fit)
            })
            .min_by(|(i, a), (j, b)| {
                let more_centres = b.centres.len().cmp(&a.centres.len());
                more_centres.then(a.cost.total_cmp(&b.cost)).then(i.cmp(j))
            });
        progress.end();
        let (_, fit) = best.expect("there is at least one restart");
        // Rows that are written differently can still lie in one place; then no start has enough centres.
        if fit.centres.len() < self.n_clusters {
            return Err(too_few_different(self.n_clusters, fit.centres.len()));
        }
        Ok(fit)
    }

    fn start(&self, points: &Points<'_>, seed: u64) -> Vec<Vec<f64>> {
        match self.seeding {
            Seeding::PlusPlus => {
                let trials = usual_trials(self.n_clusters);
                plus_plus(points, self.n_clusters, trials, &mut Repeatable::new(seed))
            }
            Seeding::Canopy => {
                let rows = canopy(points, self.n_clusters).rows;
                rows.into_iter().map(|row| points.position(row)).collect()
            }
        }
    }
}
