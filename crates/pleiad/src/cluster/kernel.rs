//! The inner loop: which centre is nearest to each row.
//!
//! |x − c|² = |x|² + |c|² − 2⟨x, c⟩, and the inner product is a sum of one term per column. For a column with a
//! dictionary the term depends on (centre, entry) only: a table over the dictionary is built for each set of centres,
//! and a row costs one look-up; for numbers it is one multiply-add. Tables are laid out with all centres of a block side
//! by side, so that a look-up is one vector addition. |x|² does not matter for which centre is nearest and is left out.

use std::ops::Range;

use super::points::Points;
use super::space::Layout;
use crate::table::with_codes;

/// Rows that are worked on at once; their scores stay in the first-level cache.
const CHUNK_ROWS: usize = 128;

/// Centres side by side in one block, at most.
const MOST_LANES: usize = 16;

/// Look-up tables for a set of centres.
#[derive(Debug)]
pub(super) struct Tables {
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    first_centre: u32,
    lanes: usize,
    /// |c|² of each centre; infinite for lanes without one.
    base: Vec<f64>,
    axes: Vec<AxisTable>,
}

/// −2⟨x, c⟩ along one column for all lanes.
#[derive(Debug)]
enum AxisTable {
    Line {
        last: u32,
        may_be_missing: bool,
        slope: Vec<f64>,
        missing: Vec<f64>,
    },
    Entries(Vec<f64>),
    Items(Vec<f64>),
}

impl Tables {
    /// Tables for centres given as positions in the points' space.
    pub(super) fn new(points: &Points<'_>, centres: &[Vec<f64>]) -> Self {
        let blocks = centres
            .chunks(MOST_LANES)
            .enumerate()
            .map(|(block, centres)| Block::new(points, (block * MOST_LANES) as u32, centres))
            .collect();
        Self { blocks }
    }

    /// The nearest centre of each row, the first of equals, and its score |c|² − 2⟨x, c⟩.
    pub(super) fn nearest(&self, points: &Points<'_>, first_row: usize, labels: &mut [u32], scores: &mut [f64]) {
        pulp::Arch::new().dispatch(|| {
            for (block_number, block) in self.blocks.iter().enumerate() {
                let is_first = block_number == 0;
                match block.lanes {
                    1 => block.nearest::<1>(points, first_row, labels, scores, is_first),
                    2 => block.nearest::<2>(points, first_row, labels, scores, is_first),
                    4 => block.nearest::<4>(points, first_row, labels, scores, is_first),
                    8 => block.nearest::<8>(points, first_row, labels, scores, is_first),
                    12 => block.nearest::<12>(points, first_row, labels, scores, is_first),
                    _ => block.nearest::<MOST_LANES>(points, first_row, labels, scores, is_first),
                }
            }
        });
    }
}

impl Block {
    fn new(points: &Points<'_>, first_centre: u32, centres: &[Vec<f64>]) -> Self {
        let lanes = match centres.len() {
            n @ (1 | 2) => n,
            3..=4 => 4,
            5..=8 => 8,
            9..=12 => 12,
            _ => MOST_LANES,
        };
        let mut base = vec![f64::INFINITY; lanes];
        for (lane, centre) in centres.iter().enumerate() {
            base[lane] = centre.iter().map(|value| value * value).sum();
        }
        let axes = points
            .axes
            .iter()
            .zip(points.space().columns())
            .map(|(axis, column)| {
                let own = |centre: usize| &centres[centre][column.start..column.start + column.n_coordinates];
                let entry_table = |positions: &super::sparse::SparseRows| {
                    let mut table = vec![0.0; positions.n_rows() * lanes];
                    for (entry, row) in table.chunks_exact_mut(lanes).enumerate() {
                        for (lane, value) in row.iter_mut().enumerate().take(centres.len()) {
                            *value = -2.0 * positions.dot(entry, own(lane));
                        }
                    }
                    table
                };
                match &*axis.layout {
                    Layout::Line(line) => {
                        let mut slope = vec![0.0; lanes];
                        let mut missing = vec![0.0; lanes];
                        for lane in 0..centres.len() {
                            let centre = own(lane);
                            slope[lane] = -2.0 * centre[0] * line.scale;
                            missing[lane] = -2.0 * (centre[0] * line.missing[0] + centre[1] * line.missing[1]);
                        }
                        AxisTable::Line {
                            last: line.last,
                            may_be_missing: line.may_be_missing,
                            slope,
                            missing,
                        }
                    }
                    Layout::Entries(positions) => AxisTable::Entries(entry_table(positions)),
                    Layout::Sets(layout) => AxisTable::Items(entry_table(&layout.items)),
                }
            })
            .collect();
        Self {
            first_centre,
            lanes,
            base,
            axes,
        }
    }

    #[inline(always)]
    fn nearest<const LANES: usize>(
        &self,
        points: &Points<'_>,
        first_row: usize,
        labels: &mut [u32],
        scores: &mut [f64],
        is_first: bool,
    ) {
        let base: [f64; LANES] = lanes_of(&self.base, 0);
        let mut sums = [[0.0; LANES]; CHUNK_ROWS];
        let chunks = labels.chunks_mut(CHUNK_ROWS).zip(scores.chunks_mut(CHUNK_ROWS));
        for (chunk, (labels, scores)) in chunks.enumerate() {
            let start = first_row + chunk * CHUNK_ROWS;
            let rows = start..start + labels.len();
            let sums = &mut sums[..labels.len()];
            sums.fill(base);
            self.add_columns(points, &rows, sums);
            for ((sums, label), score) in sums.iter().zip(labels).zip(scores) {
                let mut best = 0;
                let mut least = sums[0];
                for (lane, &sum) in sums.iter().enumerate().skip(1) {
                    let is_less = sum < least;
                    best = if is_less { lane as u32 } else { best };
                    least = if is_less { sum } else { least };
                }
                if is_first || least < *score {
                    *label = self.first_centre + best;
                    *score = least;
                }
            }
        }
    }

    #[inline(always)]
    fn add_columns<const LANES: usize>(
        &self,
        points: &Points<'_>,
        rows: &Range<usize>,
        sums: &mut [[f64; LANES]],
    ) {
        for (axis, table) in points.axes.iter().zip(&self.axes) {
            with_codes!(&*axis.codes, codes => {
                let codes = codes[rows.clone()].iter().map(|&code| u32::from(code));
                match (table, &*axis.layout) {
                    (AxisTable::Line { last, may_be_missing: true, slope, missing }, _) => {
                        let slope: [f64; LANES] = lanes_of(slope, 0);
                        let missing: [f64; LANES] = lanes_of(missing, 0);
                        for (sums, code) in sums.iter_mut().zip(codes) {
                            if code > *last {
                                add(sums, &missing);
                            } else {
                                add_scaled(sums, &slope, f64::from(code));
                            }
                        }
                    }
                    (AxisTable::Line { slope, .. }, _) => {
                        let slope: [f64; LANES] = lanes_of(slope, 0);
                        for (sums, code) in sums.iter_mut().zip(codes) {
                            add_scaled(sums, &slope, f64::from(code));
                        }
                    }
                    (AxisTable::Entries(table), _) => {
                        for (sums, code) in sums.iter_mut().zip(codes) {
                            add(sums, &lanes_of(table, code as usize));
                        }
                    }
                    (AxisTable::Items(table), Layout::Sets(layout)) => {
                        for (sums, code) in sums.iter_mut().zip(codes) {
                            let items = layout.sets.items(code);
                            let mut set = [0.0; LANES];
                            for &item in items {
                                add(&mut set, &lanes_of(table, item as usize));
                            }
                            add_scaled(sums, &set, layout.item_share(items.len()));
                        }
                    }
                    (AxisTable::Items(_), _) => unreachable!("items belong to sets"),
                }
            });
        }
    }
}

/// The lanes of an entry.
#[inline(always)]
fn lanes_of<const LANES: usize>(table: &[f64], entry: usize) -> [f64; LANES] {
    let row = &table[entry * LANES..(entry + 1) * LANES];
    row.try_into().expect("tables have a row of lanes for each entry")
}

#[inline(always)]
fn add<const LANES: usize>(sums: &mut [f64; LANES], terms: &[f64; LANES]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

#[inline(always)]
fn add_scaled<const LANES: usize>(sums: &mut [f64; LANES], terms: &[f64; LANES], factor: f64) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term * factor;
    }
}
