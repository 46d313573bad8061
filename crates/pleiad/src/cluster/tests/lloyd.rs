//! Lloyd's rounds on cases that can be worked out by hand, and against a plain search for the nearest centre.

use super::super::{Algorithm, KMeans, Tuning, assign};
use super::*;
use crate::cluster::Clusterer;
use crate::error::Kind;
use crate::progress::Silent;

/// Runs rounds over one column of numbers from centres given as shares of the range.
fn fit(places: &[u32], last: u32, start: &[f64], most_rounds: usize) -> Clustering {
    let table = line(places, last);
    let points = Points::new(&table, Encoding::Semantic);
    let start = start.iter().map(|&share| vec![share, 0.0]).collect();
    KMeans::new(1)
        .most_rounds(most_rounds)
        .from_centres(&points, start)
        .unwrap()
}

fn first_coordinates(clustering: &Clustering) -> Vec<f64> {
    clustering
        .centres
        .as_ref()
        .unwrap()
        .iter()
        .map(|centre| centre[0])
        .collect()
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 1e-12,
            "{found} instead of {expected}"
        );
    }
}

#[test]
fn two_pairs_on_a_line_are_found_in_three_rounds() {
    let found = fit(&[0, 1, 9, 10], 10, &[0.0, 0.1], 300);
    assert_eq!(found.labels, [0, 0, 1, 1]);
    assert_near(&first_coordinates(&found), &[0.05, 0.95]);
    assert_near(&[found.cost.unwrap()], &[4.0 * 0.05 * 0.05]);
    assert_eq!(
        (found.rounds, found.converged, found.n_clusters),
        (3, true, 2)
    );
}

#[test]
fn rounds_end_when_they_are_used_up() {
    // After one round the second centre is the mean of 1, 9 and 10; rows are labelled by the centres that are returned.
    let found = fit(&[0, 1, 9, 10], 10, &[0.0, 0.1], 1);
    assert_eq!(found.labels, [0, 0, 1, 1]);
    assert_near(&first_coordinates(&found), &[0.0, 2.0 / 3.0]);
    let two_thirds: f64 = 2.0 / 3.0;
    let cost = 0.01 + (0.9 - two_thirds).powi(2) + (1.0 - two_thirds).powi(2);
    assert_near(&[found.cost.unwrap()], &[cost]);
    assert_eq!((found.rounds, found.converged), (1, false));
    let found = fit(&[0, 1, 9, 10], 10, &[0.0, 0.1], 2);
    assert_eq!((found.rounds, found.converged), (2, false));
}

#[test]
fn a_missing_number_pulls_its_centre_to_the_middle() {
    let domain = numbers(10, true);
    let column = number_column([0, 11], &domain);
    let table = Table::new(vec![field("x", domain, 1.0)], vec![column], None);
    let points = Points::new(&table, Encoding::Semantic);
    let found = KMeans::new(1).cluster(&points, &Silent).unwrap();
    let half: f64 = 0.5;
    assert_near(
        &found.centres.as_ref().unwrap()[0],
        &[0.25, half.sqrt() / 2.0],
    );
    // The two rows are (0, 0) and (1/2, √½): ¾ apart in squares, half of which is around their mean.
    assert_near(&[found.cost.unwrap()], &[0.375]);
}

#[test]
fn a_tree_and_a_set_have_the_mean_of_their_paths() {
    let domains = [
        Domain::Values(tree("a;x;*\nb;x;*\nc;*")),
        sets_of(tree("p;*\nq;*\nr;*")),
    ];
    let columns = vec![
        value_column([0, 1, 2], &domains[0]),
        set_column(&[vec![0, 1, 2], vec![0], vec![3]]),
    ];
    let fields = domains
        .into_iter()
        .map(|domain| field("c", domain, 1.0))
        .collect();
    let table = Table::new(fields, columns, None);
    let found = KMeans::new(1)
        .cluster(&Points::new(&table, Encoding::Semantic), &Silent)
        .unwrap();
    // Column weights ½; path lengths 2 and 1: a leaf has √(1/8) on its nodes there, √(1/4) here.
    let (deep, flat) = (0.125_f64.sqrt(), 0.5);
    let third = 1.0 / 3.0;
    let expected = [
        // x, a, b, c
        deep * 2.0 * third,
        deep * third,
        deep * third,
        deep * third,
        // p, q, r, none
        flat * (third + 1.0) * third,
        flat * third * third,
        flat * third * third,
        flat * third,
    ];
    assert_near(&found.centres.unwrap()[0], &expected);
}

#[test]
fn rows_that_agree_have_their_own_position_as_centre() {
    // Sets of every size up to twelve: thirds, sevenths and elevenths of an item must add up to whole ones.
    let labels: Vec<String> = (0..12).map(|item| format!("i{item};*")).collect();
    for size in 1..=12 {
        let domain = sets_of(tree(&labels.join("\n")));
        let column = set_column(&vec![(0..size).collect(); 3]);
        let table = Table::new(vec![field("s", domain, 1.0)], vec![column], None);
        let points = Points::new(&table, Encoding::Semantic);
        let found = KMeans::new(1).cluster(&points, &Silent).unwrap();
        let distance = squared_distance(&found.centres.unwrap()[0], &points.position(0)).sqrt();
        assert!(distance < 1e-15, "{size} items: off by {distance}");
        assert!(found.cost.unwrap() < 1e-14);
    }
}

#[test]
fn a_centre_without_rows_starts_anew_at_the_farthest_row() {
    // The third centre is nearer to no row; then the second, drawn towards 10, loses 1 and 10 one after the other.
    let found = fit(&[0, 1, 10], 10, &[0.0, 0.1, 5.0], 300);
    assert_eq!(found.labels, [1, 0, 2]);
    assert_near(&first_coordinates(&found), &[0.1, 0.0, 1.0]);
    assert!(found.cost.unwrap() < 1e-14 && found.converged);
    // All three start on one spot: two of them have to go elsewhere.
    let found = fit(&[0, 4, 5, 10], 10, &[0.3, 0.3, 0.3], 300);
    let mut sorted = first_coordinates(&found);
    sorted.sort_by(f64::total_cmp);
    assert_near(&sorted, &[0.0, 0.45, 1.0]);
}

#[test]
fn whatever_the_start_every_cluster_has_rows_and_finite_centres() {
    let mut choices = Repeatable::new(4);
    for trial in 0..60 {
        let table = mixed(80, 20 + trial);
        let encoding = if happens(&mut choices, 50) {
            Encoding::Semantic
        } else {
            Encoding::OneHot
        };
        let points = Points::new(&table, encoding);
        let n_clusters = 2 + below(&mut choices, 20);
        // Rows that repeat, places where no row is, and places far off.
        let start: Vec<Vec<f64>> = (0..n_clusters)
            .map(|_| {
                let row = below(&mut choices, 10);
                let stretch = [1.0, 1.0, 0.5, 30.0][below(&mut choices, 4)];
                points
                    .position(row)
                    .iter()
                    .map(|value| value * stretch)
                    .collect()
            })
            .collect();
        let found = KMeans::new(1).from_centres(&points, start).unwrap();
        assert!(found.converged && all_finite(&found));
        for cluster in 0..n_clusters as u32 {
            assert!(
                found.labels.contains(&cluster),
                "trial {trial}: cluster {cluster} has no rows"
            );
        }
    }
}

#[test]
fn the_cost_never_rises_from_round_to_round() {
    for seed in 0..8 {
        let table = mixed(200, 50 + seed);
        let points = Points::new(&table, Encoding::Semantic);
        // Four equal starts: the rounds go through re-seeded centres too.
        let start: Vec<Vec<f64>> = [0, 0, 0, 0, 5, 9].map(|row| points.position(row)).to_vec();
        let mut last_cost = f64::INFINITY;
        for most_rounds in 1..30 {
            let found = KMeans::new(6)
                .most_rounds(most_rounds)
                .from_centres(&points, start.clone())
                .unwrap();
            let cost = found.cost.unwrap();
            assert!(cost <= last_cost + 1e-12, "{cost} after {last_cost}");
            assert_eq!(
                found.converged,
                found.rounds < most_rounds || found.cost == Some(last_cost)
            );
            last_cost = cost;
        }
    }
}

#[test]
fn a_converged_clustering_is_a_fixed_point() {
    let table = mixed(300, 70);
    let points = Points::new(&table, Encoding::Semantic);
    let found = KMeans::new(5).cluster(&points, &Silent).unwrap();
    assert!(found.converged);
    let centres = found.centres.unwrap();
    let positions = positions(&table, Encoding::Semantic);
    for (cluster, centre) in (0..).zip(&centres) {
        let members: Vec<&Vec<f64>> = positions
            .iter()
            .zip(&found.labels)
            .filter(|(_, label)| **label == cluster)
            .map(|(position, _)| position)
            .collect();
        let mean: Vec<f64> = (0..centre.len())
            .map(|at| {
                members.iter().map(|position| position[at]).sum::<f64>() / members.len() as f64
            })
            .collect();
        assert_near(centre, &mean);
    }
    let again = KMeans::new(5)
        .from_centres(&points, centres.clone())
        .unwrap();
    assert_eq!(again.centres, Some(centres));
    assert_eq!((again.rounds, again.cost), (2, found.cost));
}

#[test]
fn any_number_of_centres_gives_the_nearest_of_all() {
    for encoding in [Encoding::Semantic, Encoding::OneHot] {
        let table = mixed(150, 80);
        let points = Points::new(&table, encoding);
        let rows = positions(&table, encoding);
        let mut choices = Repeatable::new(5);
        for n_centres in (1..=40).chain([64, 65, 100]) {
            let centres: Vec<Vec<f64>> = (0..n_centres)
                .map(|_| {
                    let (a, b) = (
                        &rows[below(&mut choices, 150)],
                        &rows[below(&mut choices, 150)],
                    );
                    a.iter().zip(b).map(|(a, b)| 0.7 * a + 0.3 * b).collect()
                })
                .collect();
            let (labels, cost) = assign(&points, &centres);
            let mut expected_cost = 0.0;
            for (row, &label) in rows.iter().zip(&labels) {
                let distances: Vec<f64> = centres
                    .iter()
                    .map(|centre| squared_distance(row, centre))
                    .collect();
                let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
                assert!(
                    distances[label as usize] <= least + 1e-13,
                    "{n_centres} centres"
                );
                expected_cost += least;
            }
            assert!(
                (cost - expected_cost).abs() < 1e-10,
                "{cost} instead of {expected_cost}"
            );
        }
    }
}

#[test]
fn the_first_of_equal_centres_takes_the_rows() {
    let table = mixed(100, 81);
    let points = Points::new(&table, Encoding::Semantic);
    // Each of four centres stands in every block of lanes.
    let centres: Vec<Vec<f64>> = (0..40).map(|centre| points.position(centre % 4)).collect();
    let (labels, _) = assign(&points, &centres);
    let (among_four, _) = assign(&points, &centres[..4]);
    assert_eq!(labels, among_four);
}

#[test]
fn too_many_clusters_are_refused() {
    let message = |places: &[u32], n_clusters: usize| {
        let table = line(places, 10);
        let points = Points::new(&table, Encoding::Semantic);
        let errors = [
            KMeans::new(n_clusters)
                .cluster(&points, &Silent)
                .unwrap_err(),
            Algorithm::KMeans
                .restarts(&points, n_clusters, 0, 4, &Tuning::default(), &Silent)
                .unwrap_err(),
            KMeans::new(1)
                .from_centres(&points, vec![vec![0.5, 0.0]; n_clusters])
                .unwrap_err(),
        ];
        let [first, ..] = &errors;
        assert!(
            errors
                .iter()
                .all(|error| error.to_string() == first.to_string())
        );
        (first.kind(), first.to_string())
    };
    let data = |text: &str| (Kind::Data, text.to_owned());
    assert_eq!(
        message(&[3, 4], 3),
        data("3 clusters were asked for, the table has 2 rows")
    );
    assert_eq!(
        message(&[3], 2),
        data("2 clusters were asked for, the table has 1 row")
    );
    assert_eq!(
        message(&[3, 4, 4, 3], 3),
        data("3 clusters were asked for, the table has only 2 different rows")
    );
    assert_eq!(
        message(&[7, 7, 7], 2),
        data("2 clusters were asked for, the table has only 1 different row")
    );
    assert_eq!(
        message(&[1, 2, 3], 0),
        (Kind::Spec, "there must be at least one cluster".to_owned())
    );
}

#[test]
fn weights_count_as_rows_and_not_as_different_rows() {
    let table = line(&[3, 3, 3, 4], 10).collapse().table;
    let points = Points::new(&table, Encoding::Semantic);
    let error = KMeans::new(3).cluster(&points, &Silent).unwrap_err();
    assert_eq!(
        error.message(),
        "3 clusters were asked for, the table has only 2 different rows"
    );
    let error = KMeans::new(5).cluster(&points, &Silent).unwrap_err();
    assert_eq!(
        error.message(),
        "5 clusters were asked for, the table has 4 rows"
    );
}

#[test]
fn rows_that_differ_only_in_writing_are_no_different_rows() {
    // A chain of single children: both nodes stand for the leaf under them and lie where it lies.
    let tree = tree("leaf;inner;outer;*\nother;*");
    let nodes = ["leaf", "inner", "outer", "inner"]
        .map(|label| tree.taxonomy.node_of_label(label).unwrap());
    let values = nodes.map(|node| MaskedValue::under(&tree, node));
    let fields = vec![field("v", Domain::Values(tree), 1.0)];
    let table = Table::new(fields, vec![masked_column(values)], None);
    let points = Points::new(&table, Encoding::Semantic);
    for n_clusters in [2, 3] {
        let error = KMeans::new(n_clusters)
            .cluster(&points, &Silent)
            .unwrap_err();
        let expected =
            format!("{n_clusters} clusters were asked for, the table has only 1 different row");
        assert_eq!(error.message(), expected);
    }
}

#[test]
fn one_row_and_one_value_make_one_cluster() {
    for places in [&[4][..], &[4, 4, 4][..]] {
        let found = fit(places, 10, &[0.9], 300);
        assert!(found.labels.iter().all(|&label| label == 0));
        assert_near(&first_coordinates(&found), &[0.4]);
        assert!(found.cost.unwrap() < 1e-14 && found.converged);
        let table = line(places, 10);
        let drawn = KMeans::new(1)
            .cluster(&Points::new(&table, Encoding::Semantic), &Silent)
            .unwrap();
        assert_near(&first_coordinates(&drawn), &[0.4]);
    }
}

#[test]
fn one_cluster_lies_at_the_mean_of_all_rows() {
    let table = mixed(150, 90);
    let rows = positions(&table, Encoding::Semantic);
    let found = KMeans::new(1)
        .cluster(&Points::new(&table, Encoding::Semantic), &Silent)
        .unwrap();
    let mean: Vec<f64> = (0..rows[0].len())
        .map(|at| rows.iter().map(|row| row[at]).sum::<f64>() / 150.0)
        .collect();
    assert_near(&found.centres.as_ref().unwrap()[0], &mean);
    let cost: f64 = rows.iter().map(|row| squared_distance(row, &mean)).sum();
    assert!((found.cost.unwrap() - cost).abs() < 1e-10);
}

#[test]
fn as_many_clusters_as_different_rows_cost_nothing() {
    let table = mixed(40, 91);
    let n_different = table.collapse().table.n_rows();
    for encoding in [Encoding::Semantic, Encoding::OneHot] {
        let points = Points::new(&table, encoding);
        let found = KMeans::new(n_different)
            .restarts(2)
            .cluster(&points, &Silent)
            .unwrap();
        assert_eq!(found.n_clusters, n_different);
        assert!(found.cost.unwrap() < 1e-12, "{:?}", found.cost);
    }
}
