//! Random tables of all kinds of columns, with requirements to match.

use std::fmt::Write as _;

use crate::repeatable::Repeatable;

/// A table and its spec, as texts.
pub(super) struct RandomTable {
    pub(super) rows: Vec<String>,
    pub(super) spec: String,
}

pub(super) const HEADER: &str = "id,age,born,sex,job,past,ward,score,drug";

impl RandomTable {
    pub(super) fn csv(&self) -> String {
        format!("{HEADER}\n{}\n", self.rows.join("\n"))
    }
}

/// A table that any seed gives: people with several rows, missing values, sets, one or two requirements.
pub(super) fn random_table(seed: u64) -> RandomTable {
    let mut dice = Repeatable::new(seed);
    let mut below = |n: u64| dice.below(u128::from(n)) as u64;
    let n_rows = 30 + below(90);
    let rows_per_person = 1 + below(3);
    let jobs = ["nurse", "doctor", "baker", "cook", "clerk"];
    let mut rows = Vec::new();
    for row in 0..n_rows {
        let kind = below(2);
        let age = if below(6) == 0 {
            String::new()
        } else {
            (20 + kind * 30 + below(25)).to_string()
        };
        let born = format!(
            "19{:02}-{:02}-{:02}",
            30 + below(60),
            1 + below(12),
            1 + below(28)
        );
        let sex = ["F", "M", "X", ""][below(4) as usize];
        let job = jobs[(kind * 2 + below(3)) as usize];
        let mut past: Vec<&str> = jobs.iter().copied().filter(|_| below(3) == 0).collect();
        if past.is_empty() {
            past.push("none");
        }
        let ward = ["north", "south, old", "\"west\""][below(3) as usize].replace('"', "\"\"");
        let score = if below(5) == 0 {
            String::new()
        } else {
            format!("{}.{}", below(10), below(10))
        };
        let drug = ["a", "b", "c"][below(3) as usize];
        rows.push(format!(
            "p{},{age},{born},{sex},{job},{},\"{ward}\",{score},{drug}",
            row / rows_per_person,
            past.join(";")
        ));
    }
    let n_people = n_rows.div_ceil(rows_per_person);
    let positions = ["uniform", "table", "group"][below(3) as usize];
    let score = ["cluster", "distortion"][below(2) as usize];
    let algorithm = ["kmeans", "bisecting"][below(2) as usize];
    let encoding = ["semantic", "semantic", "one-hot"][below(3) as usize];
    let mut spec = format!(
        r#"[data]
path = "people.csv"
missing = [""]
{person}

[columns]
id = {{ role = "identifier" }}
age = {{ kind = "numeric", role = "quasi", bounds = [0, 120], step = 1, may_be_missing = true }}
born = {{ kind = "date", role = "quasi", bounds = ["1900-01-01", "1999-12-31"] }}
sex = {{ kind = "categorical", role = "quasi", values = ["F", "M", "X", "U"], may_be_missing = true }}
job = {{ kind = "categorical", role = "quasi", taxonomy = "jobs.csv" }}
past = {{ kind = "set", role = "quasi", taxonomy = "jobs.csv", weight = 2 }}
ward = {{ kind = "categorical", role = "plain" }}
score = {{ kind = "numeric", role = "plain", may_be_missing = true }}
drug = {{ kind = "categorical", role = "sensitive" }}

[cluster]
algorithm = "{algorithm}"
encoding = "{encoding}"
clusters = {clusters}
restarts = 2

[recipient]
algorithm = "kmeans"

[protect]
positions = "{positions}"
score = "{score}"
"#,
        person = if below(2) == 0 { "person = \"id\"" } else { "" },
        clusters = 2 + below(3),
    );
    let most = n_people / 2;
    if below(2) == 0 {
        writeln!(spec, "anonymity = {}", 2 + below(most - 2)).unwrap();
    } else {
        writeln!(
            spec,
            "[[protect.anonymity]]\ncolumns = [\"job\", \"sex\", \"age\"]\nat_least = {}\n\
             [[protect.anonymity]]\ncolumns = [\"born\", \"past\", \"age\"]\nat_least = {}",
            2 + below(most - 2),
            2 + below(most - 2),
        )
        .unwrap();
    }
    RandomTable { rows, spec }
}
