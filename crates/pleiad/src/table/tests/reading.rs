//! Reading text files into coded tables.

use std::fmt::Write as _;

use super::*;

fn ages_and_sexes() -> [ColumnPlan; 2] {
    [
        column("age", grid(0.0, 120.0, 1.0)),
        column("sex", listed(&["f", "m"])),
    ]
}

#[test]
fn the_delimiter_is_found_or_given() {
    let expected = table_of("age,sex\n17,f\n90,m\n", ages_and_sexes());
    assert_eq!(texts(&expected, "age"), ["17", "90"]);
    assert_eq!(texts(&expected, "sex"), ["f", "m"]);
    for delimiter in [',', ';', '\t', '|'] {
        let text = "age,sex\n17,f\n90,m\n".replace(',', &delimiter.to_string());
        assert_eq!(table_of(&text, ages_and_sexes()), expected, "{delimiter:?}");
    }
    let given = Plan {
        delimiter: Some(b'!'),
        ..plan(ages_and_sexes())
    };
    assert_eq!(
        read_text("age!sex\n17!f\n90!m\n", &given).unwrap().table,
        expected
    );
    // Of two that cut equally often the comma is taken; delimiters in quotes do not count.
    let columns = || [column("a;b", free_values()), column("c", free_values())];
    assert_eq!(texts(&table_of("a;b,c\nx,y\n", columns()), "c"), ["y"]);
    assert_eq!(texts(&table_of("\"a;b\",c\nx,y\n", columns()), "c"), ["y"]);
    let columns = || [column("a,b\n,,", free_values()), column("c", free_values())];
    assert_eq!(
        texts(&table_of("\"a,b\n,,\";c\nx;y\n", columns()), "c"),
        ["y"]
    );
}

#[test]
fn quotes_line_ends_and_byte_order_marks_are_no_part_of_the_values() {
    let columns = || {
        [
            column("name", free_values()),
            column("n", grid(0.0, 9.0, 1.0)),
        ]
    };
    let plain = table_of("name,n\nx,1\ny,2\n", columns());
    for text in [
        "name,n\r\nx,1\r\ny,2\r\n",
        "\u{feff}name,n\nx,1\ny,2\n",
        "\u{feff}\"name\",n\nx,\"1\"\n\"y\",2",
        "name,n\n\nx,1\n\n\ny,2\n\n",
        "name,n\rx,1\ry,2\r",
    ] {
        assert_eq!(table_of(text, columns()), plain, "{text:?}");
    }
    let quoted = table_of(
        "name,n\n\"two\nlines, \"\"so\"\"\",1\n\"\",2\n",
        columns().map(optional),
    );
    assert_eq!(texts(&quoted, "name"), ["two\nlines, \"so\"", ""]);
}

#[test]
fn gzip_is_known_by_its_bytes_and_may_have_members() {
    let text = "age,sex\n17,f\n90,m\n";
    let plan = plan(ages_and_sexes());
    let expected = read_text(text, &plan).unwrap().table;
    for name in ["table.csv.gz", "table.csv", "table"] {
        let read = read_bytes(name, &gzipped(text.as_bytes()), &plan).unwrap();
        assert_eq!(read.table, expected);
    }
    // Cut anywhere, even inside the byte-order mark or the header.
    let marked = format!("\u{feff}{text}");
    for cut in 0..=marked.len() {
        let (first, second) = marked.as_bytes().split_at(cut);
        let members = [gzipped(first), gzipped(second)].concat();
        assert_eq!(
            read_bytes("table.csv.gz", &members, &plan).unwrap().table,
            expected
        );
    }
}

#[test]
fn digits_behind_a_zero_are_a_name() {
    let text = "zip,n\n00712,7\n01000,0.5\n";
    let table = table_of(
        text,
        [column("zip", free_values()), column("n", free_numbers())],
    );
    assert_eq!(texts(&table, "zip"), ["00712", "01000"]);
    let file = file("table.csv", text.as_bytes());
    let inferred = infer_plan(&file.path, &Silent).unwrap();
    assert_eq!(inferred.columns[0].kind, Some(free_values()));
    assert_eq!(inferred.columns[1].kind, Some(free_numbers()));
    let table = read_table(&file.path, &inferred, &Silent).unwrap().table;
    assert_eq!(texts(&table, "zip"), ["00712", "01000"]);
    assert_eq!(texts(&table, "n"), ["7", "0.5"]);
}

#[test]
fn kinds_are_guessed_from_all_rows() {
    let mut text = String::from("n,day,word,mixed,gaps,id\n");
    for row in 0..2000 {
        let mixed = if row == 1999 { "x" } else { "1" };
        let gap = if row == 7 { "NA" } else { "2.5" };
        let word = row % 3;
        writeln!(text, "{row},2001-02-03,w{word},{mixed},{gap},person {row}").unwrap();
    }
    let file = file("table.csv", text.as_bytes());
    let plan = infer_plan(&file.path, &Silent).unwrap();
    let kinds: Vec<Option<Kind>> = plan
        .columns
        .iter()
        .map(|column| column.kind.clone())
        .collect();
    let expected = [
        Some(free_numbers()),
        Some(free_days()),
        Some(free_values()),
        Some(free_values()),
        Some(free_numbers()),
        None,
    ];
    assert_eq!(kinds, expected);
    assert_eq!(plan.columns[5].role, Role::Identifier);
    let missing: Vec<bool> = plan
        .columns
        .iter()
        .map(|column| column.may_be_missing)
        .collect();
    assert_eq!(missing, [false, false, false, false, true, false]);
    let table = read_table(&file.path, &plan, &Silent).unwrap().table;
    assert_eq!((table.n_rows(), table.fields().len()), (2000, 5));
    assert_eq!(texts(&table, "gaps")[6..9], ["2.5", "", "2.5"]);
}

#[test]
fn missing_is_a_value_of_its_own_where_the_plan_says() {
    let columns = [
        optional(column("age", grid(0.0, 120.0, 1.0))),
        optional(column("free", free_numbers())),
        optional(column("born", days("1900-01-01", "2026-12-31"))),
        optional(column("sex", listed(&["f", "m"]))),
        optional(column("word", free_values())),
        optional(column("items", listed_sets(&["a", "b"]))),
        optional(column("things", free_sets())),
    ];
    let names = ["age", "free", "born", "sex", "word", "items", "things"];
    let cells = ["17", "2.5", "1999-12-31", "m", "x", "a;b", "c"];
    let table = table_of(
        &format!("{}\n?,,?,,?,,?\n{}\n", names.join(","), cells.join(",")),
        columns,
    );
    for (name, cell) in names.into_iter().zip(cells) {
        assert_eq!(texts(&table, name), ["", cell], "{name}");
        assert!(domain(&table, name).may_be_missing());
        let column = &table.columns()[table.column_of(name).unwrap()];
        let code = column.codes().get(0);
        match (column, domain(&table, name)) {
            (Column::Numbers(_), Domain::Numbers { interval, .. }) => {
                assert_eq!(code, interval.missing());
            }
            (Column::Values(_), Domain::Values(tree)) => {
                assert_eq!(Some(code), tree.taxonomy.missing());
            }
            (Column::Sets(_, sets), Domain::Sets { tree, .. }) => {
                assert_eq!(sets.items(code), [tree.taxonomy.missing().unwrap()]);
            }
            _ => unreachable!("a raw table"),
        }
    }
    assert_eq!(values(&table, "sex"), ["f", "m"]);
    assert_eq!(values(&table, "items"), ["a", "b"]);
}

#[test]
fn a_column_without_any_value_is_all_missing() {
    let columns = [
        optional(column("n", free_numbers())),
        optional(column("w", free_values())),
        optional(column("s", free_sets())),
        optional(column("d", free_days())),
    ];
    let table = table_of("n,w,s,d\n,,,\n?,?,?,?\n", columns);
    for name in ["n", "w", "s", "d"] {
        assert_eq!(texts(&table, name), ["", ""]);
    }
}

#[test]
fn dropped_rows_leave_no_trace() {
    let text = "who,n,w,s,d,k\n\
                ann,900,gone,only here;x,2020-01-01,?\n\
                bob,3,b,y,2001-01-01,1\n\
                cid,4,a,none,2001-01-05,1\n\
                bob,5,b,x,2001-01-03,1\n\
                dee,1,zzz,?,1950-01-01,1\n\
                ?,2,zz,q,1951-01-01,?\n";
    let columns = [
        identifier("who"),
        column("n", free_numbers()),
        column("w", free_values()),
        column("s", free_sets()),
        column("d", free_days()),
        column("k", free_values()),
    ];
    let dropping = Plan {
        incomplete_rows: IncompleteRows::Drop,
        person: Some("who".to_owned()),
        ..plan(columns.clone())
    };
    let reading = read_text(text, &dropping).unwrap();
    assert_eq!(reading.dropped_rows.len(), 3);
    let table = &reading.table;
    let people = table.people().unwrap();
    assert_eq!((&people.of_row[..], people.n_people), (&[0, 1, 0][..], 2));
    assert_eq!(texts(table, "n"), ["3", "4", "5"]);
    assert_eq!(
        (interval(table, "n").low(), interval(table, "n").high()),
        (3.0, 5.0)
    );
    assert_eq!(interval(table, "d").last(), 4);
    assert_eq!(values(table, "w"), ["a", "b"]);
    assert_eq!(values(table, "s"), ["x", "y"]);
    assert_eq!(texts(table, "s"), ["y", "none", "x"]);
    let Column::Sets(_, sets) = &table.columns()[table.column_of("s").unwrap()] else {
        unreachable!("a column of sets");
    };
    assert_eq!(sets.len(), 3);
    let complete: String = text
        .lines()
        .enumerate()
        .filter(|(at, _)| ![1, 5, 6].contains(at))
        .fold(String::new(), |text, (_, line)| text + line + "\n");
    assert_eq!(
        read_text(&complete, &dropping).unwrap().table,
        reading.table
    );
    // A set whose tree is known keeps no trace either.
    let known = Plan {
        columns: vec![
            column("s", listed_sets(&["x", "y"])),
            column("k", listed(&["1"])),
        ],
        person: None,
        ..dropping
    };
    let table = read_text("s,k\nx;y,?\nx,1\n", &known).unwrap().table;
    let Column::Sets(_, sets) = &table.columns()[0] else {
        unreachable!("a column of sets")
    };
    assert_eq!(sets.iter().collect::<Vec<_>>(), [&[0]]);
}

#[test]
fn identifiers_are_not_kept_and_people_are_numbered() {
    let columns = [
        identifier("name"),
        column("n", free_numbers()),
        identifier("ssn"),
    ];
    let text = "name,n,ssn\nann,1,123\nbob,2,456\nann,3,123\n";
    let with_people = Plan {
        person: Some("ssn".to_owned()),
        ..plan(columns.clone())
    };
    let table = read_text(text, &with_people).unwrap().table;
    assert_eq!(table.fields().len(), 1);
    assert_eq!(table.people().unwrap().of_row, [0, 1, 0]);
    assert!(!format!("{table:?}").contains("ann") && !format!("{table:?}").contains("123"));
    assert_eq!(table_of(text, columns).people(), None);
}

#[test]
fn a_set_has_each_item_once_in_any_order() {
    for kind in [free_sets(), listed_sets(&["a", "b", "c d"])] {
        let text = "s\nb;a\na;b;a\n a ;  b \n;a;;b;\nnone\nc d\n; ;\n none ; none \n";
        let table = table_of(text, [column("s", kind)]);
        let written = texts(&table, "s");
        assert_eq!(
            written,
            ["a;b", "a;b", "a;b", "a;b", "none", "c d", "none", "none"]
        );
        let Column::Sets(codes, sets) = &table.columns()[0] else {
            unreachable!("a column of sets")
        };
        assert_eq!(sets.len(), 3);
        let taxonomy = &tree(&table, "s").taxonomy;
        assert_eq!(sets.items(codes.get(4)), [taxonomy.empty_set().unwrap()]);
        assert_eq!(taxonomy.missing(), None);
    }
    // The empty set is not missing, and an empty field is the empty set unless it is a mark for missing.
    let maybe = optional(column("s", free_sets()));
    let only_marked = Plan {
        missing: vec!["?".to_owned()],
        ..plan([maybe.clone()])
    };
    let table = read_text("s\n?\n\"\"\nnone\na\n", &only_marked)
        .unwrap()
        .table;
    assert_eq!(texts(&table, "s"), ["", "none", "none", "a"]);
    let table = table_of("s\n?\n\"\"\nnone\na\n", [maybe]);
    assert_eq!(texts(&table, "s"), ["", "", "none", "a"]);
    // A taxonomy may place the empty set itself.
    let taxonomy = parse_taxonomy(b"none;healthy;*\na;ill;*\n", Path::new("t")).unwrap();
    let kind = Kind::Sets {
        tree: Some((taxonomy, TreeSource::Taxonomy)),
        separator: " | ".to_owned(),
    };
    let table = table_of("s\nnone\na\na | a\n", [column("s", kind)]);
    assert_eq!(texts(&table, "s"), ["none", "a", "a"]);
    assert_eq!(tree(&table, "s").taxonomy.height(), 2);
}

#[test]
fn numbers_are_read_in_every_usual_form() {
    let table = table_of(
        "n\n1e3\n-0.5\n+5\n.5\n5.\n1E2\n-0\n007\n",
        [column("n", free_numbers())],
    );
    assert_eq!(
        texts(&table, "n"),
        ["1000", "-0.5", "5", "0.5", "5", "100", "0", "7"]
    );
    let interval = interval(&table, "n");
    assert_eq!(
        (
            interval.low(),
            interval.high(),
            interval.has_public_bounds()
        ),
        (-0.5, 1000.0, false)
    );
    for wrong in [
        "nan", "NaN", "inf", "-inf", "infinity", "1e999", "\"1,5\"", "1 000", "0x10", "1_000",
        " 1", "--1", "1.2.3", "-", ".",
    ] {
        for kind in [free_numbers(), grid(0.0, 10.0, 1.0)] {
            let error =
                read_text(&format!("n\n1\n{wrong}\n"), &plan([column("n", kind)])).unwrap_err();
            assert_eq!(
                error.message(),
                "column `n` is not a finite number in 1 row, first on line 3",
                "{wrong}"
            );
        }
    }
}

#[test]
fn bounds_from_the_data_hold_a_single_value_of_any_size() {
    for only in [
        "0",
        "-5",
        "1e300",
        "-1.7976931348623157e308",
        "1.7976931348623157e308",
        "9007199254740993",
        "5e-324",
    ] {
        let table = table_of(&format!("n\n{only}\n"), [column("n", free_numbers())]);
        let number: f64 = only.parse().unwrap();
        let written: f64 = texts(&table, "n")[0].parse().unwrap();
        let step = interval(&table, "n").step();
        assert!(
            (written - number).abs() <= step,
            "{only} is written {written}"
        );
    }
    for only in ["0000-01-01", "9999-12-31", "1970-01-01"] {
        assert_eq!(
            texts(
                &table_of(&format!("d\n{only}\n"), [column("d", free_days())]),
                "d"
            ),
            [only]
        );
    }
    for pair in [
        ["0", "5e-324"],
        ["1e300", "-1e300"],
        ["1e15", "1000000000000000.125"],
        ["1", "1.0000000000000002"],
    ] {
        let table = table_of(
            &format!("n\n{}\n{}\n", pair[0], pair[1]),
            [column("n", free_numbers())],
        );
        for (text, cell) in texts(&table, "n").iter().zip(pair) {
            let difference = text.parse::<f64>().unwrap() - cell.parse::<f64>().unwrap();
            assert!(
                difference.abs() <= interval(&table, "n").step(),
                "{cell} is written {text}"
            );
        }
    }
}

#[test]
fn dates_and_steps_make_grids() {
    let columns = [
        column("d", days("1900-01-01", "2026-12-31")),
        column("e", free_days()),
    ];
    let table = table_of(
        "d,e\n1900-01-01,2024-02-29\n2026-12-31,2023-02-28\n",
        columns,
    );
    assert_eq!(texts(&table, "d"), ["1900-01-01", "2026-12-31"]);
    assert_eq!(texts(&table, "e"), ["2024-02-29", "2023-02-28"]);
    assert_eq!(
        (interval(&table, "e").last(), interval(&table, "e").step()),
        (366, 1.0)
    );
    for wrong in [
        "2023-02-29",
        "2023-2-28",
        "28.02.2023",
        "2023-02-28T00:00",
        "2023/02/28",
        "+023-02-28",
        "20230228",
        "éé-02-28",
    ] {
        let error =
            read_text(&format!("e\n{wrong}\n"), &plan([column("e", free_days())])).unwrap_err();
        assert_eq!(
            error.message(),
            "column `e` is not a date (YYYY-MM-DD) in 1 row, first on line 2"
        );
    }
    let stepped = |step| Kind::Numbers {
        unit: Unit::Number,
        interval: None,
        step: Some(step),
    };
    let table = table_of("n\n0.1\n1.1\n0.4\n", [column("n", stepped(0.1))]);
    assert_eq!(interval(&table, "n").last(), 10);
    assert_eq!(texts(&table, "n"), ["0.1", "1.1", "0.4"]);
    let table = table_of("n\n3\n3\n", [column("n", stepped(0.5))]);
    assert_eq!(
        (interval(&table, "n").low(), interval(&table, "n").high()),
        (3.0, 3.5)
    );
    // A grid far from zero is as good as one near it, as far as numbers go.
    let far = grid(1e10, 1e10 + 100.0, 0.1);
    assert_eq!(
        texts(&table_of("n\n10000000000.1\n", [column("n", far)]), "n"),
        ["10000000000.1"]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_the_rows_says_nothing(
        rows in prop::collection::vec((0..50_i32, 0..8_u8, 0..16_u8), 1..30),
        keys in prop::collection::vec(any::<u32>(), 30),
    ) {
        let line = |&(n, w, s): &(i32, u8, u8)| {
            let items: Vec<&str> =
                ["p", "q", "r", "s"].into_iter().enumerate().filter(|(bit, _)| s >> bit & 1 == 1).map(|(_, item)| item).collect();
            let set = if items.is_empty() { "none".to_owned() } else { items.join(";") };
            format!("{n},word {w},{set}\n")
        };
        let columns = || [column("n", free_numbers()), column("w", free_values()), column("s", free_sets())];
        let table_in = |order: &[usize]| {
            let lines: String = order.iter().map(|&row| line(&rows[row])).collect();
            table_of(&format!("n,w,s\n{lines}"), columns())
        };
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let table = table_in(&order);
        order.sort_by_key(|&row| keys[row]);
        let shuffled = table_in(&order);
        let rows: Vec<u32> = order.iter().map(|&row| row as u32).collect();
        prop_assert_eq!(table.select(&rows), shuffled);
    }

    #[test]
    fn a_table_is_read_back_from_the_text_it_was_written_as(
        rows in prop::collection::vec((any::<i16>(), "[a-c\",;\n\r é{}\\\\]{1,6}", 0..4_u8, -20_000..40_000_i32), 1..20),
    ) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["n", "w", "s", "d"]).unwrap();
        for (n, w, s, d) in &rows {
            let day = Interval::new(-30_000.0, 50_000.0, None, Unit::Day, true).unwrap().number_text(f64::from(*d));
            let set = ["none", "x", "y;x", "?"][usize::from(*s)];
            writer.write_record([&format!("{}", f64::from(*n) / 8.0), w, set, &day]).unwrap();
        }
        let plan = plan([
            column("n", free_numbers()),
            column("w", free_values()),
            optional(column("s", free_sets())),
            optional(column("d", free_days())),
        ]);
        let table = read_bytes("raw.csv", &writer.into_inner().unwrap(), &plan).unwrap().table;
        for name in ["out.csv", "out.csv.gz", "out.parquet"] {
            let out = file(name, b"");
            write_table(&out.path, &table, &[]).unwrap();
            prop_assert_eq!(&read_table(&out.path, &plan, &Silent).unwrap().table, &table, "{}", name);
        }
    }
}
