//! Whatever the bytes: a table or an error, never a panic.

use super::arrow_files::{ipc_bytes, parquet_bytes, typed_batch, typed_plan};
use super::*;

/// Bytes, and what becomes of them.
#[derive(Debug, Clone)]
enum Change {
    Set(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index, usize),
    Cut(prop::sample::Index),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let index = any::<prop::sample::Index>;
    let telling = prop::sample::select(b",;\"\n\r\0*{}[]<>=\\ ?-.e019\xff\xef".to_vec());
    let byte = || prop_oneof![telling.clone(), any::<u8>()];
    prop::collection::vec(
        prop_oneof![
            4 => (index(), byte()).prop_map(|(at, byte)| Change::Set(at, byte)),
            2 => (index(), prop::collection::vec(byte(), 1..4)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
            2 => (index(), 1..20_usize).prop_map(|(at, n_bytes)| Change::Remove(at, n_bytes)),
            1 => index().prop_map(Change::Cut),
        ],
        1..6,
    )
}

fn changed(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        match change {
            Change::Set(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Change::Insert(at, new) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, new.iter().copied());
            }
            Change::Remove(at, n_bytes) => {
                let at = at.index(bytes.len());
                bytes.drain(at..bytes.len().min(at + n_bytes));
            }
            Change::Cut(at) => bytes.truncate(at.index(bytes.len())),
        }
    }
    bytes
}

const VALID: &str = "age,free,born,sex,items,things,who\n\
                     17,2.5,1999-12-31,m,a;b,\"x;\"\"y\"\"\",ann\n\
                     90,-1e3,2001-01-01,f,none,z,bob\n\
                     ?,0.001,,?,?,\"two\nlines\",ann\n\
                     120,7,1970-01-01,f,b,none,cid\n";

fn valid_plan() -> Plan {
    let columns = [
        optional(column("age", grid(0.0, 120.0, 1.0))),
        column("free", free_numbers()),
        optional(column("born", free_days())),
        optional(column("sex", listed(&["f", "m"]))),
        optional(column("items", listed_sets(&["a", "b"]))),
        column("things", free_sets()),
        identifier("who"),
    ];
    Plan {
        person: Some("who".to_owned()),
        incomplete_rows: IncompleteRows::Drop,
        ..plan(columns)
    }
}

/// Reads bytes with a plan and without; whatever can be read can be written, and read again where the plan is kept.
fn weather(name: &str, bytes: &[u8], plan: &Plan) {
    let file = file(name, bytes);
    let inferred = infer_plan(&file.path, &Silent);
    for plan in inferred.iter().chain([plan]) {
        let Ok(reading) = read_table(&file.path, plan, &Silent) else {
            continue;
        };
        let folder = tempfile::tempdir().unwrap();
        for out in ["out.csv", "out.parquet"] {
            let out = folder.path().join(out);
            write_table(&out, &reading.table, &[]).unwrap();
            let columns = plan
                .columns
                .iter()
                .filter(|column| column.kind.is_some())
                .cloned()
                .collect();
            let again = Plan {
                columns,
                person: None,
                ..plan.clone()
            };
            let again = read_table(&out, &again, &Silent).unwrap();
            assert_eq!(again.table.n_rows(), reading.table.n_rows());
        }
        reading.table.collapse();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn random_bytes_are_a_table_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for name in ["t.csv", "t.parquet", "t.arrow"] {
            weather(name, &bytes, &valid_plan());
        }
        weather("t.csv", &gzipped(&bytes), &valid_plan());
        weather("t.csv", &[&[0x1f, 0x8b][..], &bytes].concat(), &valid_plan());
        let _ = parse_taxonomy(&bytes, Path::new("t"));
    }

    #[test]
    fn random_text_is_a_table_or_an_error(text in "[ab01,;\"\n\r .é*?-]{0,60}") {
        weather("t.csv", text.as_bytes(), &valid_plan());
        let _ = parse_taxonomy(text.as_bytes(), Path::new("t"));
    }

    #[test]
    fn a_damaged_text_file_is_a_table_or_an_error(changes in changes()) {
        weather("t.csv", &changed(VALID.as_bytes(), &changes), &valid_plan());
        weather("t.csv", &gzipped(&changed(VALID.as_bytes(), &changes)), &valid_plan());
        weather("t.csv", &changed(&gzipped(VALID.as_bytes()), &changes), &valid_plan());
    }

    #[test]
    fn a_damaged_arrow_file_is_a_table_or_an_error(changes in changes()) {
        let batch = typed_batch();
        weather("t.parquet", &changed(&parquet_bytes(&batch), &changes), &typed_plan());
        for stream in [false, true] {
            weather("t.arrow", &changed(&ipc_bytes(&batch, stream), &changes), &typed_plan());
        }
    }

    #[test]
    fn a_damaged_taxonomy_is_a_tree_or_an_error(changes in changes()) {
        let valid = "a;x;*\nb;x;*\n\"c;d\";y;x2;*\ne;e;*\n";
        if let Ok(tree) = parse_taxonomy(&changed(valid.as_bytes(), &changes), Path::new("t")) {
            for node in 0..tree.n_nodes() as Node {
                prop_assert!(tree.is_ancestor(0, node));
                prop_assert_eq!(tree.node_of_label(tree.label(node)), Some(node));
            }
        }
    }

    #[test]
    fn any_text_is_a_masked_value_or_none(text in prop_oneof!["[ab{}\\\\,; \\[\\])(<>=*0-9.inf-]{0,12}", ".{0,8}"]) {
        let taxonomy = Taxonomy::star(["a", "b", "{a}", "1"]).unwrap();
        let taxonomy = taxonomy.with_empty_set().unwrap().with_missing().unwrap();
        let tree = Tree { taxonomy, is_star: true };
        let numbers = |public, unit| Domain::Numbers {
            interval: Interval::new(0.0, 9.0, Some(1.0), unit, public).unwrap(),
            may_be_missing: true,
        };
        for domain in [
            Domain::Values(tree.clone()),
            Domain::sets(tree.clone(), ";".to_owned()).unwrap(),
            numbers(true, Unit::Number),
            numbers(false, Unit::Number),
            numbers(false, Unit::Day),
        ] {
            if let Some(value) = MaskedValue::parse(&text, &domain, None) {
                let written = value.text(&domain);
                prop_assert_eq!(MaskedValue::parse(&written, &domain, None), Some(value), "{} and {}", text, written);
            }
        }
    }
}
