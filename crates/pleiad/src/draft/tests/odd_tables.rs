//! Tables that nobody would wish for, and everybody has.

use std::fmt::Write as _;

use insta::assert_snapshot;

use super::Table;

/// A table of so many rows, each made from its number.
fn rows(header: &str, n_rows: usize, row: impl Fn(usize) -> String) -> Table {
    let mut text = format!("{header}\n");
    for at in 0..n_rows {
        let _ = writeln!(text, "{}", row(at));
    }
    Table::new(text)
}

#[test]
fn one_column() {
    let table = rows("hours", 200, |row| format!("{}", 20 + row * row % 41));
    assert_snapshot!(table.released_draft());
}

#[test]
fn a_handful_of_rows() {
    let draft = Table::new("age,sex\n30,f\n40,m\n50,f\n60,m\n65,f\n70,m\n").released_draft();
    assert!(
        draft.contains("anonymity = 3\n") && draft.contains("clusters = 2\n"),
        "{draft}"
    );
    let error = Table::new("age,sex\n30,f\n40,m\n50,f\n")
        .draft()
        .unwrap_err();
    assert_eq!(
        error.message(),
        "the table is about 3 people: too few to hide among"
    );
}

#[test]
fn columns_in_which_all_rows_differ() {
    let table = rows("row,member_no,word,measure,spread", 300, |row| {
        format!(
            "{},M-{:05},w{:x},{}.{:03},{}",
            row + 1,
            row * 37,
            row * 7919,
            row % 50,
            row,
            row * row * 1000
        )
    });
    assert_snapshot!(table.released_draft());
}

#[test]
fn columns_with_little_or_nothing_in_them() {
    let table = rows("empty,same,mostly,mixed,dressed,age", 120, |row| {
        let mostly = if row % 10 == 0 { "yes" } else { "?" };
        let mixed = if row % 30 == 0 {
            "many".to_owned()
        } else {
            (row % 7).to_string()
        };
        format!(
            ",x,{mostly},{mixed},\"{},{:03}\",{}",
            1 + row % 4,
            row % 3,
            20 + row % 60
        )
    });
    assert_snapshot!(table.released_draft());
}

#[test]
fn headers_of_all_kinds() {
    let header = "\"größe in cm\",\"say \"\"age\"\"\",a.b,日本,\"two\nlines\",\" padded \"";
    let table = rows(header, 60, |row| {
        format!(
            "{},{},{},{},{},{}",
            150 + row % 40,
            20 + row % 50,
            row % 2,
            ["東京", "大阪"][row % 2],
            row % 3,
            row % 4
        )
    });
    assert_snapshot!(table.released_draft());
}

#[test]
fn values_of_all_kinds() {
    let values = [
        "say \"no\"",
        "a\\b",
        "x; y",
        "tab\there",
        " padded",
        "=SUM(A1)",
        "naïve",
        "# none",
    ];
    let table = rows("text,class,score", 160, |row| {
        let value = values[row % values.len()].replace('"', "\"\"");
        let score = if row % 16 == 0 {
            "-".to_owned()
        } else {
            (row % 90).to_string()
        };
        format!("\"{value}\",{},{score}", ["low", "high"][row / 80])
    });
    assert_snapshot!(table.released_draft());
}

#[test]
fn a_mark_that_is_a_value_elsewhere_stays_one() {
    let table = rows("score,class", 100, |row| {
        let score = if row % 20 == 0 {
            "-".to_owned()
        } else {
            (row % 50).to_string()
        };
        format!("{score},{}", if row % 3 == 0 { "-" } else { "+" })
    });
    let draft = table.draft().unwrap();
    assert_eq!(draft.plan.missing, [""]);
    assert_eq!(draft.columns[1].kind(), Some("categorical"));
    assert!(draft.columns[0].doubts[0].starts_with("it mixes numbers with 5 cells"));
    table.released_draft();
}

#[test]
fn sets_and_dates() {
    let table = rows("seen,left,hobbies,tags,who", 150, |row| {
        let items = ["chess", "golf", "film", "sport"];
        let hobbies: Vec<&str> = (0..=row % 3)
            .map(|at| items[(row + at * row / 4) % 4])
            .collect();
        let tags = ["a, b", "b, c", "a", "c", "a, c, d", "d"][row % 6];
        format!(
            "20{:02}-{:02}-{:02},{}.{}.2020,{},\"{tags}\",\"{}, {}\"",
            row % 20,
            1 + row % 12,
            1 + row % 28,
            1 + row % 28,
            1 + row % 12,
            hobbies.join("|"),
            ["Smith", "Jones", "Brown"][row % 3],
            ["Ann", "Bob"][row % 2],
        )
    });
    assert_snapshot!(table.released_draft());
}

#[test]
fn people_and_how_to_reach_them() {
    let header = "client_id,full_name,contact,tel,site,notes,ssn,city,income";
    let table = rows(header, 240, |row| {
        let person = row * 2 / 3;
        format!(
            "C{person:04},Person {person},p{person}@example.org,+41 44 {:03} {:02} {:02},https://example.org/{row},\
             \"came in with complaint number {row}\",{:03}-{:02}-{:04},{},{}",
            person,
            person % 97,
            person % 89,
            person,
            person % 100,
            person,
            ["Bern", "Basel", "Chur"][person % 3],
            30_000 + person * 13 % 500 * 100,
        )
    });
    let draft = table.draft().unwrap();
    assert_eq!(draft.person.as_deref(), Some("client_id"));
    assert_eq!(draft.n_people, 160);
    assert_snapshot!(table.released_draft());
}

#[test]
fn codes_and_bands() {
    let table = rows(
        "zip,icd,age_group,dose,admission_type_id,smoker,grade",
        400,
        |row| {
            let bands = ["<18", "18-29", "30-44", "45-64", "65+"];
            format!(
                "{:05},{}{:02}.{},{},{},{},{},{}",
                1000 + row % 20 * 111,
                ["I", "J", "K"][row % 3],
                10 + row % 7,
                row % 4,
                bands[row % 5],
                ["<=5", "5 to 10", "> 10"][row % 3],
                1 + row % 8,
                row % 2,
                [1, 3, 7][row % 3],
            )
        },
    );
    assert_snapshot!(table.released_draft());
}
