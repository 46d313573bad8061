//! The protocol on tables whose structure is known.

use super::*;
use crate::cluster::{Algorithm, Encoding, Points, Seeding, Tuning};
use crate::progress::Silent;
use crate::table::{Codes, Column, Domain, Field, Interval, Role, Table, Unit};

/// A table of whole numbers from 0 to 1000, given column by column.
fn table(columns: &[Vec<u32>]) -> Table {
    let fields = (0..columns.len())
        .map(|number| Field {
            name: format!("x{number}"),
            role: Role::Plain,
            domain: Domain::Numbers {
                interval: Interval::new(0.0, 1000.0, Some(1.0), Unit::Number, true).unwrap(),
                may_be_missing: false,
            },
            weight: 1.0,
        })
        .collect();
    let columns = columns
        .iter()
        .map(|column| Column::Numbers(Codes::pack(column.iter().copied(), 1002)))
        .collect();
    Table::new(fields, columns, None)
}

/// Rows scattered a little around given places, each with as many rows.
fn blobs(centres: &[[u32; 2]], rows_each: u32) -> Table {
    let mut columns = [Vec::new(), Vec::new()];
    for row in 0..rows_each {
        for centre in centres {
            columns[0].push(centre[0] + (row * 37) % 50);
            columns[1].push(centre[1] + (row * 53) % 50);
        }
    }
    table(&columns)
}

fn compare(
    raw: &Table,
    release: &Table,
    n_clusters: usize,
    labelled_by: LabelledBy<'_>,
) -> (Reference, Comparison) {
    let protocol = Protocol::new(Algorithm::KMeans, n_clusters);
    let raw = Points::new(raw, Encoding::Semantic);
    let release = Points::new(release, Encoding::Semantic);
    let reference = Reference::new(&raw, &protocol, &Silent).unwrap();
    let comparison =
        Comparison::new(&raw, &reference, &release, labelled_by, &protocol, &Silent).unwrap();
    (reference, comparison)
}

const THREE: [[u32; 2]; 3] = [[100, 100], [800, 150], [400, 850]];

#[test]
fn a_release_that_is_the_raw_table_is_perfect() {
    let raw = blobs(&THREE, 80);
    let (reference, comparison) = compare(&raw, &raw, 3, LabelledBy::Row);
    assert_eq!(reference.optima.len(), 1);
    for measure in &MEASURES {
        let perfect = match measure.name {
            "moved" | "size error" => 0.0,
            _ => 1.0,
        };
        assert_eq!(
            measure.value(&comparison),
            Some(perfect),
            "{}",
            measure.name
        );
        if let Some(ceiling) = measure.ceiling(&comparison) {
            assert_eq!(ceiling, perfect, "{}", measure.name);
        }
    }
}

#[test]
fn the_floor_lies_below_where_columns_belong_together() {
    let raw = blobs(&THREE, 80);
    let (_, comparison) = compare(&raw, &raw, 3, LabelledBy::Row);
    // Centres alone can be right by luck, and so can sizes: what is lost is which row belongs where.
    let by_row = [
        "F-measure",
        "F-near",
        "match point",
        "adjusted Rand",
        "mutual information",
        "moved",
    ];
    for measure in MEASURES
        .iter()
        .filter(|measure| by_row.contains(&measure.name))
    {
        let (value, floor) = (
            measure.value(&comparison).unwrap(),
            measure.floor(&comparison).unwrap(),
        );
        match measure.better {
            Better::Higher => assert!(floor < value - 0.05, "{} {floor}", measure.name),
            Better::Lower => assert!(floor > value + 0.05, "{} {floor}", measure.name),
        }
    }
}

#[test]
fn cells_rows_and_centres_agree_where_they_must() {
    let raw = blobs(&THREE, 60);
    let identity: Vec<u32> = (0..raw.n_rows() as u32).collect();
    let (_, by_row) = compare(&raw, &raw, 3, LabelledBy::Row);
    let (_, by_cell) = compare(&raw, &raw, 3, LabelledBy::Cell(&identity));
    let (_, by_centre) = compare(&raw, &raw, 3, LabelledBy::Centre);
    assert_eq!(by_row.labels, by_cell.labels);
    assert_eq!(by_row.labels, by_centre.labels);
    assert_eq!(by_row.release.agreement, by_cell.release.agreement);
    assert_eq!(by_cell.release.f_assigned_back, None);
}

#[test]
fn a_release_of_cells_is_judged_by_the_cells_of_the_raw_rows() {
    let raw = blobs(&THREE, 60);
    // Three cells at the middles, in another order than the raw clusters.
    let cells = table(&[vec![425, 125, 825], vec![875, 125, 175]]);
    let cell_of_row: Vec<u32> = (0..raw.n_rows() as u32)
        .map(|row| [1, 2, 0][row as usize % 3])
        .collect();
    let protocol = Protocol {
        floor_draws: 0,
        ..Protocol::new(Algorithm::KMeans, 3)
    };
    let raw_points = Points::new(&raw, Encoding::Semantic);
    let reference = Reference::new(&raw_points, &protocol, &Silent).unwrap();
    let comparison = Comparison::new(
        &raw_points,
        &reference,
        &Points::new(&cells, Encoding::Semantic),
        LabelledBy::Cell(&cell_of_row),
        &protocol,
        &Silent,
    )
    .unwrap();
    assert_eq!(comparison.release.agreement.f, 1.0);
    let ratio = comparison.release.cost_ratio;
    assert!((1.0..1.05).contains(&ratio), "{ratio}");
}

#[test]
fn a_table_with_two_equally_good_clusterings_has_two_optima() {
    // Four corners of a square, two clusters: side by side or one above the other.
    let raw = blobs(&[[100, 100], [100, 800], [800, 100], [800, 800]], 50);
    let (reference, comparison) = compare(&raw, &raw, 2, LabelledBy::Row);
    assert!(reference.optima.len() >= 2, "{}", reference.optima.len());
    assert_eq!(comparison.n_optima, reference.optima.len());
    assert!(comparison.release.f_near >= comparison.release.agreement.f);
    assert!(comparison.release.f_near > 0.99);
}

#[test]
fn the_recipient_may_cluster_in_another_way() {
    let raw = blobs(&THREE, 60);
    let protocol = Protocol {
        recipient: Algorithm::Bisecting,
        ..Protocol::new(Algorithm::KMeans, 3)
    };
    let points = Points::new(&raw, Encoding::Semantic);
    let reference = Reference::new(&points, &protocol, &Silent).unwrap();
    let comparison = Comparison::new(
        &points,
        &reference,
        &points,
        LabelledBy::Row,
        &protocol,
        &Silent,
    )
    .unwrap();
    assert_eq!(comparison.release.agreement.f, 1.0);
}

#[test]
fn weights_count_rows() {
    let raw = blobs(&THREE, 40);
    let twice: Vec<u32> = (0..raw.n_rows() as u32)
        .flat_map(|row| [row, row])
        .collect();
    let repeated = raw.select(&twice);
    let collapsed = repeated.collapse();
    let (_, plain) = compare(&repeated, &repeated, 3, LabelledBy::Row);
    let (_, weighted) = compare(&collapsed.table, &collapsed.table, 3, LabelledBy::Row);
    assert_eq!(plain.release.agreement, weighted.release.agreement);
    assert_eq!(plain.release.cost_ratio, weighted.release.cost_ratio);
}

/// The raw table as its own release, judged for two clusterers.
fn judged(owner: Algorithm, recipient: Algorithm, labelled_by: LabelledBy<'_>) -> Comparison {
    let raw = blobs(&THREE, 60);
    let points = Points::new(&raw, Encoding::Semantic);
    let protocol = Protocol {
        recipient,
        floor_draws: 1,
        ..Protocol::new(owner, 3)
    };
    let reference = Reference::new(&points, &protocol, &Silent).unwrap();
    Comparison::new(
        &points,
        &reference,
        &points,
        labelled_by,
        &protocol,
        &Silent,
    )
    .unwrap()
}

#[test]
fn clusterers_without_centres_are_judged_in_the_space() {
    let (dense, prototypes) = (Algorithm::Dbscan, Algorithm::KPrototypes);
    for (owner, recipient) in [
        (dense, dense),
        (prototypes, prototypes),
        (Algorithm::KMeans, dense),
        (dense, Algorithm::KMeans),
        (prototypes, Algorithm::Bisecting),
    ] {
        for labelled_by in [LabelledBy::Row, LabelledBy::Centre] {
            let comparison = judged(owner, recipient, labelled_by);
            assert_eq!(
                comparison.release.agreement.f, 1.0,
                "{owner:?}, {recipient:?}"
            );
            let cost_ratio = comparison.release.cost_ratio;
            assert!(
                (cost_ratio - 1.0).abs() < 1e-9,
                "{owner:?}, {recipient:?}: {cost_ratio}"
            );
            let has_centres = matches!(recipient, Algorithm::KMeans | Algorithm::Bisecting);
            assert_eq!(comparison.release.f_assigned.is_some(), has_centres);
            assert_eq!(comparison.ceiling.f, 1.0);
        }
    }
}

#[test]
fn a_clusterer_that_draws_nothing_runs_once() {
    let raw = blobs(&[[100, 100], [100, 800], [800, 100], [800, 800]], 30);
    let points = Points::new(&raw, Encoding::Semantic);
    let drawn = Protocol::new(Algorithm::KMeans, 2);
    let canopy = Protocol {
        tuning: Tuning {
            seeding: Seeding::Canopy,
            ..Tuning::default()
        },
        ..drawn
    };
    assert!(
        Reference::new(&points, &drawn, &Silent)
            .unwrap()
            .optima
            .len()
            > 1
    );
    assert_eq!(
        Reference::new(&points, &canopy, &Silent)
            .unwrap()
            .optima
            .len(),
        1
    );
}
