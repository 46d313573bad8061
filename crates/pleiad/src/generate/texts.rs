//! The files beside the table: taxonomies and the spec.

use super::calendar::Day;
use super::codes::{ALL_GROUPS, Sex};
use super::places::{Postcode, WARDS};
use super::profiles::{ADMISSIONS, DRUG_GROUPS, INSURANCES, PROFILES};
use super::stay::{END, FIRST_DAY, HIGHEST_LAB_SCORE, LONGEST_STAY};

pub(super) const POSTCODE_FILE: &str = "postcode.csv";
pub(super) const WARD_FILE: &str = "ward.csv";
pub(super) const DIAGNOSES_FILE: &str = "diagnoses.csv";

pub(super) fn postcode_taxonomy() -> String {
    let paths = Postcode::all()
        .map(|postcode| vec![postcode.to_string(), postcode.district(), postcode.region()]);
    taxonomy_text(paths.collect())
}

pub(super) fn ward_taxonomy() -> String {
    let paths = WARDS
        .iter()
        .map(|(ward, units)| path(ward.to_string(), units));
    taxonomy_text(paths.collect())
}

pub(super) fn diagnoses_taxonomy() -> String {
    let mut paths = vec![vec!["none".to_owned()]];
    for group in ALL_GROUPS {
        paths.extend(
            group
                .all_codes()
                .map(|code| path(code.to_string(), group.path)),
        );
    }
    taxonomy_text(paths)
}

fn path(leaf: String, above: &[&str]) -> Vec<String> {
    let mut path = vec![leaf];
    path.extend(above.iter().map(ToString::to_string));
    path
}

/// Lines of equal length, as tools that read such files want them: a short path repeats its leaf, and equal neighbours are one node.
fn taxonomy_text(paths: Vec<Vec<String>>) -> String {
    let longest = paths.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for path in paths {
        for _ in path.len()..longest {
            text.push_str(&path[0]);
            text.push(';');
        }
        text.push_str(&path.join(";"));
        text.push_str(";*\n");
    }
    text
}

pub(super) fn spec(data_path: &str) -> String {
    let data_path = quoted(data_path);
    let (oldest, latest) = (Day::first_of(1913), Day(END.0 - 1));
    let sexes = list(&[Sex::Female.text(), Sex::Male.text()]);
    let insurances = list(INSURANCES);
    let admissions = list(ADMISSIONS);
    let drug_groups = list(DRUG_GROUPS);
    let clusters = PROFILES.len();
    format!(
        r#"# A synthetic hospital table: one row is one stay, and a patient may have several. Nobody in it exists.

[data]
path = {data_path}
missing = [""]                       # an empty field: not measured, not recorded
person = "patient_id"                # the unit of protection is the patient, not the stay

[columns]
# Never leaves the owner.
patient_id = {{ role = "identifier" }}

# What a neighbour, an employer or another register may know about a patient.
age = {{ kind = "numeric", role = "quasi", bounds = [0, 109], step = 1 }}          # at admission
born = {{ kind = "date", role = "quasi", bounds = ["{oldest}", "{latest}"] }}
sex = {{ kind = "categorical", role = "quasi", values = {sexes} }}
postcode = {{ kind = "categorical", role = "quasi", taxonomy = "{POSTCODE_FILE}" }}   # a code: leading zeros count
insurance = {{ kind = "categorical", role = "quasi", values = {insurances} }}

# The stay.
admission = {{ kind = "categorical", role = "plain", values = {admissions} }}
ward = {{ kind = "categorical", role = "plain", taxonomy = "{WARD_FILE}" }}

# What must not become known about a single patient. A stay without diagnosis has the item `none`.
diagnoses = {{ kind = "set", role = "sensitive", separator = ";", taxonomy = "{DIAGNOSES_FILE}" }}

length_of_stay = {{ kind = "numeric", role = "plain", bounds = [0, {LONGEST_STAY}], step = 1 }}   # days
lab_score = {{ kind = "numeric", role = "plain", bounds = [0, {HIGHEST_LAB_SCORE}], step = 0.1, may_be_missing = true }}
drug_group = {{ kind = "categorical", role = "sensitive", values = {drug_groups}, may_be_missing = true }}
discharged = {{ kind = "date", role = "plain", bounds = ["{FIRST_DAY}", "{latest}"] }}

[cluster]
algorithm = "kmeans"
clusters = {clusters}

[protect]
method = "refine"
anonymity = 5                        # at least five patients look alike in all quasi columns together
positions = "table"                  # uniform | table | group: what is disclosed about the patients behind a masked value
"#
    )
}

fn list(values: &[&str]) -> String {
    let quoted: Vec<String> = values.iter().map(|value| quoted(value)).collect();
    format!("[{}]", quoted.join(", "))
}

/// A basic string of TOML; a path may hold anything.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => {
                quoted.extend(format!("\\u{:04X}", u32::from(control)).chars());
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
