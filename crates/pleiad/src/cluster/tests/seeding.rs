//! k-means++ draws by weight first and by weight times squared distance from then on.

use statrs::distribution::{ChiSquared, ContinuousCDF as _};

use super::super::assign;
use super::super::seeding::plus_plus;
use super::*;

/// A right program fails one of these tests once in a thousand million choices of seeds.
const FALSE_ALARM: f64 = 1e-9;

/// Fails if counts are too far from what their chances let expect.
fn assert_plausible(counts: &[usize], chances: &[f64]) {
    let n_draws: usize = counts.iter().sum();
    assert!(
        (chances.iter().sum::<f64>() - 1.0).abs() < 1e-12,
        "chances add up to one"
    );
    let mut statistic = 0.0;
    let mut n_cells = 0;
    for (&count, &chance) in counts.iter().zip(chances) {
        if chance == 0.0 {
            assert_eq!(count, 0, "the impossible was drawn");
            continue;
        }
        let expected = chance * n_draws as f64;
        assert!(
            expected >= 10.0,
            "too few draws for the chi-square distribution"
        );
        statistic += (count as f64 - expected).powi(2) / expected;
        n_cells += 1;
    }
    let p_value = ChiSquared::new(f64::from(n_cells - 1))
        .unwrap()
        .sf(statistic);
    assert!(
        p_value > FALSE_ALARM,
        "{counts:?}: chi-square {statistic}, p {p_value:e}"
    );
}

/// Draws two centres again and again and counts (first, second) over the different values.
fn count_pairs(table: &Table, values: &[Vec<f64>], n_draws: u64) -> Vec<usize> {
    let points = Points::new(table, Encoding::Semantic);
    let which = |centre: &Vec<f64>| values.iter().position(|value| value == centre).unwrap();
    let mut counts = vec![0; values.len() * values.len()];
    for seed in 0..n_draws {
        let centres = plus_plus(&points, 2, 1, &mut Repeatable::new(seed));
        assert_eq!(centres.len(), 2);
        counts[which(&centres[0]) * values.len() + which(&centres[1])] += 1;
    }
    counts
}

fn chances_of_pairs(values: &[Vec<f64>], weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mut chances = Vec::new();
    for (first, first_weight) in values.iter().zip(weights) {
        let masses: Vec<f64> = values
            .iter()
            .zip(weights)
            .map(|(value, weight)| weight * squared_distance(first, value))
            .collect();
        let sum: f64 = masses.iter().sum();
        chances.extend(masses.iter().map(|mass| first_weight / total * mass / sum));
    }
    chances
}

#[test]
fn the_second_centre_is_drawn_by_squared_distance() {
    let (places, weights) = ([0, 1, 4, 6], [3.0, 1.0, 2.0, 4.0]);
    let rows: Vec<u32> = places
        .iter()
        .zip(weights)
        .flat_map(|(&place, weight)| vec![place; weight as usize])
        .collect();
    let repeated = line(&rows, 6);
    let weighted = repeated.collapse().table;
    let values: Vec<Vec<f64>> = positions(&line(&places, 6), Encoding::Semantic);
    let counts = count_pairs(&repeated, &values, 6000);
    assert_plausible(&counts, &chances_of_pairs(&values, &weights));
    assert_eq!(
        count_pairs(&weighted, &values, 6000),
        counts,
        "a weight is so many rows"
    );
}

#[test]
fn distances_over_all_columns_decide() {
    let table = mixed(6, 31).collapse().table;
    let values = positions(&table, Encoding::Semantic);
    let weights: Vec<f64> = table
        .weights()
        .unwrap()
        .iter()
        .map(|&weight| f64::from(weight))
        .collect();
    assert_plausible(
        &count_pairs(&table, &values, 8000),
        &chances_of_pairs(&values, &weights),
    );
}

#[test]
fn the_third_centre_counts_the_nearer_of_two() {
    let places = [0, 2, 5, 9];
    let table = line(&places, 9);
    let points = Points::new(&table, Encoding::Semantic);
    let values = positions(&table, Encoding::Semantic);
    // Given that the first two were 0 and 9, whichever came first, 2 and 5 have 4 and 16 of 20 chances.
    let mut counts = [0, 0];
    for seed in 0..6000 {
        let centres = plus_plus(&points, 3, 1, &mut Repeatable::new(seed));
        let drawn: Vec<usize> = centres
            .iter()
            .map(|centre| values.iter().position(|value| value == centre).unwrap())
            .collect();
        if matches!(drawn[..2], [0, 3] | [3, 0]) {
            counts[drawn[2] - 1] += 1;
        }
    }
    assert_plausible(&counts, &[0.2, 0.8]);
}

#[test]
fn no_value_is_drawn_twice() {
    let table = mixed(200, 32);
    let n_different = table.collapse().table.n_rows();
    let points = Points::new(&table, Encoding::Semantic);
    for seed in 0..10 {
        let mut centres = plus_plus(&points, n_different + 5, 3, &mut Repeatable::new(seed));
        assert_eq!(centres.len(), n_different);
        centres.sort_by(|a, b| a.partial_cmp(b).unwrap());
        centres.dedup();
        assert_eq!(centres.len(), n_different);
    }
}

#[test]
fn of_several_draws_the_one_that_covers_best_is_kept() {
    // Three places with many rows and one far row: the far row is drawn often, and covers little.
    let mut places = vec![0; 40];
    places.extend([40; 40]);
    places.push(100);
    let table = line(&places, 100);
    let points = Points::new(&table, Encoding::Semantic);
    let cost_after = |trials: usize| -> f64 {
        (0..200)
            .map(|seed| {
                let centres = plus_plus(&points, 2, trials, &mut Repeatable::new(seed));
                assign(&points, &centres).1
            })
            .sum()
    };
    assert!(cost_after(4) < 0.8 * cost_after(1));
}
