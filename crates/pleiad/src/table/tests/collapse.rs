//! Rows that agree on everything, counted.

use super::*;

#[test]
fn rows_that_agree_become_one_with_their_number() {
    let columns = || [column("n", free_numbers()), column("w", free_values())];
    let table = table_of("n,w\n2,b\n1,a\n2,b\n1,b\n1,a\n2,b\n", columns());
    let Collapsed {
        table: once,
        collapsed_row,
    } = table.collapse();
    assert_eq!(once.weights(), Some(&[3, 2, 1][..]));
    assert_eq!(texts(&once, "n"), ["2", "1", "1"]);
    assert_eq!(texts(&once, "w"), ["b", "a", "b"]);
    assert_eq!(collapsed_row, [0, 1, 0, 2, 1, 0]);
    assert_eq!(once.fields(), table.fields());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn expanding_gives_the_rows_back(rows in prop::collection::vec((0..4_u32, 0..3_u32, 0..300_u32), 1..80)) {
        let interval = Interval::new(0.0, 10.0, Some(1.0), Unit::Number, true).unwrap();
        let numbers = Domain::Numbers { interval, may_be_missing: false };
        let labels = (0..300).map(|label| format!("v{label}"));
        let tree = Tree { taxonomy: Taxonomy::star(labels).unwrap(), is_star: true };
        let mut dictionary = MaskedDictionary::default();
        for place in 0..3 {
            dictionary.code(MaskedValue::range(place, place + 1));
        }
        let field = |name: &str, domain| Field { name: name.to_owned(), role: Role::Quasi, domain, weight: 1.0 };
        let table = Table::new(
            vec![field("n", numbers.clone()), field("m", numbers), field("v", Domain::Values(tree))],
            vec![
                Column::Numbers(Codes::pack(rows.iter().map(|row| row.0), 4)),
                Column::Masked(Codes::pack(rows.iter().map(|row| row.1), 3), dictionary),
                Column::Values(Codes::pack(rows.iter().map(|row| row.2), 300)),
            ],
            None,
        );
        let collapsed = table.collapse();
        let weights = collapsed.table.weights().unwrap();
        prop_assert_eq!(weights.iter().sum::<u32>() as usize, rows.len());
        prop_assert_eq!(&collapsed.table.select(&collapsed.collapsed_row), &table);
        // In order of first appearance, each once.
        let mut seen = Vec::new();
        for &at in &collapsed.collapsed_row {
            if at as usize == seen.len() {
                seen.push(at);
            }
            prop_assert!((at as usize) < seen.len());
        }
        prop_assert_eq!(seen.len(), collapsed.table.n_rows());
        let mut different = rows.clone();
        different.sort_unstable();
        different.dedup();
        prop_assert_eq!(different.len(), collapsed.table.n_rows());
        let again = collapsed.table.collapse();
        prop_assert_eq!(&again.table, &collapsed.table);
        let same: Vec<u32> = (0..collapsed.table.n_rows() as u32).collect();
        prop_assert_eq!(again.collapsed_row, same);
    }
}

#[test]
fn weights_add_up_when_columns_are_taken_away() {
    let columns = || [column("n", free_numbers()), column("w", free_values())];
    let table = table_of("n,w\n1,a\n1,b\n1,a\n", columns()).collapse().table;
    let narrower = Table {
        fields: table.fields()[..1].to_vec(),
        columns: table.columns()[..1].to_vec(),
        ..table
    };
    let collapsed = narrower.collapse().table;
    assert_eq!(
        (collapsed.n_rows(), collapsed.weights()),
        (1, Some(&[3][..]))
    );
}
