//! The fast search takes the same steps as the slow one, and ends with the same table.

use super::super::refine;
use super::random_case::{Dice, RandomCase, Size};
use super::{masked_values, naive};
use crate::progress::Silent;

fn agrees(case: &RandomCase, what: &str) {
    let RandomCase {
        table,
        labels,
        requirement,
        params,
        ..
    } = case;
    let slow = naive::Case::new(table, labels, requirement, params);
    let (state, trace) = slow.run();
    let fast = refine(table, labels, requirement, params, &Silent).unwrap();
    for (at, (fast, slow)) in fast.trace.iter().zip(&trace).enumerate() {
        assert_eq!(fast, slow, "{what}, step {at}, {params:?}");
    }
    assert_eq!(fast.trace.len(), trace.len(), "{what}, {params:?}");
    for column in 0..table.columns().len() {
        if requirement.at_least_for(column).is_some() {
            assert_eq!(
                masked_values(&fast.table, column),
                state.masked_values(&slow, column),
                "{what}, column {column}"
            );
        }
    }
}

fn agrees_on(seeds: std::ops::Range<u64>, size: Size) {
    for seed in seeds {
        agrees(&Dice::new(seed).case(size), &format!("seed {seed}"));
    }
}

#[test]
fn on_many_tiny_tables() {
    let size = Size {
        rows: 12,
        columns: 4,
        at_least: 4,
    };
    agrees_on(0..3000, size);
}

#[test]
fn on_small_tables() {
    let size = Size {
        rows: 60,
        columns: 5,
        at_least: 8,
    };
    agrees_on(0..300, size);
}

#[test]
fn on_tables_with_large_groups() {
    let size = Size {
        rows: 300,
        columns: 4,
        at_least: 25,
    };
    agrees_on(0..30, size);
}
