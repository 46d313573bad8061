//! The inner loop: which centre is nearest to each row.
//!
//! |x − c|² = |x|² + |c|² − 2⟨x, c⟩, and the inner product is a sum of one term per column. For a column with a
//! dictionary the term depends on (centre, entry) only: a table over the dictionary is built for each set of centres,
//! with all centres of an entry side by side, and a row costs one vector addition per column. For numbers it is one
//! multiply-add per centre, done for several rows at once. |x|² does not matter for which centre is nearest and is left
//! out.
//!
//! The multiply-adds are fused ones, so that a machine with wide instructions and one without give the same bits.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::points::Points;
use super::space::Layout;
use super::sparse::SparseRows;
use crate::table::with_codes;

/// Rows that are worked on at once; what belongs to them stays in the first-level cache.
const CHUNK_ROWS: usize = 128;

/// Vectors of rows whose scores are kept in registers together, and the most centres that fit there beside them.
const GROUP_VECTORS: usize = 2;
const MOST_LANES: usize = 6;

/// Table rows are padded to whole vectors.
const VECTOR: usize = 4;

/// Look-up tables for a set of centres.
#[derive(Debug)]
pub(super) struct Tables {
    n_centres: usize,
    /// Centres, padded to whole vectors.
    width: usize,
    /// |c|² of each centre.
    base: Vec<f64>,
    /// Terms to look up; in the order of the columns.
    look_ups: Vec<LookUp>,
    /// Terms to multiply.
    lines: Vec<LineTerm>,
    /// One row of `n_centres` per line.
    slopes: Vec<f64>,
}

/// −2⟨x, c⟩ for every entry of a column's dictionary, or what a missing number adds.
#[derive(Debug)]
struct LookUp {
    column: usize,
    table: Vec<f64>,
}

#[derive(Debug)]
struct LineTerm {
    column: usize,
    last: u32,
}

impl Tables {
    /// Tables for centres given as positions in the points' space.
    pub(super) fn new(points: &Points<'_>, centres: &[Vec<f64>]) -> Self {
        assert!(!centres.is_empty(), "rows need a centre to be near to");
        let width = centres.len().next_multiple_of(VECTOR);
        let mut tables = Self {
            n_centres: centres.len(),
            width,
            base: vec![0.0; width],
            look_ups: Vec::new(),
            lines: Vec::new(),
            slopes: Vec::new(),
        };
        for (base, centre) in tables.base.iter_mut().zip(centres) {
            *base = centre.iter().map(|value| value * value).sum();
        }
        for (number, (axis, column)) in points.axes.iter().zip(points.space().columns()).enumerate()
        {
            let own = column.start..column.start + column.n_coordinates;
            let own: Vec<&[f64]> = centres.iter().map(|centre| &centre[own.clone()]).collect();
            let table = match &*axis.layout {
                Layout::Line(line) => {
                    tables
                        .slopes
                        .extend(own.iter().map(|centre| -2.0 * centre[0] * line.scale));
                    tables.lines.push(LineTerm {
                        column: number,
                        last: line.last,
                    });
                    if !line.may_be_missing {
                        continue;
                    }
                    let mut missing = vec![0.0; width];
                    for (term, centre) in missing.iter_mut().zip(&own) {
                        *term = -2.0 * (centre[0] * line.missing[0] + centre[1] * line.missing[1]);
                    }
                    missing
                }
                Layout::Entries(positions) => entry_table(positions, &own, width),
                Layout::Sets(layout) => entry_table(&layout.items, &own, width),
            };
            tables.look_ups.push(LookUp {
                column: number,
                table,
            });
        }
        tables
    }

    /// The nearest centre of each row, the first of equals, and its score |c|² − 2⟨x, c⟩.
    pub(super) fn nearest(
        &self,
        points: &Points<'_>,
        first_row: usize,
        labels: &mut [u32],
        scores: &mut [f64],
    ) {
        pulp::Arch::new().dispatch(Nearest {
            tables: self,
            points,
            first_row,
            labels,
            scores,
        });
    }
}

fn entry_table(positions: &SparseRows, centres: &[&[f64]], width: usize) -> Vec<f64> {
    let mut table = vec![0.0; positions.n_rows() * width];
    for (entry, row) in table.chunks_exact_mut(width).enumerate() {
        for (term, centre) in row.iter_mut().zip(centres) {
            *term = -2.0 * positions.dot(entry, centre);
        }
    }
    table
}

/// The loop over chunks, compiled once for each instruction set.
struct Nearest<'a> {
    tables: &'a Tables,
    points: &'a Points<'a>,
    first_row: usize,
    labels: &'a mut [u32],
    scores: &'a mut [f64],
}

/// What is known of a chunk of rows before centres are compared.
struct Chunk {
    /// Numbers as floating point, one stretch of rows per line.
    numbers: Vec<[f64; CHUNK_ROWS]>,
    /// |c|² and all looked-up terms, row by row.
    looked_up: Vec<f64>,
    /// The same, centre by centre.
    starts: Vec<[f64; CHUNK_ROWS]>,
}

impl WithSimd for Nearest<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let tables = self.tables;
        let mut chunk = Chunk {
            numbers: vec![[0.0; CHUNK_ROWS]; tables.lines.len()],
            looked_up: vec![0.0; CHUNK_ROWS * tables.width],
            starts: tables.base.iter().map(|&base| [base; CHUNK_ROWS]).collect(),
        };
        let mut centres = [0.0; CHUNK_ROWS];
        let mut least = [0.0; CHUNK_ROWS];
        let chunks = self
            .labels
            .chunks_mut(CHUNK_ROWS)
            .zip(self.scores.chunks_mut(CHUNK_ROWS));
        for (number, (labels, scores)) in chunks.enumerate() {
            let start = self.first_row + number * CHUNK_ROWS;
            let rows = start..start + labels.len();
            if !tables.look_ups.is_empty() {
                match tables.width {
                    4 => tables.look_up::<4>(self.points, &rows, &mut chunk.looked_up),
                    8 => tables.look_up::<8>(self.points, &rows, &mut chunk.looked_up),
                    12 => tables.look_up::<12>(self.points, &rows, &mut chunk.looked_up),
                    _ => tables.look_up_wide(self.points, &rows, &mut chunk.looked_up),
                }
                for (centre, starts) in chunk.starts.iter_mut().enumerate().take(tables.n_centres) {
                    let terms = chunk.looked_up.chunks_exact(tables.width);
                    for (start, terms) in starts.iter_mut().zip(terms) {
                        *start = terms[centre];
                    }
                }
            }
            tables.convert(self.points, &rows, &mut chunk.numbers);
            tables.compare(simd, &chunk, &mut centres, &mut least);
            for (label, &centre) in labels.iter_mut().zip(&centres) {
                *label = centre as u32;
            }
            scores.copy_from_slice(&least[..scores.len()]);
        }
    }
}

/// The best centre so far of a group of rows. Centres are numbered in floating point, so that both parts move with the
/// same instructions.
#[derive(Clone, Copy)]
struct Found<S: Simd> {
    score: [S::f64s; GROUP_VECTORS],
    centre: [S::f64s; GROUP_VECTORS],
}

impl Tables {
    /// |c|² and the terms of all columns with a dictionary, for each row and centre.
    #[inline(always)]
    fn look_up<const WIDTH: usize>(
        &self,
        points: &Points<'_>,
        rows: &Range<usize>,
        sums: &mut [f64],
    ) {
        let (sums, _) = sums.as_chunks_mut::<WIDTH>();
        let base: [f64; WIDTH] = row_of(&self.base, 0);
        sums[..rows.len()].fill(base);
        for look_up in &self.look_ups {
            let axis = &points.axes[look_up.column];
            with_codes!(&*axis.codes, codes => {
                let codes = codes[rows.clone()].iter().map(|&code| u32::from(code));
                match &*axis.layout {
                    Layout::Line(line) => {
                        let missing: [f64; WIDTH] = row_of(&look_up.table, 0);
                        for (sums, code) in sums.iter_mut().zip(codes) {
                            if code > line.last {
                                add(sums, &missing);
                            }
                        }
                    }
                    Layout::Entries(_) => {
                        for (sums, code) in sums.iter_mut().zip(codes) {
                            add(sums, &row_of(&look_up.table, code));
                        }
                    }
                    Layout::Sets(layout) => {
                        for (sums, row) in sums.iter_mut().zip(rows.clone()) {
                            let items = axis.row_items.of_row(row);
                            let mut set = [0.0; WIDTH];
                            for &item in items {
                                add(&mut set, &row_of(&look_up.table, item));
                            }
                            let share = layout.item_share(items.len());
                            for (sum, term) in sums.iter_mut().zip(set) {
                                *sum += term * share;
                            }
                        }
                    }
                }
            });
        }
    }

    /// The same for many centres, whose number the compiler does not know.
    #[inline(always)]
    fn look_up_wide(&self, points: &Points<'_>, rows: &Range<usize>, sums: &mut [f64]) {
        let width = self.width;
        for sums in sums.chunks_exact_mut(width).take(rows.len()) {
            sums.copy_from_slice(&self.base);
        }
        for look_up in &self.look_ups {
            let axis = &points.axes[look_up.column];
            let terms = |entry: u32| &look_up.table[entry as usize * width..][..width];
            for (sums, row) in sums.chunks_exact_mut(width).zip(rows.clone()) {
                let code = axis.codes.get(row);
                match &*axis.layout {
                    Layout::Line(line) if code > line.last => add_scaled(sums, terms(0), 1.0),
                    Layout::Line(_) => {}
                    Layout::Entries(_) => add_scaled(sums, terms(code), 1.0),
                    Layout::Sets(layout) => {
                        let items = axis.row_items.of_row(row);
                        let share = layout.item_share(items.len());
                        for &item in items {
                            add_scaled(sums, terms(item), share);
                        }
                    }
                }
            }
        }
    }

    /// The numbers of a chunk; a missing one counts for nothing here, it was looked up.
    #[inline(always)]
    fn convert(&self, points: &Points<'_>, rows: &Range<usize>, numbers: &mut [[f64; CHUNK_ROWS]]) {
        for (line, numbers) in self.lines.iter().zip(numbers) {
            with_codes!(&*points.axes[line.column].codes, codes => {
                for (number, &code) in numbers.iter_mut().zip(&codes[rows.clone()]) {
                    let code = u32::from(code);
                    *number = if code > line.last { 0.0 } else { f64::from(code) };
                }
            });
        }
    }

    /// The nearest centre of every row of a chunk.
    #[inline(always)]
    fn compare<S: Simd>(
        &self,
        simd: S,
        chunk: &Chunk,
        centres: &mut [f64; CHUNK_ROWS],
        least: &mut [f64; CHUNK_ROWS],
    ) {
        let (centres, _) = S::as_mut_simd_f64s(centres);
        let (least, _) = S::as_mut_simd_f64s(least);
        let groups = centres
            .chunks_exact_mut(GROUP_VECTORS)
            .zip(least.chunks_exact_mut(GROUP_VECTORS));
        for (group, (centres, least)) in groups.enumerate() {
            let mut found = Found {
                score: [simd.splat_f64s(f64::INFINITY); GROUP_VECTORS],
                centre: [simd.splat_f64s(0.0); GROUP_VECTORS],
            };
            let mut centre = 0;
            while centre < self.n_centres {
                // As even as possible: ten centres are two times five.
                let left = self.n_centres - centre;
                let lanes = left.div_ceil(left.div_ceil(MOST_LANES));
                found = match lanes {
                    1 => self.compare_group::<S, 1>(simd, chunk, group, centre, found),
                    2 => self.compare_group::<S, 2>(simd, chunk, group, centre, found),
                    3 => self.compare_group::<S, 3>(simd, chunk, group, centre, found),
                    4 => self.compare_group::<S, 4>(simd, chunk, group, centre, found),
                    5 => self.compare_group::<S, 5>(simd, chunk, group, centre, found),
                    _ => self.compare_group::<S, MOST_LANES>(simd, chunk, group, centre, found),
                };
                centre += lanes;
            }
            centres.copy_from_slice(&found.centre);
            least.copy_from_slice(&found.score);
        }
    }

    /// Scores of a group of rows for some centres, all in registers.
    #[inline(always)]
    fn compare_group<S: Simd, const LANES: usize>(
        &self,
        simd: S,
        chunk: &Chunk,
        group: usize,
        first_centre: usize,
        mut found: Found<S>,
    ) -> Found<S> {
        let vectors = group * GROUP_VECTORS..(group + 1) * GROUP_VECTORS;
        let mut scores = [[simd.splat_f64s(0.0); GROUP_VECTORS]; LANES];
        for (scores, starts) in scores.iter_mut().zip(&chunk.starts[first_centre..]) {
            let (starts, _) = S::as_simd_f64s(starts);
            scores.copy_from_slice(&starts[vectors.clone()]);
        }
        for (numbers, slopes) in chunk
            .numbers
            .iter()
            .zip(self.slopes.chunks_exact(self.n_centres))
        {
            let (numbers, _) = S::as_simd_f64s(numbers);
            let numbers = &numbers[vectors.clone()];
            let slopes = &slopes[first_centre..first_centre + LANES];
            for lane in 0..LANES {
                let slope = simd.splat_f64s(slopes[lane]);
                for at in 0..GROUP_VECTORS {
                    scores[lane][at] = simd.mul_add_f64s(numbers[at], slope, scores[lane][at]);
                }
            }
        }
        for (lane, scores) in scores.into_iter().enumerate() {
            let centre = simd.splat_f64s((first_centre + lane) as f64);
            let best = found.score.iter_mut().zip(&mut found.centre);
            for (score, (least, nearest)) in scores.into_iter().zip(best) {
                let is_less = simd.less_than_f64s(score, *least);
                *nearest = simd.select_f64s(is_less, centre, *nearest);
                *least = simd.select_f64s(is_less, score, *least);
            }
        }
        found
    }
}

/// The terms of an entry.
#[inline(always)]
fn row_of<const WIDTH: usize>(table: &[f64], entry: u32) -> [f64; WIDTH] {
    let start = entry as usize * WIDTH;
    let row = &table[start..start + WIDTH];
    row.try_into()
        .expect("tables have a whole row for each entry")
}

#[inline(always)]
fn add<const WIDTH: usize>(sums: &mut [f64; WIDTH], terms: &[f64; WIDTH]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

#[inline(always)]
fn add_scaled(sums: &mut [f64], terms: &[f64], factor: f64) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term * factor;
    }
}
