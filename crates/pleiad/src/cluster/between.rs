//! Squared distances between rows, column by column from tables.

use super::points::Points;
use super::space::{Layout, Line};
use super::sparse::SparseRows;

/// Up to so many values of a column, the distance of every two of them is kept.
const MOST_TABLED: usize = 512;

/// Some rows of a table, ready to be compared with each other.
#[derive(Debug)]
pub(super) struct RowDistances {
    columns: Vec<ColumnDistance>,
    /// The codes row by row.
    codes: Vec<u32>,
    n_rows: usize,
}

/// The squared distance of two codes of a column.
#[derive(Debug)]
enum ColumnDistance {
    Line(Line),
    Table { n_values: usize, squared: Vec<f64> },
    Positions(SparseRows),
}

impl RowDistances {
    /// Rows of some points, numbered as they are listed.
    pub(super) fn new(points: &Points<'_>, rows: &[u32]) -> Self {
        let n_columns = points.axes.len();
        let mut codes = vec![0; rows.len() * n_columns];
        let columns = points
            .axes
            .iter()
            .enumerate()
            .map(|(number, axis)| {
                let mut own: Vec<u32> = rows
                    .iter()
                    .map(|&row| axis.codes.get(row as usize))
                    .collect();
                let column = match &*axis.layout {
                    Layout::Line(line) => ColumnDistance::Line(line.clone()),
                    Layout::Entries(positions) => ColumnDistance::of_values(&mut own, |code| {
                        positions.row(code as usize).collect()
                    }),
                    Layout::Sets(layout) => ColumnDistance::of_values(&mut own, |code| {
                        let items = layout.sets.items(code);
                        let share = layout.item_share(items.len());
                        let places = items
                            .iter()
                            .flat_map(|&item| layout.items.row(item as usize));
                        places.map(|(at, value)| (at, value * share)).collect()
                    }),
                };
                for (row, code) in own.into_iter().enumerate() {
                    codes[row * n_columns + number] = code;
                }
                column
            })
            .collect();
        Self {
            columns,
            codes,
            n_rows: rows.len(),
        }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The squared distance of two rows.
    pub(super) fn squared(&self, a: usize, b: usize) -> f64 {
        let n_columns = self.columns.len();
        let of_row = |row: usize| &self.codes[row * n_columns..][..n_columns];
        let codes = of_row(a).iter().zip(of_row(b));
        self.columns
            .iter()
            .zip(codes)
            .map(|(column, (&a, &b))| column.squared(a, b))
            .sum()
    }

    /// The distance of two rows.
    pub(super) fn distance(&self, a: usize, b: usize) -> f64 {
        self.squared(a, b).sqrt()
    }
}

impl ColumnDistance {
    /// Renumbers the codes that occur and lays out where they lie.
    fn of_values(codes: &mut [u32], position: impl Fn(u32) -> Vec<(u32, f64)>) -> Self {
        let mut occurring = codes.to_vec();
        occurring.sort_unstable();
        occurring.dedup();
        for code in codes {
            *code = occurring
                .binary_search(code)
                .expect("every code that occurs was listed") as u32;
        }
        let mut positions = SparseRows::default();
        for &code in &occurring {
            positions.push(position(code));
        }
        let n_values = occurring.len();
        if n_values > MOST_TABLED {
            return Self::Positions(positions);
        }
        let mut squared = vec![0.0; n_values * n_values];
        for a in 0..n_values {
            for b in 0..a {
                let distance = positions.squared_distance(a, b);
                squared[a * n_values + b] = distance;
                squared[b * n_values + a] = distance;
            }
        }
        Self::Table { n_values, squared }
    }

    #[inline]
    fn squared(&self, a: u32, b: u32) -> f64 {
        match self {
            Self::Line(line) => {
                let place = |code: u32| {
                    if code > line.last {
                        line.missing
                    } else {
                        [f64::from(code) * line.scale, 0.0]
                    }
                };
                let (a, b) = (place(a), place(b));
                (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)
            }
            Self::Table { n_values, squared } => squared[a as usize * n_values + b as usize],
            Self::Positions(positions) if a != b => {
                positions.squared_distance(a as usize, b as usize)
            }
            Self::Positions(_) => 0.0,
        }
    }
}
