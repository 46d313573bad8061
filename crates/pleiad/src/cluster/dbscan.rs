//! DBSCAN (Ester, Kriegel, Sander, Xu 1996) over different rows with weights.
//!
//! A row is a core if the rows within the radius, itself included, count enough. Cores within each other's radius are of
//! one cluster; a row that is no core belongs to the cluster of its nearest core within the radius, or to none: it is
//! noise. (The original gives such a row to whichever cluster comes first, which depends on the order of the rows.)

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::between::RowDistances;
use super::distinct::DistinctRows;
use super::knee::knee;
use super::neighbours::{NeighbourTree, OpenRows};
use super::points::Points;
use super::{Clusterer, Clustering};
use crate::error::{Error, Result};
use crate::progress::{Amount, Progress};

/// More different rows are refused: in the worst case each is compared with each.
pub const MOST_DIFFERENT_ROWS: usize = 100_000;

/// Rows that make a core, where nobody says how many.
pub const USUAL_NEIGHBOURS: u32 = 5;

/// Rows whose neighbours are looked at to choose a radius, at most.
const ROWS_FOR_RADIUS: usize = 1_000;

/// DBSCAN.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dbscan {
    radius: Option<f64>,
    neighbours: Option<u32>,
}

impl Dbscan {
    /// 5 neighbours, and the radius where the distances between neighbours bend.
    pub fn new() -> Self {
        Self::default()
    }

    /// How far from each other neighbours may lie; nothing has it chosen.
    #[must_use]
    pub fn radius(mut self, radius: Option<f64>) -> Self {
        self.radius = radius;
        self
    }

    /// How many rows within the radius, itself included, make a core; 5 if nobody says.
    #[must_use]
    pub fn neighbours(mut self, neighbours: Option<u32>) -> Self {
        self.neighbours = neighbours;
        self
    }
}

impl Clusterer for Dbscan {
    fn cluster(&self, points: &Points<'_>, progress: &dyn Progress) -> Result<Clustering> {
        if points.n_rows() == 0 {
            return Err(Error::data("the table has no rows"));
        }
        let distinct = DistinctRows::of(points);
        if distinct.len() > MOST_DIFFERENT_ROWS {
            return Err(Error::refused(format!(
                "the table has {} different rows; DBSCAN takes at most {MOST_DIFFERENT_ROWS}",
                distinct.len()
            ))
            .hint("`kmeans`, `bisecting` and `kprototypes` take any number of rows")
            .hint("a larger `step` of numeric columns makes more rows alike"));
        }
        let neighbours = self.neighbours.unwrap_or(USUAL_NEIGHBOURS);
        let distances = RowDistances::new(points, &distinct.rows);
        let radius = self
            .radius
            .unwrap_or_else(|| usual_radius(&distances, neighbours));
        progress.begin("clustering", 2 * distinct.len() as u64, Amount::Rows);
        let search = DenseSearch {
            tree: NeighbourTree::new(&distances),
            weights: &distinct.weights,
            radius,
            neighbours: u64::from(neighbours),
            progress,
        };
        let cluster_of = search.clusters();
        progress.end();
        let n_found = cluster_of
            .iter()
            .flatten()
            .max()
            .map_or(0, |&last| last + 1);
        // Noise is one more cluster to whoever counts, portrays or compares.
        let noise = cluster_of.contains(&None).then_some(n_found);
        Ok(Clustering {
            labels: distinct
                .of_row
                .iter()
                .map(|&number| cluster_of[number as usize].unwrap_or(n_found))
                .collect(),
            n_clusters: n_found as usize + usize::from(noise.is_some()),
            noise,
            centres: None,
            cost: None,
            rounds: 0,
            converged: true,
            gamma: None,
            radius: Some(radius),
        })
    }
}

/// The radius where the curve of distances between neighbours bends: for each row, or each of a sample by value, how far
/// its k-th nearest different row is, k being one less than the number of neighbours, since a row counts itself; sorted;
/// the value that lies farthest below the line from the smallest to the largest.
fn usual_radius(distances: &RowDistances, neighbours: u32) -> f64 {
    let n_rows = distances.n_rows();
    if n_rows < 2 {
        return 0.0;
    }
    let rank = (neighbours as usize).saturating_sub(1).clamp(1, n_rows - 1) - 1;
    let mut reaches: Vec<f64> = (0..n_rows.min(ROWS_FOR_RADIUS))
        .into_par_iter()
        .map(|row| {
            let mut others: Vec<f64> = (0..n_rows)
                .filter(|&other| other != row)
                .map(|other| distances.squared(row, other))
                .collect();
            let (_, reach, _) = others.select_nth_unstable_by(rank, f64::total_cmp);
            reach.sqrt()
        })
        .collect();
    // Rows that are written differently but lie in one place say nothing about distances.
    reaches.retain(|&reach| reach > 0.0);
    reaches.sort_by(f64::total_cmp);
    let bend = knee(&reaches).map(|at| reaches[at]);
    bend.or(reaches.last().copied()).unwrap_or(0.0)
}

/// What clusters are found by.
struct DenseSearch<'a> {
    tree: NeighbourTree<'a>,
    weights: &'a [u64],
    radius: f64,
    neighbours: u64,
    progress: &'a dyn Progress,
}

impl DenseSearch<'_> {
    /// The cluster of each row; nothing for noise. Clusters are numbered by their first core.
    fn clusters(&self) -> Vec<Option<u32>> {
        let n_rows = self.weights.len();
        let is_core: Vec<bool> = (0..n_rows)
            .into_par_iter()
            .map(|row| self.is_core(row))
            .collect();
        self.progress.advance(n_rows as u64);
        let of_core = self.join_cores(&is_core);
        let cluster_of = (0..n_rows)
            .into_par_iter()
            .map(|row| {
                let core = if is_core[row] {
                    Some(row)
                } else {
                    self.nearest_core(row, &is_core)
                };
                core.and_then(|core| of_core[core])
            })
            .collect();
        self.progress.advance(n_rows as u64);
        cluster_of
    }

    /// The clusters of cores: from one core on, every core that is within the radius of one that was reached.
    fn join_cores(&self, is_core: &[bool]) -> Vec<Option<u32>> {
        let mut cluster_of = vec![None; is_core.len()];
        let mut open = OpenRows::new(&self.tree, is_core.to_vec());
        let mut n_clusters = 0;
        for first in 0..is_core.len() {
            if !open.is_open(first) {
                continue;
            }
            open.take(first);
            let mut reached = vec![first];
            while let Some(row) = reached.pop() {
                cluster_of[row] = Some(n_clusters);
                reached.extend(open.take_within(row, self.radius));
            }
            n_clusters += 1;
        }
        cluster_of
    }

    fn is_core(&self, row: usize) -> bool {
        let mut weight = 0;
        self.tree.within(row, self.radius, &mut |other, _| {
            weight += self.weights[other];
            if weight >= self.neighbours {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        weight >= self.neighbours
    }

    fn nearest_core(&self, row: usize, is_core: &[bool]) -> Option<usize> {
        let mut nearest: Option<(f64, usize)> = None;
        self.tree.within(row, self.radius, &mut |other, squared| {
            let candidate = (squared, other);
            if is_core[other] && nearest.is_none_or(|nearest| candidate < nearest) {
                nearest = Some(candidate);
            }
            ControlFlow::Continue(())
        });
        nearest.map(|(_, core)| core)
    }
}
