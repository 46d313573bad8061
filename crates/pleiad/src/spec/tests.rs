mod cluster;
mod mosaic;
mod numbers_of_taxonomies;
mod protect;

use std::fs;

use proptest::prelude::*;

use super::*;
use crate::error::Kind as ErrorKind;
use crate::table::{IncompleteRows, Kind, Role, TreeSource, Unit};

const DESIGN_EXAMPLE: &str = r#"[data]
path = "patients.csv"
missing = ["?", ""]
person = "patient_id"

[columns]
patient_id = { role = "identifier" }
age   = { kind = "numeric", role = "quasi", bounds = [0, 120], step = 1 }
born  = { kind = "date", role = "quasi", bounds = ["1900-01-01", "2026-12-31"] }
sex   = { kind = "categorical", role = "quasi", values = ["F", "M"] }
zip   = { kind = "categorical", role = "quasi", taxonomy = "zip.csv" }
icd9  = { kind = "set", role = "quasi", separator = ";", taxonomy = "icd9.csv" }
drug  = { kind = "categorical", role = "sensitive", may_be_missing = true }

[cluster]
algorithm = "kmeans"
clusters = 6

[protect]
method = "refine"

[[protect.anonymity]]
columns = ["zip", "sex"]
at_least = 4
[[protect.anonymity]]
columns = ["sex", "age", "born", "icd9"]
at_least = 11
"#;

/// A folder with the taxonomies that the examples name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("zip.csv", "8001;80**;*\n8002;80**;*\n9000;90**;*\n"),
        ("icd9.csv", "250;endocrine;*\n401;circulatory;*\n"),
        ("two_parents.csv", "1;a;*\n2;b;*\n1;b;*\n"),
        ("question.csv", "x;*\n?;*\n"),
        ("none.csv", "x;none;*\ny;*\n"),
        ("joined.csv", "x|y;*\nz;*\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn with_columns(columns: &str) -> String {
    format!(
        "[data]\npath = \"t.csv\"\nmissing = [\"?\"]\n[cluster]\nclusters = 2\n[columns]\n{columns}\n"
    )
}

fn parse(text: &str) -> Result<Spec> {
    Spec::parse(text, Path::new("pleiad.toml"))
}

#[track_caller]
fn assert_refused(text: &str, message: &str) {
    let error = parse(text).unwrap_err();
    assert_eq!(error.to_string(), message);
    assert_eq!(error.kind(), ErrorKind::Spec);
}

/// Columns start on line 7.
#[track_caller]
fn assert_columns_refused(columns: &str, message: &str) {
    assert_refused(&with_columns(columns), message);
}

#[test]
fn the_example_of_the_design_is_read() {
    let folder = folder();
    let path = folder.path().join("pleiad.toml");
    fs::write(&path, DESIGN_EXAMPLE).unwrap();
    let spec = Spec::read(&path).unwrap();
    assert_eq!(spec.data_path, folder.path().join("patients.csv"));
    assert_eq!(
        spec.cluster,
        ClusterSpec {
            algorithm: Algorithm::KMeans,
            clusters: 6,
            restarts: 10,
            seed: 0,
            encoding: Encoding::Semantic,
            tuning: Tuning::default(),
        }
    );
    let anonymity = &spec.refinement().unwrap().anonymity;
    let thresholds = anonymity.iter().map(|requirement| requirement.at_least);
    assert_eq!(thresholds.collect::<Vec<_>>(), [4, 11]);
    assert_eq!(anonymity[1].columns, ["sex", "age", "born", "icd9"]);
    let plan = &spec.plan;
    assert_eq!(plan.delimiter, None);
    assert_eq!(plan.missing, ["?", ""]);
    assert_eq!(plan.incomplete_rows, IncompleteRows::Refuse);
    assert_eq!(plan.person.as_deref(), Some("patient_id"));
    assert_eq!(plan.source.as_deref(), Some(path.as_path()));
    let names: Vec<&str> = plan
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["patient_id", "age", "born", "sex", "zip", "icd9", "drug"]
    );
    let [patient_id, age, born, sex, zip, icd9, drug] = plan.columns.as_slice() else {
        panic!("seven columns");
    };
    assert_eq!(
        (patient_id.role, &patient_id.kind),
        (Role::Identifier, &None)
    );
    let Some(Kind::Numbers {
        unit: Unit::Number,
        interval: Some(interval),
        ..
    }) = &age.kind
    else {
        panic!("numbers");
    };
    assert_eq!(
        (interval.low(), interval.high(), interval.last()),
        (0.0, 120.0, 120)
    );
    assert!(interval.has_public_bounds());
    let Some(Kind::Numbers {
        unit: Unit::Day,
        interval: Some(interval),
        ..
    }) = &born.kind
    else {
        panic!("days");
    };
    assert_eq!(
        (interval.step(), interval.text(interval.last())),
        (1.0, "2026-12-31".to_owned())
    );
    let Some(Kind::Values {
        tree: Some((tree, TreeSource::List)),
    }) = &sex.kind
    else {
        panic!("a list");
    };
    assert_eq!(tree.value_labels().collect::<Vec<_>>(), ["F", "M"]);
    let Some(Kind::Values {
        tree: Some((tree, TreeSource::Taxonomy)),
    }) = &zip.kind
    else {
        panic!("a taxonomy");
    };
    assert_eq!(tree.height(), 2);
    let Some(Kind::Sets {
        tree: Some((_, TreeSource::Taxonomy)),
        separator,
    }) = &icd9.kind
    else {
        panic!("sets");
    };
    assert_eq!(separator, ";");
    assert_eq!(
        (drug.role, &drug.kind),
        (Role::Sensitive, &Some(Kind::Values { tree: None }))
    );
    assert!(drug.may_be_missing && !age.may_be_missing);
}

#[test]
fn every_key_arrives() {
    let spec = parse(
        r#"
        [data]
        path = "/tables/t.csv"
        delimiter = "\t"
        missing = ["NA", "NA", "-"]
        incomplete_rows = "drop"
        person = "who"
        [columns]
        age = { kind = "numeric", bounds = [0, 10], step = 0.5, weight = 2.5, from = "data" }
        height = { kind = "numeric", step = 1 }
        born = { kind = "date", bounds = [1900-01-01, 2000-01-01] }
        seen = { kind = "date" }
        tags = { kind = "set", separator = ", ", values = ["a", "none"] }
        [cluster]
        algorithm = "bisecting"
        clusters = 3
        restarts = 1
        seed = 18446744073709551615
        encoding = "one-hot"
        "#,
    )
    .unwrap();
    assert_eq!(spec.data_path, Path::new("/tables/t.csv"));
    assert_eq!(
        spec.cluster,
        ClusterSpec {
            algorithm: Algorithm::Bisecting,
            clusters: 3,
            restarts: 1,
            seed: u64::MAX,
            encoding: Encoding::OneHot,
            tuning: Tuning::default(),
        }
    );
    let plan = spec.plan;
    assert_eq!(plan.delimiter, Some(b'\t'));
    assert_eq!(plan.missing, ["NA", "-"]);
    assert_eq!(plan.incomplete_rows, IncompleteRows::Drop);
    let [age, height, born, seen, tags, who] = plan.columns.as_slice() else {
        panic!("five columns and the person");
    };
    assert_eq!(
        (age.role, age.weight, age.domain_from_data),
        (Role::Plain, 2.5, true)
    );
    let Some(Kind::Numbers {
        interval: Some(interval),
        ..
    }) = &age.kind
    else {
        panic!("numbers");
    };
    assert_eq!(interval.last(), 20);
    assert!(
        !interval.has_public_bounds(),
        "bounds that came from the data are not printed"
    );
    assert_eq!((height.weight, height.domain_from_data), (1.0, false));
    let open = |unit| {
        Some(Kind::Numbers {
            unit,
            interval: None,
            step: Some(1.0),
        })
    };
    assert_eq!(height.kind, open(Unit::Number));
    assert_eq!(seen.kind, open(Unit::Day));
    assert!(
        matches!(&born.kind, Some(Kind::Numbers { interval: Some(days), .. }) if days.last() == 36_524)
    );
    assert!(matches!(&tags.kind, Some(Kind::Sets { separator, .. }) if separator == ", "));
    assert_eq!(
        (who.name.as_str(), who.role, &who.kind),
        ("who", Role::Identifier, &None)
    );
}

#[test]
fn defaults_fill_in_what_is_left_out() {
    let spec =
        parse("[data]\npath = \"t.csv\"\n[columns]\nx.kind = \"set\"\n[cluster]\nclusters = 2\n")
            .unwrap();
    assert_eq!(spec.data_path, Path::new("t.csv"));
    assert_eq!(spec.plan.missing, [""]);
    assert_eq!(spec.plan.columns.len(), 1);
    let tags = Kind::Sets {
        tree: None,
        separator: ";".to_owned(),
    };
    assert_eq!(spec.plan.columns[0].kind, Some(tags));
}

#[test]
fn unknown_names_are_refused_with_the_nearest() {
    assert_columns_refused(
        "x = { kind = \"date\" }\n[clusterr]",
        "pleiad.toml:8:2: unknown key `clusterr`\nhint: did you mean `cluster`?",
    );
    assert_refused(
        "[data]\npth = \"t.csv\"",
        "pleiad.toml:2:1: unknown key `pth`\nhint: did you mean `path`?",
    );
    assert_refused(
        "[cluster]\n  n = 3",
        "pleiad.toml:2:3: unknown key `n`\n\
         hint: known are `algorithm`, `clusters`, `restarts`, `seed`, `encoding`, `seeding`, `gamma`, `radius`, `neighbours`",
    );
    assert_columns_refused(
        "x = { kind = \"numeric\", taxonmy = \"a.csv\" }",
        "pleiad.toml:7:25: unknown key `taxonmy`\nhint: did you mean `taxonomy`?",
    );
    assert_columns_refused(
        "[columns.x]\nkind = \"numerik\"",
        "pleiad.toml:8:8: `numerik` is not known here\nhint: did you mean `numeric`?",
    );
    assert_columns_refused(
        "x = { kind = \"date\", role = \"secret\" }",
        "pleiad.toml:7:29: `secret` is not known here\n\
         hint: known are `identifier`, `quasi`, `sensitive`, `plain`",
    );
    assert_columns_refused(
        "x = { kind = \"date\", from = \"thin air\" }",
        "pleiad.toml:7:29: `thin air` is not known here\nhint: known are `data`",
    );
    assert_refused(
        "[data]\nincomplete_rows = \"dorp\"",
        "pleiad.toml:2:19: `dorp` is not known here\nhint: did you mean `drop`?",
    );
    assert_refused(
        "[cluster]\nalgorithm = \"k-means\"",
        "pleiad.toml:2:13: `k-means` is not known here\nhint: did you mean `kmeans`?",
    );
    assert_refused(
        "[cluster]\nencoding = \"onehot\"",
        "pleiad.toml:2:12: `onehot` is not known here\nhint: did you mean `one-hot`?",
    );
    assert_refused(
        "\"a`, expected `b\" = 1",
        "pleiad.toml:1:1: unknown key `a`, expected `b`\nhint: known are `data`, `columns`, `cluster`, `protect`, `recipient`",
    );
}

#[test]
fn wrong_types_are_named() {
    for (columns, message) in [
        (
            "x = 3",
            "7:5: expected a table such as `{ kind = \"numeric\" }`, found integer `3`",
        ),
        ("x = { kind = 3 }", "7:14: expected text in quotes"),
        (
            "x = { kind = \"date\", bounds = 3 }",
            "7:31: expected a list in [ ], found integer `3`",
        ),
        (
            "x = { kind = \"numeric\", step = \"1\" }",
            "7:32: expected a number, found string \"1\"",
        ),
        (
            "x = { kind = \"set\", values = [\"a\", 1] }",
            "7:36: expected text in quotes, found integer `1`",
        ),
        (
            "x = { may_be_missing = \"no\" }",
            "7:24: expected true or false, found string \"no\"",
        ),
    ] {
        assert_columns_refused(columns, &format!("pleiad.toml:{message}"));
    }
    for (text, message) in [
        (
            "data = 3",
            "1:8: expected a section [data], found integer `3`",
        ),
        (
            "columns = \"all\"",
            "1:11: expected a section, found string \"all\"",
        ),
        (
            "[data]\nmissing = \"?\"",
            "2:11: expected a list in [ ], found string \"?\"",
        ),
        (
            "[cluster]\nclusters = -1",
            "2:12: expected a whole number that is not negative, found integer `-1`",
        ),
        (
            "[cluster]\nseed = 1.5",
            "2:8: expected a whole number that is not negative, found floating point `1.5`",
        ),
    ] {
        assert_refused(text, &format!("pleiad.toml:{message}"));
    }
}

#[test]
fn broken_toml_is_pointed_at() {
    for (text, message) in [
        (
            "[data]\npath = \"a\n",
            "2:10: invalid basic string, expected `\"`",
        ),
        ("[data\n", "1:6: unclosed table, expected `]`"),
        ("[data]\npath = \"a\"\npath = \"b\"\n", "3:1: duplicate key"),
    ] {
        assert_refused(text, &format!("pleiad.toml:{message}"));
    }
}

#[test]
fn sections_and_required_keys_must_be_there() {
    assert_refused(
        "",
        "pleiad.toml: the section [data] is missing\nhint: add `path = \"table.csv\"` under a line `[data]`",
    );
    assert_refused(
        "[data]\npath = \"t.csv\"\n[cluster]\nclusters = 2",
        "pleiad.toml: the section [columns] is missing\n\
         hint: add `age = { kind = \"numeric\", role = \"quasi\" }` under a line `[columns]`",
    );
    assert_refused(
        "[data]\npath = \"t.csv\"\n[columns]",
        "pleiad.toml: the section [cluster] is missing\nhint: add `clusters = 6` under a line `[cluster]`",
    );
    assert_refused(
        "[columns]\n[cluster]\n[data]\nmissing = []",
        "pleiad.toml:3:1: [data] has no `path`: the file with the table",
    );
    assert_refused(
        "[data]\npath = \"\"\n[columns]\n[cluster]",
        "pleiad.toml:2:8: the path is empty",
    );
    assert_refused(
        "[data]\npath = \"t.csv\"\n[columns]\nx = { kind = \"date\" }\n[cluster]\nseed = 1",
        "pleiad.toml:5:1: [cluster] has no `clusters`: how many there are\n\
         hint: any number will do at first: `pleiad cluster --suggest` then proposes one",
    );
    assert_columns_refused("", "pleiad.toml:6:1: [columns] names no column");
    assert_columns_refused(
        "a = { role = \"identifier\" }\nb = { role = \"identifier\" }",
        "pleiad.toml:6:1: all columns are identifiers: nothing is left to publish",
    );
    assert_columns_refused(
        "\" \" = { kind = \"set\" }",
        "pleiad.toml:7:1: a column has no name",
    );
}

#[test]
fn a_column_needs_a_kind_unless_it_is_an_identifier() {
    assert_columns_refused(
        "x = { role = \"quasi\" }",
        "pleiad.toml:7:1: the column `x` has no `kind`\n\
         hint: the kinds are `numeric`, `date`, `categorical` and `set`\n\
         hint: a column that names people needs none: `{ role = \"identifier\" }`",
    );
    for (key, value) in [
        ("kind", "\"set\""),
        ("bounds", "[0, 1]"),
        ("step", "1"),
        ("values", "[\"a\"]"),
        ("taxonomy", "\"a.csv\""),
        ("separator", "\";\""),
        ("weight", "1"),
        ("may_be_missing", "false"),
        ("from", "\"data\""),
    ] {
        let column = 31 + key.len();
        assert_columns_refused(
            &format!("x = {{ role = \"identifier\", {key} = {value} }}"),
            &format!(
                "pleiad.toml:7:{column}: an identifier has no `{key}`\n\
                 hint: an identifier is not read: its `role` is all there is to say"
            ),
        );
    }
}

#[test]
fn keys_belong_to_kinds() {
    let numbers_or_dates = "`numeric` or `date`";
    let values_or_sets = "`categorical` or `set`";
    let all_but_dates = "`numeric` or `categorical` or `set`";
    for (kind, key, value, kinds) in [
        ("categorical", "bounds", "[0, 1]", numbers_or_dates),
        ("set", "bounds", "[0, 1]", numbers_or_dates),
        ("date", "step", "7", "`numeric`"),
        ("categorical", "step", "1", "`numeric`"),
        ("numeric", "values", "[\"a\"]", values_or_sets),
        ("date", "taxonomy", "\"a.csv\"", all_but_dates),
        ("categorical", "separator", "\";\"", "`set`"),
    ] {
        let column = 21 + kind.len() + key.len();
        assert_columns_refused(
            &format!("x = {{ kind = \"{kind}\", {key} = {value} }}"),
            &format!(
                "pleiad.toml:7:{column}: a column of kind `{kind}` has no `{key}`\n\
                 hint: `{key}` is for columns of kind {kinds}"
            ),
        );
    }
}

#[test]
fn bad_bounds_steps_and_weights_are_refused() {
    let number = "a bound of a numeric column must be a finite number";
    let day = "a bound of a date column must be a day of the calendar, written \"YYYY-MM-DD\"";
    for (keys, message) in [
        (
            "\"numeric\", bounds = [2, 1]",
            "34: the lower bound 2 is not below the upper bound 1",
        ),
        (
            "\"numeric\", bounds = [1, 1]",
            "34: the lower bound 1 is not below the upper bound 1",
        ),
        (
            "\"numeric\", bounds = [1]",
            "34: bounds are two: the least and the greatest value",
        ),
        (
            "\"numeric\", bounds = [1, 2, 3]",
            "34: bounds are two: the least and the greatest value",
        ),
        (
            "\"numeric\", bounds = [-1e308, 1e308]",
            "34: the bounds are too far apart",
        ),
        ("\"numeric\", bounds = [0, inf]", &format!("38: {number}")),
        ("\"numeric\", bounds = [nan, 0]", &format!("35: {number}")),
        ("\"numeric\", bounds = [0, \"9\"]", &format!("38: {number}")),
        ("\"numeric\", bounds = [0, true]", &format!("38: {number}")),
        ("\"date\", bounds = [0, 1]", &format!("32: {day}")),
        (
            "\"date\", bounds = [\"2000-01-01\", \"2000-02-30\"]",
            &format!("46: {day}"),
        ),
        (
            "\"date\", bounds = [2000-01-01, 2000-01-02T10:00:00]",
            &format!("44: {day}"),
        ),
        (
            "\"date\", bounds = [\"2000-01-02\", \"2000-01-01\"]",
            "31: the lower bound 2000-01-02 is not below the upper bound 2000-01-01",
        ),
        (
            "\"numeric\", step = 0",
            "32: the step must be a finite number above 0",
        ),
        (
            "\"numeric\", step = -1",
            "32: the step must be a finite number above 0",
        ),
        (
            "\"numeric\", step = inf",
            "32: the step must be a finite number above 0",
        ),
        (
            "\"numeric\", bounds = [0, 1], step = 0.3",
            "49: the bounds are not a whole number of steps of 0.3 apart",
        ),
        (
            "\"numeric\", bounds = [0, 1], step = 2",
            "49: the bounds are not a whole number of steps of 2 apart",
        ),
        (
            "\"numeric\", weight = 0",
            "34: the weight must be a finite number above 0",
        ),
        (
            "\"numeric\", weight = nan",
            "34: the weight must be a finite number above 0",
        ),
        (
            "\"numeric\", weight = -inf",
            "34: the weight must be a finite number above 0",
        ),
    ] {
        assert_columns_refused(
            &format!("x = {{ kind = {keys} }}"),
            &format!("pleiad.toml:7:{message}"),
        );
    }
}

#[test]
fn bad_values_and_separators_are_refused() {
    for (keys, message) in [
        (
            "\"set\", values = []",
            "30: `values` lists no value\nhint: leave `values` out to have them taken from the data",
        ),
        (
            "\"set\", values = [\"a\", \"b\", \"a\"]",
            "41: the value `a` is listed twice",
        ),
        ("\"set\", values = [\"\"]", "31: a value is empty"),
        (
            "\"set\", values = [\"*\"]",
            "31: `*` stands for what is hidden: no value may be written so",
        ),
        (
            "\"set\", values = [\"?\"]",
            "31: the value `?` is a mark for \"no value\" (`missing` in [data])\n\
             hint: leave it out here, and say `may_be_missing = true`",
        ),
        (
            "\"set\", values = [\"?\"], may_be_missing = true",
            "31: the value `?` is a mark for \"no value\" (`missing` in [data])\n\
             hint: leave it out here: rows without a value need none",
        ),
        (
            "\"set\", values = [\"a\"], taxonomy = \"zip.csv\"",
            "30: a column has either `values` or a `taxonomy`, not both\n\
             hint: the lines of a taxonomy begin with its values, so there is no need to list them",
        ),
        (
            "\"set\", separator = \"*\"",
            "33: the value `*` contains the separator `*`",
        ),
        (
            "\"set\", values = [\"a\"], separator = \"on\"",
            "49: the value `none` contains the separator `on`",
        ),
        ("\"set\", separator = \"\"", "33: the separator is empty"),
        (
            "\"set\", values = [\"a\", \"b;c\"]",
            "36: the value `b;c` contains the separator `;`",
        ),
        (
            "\"set\", values = [\" a\"]",
            "31: the value ` a` begins or ends with a blank, which is cut off the items of a set",
        ),
        ("\"set\", taxonomy = \"\"", "32: the path is empty"),
    ] {
        assert_columns_refused(
            &format!("x = {{ kind = {keys} }}"),
            &format!("pleiad.toml:7:{message}"),
        );
    }
}

#[test]
fn errors_of_a_taxonomy_point_at_its_line_or_at_its_name() {
    let folder = folder();
    let path = folder.path().join("pleiad.toml");
    let shown = |keys: &str| {
        let text = with_columns(&format!("x = {{ kind = {keys} }}"));
        let error = Spec::parse(&text, &path).unwrap_err();
        let folder = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
        (error.kind(), error.to_string().replace(&folder, ""))
    };
    let (kind, message) = shown("\"categorical\", taxonomy = \"two_parents.csv\"");
    assert_eq!(kind, ErrorKind::Spec);
    assert!(
        message.starts_with("two_parents.csv:3: `1` has two parents"),
        "{message}"
    );
    let (kind, message) = shown("\"categorical\", taxonomy = \"absent.csv\"");
    assert_eq!(kind, ErrorKind::System);
    assert!(
        message.starts_with("pleiad.toml:7:40: cannot read absent.csv: "),
        "{message}"
    );
    for (keys, expected) in [
        (
            "\"categorical\", taxonomy = \"question.csv\"",
            "pleiad.toml:7:40: the value `?` is a mark for \"no value\" (`missing` in [data])\n\
             hint: leave it out here, and say `may_be_missing = true`",
        ),
        (
            "\"set\", taxonomy = \"none.csv\"",
            "pleiad.toml:7:32: the taxonomy has a node `none`, which is the text of the empty set",
        ),
        (
            "\"set\", separator = \"|\", taxonomy = \"joined.csv\"",
            "pleiad.toml:7:49: the value `x|y` contains the separator `|`",
        ),
    ] {
        assert_eq!(shown(keys), (ErrorKind::Spec, expected.to_owned()));
    }
}

#[test]
fn bad_numbers_of_clusters_and_restarts_are_refused() {
    let with_cluster = |cluster: &str| {
        format!(
            "[data]\npath = \"t.csv\"\n[columns]\nx = {{ kind = \"date\" }}\n[cluster]\n{cluster}\n"
        )
    };
    for clusters in [0, 1] {
        assert_refused(
            &with_cluster(&format!("clusters = {clusters}")),
            "pleiad.toml:6:12: there must be at least 2 clusters",
        );
    }
    assert_refused(
        &with_cluster("clusters = 2\nrestarts = 0"),
        "pleiad.toml:7:12: there must be at least 1 restart",
    );
}

#[test]
fn the_delimiter_is_one_character() {
    let hint = "hint: leave `delimiter` out to have it found from the header";
    let with_delimiter = |delimiter: &str| {
        format!(
            "{}[data]\npath = \"t.csv\"\ndelimiter = {delimiter}\n",
            "[columns]\nx.kind = \"date\"\n[cluster]\nclusters = 2\n"
        )
    };
    for delimiter in ["\"\"", "\";;\"", "\"é\""] {
        assert_refused(
            &with_delimiter(delimiter),
            &format!("pleiad.toml:7:13: the delimiter must be one ASCII character\n{hint}"),
        );
    }
    for delimiter in ["'\"'", "\"\\n\""] {
        assert_refused(
            &with_delimiter(delimiter),
            "pleiad.toml:7:13: quotes and line ends have another meaning in a CSV file",
        );
    }
}

#[test]
fn the_person_must_be_an_identifier() {
    let with_person = |person: &str| {
        format!(
            "[data]\npath = \"t.csv\"\nperson = \"{person}\"\n[columns]\nage = {{ kind = \"numeric\", role = \"quasi\" }}\n\
             [cluster]\nclusters = 2\n"
        )
    };
    assert_refused(
        &with_person("age"),
        "pleiad.toml:3:10: `age` says whom a row is about, and its role is quasi\n\
         hint: describe it by `{ role = \"identifier\" }`: it must not be published",
    );
    assert_refused(
        &with_person(""),
        "pleiad.toml:3:10: the name of the person's column is empty",
    );
    let spec = parse(&with_person("patient")).unwrap();
    let last = spec.plan.columns.last().unwrap();
    assert_eq!(
        (last.name.as_str(), last.role),
        ("patient", Role::Identifier)
    );
}

#[test]
fn a_file_that_is_no_text_or_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pleiad.toml");
    assert_eq!(Spec::read(&path).unwrap_err().kind(), ErrorKind::System);
    fs::write(&path, b"[data]\npath = \"\xff\"\n").unwrap();
    let error = Spec::read(&path).unwrap_err();
    assert_eq!(error.message(), "the spec is not UTF-8 text");
    let place = error.place().unwrap();
    assert_eq!((place.line, place.column), (Some(2), Some(9)));
}

#[test]
fn the_checked_in_schema_is_fresh() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/reference/pleiad.schema.json"
    );
    let schema = json_schema();
    if std::env::var_os("PLEIAD_UPDATE").is_some_and(|value| value == "1") {
        fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
        fs::write(path, &schema).unwrap();
    }
    let checked_in = fs::read_to_string(path).unwrap_or_default();
    assert!(
        checked_in == schema,
        "docs/reference/pleiad.schema.json is stale: refresh it with `PLEIAD_UPDATE=1 cargo test -p pleiad --lib spec`"
    );
}

#[test]
fn the_schema_describes_every_key() {
    let schema: serde_json::Value = serde_json::from_str(&json_schema()).unwrap();
    let column = &schema["properties"]["columns"]["additionalProperties"];
    for section in [
        &schema,
        &schema["properties"]["data"],
        &schema["properties"]["cluster"],
        &schema["properties"]["protect"],
        &schema["properties"]["recipient"],
        column,
    ] {
        assert_eq!(section["additionalProperties"], false);
        let keys = section["properties"].as_object().unwrap();
        assert!(!keys.is_empty());
        for (key, about) in keys {
            assert!(
                about["description"].is_string(),
                "`{key}` has no description"
            );
            assert!(
                !about.to_string().contains("null"),
                "`{key}` may be null, which TOML does not know"
            );
        }
    }
}

/// Pieces that specs are made of, so that mutations reach the checks and not only the parser.
const PIECES: [&str; 29] = [
    "",
    "\"",
    "=",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\n",
    "[data]\n",
    "[columns]\n",
    "[cluster]\n",
    "[protect]\n",
    "[[protect.anonymity]]\n",
    "anonymity",
    "kind",
    "role",
    "bounds",
    "\"set\"",
    "\"date\"",
    "\"numeric\"",
    "\"\"",
    "-1",
    "0",
    "1e308",
    "nan",
    "true",
    "2000-01-01",
    "é",
];

/// Whatever comes out, it is a spec without a bad value, or an error that can be shown.
fn survives(text: &str, path: &Path) -> std::result::Result<(), TestCaseError> {
    match Spec::parse(text, path) {
        Ok(spec) => {
            prop_assert!(spec.cluster.clusters >= 2 && spec.cluster.restarts >= 1);
            prop_assert!(spec.plan.columns.iter().any(|column| column.kind.is_some()));
            prop_assert!(spec.plan.columns.iter().all(|column| column.weight > 0.0));
            if let Some(protect) = spec.refinement() {
                prop_assert!(!protect.anonymity.is_empty());
                let are_groups = |requirement: &AnonymitySpec| {
                    requirement.at_least >= 2 && !requirement.columns.is_empty()
                };
                prop_assert!(protect.anonymity.iter().all(are_groups));
                for column in &spec.plan.columns {
                    let is_masked = protect
                        .anonymity
                        .iter()
                        .any(|requirement| requirement.columns.contains(&column.name));
                    prop_assert_eq!(is_masked, column.role == Role::Quasi);
                }
            }
        }
        Err(error) => {
            prop_assert!(matches!(error.kind(), ErrorKind::Spec | ErrorKind::System));
            prop_assert!(!error.message().is_empty());
            let place = error.place().expect("an error about a file says where");
            if let Some(span) = &place.span {
                prop_assert!(span.start <= span.end && span.end <= text.len());
            }
        }
    }
    Ok(())
}

#[test]
fn no_mutation_of_a_spec_makes_it_panic() {
    let folder = folder();
    let path = folder.path().join("pleiad.toml");
    assert!(Spec::parse(DESIGN_EXAMPLE, &path).is_ok());
    let mutation = (
        any::<prop::sample::Index>(),
        0_usize..12,
        prop::sample::select(&PIECES[..]),
    );
    proptest!(ProptestConfig::with_cases(2000), |(mutations in prop::collection::vec(mutation, 1..4))| {
        let mut letters: Vec<char> = DESIGN_EXAMPLE.chars().collect();
        for (at, length, piece) in mutations {
            let start = at.index(letters.len());
            let end = (start + length).min(letters.len());
            letters.splice(start..end, piece.chars());
        }
        survives(&letters.into_iter().collect::<String>(), &path)?;
    });
}

proptest! {
    #[test]
    fn no_column_makes_it_panic(
        kind in prop::sample::select(&["numeric", "date", "categorical", "set"][..]),
        key in prop::sample::select(&["bounds", "step", "values", "separator", "weight", "from"][..]),
        values in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..3),
        number in any::<f64>(),
        low in any::<f64>(),
        high in any::<f64>(),
    ) {
        let path = Path::new("pleiad.toml");
        let values = values.join(", ");
        survives(&with_columns(&format!("x = {{ kind = \"{kind}\", {key} = [{values}] }}")), path)?;
        survives(&with_columns(&format!("x = {{ kind = \"{kind}\", {key} = {number:e} }}")), path)?;
        let bounds = format!("bounds = [{low:e}, {high:e}], step = {number:e}");
        survives(&with_columns(&format!("x = {{ kind = \"{kind}\", {bounds} }}")), path)?;
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes), Path::new("pleiad.toml"))?;
    }

    #[test]
    fn no_letters_make_it_panic(text in "(\\[|\\]|\\{|\\}|=|\"|'|\\.|,|\n|[a-z0-9é_-]){0,60}") {
        survives(&text, Path::new("pleiad.toml"))?;
    }
}
