//! Verification finds what is wrong with a release, also where somebody has made the hashes fit again.

use std::cmp::Ordering;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::Case;
use super::random_table::random_table;
use crate::error::{Kind, Result};
use crate::progress::Silent;
use crate::release::verify::describe_file;
use crate::release::{EVALUATION_FILE, MANIFEST_FILE, Verified, verify_release};
use crate::table::Format;

type ChangeManifest = fn(&mut Value);
type ChangeLines = fn(Vec<String>) -> Vec<String>;

/// A release of people with one row each, told by table.
fn released() -> Case {
    let random = random_table(7);
    let head = random.spec.split("[protect]").next().unwrap();
    let spec = head.replace("person = \"id\"", "") + "[protect]\nanonymity = 5\n";
    let case = Case::new(&random.csv(), &spec);
    case.release("out", Format::Csv).unwrap();
    case
}

fn verify(case: &Case) -> Result<Verified> {
    verify_release(&case.path("out"), Some(&case.path("out.owner")), &Silent)
}

fn refusal(case: &Case) -> String {
    let error = verify(case).unwrap_err();
    assert_eq!(error.kind(), Kind::Refused, "{error}");
    error.message().to_owned()
}

fn edit(path: &Path, change: impl Fn(Vec<String>) -> Vec<String>) {
    let text = fs::read_to_string(path).unwrap();
    let lines = change(text.lines().map(str::to_owned).collect());
    fs::write(path, lines.join("\n") + "\n").unwrap();
}

/// Makes the manifest fit the files again, with some change of its own, and the owner's evaluation fit the manifest.
fn sign(case: &Case, change: impl Fn(&mut Value)) {
    let path = case.path("out").join(MANIFEST_FILE);
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let names: Vec<String> = manifest["files"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    for name in names {
        let entry = describe_file(&case.path("out").join(&name)).unwrap();
        manifest["files"][&name] = serde_json::to_value(entry).unwrap();
    }
    change(&mut manifest);
    fs::write(&path, manifest.to_string()).unwrap();
    let hash = describe_file(&path).unwrap().sha256;
    let path = case.path("out.owner").join(EVALUATION_FILE);
    let mut evaluation: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    evaluation["manifest_sha256"] = Value::String(hash);
    fs::write(&path, evaluation.to_string()).unwrap();
}

#[test]
fn a_whole_release_passes() {
    assert!(verify(&released()).is_ok());
}

#[test]
fn a_changed_file_is_found_by_its_hash() {
    for name in ["data.csv", "positions.csv", "README.md"] {
        let case = released();
        edit(&case.path("out").join(name), |mut lines| {
            lines.pop();
            lines
        });
        assert!(refusal(&case).contains("hash differs"), "{name}");
    }
}

#[test]
fn a_file_too_many_or_too_few_is_found() {
    let case = released();
    fs::write(case.path("out").join("notes.txt"), "patient 17").unwrap();
    assert!(refusal(&case).contains("`notes.txt` that the manifest does not name"));
    let case = released();
    fs::remove_file(case.path("out").join("README.md")).unwrap();
    assert!(refusal(&case).contains("`README.md` is missing"));
}

fn fields_of(row: &csv::StringRecord) -> Vec<String> {
    row.iter().map(str::to_owned).collect()
}

fn in_published_order(a: &[String], b: &[String], header: &csv::StringRecord) -> Ordering {
    let number = |text: &str| text.parse::<f64>().unwrap_or(f64::INFINITY);
    let cells = header.iter().zip(a.iter().zip(b));
    cells
        .map(|(name, (a, b))| match name {
            "score" => number(a).total_cmp(&number(b)),
            _ => a.cmp(b),
        })
        .find(|ordering| ordering.is_ne())
        .unwrap_or(Ordering::Equal)
}

#[test]
fn a_group_that_is_too_small_is_found_and_not_shown() {
    let case = released();
    let path = case.path("out").join("data.csv");
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let header = reader.headers().unwrap().clone();
    let mut rows: Vec<Vec<String>> = reader
        .records()
        .map(|row| fields_of(&row.unwrap()))
        .collect();
    // One of the people in the first group becomes somebody that can be told apart, at the place that is right.
    "[0, 3)".clone_into(&mut rows[0][0]);
    rows.sort_by(|a, b| in_published_order(a, b, &header));
    let mut writer = csv::Writer::from_path(&path).unwrap();
    writer.write_record(&header).unwrap();
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.flush().unwrap();
    sign(&case, |_| {});
    let message = refusal(&case);
    assert!(
        message.contains("have fewer than 5 rows; the smallest has 1"),
        "{message}"
    );
    assert!(!message.contains("[0, 3)"), "{message}");
}

#[test]
fn rows_out_of_order_are_found() {
    let case = released();
    edit(&case.path("out").join("data.csv"), |mut lines| {
        let last = lines.len() - 1;
        lines.swap(1, last);
        lines
    });
    sign(&case, |_| {});
    assert!(refusal(&case).contains("not in the order of the published values"));
}

#[test]
fn a_column_too_many_is_found() {
    let case = released();
    edit(&case.path("out").join("data.csv"), |lines| {
        let mut lines = lines;
        for (number, line) in lines.iter_mut().enumerate() {
            *line = if number == 0 {
                format!("{line},id")
            } else {
                format!("{line},p{number}")
            };
        }
        lines
    });
    sign(&case, |_| {});
    assert!(refusal(&case).contains("columns of the table are not those of the manifest"));
}

#[test]
fn a_manifest_that_promises_less_than_it_must_is_found() {
    let changes: [(&str, ChangeManifest); 7] = [
        ("promises nothing", |manifest| {
            manifest["guarantee"]["requirements"] = serde_json::json!([]);
        }),
        ("promises nothing", |manifest| {
            manifest["guarantee"]["requirements"][0]["at_least"] = serde_json::json!(0);
        }),
        ("`age` must be quasi, masked and in a promise", |manifest| {
            manifest["guarantee"]["requirements"][0]["columns"] = serde_json::json!(["job"]);
        }),
        (
            "`ward` must be quasi, masked and in a promise",
            |manifest| {
                manifest["guarantee"]["requirements"][0]["columns"]
                    .as_array_mut()
                    .unwrap()
                    .push(serde_json::json!("ward"));
            },
        ),
        ("the words of the manifest", |manifest| {
            manifest["guarantee"]["in_words"][0] =
                serde_json::json!("A thousand people look alike.");
        }),
        ("the words of the manifest", |manifest| {
            manifest["guarantee"]["unit"] = serde_json::json!("people");
        }),
        ("positions disclose more of", |manifest| {
            manifest["positions"]["disclosed"] = serde_json::json!("uniform");
            manifest["positions"]["in_words"] = serde_json::json!(
                crate::release::readme::positions(crate::spec::Positions::Uniform)
            );
        }),
    ];
    for (message, change) in changes {
        let case = released();
        // The README says what the manifest says, so that it is not what gives the change away.
        sign(&case, change);
        let manifest =
            crate::release::Manifest::read(&case.path("out").join(MANIFEST_FILE)).unwrap();
        let readme = crate::release::readme::for_recipient(&manifest);
        fs::write(case.path("out").join("README.md"), readme).unwrap();
        sign(&case, |_| {});
        let found = refusal(&case);
        assert!(found.contains(message), "{message}: {found}");
    }
}

#[test]
fn words_that_are_not_the_manifests_are_found() {
    let case = released();
    edit(&case.path("out").join("README.md"), |mut lines| {
        lines.push("Patient 17 is the mayor.".to_owned());
        lines
    });
    sign(&case, |_| {});
    assert!(refusal(&case).contains("words are not those of this manifest"));
}

#[test]
fn positions_that_say_something_else_are_found() {
    let changes: [(&str, ChangeLines); 3] = [
        ("about what is not in the table", |mut lines| {
            lines.push("age,secret,20,1".to_owned());
            lines
        }),
        ("shares that do not sum to 1", |mut lines| {
            let at = lines
                .iter()
                .position(|line| line.starts_with("job,"))
                .unwrap();
            let (line, _) = lines[at].rsplit_once(',').unwrap();
            lines[at] = format!("{line},0.999");
            lines
        }),
        ("elsewhere than where it can be", |mut lines| {
            let at = lines
                .iter()
                .position(|line| line.starts_with("born,"))
                .unwrap();
            let (line, share) = lines[at].rsplit_once(',').unwrap();
            let (line, _) = line.rsplit_once(',').unwrap();
            lines[at] = format!("{line},nobody,{share}");
            lines
        }),
    ];
    for (message, change) in changes {
        let case = released();
        edit(&case.path("out").join("positions.csv"), change);
        sign(&case, |_| {});
        let found = refusal(&case);
        assert!(found.contains(message), "{message}: {found}");
    }
}

#[test]
fn files_outside_of_the_folder_are_not_followed() {
    for name in ["../jobs.csv", "/etc/hostname", "groups.csv/../../jobs.csv"] {
        let case = released();
        sign(&case, |manifest| {
            manifest["columns"][0]["groups"] = serde_json::json!(name);
        });
        assert!(
            refusal(&case).contains("other files than a release has"),
            "{name}"
        );
    }
    #[cfg(unix)]
    {
        let case = released();
        let data = case.path("out").join("data.csv");
        fs::rename(&data, case.path("elsewhere.csv")).unwrap();
        std::os::unix::fs::symlink(case.path("elsewhere.csv"), &data).unwrap();
        assert!(refusal(&case).contains("`data.csv` is no file, but a link"));
    }
}

#[test]
fn a_manifest_that_the_owner_did_not_evaluate_is_found() {
    let case = released();
    let path = case.path("out").join(MANIFEST_FILE);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"weight\": 0.1", "\"weight\": 0.2")).unwrap();
    assert!(refusal(&case).contains("owner's evaluation is about"));
}

#[test]
fn a_file_of_rows_of_another_release_is_found() {
    let case = released();
    let random = random_table(8);
    let spec = fs::read_to_string(case.path("pleiad.toml")).unwrap();
    let spec = spec.replacen("missing", "person = \"id\"\nmissing", 1);
    let people = Case::new(&random.csv(), &spec);
    people.release("out", Format::Csv).unwrap();
    fs::copy(
        case.path("out.owner").join("rows.parquet"),
        people.path("out.owner").join("rows.parquet"),
    )
    .unwrap();
    assert!(refusal(&people).contains("file of rows does not fit"));
}

#[test]
fn a_manifest_of_another_layout_is_refused_by_name() {
    let case = released();
    sign(&case, |manifest| manifest["format"] = serde_json::json!(99));
    let error = verify(&case).unwrap_err();
    assert!(error.message().contains("layout 99"), "{error}");
}

#[test]
fn no_damage_to_a_manifest_is_a_panic() {
    let case = released();
    let path = case.path("out").join(MANIFEST_FILE);
    let whole = fs::read(&path).unwrap();
    let mut dice = crate::repeatable::Repeatable::new(1);
    for _ in 0..300 {
        let mut damaged = whole.clone();
        let at = dice.below(damaged.len() as u128) as usize;
        match dice.below(3) {
            0 => damaged.truncate(at),
            1 => damaged[at] = dice.below(256) as u8,
            _ => {
                damaged.remove(at);
            }
        }
        fs::write(&path, damaged).unwrap();
        // Whether a change is harmful is not the question here; most are.
        let _ = verify(&case);
    }
}
