//! What bad input gets: one clear message each, and never a cell.

use super::*;
use crate::error::Kind as Who;

fn two_columns() -> Plan {
    plan([
        column("age", grid(0.0, 120.0, 1.0)),
        column("sex", listed(&["f", "m"])),
    ])
}

fn refusal(text: &str, plan: &Plan) -> String {
    shown(&read_text(text, plan).unwrap_err())
}

#[test]
fn the_header_must_be_the_plans() {
    let unknown = read_text("agee,sex\n1,f\n", &two_columns()).unwrap_err();
    assert_eq!(unknown.kind(), Who::Spec);
    assert!(
        unknown
            .message()
            .starts_with("the spec names a column `age` that ")
    );
    assert!(unknown.message().ends_with("table.csv does not have"));
    assert_eq!(unknown.hints(), ["did you mean `agee`?"]);
    let from_spec = Plan {
        source: Some("pleiad.toml".into()),
        ..two_columns()
    };
    let unknown = read_text("years,sex\n1,f\n", &from_spec).unwrap_err();
    assert_eq!(
        unknown.place().unwrap().file.as_deref(),
        Some(Path::new("pleiad.toml"))
    );
    assert_eq!(unknown.hints(), [] as [&str; 0]);

    assert_eq!(
        refusal("age,sex,full name\n1,f,x\n", &two_columns()),
        "table.csv:1: the file has a column `full name` that the spec does not name\n\
         hint: describe it under [columns], or leave it out with `\"full name\" = { role = \"identifier\" }`"
    );
    assert_eq!(
        refusal("\n\nage,sex,zip\n1,f,x\n", &two_columns()),
        "table.csv:3: the file has a column `zip` that the spec does not name\n\
         hint: describe it under [columns], or leave it out with `zip = { role = \"identifier\" }`"
    );
    assert_eq!(
        refusal("age,sex,age\n1,f,1\n", &two_columns()),
        "table.csv:1: columns 1 and 3 of the header have the same name\n\
         hint: the first line of the file must name the columns"
    );
    assert_eq!(
        refusal("age,,sex\n1,f,1\n", &two_columns()),
        "table.csv:1: column 2 of the header has no name"
    );
    let file = file("table.csv", b"age,sex,age\n1,f,1\n");
    let error = infer_plan(&file.path, &Silent).unwrap_err();
    assert_eq!(
        shown(&error),
        "table.csv:1: columns 1 and 3 of the header have the same name\n\
         hint: the first line of the file must name the columns"
    );
}

#[test]
fn a_ragged_row_is_told_by_its_line() {
    let hint = "hint: a field that contains the delimiter must stand in double quotes";
    for (text, line, fields) in [
        ("age,sex\n1,f\n2,m,3\n", 3, "3 fields"),
        ("age,sex\n1,f\n2\n", 3, "1 field"),
        ("age,sex\r\n1,f\r\n2,m,3\r\n", 3, "3 fields"),
        ("age,sex\r\n\r\n1,f\r\n\r\n\r\n2,m,3\r\n", 6, "3 fields"),
        ("\u{feff}age,sex\n\"1\",\"f\"\n\n2,m,,\n", 4, "4 fields"),
        ("age,sex\n1,\"f\n\n\"\n2,m,3\n", 5, "3 fields"),
    ] {
        let expected =
            format!("table.csv:{line}: this row has {fields}, the header has 2 fields\n{hint}");
        assert_eq!(refusal(text, &two_columns()), expected, "{text:?}");
        let compressed =
            read_bytes("table.csv", &gzipped(text.as_bytes()), &two_columns()).unwrap_err();
        assert_eq!(shown(&compressed), expected, "{text:?}");
    }
}

#[test]
fn an_open_quote_does_not_swallow_the_rest() {
    let columns = || plan([column("age", free_numbers()), identifier("name")]);
    for text in [
        "age,name\n1,x\n2,\"y\n3,z\n4,w\n",
        "age,name\n1,x\n2,\"y",
        "age,name\r\n1,x\r\n\"2,y\r\n",
    ] {
        assert_eq!(
            refusal(text, &columns()),
            "table.csv:3: this row has a double quote that is never closed"
        );
    }
    assert_eq!(
        refusal("age,\"name\n1,x\n", &columns()),
        "table.csv:1: this row has a double quote that is never closed"
    );
}

#[test]
fn a_file_needs_a_header_and_rows() {
    for text in ["", "\n", "\r\n\r\n", "\u{feff}"] {
        assert_eq!(
            refusal(text, &two_columns()),
            "table.csv: the file is empty",
            "{text:?}"
        );
        let empty = file("table.csv", text.as_bytes());
        assert_eq!(
            shown(&infer_plan(&empty.path, &Silent).unwrap_err()),
            "table.csv: the file is empty"
        );
    }
    let empty = read_bytes("table.csv.gz", &gzipped(b""), &two_columns()).unwrap_err();
    assert_eq!(shown(&empty), "table.csv.gz: the file is empty");
    for text in ["age,sex", "age,sex\n", "age,sex\r\n\r\n"] {
        assert_eq!(
            refusal(text, &two_columns()),
            "table.csv: the table has no rows",
            "{text:?}"
        );
    }
    let header_only = file("table.csv", b"age,sex\n");
    assert_eq!(
        shown(&infer_plan(&header_only.path, &Silent).unwrap_err()),
        "table.csv: the table has no values"
    );
    let all_identifiers = plan([identifier("age"), identifier("sex")]);
    assert_eq!(
        refusal("age,sex\n1,f\n", &all_identifiers),
        "no column is left to read: all are identifiers"
    );
}

#[test]
fn text_must_be_utf_8() {
    let hint = "hint: save the file as UTF-8";
    let error =
        read_bytes("table.csv", b"age,sex\n1,f\n2,\xe9t\xe9\n", &two_columns()).unwrap_err();
    assert_eq!(
        shown(&error),
        format!("table.csv: column `sex` is not UTF-8 text in 1 row, first on line 3\n{hint}")
    );
    let error = read_bytes("table.csv", b"ag\xe9,sex\n1,f\n", &two_columns()).unwrap_err();
    assert_eq!(
        shown(&error),
        format!("table.csv:1: the header is not UTF-8 text\n{hint}")
    );
    let utf_16: Vec<u8> = "\u{feff}age,sex\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let error = read_bytes("table.csv", &utf_16, &two_columns()).unwrap_err();
    assert_eq!(
        shown(&error),
        format!("table.csv:1: the header is not UTF-8 text\n{hint}")
    );
}

#[test]
fn cells_that_do_not_fit_are_counted() {
    let missing_hint = "hint: if the field means \"no value\", add it to `missing` under [data]";
    assert_eq!(
        refusal("age,sex\r\n1,f\r\nold,m\r\nolder,m\r\n", &two_columns()),
        format!(
            "table.csv: column `age` is not a finite number in 2 rows, first on line 3\n{missing_hint}"
        )
    );
    assert_eq!(
        refusal("age,sex\n1,f\ninf,m\n", &two_columns()),
        format!(
            "table.csv: column `age` is not a finite number in 1 row, first on line 3\n{missing_hint}"
        )
    );
    assert_eq!(
        refusal("age,sex\n-1,f\n121,m\n7,m\n", &two_columns()),
        "table.csv: column `age` is outside its bounds in 2 rows, first on line 2\n\
         hint: widen `bounds`, or correct the rows"
    );
    assert_eq!(
        refusal("age,sex\n1,f\n7.25,m\n", &two_columns()),
        "table.csv: column `age` is between two steps of its grid in 1 row, first on line 3\n\
         hint: give a finer `step`, or none"
    );
    let stepped = Kind::Numbers {
        unit: Unit::Number,
        interval: None,
        step: Some(2.0),
    };
    assert_eq!(
        refusal("n\n1\n3\n4\n8\n", &plan([column("n", stepped)])),
        "table.csv: column `n` is not a whole number of steps from its least value in 2 rows\n\
         hint: give a finer `step`, or none"
    );
    assert_eq!(
        refusal("age,sex\n1,f\n?,m\n,?\n", &two_columns()),
        "table.csv: column `age` has no value in 2 rows, first on line 3\n\
         hint: `may_be_missing = true` makes it a value of its own; `incomplete_rows = \"drop\"` under [data] leaves such rows out\n\
         hint: one other column has problems too"
    );
    let three = plan(["a", "b", "c"].map(|name| column(name, free_numbers())));
    assert_eq!(
        refusal("a,b,c\nx,y,z\n", &three),
        format!(
            "table.csv: column `a` is not a finite number in 1 row, first on line 2\n{missing_hint}\nhint: 2 other columns have problems too"
        )
    );
    let far_apart = plan([column("n", free_numbers())]);
    assert_eq!(
        refusal("n\n-1e308\n1e308\n", &far_apart),
        "table.csv: the bounds are too far apart\nhint: this is about column `n`"
    );
}

#[test]
fn words_that_a_release_could_not_tell_from_others_are_refused() {
    let unmarked = |kind| Plan {
        missing: vec!["?".to_owned()],
        ..plan([column("w", kind), column("n", free_numbers())])
    };
    for kind in [free_values(), listed(&["x"])] {
        assert_eq!(
            refusal("w,n\nx,1\n,2\n,3\n", &unmarked(kind.clone())),
            "table.csv: column `w` is empty in 2 rows, first on line 3\n\
             hint: if an empty field means \"no value\", add \"\" to `missing` under [data]"
        );
        assert_eq!(
            refusal("w,n\n*,1\nx,2\n", &unmarked(kind)),
            "table.csv: column `w` says `*` in 1 row, first on line 2\n\
             hint: `*` stands for what is hidden; if it means \"no value\" here, add it to `missing` under [data]"
        );
    }
    for kind in [free_sets(), listed_sets(&["x"])] {
        assert_eq!(
            refusal("w,n\nx,1\nx;none,2\n", &unmarked(kind)),
            "table.csv: column `w` has `none`, the empty set, beside other items in 1 row, first on line 3\n\
             hint: correct the rows"
        );
    }
    let separated = |separator: &str| {
        plan([column(
            "w",
            Kind::Sets {
                tree: None,
                separator: separator.to_owned(),
            },
        )])
    };
    let message = refusal("w\nsecret;\n", &separated(";;"));
    assert_eq!(
        message,
        "table.csv: column `w` has an item that cannot be told from the separator beside it\nhint: choose another `separator`"
    );
    assert_eq!(
        refusal("w\nx\n", &separated("")),
        "the separator of a set-valued column is empty\nhint: this is about column `w`"
    );
    assert_eq!(
        refusal("w\nx\n", &separated("o")),
        "the value `none` contains the separator `o`\nhint: this is about column `w`"
    );
}

#[test]
fn every_row_needs_a_person() {
    let columns = [identifier("who"), column("n", free_numbers())];
    let people = Plan {
        person: Some("who".to_owned()),
        ..plan(columns)
    };
    assert_eq!(
        refusal("who,n\nann,1\n?,2\n,3\n", &people),
        "table.csv: `who` says whom a row is about, and is missing, first on line 3"
    );
    let dropping = Plan {
        incomplete_rows: IncompleteRows::Drop,
        ..people.clone()
    };
    assert_eq!(
        read_text("who,n\nann,1\n?,\n", &dropping)
            .unwrap()
            .dropped_rows,
        [2]
    );
    assert_eq!(
        refusal("who,n\nann,1\n?,2\n", &dropping),
        "table.csv: `who` says whom a row is about, and is missing, first on line 3"
    );
    let not_planned = Plan {
        person: Some("whom".to_owned()),
        ..people.clone()
    };
    let error = read_text("who,n\nann,1\n", &not_planned).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("the spec names a column `whom` that ")
    );
    assert_eq!(error.hints(), ["did you mean `who`?"]);
    let read_as_well = Plan {
        columns: vec![column("who", free_values())],
        ..people
    };
    assert_eq!(
        refusal("who\nann\n", &read_as_well),
        "`who` says whom a row is about, so it must be an identifier"
    );
}

#[test]
fn some_row_must_be_left() {
    let dropping = Plan {
        incomplete_rows: IncompleteRows::Drop,
        ..two_columns()
    };
    assert_eq!(
        refusal("age,sex\n?,f\n1,?\n", &dropping),
        "table.csv: every row lacks a value: none is left"
    );
}

#[test]
fn a_path_must_lead_to_a_readable_file() {
    let folder = tempfile::tempdir().unwrap();
    let error = read_table(folder.path(), &two_columns(), &Silent).unwrap_err();
    assert_eq!(
        error.message(),
        format!("{} is a folder, not a table", folder.path().display())
    );
    for name in ["nothing.csv", "nothing.parquet", "nothing.arrow"] {
        let nothing = folder.path().join(name);
        for error in [
            read_table(&nothing, &two_columns(), &Silent).unwrap_err(),
            infer_plan(&nothing, &Silent).unwrap_err(),
        ] {
            assert_eq!(error.kind(), Who::System);
            assert_eq!(
                error.message(),
                format!("cannot open {}", nothing.display())
            );
        }
    }
    for (name, format) in [
        ("t.parquet", "Parquet"),
        ("t.arrow", "Arrow IPC"),
        ("t.feather", "Arrow IPC"),
    ] {
        for bytes in [
            &b""[..],
            b"PAR1",
            b"ARROW1\0\0",
            b"age,sex\n1,f\n",
            &[0xff; 1000],
            b"PAR1\xff\xff\xff\x7fPAR1",
        ] {
            let garbage = file(name, bytes);
            for error in [
                read_table(&garbage.path, &two_columns(), &Silent).unwrap_err(),
                infer_plan(&garbage.path, &Silent).unwrap_err(),
            ] {
                assert_eq!(
                    shown(&error),
                    format!("{name}: this is not a readable {format} file"),
                    "{bytes:?}"
                );
            }
        }
    }
    let mut damaged = gzipped(b"age,sex\n1,f\n");
    damaged.truncate(damaged.len() - 4);
    let error = read_bytes("table.csv.gz", &damaged, &two_columns()).unwrap_err();
    assert_eq!(
        shown(&error),
        "table.csv.gz: this is not a readable gzip file"
    );
}

#[test]
fn a_first_line_without_any_known_name_is_not_shown() {
    let error = refusal("Annabel Miller,34\nf,1\n", &two_columns());
    assert_eq!(
        error,
        "table.csv:1: none of the columns that the spec names is in the first line of table.csv\n\
         hint: the first line must name the columns\n\
         hint: or is `delimiter` under [data] wrong?"
    );
}
