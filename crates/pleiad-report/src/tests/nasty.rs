//! Names that are programs, and tables that are too large to show.

use std::fmt::Write as _;

use pleiad::cluster::{Encoding, Points};
use pleiad::evaluate::{Side, Sides};

use super::markup::without_scripts;
use super::{bare, loss, step, table, with_everything};
use crate::{Association, Material, PrivacyAccount, PrivacyStep, Promise, html};

const PROGRAM: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;";

/// What the report promises about its size.
const MOST_BYTES: usize = 8_000_000;

#[test]
fn names_that_are_programs_stay_names() {
    let columns = format!(
        "'{}' = {{ kind = \"numeric\", bounds = [0, 9], step = 1 }}\n",
        PROGRAM.replace('\'', "")
    );
    let name = PROGRAM.replace('\'', "");
    let csv = format!("\"{}\"\n1\n2\n8\n9\n", name.replace('"', "\"\""));
    let table = table(&csv, &columns);
    let points = Points::new(&table, Encoding::Semantic);
    let labels = [0, 0, 1, 1];
    let side = Side {
        table: &table,
        points: &points,
        labels: &labels,
    };
    let steps = [step(PROGRAM, PROGRAM, Some(PROGRAM), 0.5)];
    let mut loss = loss();
    loss.columns[0].column = PROGRAM.to_owned();
    loss.columns[0].level = PROGRAM.to_owned();
    let material = Material {
        subject: PROGRAM.to_owned(),
        made_by: PROGRAM,
        loss: Some(&loss),
        refinements: &steps,
        promise: Some(Promise {
            name: PROGRAM.to_owned(),
            in_words: vec![PROGRAM.to_owned()],
            not_promised: vec![PROGRAM.to_owned()],
            unit: PROGRAM.to_owned(),
            parameters: vec![(PROGRAM.to_owned(), PROGRAM.to_owned())],
        }),
        sides: Some(Sides {
            n_clusters: 2,
            raw: side,
            released: side,
            raw_by_release: &labels,
            are_same_rows: true,
        }),
        ..bare()
    };
    let page = html(&material);
    assert!(page.contains("&#60;script&#62;alert(1)") || page.contains("&lt;script&gt;alert(1)"));
    assert!(!page.contains("<script>alert"));
    assert!(!page.contains("<img"));
    // Charts (two projections, contingency, loss, refinement, groups), the library, our own script: no other.
    assert_eq!(page.matches("<script").count(), 8 + library_mentions());
    assert!(!without_scripts(&page).contains("onerror=alert(2)>"));
}

/// How often the chart library itself speaks of scripts.
fn library_mentions() -> usize {
    crate::script::chart_library().matches("<script").count()
}

#[test]
fn a_wide_table_of_long_names_gives_a_small_report() {
    let n_columns = 200;
    let names: Vec<String> = (0..n_columns)
        .map(|number| format!("{} {number}", "<very & long>".repeat(300)))
        .collect();
    let mut csv = names.join(",");
    csv.push('\n');
    for row in 0..3000_usize {
        for column in 0..n_columns {
            let comma = if column == 0 { "" } else { "," };
            let _ = write!(csv, "{comma}{}", (row * (column + 3) + row / 7) % 10);
        }
        csv.push('\n');
    }
    let columns: Vec<String> = names
        .iter()
        .map(|name| format!("\"{name}\" = {{ kind = \"numeric\", bounds = [0, 9], step = 1 }}\n"))
        .collect();
    let columns = columns.concat();
    let table = table(&csv, &columns);
    let points = Points::new(&table, Encoding::Semantic);
    let n_clusters = 400;
    let labels: Vec<u32> = (0..3000).map(|row| row % n_clusters).collect();
    let side = Side {
        table: &table,
        points: &points,
        labels: &labels,
    };
    let steps: Vec<_> = (0..20_000)
        .map(|number| step(&names[number % n_columns], &names[0], Some(&names[1]), 0.1))
        .collect();
    let mut wide = loss();
    wide.columns = names
        .iter()
        .map(|name| {
            let mut column = loss().columns[0].clone();
            column.column.clone_from(name);
            column.level.clone_from(name);
            column
        })
        .collect();
    let material = Material {
        loss: Some(&wide),
        refinements: &steps,
        promise: Some(Promise {
            name: names[0].clone(),
            in_words: names.clone(),
            not_promised: names.clone(),
            unit: names[0].clone(),
            parameters: names
                .iter()
                .map(|name| (name.clone(), name.clone()))
                .collect(),
        }),
        sides: Some(Sides {
            n_clusters: n_clusters as usize,
            raw: side,
            released: side,
            raw_by_release: &labels,
            are_same_rows: true,
        }),
        account: Some(PrivacyAccount {
            total: "1".to_owned(),
            steps: names
                .iter()
                .map(|name| PrivacyStep {
                    name: name.clone(),
                    mechanism: name.clone(),
                    cost: name.clone(),
                    share: 0.005,
                })
                .collect(),
        }),
        associations: names
            .iter()
            .flat_map(|first| names.iter().map(move |second| (first, second)))
            .map(|(first, second)| Association {
                columns: [first.clone(), second.clone()],
                before: 0.5,
                after: 0.5,
            })
            .collect(),
        ..bare()
    };
    let page = html(&material);
    assert!(page.len() < MOST_BYTES, "{} bytes", page.len());
    for words in [
        "… and 140 more columns",
        "… and 19940 more steps",
        "… and 376 more clusters",
        "… and 39940 more pairs",
        "… and 160 more",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn the_chart_library_leaves_room() {
    with_everything(|material| {
        let page = html(material);
        assert!(page.len() < 5_000_000, "{} bytes", page.len());
    });
}
