//! `[protect]` and `[recipient]`.

use super::*;

const COLUMNS: &str = r#"patient = { role = "identifier" }
name = { role = "identifier" }
zip = { kind = "categorical", role = "quasi", values = ["8001", "9000"] }
sex = { kind = "categorical", role = "quasi", values = ["F", "M"] }
drug = { kind = "categorical", role = "sensitive" }
ward = { kind = "categorical" }"#;

/// `[columns]` starts on line 7, and what is under `[protect]` on line 14.
fn with_protect(protect: &str) -> String {
    format!(
        "[data]\npath = \"t.csv\"\nperson = \"patient\"\n[cluster]\nclusters = 2\n[columns]\n{COLUMNS}\n[protect]\n{protect}\n"
    )
}

#[track_caller]
fn assert_protect_refused(protect: &str, message: &str) {
    assert_refused(&with_protect(protect), &format!("pleiad.toml:{message}"));
}

/// One quasi column `x` on line 7, under one requirement for all.
#[track_caller]
fn assert_quasi_refused(keys: &str, message: &str) {
    assert_refused(
        &with_columns(&format!(
            "x = {{ role = \"quasi\", {keys} }}\n[protect]\nanonymity = 5"
        )),
        &format!("pleiad.toml:7:1: {message}"),
    );
}

fn requirement(columns: &[&str], at_least: u32) -> AnonymitySpec {
    AnonymitySpec {
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        at_least,
    }
}

#[test]
fn one_number_is_for_all_quasi_columns() {
    let spec = parse(&with_protect("anonymity = 5")).unwrap();
    assert_eq!(
        spec.protect,
        Some(ProtectSpec::Refine(RefineSpec {
            anonymity: vec![requirement(&["zip", "sex"], 5)],
            positions: Positions::Table,
            score: Score::Cluster,
            seed: 0,
        }))
    );
    let least = parse(&with_protect("anonymity = 2")).unwrap();
    assert_eq!(least.refinement().unwrap().anonymity[0].at_least, 2);
    let most = parse(&with_protect("anonymity = 4294967295")).unwrap();
    assert_eq!(most.refinement().unwrap().anonymity[0].at_least, u32::MAX);
}

#[test]
fn every_key_of_the_protection_arrives() {
    let spec = parse(&with_protect(
        r#"method = "refine"
        positions = "group"
        score = "distortion"
        seed = 18446744073709551615
        [[protect.anonymity]]
        columns = ["sex", "zip"]
        at_least = 4
        [[protect.anonymity]]
        columns = ["zip"]
        at_least = 11"#,
    ))
    .unwrap();
    assert_eq!(
        spec.protect,
        Some(ProtectSpec::Refine(RefineSpec {
            anonymity: vec![requirement(&["sex", "zip"], 4), requirement(&["zip"], 11)],
            positions: Positions::Group,
            score: Score::Distortion,
            seed: u64::MAX,
        }))
    );
    let uniform = parse(&with_protect("anonymity = 5\npositions = \"uniform\"")).unwrap();
    assert_eq!(uniform.refinement().unwrap().positions, Positions::Uniform);
}

#[test]
fn requirements_may_be_equal_or_stand_in_a_list() {
    let same = "{ columns = [\"zip\", \"sex\"], at_least = 4 }";
    let spec = parse(&with_protect(&format!("anonymity = [{same}, {same}]"))).unwrap();
    let expected = requirement(&["zip", "sex"], 4);
    assert_eq!(
        spec.refinement().unwrap().anonymity,
        [expected.clone(), expected]
    );
}

#[test]
fn a_table_that_is_only_clustered_needs_no_protection() {
    let spec = parse(&with_columns(
        "x = { kind = \"numeric\", role = \"quasi\" }",
    ))
    .unwrap();
    assert_eq!(spec.protect, None);
}

#[test]
fn the_recipient_clusters_as_the_owner_unless_said_otherwise() {
    let recipient = |owner: &str, section: &str| {
        let columns = format!("x.kind = \"date\"\n[recipient]\n{section}");
        let text = with_columns(&columns).replace("[cluster]\n", &format!("[cluster]\n{owner}\n"));
        parse(&text).unwrap().recipient
    };
    let without = parse(&with_columns("x.kind = \"date\"")).unwrap();
    assert_eq!(without.recipient, Algorithm::KMeans);
    let bisecting = "algorithm = \"bisecting\"";
    assert_eq!(recipient(bisecting, ""), Algorithm::Bisecting);
    assert_eq!(recipient("", bisecting), Algorithm::Bisecting);
    assert_eq!(
        recipient(bisecting, "algorithm = \"kmeans\""),
        Algorithm::KMeans
    );
}

#[test]
fn unknown_names_in_the_protection_are_refused_with_the_nearest() {
    assert_protect_refused(
        "anonimity = 5",
        "14:1: unknown key `anonimity`\nhint: did you mean `anonymity`?",
    );
    assert_protect_refused(
        "k = 5",
        "14:1: unknown key `k`\n\
         hint: known are `method`, `anonymity`, `positions`, `score`, `seed`, `epsilon`, `population`, `ledger`, `rows`, `tune`",
    );
    assert_protect_refused(
        "[[protect.anonymity]]\nat_lest = 4",
        "15:1: unknown key `at_lest`\nhint: did you mean `at_least`?",
    );
    assert_protect_refused(
        "method = \"magic\"",
        "14:10: `magic` is not known here\nhint: known are `refine`, `mosaic`",
    );
    assert_protect_refused(
        "positions = \"tables\"",
        "14:13: `tables` is not known here\nhint: did you mean `table`?",
    );
    assert_protect_refused(
        "score = \"gain\"",
        "14:9: `gain` is not known here\nhint: known are `cluster`, `distortion`",
    );
    assert_protect_refused(
        "[recipient]\nalgorithm = \"k-means\"",
        "15:13: `k-means` is not known here\nhint: did you mean `kmeans`?",
    );
    assert_protect_refused(
        "[recipient]\nclusters = 3",
        "15:1: unknown key `clusters`\nhint: known are `algorithm`",
    );
}

#[test]
fn wrong_types_in_the_protection_are_named() {
    let number_or_sections =
        "expected a whole number such as `5`, or sections [[protect.anonymity]]";
    for (value, found) in [
        ("\"5\"", "string \"5\""),
        ("2.5", "floating point `2.5`"),
        ("-5", "integer `-5`"),
        ("true", "boolean `true`"),
        ("{ columns = [\"zip\"], at_least = 4 }", "map"),
    ] {
        assert_protect_refused(
            &format!("anonymity = {value}"),
            &format!("14:13: {number_or_sections}, found {found}"),
        );
    }
    assert_protect_refused(
        "[protect.anonymity]\ncolumns = [\"zip\"]",
        &format!("14:1: {number_or_sections}, found map"),
    );
    let requirement = "expected a table such as `{ columns = [\"zip\", \"sex\"], at_least = 4 }`";
    assert_protect_refused(
        "anonymity = [5]",
        &format!("14:14: {requirement}, found integer `5`"),
    );
    let whole = "expected a whole number that is not negative";
    for (keys, message) in [
        (
            "columns = \"zip\"",
            "15:11: expected a list in [ ], found string \"zip\"",
        ),
        (
            "columns = [\"zip\", 1]",
            "15:19: expected text in quotes, found integer `1`",
        ),
        (
            "at_least = \"4\"",
            &format!("15:12: {whole}, found string \"4\""),
        ),
        (
            "at_least = -4",
            &format!("15:12: {whole}, found integer `-4`"),
        ),
        (
            "at_least = 2.5",
            &format!("15:12: {whole}, found floating point `2.5`"),
        ),
    ] {
        assert_protect_refused(&format!("[[protect.anonymity]]\n{keys}"), message);
    }
    assert_refused(
        "protect = 5",
        "pleiad.toml:1:11: expected a section [protect], found integer `5`",
    );
    assert_refused(
        "recipient = \"kmeans\"",
        "pleiad.toml:1:13: expected a section [recipient], found string \"kmeans\"",
    );
}

#[test]
fn a_protection_without_a_promise_is_refused() {
    assert_protect_refused(
        "method = \"refine\"",
        "13:1: [protect] has no `anonymity`: how many people must look alike\n\
         hint: add `anonymity = 5`, or a section [[protect.anonymity]] for each set of columns",
    );
    assert_protect_refused(
        "anonymity = []",
        "14:13: `anonymity` lists no requirement\n\
         hint: say `anonymity = 5` for all quasi columns together",
    );
    assert_protect_refused(
        "[[protect.anonymity]]\nat_least = 4",
        "14:1: a requirement has no `columns`\n\
         hint: add those by which a person could be looked up, such as `columns = [\"zip\", \"sex\"]`",
    );
    assert_protect_refused(
        "[[protect.anonymity]]\ncolumns = [\"zip\"]",
        "14:1: a requirement has no `at_least`: how many people must look alike\n\
         hint: add one, such as `at_least = 5`",
    );
    assert_protect_refused(
        "[[protect.anonymity]]\ncolumns = []\nat_least = 4",
        "15:11: `columns` names no column\n\
         hint: name those by which a person could be looked up, or leave the requirement out",
    );
    assert_refused(
        &with_columns("x = { kind = \"date\" }\n[protect]\nanonymity = 5"),
        "pleiad.toml:9:13: no column is quasi: there is nothing to mask\n\
         hint: give `role = \"quasi\"` to the columns by which a person could be looked up",
    );
}

#[test]
fn a_group_is_two_people_or_more() {
    let hint = "hint: 5 is a usual choice; the more people look alike, the safer each of them is";
    for people in [0, 1] {
        assert_protect_refused(
            &format!("anonymity = {people}"),
            &format!("14:13: `anonymity` must be at least 2: one person alone is no group\n{hint}"),
        );
        assert_protect_refused(
            &format!("[[protect.anonymity]]\ncolumns = [\"zip\", \"sex\"]\nat_least = {people}"),
            &format!("16:12: `at_least` must be at least 2: one person alone is no group\n{hint}"),
        );
    }
    assert_protect_refused(
        "anonymity = 4294967296",
        "14:13: `anonymity` must be at most 4294967295\n\
         hint: no more people can be asked for than the table has",
    );
}

#[test]
fn requirements_name_quasi_columns_once() {
    let refused = |columns: &str, message: &str| {
        assert_protect_refused(
            &format!("[[protect.anonymity]]\ncolumns = [{columns}]\nat_least = 4"),
            &format!("15:{message}"),
        );
    };
    refused(
        "\"zip\", \"sexx\"",
        "19: unknown column `sexx`\nhint: did you mean `sex`?",
    );
    refused(
        "\"height\"",
        "12: unknown column `height`\nhint: name columns as [columns] does",
    );
    refused(
        "\"zip\", \"sex\", \"zip\"",
        "26: the column `zip` is named twice\nhint: name each column of a requirement once",
    );
    let masked = "hint: give it `role = \"quasi\"` in [columns] to have it masked";
    let never = "hint: leave it out here: an identifier is never published";
    let only = "only quasi columns are masked, and the role of";
    refused(
        "\"zip\", \"drug\"",
        &format!("19: {only} `drug` is sensitive\n{masked}"),
    );
    refused(
        "\"zip\", \"ward\"",
        &format!("19: {only} `ward` is plain\n{masked}"),
    );
    refused(
        "\"name\"",
        &format!("12: {only} `name` is identifier\n{never}\n{masked}"),
    );
    refused(
        "\"patient\"",
        &format!("12: {only} `patient` is identifier\n{never}"),
    );
}

#[test]
fn every_quasi_column_is_in_a_requirement() {
    assert_protect_refused(
        "[[protect.anonymity]]\ncolumns = [\"zip\"]\nat_least = 4",
        "10:1: the quasi column `sex` is in no requirement: it would be published as it is\n\
         hint: name it in a [[protect.anonymity]], or give it another role",
    );
}

#[test]
fn the_domain_of_a_masked_column_is_written_down() {
    let states = "a release states what the values of `x` can be, and";
    let bounds =
        "bounds taken from the data would tell the least and the greatest value of a person";
    let values = "values taken from the data would tell the rare value of a person";
    for (keys, message) in [
        (
            "kind = \"numeric\", step = 1",
            format!("{states} {bounds}\nhint: write `bounds` as public knowledge"),
        ),
        (
            "kind = \"date\", from = \"data\"",
            format!(
                "{states} {bounds}\nhint: write `bounds` as public knowledge, and take the mark `from = \"data\"` away"
            ),
        ),
        (
            "kind = \"categorical\"",
            format!("{states} {values}\nhint: write `values` or a `taxonomy` as public knowledge"),
        ),
        (
            "kind = \"set\"",
            format!("{states} {values}\nhint: write `values` or a `taxonomy` as public knowledge"),
        ),
    ] {
        assert_quasi_refused(keys, &message);
    }
}

#[test]
fn a_drafted_domain_that_is_written_down_passes_with_its_mark() {
    for keys in [
        "kind = \"numeric\", bounds = [0, 9]",
        "kind = \"categorical\", values = [\"a\"]",
        "kind = \"set\", values = [\"a\"]",
    ] {
        let columns = format!(
            "x = {{ role = \"quasi\", {keys}, from = \"data\" }}\n[protect]\nanonymity = 5"
        );
        let spec = parse(&with_columns(&columns)).unwrap();
        assert!(spec.plan.columns[0].domain_from_data);
        assert_eq!(
            spec.refinement().unwrap().anonymity,
            [requirement(&["x"], 5)]
        );
    }
}

#[test]
fn errors_of_columns_and_clusters_come_before_those_of_the_protection() {
    let text = with_columns("x = { kind = \"date\", weight = 0 }\n[protect]");
    assert_refused(
        &text,
        "pleiad.toml:7:31: the weight must be a finite number above 0",
    );
    assert_refused(
        &text
            .replace(", weight = 0", "")
            .replace("clusters = 2", "clusters = 1"),
        "pleiad.toml:5:12: there must be at least 2 clusters",
    );
}

#[test]
fn the_schema_knows_both_forms_of_anonymity() {
    let schema: serde_json::Value = serde_json::from_str(&json_schema()).unwrap();
    let protect = &schema["properties"]["protect"];
    let forms = protect["properties"]["anonymity"]["anyOf"]
        .as_array()
        .unwrap();
    let [together, several] = forms.as_slice() else {
        panic!("two forms");
    };
    assert_eq!(
        (&together["type"], &together["minimum"]),
        (&"integer".into(), &2.into())
    );
    assert_eq!(
        (&several["type"], &several["minItems"]),
        (&"array".into(), &1.into())
    );
    assert_eq!(
        several["items"]["required"],
        serde_json::json!(["columns", "at_least"])
    );
    assert_eq!(several["items"]["additionalProperties"], false);
}
