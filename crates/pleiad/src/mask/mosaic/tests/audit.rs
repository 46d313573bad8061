//! Whole measurements of tiny tables, run again and again on neighbours: the bound on ε from below stays under the
//! claim.

use super::super::outputs::{ColumnOutputs, Outputs};
use super::{Mosaic, Raw, Row, epsilon, field, measured, numbers, sets, table, tree};
use crate::privacy::audit::{Audit, Feature};
use crate::privacy::noise::PrivateRandom;
use crate::table::Field;

fn columns() -> Vec<Field> {
    let tree = tree(&[None, Some(0), Some(0)]);
    vec![
        field("a", numbers(3, true), 1.0),
        field("s", sets(tree), 1.0),
    ]
}

/// Everything that a histogram of a column says, added up with signs that a person's bins share.
fn histogram(outputs: &Outputs, column: usize, bin: usize) -> i64 {
    match &outputs.columns[column] {
        ColumnOutputs::Histograms { coarse, .. } => coarse
            .iter()
            .filter_map(|group| group.get(bin))
            .sum::<i64>(),
        ColumnOutputs::Sums { groups, .. } => groups.iter().sum(),
    }
}

/// How much ε a measurement shows, at least.
fn shown(fields: &[Field], rows: &[Row], person: Row, budget: &str) -> f64 {
    let mut more = rows.to_vec();
    more.push(person);
    let tables = [table(fields, rows), table(fields, &more)];
    let mosaic = Mosaic::new(fields, &epsilon(budget)).unwrap();
    let mut random = PrivateRandom::replay(81);
    let mut other_random = PrivateRandom::replay(82);
    let features: Vec<Feature<'_, Outputs>> = vec![
        Feature::new("people", |outputs: &Outputs| outputs.people / 8),
        Feature::new("the first cut", |outputs: &Outputs| {
            let cut = outputs.cuts.first();
            cut.map_or(-1, |cut| (cut.column * 100 + cut.first as usize) as i64)
        }),
        Feature::new("all counts of cells", |outputs: &Outputs| {
            outputs.cells.iter().sum::<i64>() / 8
        }),
        Feature::new("the smallest count of a cell", |outputs: &Outputs| {
            outputs.cells.iter().min().copied().unwrap_or(0) / 4
        }),
        Feature::new("the last bins of the first column", |outputs: &Outputs| {
            histogram(outputs, 0, 3) / 4
        }),
        Feature::new("how much in all", |outputs: &Outputs| {
            let last = outputs.columns.len() - 1;
            outputs.people + outputs.cells.iter().sum::<i64>() + histogram(outputs, last, 0)
        }),
    ];
    let audit = Audit {
        runs: 10_000,
        false_alarm: 1e-9,
        delta: 0.0,
    };
    let finding = audit.bound(
        || measured(&mosaic, &tables[0], budget, &mut random),
        || measured(&mosaic, &tables[1], budget, &mut other_random),
        &features,
    );
    finding.epsilon
}

#[test]
fn a_mixed_release_stays_under_its_claim() {
    let fields = columns();
    let row = |code: u32, items: &[u32]| vec![Raw::Code(code), Raw::Set(items.to_vec())];
    assert!(shown(&fields, &[row(0, &[0])], row(3, &[1]), "1") <= 1.0);
    assert!(shown(&fields, &[], row(4, &[2]), "1") <= 1.0);
}

#[test]
fn a_release_that_claims_less_than_it_spends_is_caught() {
    let fields = columns();
    let row = |code: u32, items: &[u32]| vec![Raw::Code(code), Raw::Set(items.to_vec())];
    let shown = shown(&fields, &[row(0, &[0])], row(3, &[1]), "30");
    assert!(shown > 1.0, "{shown}");
}

#[test]
fn a_release_of_numbers_stays_under_its_claim() {
    let fields = [field("a", numbers(3, false), 1.0)];
    assert!(shown(&fields, &[vec![Raw::Code(0)]], vec![Raw::Code(3)], "1") <= 1.0);
}
