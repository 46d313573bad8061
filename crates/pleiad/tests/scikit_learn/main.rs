//! Clusterers and measures against scikit-learn and `SciPy`; `fixtures/scikit_learn` says how the answers were made.

mod other_clusterers;
mod tables;

use std::collections::HashMap;

use pleiad::Silent;
use pleiad::cluster::{
    BisectingKMeans, Clusterer, Clustering, CutNext, Encoding, KMeans, Points, assign,
};
use pleiad::evaluate::agreement::{adjusted_rand, moved_share, normalised_mutual_information};
use pleiad::evaluate::contingency::Contingency;
use pleiad::evaluate::t_test::paired_t_test;
use pleiad::table::{Domain, Table};
use serde::Deserialize;

use tables::{Described, assert_close, fixture, unit_cube};

/// A point of the unit cube in our space, where every number has a second coordinate for "missing".
fn padded(point: &[f64]) -> Vec<f64> {
    point.iter().flat_map(|&value| [value, 0.0]).collect()
}

fn assert_same_centres(found: &Clustering, expected: &[Vec<f64>], what: &str) {
    let centres = found.centres.as_ref().expect("a clusterer with centres");
    assert_eq!(centres.len(), expected.len());
    for (centre, expected) in centres.iter().zip(expected) {
        for (found, expected) in centre.iter().zip(padded(expected)) {
            assert_close(*found, expected, 1e-6, what);
        }
    }
}

#[derive(Deserialize)]
struct NumericFixture {
    cases: Vec<NumericCase>,
}

#[derive(Deserialize)]
struct NumericCase {
    name: String,
    points: Vec<Vec<f64>>,
    weights: Option<Vec<usize>>,
    start: Vec<Vec<f64>>,
    labels: Vec<u32>,
    centres: Vec<Vec<f64>>,
    cost: f64,
    rounds: usize,
}

#[test]
fn k_means_on_numbers() {
    for case in fixture::<NumericFixture>("kmeans_numeric.json").cases {
        let weights = case.weights.unwrap_or_else(|| vec![1; case.points.len()]);
        let rows: Vec<usize> = (0..weights.len())
            .flat_map(|row| std::iter::repeat_n(row, weights[row]))
            .collect();
        let points: Vec<Vec<f64>> = rows.iter().map(|&row| case.points[row].clone()).collect();
        let labels: Vec<u32> = rows.iter().map(|&row| case.labels[row]).collect();
        let repeated = unit_cube(&points);
        let collapsed = repeated.collapse();
        let start: Vec<Vec<f64>> = case.start.iter().map(|centre| padded(centre)).collect();
        let itself: Vec<u32> = (0..rows.len() as u32).collect();
        for (table, row_of) in [
            (&repeated, &itself),
            (&collapsed.table, &collapsed.collapsed_row),
        ] {
            let points = Points::new(table, Encoding::OneHot);
            let found = KMeans::new(start.len())
                .from_centres(&points, start.clone())
                .unwrap();
            let found_labels: Vec<u32> = row_of
                .iter()
                .map(|&row| found.labels[row as usize])
                .collect();
            assert_eq!(found_labels, labels, "{}", case.name);
            assert_same_centres(&found, &case.centres, &case.name);
            assert_close(found.cost.unwrap(), case.cost, 1e-6, &case.name);
            assert_eq!(
                (found.rounds, found.converged),
                (case.rounds, true),
                "{}",
                case.name
            );
        }
    }
}

#[derive(Deserialize)]
struct MixedFixture {
    tables: Vec<MixedTable>,
}

#[derive(Deserialize)]
struct MixedTable {
    name: String,
    #[serde(flatten)]
    table: Described,
    longest_paths: HashMap<String, u32>,
    start_rows: Vec<usize>,
    coordinates: Vec<String>,
    labels: Vec<u32>,
    centres: Vec<Vec<f64>>,
    cost: f64,
    rounds: usize,
    pairwise: Vec<(usize, usize, f64)>,
    one_hot: OneHot,
}

#[derive(Deserialize)]
struct OneHot {
    labels: Vec<u32>,
    cost: f64,
    rounds: usize,
}

impl MixedTable {
    fn start(&self, points: &Points<'_>) -> Vec<Vec<f64>> {
        self.start_rows
            .iter()
            .map(|&row| points.position(row))
            .collect()
    }
}

/// The names of the coordinates as the fixture has them: a number and its "missing", or the nodes of a tree in preorder
/// without the root.
fn coordinate_names(table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    for field in table.fields() {
        match &field.domain {
            Domain::Numbers { .. } => {
                names.extend([field.name.clone(), format!("{}=", field.name)]);
            }
            Domain::Values(tree) | Domain::Sets { tree, .. } => {
                let nodes = 1..tree.taxonomy.n_nodes() as u32;
                names.extend(
                    nodes.map(|node| format!("{}={}", field.name, tree.taxonomy.label(node))),
                );
            }
        }
    }
    names
}

#[test]
fn k_means_on_mixed_columns() {
    for case in fixture::<MixedFixture>("kmeans_mixed.json").tables {
        let table = case.table.read();
        for field in table.fields() {
            if let Some(tree) = field.domain.tree() {
                assert_eq!(tree.taxonomy.height(), case.longest_paths[&field.name]);
            }
        }
        let points = Points::new(&table, Encoding::Semantic);
        let found = KMeans::new(case.start_rows.len())
            .from_centres(&points, case.start(&points))
            .unwrap();
        assert_eq!(found.labels, case.labels, "{}", case.name);
        assert_close(found.cost.unwrap(), case.cost, 1e-6, &case.name);
        assert_eq!(
            (found.rounds, found.converged),
            (case.rounds, true),
            "{}",
            case.name
        );
        let names = coordinate_names(&table);
        assert!(names.iter().all(|name| case.coordinates.contains(name)));
        for (centre, expected) in found.centres.unwrap().iter().zip(&case.centres) {
            assert_eq!(centre.len(), names.len());
            let own: HashMap<&str, f64> = names
                .iter()
                .map(String::as_str)
                .zip(centre.iter().copied())
                .collect();
            for (name, &expected) in case.coordinates.iter().zip(expected) {
                // A column in which nothing may be missing has no coordinate for it here.
                let found = own.get(name.as_str()).copied().unwrap_or(0.0);
                assert_close(found, expected, 1e-6, name);
            }
        }
    }
}

#[test]
fn k_means_on_one_hot_columns() {
    for case in fixture::<MixedFixture>("kmeans_mixed.json").tables {
        let table = case.table.read();
        let points = Points::new(&table, Encoding::OneHot);
        let found = KMeans::new(case.start_rows.len())
            .from_centres(&points, case.start(&points))
            .unwrap();
        assert_eq!(found.labels, case.one_hot.labels, "{}", case.name);
        assert_close(found.cost.unwrap(), case.one_hot.cost, 1e-6, &case.name);
        assert_eq!(
            (found.rounds, found.converged),
            (case.one_hot.rounds, true),
            "{}",
            case.name
        );
    }
}

#[test]
fn distances_of_mixed_rows() {
    for case in fixture::<MixedFixture>("kmeans_mixed.json").tables {
        let table = case.table.read();
        let points = Points::new(&table, Encoding::Semantic);
        for &(a, b, expected) in &case.pairwise {
            let (from, to) = (points.position(a), points.position(b));
            let by_position: f64 = from.iter().zip(&to).map(|(x, y)| (x - y) * (x - y)).sum();
            let (_, by_kernel) = assign(&points.select(&[a as u32]), &[to]);
            for found in [by_position, by_kernel] {
                assert!(
                    (found - expected).abs() < 1e-9,
                    "rows {a} and {b}: {found} instead of {expected}"
                );
            }
        }
    }
}

#[derive(Deserialize)]
struct BisectingFixture {
    cases: Vec<BisectingCase>,
}

#[derive(Deserialize)]
struct BisectingCase {
    name: String,
    strategy: String,
    k: usize,
    points: Vec<Vec<f64>>,
    labels: Vec<u32>,
    centres: Vec<Vec<f64>>,
    cost: f64,
}

/// The clusters of a labelling in the order of their first rows.
fn in_order_of_first_rows(labels: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::new();
    for label in labels {
        if !order.contains(label) {
            order.push(*label);
        }
    }
    order
}

#[test]
fn bisecting_k_means() {
    for case in fixture::<BisectingFixture>("bisecting.json").cases {
        let what = format!("{}, {}", case.name, case.strategy);
        let next = match case.strategy.as_str() {
            "biggest_inertia" => CutNext::LargestError,
            _ => CutNext::MostRows,
        };
        let table = unit_cube(&case.points);
        let points = Points::new(&table, Encoding::OneHot);
        let mut found = BisectingKMeans::new(case.k)
            .trials(30)
            .cut_next(next)
            .cluster(&points, &Silent)
            .unwrap();
        let order = in_order_of_first_rows(&found.labels);
        let renamed = found
            .labels
            .iter()
            .map(|label| order.iter().position(|other| other == label));
        let renamed: Vec<u32> = renamed.map(|at| at.unwrap() as u32).collect();
        assert_eq!(renamed, case.labels, "{what}");
        let centres = found.centres.take().unwrap();
        found.centres = Some(
            order
                .iter()
                .map(|&label| centres[label as usize].clone())
                .collect(),
        );
        assert_same_centres(&found, &case.centres, &what);
        assert_close(found.cost.unwrap(), case.cost, 1e-6, &what);
    }
}

#[derive(Deserialize)]
struct AgreementFixture {
    pairs: Vec<Pair>,
    t_tests: Vec<Sample>,
}

#[derive(Deserialize)]
struct Pair {
    raw: Vec<u32>,
    other: Vec<u32>,
    ari: f64,
    nmi: f64,
    moved: f64,
    contingency: Vec<Vec<u64>>,
}

#[derive(Deserialize)]
struct Sample {
    a: Vec<f64>,
    b: Vec<f64>,
    statistic: f64,
    pvalue: f64,
}

#[test]
fn agreement_of_labellings() {
    for pair in fixture::<AgreementFixture>("agreement.json").pairs {
        let table = Contingency::from_labels(&pair.raw, &pair.other, None);
        assert_eq!(table, Contingency::from_counts(pair.contingency));
        let measures = [
            (adjusted_rand(&table), pair.ari),
            (normalised_mutual_information(&table), pair.nmi),
            (moved_share(&table), pair.moved),
        ];
        for (found, expected) in measures {
            assert!(
                (found - expected).abs() < 1e-11,
                "{found} instead of {expected}"
            );
        }
    }
}

#[test]
fn paired_t_tests() {
    for sample in fixture::<AgreementFixture>("agreement.json").t_tests {
        let found = paired_t_test(&sample.a, &sample.b).unwrap();
        let near = |found: f64, expected: f64| (found - expected).abs() <= 1e-8 * expected.abs();
        assert!(
            near(found.statistic, sample.statistic),
            "{found:?}, not {}",
            sample.statistic
        );
        assert!(
            near(found.p_value, sample.pvalue),
            "{found:?}, not {}",
            sample.pvalue
        );
    }
}
