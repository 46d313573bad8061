//! How two clusterings of the same rows overlap: the table every structure measure is computed from.

/// The most rows a table may count. It leaves the measures room for exact integer arithmetic: squares
/// of totals, and products of a total with a count, stay far inside 128 bits.
pub const MOST_ROWS: u64 = 1 << 60;

/// Counts of rows per pair of clusters. By convention the table's rows are the clusters of the raw
/// data ("natural clusters") and its columns those of the release ("query clusters").
///
/// Only clusters that hold at least one row appear, sorted by label, so labels may have gaps, start
/// anywhere and use any `u32` as a mark for noise, and two tables are equal exactly when they count the
/// same rows. Storage is proportional to the number of non-zero cells, never to k × k'.
///
/// The default is the table of no rows; with [`merge`](Self::merge) it makes the exact, associative
/// and commutative fold over chunks of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contingency {
    row_labels: Vec<u32>,
    column_labels: Vec<u32>,
    row_totals: Vec<u64>,
    column_totals: Vec<u64>,
    cells: Vec<Cell>,
    total: u64,
}

/// A non-zero count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Position of the raw cluster among [`Contingency::row_labels`].
    pub row: usize,
    /// Position of the release's cluster among [`Contingency::column_labels`].
    pub column: usize,
    /// Rows that are in both, with their weights; at least one.
    pub count: u64,
}

/// A count under the labels of its two clusters.
type Labelled = (u32, u32, u64);

impl Contingency {
    /// Counts two labellings of the same rows. Row i counts `weights[i]` times, or once without weights.
    ///
    /// # Panics
    /// If the slices differ in length: labels of different tables cannot be compared.
    pub fn from_labels(raw: &[u32], release: &[u32], weights: Option<&[u32]>) -> Self {
        assert_eq!(
            raw.len(),
            release.len(),
            "two labellings of the same rows must have the same length"
        );
        if let Some(weights) = weights {
            assert_eq!(
                raw.len(),
                weights.len(),
                "there must be one weight for every labelled row"
            );
        }
        let labelled = raw.iter().zip(release).enumerate().map(|(row, (&a, &b))| {
            let weight = weights.map_or(1, |weights| weights[row]);
            (a, b, u64::from(weight))
        });
        let width = |labels: &[u32]| labels.iter().max().map_or(0, |&label| label as usize + 1);
        let (rows, columns) = (width(raw), width(release));
        // Clusterers number from zero, and then one pass over a small grid does; a grid larger than the
        // data would cost more than sorting the rows.
        match rows.checked_mul(columns) {
            Some(size) if size <= raw.len() => {
                let mut grid = vec![0_u64; size];
                for (a, b, weight) in labelled {
                    grid[a as usize * columns + b as usize] += weight;
                }
                Self::from_cells(grid.into_iter().enumerate().map(|(place, count)| {
                    ((place / columns) as u32, (place % columns) as u32, count)
                }))
            }
            _ => Self::from_cells(labelled),
        }
    }

    /// A table from its counts, `counts[i][j]` being the rows that are in raw cluster i and in release
    /// cluster j. Positions become labels; clusters without rows are dropped.
    ///
    /// # Panics
    /// If the rows of `counts` differ in length.
    pub fn from_counts(counts: Vec<Vec<u64>>) -> Self {
        let columns = counts.first().map_or(0, Vec::len);
        assert!(
            counts.iter().all(|row| row.len() == columns),
            "every row of a contingency table must have the same number of columns"
        );
        Self::from_cells(counts.into_iter().enumerate().flat_map(|(i, row)| {
            row.into_iter()
                .enumerate()
                .map(move |(j, count)| (i as u32, j as u32, count))
        }))
    }

    /// Adds the counts of further rows. Clusters are identified by their labels.
    pub fn merge(&mut self, other: &Self) {
        *self = Self::from_cells(self.labelled_cells().chain(other.labelled_cells()));
    }

    /// The same rows with the roles of the two clusterings exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self::from_cells(self.labelled_cells().map(|(a, b, count)| (b, a, count)))
    }

    /// Labels of the raw clusters, ascending.
    pub fn row_labels(&self) -> &[u32] {
        &self.row_labels
    }

    /// Labels of the release's clusters, ascending.
    pub fn column_labels(&self) -> &[u32] {
        &self.column_labels
    }

    /// Sizes of the raw clusters, in the order of their labels.
    pub fn row_totals(&self) -> &[u64] {
        &self.row_totals
    }

    /// Sizes of the release's clusters, in the order of their labels.
    pub fn column_totals(&self) -> &[u64] {
        &self.column_totals
    }

    /// The non-zero counts, row by row.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The number of rows counted, with their weights.
    pub fn total(&self) -> u64 {
        self.total
    }

    fn labelled_cells(&self) -> impl Iterator<Item = Labelled> + '_ {
        self.cells.iter().map(|cell| {
            (
                self.row_labels[cell.row],
                self.column_labels[cell.column],
                cell.count,
            )
        })
    }

    fn from_cells(cells: impl Iterator<Item = Labelled>) -> Self {
        let mut cells: Vec<Labelled> = cells.filter(|&(_, _, count)| count > 0).collect();
        // The sum of 128-bit counts cannot wrap, and once the total is small no partial sum can.
        let total: u128 = cells.iter().map(|&(_, _, count)| u128::from(count)).sum();
        assert!(
            total <= u128::from(MOST_ROWS),
            "a contingency table counts at most {MOST_ROWS} rows, not {total}"
        );
        cells.sort_unstable_by_key(|&(a, b, _)| (a, b));
        cells.dedup_by(|later, kept| {
            let same = (later.0, later.1) == (kept.0, kept.1);
            if same {
                kept.2 += later.2;
            }
            same
        });

        let row_labels = distinct(cells.iter().map(|cell| cell.0));
        let column_labels = distinct(cells.iter().map(|cell| cell.1));
        let mut row_totals = vec![0; row_labels.len()];
        let mut column_totals = vec![0; column_labels.len()];
        let cells = cells
            .into_iter()
            .map(|(a, b, count)| {
                // Both are found: the labels were collected from these cells.
                let row = row_labels.partition_point(|&label| label < a);
                let column = column_labels.partition_point(|&label| label < b);
                row_totals[row] += count;
                column_totals[column] += count;
                Cell { row, column, count }
            })
            .collect();
        Self {
            row_labels,
            column_labels,
            row_totals,
            column_totals,
            cells,
            total: total as u64,
        }
    }
}

fn distinct(labels: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut labels: Vec<u32> = labels.collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

#[cfg(test)]
mod tests;
