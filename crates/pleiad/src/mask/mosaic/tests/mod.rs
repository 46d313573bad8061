//! Each line of the privacy argument has a test here that fails if the line is wrong; so has each line of the method.

mod account;
mod audit;
mod naive;
mod odd_tables;
mod projection;
mod publication;
mod regions;
mod scores;
mod sensitivity;
mod tuning;

use super::{Mosaic, Outputs};
use crate::mask::private::PrivateMethod;
use crate::privacy::budget::{AddRemove, Cost, Epsilon, Purse, SealedTable};
use crate::privacy::noise::PrivateRandom;
use crate::repeatable::Repeatable;
use crate::table::{
    Codes, Column, Domain, Field, Interval, Leaf, Role, SetDictionary, Table, Taxonomy, Tree, Unit,
};

/// A raw cell.
#[derive(Debug, Clone, PartialEq)]
enum Raw {
    Code(u32),
    Set(Vec<Leaf>),
}

type Row = Vec<Raw>;

fn field(name: &str, domain: Domain, weight: f64) -> Field {
    Field {
        name: name.to_owned(),
        role: Role::Quasi,
        domain,
        weight,
    }
}

fn numbers(last: u32, may_be_missing: bool) -> Domain {
    let interval = Interval::new(0.0, last.into(), Some(1.0), Unit::Number, true).unwrap();
    Domain::Numbers {
        interval,
        may_be_missing,
    }
}

fn tree(above: &[Option<u32>]) -> Taxonomy {
    let labels: Vec<String> = (0..above.len())
        .map(|node| match node {
            0 => "*".to_owned(),
            _ => format!("n{node}"),
        })
        .collect();
    Taxonomy::from_parents(&labels, above).unwrap()
}

fn values(taxonomy: Taxonomy) -> Domain {
    Domain::Values(Tree {
        taxonomy,
        is_star: false,
    })
}

fn sets(taxonomy: Taxonomy) -> Domain {
    let tree = Tree {
        taxonomy: taxonomy.with_empty_set().unwrap(),
        is_star: false,
    };
    Domain::sets(tree, "|".to_owned()).unwrap()
}

fn table(fields: &[Field], rows: &[Row]) -> Table {
    let columns = (0..fields.len()).map(|column| {
        let codes = rows.iter().map(|row| match &row[column] {
            Raw::Code(code) => *code,
            Raw::Set(_) => 0,
        });
        match &fields[column].domain {
            Domain::Numbers { interval, .. } => {
                Column::Numbers(Codes::pack(codes, interval.missing() as usize + 1))
            }
            Domain::Values(tree) => Column::Values(Codes::pack(codes, tree.taxonomy.n_leaves())),
            Domain::Sets { .. } => {
                let sets: Vec<Vec<Leaf>> = rows
                    .iter()
                    .map(|row| match &row[column] {
                        Raw::Set(items) => items.clone(),
                        Raw::Code(_) => panic!("a set"),
                    })
                    .collect();
                let mut different = sets.clone();
                different.sort();
                different.dedup();
                let code = |set: &Vec<Leaf>| different.binary_search(set).unwrap() as u32;
                let codes = Codes::pack(sets.iter().map(code), different.len());
                let dictionary = SetDictionary::from_sets(different.clone().into_iter());
                Column::Sets(codes, dictionary)
            }
        }
    });
    Table::new(fields.to_vec(), columns.collect(), None)
}

/// Random tables of all kinds of columns.
struct Dice(Repeatable);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(Repeatable::new(seed))
    }

    /// A number from `low` to `high`, both included.
    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.0.below((high - low + 1) as u128) as usize
    }

    fn coin(&mut self) -> bool {
        self.between(0, 1) == 1
    }

    fn taxonomy(&mut self) -> Taxonomy {
        let n_nodes = self.between(3, 14);
        let above: Vec<Option<u32>> = (0..n_nodes)
            .map(|node| match node {
                0 => None,
                // Leans towards deep trees and chains.
                _ if self.coin() => Some(node as u32 - 1),
                _ => Some(self.between(0, node - 1) as u32),
            })
            .collect();
        let taxonomy = tree(&above);
        if self.coin() {
            taxonomy.with_missing().unwrap()
        } else {
            taxonomy
        }
    }

    fn domain(&mut self) -> Domain {
        match self.between(0, 3) {
            0 => {
                let last = [1, 3, 40, 300, 70_000, u32::MAX - 2][self.between(0, 5)];
                let may_be_missing = self.coin();
                numbers(last, may_be_missing)
            }
            1 => {
                let n_values = self.between(1, 30);
                values(Taxonomy::star((0..n_values).map(|value| format!("v{value}"))).unwrap())
            }
            2 => values(self.taxonomy()),
            _ => sets(self.taxonomy()),
        }
    }

    fn fields(&mut self, most: usize) -> Vec<Field> {
        let n_columns = self.between(1, most);
        (0..n_columns)
            .map(|column| {
                let weight = [1.0, 1.0, 0.3, 7.5][self.between(0, 3)];
                let domain = self.domain();
                field(&format!("c{column}"), domain, weight)
            })
            .collect()
    }

    fn row(&mut self, fields: &[Field]) -> Row {
        fields
            .iter()
            .map(|field| self.cell(&field.domain))
            .collect()
    }

    fn cell(&mut self, domain: &Domain) -> Raw {
        match domain {
            Domain::Numbers {
                interval,
                may_be_missing,
            } => match self.between(0, 5) {
                0 if *may_be_missing => Raw::Code(interval.missing()),
                1 => Raw::Code(interval.last()),
                2 => Raw::Code(0),
                _ => Raw::Code(self.between(0, interval.last() as usize) as u32),
            },
            Domain::Values(tree) => Raw::Code(self.between(0, tree.taxonomy.n_leaves() - 1) as u32),
            Domain::Sets { tree, .. } => {
                let taxonomy = &tree.taxonomy;
                let loners: Vec<Leaf> = [taxonomy.empty_set(), taxonomy.missing()]
                    .into_iter()
                    .flatten()
                    .collect();
                let mut items: Vec<Leaf> = (0..self.between(1, 4))
                    .map(|_| self.between(0, taxonomy.n_leaves() - 1) as Leaf)
                    .collect();
                items.sort_unstable();
                items.dedup();
                if let Some(&loner) = items.iter().find(|item| loners.contains(item)) {
                    items = vec![loner];
                }
                Raw::Set(items)
            }
        }
    }

    fn rows(&mut self, fields: &[Field], most: usize) -> Vec<Row> {
        let n_rows = self.between(0, most);
        (0..n_rows).map(|_| self.row(fields)).collect()
    }
}

fn epsilon(text: &str) -> Epsilon<AddRemove> {
    text.parse().unwrap()
}

fn purse(text: &str) -> Purse<AddRemove> {
    Purse::new(&Cost::Pure(epsilon(text)))
}

/// Measures with a budget that is just enough.
fn measured(mosaic: &Mosaic, table: &Table, budget: &str, random: &mut PrivateRandom) -> Outputs {
    let sealed = SealedTable::seal(table);
    mosaic.measure(&sealed, &mut purse(budget), random).unwrap()
}
