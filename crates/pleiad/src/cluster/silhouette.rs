//! The silhouette (Rousseeuw 1987): how much nearer rows are to their own cluster than to the next one.

use rayon::prelude::*;

use super::between::RowDistances;
use super::distance::{from_units, to_units};
use super::distinct::DistinctRows;
use super::points::Points;

/// More different rows are judged on a sample of so many, drawn by their values.
pub const MOST_ROWS_JUDGED: usize = 5_000;

/// What clusterings come to by their silhouettes.
#[derive(Debug, Clone, PartialEq)]
pub struct Silhouettes {
    /// The mean silhouette of each clustering, between −1 and 1; nothing where there are not two clusters.
    pub values: Vec<Option<f64>>,
    /// Different rows that were judged.
    pub n_rows: usize,
    /// Different rows that there are.
    pub n_different: usize,
}

/// The silhouettes of several clusterings of the same points. With a the mean distance of a row from the others of its
/// cluster, and b from those of the nearest other cluster, its silhouette is (b − a) / max(a, b); of a row alone, 0.
pub fn silhouettes(points: &Points<'_>, clusterings: &[&[u32]]) -> Silhouettes {
    let distinct = DistinctRows::of(points);
    let judged = &distinct.rows[..distinct.len().min(MOST_ROWS_JUDGED)];
    let distances = RowDistances::new(points, judged);
    let labelled: Vec<Labelled> = clusterings
        .iter()
        .map(|labels| {
            let labels = judged.iter().map(|&row| labels[row as usize]).collect();
            Labelled::new(labels, &distinct.weights)
        })
        .collect();
    let sums: Vec<Vec<f64>> = (0..judged.len())
        .into_par_iter()
        .map(|row| of_row(row, &distances, &labelled, &distinct.weights))
        .collect();
    let total: u64 = distinct.weights[..judged.len()].iter().sum();
    let values = labelled.iter().enumerate().map(|(number, clustering)| {
        let rows = sums.iter().zip(&distinct.weights);
        let sum: f64 = rows
            .map(|(of_row, &weight)| of_row[number] * weight as f64)
            .sum();
        (clustering.n_inhabited() >= 2).then(|| sum / total as f64)
    });
    Silhouettes {
        values: values.collect(),
        n_rows: judged.len(),
        n_different: distinct.len(),
    }
}

/// The labels of the judged rows and the sizes of their clusters.
struct Labelled {
    labels: Vec<u32>,
    sizes: Vec<u64>,
}

impl Labelled {
    fn new(labels: Vec<u32>, weights: &[u64]) -> Self {
        let n_clusters = labels.iter().max().map_or(0, |&last| last as usize + 1);
        let mut sizes = vec![0; n_clusters];
        for (&label, &weight) in labels.iter().zip(weights) {
            sizes[label as usize] += weight;
        }
        Self { labels, sizes }
    }

    fn n_inhabited(&self) -> usize {
        self.sizes.iter().filter(|&&size| size > 0).count()
    }

    /// The silhouette of a row whose distances from the clusters add up to these units.
    fn silhouette(&self, row: usize, sums: &[u128]) -> f64 {
        let own = self.labels[row] as usize;
        if self.sizes[own] < 2 {
            return 0.0;
        }
        let mean = |cluster: usize, size: u64| from_units(sums[cluster]) / size as f64;
        let within = mean(own, self.sizes[own] - 1);
        let nearest = (0..self.sizes.len())
            .filter(|&other| other != own && self.sizes[other] > 0)
            .map(|other| mean(other, self.sizes[other]))
            .fold(f64::INFINITY, f64::min);
        let larger = within.max(nearest);
        if larger > 0.0 && larger.is_finite() {
            (nearest - within) / larger
        } else {
            0.0
        }
    }
}

/// The silhouette of a row in every clustering.
fn of_row(
    row: usize,
    distances: &RowDistances,
    labelled: &[Labelled],
    weights: &[u64],
) -> Vec<f64> {
    let mut sums: Vec<Vec<u128>> = labelled
        .iter()
        .map(|clustering| vec![0; clustering.sizes.len()])
        .collect();
    for (other, &weight) in weights[..distances.n_rows()].iter().enumerate() {
        let units = u128::from(to_units(distances.distance(row, other))) * u128::from(weight);
        for (sums, clustering) in sums.iter_mut().zip(labelled) {
            sums[clustering.labels[other] as usize] += units;
        }
    }
    labelled
        .iter()
        .zip(&sums)
        .map(|(clustering, sums)| clustering.silhouette(row, sums))
        .collect()
}
