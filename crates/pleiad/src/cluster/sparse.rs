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

    /// One more than the last coordinate that any row has.
    pub(super) fn n_coordinates(&self) -> usize {
        let last = self.coordinates.iter().max();
        last.map_or(0, |&last| last as usize + 1)
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

    /// The squared distance of two rows.
    pub(super) fn squared_distance(&self, a: usize, b: usize) -> f64 {
        let (mut left, mut right) = (self.row(a).peekable(), self.row(b).peekable());
        let mut sum = 0.0;
        loop {
            let difference = match (left.peek().copied(), right.peek().copied()) {
                (None, None) => return sum,
                (Some((x, value)), Some((y, other))) if x == y => {
                    left.next();
                    right.next();
                    value - other
                }
                (Some((x, value)), other) if other.is_none_or(|(y, _)| x < y) => {
                    left.next();
                    value
                }
                (_, other) => {
                    right.next();
                    other.map_or(0.0, |(_, value)| value)
                }
            };
            sum += difference * difference;
        }
    }
}
