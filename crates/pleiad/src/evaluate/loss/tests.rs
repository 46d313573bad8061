//! Loss against tables done by hand and against a slow count by the published formulas.

use super::*;
use crate::evaluate::pairs::suppressed_rows;
use crate::evaluate::pairs::tests::{Example, by_hand, masked_table, random, raw_table};
use crate::table::{Column, Domain};

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn a_table_done_by_hand() {
    let loss = Loss::of(&by_hand().pairs());
    assert_eq!(
        loss.rows,
        RowsLost {
            raw: 6,
            published: 5,
            suppressed: 1,
            dropped: 0
        }
    );
    let [age, job] = &loss.columns[..] else {
        panic!("both columns are quasi-identifying");
    };
    // Three times 4 of 10 steps and twice 5 of them.
    assert!(near(age.ncp, (3.0 * 0.4 + 2.0 * 0.5) / 5.0));
    assert!(near(age.granularity, 0.56));
    // Two of five jobs; one further job of four.
    assert!(near(job.ncp, 0.4));
    assert!(near(job.granularity, 0.75));
    // Counts 1, 2, 1, 1 before; {1, 2} and {1, 1} within the groups.
    let before = 5.0_f64.log2() - 2.0 / 5.0;
    let open = (3.0 * (3.0_f64.log2() - 2.0 / 3.0) + 2.0) / 5.0;
    assert!(near(age.entropy, 1.0 - open / before));
    assert!(near(job.entropy, 1.0 - open / before));
    assert!((age.entropy - 0.505_196).abs() < 1e-5);
    assert_eq!((age.values_before, age.values_after), (4, 2));
    assert_eq!((job.values_before, job.values_after), (4, 2));
    assert_eq!((age.suppressed, job.contradicted), (0, 0));
    assert_eq!(age.level, "2 intervals");
    assert_eq!(job.level, "1 of 2 levels");
    assert!(near(loss.ncp, 0.42));
    assert!(near(loss.granularity, 0.655));
    // 3² + 2², and the suppressed row is as good as among all six.
    assert!(near(loss.discernibility, 19.0 / 36.0));
    assert!(near(loss.average_class_size, 2.5));
    let sizes: Vec<(u64, u64)> = loss
        .class_sizes
        .iter()
        .map(|class| (class.size, class.groups))
        .collect();
    assert_eq!(sizes, [(2, 1), (3, 1)]);
}

#[test]
fn nothing_is_lost_by_a_table_that_stays_as_it_is() {
    let raw = by_hand().raw;
    let example = Example {
        masked: raw.clone(),
        raw,
        quasi: vec![0, 1],
    };
    let loss = Loss::of(&example.pairs());
    assert_eq!((loss.ncp, loss.granularity, loss.entropy), (0.0, 1.0, 1.0));
    assert_eq!(loss.columns[0].level, "exact");
    assert_eq!(loss.columns[1].level, "leaf");
    assert!(near(loss.discernibility, 1.0 / 6.0));
}

#[test]
fn everything_is_lost_by_columns_that_say_nothing() {
    let raw = raw_table(&[(1, "nurse"), (5, "cook"), (9, "clerk")], None);
    let example = Example {
        raw,
        masked: masked_table(&[(None, ""), (None, ""), (Some((0, 10)), "")]),
        quasi: vec![0, 1],
    };
    let loss = Loss::of(&example.pairs());
    assert_eq!((loss.ncp, loss.granularity), (1.0, 0.0));
    assert_eq!(loss.rows.suppressed, 0);
    assert_eq!(loss.columns[0].suppressed, 3);
    assert_eq!(loss.columns[1].level, "root");
    assert!(near(loss.columns[1].entropy, 0.0));
}

#[test]
fn values_that_cannot_be_the_raw_ones_are_counted() {
    let raw = raw_table(&[(1, "nurse"), (5, "cook"), (9, "clerk")], None);
    let example = Example {
        raw,
        masked: masked_table(&[
            (Some((2, 4)), "nurse"),
            (Some((5, 6)), "health"),
            (None, "clerk"),
        ]),
        quasi: vec![1],
    };
    let loss = Loss::of(&example.pairs());
    let contradicted: Vec<u64> = loss
        .columns
        .iter()
        .map(|column| column.contradicted)
        .collect();
    // Age is no quasi-identifying column here, but says something else than the raw table.
    assert_eq!(contradicted, [1, 1]);
}

/// Every measure by its formula, counting pairs of rows.
fn slowly(example: &Example) -> (Vec<[f64; 3]>, f64, f64) {
    let (raw, masked) = (&example.raw, &example.masked);
    let is_suppressed = suppressed_rows(masked, &example.quasi);
    let rows: Vec<usize> = (0..raw.n_rows())
        .filter(|&row| !is_suppressed[row])
        .collect();
    let alike = |a: usize, b: usize| {
        let mut columns = masked.columns().iter();
        columns.all(|column| column.codes().get(a) == column.codes().get(b))
    };
    let n = rows.len() as f64;
    let columns = raw
        .fields()
        .iter()
        .zip(raw.columns().iter().zip(masked.columns()))
        .map(|(field, (raw, masked))| {
            let Column::Masked(codes, dictionary) = masked else {
                panic!("all columns are masked");
            };
            let n_values = match &field.domain {
                Domain::Numbers { interval, .. } => interval.last() + 1,
                Domain::Values(tree) | Domain::Sets { tree, .. } => tree.taxonomy.n_leaves() as u32,
            };
            let (mut ncp, mut lost, mut open, mut before) = (0.0, 0.0, 0.0, 0.0);
            for &row in &rows {
                let value = &dictionary.values()[codes.get(row) as usize];
                let possible =
                    (0..n_values).filter(|&code| value.may_be(&field.domain, None, code));
                let possible = possible.count() as f64;
                let further = (possible - 1.0) / (f64::from(n_values) - 1.0);
                lost += further / n;
                ncp += match &field.domain {
                    Domain::Numbers { .. } => further / n,
                    _ if possible == 1.0 => 0.0,
                    _ => possible / f64::from(n_values) / n,
                };
                let count = |agree: &dyn Fn(usize) -> bool| {
                    rows.iter().filter(|&&other| agree(other)).count() as f64
                };
                let same_raw = |other: usize| raw.codes().get(other) == raw.codes().get(row);
                let same_masked = |other: usize| codes.get(other) == codes.get(row);
                open -= (count(&|other| same_raw(other) && same_masked(other))
                    / count(&same_masked))
                .log2();
                before -= (count(&same_raw) / n).log2();
            }
            let entropy = if before == 0.0 {
                1.0
            } else {
                1.0 - open / before
            };
            [ncp, 1.0 - lost, entropy]
        })
        .collect();
    let pairs = rows
        .iter()
        .map(|&row| rows.iter().filter(|&&other| alike(row, other)).count())
        .sum::<usize>();
    let n_all = raw.n_rows() as f64;
    let n_suppressed = n_all - n;
    let first = rows
        .iter()
        .enumerate()
        .filter(|&(at, &row)| !rows[..at].iter().any(|&other| alike(row, other)));
    (
        columns,
        (pairs as f64 + n_suppressed * n_all) / (n_all * n_all),
        n / first.count() as f64,
    )
}

#[test]
fn a_slow_count_agrees_on_random_tables() {
    for seed in 0..300 {
        let example = random(seed);
        let loss = Loss::of(&example.pairs());
        let (columns, discernibility, average_class_size) = slowly(&example);
        for (column, expected) in loss.columns.iter().zip(&columns) {
            let measured = [column.ncp, column.granularity, column.entropy];
            for (measured, expected) in measured.iter().zip(expected) {
                assert!(
                    near(*measured, *expected),
                    "seed {seed}: {column:?} {expected}"
                );
            }
            assert_eq!(column.contradicted, 0, "seed {seed}");
        }
        assert!(near(loss.discernibility, discernibility), "seed {seed}");
        assert!(
            near(loss.average_class_size, average_class_size),
            "seed {seed}"
        );
        assert_eq!(
            loss.rows.published + loss.rows.suppressed,
            example.raw.n_rows() as u64
        );
    }
}

#[test]
fn the_order_of_rows_is_not_seen() {
    for seed in 0..20 {
        let example = random(seed);
        let loss = Loss::of(&example.pairs());
        let backwards: Vec<u32> = (0..example.raw.n_rows() as u32).rev().collect();
        let turned = Example {
            raw: example.raw.select(&backwards),
            masked: example.masked.select(&backwards),
            quasi: example.quasi.clone(),
        };
        let other = Loss::of(&turned.pairs());
        assert_eq!(loss.columns, other.columns);
        assert_eq!(loss.discernibility, other.discernibility);
    }
}
