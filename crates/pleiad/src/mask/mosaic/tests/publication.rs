//! What is published: cells that tell each other apart, shares that add up, rows of the right domain and cell.

use super::super::model::Model;
use super::super::rows::cells_of_rows;
use super::{Dice, Mosaic, Raw, Row, epsilon, field, measured, numbers, table, values};
use crate::cluster::{Clusterer, Encoding, KMeans, Points, assign};
use crate::mask::private::PrivateMethod;
use crate::privacy::noise::PrivateRandom;
use crate::progress::Silent;
use crate::table::{Column, ColumnSpread, Domain, Spread, Table, Taxonomy};

#[test]
fn cells_and_rows_say_the_same() {
    let mut dice = Dice::new(71);
    let mut random = PrivateRandom::replay(71);
    for _ in 0..80 {
        let fields = dice.fields(4);
        let rows: Vec<Row> = (0..300).map(|_| dice.row(&fields)).collect();
        let table = table(&fields, &rows);
        let mosaic = Mosaic::new(&fields, &epsilon("20")).unwrap();
        let outputs = measured(&mosaic, &table, "20", &mut random);
        let publication = mosaic.publish(&outputs).unwrap();
        let cells = &publication.cells;
        let weights = cells.table.weights().unwrap();
        assert_eq!(
            weights.len(),
            cells.numbers.len(),
            "no two cells look alike"
        );
        let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        assert_eq!(publication.rows.n_rows() as u64, total);
        let model = Model::new(&mosaic, &outputs).unwrap();
        for (&number, &weight) in cells.numbers.iter().zip(weights) {
            assert_eq!(u64::from(weight), model.cell_people()[number]);
        }
        check_spreads(&cells.spreads);
        check_rows(&publication.rows);
        let codes_of = |row: usize| -> Vec<u32> {
            let columns = publication.rows.columns().iter();
            columns.map(|column| column.codes().get(row)).collect()
        };
        assert!((0..publication.rows.n_rows()).is_sorted_by_key(codes_of));
        // Every synthetic row lies in a cell that was published, and each cell has as many rows as people.
        let mut rows_of = vec![0; model.cell_people().len()];
        for cell in cells_of_rows(&publication.rows, &mosaic.axes, &outputs.cuts) {
            rows_of[usize::from(cell)] += 1;
        }
        assert_eq!(rows_of, model.cell_people());
        // Masked values can be written and told apart.
        for (field, column) in fields.iter().zip(cells.table.columns()) {
            column.writer(&field.domain).unwrap();
        }
    }
}

fn check_spreads(spreads: &[Option<ColumnSpread>]) {
    for spread in spreads {
        let Some(ColumnSpread::Entries { entries, .. }) = spread else {
            panic!("every column says how it spreads");
        };
        for entry in entries {
            match entry {
                Spread::Leaves(shares) => {
                    let sum: f64 = shares.iter().map(|(_, share)| share).sum();
                    assert!((sum - 1.0).abs() < 1e-9);
                }
                Spread::Numbers {
                    mean_place,
                    missing,
                } => {
                    assert!(mean_place.is_finite() && *mean_place >= 0.0);
                    assert!((0.0..=1.0).contains(missing));
                }
            }
        }
    }
}

/// Rows are ordinary: codes of their domains, sorted, the empty set and "missing" alone.
fn check_rows(rows: &Table) {
    for (field, column) in rows.fields().iter().zip(rows.columns()) {
        match (&field.domain, column) {
            (
                Domain::Numbers {
                    interval,
                    may_be_missing,
                },
                Column::Numbers(codes),
            ) => {
                let most = interval.last() + u32::from(*may_be_missing);
                assert!(codes.iter().all(|code| code <= most));
            }
            (Domain::Values(tree), Column::Values(codes)) => {
                let n_leaves = tree.taxonomy.n_leaves() as u32;
                assert!(codes.iter().all(|code| code < n_leaves));
            }
            (Domain::Sets { tree, .. }, Column::Sets(codes, sets)) => {
                for code in codes {
                    let items = sets.items(code);
                    assert!(!items.is_empty());
                    assert!(items.windows(2).all(|pair| pair[0] < pair[1]));
                    let taxonomy = &tree.taxonomy;
                    for loner in [taxonomy.empty_set(), taxonomy.missing()]
                        .into_iter()
                        .flatten()
                    {
                        assert!(items.len() == 1 || !items.contains(&loner));
                    }
                }
            }
            _ => panic!("a column of another kind"),
        }
    }
    let row = |at: usize| -> Vec<u32> {
        let columns = rows.columns().iter();
        columns.map(|column| column.codes().get(at)).collect()
    };
    assert!((1..rows.n_rows()).all(|at| row(at - 1) <= row(at)));
}

/// Three kinds of people in two numbers and two categories.
fn planted(n_rows: usize) -> Table {
    let mut dice = Dice::new(72);
    let star = || Taxonomy::star((0..6).map(|value| format!("v{value}"))).unwrap();
    let fields = [
        field("a", numbers(100, false), 1.0),
        field("b", numbers(100, false), 1.0),
        field("c", values(star()), 1.0),
        field("d", values(star()), 1.0),
    ];
    let rows: Vec<Row> = (0..n_rows)
        .map(|row| {
            let kind = (row % 3) as u32;
            let near = |dice: &mut Dice, centre: u32| centre + dice.between(0, 16) as u32;
            let value = |dice: &mut Dice| match dice.between(0, 4) {
                0 => dice.between(0, 5) as u32,
                _ => 2 * kind,
            };
            vec![
                Raw::Code(near(&mut dice, [5, 40, 80][kind as usize])),
                Raw::Code(near(&mut dice, [60, 10, 70][kind as usize])),
                Raw::Code(value(&mut dice)),
                Raw::Code(value(&mut dice)),
            ]
        })
        .collect();
    table(&fields, &rows)
}

#[test]
fn planted_clusters_are_found_in_cells_and_rows() {
    let table = planted(3_000);
    let raw = Points::new(&table, Encoding::Semantic);
    let best = KMeans::new(3).cluster(&raw, &Silent).unwrap();
    let mosaic = Mosaic::new(table.fields(), &epsilon("4")).unwrap();
    let mut random = PrivateRandom::replay(73);
    let outputs = measured(&mosaic, &table, "4", &mut random);
    let publication = mosaic.publish(&outputs).unwrap();
    let cells = Points::in_space(&publication.cells.table, raw.space().clone())
        .with_spreads(&publication.cells.table, &publication.cells.spreads);
    let rows = Points::in_space(&publication.rows, raw.space().clone());
    for points in [&cells, &rows] {
        let found = KMeans::new(3)
            .restarts(20)
            .cluster(points, &Silent)
            .unwrap();
        let (_, cost) = assign(&raw, &found.centres.unwrap());
        let ratio = cost / best.cost.unwrap();
        assert!(ratio < 1.05, "{ratio}");
    }
}
