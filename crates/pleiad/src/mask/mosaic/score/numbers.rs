//! Scores of thresholds.
//!
//! A number at place x of a grid with the last place g is y = 2x, a missing one y = g with a second coordinate whose
//! square counts 2g²; the column's weight times a squared distance over 4g² is the distance in the space. Two places
//! are at most 2g apart, a missing number has (2x−g)² + 2g² ≤ 3g² < 4g² to any other: the squared diameter is the
//! weight.
//!
//! Places of a very fine grid are halved until they fit [`SCORE_BITS`] bits, the last one with them, so that sums over
//! more people than there are stay far from the end of their type.

use super::super::axis::{NumberAxis, Test};
use super::super::rows::weight_of;
use super::{Moments, Rows};
use crate::table::with_codes;

/// Bits of a place that a score looks at.
const SCORE_BITS: u32 = 24;

pub(in super::super) struct NumberScorer<'t> {
    rows: Rows<'t>,
    last: u32,
    /// How often places are halved.
    halvings: u32,
    /// The segment between two thresholds that each row lies in; the last one is "missing".
    segments: Vec<u8>,
    n_segments: usize,
    /// The segments that pass each test.
    tests: Vec<std::ops::Range<usize>>,
}

/// Sums over the people of a segment.
#[derive(Clone, Copy, Default)]
struct Sums {
    people: u64,
    missing: u64,
    places: u128,
    squares: u128,
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.people += other.people;
        self.missing += other.missing;
        self.places += other.places;
        self.squares += other.squares;
    }

    fn without(&self, other: &Self) -> Self {
        Self {
            people: self.people - other.people,
            missing: self.missing - other.missing,
            places: self.places - other.places,
            squares: self.squares - other.squares,
        }
    }

    fn moments(&self, last: u128) -> Moments {
        let missing = u128::from(self.missing);
        let sum = 2 * self.places + last * missing;
        Moments {
            people: self.people.into(),
            squares: 4 * self.squares + 3 * last * last * missing,
            square_of_sum: sum * sum + 2 * last * last * missing * missing,
        }
    }
}

impl<'t> NumberScorer<'t> {
    pub(super) fn new(rows: Rows<'t>, axis: &NumberAxis, tests: &[Test]) -> Self {
        let n_bins = axis.n_bins() as u32;
        let mut firsts: Vec<u32> = tests.iter().map(|test| test.atoms.start).collect();
        firsts.retain(|&first| first < n_bins);
        let starts: Vec<u32> = firsts
            .iter()
            .map(|&bin| axis.starts[bin as usize])
            .collect();
        let last = axis.interval.last();
        let missing = starts.len() + 1;
        let segment_of = |code: u32| {
            if code > last && axis.may_be_missing {
                missing as u8
            } else {
                starts.partition_point(|&start| start <= code) as u8
            }
        };
        let codes = rows.table.columns()[rows.column].codes();
        let segment_range = |test: &Test| match firsts.binary_search(&test.atoms.start) {
            Ok(threshold) => threshold + 1..missing,
            Err(_) => missing..missing + 1,
        };
        Self {
            segments: with_codes!(codes, codes => {
                codes.iter().map(|&code| segment_of(u32::from(code))).collect()
            }),
            rows,
            last,
            halvings: (u32::BITS - last.leading_zeros()).saturating_sub(SCORE_BITS),
            n_segments: missing + 1,
            tests: tests.iter().map(segment_range).collect(),
        }
    }

    pub(super) fn scores(&self, cells: &[u16], n_cells: usize, tests: &[usize]) -> Vec<i128> {
        let sums = self.sums(cells, n_cells);
        let last = u128::from(self.last >> self.halvings);
        let spread =
            |sums: &Sums| -> i128 { sums.moments(last).spread(self.rows.weight, 4 * last * last) };
        let mut scores = vec![0; tests.len()];
        for of_cell in sums.chunks(self.n_segments) {
            let total = |segments: &[Sums]| {
                let mut total = Sums::default();
                for segment in segments {
                    total.add(segment);
                }
                total
            };
            let all = total(of_cell);
            if all.people == 0 {
                continue;
            }
            let before = spread(&all);
            for (score, &test) in scores.iter_mut().zip(tests) {
                let passing = total(&of_cell[self.tests[test].clone()]);
                *score += before - spread(&passing) - spread(&all.without(&passing));
            }
        }
        scores
    }

    fn sums(&self, cells: &[u16], n_cells: usize) -> Vec<Sums> {
        let mut sums = vec![Sums::default(); n_cells * self.n_segments];
        let weight_of = weight_of(self.rows.table);
        let missing = self.n_segments - 1;
        with_codes!(self.rows.table.columns()[self.rows.column].codes(), codes => {
            let rows = codes.iter().zip(cells).zip(&self.segments).enumerate();
            for (row, ((&code, &cell), &segment)) in rows {
                let weight = weight_of(row);
                let sums = &mut sums[usize::from(cell) * self.n_segments + usize::from(segment)];
                sums.people += weight;
                if usize::from(segment) == missing {
                    sums.missing += weight;
                } else {
                    let place = u128::from(u32::from(code).min(self.last) >> self.halvings);
                    sums.places += u128::from(weight) * place;
                    sums.squares += u128::from(weight) * place * place;
                }
            }
        });
        sums
    }
}
