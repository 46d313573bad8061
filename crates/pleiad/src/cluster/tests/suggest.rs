//! The number of clusters that is suggested.

use super::super::knee::knee;
use super::super::{Algorithm, Tuning, suggest};
use super::*;
use crate::progress::Silent;
use crate::spec::ClusterSpec;

fn settings(algorithm: Algorithm) -> ClusterSpec {
    ClusterSpec {
        algorithm,
        clusters: 2,
        restarts: 4,
        seed: 0,
        encoding: Encoding::Semantic,
        tuning: Tuning::default(),
    }
}

/// Stretches of rows far from each other.
fn stretches(starts: &[u32]) -> Table {
    let rows = (0..25).flat_map(|step| starts.iter().map(move |start| start + step));
    line(&rows.collect::<Vec<u32>>(), 1000)
}

#[test]
fn planted_clusters_are_suggested_by_every_clusterer_with_a_cost() {
    for starts in [&[100, 700][..], &[50, 300, 800], &[0, 200, 450, 700, 950]] {
        let table = stretches(starts);
        let points = Points::new(&table, Encoding::Semantic);
        for algorithm in [
            Algorithm::KMeans,
            Algorithm::Bisecting,
            Algorithm::KPrototypes,
        ] {
            let found = suggest(&points, &settings(algorithm), 2..=9, &Silent).unwrap();
            assert_eq!(found.suggested, starts.len(), "{algorithm:?}");
            assert_eq!(found.elbow, Some(starts.len()), "{algorithm:?}");
            assert_eq!(found.tried.len(), 8);
            assert!(found.tried.is_sorted_by(|a, b| a.cost >= b.cost));
        }
    }
}

#[test]
fn no_more_clusters_are_tried_than_there_are_different_rows() {
    let table = line(&[1, 1, 5, 9], 10);
    let points = Points::new(&table, Encoding::Semantic);
    let found = suggest(&points, &settings(Algorithm::KMeans), 2..=9, &Silent).unwrap();
    assert_eq!(found.tried.len(), 2);
    let error = suggest(&points, &settings(Algorithm::KMeans), 4..=9, &Silent).unwrap_err();
    assert!(error.message().contains("3 different rows"), "{error}");
    let error = suggest(&points, &settings(Algorithm::Dbscan), 2..=9, &Silent).unwrap_err();
    assert!(error.message().contains("itself"), "{error}");
}

#[test]
fn a_knee_is_farthest_below_the_line_between_the_ends() {
    assert_eq!(knee(&[10.0, 4.0, 1.0, 0.5, 0.0]), Some(2));
    assert_eq!(knee(&[0.0, 0.1, 0.2, 1.0]), Some(2));
    assert_eq!(knee(&[3.0, 2.0, 1.0]), None, "a straight line has none");
    assert_eq!(knee(&[3.0]), None);
    assert_eq!(knee(&[]), None);
}
