//! Sparse rows of numbers: where the entries of a dictionary lie.

/// Rows of (coordinate, value) pairs, one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SparseRows {
    coordinates: Vec<u32>,
    values: Vec<f64>,
    ends: Vec<usize>,
    squared_norms: Vec<f64>,
}

impl SparseRows {
    /// Appends a row; equal coordinates are added up.
    pub(super) fn push(&mut self, mut row: Vec<(u32, f64)>) {
        row.sort_by_key(|&(coordinate, _)| coordinate);
        let start = self.coordinates.len();
        for (coordinate, value) in row {
            if self.coordinates.len() > start && self.coordinates.last() == Some(&coordinate) {
                *self
                    .values
                    .last_mut()
                    .expect("as many values as coordinates") += value;
            } else {
                self.coordinates.push(coordinate);
                self.values.push(value);
            }
        }
        self.squared_norms
            .push(self.values[start..].iter().map(|value| value * value).sum());
        self.ends.push(self.coordinates.len());
    }

    pub(super) fn n_rows(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        let range = start..self.ends[row];
        self.coordinates[range.clone()]
            .iter()
            .copied()
            .zip(self.values[range].iter().copied())
    }

    /// The inner product of a row with a dense vector.
    pub(super) fn dot(&self, row: usize, dense: &[f64]) -> f64 {
        self.row(row)
            .map(|(coordinate, value)| value * dense[coordinate as usize])
            .sum()
    }

    /// The squared length of each row.
    pub(super) fn squared_norms(&self) -> &[f64] {
        &self.squared_norms
    }
}
