//! What is said to be impossible in a cell is, for every row there could be.

use super::super::axis::Axis;
use super::super::outputs::Cut;
use super::super::region::Plan;
use super::super::rows::cells_of_rows;
use super::{Dice, Mosaic, Raw, epsilon, table};

#[test]
fn every_row_is_possible_where_it_falls() {
    let mut dice = Dice::new(31);
    let mut n_empty = 0;
    for _ in 0..300 {
        let fields = dice.fields(3);
        let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
        let mut plan = Plan::new(&mosaic.axes);
        for _ in 0..6 {
            let column = dice.between(0, fields.len() - 1);
            let tests = &mosaic.tests[column];
            if !tests.is_empty() {
                let test = &tests[dice.between(0, tests.len() - 1)];
                plan.cut(&mosaic.axes, Cut::new(column, &test.atoms));
            }
        }
        n_empty += plan.cells().iter().filter(|cell| cell.is_none()).count();
        let rows: Vec<_> = (0..40).map(|_| dice.row(&fields)).collect();
        let cells = cells_of_rows(&table(&fields, &rows), &mosaic.axes, plan.cuts());
        for (row, cell) in rows.iter().zip(cells) {
            let cell = plan.cells()[usize::from(cell)].as_ref();
            let cell = cell.expect("a cell that holds somebody can hold somebody");
            for (column, raw) in row.iter().enumerate() {
                let region = &cell.regions[column];
                match (&mosaic.axes[column], raw) {
                    (Axis::Numbers(numbers), Raw::Code(code)) => {
                        assert!(region.allows(numbers.atom(*code)));
                    }
                    (_, Raw::Code(leaf)) => assert!(region.allows(*leaf)),
                    (_, Raw::Set(items)) => {
                        assert!(items.iter().all(|&item| region.allows(item)));
                        for range in region.present() {
                            assert!(items.iter().any(|item| range.contains(item)));
                        }
                    }
                }
            }
        }
    }
    assert!(n_empty > 100, "{n_empty} cells were empty for everybody");
}

#[test]
fn atoms_of_numbers_are_bins_of_places_in_order() {
    let mut dice = Dice::new(32);
    for _ in 0..100 {
        let fields = dice.fields(1);
        let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
        let Axis::Numbers(numbers) = &mosaic.axes[0] else {
            continue;
        };
        let mut next = 0;
        for bin in 0..numbers.n_bins() as u32 {
            let places = numbers.places(bin);
            assert_eq!(places.start, next);
            assert!(places.end > places.start);
            assert_eq!(numbers.atom(places.start as u32), bin);
            assert_eq!(numbers.atom((places.end - 1) as u32), bin);
            next = places.end;
        }
        assert_eq!(next, u64::from(numbers.interval.last()) + 1);
        let missing = numbers.atom(numbers.interval.missing());
        let expected = numbers.n_bins() - usize::from(!numbers.may_be_missing);
        assert_eq!(missing as usize, expected);
    }
}
