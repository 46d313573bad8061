//! Synthetic rows: an ordinary table at full resolution, drawn from what is known of the cells.
//!
//! Each cell gets its part of the rows, and within a cell the columns are drawn independently. A column is not drawn
//! row by row: its values are dealt out so that each occurs as often as its share says, rounded at random, and are then
//! shuffled. So the rows carry next to no noise beyond that of the cells themselves. The choices come from a number
//! that was drawn together with the noise, and not from the raw rows.

use super::axis::{Atom, Axis, NumberAxis};
use super::model::Model;
use super::project::apportioned;
use super::synthetic_sets::{DrawnSets, draw_sets};
use crate::repeatable::Repeatable;
use crate::table::{Codes, Column, Table};

/// So many rows, sorted by their values.
pub(super) fn rows(model: &Model<'_>, n_rows: u64, seed: u64) -> Table {
    let people: Vec<f64> = model.cell_people().iter().map(|&all| all as f64).collect();
    let of_cell = apportioned(&people, n_rows);
    let fields = &model.mosaic.fields;
    let columns: Vec<Column> = (0..fields.len())
        .map(|column| {
            // A generator for each column: none is disturbed by how many choices another takes.
            let mut random = Repeatable::new(seed.wrapping_add(column as u64));
            draw_column(model, column, &of_cell, &mut random)
        })
        .collect();
    let n_rows: u64 = of_cell.iter().sum();
    let table = Table::new(fields.clone(), columns, None);
    table.select(&sorted(&table, n_rows as usize))
}

/// The rows in the order of their codes, which say nothing about where they were drawn.
fn sorted(table: &Table, n_rows: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n_rows as u32).collect();
    // Stable sorts by one column after the other, the last one first.
    for column in table.columns().iter().rev() {
        let codes: Vec<u32> = column.codes().iter().collect();
        let most = codes.iter().copied().max().unwrap_or(0);
        for digit in (0..u32::BITS).step_by(DIGIT_BITS as usize) {
            if most >> digit > 0 {
                order = sorted_by_digit(&order, &codes, digit);
            }
        }
    }
    order
}

/// Bits of a code that are sorted by at a time.
const DIGIT_BITS: u32 = 16;

/// The same rows by one digit of their codes, equal ones in the order that they had: counted, not compared, so that a
/// row costs the same in a table of any size.
fn sorted_by_digit(order: &[u32], codes: &[u32], digit: u32) -> Vec<u32> {
    let digit_of = |row: u32| (codes[row as usize] >> digit) as usize % (1 << DIGIT_BITS);
    let mut starts = vec![0_u32; (1 << DIGIT_BITS) + 1];
    for &row in order {
        starts[digit_of(row) + 1] += 1;
    }
    for value in 0..1 << DIGIT_BITS {
        starts[value + 1] += starts[value];
    }
    let mut sorted = vec![0; order.len()];
    for &row in order {
        let next = &mut starts[digit_of(row)];
        sorted[*next as usize] = row;
        *next += 1;
    }
    sorted
}

fn draw_column(
    model: &Model<'_>,
    column: usize,
    of_cell: &[u64],
    random: &mut Repeatable,
) -> Column {
    let axis = &model.mosaic.axes[column];
    let cells = || {
        let rows = of_cell.iter().enumerate().filter(|(_, rows)| **rows > 0);
        rows.map(|(cell, &rows)| (cell, rows as usize))
    };
    match axis {
        Axis::Numbers(numbers) => {
            let mut codes = Vec::new();
            for (cell, n_rows) in cells() {
                let shares = model.shares_of_rows(column, cell);
                let bins = shuffled(&dealt(&shares, n_rows, random), random);
                codes.extend(bins.into_iter().map(|bin| place_in(numbers, bin, random)));
            }
            let n_places = numbers.interval.missing() as usize + 1;
            Column::Numbers(Codes::pack(codes, n_places))
        }
        Axis::Values(_) => {
            let mut codes = Vec::new();
            for (cell, n_rows) in cells() {
                let shares = model.shares_of_rows(column, cell);
                codes.extend(shuffled(&dealt(&shares, n_rows, random), random));
            }
            Column::Values(Codes::pack(codes, axis.n_atoms()))
        }
        Axis::Sets(_) => {
            let mut drawn = DrawnSets::default();
            for (cell, n_rows) in cells() {
                draw_sets(model, column, cell, n_rows, random, &mut drawn);
            }
            drawn.into_column()
        }
    }
}

/// A number from 0 up to, and without, 1.
pub(super) fn unit(random: &mut Repeatable) -> f64 {
    random.below(1 << 53) as f64 / (1_u64 << 53) as f64
}

/// So many atoms, each as often as its share says, rounded up or down with the right probability, in order.
pub(super) fn dealt(shares: &[(Atom, f64)], n_rows: usize, random: &mut Repeatable) -> Vec<Atom> {
    let total: f64 = shares.iter().map(|(_, share)| share).sum();
    let start = unit(random);
    let mut atoms = Vec::with_capacity(n_rows);
    let mut reached = 0.0;
    for &(atom, share) in shares {
        reached += share / total * n_rows as f64;
        while atoms.len() < n_rows && atoms.len() as f64 + start < reached {
            atoms.push(atom);
        }
    }
    // What floating point lost at the end.
    if let Some(&(last, _)) = shares.iter().rfind(|(_, share)| *share > 0.0) {
        atoms.resize(n_rows, last);
    }
    atoms
}

pub(super) fn shuffled<T: Copy>(values: &[T], random: &mut Repeatable) -> Vec<T> {
    let order = random.permutation(values.len()).into_iter();
    order.map(|at| values[at as usize]).collect()
}

/// A place of a bin, each equally likely; the bin after the last is missing.
fn place_in(numbers: &NumberAxis, bin: Atom, random: &mut Repeatable) -> u32 {
    if bin as usize == numbers.n_bins() {
        return numbers.interval.missing();
    }
    let places = numbers.places(bin);
    (places.start + random.below(u128::from(places.end - places.start)) as u64) as u32
}
