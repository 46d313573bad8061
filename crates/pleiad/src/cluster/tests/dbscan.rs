//! DBSCAN beside a plain one, and the tree of neighbours beside looking at every row.

use std::ops::ControlFlow;

use super::super::between::RowDistances;
use super::super::distinct::DistinctRows;
use super::super::neighbours::NeighbourTree;
use super::super::{Clusterer, Dbscan};
use super::*;
use crate::error::Kind;
use crate::progress::Silent;

#[test]
fn distances_between_rows_are_those_of_their_positions() {
    for (table, encoding) in [
        (mixed(60, 1), Encoding::Semantic),
        (mixed(60, 1), Encoding::OneHot),
        (masked(60, 2), Encoding::Semantic),
        (masked(60, 2), Encoding::OneHot),
    ] {
        let points = Points::new(&table, encoding);
        let rows: Vec<u32> = (0..60).rev().collect();
        let distances = RowDistances::new(&points, &rows);
        for (a, &row) in rows.iter().enumerate() {
            for (b, &other) in rows.iter().enumerate() {
                let (row, other) = (
                    points.position(row as usize),
                    points.position(other as usize),
                );
                let expected = squared_distance(&row, &other);
                assert!((distances.squared(a, b) - expected).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn a_dictionary_too_large_for_a_table_has_the_same_distances() {
    let labels: Vec<String> = (0..700).map(|value| format!("v{value}")).collect();
    let domain = Domain::Values(Tree {
        taxonomy: Taxonomy::star(labels).unwrap(),
        is_star: true,
    });
    let column = value_column(0..700, &domain);
    let table = Table::new(vec![field("v", domain, 1.0)], vec![column], None);
    let points = Points::new(&table, Encoding::Semantic);
    let rows: Vec<u32> = (0..700).collect();
    let distances = RowDistances::new(&points, &rows);
    assert!((distances.squared(3, 699) - 1.0).abs() < 1e-12);
    assert_eq!(distances.squared(5, 5), 0.0);
}

#[test]
fn the_tree_finds_every_row_within_the_radius_once() {
    for table in [mixed(300, 8), line(&(0..200).collect::<Vec<_>>(), 200)] {
        let points = Points::new(&table, Encoding::Semantic);
        let rows = DistinctRows::of(&points).rows;
        let distances = RowDistances::new(&points, &rows);
        let tree = NeighbourTree::new(&distances);
        for radius in [0.0, 0.05, 0.2, 0.5, 2.0] {
            for row in (0..rows.len()).step_by(7) {
                let mut found = Vec::new();
                tree.within(row, radius, &mut |other, squared| {
                    assert_eq!(squared, distances.squared(row, other));
                    found.push(other);
                    ControlFlow::Continue(())
                });
                found.sort_unstable();
                let near = |other: &usize| distances.distance(row, *other) <= radius + 1e-12;
                let expected: Vec<usize> = (0..rows.len()).filter(near).collect();
                assert_eq!(found, expected, "radius {radius}");
            }
        }
    }
}

/// The cluster of each row by the definition, numbered by appearance; rows between clusters go to the nearest core.
fn by_definition(points: &Points<'_>, radius: f64, neighbours: usize) -> Vec<Option<usize>> {
    let places: Vec<Vec<f64>> = (0..points.n_rows())
        .map(|row| points.position(row))
        .collect();
    let n_rows = places.len();
    let distance = |a: usize, b: usize| squared_distance(&places[a], &places[b]).sqrt();
    let near = |a: usize, b: usize| distance(a, b) <= radius + 1e-12;
    let is_core: Vec<bool> = (0..n_rows)
        .map(|row| (0..n_rows).filter(|&other| near(row, other)).count() >= neighbours)
        .collect();
    let mut labels: Vec<Option<usize>> = vec![None; n_rows];
    for first in 0..n_rows {
        if !is_core[first] || labels[first].is_some() {
            continue;
        }
        let mut open = vec![first];
        while let Some(row) = open.pop() {
            if labels[row].is_none() {
                labels[row] = Some(first);
                open.extend((0..n_rows).filter(|&other| is_core[other] && near(row, other)));
            }
        }
    }
    for row in (0..n_rows).filter(|&row| !is_core[row]) {
        let cores = (0..n_rows).filter(|&core| is_core[core] && near(row, core));
        let nearest = cores.min_by(|&a, &b| distance(row, a).total_cmp(&distance(row, b)));
        labels[row] = nearest.and_then(|core| labels[core]);
    }
    labels
}

#[test]
fn clusters_are_those_of_the_definition() {
    for (places, radius, neighbours) in [
        (vec![0, 1, 2, 3, 10, 11, 12, 13, 30, 50, 51, 52], 0.011, 3),
        (vec![0, 0, 0, 4, 8, 9, 9, 20, 21, 22, 23, 24, 40], 0.045, 4),
        (vec![5, 17, 40, 80], 0.05, 2),
    ] {
        let table = line(&places, 100);
        let points = Points::new(&table, Encoding::OneHot);
        let found = Dbscan::new()
            .radius(Some(radius))
            .neighbours(Some(neighbours))
            .cluster(&points, &Silent)
            .unwrap();
        let expected = by_definition(&points, radius, neighbours as usize);
        for a in 0..places.len() {
            let is_noise = found.noise == Some(found.labels[a]);
            assert_eq!(is_noise, expected[a].is_none(), "{places:?}, row {a}");
            for b in 0..places.len() {
                let together = found.labels[a] == found.labels[b];
                assert_eq!(together, expected[a] == expected[b], "{places:?}");
            }
        }
    }
}

#[test]
fn the_radius_that_is_chosen_finds_planted_clusters() {
    // Three dense stretches and three rows apart from everything.
    let mut places: Vec<u32> = Vec::new();
    for start in [100, 400, 800] {
        places.extend((0..40).map(|step| start + step));
    }
    places.extend([5, 600, 990]);
    let table = line(&places, 1000);
    let found = Dbscan::new()
        .cluster(&Points::new(&table, Encoding::Semantic), &Silent)
        .unwrap();
    assert_eq!(found.n_clusters, 4, "{:?}", found.radius);
    assert_eq!(found.noise, Some(3));
    let noise = found.marked_labels();
    assert_eq!(
        (0..places.len())
            .filter(|&row| noise[row] == u32::MAX)
            .collect::<Vec<_>>(),
        [120, 121, 122]
    );
}

#[test]
fn a_table_of_one_place_is_one_cluster() {
    let table = line(&[7; 9], 10);
    let found = Dbscan::new()
        .cluster(&Points::new(&table, Encoding::Semantic), &Silent)
        .unwrap();
    assert_eq!((found.n_clusters, found.noise), (1, None));
    let few = line(&[7; 3], 10);
    let found = Dbscan::new()
        .cluster(&Points::new(&few, Encoding::Semantic), &Silent)
        .unwrap();
    assert_eq!((found.n_clusters, found.noise), (1, Some(0)));
    assert_eq!(
        found
            .centres_or_means(&Points::new(&few, Encoding::Semantic))
            .len(),
        1
    );
}

#[test]
fn too_many_different_rows_are_refused_with_a_way_out() {
    let places: Vec<u32> = (0..=super::super::MOST_DIFFERENT_ROWS as u32).collect();
    let table = line(&places, 200_000);
    let error = Dbscan::new()
        .cluster(&Points::new(&table, Encoding::Semantic), &Silent)
        .unwrap_err();
    assert_eq!(error.kind(), Kind::Refused);
    assert!(error.message().contains("100001 different rows"), "{error}");
    assert!(error.hints()[0].contains("`kmeans`"));
}
