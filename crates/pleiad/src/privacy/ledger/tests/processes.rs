//! Many processes at one ledger, killed at random, and without room on the disk.
//!
//! The children are this very test program, told by the environment what to do. `cargo test -p pleiad --lib ten_thousand
//! -- --ignored --nocapture` runs the long form; the environment variable `PLEIAD_KILLS` changes its length.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::super::{Act, Ledger, LogEntry, State};
use super::{Folder, MOSAIC, pure, rational};
use crate::privacy::budget::{AddRemove, Rational};
use crate::{Kind, Result};

const TASK: &str = "PLEIAD_LEDGER_TASK";
const FOLDER: &str = "PLEIAD_LEDGER_FOLDER";
const COST: &str = "1/7";
/// Children that are killed share a ledger for so many kills.
const KILLS_PER_LEDGER: usize = 50;

/// What a child does; without a task in the environment it is an empty test.
#[test]
fn a_child_at_work() {
    let Ok(task) = std::env::var(TASK) else {
        return;
    };
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
    let ledger = Ledger::open(&folder.join(Ledger::DEFAULT_FILE)).unwrap();
    println!("\nready");
    match task.as_str() {
        "race" => {
            while !folder.join("go").exists() {
                sleep(Duration::from_micros(200));
            }
            while release(&ledger, &folder, MOSAIC).is_ok() {}
        }
        "until killed" => loop {
            // Nothing may be left; whoever comes next must be refused as well. The pause lets others have a turn.
            let _ = release(&ledger, &folder, MOSAIC);
            sleep(Duration::from_micros(rand::random_range(0..3_000)));
        },
        "until full" => {
            let note = "x".repeat(1_500);
            let error = loop {
                let act = Act {
                    note: &note,
                    ..MOSAIC
                };
                if let Err(error) = release(&ledger, &folder, act) {
                    break error;
                }
            };
            println!("\n{:?}", error.kind());
        }
        other => panic!("{other} is no task"),
    }
}

/// What a release does: book, write beside the place, confirm, rename, close.
fn release(ledger: &Ledger, folder: &Path, act: Act<'_>) -> Result<()> {
    let booking = ledger.book("people", &pure::<AddRemove>(COST), &act)?;
    let place = folder.join(format!("release-{}", booking.number()));
    let unfinished = place.with_extension("unfinished");
    fs::File::create(&unfinished)
        .and_then(|mut file| file.write_all(b"cells"))
        .unwrap();
    booking.confirm()?;
    fs::rename(unfinished, place).unwrap();
    booking.published()
}

fn child(task: &str, folder: &Path) -> Command {
    let module = module_path!().split_once("::").unwrap().1;
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            &format!("{module}::a_child_at_work"),
            "--nocapture",
        ])
        .env(TASK, task)
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// Starts a child and waits until it is at work; its further lines.
fn start(mut command: Command) -> (Child, impl Iterator<Item = String>) {
    let mut child = command.spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let mut lines = output.lines().map_while(std::io::Result::ok);
    assert!(
        lines.any(|line| line == "ready"),
        "the child did not come to work"
    );
    (child, lines)
}

/// Numbers of the releases that are in place.
fn released(folder: &Path) -> Vec<i64> {
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter_map(|name| name.strip_prefix("release-")?.parse().ok())
        .collect()
}

/// Nothing is over-spent, nothing is out that is not booked, nothing is called published that is not out.
fn check(folder: &Folder) -> Vec<LogEntry> {
    let ledger = folder.ledger();
    let log = ledger.log().unwrap();
    let costs: Vec<Rational> = log.iter().map(|entry| entry.cost.clone()).collect();
    let spent: Rational = costs.iter().sum();
    let statement = ledger.statement("people").unwrap();
    assert!(spent <= statement.total, "over-spent: {spent}");
    assert_eq!(spent, statement.spent);
    let states: BTreeMap<i64, State> = log
        .iter()
        .map(|entry| (entry.number, entry.state))
        .collect();
    let mut released = released(folder.path());
    released.sort_unstable();
    for number in &released {
        let state = states.get(number).expect("out, and not booked");
        assert!(
            matches!(state, State::Booked | State::Published),
            "{state:?}"
        );
    }
    for (number, state) in &states {
        let is_out = released.binary_search(number).is_ok();
        assert!(*state != State::Published || is_out, "{number} is not out");
    }
    log
}

#[test]
fn eight_processes_race_for_the_last_of_a_budget() {
    for _ in 0..3 {
        // Room for 27 releases and a bit.
        let folder = Folder::with("3.9");
        let mut children: Vec<_> = (0..8)
            .map(|_| start(child("race", folder.path())))
            .collect();
        fs::write(folder.path().join("go"), "").unwrap();
        for (child, lines) in &mut children {
            lines.for_each(drop);
            assert!(child.wait().unwrap().success());
        }
        let log = check(&folder);
        assert_eq!(log.len(), 27);
        assert!(log.iter().all(|entry| entry.state == State::Published));
        assert_eq!(released(folder.path()).len(), 27);
    }
}

/// What came of many kills.
#[derive(Debug, Default)]
struct Tally {
    kills: usize,
    /// Kills of the only child of a ledger after which a transaction was left half done.
    inside_a_transaction: usize,
    entries: usize,
    out: usize,
    /// Entries that were cut short.
    left_booked: usize,
    /// Ledgers that had nothing left in the end.
    exhausted: usize,
}

/// Kills children at random moments, with one, two or three of them at a ledger.
fn kill(n_kills: usize) -> Tally {
    let mut tally = Tally::default();
    while tally.kills < n_kills {
        let n_children = rand::random_range(1..=3);
        let folder = Folder::with(if rand::random() { "5" } else { "1000" });
        let journal = folder
            .path()
            .join(format!("{}-journal", Ledger::DEFAULT_FILE));
        let begin = || start(child("until killed", folder.path())).0;
        let mut children: Vec<Child> = (0..n_children).map(|_| begin()).collect();
        for kill in 0..KILLS_PER_LEDGER {
            let is_last = kill + n_children >= KILLS_PER_LEDGER;
            let which = rand::random_range(0..children.len());
            // A release takes about as long as the longest wait, so kills fall into all of its steps.
            sleep(Duration::from_micros(rand::random_range(0..15_000)));
            let mut killed = children.swap_remove(which);
            killed.kill().unwrap();
            killed.wait().unwrap();
            tally.kills += 1;
            tally.inside_a_transaction += usize::from(n_children == 1 && journal.exists());
            if !is_last {
                children.push(begin());
            }
        }
        assert!(children.is_empty());
        let log = check(&folder);
        tally.entries += log.len();
        tally.out += released(folder.path()).len();
        tally.left_booked += log
            .iter()
            .filter(|entry| entry.state == State::Booked)
            .count();
        let left = folder.ledger().statement("people").unwrap().left;
        tally.exhausted += usize::from(left < rational(COST));
    }
    tally
}

#[test]
fn killed_children_never_overspend_nor_publish_what_is_not_booked() {
    let tally = kill(200);
    println!("{tally:?}");
    assert!(tally.out > 0 && tally.left_booked > 0, "{tally:?}");
}

#[test]
#[ignore = "ten thousand kills take many minutes: run it by name"]
fn ten_thousand_kills_never_overspend_nor_publish_what_is_not_booked() {
    let kills = std::env::var("PLEIAD_KILLS").map_or(10_000, |text| text.parse().unwrap());
    println!("{:?}", kill(kills));
}

/// Files may not grow beyond 64 kilobytes here, as if the disk were full. (The signal that would say so is ignored, so
/// that writing fails as it does on a full disk.)
#[cfg(unix)]
#[test]
fn a_process_without_room_publishes_nothing_unbooked() {
    let folder = Folder::with("1000");
    let unlimited = child("until full", folder.path());
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 128; exec \"$@\"", "sh"])
        .arg(unlimited.get_program())
        .args(unlimited.get_args())
        .envs(
            unlimited
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let (mut child, mut lines) = start(command);
    assert!(lines.any(|line| line == format!("{:?}", Kind::System)));
    assert!(child.wait().unwrap().success());
    let log = check(&folder);
    assert!(!log.is_empty());
    assert_eq!(released(folder.path()).len(), log.len());
    release(&folder.ledger(), folder.path(), MOSAIC).unwrap();
}
