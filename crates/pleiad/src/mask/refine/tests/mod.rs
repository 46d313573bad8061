//! The search against the paper's example, against a slow search written from the definition, and against its promise.

mod agreement;
mod cells;
pub(crate) mod example;
mod naive;
mod odd_input;
mod promise;
mod random_case;

use std::path::Path;

use crate::table::{
    Codes, Column, Domain, Field, Interval, Leaf, MaskedValue, Role, SetDictionary, Table,
    Taxonomy, Tree, Unit, parse_taxonomy,
};

/// A column with its field.
type Made = (Field, Column);

fn field(name: &str, domain: Domain) -> Field {
    Field {
        name: name.to_owned(),
        role: Role::Quasi,
        domain,
        weight: 1.0,
    }
}

fn taxonomy(lines: &str) -> Taxonomy {
    parse_taxonomy(lines.as_bytes(), Path::new("taxonomy.csv")).unwrap()
}

fn values(name: &str, taxonomy: Taxonomy, is_star: bool, leaves: &[Leaf]) -> Made {
    let codes = Codes::pack(leaves.iter().copied(), taxonomy.n_leaves());
    let tree = Tree { taxonomy, is_star };
    (field(name, Domain::Values(tree)), Column::Values(codes))
}

fn sets(name: &str, taxonomy: Taxonomy, cells: &[Vec<Leaf>]) -> Made {
    let mut different = cells.to_vec();
    different.sort();
    different.dedup();
    let code = |cell: &Vec<Leaf>| different.binary_search(cell).unwrap() as u32;
    let codes = Codes::pack(cells.iter().map(code), different.len());
    let tree = Tree {
        taxonomy,
        is_star: false,
    };
    let domain = Domain::sets(tree, "|".to_owned()).unwrap();
    let dictionary = SetDictionary::from_sets(different.clone().into_iter());
    (field(name, domain), Column::Sets(codes, dictionary))
}

/// Numbers by their places; nothing is missing.
fn numbers(name: &str, interval: Interval, may_be_missing: bool, places: &[Option<u32>]) -> Made {
    let missing = interval.missing();
    let codes = Codes::pack(
        places.iter().map(|place| place.unwrap_or(missing)),
        missing as usize + 1,
    );
    let domain = Domain::Numbers {
        interval,
        may_be_missing,
    };
    (field(name, domain), Column::Numbers(codes))
}

/// Whole numbers between bounds.
fn whole_numbers(low: i32, high: i32, public: bool) -> Interval {
    Interval::new(low.into(), high.into(), Some(1.0), Unit::Number, public).unwrap()
}

fn table(columns: Vec<Made>) -> Table {
    let (fields, columns) = columns.into_iter().unzip();
    Table::new(fields, columns, None)
}

/// The cells of a column as they would be written.
fn texts(table: &Table, column: usize) -> Vec<String> {
    let (field, column) = (&table.fields()[column], &table.columns()[column]);
    let writer = column.writer(&field.domain).unwrap();
    let cell = |code| writer.text(code).into_owned();
    column.codes().iter().map(cell).collect()
}

/// The masked cells of a column.
fn masked_values(table: &Table, column: usize) -> Vec<MaskedValue> {
    let Column::Masked(codes, dictionary) = &table.columns()[column] else {
        panic!("a masked column");
    };
    let value = |code: u32| dictionary.values()[code as usize].clone();
    codes.iter().map(value).collect()
}
