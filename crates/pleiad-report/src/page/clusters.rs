//! The clusters before and after.

use crate::charts::{self, Chart};
use crate::clusters::{Clusters, Dot};
use crate::portraits::{self, Card, Mark};
use crate::words::grouped;

pub(super) struct ClustersView {
    pub(super) marks: Vec<Mark>,
    pub(super) left_out: usize,
    pub(super) before: Chart,
    pub(super) after: Chart,
    pub(super) are_same_rows: bool,
    pub(super) sampled: Option<String>,
    pub(super) middles: Vec<Middle>,
    pub(super) contingency: Chart,
    pub(super) contingency_numbers: Vec<usize>,
    pub(super) contingency_lines: Vec<(usize, Vec<String>)>,
    pub(super) contingency_left_out: usize,
    pub(super) cards: Vec<Card>,
    pub(super) cards_left_out: usize,
}

pub(super) struct Middle {
    pub(super) number: usize,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) rows: [String; 2],
}

impl ClustersView {
    pub(super) fn of(clusters: &Clusters) -> Self {
        let n_clusters = clusters.sizes.len();
        let projection = &clusters.projection;
        let shown = n_clusters.min(portraits::MOST_PORTRAITS);
        let in_map = n_clusters.min(charts::MOST_CLUSTERS);
        let mut lines = vec![vec![0_u64; in_map]; in_map];
        for cell in clusters.counts.cells() {
            let row = clusters.counts.row_labels()[cell.row] as usize;
            let column = clusters.counts.column_labels()[cell.column] as usize;
            if row < in_map && column < in_map {
                lines[row][column] = cell.count;
            }
        }
        let (cards, cards_left_out) = portraits::cards(clusters);
        Self {
            marks: (0..shown)
                .map(|cluster| Mark::of(cluster, clusters.sizes[cluster][0]))
                .collect(),
            left_out: n_clusters - shown,
            before: charts::before(projection, n_clusters),
            after: charts::after(projection, n_clusters),
            are_same_rows: projection.are_same_rows,
            sampled: (projection.before.len() < projection.n_rows)
                .then(|| grouped(projection.before.len() as u64)),
            middles: (0..shown)
                .map(|cluster| Middle {
                    number: cluster + 1,
                    before: middle(&projection.before, cluster),
                    after: middle(&projection.after, cluster),
                    rows: clusters.sizes[cluster].map(grouped),
                })
                .collect(),
            contingency: charts::contingency(&clusters.counts, n_clusters),
            contingency_numbers: (1..=in_map).collect(),
            contingency_lines: (1..)
                .zip(lines)
                .map(|(number, counts)| (number, counts.into_iter().map(grouped).collect()))
                .collect(),
            contingency_left_out: n_clusters - in_map,
            cards,
            cards_left_out,
        }
    }
}

/// The middle of the drawn rows of a cluster.
fn middle(dots: &[Dot], cluster: usize) -> String {
    let own: Vec<&Dot> = dots
        .iter()
        .filter(|dot| dot.cluster as usize == cluster)
        .collect();
    if own.is_empty() {
        return "–".to_owned();
    }
    let mean = |axis: usize| own.iter().map(|dot| dot.at[axis]).sum::<f64>() / own.len() as f64;
    format!("{:.2}, {:.2}", mean(0), mean(1))
}
