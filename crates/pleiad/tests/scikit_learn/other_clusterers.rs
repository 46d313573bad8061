//! k-prototypes against kmodes; DBSCAN and the silhouette against scikit-learn.

use pleiad::Silent;
use pleiad::cluster::{Clusterer, Dbscan, Encoding, KPrototypes, Points, silhouettes};
use pleiad::table::Table;
use serde::Deserialize;

use crate::tables::{Described, assert_close, fixture, unit_cube};

#[derive(Deserialize)]
struct KPrototypesFixture {
    tables: Vec<KPrototypesTable>,
}

#[derive(Deserialize)]
struct KPrototypesTable {
    name: String,
    #[serde(flatten)]
    table: Described,
    weights: Vec<usize>,
    start_rows: Vec<usize>,
    given_gamma: Option<f64>,
    gamma: f64,
    labels: Vec<u32>,
    cost: f64,
}

/// A table whose rows are written as often as they count, and the same collapsed, each with the row of the first that every
/// row of the second comes from.
struct Weighted {
    forms: [(Table, Vec<usize>); 2],
}

impl Weighted {
    fn new(table: &Table, weights: &[usize]) -> Self {
        let rows: Vec<usize> = (0..weights.len())
            .flat_map(|row| std::iter::repeat_n(row, weights[row]))
            .collect();
        let selected: Vec<u32> = rows.iter().map(|&row| row as u32).collect();
        let repeated = table.select(&selected);
        let collapsed = repeated.collapse();
        let mut origin = vec![0; collapsed.table.n_rows()];
        for (&row, &to) in rows.iter().zip(&collapsed.collapsed_row) {
            origin[to as usize] = row;
        }
        Self {
            forms: [(repeated, rows), (collapsed.table, origin)],
        }
    }
}

#[test]
fn k_prototypes_beside_kmodes() {
    for case in fixture::<KPrototypesFixture>("kprototypes.json").tables {
        let forms = Weighted::new(&case.table.read(), &case.weights).forms;
        for (table, origin) in &forms {
            for encoding in [Encoding::Semantic, Encoding::OneHot] {
                let points = Points::new(table, encoding);
                let start: Vec<usize> = case
                    .start_rows
                    .iter()
                    .map(|&start| origin.iter().position(|&row| row == start).unwrap())
                    .collect();
                let found = KPrototypes::new(start.len())
                    .gamma(case.given_gamma)
                    .from_rows(&points, &start)
                    .unwrap();
                let expected: Vec<u32> = origin.iter().map(|&row| case.labels[row]).collect();
                // Rows that are alike may be numbered apart in the fixture, and are collapsed here.
                assert_eq!(found.labels, expected, "{}", case.name);
                assert_close(found.cost.unwrap(), case.cost, 1e-9, &case.name);
                assert_close(found.gamma.unwrap(), case.gamma, 1e-9, &case.name);
                assert!(found.converged && found.centres.is_none());
            }
        }
    }
}

#[derive(Deserialize)]
struct DbscanFixture {
    numeric: Vec<NumericCase>,
    mixed: Vec<MixedCase>,
}

#[derive(Deserialize)]
struct NumericCase {
    points: Vec<Vec<f64>>,
    #[serde(flatten)]
    answer: DbscanAnswer,
}

#[derive(Deserialize)]
struct MixedCase {
    #[serde(flatten)]
    table: Described,
    #[serde(flatten)]
    answer: DbscanAnswer,
}

#[derive(Deserialize)]
struct DbscanAnswer {
    name: String,
    weights: Vec<usize>,
    radius: f64,
    neighbours: u32,
    /// Noise is −1.
    labels: Vec<i32>,
    other_labels: Vec<i32>,
    silhouettes: [f64; 2],
}

/// The cases, each with its table and the encoding that makes distances those of the fixture.
fn dbscan_cases() -> Vec<(Table, Encoding, DbscanAnswer)> {
    let fixture = fixture::<DbscanFixture>("dbscan.json");
    let numeric = fixture
        .numeric
        .into_iter()
        .map(|case| (unit_cube(&case.points), Encoding::OneHot, case.answer));
    let mixed = fixture
        .mixed
        .into_iter()
        .map(|case| (case.table.read(), Encoding::Semantic, case.answer));
    numeric.chain(mixed).collect()
}

/// Labels by the order in which they appear, noise left as it is.
fn renamed(labels: impl Iterator<Item = Option<u32>>) -> Vec<Option<usize>> {
    let mut seen: Vec<u32> = Vec::new();
    labels
        .map(|label| {
            let label = label?;
            let known = seen.iter().position(|&other| other == label);
            Some(known.unwrap_or_else(|| {
                seen.push(label);
                seen.len() - 1
            }))
        })
        .collect()
}

#[test]
fn dbscan_on_numbers_and_mixed_columns() {
    for (table, encoding, case) in dbscan_cases() {
        for (table, origin) in &Weighted::new(&table, &case.weights).forms {
            let points = Points::new(table, encoding);
            let found = Dbscan::new()
                .radius(Some(case.radius))
                .neighbours(Some(case.neighbours))
                .cluster(&points, &Silent)
                .unwrap();
            let found_labels = found
                .labels
                .iter()
                .map(|&label| (Some(label) != found.noise).then_some(label));
            let expected = origin
                .iter()
                .map(|&row| u32::try_from(case.labels[row]).ok());
            assert_eq!(renamed(found_labels), renamed(expected), "{}", case.name);
            let n_clusters = case.labels.iter().max().unwrap() + 1;
            assert_eq!(found.n_clusters, n_clusters as usize + 1, "{}", case.name);
            assert_eq!(found.noise, Some(n_clusters as u32), "{}", case.name);
        }
    }
}

#[test]
fn silhouettes_of_several_clusterings() {
    for (table, encoding, case) in dbscan_cases() {
        for (table, origin) in &Weighted::new(&table, &case.weights).forms {
            let points = Points::new(table, encoding);
            let [first, second] = [&case.labels, &case.other_labels].map(|labels| {
                let of_row = |&row: &usize| (labels[row] + 1) as u32;
                origin.iter().map(of_row).collect::<Vec<u32>>()
            });
            let found = silhouettes(&points, &[&first, &second]);
            for (found, expected) in found.values.iter().zip(case.silhouettes) {
                assert!(
                    (found.unwrap() - expected).abs() < 1e-9,
                    "{}: {found:?} instead of {expected}",
                    case.name
                );
            }
            assert_eq!(found.n_rows, found.n_different);
        }
    }
}
