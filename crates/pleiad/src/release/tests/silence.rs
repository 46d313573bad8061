//! The public folder says nothing of the raw file but what is published: not its order, not its identifiers, not who
//! has which row.

use super::random_table::{RandomTable, random_table};
use super::{Case, files};
use crate::repeatable::Repeatable;
use crate::table::Format;

/// The same people in another order and under other names.
fn disguised(table: &RandomTable, seed: u64) -> RandomTable {
    let mut dice = Repeatable::new(seed);
    let renamed = |row: &String| {
        let (id, rest) = row.split_once(',').unwrap();
        let number: u64 = id[1..].parse().unwrap();
        format!("someone-{},{rest}", 1000 - number)
    };
    let order = dice.permutation(table.rows.len());
    RandomTable {
        rows: order
            .into_iter()
            .map(|row| renamed(&table.rows[row as usize]))
            .collect(),
        spec: table.spec.clone(),
    }
}

#[test]
fn order_and_identifiers_of_the_raw_file_leave_no_trace() {
    for seed in 100..120 {
        let table = random_table(seed);
        let format = if seed % 4 == 0 {
            Format::Parquet
        } else {
            Format::Csv
        };
        let public = |table: &RandomTable, name: &str| {
            let case = Case::new(&table.csv(), &table.spec);
            files(&case.release(name, format).unwrap().folder)
        };
        let first = public(&table, "one");
        let second = public(&disguised(&table, seed), "another");
        for ((name, bytes), (other_name, other)) in first.iter().zip(&second) {
            assert_eq!(name, other_name);
            assert!(bytes == other, "seed {seed}: {name} differs");
        }
        assert_eq!(first.len(), second.len());
    }
}

#[test]
fn nothing_of_an_identifier_is_published() {
    for seed in 200..210 {
        let table = random_table(seed);
        let spec = table.spec.replace("people.csv", "secret-name.csv");
        let case = Case::new("", &spec);
        std::fs::write(
            case.path("secret-name.csv"),
            table.csv().replace("\np", "\nzebra"),
        )
        .unwrap();
        let released = case.release("out", Format::Csv).unwrap();
        for (name, bytes) in files(&released.folder) {
            let text = String::from_utf8_lossy(&bytes);
            for word in ["zebra", "secret-name", "\"id\"", ",id,"] {
                assert!(!text.contains(word), "seed {seed}: {name} has {word}");
            }
        }
    }
}
