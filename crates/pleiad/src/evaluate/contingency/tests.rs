use super::*;
use proptest::prelude::*;

fn count(table: &Contingency, row: usize, column: usize) -> u64 {
    table
        .cells()
        .iter()
        .find(|cell| (cell.row, cell.column) == (row, column))
        .map_or(0, |cell| cell.count)
}

#[test]
fn counts_rows_per_pair_of_clusters() {
    let table = Contingency::from_labels(&[0, 0, 1, 1, 1], &[1, 1, 0, 1, 2], None);
    assert_eq!(
        table,
        Contingency::from_counts(vec![vec![0, 2, 0], vec![1, 1, 1]])
    );
    assert_eq!(table.row_totals(), [2, 3]);
    assert_eq!(table.column_totals(), [1, 3, 1]);
    assert_eq!(table.total(), 5);
    assert_eq!(count(&table, 0, 1), 2);
    assert_eq!(count(&table, 0, 0), 0);
}

#[test]
fn labels_may_have_gaps_and_reach_the_largest_number() {
    let table = Contingency::from_labels(&[7, u32::MAX, 7], &[u32::MAX, 3, 3], None);
    assert_eq!(table.row_labels(), [7, u32::MAX]);
    assert_eq!(table.column_labels(), [3, u32::MAX]);
    assert_eq!(table.row_totals(), [2, 1]);
    assert_eq!(table.column_totals(), [2, 1]);
    assert_eq!(count(&table, 0, 0), 1);
    assert_eq!(count(&table, 1, 1), 0);
}

#[test]
fn clusters_without_rows_are_dropped() {
    let table = Contingency::from_counts(vec![vec![0, 0, 0], vec![4, 0, 1]]);
    assert_eq!(table.row_labels(), [1]);
    assert_eq!(table.column_labels(), [0, 2]);
    let weightless = Contingency::from_labels(&[0, 1], &[0, 5], Some(&[3, 0]));
    assert_eq!(weightless, Contingency::from_counts(vec![vec![3]]));
}

#[test]
fn no_rows_make_the_default_table() {
    assert_eq!(
        Contingency::from_labels(&[], &[], None),
        Contingency::default()
    );
    assert_eq!(
        Contingency::from_counts(vec![vec![], vec![]]),
        Contingency::default()
    );
    assert_eq!(
        Contingency::from_counts(vec![vec![0; 3]; 2]),
        Contingency::default()
    );
}

#[test]
fn merging_goes_by_label_not_by_position() {
    let mut table = Contingency::from_labels(&[0, 2], &[1, 1], None);
    table.merge(&Contingency::from_labels(&[1, 2], &[0, 1], None));
    assert_eq!(
        table,
        Contingency::from_labels(&[0, 2, 1, 2], &[1, 1, 0, 1], None)
    );
}

#[test]
#[should_panic(expected = "the same length")]
fn labels_of_different_tables_are_refused() {
    Contingency::from_labels(&[0, 1], &[0], None);
}

#[test]
#[should_panic(expected = "one weight for every")]
fn a_missing_weight_is_refused() {
    Contingency::from_labels(&[0, 1], &[0, 1], Some(&[1]));
}

#[test]
#[should_panic(expected = "same number of columns")]
fn ragged_counts_are_refused() {
    Contingency::from_counts(vec![vec![1, 2], vec![3]]);
}

#[test]
#[should_panic(expected = "counts at most")]
fn more_rows_than_can_be_squared_are_refused() {
    Contingency::from_counts(vec![vec![u64::MAX, u64::MAX]]);
}

/// Row labels, column labels and weights of one and the same length, sometimes with wide gaps.
fn labelled_rows() -> impl Strategy<Value = Vec<(u32, u32, u32)>> {
    (1_u32..6, prop_oneof![Just(1_u32), Just(400_000_000)]).prop_flat_map(|(k, stride)| {
        let row = (0..k, 0_u32..4, 0_u32..4).prop_map(move |(a, b, w)| (a * stride, b, w));
        prop::collection::vec(row, 0..60)
    })
}

fn table_of(rows: &[(u32, u32, u32)]) -> Contingency {
    let raw: Vec<u32> = rows.iter().map(|row| row.0).collect();
    let release: Vec<u32> = rows.iter().map(|row| row.1).collect();
    let weights: Vec<u32> = rows.iter().map(|row| row.2).collect();
    Contingency::from_labels(&raw, &release, Some(&weights))
}

proptest! {
    #[test]
    fn weights_equal_repetition(rows in labelled_rows()) {
        let repeated = |label: fn(&(u32, u32, u32)) -> u32| -> Vec<u32> {
            rows.iter().flat_map(|row| vec![label(row); row.2 as usize]).collect()
        };
        let plain = Contingency::from_labels(&repeated(|row| row.0), &repeated(|row| row.1), None);
        prop_assert_eq!(table_of(&rows), plain);
    }

    #[test]
    fn any_chunking_in_any_order_gives_the_same_table(rows in labelled_rows(), size in 1_usize..20) {
        let mut forwards = Contingency::default();
        let mut backwards = Contingency::default();
        for chunk in rows.chunks(size) {
            forwards.merge(&table_of(chunk));
        }
        for chunk in rows.chunks(size).rev() {
            backwards.merge(&table_of(chunk));
        }
        prop_assert_eq!(&forwards, &table_of(&rows));
        prop_assert_eq!(backwards, forwards);
    }

    #[test]
    fn totals_are_the_sums_of_cells(rows in labelled_rows()) {
        let table = table_of(&rows);
        prop_assert_eq!(table.row_totals().iter().sum::<u64>(), table.total());
        prop_assert_eq!(table.column_totals().iter().sum::<u64>(), table.total());
        prop_assert_eq!(table.cells().iter().map(|cell| cell.count).sum::<u64>(), table.total());
        prop_assert!(table.row_totals().iter().chain(table.column_totals()).all(|&size| size > 0));
    }

    #[test]
    fn transposing_exchanges_the_two_sides(rows in labelled_rows()) {
        let exchanged: Vec<_> = rows.iter().map(|&(a, b, w)| (b, a, w)).collect();
        let table = table_of(&rows);
        prop_assert_eq!(&table.transposed(), &table_of(&exchanged));
        prop_assert_eq!(table.transposed().transposed(), table);
    }
}
