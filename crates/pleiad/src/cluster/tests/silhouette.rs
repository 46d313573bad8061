//! The silhouette by hand; scikit-learn's values are in the integration tests.

use super::super::{MOST_ROWS_JUDGED, silhouettes};
use super::*;

#[test]
fn four_rows_by_hand() {
    let table = line(&[0, 1, 9, 10], 10);
    let points = Points::new(&table, Encoding::OneHot);
    // From 0: a = 1, b = (9 + 10) / 2; from 1: a = 1, b = (8 + 9) / 2; the others mirror them.
    let expected = f64::midpoint(8.5 / 9.5, 7.5 / 8.5);
    let found = silhouettes(&points, &[&[0, 0, 1, 1], &[0, 0, 0, 0], &[0, 1, 2, 3]]);
    assert!((found.values[0].unwrap() - expected).abs() < 1e-12);
    assert_eq!(found.values[1], None, "one cluster has no next one");
    assert_eq!(found.values[2], Some(0.0), "rows alone count for nothing");
}

#[test]
fn many_different_rows_are_judged_on_a_sample() {
    let places: Vec<u32> = (0..6_000).map(|row| row + 50_000 * (row / 3_000)).collect();
    let table = line(&places, 60_000);
    let points = Points::new(&table, Encoding::OneHot);
    let labels: Vec<u32> = (0..6_000).map(|row| row / 3_000).collect();
    let found = silhouettes(&points, &[&labels]);
    assert_eq!((found.n_rows, found.n_different), (MOST_ROWS_JUDGED, 6_000));
    // Of all rows: a is about a third of 3,000, b about 53,000.
    let value = found.values[0].unwrap();
    assert!(
        (value - (1.0 - 1_000.0 / 53_000.0)).abs() < 0.002,
        "{value}"
    );
}
