//! Canopies on planted clusters.

use super::super::canopy::{canopy, canopy_clusters, deepest};
use super::super::{Clusterer, KMeans, Seeding};
use super::*;
use crate::progress::Silent;

/// Clusters of 30 rows, as wide as 120, whose middles lie at least `apart` from each other, in three columns up to 1000.
fn planted(n_clusters: usize, apart: f64, seed: u64) -> Table {
    let mut choices = Repeatable::new(seed);
    let mut middles: Vec<[f64; 3]> = Vec::new();
    while middles.len() < n_clusters {
        let middle = [0; 3].map(|_| 60.0 + below(&mut choices, 880) as f64);
        if middles
            .iter()
            .all(|other| squared_distance(other, &middle).sqrt() >= apart)
        {
            middles.push(middle);
        }
    }
    let mut columns = vec![Vec::new(); 3];
    for _ in 0..30 {
        for middle in &middles {
            for (column, at) in columns.iter_mut().zip(middle) {
                column.push(*at as u32 - 60 + below(&mut choices, 120) as u32);
            }
        }
    }
    let domain = numbers(1000, false);
    let fields = ["x", "y", "z"].map(|name| field(name, domain.clone(), 1.0));
    let columns = columns
        .into_iter()
        .map(|column| number_column(column, &domain))
        .collect();
    Table::new(fields.to_vec(), columns, None)
}

#[test]
fn the_number_of_planted_clusters_is_found() {
    for n_clusters in 2..=8 {
        let found: Vec<Option<usize>> = (0..8)
            .map(|seed| {
                let table = planted(n_clusters, 420.0, seed);
                canopy_clusters(&Points::new(&table, Encoding::Semantic))
            })
            .collect();
        let right = found.iter().filter(|&&found| found == Some(n_clusters));
        // Depth is a rule of thumb: a pair of clusters that lies apart from the others can mislead it.
        assert!(right.count() >= 7, "{n_clusters} clusters: {found:?}");
    }
}

#[test]
fn a_canopy_puts_a_row_into_every_planted_cluster() {
    for seed in 0..5 {
        let table = planted(6, 300.0, seed);
        let points = Points::new(&table, Encoding::Semantic);
        let mut reached: Vec<usize> = canopy(&points, 6).rows.iter().map(|row| row % 6).collect();
        reached.sort_unstable();
        assert_eq!(reached, [0, 1, 2, 3, 4, 5]);
        let clusters = KMeans::new(6)
            .seeding(Seeding::Canopy)
            .cluster(&points, &Silent)
            .unwrap();
        for (row, label) in clusters.labels.iter().enumerate() {
            assert_eq!(*label, clusters.labels[row % 6], "row {row}");
        }
    }
}

#[test]
fn rows_are_chosen_as_the_rule_says() {
    let table = line(&[0, 4, 5, 6, 9, 20], 20);
    let points = Points::new(&table, Encoding::OneHot);
    // The mean is 7.33, nearest to it is 6; farthest from 6 is 20 (14), then 0 (6), then 9 (3), then 4 (2), then 5 (1).
    let found = canopy(&points, 10);
    assert_eq!(found.rows, [3, 5, 0, 4, 1, 2]);
    let expected = [14.0, 6.0, 3.0, 2.0, 1.0].map(|steps| steps / 20.0);
    for (found, expected) in found.distances.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 1e-7,
            "{found} instead of {expected}"
        );
    }
    assert_eq!(found.distances.len(), 5);
    assert_eq!(canopy(&points, 2).rows, [3, 5]);
}

#[test]
fn the_depth_names_the_last_row_before_distances_stay_small() {
    // Depths 0.05 + 0.7, 0.7 + 0.02: the printed rule has 4, and so it is.
    assert_eq!(deepest(&[1.0, 0.85, 0.8, 0.1, 0.08, 0.07]), Some(4));
    // Depths 0.01 + 0.7, 0.7 + 0.02: the printed rule has 5, but the fall is before it.
    assert_eq!(deepest(&[0.82, 0.81, 0.8, 0.1, 0.08, 0.07]), Some(4));
    // Two clusters, which the printed rule cannot name.
    assert_eq!(deepest(&[1.0, 0.1, 0.09, 0.08]), Some(2));
    assert_eq!(deepest(&[1.0, 0.1]), None);
    assert_eq!(deepest(&[]), None);
}
