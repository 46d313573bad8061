//! Bisecting k-means: one cluster is cut in two by 2-means, again and again.

use super::distance::total_squared_norm;
use super::kmeans::KMeans;
use super::points::Points;
use super::sums::Sums;
use super::{Clusterer, Clustering, check_size, too_few_different};
use crate::error::Result;
use crate::progress::{Amount, Progress, Silent};

/// Which cluster is cut next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CutNext {
    /// The one with the largest sum of squared distances to its mean.
    #[default]
    LargestError,
    /// The one with the most rows.
    MostRows,
}

/// Bisecting k-means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BisectingKMeans {
    n_clusters: usize,
    trials: usize,
    seed: u64,
    next: CutNext,
}

struct Part {
    rows: Vec<u32>,
    weight: u64,
    error: f64,
}

impl BisectingKMeans {
    /// This many clusters; 10 trials for every cut, seed 0, the cluster of largest error first.
    pub fn new(n_clusters: usize) -> Self {
        Self {
            n_clusters,
            trials: 10,
            seed: 0,
            next: CutNext::default(),
        }
    }

    /// How often each cut is tried.
    #[must_use]
    pub fn trials(mut self, trials: usize) -> Self {
        self.trials = trials.max(1);
        self
    }

    /// The seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Which cluster is cut next.
    #[must_use]
    pub fn cut_next(mut self, next: CutNext) -> Self {
        self.next = next;
        self
    }

    /// The part to cut: one that can be cut, by the rule, the first of equals.
    fn choose(&self, parts: &[Part]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (at, part) in parts
            .iter()
            .enumerate()
            .filter(|(_, part)| part.error > 0.0)
        {
            let is_better = best.is_none_or(|best| match self.next {
                CutNext::LargestError => part.error > parts[best].error,
                CutNext::MostRows => part.weight > parts[best].weight,
            });
            if is_better {
                best = Some(at);
            }
        }
        best
    }
}

impl Clusterer for BisectingKMeans {
    fn cluster(&self, points: &Points<'_>, progress: &dyn Progress) -> Result<Clustering> {
        check_size(points, self.n_clusters)?;
        progress.begin("clustering", self.n_clusters as u64 - 1, Amount::Steps);
        let mut parts = vec![Part {
            rows: (0..points.n_rows() as u32).collect(),
            weight: points.total_weight(),
            error: f64::INFINITY,
        }];
        let mut rounds = 0;
        while parts.len() < self.n_clusters {
            let Some(at) = self.choose(&parts) else {
                progress.end();
                return Err(too_few_different(self.n_clusters, parts.len()));
            };
            let rows = std::mem::take(&mut parts[at].rows);
            let inside = points.select(&rows);
            let cut = KMeans::new(2)
                .restarts(self.trials)
                .seed(self.seed.wrapping_add(rounds as u64 * self.trials as u64))
                .cluster(&inside, &Silent);
            let has_rows = |cut: &Clustering, side: u32| cut.labels.contains(&side);
            let Some(cut) = cut.ok().filter(|cut| has_rows(cut, 0) && has_rows(cut, 1)) else {
                // Rounding left an error behind on rows that cannot be told apart: nothing to cut.
                parts[at].rows = rows;
                parts[at].error = 0.0;
                continue;
            };
            let halves = [0, 1].map(|side| {
                let is_here = |at: &usize| cut.labels[*at] == side;
                let here: Vec<u32> = (0..rows.len())
                    .filter(is_here)
                    .map(|at| at as u32)
                    .collect();
                let half = inside.select(&here);
                Part {
                    weight: half.total_weight(),
                    error: spread(&half, &vec![0; here.len()], 1),
                    rows: here.iter().map(|&at| rows[at as usize]).collect(),
                }
            });
            let [left, right] = halves;
            parts[at] = left;
            parts.push(right);
            rounds += 1;
            progress.advance(1);
        }
        progress.end();
        let mut labels = vec![0; points.n_rows()];
        for (label, part) in parts.iter().enumerate() {
            for &row in &part.rows {
                labels[row as usize] = label as u32;
            }
        }
        let sums = Sums::of_labels(points, &labels, parts.len());
        let centres = (0..parts.len())
            .map(|cluster| sums.mean(points, cluster))
            .collect();
        Ok(Clustering {
            cost: Some(spread(points, &labels, parts.len())),
            labels,
            n_clusters: parts.len(),
            noise: None,
            centres: Some(centres),
            rounds,
            converged: true,
            gamma: None,
            radius: None,
        })
    }
}

/// The sum of squared distances of rows to the mean of their label: Σ|x|² − Σ n|mean|².
pub fn spread(points: &Points<'_>, labels: &[u32], n_clusters: usize) -> f64 {
    let sums = Sums::of_labels(points, labels, n_clusters);
    let of_means: f64 = (0..n_clusters)
        .filter(|&cluster| sums.weight(cluster) > 0)
        .map(|cluster| {
            let squared: f64 = sums
                .mean(points, cluster)
                .iter()
                .map(|value| value * value)
                .sum();
            squared * sums.weight(cluster) as f64
        })
        .sum();
    (total_squared_norm(points) - of_means).max(0.0)
}
