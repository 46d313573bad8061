use std::collections::{BTreeMap, BTreeSet};

use super::Hospital;
use super::calendar::Day;
use super::codes::{ALL_GROUPS, Sex};
use super::places::WARDS;
use super::profiles::{ADMISSIONS, DELIVERY, DRUG_GROUPS, INSURANCES, PROFILES};

const ROWS: u64 = 20_000;

fn table(hospital: &Hospital) -> String {
    let mut bytes = Vec::new();
    hospital
        .write_csv(&mut bytes)
        .expect("writing to memory succeeds");
    String::from_utf8(bytes).expect("the table is text")
}

/// The rows as fields by column name.
fn rows(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields.len(), names.len(), "{line}");
            names.iter().copied().zip(fields).collect()
        })
        .collect()
}

/// The paths of a taxonomy, leaf to root, by leaf.
fn taxonomy(name: &str) -> BTreeMap<String, Vec<String>> {
    let taxonomies = Hospital::taxonomies();
    let (_, text) = taxonomies
        .iter()
        .find(|(file, _)| *file == name)
        .expect("a known file");
    text.lines()
        .map(|line| {
            let mut path: Vec<String> = line.split(';').map(str::to_owned).collect();
            path.dedup();
            (path[0].clone(), path)
        })
        .collect()
}

fn number(text: &str) -> u32 {
    text.parse().expect("a whole number")
}

/// The inverse of what the table prints, found by looking rather than by the arithmetic under test.
fn days_by_text() -> BTreeMap<String, Day> {
    (Day::first_of(1913).0..Day::first_of(2026).0)
        .map(|day| (Day(day).to_string(), Day(day)))
        .collect()
}

#[test]
fn any_chunking_gives_the_same_bytes() {
    let hospital = Hospital::new(1000, 5);
    let whole = table(&hospital);
    for chunk in [1, 7, 24, 333, 5000] {
        let mut pieces = format!("{}\n", Hospital::header()).into_bytes();
        for start in (0..1000).step_by(chunk) {
            hospital
                .write_rows(start..start + chunk as u64, &mut pieces)
                .expect("writing to memory succeeds");
        }
        assert!(pieces == whole.as_bytes(), "chunks of {chunk} rows");
    }
}

#[test]
fn a_longer_table_begins_with_the_shorter_one() {
    let short = table(&Hospital::new(100, 5));
    assert!(table(&Hospital::new(1000, 5)).starts_with(&short));
}

#[test]
fn the_seed_decides() {
    let table_of = |seed| table(&Hospital::new(200, seed));
    assert_eq!(table_of(1), table_of(1));
    assert_ne!(table_of(1), table_of(2));
}

/// Published seeds must keep their meaning: this fails when a change of the code changes the table.
#[test]
fn first_rows_of_seed_42() {
    let text = table(&Hospital::new(3, 42));
    let (header, rows) = text.split_once('\n').expect("a header");
    assert_eq!(header, Hospital::header());
    let expected = "\
P0000001,65,1959-02-06,M,04333,statutory,planned,diabetes unit,none,4,75.8,analgesics,2024-02-27
P0000001,66,1959-02-06,M,04333,statutory,emergency,diabetes unit,EN121;RE51;EN132;CI12,7,64.5,diuretics,2025-03-20
P0000002,83,1939-09-11,F,00182,statutory,emergency,heart failure unit,CI24;CI22;CI21;CI321;CI11,3,66.7,anticoagulants,2023-03-06
";
    assert_eq!(rows, expected);
}

#[test]
fn no_rows_give_the_header_alone() {
    let text = table(&Hospital::new(0, 1));
    assert_eq!(text, format!("{}\n", Hospital::header()));
}

#[test]
fn every_field_is_inside_its_domain() {
    let text = table(&Hospital::new(ROWS, 11));
    assert!(!text.contains('"'));
    let (postcodes, wards, codes) = (
        taxonomy("postcode.csv"),
        taxonomy("ward.csv"),
        taxonomy("diagnoses.csv"),
    );
    for row in rows(&text) {
        assert!(row["patient_id"].len() == 8 && row["patient_id"].starts_with('P'));
        assert!(number(row["age"]) <= 109, "{row:?}");
        assert!(["F", "M"].contains(&row["sex"]), "{row:?}");
        assert!(
            row["postcode"].len() == 5 && postcodes.contains_key(row["postcode"]),
            "{row:?}"
        );
        assert!(INSURANCES.contains(&row["insurance"]), "{row:?}");
        assert!(ADMISSIONS.contains(&row["admission"]), "{row:?}");
        assert!(wards.contains_key(row["ward"]), "{row:?}");
        let items: Vec<&str> = row["diagnoses"].split(';').collect();
        let distinct: BTreeSet<&&str> = items.iter().collect();
        assert!(items.len() <= 6 && distinct.len() == items.len(), "{row:?}");
        assert!(
            items.iter().all(|item| codes.contains_key(*item)),
            "{row:?}"
        );
        assert!(items.len() == 1 || !items.contains(&"none"), "{row:?}");
        assert!(number(row["length_of_stay"]) <= 180, "{row:?}");
        if let Some((whole, tenth)) = row["lab_score"].split_once('.') {
            assert!(
                10 * number(whole) + number(tenth) <= 1000 && tenth.len() == 1,
                "{row:?}"
            );
        } else {
            assert_eq!(row["lab_score"], "", "{row:?}");
        }
        assert!(
            row["drug_group"].is_empty() || DRUG_GROUPS.contains(&row["drug_group"]),
            "{row:?}"
        );
    }
}

#[test]
fn dates_and_ages_agree() {
    let days = days_by_text();
    let text = table(&Hospital::new(ROWS, 12));
    let mut last_discharge: Option<(&str, Day)> = None;
    for row in rows(&text) {
        let (born, discharged) = (days[row["born"]], days[row["discharged"]]);
        let admitted = Day(discharged.0 - number(row["length_of_stay"]));
        assert!(
            born <= admitted && Day::first_of(2023) <= admitted,
            "{row:?}"
        );
        let admitted = admitted.to_string();
        let birthday_to_come = admitted[5..] < row["born"][5..];
        let age = number(&admitted[..4]) - number(&row["born"][..4]) - u32::from(birthday_to_come);
        assert_eq!(age, number(row["age"]), "{row:?}");
        if let Some((patient, earlier)) = last_discharge {
            let before_admission = earlier.to_string() < admitted;
            assert!(patient != row["patient_id"] || before_admission, "{row:?}");
        }
        last_discharge = Some((row["patient_id"], discharged));
    }
}

#[test]
fn the_calendar_knows_known_days() {
    assert_eq!(Day(0).to_string(), "1901-01-01");
    // 25,567 days lie between the beginnings of 1900 and 1970, 365 of them in 1900.
    assert_eq!(Day(25_567 - 365).to_string(), "1970-01-01");
    let leap_day = Day(Day::first_of(2024).0 + 31 + 28);
    assert_eq!(leap_day.to_string(), "2024-02-29");
    assert_eq!(Day(leap_day.0 + 1).to_string(), "2024-03-01");
    assert_eq!(Day(Day::first_of(2025).0 - 1).to_string(), "2024-12-31");
    assert_eq!(leap_day.years_until(Day(Day::first_of(2025).0 + 58)), 0);
    assert_eq!(leap_day.years_until(Day(Day::first_of(2025).0 + 59)), 1);
}

#[test]
fn a_patient_stays_the_same_person() {
    let hospital = Hospital::new(ROWS, 13);
    let text = table(&hospital);
    let mut stays: BTreeMap<&str, u64> = BTreeMap::new();
    let mut traits: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (row, fields) in rows(&text).iter().enumerate() {
        let patient = fields["patient_id"];
        *stays.entry(patient).or_default() += 1;
        let mut now: Vec<String> = ["born", "sex", "postcode", "insurance"]
            .map(|name| fields[name].to_owned())
            .to_vec();
        now.push(hospital.planted_cluster(row as u64).to_string());
        let known = traits.entry(patient).or_insert_with(|| now.clone());
        assert_eq!(*known, now, "{patient}");
    }
    assert!(stays.values().all(|&count| count <= 3));
    assert!((1..=3).all(|count| stays.values().any(|&stays| stays == count)));
    let mean = ROWS as f64 / stays.len() as f64;
    assert!((mean - 1.6).abs() < 0.01, "{mean}");
}

#[test]
fn the_mean_number_of_stays_can_be_set() {
    for (asked, patients) in [
        (1.0, 2400),
        (2.0, 1200),
        (3.0, 800),
        (9.0, 800),
        (f64::NAN, 800),
    ] {
        let text = table(&Hospital::new(2400, 3).stays_per_patient(asked));
        let distinct: BTreeSet<&str> = rows(&text).iter().map(|row| row["patient_id"]).collect();
        assert_eq!(distinct.len(), patients, "{asked}");
    }
}

#[test]
fn births_and_sexes_are_credible() {
    let text = table(&Hospital::new(ROWS, 14));
    for row in rows(&text) {
        let birth = row["diagnoses"].contains("MA2");
        assert_eq!(birth, row["admission"] == DELIVERY, "{row:?}");
        if row["diagnoses"].contains("MA") {
            let age = number(row["age"]);
            assert!(row["sex"] == "F" && (17..50).contains(&age), "{row:?}");
        }
        let sex = [Sex::Female, Sex::Male]
            .into_iter()
            .find(|sex| sex.text() == row["sex"])
            .expect("a known sex");
        for code in row["diagnoses"].split(';').filter(|&code| code != "none") {
            let prefix = &code[..code.len() - 1];
            let group = ALL_GROUPS.iter().find(|group| group.prefix == prefix);
            assert!(group.is_some_and(|group| group.occurs_in(sex)), "{row:?}");
        }
    }
}

#[test]
fn missing_values_have_the_stated_shares() {
    let text = table(&Hospital::new(ROWS, 15));
    let rows = rows(&text);
    let share = |name: &str, value: &str| {
        rows.iter().filter(|row| row[name] == value).count() as f64 / ROWS as f64
    };
    assert!((share("lab_score", "") - 0.08).abs() < 0.01);
    assert!((share("drug_group", "") - 0.05).abs() < 0.01);
    assert!((0.01..0.04).contains(&share("diagnoses", "none")));
    for row in &rows {
        for (name, field) in row {
            assert!(!field.is_empty() || ["lab_score", "drug_group"].contains(name));
        }
    }
}

#[test]
fn all_planted_clusters_have_their_share() {
    let hospital = Hospital::new(ROWS, 16);
    let mut counts = [0_u32; Hospital::CLUSTERS];
    for row in 0..ROWS {
        counts[hospital.planted_cluster(row)] += 1;
    }
    for (count, (_, percent)) in counts.iter().zip(PROFILES) {
        let share = 100.0 * f64::from(*count) / ROWS as f64;
        assert!((share - f64::from(percent)).abs() < 2.0, "{counts:?}");
    }
}

#[test]
fn leading_zeros_are_kept() {
    let text = table(&Hospital::new(ROWS, 17));
    let rows = rows(&text);
    assert!(rows.iter().any(|row| row["postcode"].starts_with("00")));
    assert!(rows.iter().any(|row| row["postcode"].starts_with('1')));
    assert!(rows.iter().all(|row| row["patient_id"].starts_with("P00")));
}

#[test]
fn taxonomies_are_trees() {
    for (name, text) in Hospital::taxonomies() {
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(';').collect()).collect();
        let leaves: BTreeSet<&str> = lines.iter().map(|path| path[0]).collect();
        assert_eq!(leaves.len(), lines.len(), "{name}");
        let mut parents: BTreeMap<&str, &str> = BTreeMap::new();
        for path in &lines {
            assert_eq!(path.len(), lines[0].len(), "{name}: {path:?}");
            assert_eq!(path.last(), Some(&"*"), "{name}: {path:?}");
            for pair in path.windows(2).filter(|pair| pair[0] != pair[1]) {
                assert!(
                    !pair[0].is_empty() && !pair[0].contains(['"', ',']),
                    "{pair:?}"
                );
                let known = *parents.entry(pair[0]).or_insert(pair[1]);
                assert_eq!(known, pair[1], "{name}: parents of {}", pair[0]);
                assert!(!leaves.contains(pair[1]), "{name}: {} is a leaf", pair[1]);
            }
        }
        assert!(!parents.contains_key("*"), "{name}");
    }
    assert!((200..500).contains(&taxonomy("postcode.csv").len()));
    assert!((110..140).contains(&taxonomy("diagnoses.csv").len()));
    let lengths = |name| -> BTreeSet<usize> { taxonomy(name).values().map(Vec::len).collect() };
    assert_eq!(lengths("ward.csv"), BTreeSet::from([2, 3, 4]));
    assert_eq!(lengths("diagnoses.csv"), BTreeSet::from([2, 3, 4, 5]));
}

#[test]
fn profiles_speak_of_known_things() {
    for (profile, _) in PROFILES {
        let known = |mix: &[(&str, u32)], names: &[&str]| {
            assert!(mix.iter().all(|(name, _)| names.contains(name)), "{mix:?}");
            assert_eq!(
                mix.iter().map(|(_, weight)| weight).sum::<u32>(),
                100,
                "{mix:?}"
            );
        };
        let wards: Vec<&str> = WARDS.iter().map(|(ward, _)| *ward).collect();
        known(profile.insurances, INSURANCES);
        known(profile.admissions, ADMISSIONS);
        known(profile.wards, &wards);
        known(profile.drug_groups, DRUG_GROUPS);
        for (group, _) in profile.diagnoses.iter().chain(profile.secondary_diagnoses) {
            let listed = ALL_GROUPS.iter().any(|known| known.prefix == group.prefix);
            assert!(listed && group.codes <= 9, "{group:?}");
        }
    }
    assert_eq!(PROFILES.iter().map(|(_, share)| share).sum::<u32>(), 100);
}

#[test]
fn the_spec_names_every_column_in_order() {
    let spec = Hospital::spec("a \"b\"\\c.csv");
    assert!(spec.contains(r#"path = "a \"b\"\\c.csv""#));
    assert!(spec.contains("[protect]"));
    let columns: Vec<&str> = spec
        .lines()
        .filter_map(|line| line.split_once(" = { ").map(|(name, _)| name))
        .collect();
    assert_eq!(columns.join(","), Hospital::header());
    for (file, _) in Hospital::taxonomies() {
        assert!(spec.contains(&format!("taxonomy = \"{file}\"")));
    }
}

#[test]
fn a_folder_is_filled_once() {
    let folder = std::env::temp_dir().join(format!("pleiad-generate-{}", std::process::id()));
    let hospital = Hospital::new(50, 1);
    hospital.write_folder(&folder).expect("an empty place");
    let written = std::fs::read_to_string(folder.join(Hospital::DATA_FILE)).expect("the table");
    let again = hospital.write_folder(&folder);
    std::fs::remove_dir_all(&folder).expect("the folder was made above");
    assert_eq!(written, table(&hospital));
    assert_eq!(
        again.expect_err("files are in the way").kind(),
        std::io::ErrorKind::AlreadyExists
    );
}
