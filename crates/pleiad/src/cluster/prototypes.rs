//! The space of k-prototypes: numbers as they are, categories that match or do not.
//!
//! Huang's distance is the squared difference of numbers plus γ for each category that differs. Put √(γ/2) on one
//! coordinate for each value of a category: two different values are γ apart, squared, and a prototype is a centre
//! that must lie on a value. So k-prototypes is Lloyd's rounds in this space with means moved to the nearest place where
//! a prototype may be, and the kernel's tables hold 0 or −γ for each centre and entry.
//!
//! Numbers are shares of their range, a missing one as in the other space. A masked value lies at the mean of the values
//! it may stand for, or where its release says that its rows are. A set is the mean of its items, and the prototype of
//! sets is the set that is nearest to them on the whole. Columns count by their weights, 1 on average.

use super::points::Points;
use super::space::{ColumnKind, Layout, Line, SetLayout};
use super::sparse::SparseRows;
use super::sums::Sums;
use crate::table::with_codes;

/// The rows as k-prototypes sees them.
pub(super) fn in_prototype_space<'p>(points: &'p Points<'_>, gamma: f64) -> Points<'p> {
    let space = points.space();
    let layouts = points
        .axes
        .iter()
        .zip(space.columns())
        .enumerate()
        .map(|(number, (axis, column))| {
            let height = symbol_height(points, number, gamma);
            let factor = number_factor(points, number);
            match (&*axis.layout, column.kind) {
                (Layout::Line(line), _) => Layout::Line(Line {
                    scale: line.scale * factor,
                    missing: line.missing.map(|coordinate| coordinate * factor),
                    ..line.clone()
                }),
                (Layout::Entries(positions), ColumnKind::Numbers) => {
                    Layout::Entries(mapped(positions, |row| {
                        for (_, value) in row.iter_mut() {
                            *value *= factor;
                        }
                    }))
                }
                (Layout::Entries(positions), ColumnKind::Values | ColumnKind::Sets) => {
                    Layout::Entries(mapped(positions, |row| {
                        keep_symbols(row, |at| column.is_symbol(at), height);
                    }))
                }
                (Layout::Sets(layout), _) => {
                    let items = mapped(&layout.items, |row| {
                        keep_symbols(row, |at| column.is_symbol(at), height);
                    });
                    Layout::Sets(SetLayout::new(items, layout.sets.clone(), true))
                }
            }
        })
        .collect();
    points.with_layouts(layouts)
}

fn mapped(rows: &SparseRows, change: impl Fn(&mut Vec<(u32, f64)>)) -> SparseRows {
    let mut changed = SparseRows::default();
    for number in 0..rows.n_rows() {
        let mut row = rows.row(number).collect();
        change(&mut row);
        changed.push(row);
    }
    changed
}

/// Leaves the coordinates that stand for one value, which then add up to `height`.
fn keep_symbols(row: &mut Vec<(u32, f64)>, is_symbol: impl Fn(u32) -> bool, height: f64) {
    row.retain(|(coordinate, _)| is_symbol(*coordinate));
    let total: f64 = row.iter().map(|(_, value)| value).sum();
    for (_, value) in row {
        *value = *value / total * height;
    }
}

/// What a row has on the coordinate of its value.
fn symbol_height(points: &Points<'_>, column: usize, gamma: f64) -> f64 {
    (gamma * points.space().relative_weight(column) / 2.0).sqrt()
}

/// From a number's coordinate to its share of the range, weighted.
fn number_factor(points: &Points<'_>, column: usize) -> f64 {
    let space = points.space();
    space.relative_weight(column).sqrt() / space.number_unit(column)
}

/// Moves a mean to the nearest place where a prototype may be.
pub(super) fn settle(points: &Points<'_>, gamma: f64, mean: &mut [f64]) {
    for (number, column) in points.space().columns().iter().enumerate() {
        let own = &mut mean[column.start..column.start + column.n_coordinates];
        let height = symbol_height(points, number, gamma);
        match column.kind {
            ColumnKind::Numbers => {}
            ColumnKind::Values => settle_on_best(own, height, 1),
            ColumnKind::Sets => {
                let most = own.iter().filter(|&&value| value > 0.0).count();
                settle_on_best(own, height, most);
            }
        }
    }
}

/// The nearest even mixture of at most so many values. That of the j most frequent ones, with shares that add up to S, is
/// (1 − 2S)/j away, squared, up to a factor and a term that all have in common.
fn settle_on_best(own: &mut [f64], height: f64, most: usize) {
    let mut frequent: Vec<usize> = (0..own.len()).filter(|&at| own[at] > 0.0).collect();
    frequent.sort_by(|&a, &b| own[b].total_cmp(&own[a]).then(a.cmp(&b)));
    frequent.truncate(most);
    let mut best = (f64::INFINITY, 0);
    let mut sum = 0.0;
    for (at, &coordinate) in frequent.iter().enumerate() {
        sum += own[coordinate] / height;
        let distance = (1.0 - 2.0 * sum) / (at + 1) as f64;
        if distance < best.0 {
            best = (distance, at + 1);
        }
    }
    let (_, n_values) = best;
    own.fill(0.0);
    for &coordinate in &frequent[..n_values] {
        own[coordinate] = height / n_values as f64;
    }
}

/// Huang's weight of a category that differs: half the mean standard deviation of the numeric columns; 1 where no number
/// varies, and any weight gives the same clusters.
pub(super) fn usual_gamma(points: &Points<'_>) -> f64 {
    let columns = points.space().columns().iter().enumerate();
    let deviations: Vec<f64> = columns
        .filter(|(_, column)| column.kind == ColumnKind::Numbers)
        .map(|(number, _)| deviation(points, number) * number_factor(points, number))
        .collect();
    let mean = deviations.iter().sum::<f64>() / deviations.len().max(1) as f64;
    if mean > 0.0 { mean / 2.0 } else { 1.0 }
}

/// The standard deviation along a column of numbers, of those that are there.
fn deviation(points: &Points<'_>, column: usize) -> f64 {
    match &*points.axes[column].layout {
        Layout::Line(line) => place_deviation(points, column, line.last) * line.scale,
        Layout::Entries(positions) => {
            let sums = Sums::of_labels(points, &vec![0; points.n_rows()], 1);
            let counts = sums.column(0, column);
            let total = sums.weight(0) as f64;
            let place = |entry: usize| -> f64 {
                let own = positions.row(entry).find(|&(at, _)| at == 0);
                own.map_or(0.0, |(_, value)| value)
            };
            let mean_of = |value: &dyn Fn(usize) -> f64| -> f64 {
                let terms = counts.iter().enumerate();
                terms
                    .map(|(entry, &count)| count as f64 * value(entry))
                    .sum::<f64>()
                    / total
            };
            let mean = mean_of(&place);
            mean_of(&|entry| (place(entry) - mean).powi(2)).sqrt()
        }
        Layout::Sets(_) => unreachable!("numbers are no sets"),
    }
}

/// The same in places of the grid, from exact sums around a place near the mean.
fn place_deviation(points: &Points<'_>, column: usize, last: u32) -> f64 {
    let (mut weight, mut sum) = (0_i128, 0_i128);
    let mut squares = 0_i128;
    with_codes!(&*points.axes[column].codes, codes => {
        let present = || {
            let numbered = codes.iter().enumerate();
            numbered
                .filter(|&(_, &code)| u32::from(code) <= last)
                .map(|(row, &code)| (i128::from(points.weight(row)), i128::from(code)))
        };
        for (times, place) in present() {
            weight += times;
            sum += times * place;
        }
        let near_mean = sum / weight.max(1);
        for (times, place) in present() {
            squares += times * (place - near_mean).pow(2);
        }
        sum -= weight * near_mean;
    });
    let total = weight.max(1) as f64;
    (squares as f64 / total - (sum as f64 / total).powi(2)).sqrt()
}
