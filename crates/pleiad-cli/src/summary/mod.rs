//! What was found, for people ([`text`]) and for programs ([`json`]); what a release comes to ([`release`]).

pub(crate) mod draft;
pub(crate) mod json;
pub(crate) mod promises;
pub(crate) mod release;
mod survival;
pub(crate) mod text;

use pleiad::cluster::{ColumnPortrait, Portrait, ValueShare};

/// How far a column sets a cluster apart from the whole table, between 0 and 1: the shift of its mean as a share of
/// the range, or the largest difference of shares.
fn distinction(of_cluster: &ColumnPortrait, of_whole: &ColumnPortrait) -> f64 {
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
fn by_distinction(cluster: &Portrait, whole: &Portrait) -> Vec<(usize, f64)> {
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
