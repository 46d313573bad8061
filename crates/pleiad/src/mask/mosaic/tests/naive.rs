//! Scores from the definition: explicit codes, explicit distances to explicit means.

use super::super::axis::{Axis, Test, upper_nodes};
use super::super::params::Mosaic;
use super::super::score::ITEM_UNIT;
use super::{Raw, Row};
use crate::privacy::noise::{IBig, UBig};

/// The code of a cell in whole numbers, and what squared distances of such codes are divided by.
pub(super) fn code(axis: &Axis, cell: &Raw) -> Vec<u64> {
    match (axis, cell) {
        (Axis::Numbers(numbers), Raw::Code(place)) => {
            let last = u64::from(numbers.interval.last());
            // A missing number is in the middle, and √2 times as far out on another coordinate: 1 on two of them.
            if u64::from(*place) > last {
                vec![last, last, last]
            } else {
                vec![2 * u64::from(*place), 0, 0]
            }
        }
        (Axis::Values(tree), Raw::Code(leaf)) => {
            let own = tree.taxonomy.node_of_leaf(*leaf);
            (1..tree.taxonomy.n_nodes() as u32)
                .map(|node| u64::from(tree.taxonomy.is_ancestor(node, own)))
                .collect()
        }
        (Axis::Sets(tree), Raw::Set(items)) => upper_nodes(tree)
            .into_iter()
            .map(|node| {
                let under = items.iter().filter(|&&item| {
                    let own = tree.taxonomy.node_of_leaf(item);
                    tree.taxonomy.is_ancestor(node, own)
                });
                under.count() as u64 * (ITEM_UNIT / items.len() as u64)
            })
            .collect(),
        _ => panic!("a cell of its column"),
    }
}

pub(super) fn divisor(axis: &Axis) -> UBig {
    match axis {
        Axis::Numbers(numbers) => UBig::from(2 * u64::from(numbers.interval.last())).pow(2),
        Axis::Values(tree) => UBig::from(2 * tree.taxonomy.height()),
        Axis::Sets(tree) => UBig::from(2 * tree.taxonomy.height()) * UBig::from(ITEM_UNIT).pow(2),
    }
}

/// ⌊weight · Σ|x − mean|² / divisor⌋ from the distances themselves.
fn spread(codes: &[&Vec<u64>], weight: u64, divisor: &UBig) -> i128 {
    let n = codes.len();
    if n == 0 {
        return 0;
    }
    let n_coordinates = codes[0].len();
    let mut squared = IBig::ZERO;
    for coordinate in 0..n_coordinates {
        let sum: IBig = codes.iter().map(|code| IBig::from(code[coordinate])).sum();
        for code in codes {
            let distance = IBig::from(code[coordinate]) * IBig::from(n) - &sum;
            squared += &distance * &distance;
        }
    }
    let below = IBig::from(divisor.clone()) * IBig::from(n * n);
    i128::try_from(squared * IBig::from(weight) / below).unwrap()
}

pub(super) fn passes(axis: &Axis, test: &Test, cell: &Raw) -> bool {
    match (axis, cell) {
        (Axis::Numbers(numbers), Raw::Code(place)) => {
            if test.atoms.start as usize == numbers.n_bins() {
                *place > numbers.interval.last()
            } else {
                let start = numbers.starts[test.atoms.start as usize];
                (start..=numbers.interval.last()).contains(place)
            }
        }
        (Axis::Values(tree), Raw::Code(leaf)) => {
            let own = tree.taxonomy.node_of_leaf(*leaf);
            tree.taxonomy.is_ancestor(test.node, own)
        }
        (Axis::Sets(tree), Raw::Set(items)) => items.iter().any(|&item| {
            let own = tree.taxonomy.node_of_leaf(item);
            tree.taxonomy.is_ancestor(test.node, own)
        }),
        _ => panic!("a cell of its column"),
    }
}

/// The scores of all tests of a column, given the rows of each cell.
pub(super) fn scores(mosaic: &Mosaic, column: usize, cells: &[Vec<Row>]) -> Vec<i128> {
    let axis = &mosaic.axes[column];
    let spread = |rows: &[&Row]| {
        let codes: Vec<Vec<u64>> = rows.iter().map(|row| code(axis, &row[column])).collect();
        let codes: Vec<&Vec<u64>> = codes.iter().collect();
        spread(&codes, mosaic.weights[column], &divisor(axis))
    };
    let of_test = |test: &Test| -> i128 {
        let of_cell = |rows: &Vec<Row>| {
            let all: Vec<&Row> = rows.iter().collect();
            let (passing, failing): (Vec<&Row>, Vec<&Row>) =
                all.iter().partition(|row| passes(axis, test, &row[column]));
            spread(&all) - spread(&passing) - spread(&failing)
        };
        cells.iter().map(of_cell).sum()
    };
    mosaic.tests[column].iter().map(of_test).collect()
}
