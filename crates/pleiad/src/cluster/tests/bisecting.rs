//! Bisecting k-means: which cluster is cut, and what comes out.

use super::super::{BisectingKMeans, Clusterer, CutNext, KMeans, spread};
use super::*;
use crate::progress::Silent;

fn cut(table: &Table, n_clusters: usize, next: CutNext) -> Clustering {
    let points = Points::new(table, Encoding::Semantic);
    BisectingKMeans::new(n_clusters)
        .cut_next(next)
        .cluster(&points, &Silent)
        .unwrap()
}

/// Labels renamed in the order in which clusters first appear.
fn by_first_row(labels: &[u32]) -> Vec<usize> {
    let mut seen: Vec<u32> = Vec::new();
    let number = |label: &u32| {
        seen.iter()
            .position(|other| other == label)
            .unwrap_or_else(|| {
                seen.push(*label);
                seen.len() - 1
            })
    };
    labels.iter().map(number).collect()
}

/// The cost by hand: every row against the mean of its label.
fn cost_of(table: &Table, labels: &[u32]) -> f64 {
    let rows = positions(table, Encoding::Semantic);
    let mut cost = 0.0;
    for cluster in 0..=*labels.iter().max().unwrap() {
        let members: Vec<&Vec<f64>> = rows
            .iter()
            .zip(labels)
            .filter(|(_, label)| **label == cluster)
            .map(|(row, _)| row)
            .collect();
        let mean: Vec<f64> = (0..rows[0].len())
            .map(|at| members.iter().map(|row| row[at]).sum::<f64>() / members.len() as f64)
            .collect();
        cost += members
            .iter()
            .map(|row| squared_distance(row, &mean))
            .sum::<f64>();
    }
    cost
}

#[test]
fn the_cluster_of_largest_error_or_of_most_rows_is_cut_next() {
    // Left: many rows close together. Right: three rows far apart.
    let table = line(&[0, 1, 2, 3, 4, 5, 80, 90, 100], 100);
    let error_first = cut(&table, 3, CutNext::LargestError);
    assert_eq!(
        by_first_row(&error_first.labels),
        [0, 0, 0, 0, 0, 0, 1, 2, 2]
    );
    let rows_first = cut(&table, 3, CutNext::MostRows);
    assert_eq!(
        by_first_row(&rows_first.labels),
        [0, 0, 0, 1, 1, 1, 2, 2, 2]
    );
    assert_eq!(
        (
            rows_first.n_clusters,
            rows_first.rounds,
            rows_first.converged
        ),
        (3, 2, true)
    );
}

#[test]
fn weights_count_when_the_largest_cluster_is_sought() {
    // The left cluster has more different values, the right one more rows.
    let mut places = vec![0, 2, 4, 6];
    places.extend([90; 5]);
    places.extend([94; 5]);
    let table = line(&places, 100);
    let collapsed = table.collapse();
    for next in [CutNext::LargestError, CutNext::MostRows] {
        let whole = cut(&table, 3, next);
        let weighted = cut(&collapsed.table, 3, next);
        let labels: Vec<u32> = collapsed
            .collapsed_row
            .iter()
            .map(|&row| weighted.labels[row as usize])
            .collect();
        assert_eq!(labels, whole.labels);
    }
    let most_rows = by_first_row(&cut(&table, 3, CutNext::MostRows).labels);
    assert_eq!(most_rows, [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
}

#[test]
fn centres_are_means_and_the_cost_is_the_spread_around_them() {
    let table = mixed(300, 40);
    let points = Points::new(&table, Encoding::Semantic);
    let mut last_cost = f64::INFINITY;
    for n_clusters in 1..10 {
        let found = cut(&table, n_clusters, CutNext::LargestError);
        let cost = found.cost.unwrap();
        assert_eq!(
            (found.n_clusters, found.rounds),
            (n_clusters, n_clusters - 1)
        );
        assert!((cost - cost_of(&table, &found.labels)).abs() < 1e-9);
        assert!((cost - spread(&points, &found.labels, n_clusters)).abs() < 1e-12);
        assert!(cost < last_cost, "every cut lowers the cost");
        assert!(all_finite(&found));
        last_cost = cost;
    }
}

#[test]
fn two_clusters_are_those_of_two_means() {
    let table = mixed(200, 41);
    let points = Points::new(&table, Encoding::Semantic);
    let two_means = KMeans::new(2)
        .restarts(10)
        .cluster(&points, &Silent)
        .unwrap();
    let found = cut(&table, 2, CutNext::LargestError);
    assert_eq!(found.labels, two_means.labels);
    assert_eq!(found.centres, two_means.centres);
    assert!((found.cost.unwrap() - two_means.cost.unwrap()).abs() < 1e-9);
}

#[test]
fn it_can_cut_down_to_single_values() {
    let table = line(&[0, 0, 3, 3, 3, 7, 10], 10);
    for next in [CutNext::LargestError, CutNext::MostRows] {
        let found = cut(&table, 4, next);
        assert_eq!(by_first_row(&found.labels), [0, 0, 1, 1, 1, 2, 3]);
        assert!(found.cost.unwrap() < 1e-12);
    }
}

#[test]
fn the_spread_of_equal_sets_is_nothing() {
    let labels: Vec<String> = (0..7).map(|item| format!("i{item};*")).collect();
    let domain = sets_of(tree(&labels.join("\n")));
    let column = set_column(&vec![(0..7).collect(); 1000]);
    let table = Table::new(vec![field("s", domain, 1.0)], vec![column], None);
    let points = Points::new(&table, Encoding::Semantic);
    let found = spread(&points, &vec![0; 1000], 1);
    assert!(found < 1e-11, "{found}");
}

#[test]
fn too_many_clusters_are_refused() {
    let table = line(&[1, 1, 2], 10);
    let points = Points::new(&table, Encoding::Semantic);
    let error = BisectingKMeans::new(3)
        .cluster(&points, &Silent)
        .unwrap_err();
    assert_eq!(
        error.message(),
        "3 clusters were asked for, the table has only 2 different rows"
    );
}

#[test]
fn rows_that_cannot_be_told_apart_are_not_cut() {
    // Neighbouring places of the finest grid: nearer to each other than a squared distance can tell.
    let interval = Interval::new(0.0, 1.0, None, Unit::Number, true).unwrap();
    let places = [0, 1, 2, interval.last()];
    let domain = Domain::Numbers {
        interval,
        may_be_missing: false,
    };
    let column = number_column(places, &domain);
    let table = Table::new(vec![field("x", domain, 1.0)], vec![column], None);
    let points = Points::new(&table, Encoding::Semantic);
    let found = cut(&table, 2, CutNext::MostRows);
    assert_eq!(by_first_row(&found.labels), [0, 0, 0, 1]);
    assert!(all_finite(&found));
    for next in [CutNext::LargestError, CutNext::MostRows] {
        let error = BisectingKMeans::new(3)
            .cut_next(next)
            .cluster(&points, &Silent)
            .unwrap_err();
        assert_eq!(
            error.message(),
            "3 clusters were asked for, the table has only 2 different rows"
        );
    }
}
