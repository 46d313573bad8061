//! Parquet and Arrow IPC files, and what is written as Parquet.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int64Array,
    LargeStringArray, NullArray, RecordBatch, StringArray, TimestampMicrosecondArray,
    TimestampSecondArray, UInt8Array,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::*;

const DAY: i64 = 86_400;

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap()
}

pub(super) fn parquet_bytes(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

pub(super) fn ipc_bytes(batch: &RecordBatch, stream: bool) -> Vec<u8> {
    if stream {
        let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(batch).unwrap();
        writer.into_inner().unwrap()
    } else {
        let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(batch).unwrap();
        writer.into_inner().unwrap()
    }
}

fn lists(rows: &[Option<&[&str]>]) -> ArrayRef {
    let mut builder = ListBuilder::new(StringBuilder::new());
    for row in rows {
        for item in row.unwrap_or_default() {
            builder.values().append_value(item);
        }
        builder.append(row.is_some());
    }
    Arc::new(builder.finish())
}

/// A column of every type that people keep tables in.
pub(super) fn typed_batch() -> RecordBatch {
    batch(vec![
        (
            "whole",
            Arc::new(Int64Array::from(vec![Some(17), None, Some(90)])),
        ),
        ("small", Arc::new(UInt8Array::from(vec![3, 1, 2]))),
        (
            "real",
            Arc::new(Float64Array::from(vec![0.1, -2.5, 1000.0])),
        ),
        (
            "day",
            Arc::new(Date32Array::from(vec![Some(10_000), Some(-1), None])),
        ),
        (
            "time",
            Arc::new(TimestampSecondArray::from(vec![0, 365 * DAY, -DAY])),
        ),
        (
            "text",
            Arc::new(StringArray::from(vec![
                Some("b, b"),
                Some("?"),
                Some("00712"),
            ])),
        ),
        (
            "large",
            Arc::new(LargeStringArray::from(vec!["x", "y", "x"])),
        ),
        (
            "coded",
            Arc::new(DictionaryArray::<Int32Type>::from_iter([
                Some("f"),
                None,
                Some("m"),
            ])),
        ),
        (
            "flag",
            Arc::new(BooleanArray::from(vec![true, false, true])),
        ),
        ("items", lists(&[Some(&["b", "a", "b"]), Some(&[]), None])),
        (
            "joined",
            Arc::new(StringArray::from(vec!["p;q", "none", "q"])),
        ),
        ("who", Arc::new(Int64Array::from(vec![7, 8, 7]))),
        ("ssn", Arc::new(Int64Array::from(vec![Some(1), None, None]))),
    ])
}

const TYPED_TEXT: &str = "whole,small,real,day,time,text,large,coded,flag,items,joined,who,ssn\n\
                          17,3,0.1,1997-05-19,1970-01-01,\"b, b\",x,f,true,a;b,q;p,7,1\n\
                          ?,1,-2.5,1969-12-31,1971-01-01,?,y,?,false,none,none,8,\n\
                          90,2,1e3,,1969-12-31,00712,x,m,true,,q,7,\n";

pub(super) fn typed_plan() -> Plan {
    let columns = [
        optional(column("whole", grid(0.0, 120.0, 1.0))),
        column("small", grid(0.0, 10.0, 0.5)),
        column("real", free_numbers()),
        optional(column("day", free_days())),
        column("time", days("1900-01-01", "2000-01-01")),
        optional(column("text", free_values())),
        column("large", listed(&["x", "y"])),
        optional(column("coded", listed(&["m", "f"]))),
        column("flag", free_values()),
        optional(column("items", free_sets())),
        column("joined", listed_sets(&["p", "q"])),
        identifier("who"),
        identifier("ssn"),
    ];
    Plan {
        person: Some("who".to_owned()),
        ..plan(columns)
    }
}

#[test]
fn a_table_is_the_same_from_every_format() {
    let expected = read_text(TYPED_TEXT, &typed_plan()).unwrap().table;
    let batch = typed_batch();
    for (name, bytes) in [
        ("t.parquet", parquet_bytes(&batch)),
        ("t.pq", parquet_bytes(&batch)),
        ("t.arrow", ipc_bytes(&batch, false)),
        ("t.feather", ipc_bytes(&batch, false)),
        ("t.arrows", ipc_bytes(&batch, true)),
        ("T.IPC", ipc_bytes(&batch, true)),
    ] {
        let read = read_bytes(name, &bytes, &typed_plan()).unwrap().table;
        assert_eq!(read, expected, "{name}");
    }
}

#[test]
fn kinds_follow_from_types() {
    for (name, bytes) in [
        ("t.parquet", parquet_bytes(&typed_batch())),
        ("t.arrow", ipc_bytes(&typed_batch(), true)),
    ] {
        let typed = file(name, &bytes);
        let plan = infer_plan(&typed.path, &Silent).unwrap();
        let kinds: Vec<Option<Kind>> = plan
            .columns
            .iter()
            .map(|column| column.kind.clone())
            .collect();
        let [n, d, w, s] = [free_numbers(), free_days(), free_values(), free_sets()].map(Some);
        let expected = [&n, &n, &n, &d, &d, &w, &w, &w, &w, &s, &w, &n, &n].map(Clone::clone);
        assert_eq!(kinds, expected, "{name}");
        let missing: Vec<&str> = plan
            .columns
            .iter()
            .filter(|column| column.may_be_missing)
            .map(|column| column.name.as_str())
            .collect();
        assert_eq!(missing, ["whole", "day", "text", "coded", "items", "ssn"]);
        let table = read_table(&typed.path, &plan, &Silent).unwrap().table;
        assert_eq!(texts(&table, "day"), ["1997-05-19", "1969-12-31", ""]);
        assert_eq!(texts(&table, "flag"), ["true", "false", "true"]);
        assert_eq!(texts(&table, "items"), ["a;b", "none", ""]);
        assert_eq!(texts(&table, "ssn"), ["1", "", ""]);
    }
}

#[test]
fn not_a_number_is_missing_where_a_text_would_be() {
    let numbers = batch(vec![(
        "n",
        Arc::new(Float64Array::from(vec![1.0, f64::NAN, 2.0])),
    )]);
    let maybe = plan([optional(column("n", free_numbers()))]);
    let error = read_bytes("t.parquet", &parquet_bytes(&numbers), &maybe).unwrap_err();
    assert_eq!(
        error.message(),
        "column `n` is not a finite number in 1 row, first on row 2"
    );
    let marked = Plan {
        missing: vec!["NaN".to_owned()],
        ..maybe
    };
    let table = read_bytes("t.parquet", &parquet_bytes(&numbers), &marked)
        .unwrap()
        .table;
    assert_eq!(texts(&table, "n"), ["1", "", "2"]);
    let typed = file("t.parquet", &parquet_bytes(&numbers));
    let inferred = infer_plan(&typed.path, &Silent).unwrap();
    let read = read_table(&typed.path, &inferred, &Silent).unwrap().table;
    assert_eq!(read.columns(), table.columns());
    let nothing = batch(vec![
        ("nothing", Arc::new(NullArray::new(2))),
        ("n", Arc::new(Int64Array::from(vec![1, 2]))),
    ]);
    let typed = file("t.arrow", &ipc_bytes(&nothing, false));
    let inferred = infer_plan(&typed.path, &Silent).unwrap();
    let table = read_table(&typed.path, &inferred, &Silent).unwrap().table;
    assert_eq!(texts(&table, "nothing"), ["", ""]);
}

#[test]
fn types_that_do_not_fit_are_refused() {
    let refusal = |array: ArrayRef, kind: Kind| {
        let bytes = parquet_bytes(&batch(vec![("x", array)]));
        shown(&read_bytes("t.parquet", &bytes, &plan([column("x", kind)])).unwrap_err())
    };
    let not_missing = "hint: if the field means \"no value\", add it to `missing` under [data]";
    assert_eq!(
        refusal(Arc::new(BooleanArray::from(vec![true])), free_numbers()),
        format!(
            "t.parquet: column `x` is not a finite number in 1 row, first on row 1\n{not_missing}"
        )
    );
    assert_eq!(
        refusal(
            Arc::new(TimestampMicrosecondArray::from(vec![0, 1_000_000])),
            free_days()
        ),
        format!(
            "t.parquet: column `x` is not a date (YYYY-MM-DD) in 1 row, first on row 2\n{not_missing}"
        )
    );
    assert_eq!(
        refusal(Arc::new(Date32Array::from(vec![0, i32::MAX])), free_days()),
        format!(
            "t.parquet: column `x` is not a date (YYYY-MM-DD) in 1 row, first on row 2\n{not_missing}"
        )
    );
    assert_eq!(
        refusal(Arc::new(Date32Array::from(vec![0])), free_numbers()),
        format!(
            "t.parquet: column `x` is not a finite number in 1 row, first on row 1\n{not_missing}"
        )
    );
    let listed_type =
        "t.parquet: column `x` has the type List(Utf8), which cannot be read as its kind";
    for kind in [free_values(), free_numbers()] {
        assert_eq!(refusal(lists(&[Some(&["a"])]), kind), listed_type);
    }
    assert_eq!(
        refusal(lists(&[Some(&["a"]), Some(&["secret;item"])]), free_sets()),
        "t.parquet: column `x` has an item that contains the separator in 1 row, first on row 2\n\
         hint: choose another `separator`"
    );
    let mut with_null = ListBuilder::new(StringBuilder::new());
    with_null.append_value([Some("a"), None]);
    assert_eq!(
        refusal(Arc::new(with_null.finish()), free_sets()),
        format!("t.parquet: column `x` is not text in 1 row, first on row 1\n{not_missing}")
    );
    let people = batch(vec![
        ("who", lists(&[Some(&["a"])])),
        ("n", Arc::new(Int64Array::from(vec![1]))),
    ]);
    let listed_people = Plan {
        person: Some("who".to_owned()),
        ..plan([identifier("who"), column("n", free_numbers())])
    };
    let error = read_bytes("t.parquet", &parquet_bytes(&people), &listed_people).unwrap_err();
    assert_eq!(
        error.message(),
        "column `who` has the type List(Utf8), which cannot be read as its kind"
    );
    let nobody = batch(vec![
        ("who", Arc::new(StringArray::from(vec![Some("ann"), None]))),
        ("n", Arc::new(Int64Array::from(vec![1, 2]))),
    ]);
    let unmarked = Plan {
        missing: Vec::new(),
        ..listed_people
    };
    let error = read_bytes("t.parquet", &parquet_bytes(&nobody), &unmarked).unwrap_err();
    assert_eq!(
        error.message(),
        "`who` says whom a row is about, and is missing, first on row 2"
    );
}

#[test]
fn items_of_a_list_are_read_as_items_of_a_text() {
    let rows: &[Option<&[&str]>] = &[Some(&[" a ", ""]), Some(&["none"]), Some(&["b", "a"])];
    let bytes = parquet_bytes(&batch(vec![("s", lists(rows))]));
    let table = read_bytes("t.parquet", &bytes, &plan([column("s", free_sets())]))
        .unwrap()
        .table;
    assert_eq!(
        table,
        table_of("s\n a ;\nnone\nb;a\n", [column("s", free_sets())])
    );
}

/// A masked table with a column of each kind.
fn masked_table() -> Table {
    let numbers = |public, unit| Domain::Numbers {
        interval: Interval::new(0.0, 100.0, Some(1.0), unit, public).unwrap(),
        may_be_missing: true,
    };
    let taxonomy = parse_taxonomy(b"a;x;*\n\"b, {c}\";x;*\n\"d\ne\";*\n", Path::new("t")).unwrap();
    let taxonomy = taxonomy.with_empty_set().unwrap().with_missing().unwrap();
    let tree = Tree {
        taxonomy,
        is_star: false,
    };
    let node = |label: &str| tree.taxonomy.node_of_label(label).unwrap();
    let columns = [
        (
            "age",
            numbers(true, Unit::Number),
            vec![
                MaskedValue::range(17, 36),
                MaskedValue::Missing,
                MaskedValue::Anything,
                MaskedValue::Number(5),
            ],
        ),
        (
            "income",
            numbers(false, Unit::Number),
            vec![
                MaskedValue::range(0, 36),
                MaskedValue::range(37, 100),
                MaskedValue::range(0, 100),
                MaskedValue::Anything,
            ],
        ),
        (
            "born",
            numbers(true, Unit::Day),
            vec![
                MaskedValue::range(1, 100),
                MaskedValue::Number(0),
                MaskedValue::Missing,
                MaskedValue::range(0, 30),
            ],
        ),
        (
            "ward",
            Domain::Values(tree.clone()),
            vec![
                MaskedValue::Node(node("x")),
                MaskedValue::Region(vec![0, 1]),
                MaskedValue::Missing,
                MaskedValue::Anything,
            ],
        ),
        (
            "items",
            Domain::sets(tree.clone(), ";".to_owned()).unwrap(),
            vec![
                MaskedValue::items(&tree, vec![node("x"), node("d\ne")]),
                MaskedValue::items(&tree, Vec::new()),
                MaskedValue::Missing,
                MaskedValue::items(&tree, vec![0]),
            ],
        ),
    ];
    let (fields, columns) = columns
        .into_iter()
        .map(|(name, domain, values)| {
            let mut dictionary = MaskedDictionary::default();
            let codes: Vec<u32> = values
                .into_iter()
                .map(|value| dictionary.code(value))
                .collect();
            let field = Field {
                name: name.to_owned(),
                role: Role::Quasi,
                domain,
                weight: 1.0,
            };
            (field, Column::Masked(Codes::pack(codes, 4), dictionary))
        })
        .unzip();
    Table::new(fields, columns, None)
}

/// The masked values that a column's texts say.
fn parsed(texts: impl Iterator<Item = String>, domain: &Domain) -> Vec<MaskedValue> {
    texts
        .map(|text| MaskedValue::parse(&text, domain, None).unwrap())
        .collect()
}

#[test]
fn a_masked_table_is_read_back_from_text_and_from_parquet() {
    let table = masked_table();
    let count = Extra {
        name: "_count",
        values: &[5, 6, 7, 8],
    };
    let out = file("out.csv", b"");
    write_table(&out.path, &table, &[count]).unwrap();
    let mut reader = csv::Reader::from_path(&out.path).unwrap();
    assert_eq!(
        reader.headers().unwrap(),
        vec!["age", "income", "born", "ward", "items", "_count"]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.unwrap()).collect();
    assert_eq!(&rows[0][0], "[17, 37)");
    assert_eq!(&rows[0][5], "5");
    let parquet = file("out.parquet", b"");
    write_table(&parquet.path, &table, &[count]).unwrap();
    let opened = std::fs::File::open(&parquet.path).unwrap();
    let mut batches = ParquetRecordBatchReaderBuilder::try_new(opened)
        .unwrap()
        .build()
        .unwrap();
    let batch = batches.next().unwrap().unwrap();
    for (at, (field, column)) in table.fields().iter().zip(table.columns()).enumerate() {
        let Column::Masked(codes, dictionary) = column else {
            unreachable!("a masked table")
        };
        let expected: Vec<MaskedValue> = codes
            .iter()
            .map(|code| dictionary.values()[code as usize].clone())
            .collect();
        let from_csv = parsed(rows.iter().map(|row| row[at].to_owned()), &field.domain);
        assert_eq!(from_csv, expected, "{}", field.name);
        let texts = batch
            .column_by_name(&field.name)
            .unwrap()
            .as_string::<i32>();
        let texts = texts.iter().map(|text| text.unwrap_or_default().to_owned());
        assert_eq!(parsed(texts, &field.domain), expected, "{}", field.name);
    }
    let nulls = |name: &str| batch.column_by_name(name).unwrap().null_count();
    assert_eq!(
        (nulls("age"), nulls("ward"), nulls("items"), nulls("income")),
        (1, 1, 1, 0)
    );
    let ends = |name: &str| -> Vec<Option<f64>> {
        batch
            .column_by_name(name)
            .unwrap()
            .as_primitive::<Float64Type>()
            .iter()
            .collect()
    };
    assert_eq!(ends("age_low"), [Some(17.0), None, Some(0.0), Some(5.0)]);
    assert_eq!(ends("age_high"), [Some(36.0), None, Some(100.0), Some(5.0)]);
    assert_eq!(ends("income_low"), [None, Some(37.0), None, None]);
    assert_eq!(ends("income_high"), [Some(36.0), None, None, None]);
    let born = batch
        .column_by_name("born_low")
        .unwrap()
        .as_primitive::<Date32Type>();
    assert_eq!(
        born.iter().collect::<Vec<_>>(),
        [Some(1), Some(0), None, Some(0)]
    );
    let counts = batch
        .column_by_name("_count")
        .unwrap()
        .as_primitive::<Int64Type>();
    assert_eq!(counts.values(), &[5, 6, 7, 8]);
    assert!(batch.column_by_name("ward_low").is_none());
}

#[test]
fn a_raw_table_is_read_back_from_everything_it_is_written_as() {
    let table = read_text(TYPED_TEXT, &typed_plan()).unwrap().table;
    let columns = typed_plan()
        .columns
        .into_iter()
        .filter(|column| column.kind.is_some());
    let plan = plan(columns);
    for name in ["out.csv", "out.CSV.GZ", "out.parquet"] {
        let out = file(name, b"");
        write_table(&out.path, &table, &[]).unwrap();
        let read = read_table(&out.path, &plan, &Silent).unwrap().table;
        assert_eq!(
            (read.fields(), read.columns()),
            (table.fields(), table.columns()),
            "{name}"
        );
    }
    let text = file("out.csv", b"");
    write_table(&text.path, &table, &[]).unwrap();
    let written = std::fs::read_to_string(&text.path).unwrap();
    assert_eq!(
        written.lines().nth(1).unwrap(),
        "17,3,0.1,1997-05-19,1970-01-01,\"b, b\",x,f,true,a;b,p;q"
    );
}

#[test]
fn a_parquet_file_of_many_batches_keeps_every_row() {
    let rows: Vec<String> = (0..150_000)
        .map(|row| format!("{row},w{}", row % 7))
        .collect();
    let columns = || {
        [
            column("n", grid(0.0, 200_000.0, 1.0)),
            column("w", free_values()),
        ]
    };
    let table = table_of(&format!("n,w\n{}\n", rows.join("\n")), columns());
    let out = file("out.parquet", b"");
    write_table(&out.path, &table, &[]).unwrap();
    assert_eq!(
        read_table(&out.path, &plan(columns()), &Silent)
            .unwrap()
            .table,
        table
    );
}

#[test]
fn what_cannot_be_written_leaves_no_file() {
    let table = masked_table();
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, extra: &[Extra<'_>]| {
        let path = folder.path().join(name);
        let error = write_table(&path, &table, extra).unwrap_err();
        assert!(!path.exists(), "{name}");
        error.to_string()
    };
    assert_eq!(
        message("out.arrow", &[]),
        "tables are written as CSV or Parquet\nhint: name the file `.csv` or `.parquet`"
    );
    let twice = [Extra {
        name: "age",
        values: &[0; 4],
    }];
    assert_eq!(
        message("out.csv", &twice),
        "two columns of the file would both be called `age`"
    );
    let end = [Extra {
        name: "age_low",
        values: &[0; 4],
    }];
    assert_eq!(
        message("out.parquet", &end),
        "two columns of the file would both be called `age_low`"
    );
    let lost = folder.path().join("no such folder").join("out.csv");
    let error = write_table(&lost, &table, &[]).unwrap_err();
    assert_eq!(error.message(), format!("cannot write {}", lost.display()));
}
