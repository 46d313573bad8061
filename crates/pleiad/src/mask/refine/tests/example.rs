//! Example 4.2 of the paper: tables 1 and 2.

use super::super::{AnonymityLoss, RefineParams, Refined, refine};
use super::{naive, numbers, table, taxonomy, texts, values, whole_numbers};
use crate::privacy::{QuasiIdentifier, Requirement};
use crate::progress::Silent;
use crate::table::Table;

pub(crate) const EDUCATION: &str = "9th;Junior Sec.;Secondary;ANY_Edu
10th;Junior Sec.;Secondary;ANY_Edu
11th;Senior Sec.;Secondary;ANY_Edu
12th;Senior Sec.;Secondary;ANY_Edu
Bachelors;University;ANY_Edu
Masters;Grad School;University;ANY_Edu
Doctorate;Grad School;University;ANY_Edu
";

/// Education, gender, age, rows of class 1, rows of class 2.
pub(crate) const TABLE_1: [(&str, &str, u32, u32, u32); 9] = [
    ("9th", "M", 30, 0, 3),
    ("10th", "M", 32, 0, 4),
    ("11th", "M", 35, 2, 3),
    ("12th", "F", 37, 3, 1),
    ("Bachelors", "F", 42, 4, 2),
    ("Bachelors", "F", 44, 4, 0),
    ("Masters", "M", 44, 4, 0),
    ("Masters", "F", 44, 3, 0),
    ("Doctorate", "F", 44, 1, 0),
];

/// Table 2: rows, education, age.
const TABLE_2: [(usize, &str, &str); 5] = [
    (7, "Junior Sec.", "[1, 37)"),
    (5, "11th", "[1, 37)"),
    (4, "12th", "[37, 98]"),
    (10, "Bachelors", "[37, 98]"),
    (8, "Grad School", "[37, 98]"),
];

fn labelled_table() -> (Table, Vec<u32>) {
    let (education, gender) = (taxonomy(EDUCATION), taxonomy("M;ANY\nF;ANY\n"));
    let (mut levels, mut genders, mut ages, mut labels) = (vec![], vec![], vec![], vec![]);
    for (level, sex, age, class_1, class_2) in TABLE_1 {
        for row in 0..class_1 + class_2 {
            levels.push(education.leaf_of_label(level).unwrap());
            genders.push(gender.leaf_of_label(sex).unwrap());
            ages.push(Some(age - 1));
            labels.push(u32::from(row >= class_1));
        }
    }
    let columns = vec![
        values("Education", education, false, &levels),
        values("Gender", gender, false, &genders),
        numbers("Age", whole_numbers(1, 98, true), false, &ages),
    ];
    (table(columns), labels)
}

fn requirement() -> Requirement {
    let qid = |columns: [usize; 2], h| QuasiIdentifier::new(columns.to_vec(), h).unwrap();
    Requirement::new(&[qid([0, 1], 4), qid([1, 2], 11)]).unwrap()
}

fn refined(params: &RefineParams) -> Refined {
    let (table, labels) = labelled_table();
    refine(&table, &labels, &requirement(), params, &Silent).unwrap()
}

fn order(refined: &Refined) -> Vec<&str> {
    let values = refined.trace.iter().map(|step| step.value.as_str());
    values.collect()
}

#[test]
fn the_refinements_are_the_papers() {
    let refined = refined(&RefineParams::default());
    // A tree is written with `*` at its root, whatever its file calls it.
    assert_eq!(
        order(&refined),
        ["[1, 98]", "*", "Secondary", "Senior Sec.", "University"]
    );
    let columns: Vec<usize> = refined.trace.iter().map(|step| step.column).collect();
    assert_eq!(columns, [2, 0, 0, 0, 0]);
    assert_eq!(refined.trace[0].at.as_deref(), Some("37"));
    assert!(refined.trace[1..].iter().all(|step| step.at.is_none()));
    let rows: Vec<u64> = refined.trace.iter().map(|step| step.n_rows).collect();
    assert_eq!(rows, [34, 34, 16, 9, 18]);
}

#[test]
fn the_result_is_table_2() {
    let table = refined(&RefineParams::default()).table;
    let (education, gender, age) = (texts(&table, 0), texts(&table, 1), texts(&table, 2));
    let mut row = 0;
    for (n_rows, level, years) in TABLE_2 {
        for _ in 0..n_rows {
            let cells = [&education[row], &gender[row], &age[row]];
            assert_eq!(cells, [level, "*", years], "row {row}");
            row += 1;
        }
    }
    assert_eq!(row, table.n_rows());
}

#[test]
fn the_first_scores_are_the_papers() {
    let (table, labels) = labelled_table();
    let params = RefineParams::default();
    let requirement = requirement();
    let case = naive::Case::new(&table, &labels, &requirement, &params);
    let candidates = naive::State::hidden(&case).candidates(&case);
    let scores: Vec<(usize, f64)> = candidates
        .iter()
        .map(|candidate| (candidate.column, candidate.score))
        .collect();
    let [(0, education), (1, gender), (2, age)] = scores[..] else {
        panic!("one candidate for each column: {scores:?}");
    };
    for (score, printed) in [(education, 0.01429), (gender, 0.00876), (age, 0.01558)] {
        assert!((score - printed).abs() < 5e-6, "{score} {printed}");
    }
    let first = &refined(&params).trace[0];
    assert!((first.score - 0.01558).abs() < 5e-6, "{}", first.score);
    assert!((first.loss - 22.0).abs() < 1e-12, "{}", first.loss);
}

#[test]
fn measured_on_the_whole_table_university_comes_before_senior_secondary() {
    let refined = refined(&RefineParams {
        loss: AnonymityLoss::WholeTable,
        ..RefineParams::default()
    });
    assert_eq!(
        order(&refined),
        ["[1, 98]", "*", "Secondary", "University", "Senior Sec."]
    );
}
