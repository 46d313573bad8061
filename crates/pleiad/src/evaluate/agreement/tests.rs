#![expect(
    clippy::float_cmp,
    reason = "exact readings are part of what is promised"
)]

use super::*;
use proptest::prelude::*;

type Measure = fn(&Contingency) -> f64;

const ALL: [(&str, Measure); 6] = [
    ("f_measure", f_measure),
    ("match_point", match_point),
    ("adjusted_rand", adjusted_rand),
    (
        "normalised_mutual_information",
        normalised_mutual_information,
    ),
    ("moved_share", moved_share),
    ("size_error", size_error),
];

/// What a measure reads when nothing was lost.
fn perfect(name: &str) -> f64 {
    if matches!(name, "moved_share" | "size_error") {
        0.0
    } else {
        1.0
    }
}

fn table(counts: &[&[u64]]) -> Contingency {
    Contingency::from_counts(counts.iter().map(|row| row.to_vec()).collect())
}

/// Fung et al. 2009, tables 3–5.
fn small_example() -> Contingency {
    table(&[&[19, 2], &[3, 10]])
}

/// Fung et al. 2009, table 7.
fn adult_example() -> Contingency {
    table(&[
        &[12655, 0, 0, 0, 13, 1],
        &[0, 6198, 0, 0, 19, 22],
        &[0, 0, 6513, 0, 0, 59],
        &[0, 0, 0, 4239, 386, 0],
        &[0, 0, 0, 3846, 3171, 0],
        &[0, 0, 0, 0, 0, 8100],
    ])
}

fn assert_close(actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{actual} is not {expected}"
    );
}

#[test]
fn the_papers_small_example() {
    assert_close(f_measure(&small_example()), 0.85171, 5e-6);
    // The paper prints 924/1156; its own formula and a count over all pairs give 866.
    assert_eq!(match_point(&small_example()), 866.0 / 1156.0);
    assert_eq!(moved_share(&small_example()), 5.0 / 34.0);
    assert_eq!(size_error(&small_example()), 2.0 / 34.0);
}

#[test]
fn the_papers_adult_example() {
    assert_eq!(adult_example().total(), 45_222);
    assert_close(f_measure(&adult_example()), 0.90140, 5e-6);
    assert_close(match_point(&adult_example()), 0.96777, 5e-6);
}

#[test]
fn agrees_with_scikit_learn() {
    // scikit-learn 1.9.1: adjusted_rand_score, normalized_mutual_info_score.
    let expected = [
        (
            small_example(),
            0.482_251_627_809_283_77,
            0.378_034_971_151_513_63,
        ),
        (
            adult_example(),
            0.894_017_540_554_433_4,
            0.908_033_854_257_476_1,
        ),
        (
            table(&[&[5, 0, 1], &[2, 7, 0]]),
            0.444_444_444_444_444_4,
            0.503_322_207_852_465,
        ),
        (table(&[&[3, 3], &[3, 3]]), -0.1, 0.0),
        (table(&[&[4], &[3]]), 0.0, 0.0),
        (table(&[&[2, 2]]), 0.0, 0.0),
        (table(&[&[7]]), 1.0, 1.0),
        (table(&[&[1, 0], &[0, 1]]), 1.0, 1.0),
    ];
    for (table, rand, information) in expected {
        assert_close(adjusted_rand(&table), rand, 1e-14);
        assert_close(normalised_mutual_information(&table), information, 1e-14);
    }
}

#[test]
fn no_rows_agree_perfectly() {
    for (name, measure) in ALL {
        assert_eq!(measure(&Contingency::default()), perfect(name), "{name}");
    }
}

#[test]
fn f_measure_looks_for_raw_clusters() {
    let uneven = table(&[&[8, 2], &[0, 4]]);
    let (larger, smaller) = (16.0 / 18.0, 8.0 / 10.0);
    assert_close(
        f_measure(&uneven),
        (10.0 * larger + 4.0 * smaller) / 14.0,
        1e-15,
    );
    assert_close(
        f_measure(&uneven.transposed()),
        (8.0 * larger + 6.0 * smaller) / 14.0,
        1e-15,
    );
}

#[test]
fn the_ends_of_the_ranges_are_reached() {
    let scattered = table(&[&[1, 1, 1, 1]]);
    assert_eq!(match_point(&scattered), 0.25);
    assert_eq!(moved_share(&scattered), 0.75);
    assert_eq!(size_error(&scattered), 1.5);
    assert_eq!(adjusted_rand(&table(&[&[1, 1], &[1, 1]])), -0.5);
}

#[test]
fn surplus_clusters_have_no_partner() {
    let split = table(&[&[6, 4, 0], &[0, 0, 5]]);
    assert_eq!(moved_share(&split), 4.0 / 15.0);
    assert_eq!(size_error(&split), 8.0 / 15.0);
}

#[test]
fn clusters_are_matched_by_their_labels() {
    // Of the two ways to match, 7 + 5 rows beat 2 + 3.
    assert_eq!(
        matched_clusters(&table(&[&[2, 7], &[5, 3]])),
        [(0, 1), (1, 0)]
    );
    let labels = Contingency::from_labels(&[4, 4, 9], &[8, 8, 2], None);
    assert_eq!(matched_clusters(&labels), [(4, 8), (9, 2)]);
    // A cluster more on either side has no partner.
    assert_eq!(matched_clusters(&table(&[&[1, 9, 0]])), [(0, 1)]);
    assert_eq!(matched_clusters(&Contingency::default()), []);
}

#[test]
fn rows_that_change_places_cancel_out_in_the_size_error_only() {
    let exchanged = table(&[&[8, 2], &[2, 8]]);
    assert_eq!(size_error(&exchanged), 0.0);
    assert_eq!(moved_share(&exchanged), 0.2);
}

#[test]
fn equally_good_matchings_are_settled_by_size() {
    // Both matchings keep six rows. One joins clusters of 8 and 8 and of 4 and 4, the other 8 with 4 twice.
    for tied in [
        table(&[&[5, 3], &[3, 1]]),
        table(&[&[3, 5], &[1, 3]]),
        table(&[&[1, 3], &[3, 5]]),
    ] {
        assert_eq!(moved_share(&tied), 0.5);
        assert_eq!(size_error(&tied), 0.0);
    }
}

#[test]
fn the_largest_table_does_not_overflow() {
    let quarter = crate::evaluate::contingency::MOST_ROWS / 4;
    let even = table(&[&[quarter, quarter], &[quarter, quarter]]);
    assert_eq!(match_point(&even), 0.5);
    assert_eq!(f_measure(&even), 0.5);
    assert_close(adjusted_rand(&even), 0.0, 1e-15);
    assert_eq!(normalised_mutual_information(&even), 0.0);
    assert_eq!(moved_share(&even), 0.5);
    assert_eq!(size_error(&even), 0.0);
}

#[test]
fn one_row_astray_among_very_many_is_still_measured() {
    let apart = table(&[&[1_000_000_000_000, 0], &[0, 1]]);
    assert_eq!(normalised_mutual_information(&apart), 1.0);
    // Reference computed with sixty decimal digits.
    let astray = table(&[&[1_000_000_000_000, 1], &[0, 1]]);
    assert_close(
        normalised_mutual_information(&astray),
        0.644_793_951_573_463_9,
        1e-14,
    );
}

/// Match point and adjusted Rand index from every pair of rows.
fn brute_force_pairs(raw: &[u32], release: &[u32]) -> (f64, f64) {
    let n = raw.len();
    let (mut alike, mut both, mut in_raw, mut in_release) = (0_u64, 0.0, 0.0, 0.0);
    for i in 0..n {
        for j in 0..n {
            let (together_raw, together_release) = (raw[i] == raw[j], release[i] == release[j]);
            alike += u64::from(together_raw == together_release);
            if i < j {
                both += f64::from(u8::from(together_raw && together_release));
                in_raw += f64::from(u8::from(together_raw));
                in_release += f64::from(u8::from(together_release));
            }
        }
    }
    let pairs = (n * (n - 1)) as f64 / 2.0;
    let expected = in_raw * in_release / pairs;
    let maximum = f64::midpoint(in_raw, in_release);
    let rand = if in_raw == both && in_release == both {
        1.0
    } else {
        (both - expected) / (maximum - expected)
    };
    (alike as f64 / (n * n) as f64, rand)
}

fn permutations(size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![vec![]];
    }
    let shorter = permutations(size - 1);
    let inserted = shorter.iter().flat_map(|order| {
        (0..size).map(|place| {
            let mut longer = order.clone();
            longer.insert(place, size - 1);
            longer
        })
    });
    inserted.collect()
}

/// Moved share and size error over every matching of the two sides, padded with empty clusters.
fn brute_force_matching(table: &Contingency) -> (f64, f64) {
    let (rows, columns) = (table.row_totals(), table.column_totals());
    let size = rows.len().max(columns.len());
    let size_of = |sizes: &[u64], place: usize| sizes.get(place).copied().unwrap_or(0);
    let (moved, differences) = permutations(size)
        .into_iter()
        .map(|order| {
            let kept: u64 = table
                .cells()
                .iter()
                .filter(|cell| order[cell.row] == cell.column)
                .map(|cell| cell.count)
                .sum();
            let differences: u64 = (0..size)
                .map(|row| size_of(rows, row).abs_diff(size_of(columns, order[row])))
                .sum();
            (table.total() - kept, differences)
        })
        .min()
        .expect("even no clusters have one matching");
    let n = table.total() as f64;
    (moved as f64 / n, differences as f64 / n)
}

/// Two labellings of 2 to 50 rows with up to five clusters each, unrelated or one a disturbed copy of the other.
fn labellings() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    (1_u32..=5, 1_u32..=5, 2_usize..50).prop_flat_map(|(k, other_k, n)| {
        let unrelated = (
            prop::collection::vec(0..k, n),
            prop::collection::vec(0..other_k, n),
        );
        let disturbed = prop::collection::vec((0..k, 0..k, 0_u8..8), n).prop_map(|rows| {
            let raw = rows.iter().map(|row| row.0).collect();
            let release = rows
                .iter()
                .map(|row| if row.2 == 0 { row.1 } else { row.0 });
            (raw, release.collect())
        });
        prop_oneof![unrelated, disturbed]
    })
}

proptest! {
    #[test]
    fn pair_measures_equal_a_count_over_all_pairs((raw, release) in labellings()) {
        let table = Contingency::from_labels(&raw, &release, None);
        let (matched, rand) = brute_force_pairs(&raw, &release);
        prop_assert_eq!(match_point(&table), matched);
        prop_assert!((adjusted_rand(&table) - rand).abs() < 1e-12);
    }

    #[test]
    fn matching_measures_equal_a_search_over_all_matchings((raw, release) in labellings()) {
        let table = Contingency::from_labels(&raw, &release, None);
        prop_assert_eq!((moved_share(&table), size_error(&table)), brute_force_matching(&table));
    }

    #[test]
    fn readings_stay_in_their_ranges((raw, release) in labellings()) {
        let table = Contingency::from_labels(&raw, &release, None);
        for (name, measure) in ALL {
            let reading = measure(&table);
            let within = match name {
                "f_measure" | "match_point" => reading > 0.0 && reading <= 1.0,
                "adjusted_rand" => (-0.5..=1.0).contains(&reading),
                "normalised_mutual_information" => (0.0..=1.0).contains(&reading),
                "moved_share" => (0.0..1.0).contains(&reading),
                _ => (0.0..2.0).contains(&reading),
            };
            prop_assert!(within, "{name}: {reading}");
        }
        prop_assert!(size_error(&table) <= 2.0 * moved_share(&table));
    }

    #[test]
    fn only_the_f_measure_tells_the_two_sides_apart((raw, release) in labellings()) {
        let table = Contingency::from_labels(&raw, &release, None);
        for (name, measure) in ALL.into_iter().filter(|(name, _)| *name != "f_measure") {
            prop_assert_eq!(measure(&table), measure(&table.transposed()), "{}", name);
        }
    }

    #[test]
    fn names_of_clusters_do_not_matter(
        (raw, release) in labellings(),
        names in Just((0..10_u32).map(|name| name * 429_496_729).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let renamed = |labels: &[u32], from: usize| -> Vec<u32> {
            labels.iter().map(|&label| names[from + label as usize]).collect()
        };
        let table = Contingency::from_labels(&raw, &release, None);
        let other = Contingency::from_labels(&renamed(&raw, 0), &renamed(&release, 5), None);
        for (name, measure) in ALL {
            prop_assert_eq!(measure(&table), measure(&other), "{}", name);
        }
    }

    #[test]
    fn independent_clusterings_share_exactly_no_information(
        rows in prop::collection::vec(1_u64..50, 2..5),
        columns in prop::collection::vec(1_u64..50, 1..5),
    ) {
        let products = rows.iter().map(|a| columns.iter().map(|b| a * b).collect());
        let table = Contingency::from_counts(products.collect());
        prop_assert_eq!(normalised_mutual_information(&table), 0.0);
    }

    #[test]
    fn the_same_clusters_under_any_names_are_perfect(
        (raw, _) in labellings(),
        names in Just((0..5_u32).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let renamed: Vec<u32> = raw.iter().map(|&label| names[label as usize]).collect();
        let table = Contingency::from_labels(&raw, &renamed, None);
        for (name, measure) in ALL {
            prop_assert_eq!(measure(&table), perfect(name), "{}", name);
        }
    }

    #[test]
    fn weights_equal_repetition(
        (raw, release) in labellings(),
        weights in prop::collection::vec(0_u32..4, 50),
    ) {
        let repeated = |labels: &[u32]| -> Vec<u32> {
            let times = labels.iter().zip(&weights);
            times.flat_map(|(&label, &weight)| vec![label; weight as usize]).collect()
        };
        let weighted = Contingency::from_labels(&raw, &release, Some(&weights[..raw.len()]));
        let plain = Contingency::from_labels(&repeated(&raw), &repeated(&release), None);
        for (name, measure) in ALL {
            prop_assert_eq!(measure(&weighted), measure(&plain), "{}", name);
        }
    }
}
