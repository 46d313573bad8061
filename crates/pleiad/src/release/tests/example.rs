//! Example 4.2 of the paper, from its table 1 to the published table 2.

use std::fmt::Write as _;
use std::fs;

use super::Case;
use crate::mask::positions::spreads;
use crate::mask::refine::tests::example::{EDUCATION, TABLE_1};
use crate::mask::refine::{RefineParams, refine};
use crate::progress::Silent;
use crate::release::folder::Target;
use crate::release::pipeline::requirement;
use crate::release::publish::Publication;
use crate::release::verify_release;
use crate::spec::Positions;
use crate::table::{Format, read_table};

const SPEC: &str = r#"
[data]
path = "people.csv"

[columns]
Education = { kind = "categorical", role = "quasi", taxonomy = "education.csv" }
Gender = { kind = "categorical", role = "quasi", taxonomy = "gender.csv" }
Age = { kind = "numeric", role = "quasi", bounds = [1, 98], step = 1 }

[cluster]
clusters = 2

[protect]
[[protect.anonymity]]
columns = ["Education", "Gender"]
at_least = 4
[[protect.anonymity]]
columns = ["Gender", "Age"]
at_least = 11
"#;

/// Table 2: rows and their cells. The paper's ages are `[1-37)` and `[37-99)`.
const TABLE_2: [(usize, &str); 5] = [
    (7, "Junior Sec.,*,\"[1, 37)\""),
    (5, "11th,*,\"[1, 37)\""),
    (4, "12th,*,\"[37, 98]\""),
    (10, "Bachelors,*,\"[37, 98]\""),
    (8, "Grad School,*,\"[37, 98]\""),
];

#[test]
fn table_1_is_published_as_table_2() {
    let mut csv = String::from("Education,Gender,Age\n");
    let mut labels = Vec::new();
    for (education, gender, age, class_1, class_2) in TABLE_1 {
        for row in 0..class_1 + class_2 {
            writeln!(csv, "{education},{gender},{age}").unwrap();
            labels.push(u32::from(row >= class_1));
        }
    }
    let case = Case::new(&csv, SPEC);
    fs::write(case.path("education.csv"), EDUCATION).unwrap();
    fs::write(case.path("gender.csv"), "M;ANY_Sex\nF;ANY_Sex\n").unwrap();
    let spec = case.spec();
    let protect = spec.refinement().unwrap();
    let reading = read_table(&spec.data_path, &spec.plan, &Silent).unwrap();
    let requirement = requirement(protect, &reading.table).unwrap();
    let refined = refine(
        &reading.table,
        &labels,
        &requirement,
        &RefineParams::default(),
        &Silent,
    )
    .unwrap();
    let told = spreads(
        &reading.table,
        &refined.table,
        &requirement,
        Positions::Table,
    );
    let publication = Publication {
        spec: &spec,
        protect,
        reading: &reading,
        requirement: &requirement,
        masked: &refined.table,
        spreads: &told,
        positions: Positions::Table,
        labels: &labels,
        released_labels: &labels,
        format: Format::Csv,
    };
    let workplace = Target::check(&case.path("out"), &[])
        .unwrap()
        .claim()
        .unwrap();
    publication
        .write(workplace.public_folder(), workplace.owner_folder())
        .unwrap();
    let verified = verify_release(
        workplace.public_folder(),
        Some(workplace.owner_folder()),
        &Silent,
    )
    .unwrap();
    workplace.finish().unwrap();

    let smallest: Vec<u64> = verified
        .promises
        .iter()
        .map(|promise| promise.smallest)
        .collect();
    assert_eq!(smallest, [4, 12]);
    let mut expected: Vec<String> = TABLE_2
        .iter()
        .flat_map(|(rows, cells)| std::iter::repeat_n((*cells).to_owned(), *rows))
        .collect();
    expected.sort();
    let published = fs::read_to_string(case.path("out").join("data.csv")).unwrap();
    let published: Vec<&str> = published.lines().skip(1).collect();
    assert_eq!(published, expected);
}
