//! The plane that is looked at, against numbers made elsewhere.

use super::{field, line, mixed, number_column, numbers, positions};
use crate::cluster::{Encoding, Plane, Points, rows_to_draw};
use crate::table::Table;

fn close(actual: f64, expected: f64) -> bool {
    (actual - expected).abs() < 1e-9
}

/// Numbers between 0 and 100 in columns of these weights.
fn table(columns: &[(&[u32], f64)]) -> Table {
    let (fields, columns) = columns
        .iter()
        .map(|&(places, weight)| {
            let domain = numbers(100, false);
            let column = number_column(places.iter().copied(), &domain);
            (field("x", domain, weight), column)
        })
        .unzip();
    Table::new(fields, columns, None)
}

#[test]
fn a_cross_is_shown_along_its_arms() {
    // Four points around (50, 50): 40 to either side along the second column, 10 along the first. Each column has
    // half of the weight, so a step is √½ / 100.
    let table = table(&[(&[50, 50, 40, 60], 1.0), (&[10, 90, 50, 50], 1.0)]);
    let points = Points::new(&table, Encoding::Semantic);
    let plane = Plane::fit(&points);
    let unit = 0.5_f64.sqrt() / 100.0;
    let expected = [[-40.0, 0.0], [40.0, 0.0], [0.0, -10.0], [0.0, 10.0]];
    for (place, expected) in plane.project(&points).iter().zip(expected) {
        for axis in 0..2 {
            assert!(close(place[axis], expected[axis] * unit), "{place:?}");
        }
    }
    let [first, second] = plane.shares();
    assert!(close(first, 1600.0 / 1700.0) && close(second, 100.0 / 1700.0));
}

/// Weighted rows of three columns. Expected from `NumPy` 2.4.6: with x the places over 100 times √(weight / 4) and w the
/// rows' weights, `eigh` of the weighted covariance, falling, the largest entry of each vector made positive;
/// `(x - mean) @ vectors[:, :2]`.
#[test]
fn agrees_with_numpy() {
    let rows: [([u32; 3], usize); 10] = [
        ([3, 17, 40], 1),
        ([5, 22, 38], 2),
        ([9, 25, 51], 1),
        ([12, 31, 20], 1),
        ([14, 30, 64], 3),
        ([20, 44, 33], 1),
        ([21, 39, 12], 1),
        ([27, 52, 70], 2),
        ([30, 61, 25], 1),
        ([33, 58, 44], 1),
    ];
    let expected = [
        [-0.135_216_109_246, 0.038_012_879_880],
        [-0.114_834_259_575, 0.016_484_525_205],
        [-0.058_562_419_628, 0.061_414_301_303],
        [-0.095_029_957_757, -0.093_648_820_364],
        [0.008_531_567_324, 0.100_905_564_353],
        [0.010_900_288_518, -0.073_872_839_742],
        [-0.047_269_140_239, -0.161_402_549_143],
        [0.149_821_902_240, 0.063_858_752_093],
        [0.091_777_617_125, -0.158_964_183_055],
        [0.137_829_733_927, -0.074_942_036_534],
    ];
    let places = |column: usize, times: &dyn Fn(usize) -> usize| -> Vec<u32> {
        let rows = rows.iter();
        rows.flat_map(|(row, weight)| std::iter::repeat_n(row[column], times(*weight)))
            .collect()
    };
    let with_weights = [2.0, 1.0, 1.0];
    let made = |times: &dyn Fn(usize) -> usize| {
        let columns: Vec<Vec<u32>> = (0..3).map(|column| places(column, times)).collect();
        let columns: Vec<(&[u32], f64)> = columns
            .iter()
            .map(Vec::as_slice)
            .zip(with_weights)
            .collect();
        table(&columns)
    };
    let all = made(&|weight| weight);
    let once = made(&|_| 1);
    let repeated = Plane::fit(&Points::new(&all, Encoding::Semantic));
    let collapsed = all.collapse();
    let weighted = Plane::fit(&Points::new(&collapsed.table, Encoding::Semantic));
    for plane in [repeated, weighted] {
        let places = plane.project(&Points::new(&once, Encoding::Semantic));
        for (place, expected) in places.iter().zip(expected) {
            assert!(
                close(place[0], expected[0]) && close(place[1], expected[1]),
                "{place:?} is not {expected:?}"
            );
        }
        let [first, second] = plane.shares();
        assert!(close(first, 0.531_021_179_008_414_1), "{first}");
        assert!(close(second, 0.465_141_436_370_822_95), "{second}");
    }
}

#[test]
fn no_other_plane_of_a_mixed_table_has_more_spread() {
    let table = mixed(300, 5);
    let plane = Plane::fit(&Points::new(&table, Encoding::Semantic));
    let [first, second] = plane.shares();
    assert!(first >= second && second > 0.0 && first + second < 1.0);
    // Along any single coordinate there is no more than along the first axis.
    let positions = positions(&table, Encoding::Semantic);
    let n_rows = positions.len() as f64;
    let spreads: Vec<f64> = (0..positions[0].len())
        .map(|coordinate| {
            let mean = positions.iter().map(|row| row[coordinate]).sum::<f64>() / n_rows;
            positions
                .iter()
                .map(|row| (row[coordinate] - mean).powi(2))
                .sum()
        })
        .collect();
    let total: f64 = spreads.iter().sum();
    for spread in spreads {
        assert!(spread / total <= first + 1e-9);
    }
}

#[test]
fn one_direction_or_none_is_no_trouble() {
    let one = line(&[1, 2, 9], 10);
    let plane = Plane::fit(&Points::new(&one, Encoding::Semantic));
    assert!(close(plane.shares()[0], 1.0) && close(plane.shares()[1], 0.0));
    let same = line(&[4, 4, 4], 10);
    let points = Points::new(&same, Encoding::Semantic);
    let plane = Plane::fit(&points);
    assert_eq!(plane.shares(), [0.0, 0.0]);
    assert!(
        plane
            .project(&points)
            .iter()
            .flatten()
            .all(|place| close(*place, 0.0))
    );
}

#[test]
fn what_is_drawn_is_a_choice_without_favour_and_without_luck() {
    assert_eq!(rows_to_draw(4, 10, 1), [0, 1, 2, 3]);
    let drawn = rows_to_draw(10_000, 500, 3);
    assert_eq!(drawn, rows_to_draw(10_000, 500, 3));
    assert_ne!(drawn, rows_to_draw(10_000, 500, 4));
    assert_eq!(drawn.len(), 500);
    assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]));
    // Each row is as likely as any other: over 400 seeds each of 20 rows is among 5 about 100 times.
    let mut times = [0; 20];
    for seed in 0..400 {
        for row in rows_to_draw(20, 5, seed) {
            times[row as usize] += 1;
        }
    }
    assert!(
        times.iter().all(|&times| (60..=140).contains(&times)),
        "{times:?}"
    );
}
