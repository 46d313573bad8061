//! k-prototypes beside a plain loop over mismatches, and what it does that Huang's tables have no word for.

use super::super::prototypes::{in_prototype_space, settle, usual_gamma};
use super::super::{Clusterer, KMeans, KPrototypes};
use super::*;
use crate::progress::Silent;

/// Numbers and stars without sets, missing values or weights: what Huang wrote about.
fn plain(n_rows: usize, seed: u64) -> Table {
    let mixed = mixed(n_rows, seed);
    let star = Domain::Values(Tree {
        taxonomy: Taxonomy::star(["a", "b", "c"]).unwrap(),
        is_star: true,
    });
    let mut choices = Repeatable::new(seed);
    let letters: Vec<Leaf> = (0..n_rows)
        .map(|_| below(&mut choices, 3) as Leaf)
        .collect();
    let columns = vec![
        mixed.columns()[0].clone(),
        mixed.columns()[2].clone(),
        value_column(letters, &star),
    ];
    let fields = vec![
        field("age", mixed.fields()[0].domain.clone(), 1.0),
        field("ward", mixed.fields()[2].domain.clone(), 1.0),
        field("letter", star, 1.0),
    ];
    Table::new(fields, columns, None)
}

/// Huang's distance of two rows of [`plain`].
fn huang(table: &Table, a: usize, b: usize, gamma: f64) -> f64 {
    let code = |column: usize, row: usize| table.columns()[column].codes().get(row);
    let share = |row: usize| f64::from(code(0, row)) / 20.0;
    let differ = (1..3).filter(|&column| code(column, a) != code(column, b));
    (share(a) - share(b)).powi(2) + gamma * differ.count() as f64
}

#[test]
fn distances_are_huangs_in_either_encoding() {
    let table = plain(40, 5);
    for encoding in [Encoding::Semantic, Encoding::OneHot] {
        let points = Points::new(&table, encoding);
        let own = in_prototype_space(&points, 0.3);
        for a in 0..40 {
            for b in 0..40 {
                let found = squared_distance(&own.position(a), &own.position(b));
                assert!((found - huang(&table, a, b, 0.3)).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn the_usual_weight_is_half_the_mean_deviation_of_the_numbers() {
    // Shares of the range 0, 0, 1, 1 deviate by one half; the other column does not vary.
    let domain = numbers(10, true);
    let column = |places: [u32; 4]| number_column(places, &domain);
    let fields = vec![
        field("x", domain.clone(), 1.0),
        field("y", domain.clone(), 1.0),
    ];
    let table = |x, y| Table::new(fields.clone(), vec![column(x), column(y)], None);
    let gamma = |table: &Table| usual_gamma(&Points::new(table, Encoding::Semantic));
    assert!((gamma(&table([0, 0, 10, 10], [3, 3, 3, 3])) - 0.125).abs() < 1e-15);
    // A missing number deviates from nothing.
    assert!((gamma(&table([0, 10, 11, 11], [3, 3, 3, 3])) - 0.125).abs() < 1e-15);
    // Where no number varies, any weight will do, but not none.
    assert_eq!(gamma(&table([4, 4, 4, 4], [3, 3, 3, 3])), 1.0);
}

#[test]
fn columns_count_by_their_weights() {
    let table = plain(30, 6);
    let mut fields = table.fields().to_vec();
    // Shares of 3: 1.5, 0.5, 1.
    for (field, weight) in fields.iter_mut().zip([3.0, 1.0, 2.0]) {
        field.weight = weight;
    }
    let weighted = Table::new(fields, table.columns().to_vec(), None);
    let points = Points::new(&weighted, Encoding::Semantic);
    let own = in_prototype_space(&points, 0.2);
    let code = |column: usize, row: usize| table.columns()[column].codes().get(row);
    for (a, b) in [(0, 1), (4, 9), (12, 27), (3, 20)] {
        let number = (f64::from(code(0, a)) - f64::from(code(0, b))) / 20.0;
        let differs = |column: usize| f64::from(u8::from(code(column, a) != code(column, b)));
        let expected = 1.5 * number * number + 0.2 * (0.5 * differs(1) + differs(2));
        let found = squared_distance(&own.position(a), &own.position(b));
        assert!((found - expected).abs() < 1e-12);
    }
}

/// All sets of at most three of six items.
fn small_sets() -> Vec<Vec<u32>> {
    (1_u32..64)
        .filter(|bits| bits.count_ones() <= 3)
        .map(|bits| (0..6).filter(|item| bits >> item & 1 == 1).collect())
        .collect()
}

#[test]
fn the_prototype_of_sets_is_the_set_nearest_to_them() {
    let items = Domain::sets(
        Tree {
            taxonomy: Taxonomy::star(["a", "b", "c", "d", "e"])
                .unwrap()
                .with_empty_set()
                .unwrap(),
            is_star: true,
        },
        ";".to_owned(),
    )
    .unwrap();
    let all = small_sets();
    let mut choices = Repeatable::new(9);
    for _ in 0..30 {
        let rows: Vec<Vec<u32>> = (0..4)
            .map(|_| all[below(&mut choices, all.len())].clone())
            .collect();
        // Every candidate is a row too, so that it has a position.
        let table = Table::new(
            vec![field("items", items.clone(), 1.0)],
            vec![set_column(&[rows.clone(), all.clone()].concat())],
            None,
        );
        let points = Points::new(&table, Encoding::Semantic);
        let own = in_prototype_space(&points, 0.5);
        let positions: Vec<Vec<f64>> = (0..own.n_rows()).map(|row| own.position(row)).collect();
        let mut mean = vec![0.0; own.space().n_coordinates()];
        for position in &positions[..4] {
            for (sum, value) in mean.iter_mut().zip(position) {
                *sum += value / 4.0;
            }
        }
        settle(&own, 0.5, &mut mean);
        let cost = |place: &[f64]| -> f64 {
            positions[..4]
                .iter()
                .map(|row| squared_distance(row, place))
                .sum()
        };
        let best = positions[4..]
            .iter()
            .map(|place| cost(place))
            .fold(f64::INFINITY, f64::min);
        // A set of more items may be nearer still.
        assert!(cost(&mean) <= best + 1e-12, "{rows:?}");
        let share = mean.iter().copied().fold(0.0, f64::max);
        let held = mean.iter().filter(|&&value| value > 0.0);
        assert!(held.clone().all(|&value| value == share) && held.count() > 0);
    }
}

#[test]
fn a_round_never_costs_more() {
    for (table, encoding) in [
        (mixed(200, 3), Encoding::Semantic),
        (masked(200, 4), Encoding::Semantic),
        (masked(200, 4), Encoding::OneHot),
    ] {
        let points = Points::new(&table, encoding);
        let mut before = f64::INFINITY;
        for rounds in 1..12 {
            let fit = KPrototypes::new(4)
                .most_rounds(rounds)
                .from_rows(&points, &[0, 50, 100, 150])
                .unwrap();
            let cost = fit.cost.unwrap();
            assert!(
                cost <= before + 1e-9,
                "round {rounds}: {cost} after {before}"
            );
            before = cost;
        }
    }
}

#[test]
fn without_categories_it_is_k_means() {
    let table = line(&[0, 1, 2, 10, 11, 13, 30, 31, 33, 34], 40);
    let points = Points::new(&table, Encoding::OneHot);
    let ours = KPrototypes::new(3)
        .seed(4)
        .cluster(&points, &Silent)
        .unwrap();
    let means = KMeans::new(3).seed(4).cluster(&points, &Silent).unwrap();
    assert_eq!(ours.labels, means.labels);
    assert!((ours.cost.unwrap() - means.cost.unwrap()).abs() < 1e-12);
}

#[test]
fn a_masked_value_is_as_near_to_a_mode_as_its_values_are() {
    let table = masked(60, 7);
    let points = Points::new(&table, Encoding::Semantic);
    let own = in_prototype_space(&points, 1.0);
    // A ward masked as `inner` may be heart or lungs: on the coordinates of these two, evenly.
    let column = &own.space().columns()[2];
    let wards = taxonomy(&table.fields()[2].domain);
    let inner = wards.node_of_label("inner").unwrap();
    let row = (0..60)
        .find(|&row| {
            let Column::Masked(codes, dictionary) = &table.columns()[2] else {
                unreachable!("the table is masked");
            };
            let value = &dictionary.values()[codes.get(row) as usize];
            value.text(&table.fields()[2].domain) == wards.label(inner)
        })
        .unwrap();
    let position = own.position(row);
    let shares = &position[column.start..column.start + column.n_coordinates];
    let held: Vec<usize> = (0..shares.len()).filter(|&at| shares[at] > 0.0).collect();
    let expected: Vec<usize> = wards
        .children(inner)
        .map(|node| node as usize - 1)
        .collect();
    assert_eq!(held, expected);
    assert!((shares[held[0]] - shares[held[1]]).abs() < 1e-15);
}
