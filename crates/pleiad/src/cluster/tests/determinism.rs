//! The same rows and the same seed give the same bits, however the work is cut.

use super::super::{
    Algorithm, BisectingKMeans, Clusterer, Dbscan, KMeans, KPrototypes, Seeding, Tuning,
};
use super::*;
use crate::progress::Silent;

fn clusterers() -> [Box<dyn Clusterer>; 6] {
    [
        Box::new(KMeans::new(4).restarts(3).seed(11)),
        // More centres than the kernel puts side by side.
        Box::new(KMeans::new(19).restarts(2).seed(5)),
        Box::new(BisectingKMeans::new(5).trials(2).seed(3)),
        Box::new(KMeans::new(4).seeding(Seeding::Canopy)),
        Box::new(KPrototypes::new(4).restarts(3).seed(2)),
        Box::new(Dbscan::new().neighbours(Some(12))),
    ]
}

fn run(clusterer: &dyn Clusterer, points: &Points<'_>) -> Bits {
    bits(&clusterer.cluster(points, &Silent).unwrap())
}

/// The labels of each row's collapsed row.
fn spread_out(labels: &[u32], collapsed_row: &[u32]) -> Vec<u32> {
    collapsed_row
        .iter()
        .map(|&row| labels[row as usize])
        .collect()
}

#[test]
fn threads_and_blocks_change_nothing() {
    let tables = [
        (mixed(160, 1), Encoding::Semantic),
        (mixed(160, 1), Encoding::OneHot),
        (masked(160, 2), Encoding::Semantic),
    ];
    for (table, encoding) in &tables {
        let points = Points::new(table, *encoding);
        for clusterer in clusterers() {
            let reference = run(&*clusterer, &points);
            for n_threads in [1, 2, 7] {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(n_threads)
                    .build()
                    .unwrap();
                for block_rows in [Some(1), Some(7), Some(100), None] {
                    let points = match block_rows {
                        Some(block_rows) => points.clone().with_block_rows(block_rows),
                        None => points.clone(),
                    };
                    let found = pool.install(|| run(&*clusterer, &points));
                    assert_eq!(
                        found, reference,
                        "{n_threads} threads, blocks of {block_rows:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn collapsing_equal_rows_changes_nothing() {
    for (table, encoding) in [
        (mixed(900, 3), Encoding::Semantic),
        (mixed(900, 3), Encoding::OneHot),
        (masked(900, 4), Encoding::Semantic),
        (masked(900, 4), Encoding::OneHot),
    ] {
        let collapsed = table.collapse();
        assert!(
            collapsed.table.n_rows() < table.n_rows(),
            "rows should repeat"
        );
        for clusterer in clusterers() {
            let whole = run(&*clusterer, &Points::new(&table, encoding));
            let mut found = run(&*clusterer, &Points::new(&collapsed.table, encoding));
            found.0 = spread_out(&found.0, &collapsed.collapsed_row);
            assert_eq!(found, whole);
        }
    }
}

#[test]
fn a_weight_is_so_many_equal_rows() {
    let few = mixed(60, 6).collapse().table;
    let mut choices = Repeatable::new(1);
    let repeated: Vec<u32> = (0..few.n_rows() as u32)
        .flat_map(|row| vec![row; 1 + below(&mut choices, 9)])
        .collect();
    let many = few.select(&repeated);
    let collapsed = many.collapse();
    let (many, weighted) = (
        Points::new(&many, Encoding::Semantic),
        Points::new(&collapsed.table, Encoding::Semantic),
    );
    assert_eq!(weighted.total_weight(), many.n_rows() as u64);
    assert_eq!(weighted.n_rows(), few.n_rows());
    let start: Vec<Vec<f64>> = [3, 17, 29].map(|row| weighted.position(row)).to_vec();
    let of_many = bits(&KMeans::new(3).from_centres(&many, start.clone()).unwrap());
    let mut of_weighted = bits(&KMeans::new(3).from_centres(&weighted, start).unwrap());
    of_weighted.0 = spread_out(&of_weighted.0, &collapsed.collapsed_row);
    assert_eq!(of_weighted, of_many);
}

#[test]
fn reordering_rows_reorders_labels() {
    for table in [mixed(500, 7), masked(500, 8)] {
        let order = Repeatable::new(2).permutation(table.n_rows());
        let reordered = table.select(&order);
        for clusterer in clusterers() {
            let mut expected = run(&*clusterer, &Points::new(&table, Encoding::Semantic));
            expected.0 = spread_out(&expected.0, &order);
            assert_eq!(
                run(&*clusterer, &Points::new(&reordered, Encoding::Semantic)),
                expected
            );
        }
    }
}

#[test]
fn the_best_restart_is_the_first_of_the_cheapest() {
    let table = mixed(300, 12);
    let points = Points::new(&table, Encoding::Semantic);
    let search = KMeans::new(5).restarts(12).seed(40);
    let all = Algorithm::KMeans
        .restarts(&points, 5, 40, 12, &Tuning::default(), &Silent)
        .unwrap();
    assert_eq!(all.len(), 12);
    for (restart, found) in (0..).zip(&all) {
        let alone = KMeans::new(5)
            .restarts(1)
            .seed(40 + restart)
            .cluster(&points, &Silent)
            .unwrap();
        assert_eq!(bits(&alone), bits(found));
    }
    let cheapest = all
        .iter()
        .map(|found| found.cost.unwrap())
        .fold(f64::INFINITY, f64::min);
    let first = all
        .iter()
        .find(|found| found.cost == Some(cheapest))
        .unwrap();
    assert_eq!(
        bits(&search.cluster(&points, &Silent).unwrap()),
        bits(first)
    );
}

#[test]
fn permuted_columns_keep_their_values() {
    let table = mixed(50, 13);
    let points = Points::new(&table, Encoding::Semantic);
    let order = Repeatable::new(3).permutation(50);
    // The first column turned round, the second dealt out anew, the others as they were.
    let mut column = 0;
    let permuted = points.permuted(|n_rows| {
        assert_eq!(n_rows, 50);
        column += 1;
        match column {
            1 => (0..50).rev().collect(),
            2 => order.clone(),
            _ => (0..50).collect(),
        }
    });
    for (row, &dealt) in order.iter().enumerate() {
        let found = permuted.position(row);
        let (age, score) = (points.position(49 - row), points.position(dealt as usize));
        let expected = [&age[..2], &score[2..4], &points.position(row)[4..]].concat();
        assert_eq!(found, expected);
    }
}

#[test]
fn permuting_weighted_rows_deals_out_every_row_they_stand_for() {
    let table = line(&[3, 3, 3, 7], 10).collapse().table;
    let points = Points::new(&table, Encoding::Semantic);
    let permuted = points.permuted(|n_rows| (0..n_rows as u32).rev().collect());
    assert_eq!(permuted.n_rows(), 4);
    assert_eq!(permuted.weights(), None);
    assert_eq!(permuted.position(0), points.position(1));
    assert_eq!(permuted.position(3), points.position(0));
}

#[test]
fn ties_among_the_farthest_rows_are_broken_by_value() {
    let table = line(&[0, 2, 5, 8, 10], 10);
    let mut choices = Repeatable::new(4);
    let run = |table: &Table| {
        // All start in the middle: the ends are equally far, and so are the rows beside them.
        let start = vec![vec![0.5, 0.0]; 4];
        let points = Points::new(table, Encoding::Semantic).with_block_rows(2);
        bits(&KMeans::new(4).from_centres(&points, start).unwrap())
    };
    for _ in 0..20 {
        let order = choices.permutation(5);
        let mut expected = run(&table);
        expected.0 = spread_out(&expected.0, &order);
        assert_eq!(run(&table.select(&order)), expected);
    }
}
