//! Which columns and values tell a cluster apart from the whole table.

use pleiad::cluster::{ColumnPortrait, Portrait, ValueShare};

/// A further value whose share differs by less, or is less, is not worth a word.
const LEAST_DIFFERENCE: f64 = 0.02;
const LEAST_SHARE: f64 = 0.1;

/// How far a column sets a cluster apart from the whole table, between 0 and 1: the shift of its mean as a share of
/// the range, or the largest difference of shares.
pub fn distinction(of_cluster: &ColumnPortrait, of_whole: &ColumnPortrait) -> f64 {
    let largest = |shares: &[ValueShare]| shares.iter().map(difference).fold(0.0, f64::max);
    match (of_cluster, of_whole) {
        (
            ColumnPortrait::Mean { shift, missing, .. },
            ColumnPortrait::Mean {
                missing: overall, ..
            },
        ) => shift.abs().max((missing - overall).abs()),
        (ColumnPortrait::Mean { shift, .. }, _) => shift.abs(),
        (ColumnPortrait::Most(shares) | ColumnPortrait::Typical(shares), _) => largest(shares),
    }
}

fn difference(value: &ValueShare) -> f64 {
    (value.share - value.share_overall).abs()
}

/// The columns and their distinction, the largest first; equals in the order of the table.
pub fn by_distinction(cluster: &Portrait, whole: &Portrait) -> Vec<(usize, f64)> {
    let mut columns: Vec<(usize, f64)> = cluster
        .columns
        .iter()
        .zip(&whole.columns)
        .map(|(of_cluster, of_whole)| distinction(of_cluster, of_whole))
        .enumerate()
        .collect();
    columns.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    columns
}

/// The largest difference first; of two values that make up a column, which differ alike, the more frequent one.
pub fn values_by_difference(values: &[ValueShare]) -> Vec<&ValueShare> {
    let coarse = |value: &ValueShare| (difference(value) * 1e9).round();
    let mut sorted: Vec<&ValueShare> = values.iter().collect();
    sorted.sort_by(|a, b| {
        coarse(b)
            .total_cmp(&coarse(a))
            .then(b.share.total_cmp(&a.share))
    });
    sorted
}

/// The values that say something new: the most telling one, and further ones unless they are rare, differ little from
/// the whole table or follow from the first.
pub fn telling(values: &[ValueShare]) -> Vec<&ValueShare> {
    let sum = |share: fn(&ValueShare) -> f64| values.iter().map(share).sum::<f64>();
    let are_all = sum(|value| value.share).min(sum(|value| value.share_overall)) > 1.0 - 1e-9;
    let mut sorted = values_by_difference(values);
    if are_all && values.len() == 2 {
        sorted.truncate(1);
    }
    let mut is_first = true;
    sorted.retain(|value| {
        let is_telling = difference(value) >= LEAST_DIFFERENCE && value.share >= LEAST_SHARE;
        std::mem::take(&mut is_first) || is_telling
    });
    sorted
}
