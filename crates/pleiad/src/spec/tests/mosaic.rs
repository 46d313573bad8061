//! `[protect]` with `method = "mosaic"`: everything that makes a private release void is refused by the spec alone.

use super::*;

const COLUMNS: &str = r#"age = { kind = "numeric", bounds = [0, 120], step = 1 }
sex = { kind = "categorical", values = ["F", "M"], role = "quasi" }"#;

fn with_mosaic(columns: &str, keys: &str) -> String {
    with_columns(&format!(
        "{columns}\n[protect]\nmethod = \"mosaic\"\n{keys}\n"
    ))
}

const SPENDS: &str = "epsilon = 1\npopulation = \"patients\"";

#[track_caller]
fn assert_mosaic_refused(columns: &str, keys: &str, message: &str) {
    assert_refused(
        &with_mosaic(columns, keys),
        &format!("pleiad.toml:{message}"),
    );
}

fn mosaic(keys: &str) -> MosaicSpec {
    match parse(&with_mosaic(COLUMNS, keys)).unwrap().protect {
        Some(ProtectSpec::Mosaic(mosaic)) => mosaic,
        other => panic!("{other:?}"),
    }
}

#[test]
fn amounts_are_exactly_what_was_written() {
    for (written, exact) in [
        ("1", "1"),
        ("0.1", "0.1"),
        ("\"0.1\"", "0.1"),
        ("'1/3'", "1/3"),
        ("1e-3", "0.001"),
    ] {
        let spec = mosaic(&format!("epsilon = {written}\npopulation = \"patients\""));
        let expected: Epsilon<AddRemove> = exact.parse().unwrap();
        assert_eq!(spec.epsilon, expected, "{written}");
    }
}

#[test]
fn every_key_arrives() {
    let spec = mosaic(&format!(
        "{SPENDS}\nledger = \"books/people.ledger\"\nrows = 500\ntune = true"
    ));
    assert_eq!(spec.population, "patients");
    assert!(spec.ledger.ends_with("books/people.ledger"));
    assert_eq!((spec.rows, spec.tune), (Some(500), true));
    let spec = mosaic(SPENDS);
    assert!(spec.ledger.ends_with("pleiad.ledger"));
    assert_eq!((spec.rows, spec.tune), (None, false));
}

#[test]
fn what_it_costs_and_who_pays_must_be_said() {
    assert_mosaic_refused(
        COLUMNS,
        "population = \"patients\"",
        "9:1: [protect] has no `epsilon`: how much the release may cost\nhint: add `epsilon = 1`; the smaller, the less it tells about anybody",
    );
    assert_mosaic_refused(
        COLUMNS,
        "epsilon = 1",
        "9:1: [protect] has no `population`: releases about the same people add up, so they are paid from one budget\nhint: add a name such as `population = \"patients\"`, and declare it once: `pleiad ledger declare patients --epsilon 2`",
    );
    assert_mosaic_refused(
        COLUMNS,
        "epsilon = 0\npopulation = \"patients\"",
        "11:11: `epsilon` must be more than 0\nhint: with nothing to spend nothing can be told",
    );
    assert_mosaic_refused(
        COLUMNS,
        "epsilon = -1\npopulation = \"patients\"",
        "11:11: `-1` is negative",
    );
    assert_mosaic_refused(
        COLUMNS,
        "epsilon = true\npopulation = \"patients\"",
        "11:11: expected an amount such as `0.5`, found boolean `true`",
    );
    assert_mosaic_refused(
        COLUMNS,
        &format!("{SPENDS}\nrows = 0"),
        "13:8: `rows` must be from 1 to 4294967295",
    );
}

#[test]
fn a_seed_is_refused() {
    assert_mosaic_refused(
        COLUMNS,
        &format!("{SPENDS}\nseed = 7"),
        "13:8: a private release has no `seed`: noise that can be repeated can be taken off again\nhint: leave it out: the noise comes from the operating system",
    );
}

#[test]
fn keys_of_another_method_are_refused() {
    assert_mosaic_refused(
        COLUMNS,
        &format!("{SPENDS}\nanonymity = 5"),
        "13:13: the method `mosaic` has no `anonymity`\nhint: its promise is differential privacy, and `epsilon` says how strong it is",
    );
    assert_refused(
        &with_columns(&format!("{COLUMNS}\n[protect]\nanonymity = 5\nepsilon = 1")),
        "pleiad.toml:11:11: the method `refine` has no `epsilon`\nhint: say `method = \"mosaic\"` for differential privacy",
    );
}

#[test]
fn domains_that_only_the_rows_could_tell_are_refused_whatever_the_role() {
    let tells = "a private release takes nothing for granted that only the rows could tell, and";
    for (column, message) in [
        (
            "x = { kind = \"numeric\" }",
            format!("7:1: {tells} bounds taken from the data would tell the least and the greatest value of a person\nhint: write `bounds` of `x` as anybody could without seeing the table"),
        ),
        (
            "x = { kind = \"set\", role = \"sensitive\" }",
            format!("7:1: {tells} values taken from the data would tell the rare value of a person\nhint: write `values` or a `taxonomy` of `x` as anybody could without seeing the table"),
        ),
        (
            "x = { kind = \"numeric\", bounds = [0, 9], from = \"data\" }",
            "7:49: the values of `x` come from the data: what is possible there would tell who is there\nhint: write down what is public knowledge, as anybody could without seeing the table, and take this mark away".to_owned(),
        ),
    ] {
        assert_mosaic_refused(column, SPENDS, &message);
    }
}
