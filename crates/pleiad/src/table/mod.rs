//! Tables as the rest of the library sees them: coded columns over stated domains.
//!
//! Strings live once in a dictionary or a taxonomy, numbers are places on a grid, rows that agree on everything can be
//! collapsed into weights. Files are read and written here and nowhere else.

mod arrow;
mod band;
mod build;
mod codes;
mod column;
mod column_names;
mod csv_file;
mod domain;
mod foreign;
mod infer;
mod interval;
mod masked;
mod plan;
mod problems;
mod profile;
mod reach;
mod read;
mod spread;
mod taxonomy;
mod taxonomy_file;
mod taxonomy_numbers;
#[cfg(test)]
mod tests;
mod texts;
mod words;
mod write;

use rustc_hash::FxHashMap;

pub(crate) use band::{Band, End};
pub use codes::Codes;
pub(crate) use codes::with_codes;
pub use column::{CellWriter, Column, SetDictionary};
pub(crate) use column_names::{has_any, name_words};
pub use domain::{Domain, Field, Role, Tree};
pub use foreign::{ForeignColumn, Unknown, foreign_column};
pub(crate) use infer::{CodeSign, Guess, PeopleSign, Unread, guess};
pub(crate) use interval::parse_day;
pub use interval::{Interval, Place, Unit};
pub use masked::{MaskedDictionary, MaskedValue};
pub use plan::{ColumnPlan, IncompleteRows, Kind, Plan, TreeSource};
pub(crate) use profile::{ColumnProfile, Look, MARKS, Profile, WORDS_KEPT, profile_table};
pub use read::{
    AnyRows, Reading, check_columns, infer_plan, public_fields, read_any_rows, read_table,
};
pub use spread::{ColumnSpread, Spread};
pub use taxonomy::{Leaf, Node, ROOT_LABEL, Taxonomy};
pub use taxonomy_file::{TaxonomyCheck, check_taxonomy, parse_taxonomy, read_taxonomy};
pub use taxonomy_numbers::number_doubts;
pub use texts::{TextColumn, TextTable, read_texts};
pub use write::{Extra, Format, write_table};

/// A coded table, raw or masked.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    fields: Vec<Field>,
    columns: Vec<Column>,
    n_rows: usize,
    people: Option<People>,
    weights: Option<Vec<u32>>,
}

/// Which person each row is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct People {
    /// A number below `n_people` for each row.
    pub of_row: Vec<u32>,
    /// How many different people there are.
    pub n_people: usize,
}

impl Table {
    /// A table without columns, to which a file may add some.
    pub fn empty() -> Self {
        Self::new(Vec::new(), Vec::new(), None)
    }

    /// A table of columns of equal length, one for each field and of its kind.
    pub fn new(fields: Vec<Field>, columns: Vec<Column>, people: Option<People>) -> Self {
        assert_eq!(fields.len(), columns.len(), "a field for each column");
        let n_rows = columns.first().map_or(0, |column| column.codes().len());
        assert!(
            columns.iter().all(|column| column.codes().len() == n_rows),
            "columns of equal length"
        );
        Self {
            fields,
            columns,
            n_rows,
            people,
            weights: None,
        }
    }

    /// A table of these columns that nobody is in.
    pub fn without_rows(fields: Vec<Field>) -> Self {
        let columns = fields
            .iter()
            .map(|field| match &field.domain {
                Domain::Numbers { .. } => Column::Numbers(Codes::for_values(1)),
                Domain::Values(_) => Column::Values(Codes::for_values(1)),
                Domain::Sets { .. } => Column::Sets(
                    Codes::for_values(1),
                    SetDictionary::from_sets([].into_iter()),
                ),
            })
            .collect();
        Self::new(fields, columns, None)
    }

    /// The same rows, each standing for as many as its weight says.
    #[must_use]
    pub fn weighted(self, weights: Vec<u32>) -> Self {
        assert_eq!(weights.len(), self.n_rows, "a weight for each row");
        Self {
            weights: Some(weights),
            ..self
        }
    }

    /// Names, roles and domains of the columns.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The coded columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Number of rows (of collapsed rows, if it is collapsed).
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Which person each row is about; without it every row is a person.
    pub fn people(&self) -> Option<&People> {
        self.people.as_ref()
    }

    /// How many rows each row stands for, if the table is collapsed.
    pub fn weights(&self) -> Option<&[u32]> {
        self.weights.as_deref()
    }

    /// The number of a column with this name.
    pub fn column_of(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// The same columns in other rows, in the order given. Who the rows are about is left behind with the weights.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        let columns = self
            .columns
            .iter()
            .map(|column| column.with_codes(column.codes().select(rows)))
            .collect();
        Self::new(self.fields.clone(), columns, None)
    }

    /// Each different row once, with its weight: whatever counts rows gives the same on the result.
    pub fn collapse(&self) -> Collapsed {
        let mut hashes = vec![0_u64; self.n_rows];
        for column in &self.columns {
            column.codes().mix_into(&mut hashes);
        }
        // The newest kept row with each hash; `previous` leads to the ones before it.
        let mut newest: FxHashMap<u64, u32> = FxHashMap::default();
        let mut previous: Vec<Option<u32>> = Vec::new();
        let mut kept: Vec<u32> = Vec::new();
        let mut weights: Vec<u32> = Vec::new();
        let mut collapsed_row = Vec::with_capacity(self.n_rows);
        for (row, &hash) in hashes.iter().enumerate() {
            let same_hash = newest.get(&hash).copied();
            let known = std::iter::successors(same_hash, |&at| previous[at as usize])
                .find(|&at| self.rows_agree(kept[at as usize] as usize, row));
            let at = known.unwrap_or_else(|| {
                let at = kept.len() as u32;
                newest.insert(hash, at);
                previous.push(same_hash);
                kept.push(row as u32);
                weights.push(0);
                at
            });
            weights[at as usize] += self.weights.as_ref().map_or(1, |weights| weights[row]);
            collapsed_row.push(at);
        }
        let mut table = self.select(&kept);
        table.weights = Some(weights);
        Collapsed {
            table,
            collapsed_row,
        }
    }

    fn rows_agree(&self, a: usize, b: usize) -> bool {
        self.columns
            .iter()
            .all(|column| column.codes().get(a) == column.codes().get(b))
    }
}

/// A collapsed table and where each of the original rows went.
#[derive(Debug, Clone)]
pub struct Collapsed {
    /// Each different row once, with weights.
    pub table: Table,
    /// For each original row its row in the collapsed table.
    pub collapsed_row: Vec<u32>,
}
