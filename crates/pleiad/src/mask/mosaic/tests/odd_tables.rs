//! A private method never fails because of the rows.

use super::{Dice, Mosaic, Raw, epsilon, field, measured, numbers, sets, table, tree, values};
use crate::mask::private::{PrivateMethod, replay};
use crate::privacy::noise::PrivateRandom;
use crate::table::{Field, Table};

fn columns() -> Vec<Field> {
    let tree = tree(&[None, Some(0), Some(1), Some(1), Some(0)]);
    vec![
        field("age", numbers(90, true), 1.0),
        field("job", values(tree.clone().with_missing().unwrap()), 1.0),
        field("codes", sets(tree.with_missing().unwrap()), 1.0),
    ]
}

fn release(fields: &[Field], table: &Table, budget: &str) {
    let mut random = PrivateRandom::new().unwrap();
    for mosaic in [
        Mosaic::new(fields, &epsilon(budget)).unwrap(),
        Mosaic::new(fields, &epsilon(budget))
            .unwrap()
            .marginals_only(),
    ] {
        let mosaic = mosaic.synthetic_rows(50);
        let outputs = measured(&mosaic, table, budget, &mut random);
        let publication = mosaic.publish(&outputs).unwrap();
        assert_eq!(publication.rows.n_rows(), 50);
        let owner = mosaic.cell_of_rows(table, &outputs, &publication.cells);
        assert_eq!(owner.len(), table.n_rows());
        let n_cells = publication.cells.table.n_rows() as u32;
        assert!(owner.iter().all(|&cell| cell < n_cells));
    }
}

#[test]
fn any_table_gets_a_release() {
    let fields = columns();
    let one = vec![Raw::Code(30), Raw::Code(1), Raw::Set(vec![0, 2])];
    let nothing = vec![Raw::Code(91), Raw::Code(3), Raw::Set(vec![4])];
    let empty_set = vec![Raw::Code(0), Raw::Code(0), Raw::Set(vec![3])];
    for budget in ["0.001", "1", "100"] {
        for rows in [
            vec![],
            vec![one.clone()],
            vec![nothing.clone()],
            vec![one.clone(); 500],
            vec![nothing.clone(); 40],
            vec![one.clone(), nothing.clone(), empty_set.clone()],
        ] {
            release(&fields, &table(&fields, &rows), budget);
        }
    }
}

#[test]
fn any_columns_get_a_release() {
    let mut dice = Dice::new(61);
    for _ in 0..60 {
        let fields = dice.fields(4);
        let rows = dice.rows(&fields, 80);
        let budget = ["0.01", "1", "50"][dice.between(0, 2)];
        release(&fields, &table(&fields, &rows), budget);
    }
}

#[test]
fn a_replayed_release_is_the_same() {
    let mut dice = Dice::new(62);
    for _ in 0..25 {
        let fields = dice.fields(4);
        let rows = dice.rows(&fields, 60);
        let [recording, replaying] = [(); 2].map(|()| Mosaic::new(&fields, &epsilon("2")).unwrap());
        replay::check(&recording, &replaying, &table(&fields, &rows), "2");
    }
}

#[test]
fn outputs_of_other_columns_are_refused() {
    let fields = columns();
    let mosaic = Mosaic::new(&fields, &epsilon("1")).unwrap();
    let mut random = PrivateRandom::new().unwrap();
    let outputs = measured(&mosaic, &table(&fields, &[]), "1", &mut random);
    let fewer = Mosaic::new(&fields[..2], &epsilon("1")).unwrap();
    assert!(fewer.publish(&outputs).is_err());
    let mut broken = outputs.clone();
    broken.cells.pop();
    assert!(mosaic.publish(&broken).is_err());
    let mut broken = outputs.clone();
    broken.columns.swap(0, 1);
    assert!(mosaic.publish(&broken).is_err());
    let mut broken = outputs;
    broken.cuts[0].column = 7;
    assert!(mosaic.publish(&broken).is_err());
}
