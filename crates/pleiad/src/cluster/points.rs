//! The rows of a table as points of a space.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::fold::{BLOCK_ROWS, fold_rows};
use super::space::{Layout, Space};
use crate::spec::Encoding;
use crate::table::{Codes, ColumnSpread, SetDictionary, Table, with_codes};

/// Rows as weighted points. Raw and masked tables, whole or in part, are the same to a clusterer.
#[derive(Debug, Clone)]
pub struct Points<'t> {
    space: Arc<Space>,
    pub(super) axes: Vec<Axis<'t>>,
    weights: Option<Cow<'t, [u32]>>,
    n_rows: usize,
    pub(super) block_rows: usize,
    keys: OnceLock<Vec<u32>>,
    squared_norms: OnceLock<Vec<f64>>,
}

/// The points along one column.
#[derive(Debug, Clone)]
pub(super) struct Axis<'t> {
    pub(super) codes: Cow<'t, Codes>,
    pub(super) layout: Arc<Layout>,
    /// The items of every row, of a set column.
    pub(super) row_items: Arc<RowItems>,
}

impl<'t> Axis<'t> {
    fn new(codes: Cow<'t, Codes>, layout: Arc<Layout>) -> Self {
        let row_items = match &*layout {
            Layout::Sets(layout) => RowItems::new(&codes, &layout.sets),
            Layout::Line(_) | Layout::Entries(_) => RowItems::default(),
        };
        Self {
            codes,
            layout,
            row_items: Arc::new(row_items),
        }
    }
}

/// The items of a set column row after row. Large tables have about as many different sets as rows: every pass over the
/// rows would jump about in a dictionary of sets that no cache holds, so the items are laid out once in reading order.
#[derive(Debug, Clone, Default)]
pub(super) struct RowItems {
    /// Where each row's items end.
    ends: Vec<usize>,
    items: Vec<u32>,
}

impl RowItems {
    fn new(codes: &Codes, sets: &SetDictionary) -> Self {
        let mut rows = Self::default();
        rows.ends.reserve_exact(codes.len());
        with_codes!(codes, codes => {
            for &code in codes {
                rows.items.extend_from_slice(sets.items(u32::from(code)));
                rows.ends.push(rows.items.len());
            }
        });
        rows.items.shrink_to_fit();
        rows
    }

    /// The items of a row.
    #[inline]
    pub(super) fn of_row(&self, row: usize) -> &[u32] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[row]]
    }
}

impl<'t> Points<'t> {
    /// The rows of a table in the space of its columns.
    pub fn new(table: &'t Table, encoding: Encoding) -> Self {
        Self::in_space(table, Arc::new(Space::new(table.fields(), encoding)))
    }

    /// The rows of a table in a space made for columns of the same domains.
    pub fn in_space(table: &'t Table, space: Arc<Space>) -> Self {
        let axes = table
            .fields()
            .iter()
            .zip(table.columns())
            .enumerate()
            .map(|(number, (field, column))| {
                Axis::new(
                    Cow::Borrowed(column.codes()),
                    Arc::new(space.layout(number, field, column)),
                )
            })
            .collect();
        Self {
            space,
            axes,
            weights: table.weights().map(Cow::Borrowed),
            n_rows: table.n_rows(),
            block_rows: BLOCK_ROWS,
            keys: OnceLock::new(),
            squared_norms: OnceLock::new(),
        }
    }

    /// The same points with masked values placed where the rows behind them are, as far as that is disclosed; `spreads`
    /// has an entry for each column.
    #[must_use]
    pub fn with_spreads(mut self, table: &'t Table, spreads: &'t [Option<ColumnSpread>]) -> Self {
        for (number, spread) in spreads.iter().enumerate() {
            let Some(spread) = spread else { continue };
            let (field, column) = (&table.fields()[number], &table.columns()[number]);
            if let Some(layout) = self.space.spread_layout(number, field, column, spread) {
                let codes = match spread {
                    ColumnSpread::Entries { codes, .. } => codes,
                    ColumnSpread::Nodes(_) => column.codes(),
                };
                self.axes[number] = Axis::new(Cow::Borrowed(codes), Arc::new(layout));
            }
        }
        self.keys = OnceLock::new();
        self.squared_norms = OnceLock::new();
        self
    }

    /// The same rows where other layouts, one for each column, put them. They stay in the coordinates of the space.
    pub(super) fn with_layouts(&self, layouts: Vec<Layout>) -> Points<'_> {
        let axes = self.axes.iter().zip(layouts).map(|(axis, layout)| Axis {
            codes: Cow::Borrowed(&*axis.codes),
            layout: Arc::new(layout),
            row_items: Arc::clone(&axis.row_items),
        });
        Points {
            space: Arc::clone(&self.space),
            axes: axes.collect(),
            weights: self.weights.as_deref().map(Cow::Borrowed),
            n_rows: self.n_rows,
            block_rows: self.block_rows,
            keys: self.keys.clone(),
            squared_norms: OnceLock::new(),
        }
    }

    /// The space.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// How many rows a row stands for.
    pub fn weight(&self, row: usize) -> u32 {
        self.weights.as_ref().map_or(1, |weights| weights[row])
    }

    /// How many rows each row stands for, where some stand for more than one.
    pub fn weights(&self) -> Option<&[u32]> {
        self.weights.as_deref()
    }

    /// How many rows all rows stand for.
    pub fn total_weight(&self) -> u64 {
        match &self.weights {
            Some(weights) => weights.iter().map(|&weight| u64::from(weight)).sum(),
            None => self.n_rows as u64,
        }
    }

    /// The points of some rows, in the order given.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Points<'static> {
        let axes = self
            .axes
            .iter()
            .map(|axis| {
                Axis::new(
                    Cow::Owned(axis.codes.select(rows)),
                    Arc::clone(&axis.layout),
                )
            })
            .collect();
        let weights = self
            .weights
            .as_ref()
            .map(|weights| Cow::Owned(rows.iter().map(|&row| weights[row as usize]).collect()));
        Points {
            space: Arc::clone(&self.space),
            axes,
            weights,
            n_rows: rows.len(),
            block_rows: self.block_rows,
            keys: OnceLock::new(),
            squared_norms: OnceLock::new(),
        }
    }

    /// The same points with each column's values dealt out anew, column by column: nothing is left but the columns
    /// themselves. A row that stands for several becomes several rows. `order(n)` gives a permutation of `0..n`.
    #[must_use]
    pub fn permuted(&self, mut order: impl FnMut(usize) -> Vec<u32>) -> Points<'static> {
        let rows: Vec<u32> = (0..self.n_rows)
            .flat_map(|row| std::iter::repeat_n(row as u32, self.weight(row) as usize))
            .collect();
        let mut points = self.select(&[]);
        points.n_rows = rows.len();
        points.weights = None;
        for (own, axis) in points.axes.iter_mut().zip(&self.axes) {
            let dealt: Vec<u32> = order(rows.len())
                .into_iter()
                .map(|at| rows[at as usize])
                .collect();
            let codes = Cow::Owned(axis.codes.select(&dealt));
            *own = Axis::new(codes, Arc::clone(&axis.layout));
        }
        points
    }

    /// Another length for the blocks of rows that are handed to threads; results do not depend on it.
    #[must_use]
    pub fn with_block_rows(mut self, block_rows: usize) -> Self {
        self.block_rows = block_rows.max(1);
        self
    }

    /// A key for each row that depends on its values alone: equal rows have equal keys.
    pub(super) fn keys(&self) -> &[u32] {
        self.keys.get_or_init(|| {
            let mut hashes = vec![0_u64; self.n_rows];
            for axis in &self.axes {
                axis.codes.mix_into(&mut hashes);
            }
            hashes.into_iter().map(|hash| (hash >> 32) as u32).collect()
        })
    }

    /// Compares two rows by their values.
    pub(super) fn compare_rows(&self, a: usize, b: usize) -> std::cmp::Ordering {
        self.axes
            .iter()
            .map(|axis| axis.codes.get(a).cmp(&axis.codes.get(b)))
            .find(|ordering| ordering.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    }

    /// The position of a row in full.
    pub fn position(&self, row: usize) -> Vec<f64> {
        let mut position = vec![0.0; self.space.n_coordinates()];
        for (axis, column) in self.axes.iter().zip(self.space.columns()) {
            let own = &mut position[column.start..column.start + column.n_coordinates];
            let code = axis.codes.get(row);
            match &*axis.layout {
                Layout::Line(line) if code > line.last => own.copy_from_slice(&line.missing),
                Layout::Line(line) => own[0] = f64::from(code) * line.scale,
                Layout::Entries(positions) => {
                    for (coordinate, value) in positions.row(code as usize) {
                        own[coordinate as usize] = value;
                    }
                }
                Layout::Sets(layout) => {
                    let items = layout.sets.items(code);
                    let share = layout.item_share(items.len());
                    for &item in items {
                        for (coordinate, value) in layout.items.row(item as usize) {
                            own[coordinate as usize] += value * share;
                        }
                    }
                }
            }
        }
        position
    }

    /// The squared length of each row's position.
    pub(super) fn squared_norms(&self) -> &[f64] {
        self.squared_norms.get_or_init(|| {
            let mut norms = vec![0.0; self.n_rows];
            fold_rows(
                &mut norms,
                self.block_rows,
                || (),
                |first_row, norms, ()| self.add_squared_norms(first_row, norms),
                |(), ()| (),
            );
            norms
        })
    }

    /// Adds what each column has in the squared lengths of a block of rows.
    fn add_squared_norms(&self, first_row: usize, norms: &mut [f64]) {
        let rows = first_row..first_row + norms.len();
        for axis in &self.axes {
            with_codes!(&*axis.codes, codes => {
                let codes = codes[rows.clone()].iter().map(|&code| u32::from(code));
                match &*axis.layout {
                    Layout::Line(line) => {
                        let missing = line.missing[0].powi(2) + line.missing[1].powi(2);
                        for (norm, code) in norms.iter_mut().zip(codes) {
                            *norm += if code > line.last {
                                missing
                            } else {
                                (f64::from(code) * line.scale).powi(2)
                            };
                        }
                    }
                    Layout::Entries(positions) => {
                        for (norm, code) in norms.iter_mut().zip(codes) {
                            *norm += positions.squared_norms()[code as usize];
                        }
                    }
                    Layout::Sets(layout) => {
                        for (norm, code) in norms.iter_mut().zip(codes) {
                            *norm += layout.squared_norms[code as usize];
                        }
                    }
                }
            });
        }
    }
}
