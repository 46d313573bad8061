//! One person moves the counts, histograms and sums by no more than the charge says, in the L1 sense.

use super::super::axis::Axis;
use super::super::bins::Bins;
use super::super::counts::people_of_cells;
use super::super::histograms::{WholeTable, coarse, unit_of};
use super::super::marginal::marginal;
use super::super::region::Plan;
use super::super::rows::cells_of_rows;
use super::super::sums::{linear_columns, numbers as number_axis, place_range, sums};
use super::{Dice, Mosaic, epsilon, field, numbers, table};
use crate::privacy::budget::Rational;
use crate::table::{Field, Table};

/// A plan with some cuts at random.
fn plan(dice: &mut Dice, mosaic: &Mosaic) -> Plan {
    let mut plan = Plan::new(&mosaic.axes);
    for _ in 0..dice.between(0, 4) {
        let column = dice.between(0, mosaic.axes.len() - 1);
        let tests = &mosaic.tests[column];
        let ranges = tests.iter().map(|test| &test.atoms);
        let cutting = plan.cutting(&mosaic.axes[column], column, ranges);
        if !cutting.is_empty() {
            let test = &tests[cutting[dice.between(0, cutting.len() - 1)]];
            let cut = super::super::Cut::new(column, &test.atoms);
            plan.cut(&mosaic.axes, cut);
        }
    }
    plan
}

fn neighbours(dice: &mut Dice, fields: &[Field]) -> [Table; 2] {
    let mut rows = dice.rows(fields, 12);
    let smaller = table(fields, &rows);
    rows.push(dice.row(fields));
    [smaller, table(fields, &rows)]
}

fn distance(one: &[u128], other: &[u128]) -> u128 {
    assert_eq!(one.len(), other.len());
    let pairs = one.iter().zip(other);
    pairs.map(|(one, other)| one.abs_diff(*other)).sum()
}

#[test]
fn one_person_moves_one_cell_by_one() {
    let mut dice = Dice::new(21);
    for _ in 0..400 {
        let fields = dice.fields(3);
        let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
        let plan = plan(&mut dice, &mosaic);
        let [smaller, larger] =
            neighbours(&mut dice, &fields).map(|table| people_of_cells(&mosaic, &plan, &table));
        assert_eq!(distance(&smaller, &larger), 1);
        let held: u128 = larger.iter().sum();
        assert_eq!(
            held,
            smaller.iter().sum::<u128>() + 1,
            "nobody falls beside the cells"
        );
    }
}

#[test]
fn one_person_moves_the_histograms_of_a_column_by_one_unit() {
    let mut dice = Dice::new(22);
    for _ in 0..400 {
        let fields = dice.fields(3);
        let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
        let plan = plan(&mut dice, &mosaic);
        let tables = neighbours(&mut dice, &fields);
        for (column, axis) in mosaic.axes.iter().enumerate() {
            // Whatever the noisy histogram of the whole table was, the bins are the same for both.
            let fine: Vec<i64> = (0..axis.n_atoms())
                .map(|_| dice.between(0, 50) as i64 - 25)
                .collect();
            let bins = Bins::new(axis, &fine);
            let unit = u128::from(unit_of(axis));
            let [smaller, larger] = [0, 1].map(|number| {
                let table: &Table = &tables[number];
                let groups = cells_of_rows(table, &mosaic.axes, plan.cuts());
                coarse(table, column, axis, &bins, &groups, plan.cells().len())
            });
            assert!(distance(&smaller, &larger) <= unit);
            check_impossible_bins(&plan, column, axis, &bins, &larger);
            let [smaller, larger] =
                [0, 1].map(|number| WholeTable::new(&tables[number], column, axis));
            assert!(distance(&smaller.fine, &larger.fine) <= unit);
            assert!(distance(&smaller.sizes, &larger.sizes) <= 1);
        }
    }
}

/// Bins that are left out as impossible hold nobody.
fn check_impossible_bins(plan: &Plan, column: usize, axis: &Axis, bins: &Bins, coarse: &[u128]) {
    for (cell, counts) in plan.cells().iter().zip(coarse.chunks(bins.len())) {
        let possible = match cell {
            Some(cell) => bins.possible(&cell.regions[column]),
            None => vec![false; bins.len()],
        };
        for (count, possible) in counts.iter().zip(possible) {
            assert!(possible || *count == 0, "{axis:?}");
        }
    }
}

#[test]
fn one_person_moves_the_sums_of_a_group_by_its_widths() {
    let mut dice = Dice::new(23);
    for _ in 0..400 {
        let n_columns = dice.between(1, 4);
        let fields: Vec<Field> = (0..n_columns)
            .map(|column| {
                let last = [1, 40, 300, 70_000][dice.between(0, 3)];
                field(&format!("c{column}"), numbers(last, false), 1.0)
            })
            .collect();
        let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
        let plan = plan(&mut dice, &mosaic);
        let tables = neighbours(&mut dice, &fields);
        let columns = linear_columns(&mosaic);
        assert_eq!(columns.len(), n_columns);
        let groups: Vec<_> = plan.cells().iter().flatten().collect();
        // How far each group's sums moved, and how far they may move, as shares of the bounds.
        let mut moved = vec![Rational::ZERO; groups.len()];
        let mut allowed = vec![Rational::ZERO; groups.len()];
        for column in columns {
            let [smaller, larger] = [0, 1]
                .map(|number| marginal(&tables[number], column, number_axis(&mosaic, column)));
            assert_eq!(distance(&smaller, &larger), 1);
            let last = 2 * u64::from(number_axis(&mosaic, column).interval.last());
            let [smaller, larger] = [0, 1].map(|number| {
                let table: &Table = &tables[number];
                let of_rows = cells_of_rows(table, &mosaic.axes, plan.cuts());
                sums(table, &mosaic, column, plan.cells(), &of_rows)
            });
            for (group, cell) in groups.iter().enumerate() {
                let by = smaller[group].abs_diff(larger[group]);
                moved[group] = moved[group].clone() + Rational::new(by, last).unwrap();
                let axis = number_axis(&mosaic, column);
                let (first, end) = place_range(axis, cell, column);
                let width = Rational::new(end - first, last).unwrap();
                allowed[group] = allowed[group].clone() + width;
            }
        }
        let touched = moved.iter().filter(|moved| !moved.is_zero()).count();
        assert!(touched <= 1, "a person is in one group");
        assert!(
            moved
                .iter()
                .zip(&allowed)
                .all(|(moved, allowed)| moved <= allowed)
        );
    }
}
