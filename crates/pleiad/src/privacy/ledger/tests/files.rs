//! The file itself: who may read it, what is no ledger, and what the file refuses whoever writes.

use std::fs;

use rusqlite::Connection;

use super::super::{Ledger, State};
use super::{Folder, MOSAIC, pure};
use crate::Kind;
use crate::privacy::budget::AddRemove;

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_a_ledger() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with("1");
    let mode = fs::metadata(folder.ledger_path())
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn what_is_no_ledger_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pleiad.ledger");
    assert!(
        Ledger::open(&path)
            .unwrap_err()
            .to_string()
            .contains("there is no ledger")
    );
    assert!(!path.exists());
    for text in [
        "age,ward\n31,Surgery\n",
        "SQLite format 3\0 and then nonsense",
    ] {
        fs::write(&path, text.repeat(100)).unwrap();
        let before = fs::read(&path).unwrap();
        for opened in [Ledger::open(&path), Ledger::create(&path)] {
            assert_eq!(opened.unwrap_err().kind(), Kind::Refused);
        }
        assert_eq!(fs::read(&path).unwrap(), before);
    }
    fs::remove_file(&path).unwrap();
    let foreign = Connection::open(&path).unwrap();
    foreign
        .execute_batch("CREATE TABLE notes (text TEXT)")
        .unwrap();
    for opened in [Ledger::open(&path), Ledger::create(&path)] {
        assert!(
            opened
                .unwrap_err()
                .to_string()
                .contains("is no ledger of Pleiad")
        );
    }
}

#[test]
fn a_ledger_that_was_begun_and_no_more_can_be_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pleiad.ledger");
    fs::write(&path, "").unwrap();
    assert!(
        Ledger::open(&path)
            .unwrap_err()
            .to_string()
            .contains("nothing is in")
    );
    Ledger::create(&path).unwrap();
    Ledger::open(&path).unwrap();
}

#[test]
fn another_version_is_refused() {
    let folder = Folder::with("1");
    let raw = Connection::open(folder.ledger_path()).unwrap();
    raw.pragma_update(None, "user_version", 2).unwrap();
    for opened in [
        Ledger::open(&folder.ledger_path()),
        Ledger::create(&folder.ledger_path()),
    ] {
        let error = opened.unwrap_err();
        assert!(error.to_string().contains("version 2"), "{error}");
        assert_eq!(error.kind(), Kind::Refused);
    }
}

#[test]
fn a_damaged_ledger_books_nothing() {
    let folder = Folder::with("1");
    let raw = Connection::open(folder.ledger_path()).unwrap();
    raw.execute_batch("DROP TRIGGER totals_stay; UPDATE population SET total = 'much'")
        .unwrap();
    let error = folder
        .ledger()
        .book("people", &pure::<AddRemove>("0.1"), &MOSAIC)
        .unwrap_err();
    assert!(error.to_string().contains("is damaged"), "{error}");
    let folder = Folder::with("1");
    let mut bytes = fs::read(folder.ledger_path()).unwrap();
    let half = bytes.len() / 2;
    bytes.truncate(half);
    fs::write(folder.ledger_path(), &bytes).unwrap();
    assert!(Ledger::open(&folder.ledger_path()).is_err());
}

#[test]
fn the_file_refuses_what_no_ledger_would_write() {
    let folder = Folder::with("1");
    let ledger = folder.ledger();
    ledger
        .book("people", &pure::<AddRemove>("0.6"), &MOSAIC)
        .unwrap()
        .published()
        .unwrap();
    std::mem::forget(
        ledger
            .book("people", &pure::<AddRemove>("0.1"), &MOSAIC)
            .unwrap(),
    );
    let before = ledger.log().unwrap();
    let raw = Connection::open(folder.ledger_path()).unwrap();
    let insert = |id: &str, units: &str, state: &str| {
        raw.execute_batch(&format!(
            "INSERT OR REPLACE INTO entry VALUES ({id}, 1, 'm', '', 'pure', '0.4', '0.4', {units}, '{state}', 't', NULL)"
        ))
    };
    let over = insert("NULL", "400000000000", "booked").unwrap_err();
    assert!(over.to_string().contains("less left"), "{over}");
    assert!(insert("NULL", "-1", "booked").is_err());
    assert!(insert("NULL", "1", "published").is_err());
    assert!(insert("1", "0", "booked").is_err());
    for statement in [
        "UPDATE entry SET cost = '0' WHERE id = 2",
        "UPDATE entry SET cost_units = 0, state = 'published' WHERE id = 2",
        "UPDATE entry SET state = 'booked' WHERE id = 1",
        "UPDATE entry SET state = 'broken_off' WHERE id = 1",
        "UPDATE entry SET state = 'looked' WHERE id = 2",
        "DELETE FROM entry",
        "UPDATE population SET total = '9'",
        "UPDATE population SET total_units = 9000000000000",
        "DELETE FROM population",
        "INSERT OR REPLACE INTO population SELECT id, name, neighbours, measure, '9', 9000000000000, delta, declared_at FROM population",
    ] {
        assert!(raw.execute_batch(statement).is_err(), "{statement}");
    }
    assert_eq!(ledger.log().unwrap(), before);
    insert("NULL", "300000000000", "booked").unwrap();
}

#[test]
fn overspending_behind_its_back_is_noticed() {
    let folder = Folder::with("1");
    let raw = Connection::open(folder.ledger_path()).unwrap();
    raw.execute_batch(
        "INSERT INTO entry VALUES (NULL, 1, 'm', '', 'pure', '1.5', '1.5', 0, 'booked', 't', NULL)",
    )
    .unwrap();
    let ledger = folder.ledger();
    assert!(ledger.statement("people").is_err());
    assert!(
        ledger
            .book("people", &pure::<AddRemove>("0"), &MOSAIC)
            .is_err()
    );
}

#[test]
fn an_older_copy_of_the_ledger_lets_nothing_be_published() {
    let folder = Folder::with("1");
    let copy = folder.path().join("copy");
    fs::copy(folder.ledger_path(), &copy).unwrap();
    let ledger = folder.ledger();
    let booking = ledger
        .book("people", &pure::<AddRemove>("0.5"), &MOSAIC)
        .unwrap();
    booking.confirm().unwrap();
    let bytes = fs::read(&copy).unwrap();
    fs::write(folder.ledger_path(), bytes).unwrap();
    let error = booking.confirm().unwrap_err();
    assert!(error.to_string().contains("not booked any more"), "{error}");
    assert!(booking.published().is_err());
}

#[test]
fn a_full_disk_books_nothing_and_says_so() {
    let folder = Folder::with("1000");
    let ledger = folder.ledger();
    let connection = ledger.file.connection();
    let n_pages: i64 = connection
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .unwrap();
    connection
        .pragma_update_and_check(None, "max_page_count", n_pages + 1, |_| Ok(()))
        .unwrap();
    let mut n_booked = 0;
    let error = loop {
        match ledger.book("people", &pure::<AddRemove>("1"), &MOSAIC) {
            Ok(booking) => {
                std::mem::forget(booking);
                n_booked += 1;
            }
            Err(error) => break error,
        }
    };
    assert!(n_booked > 0);
    assert_eq!(error.kind(), Kind::System);
    assert!(error.to_string().contains("full"), "{error}");
    let again = folder.ledger();
    let log = again.log().unwrap();
    assert_eq!(log.len(), n_booked);
    assert!(log.iter().all(|entry| entry.state == State::Booked));
    again
        .book("people", &pure::<AddRemove>("1"), &MOSAIC)
        .unwrap()
        .published()
        .unwrap();
}
