//! `pleiad demo` from an empty folder on.

use crate::common::{Folder, finish};

#[test]
fn the_demo_finds_what_was_planted_and_says_where_to_look() {
    let folder = Folder::new();
    let run = folder.run(&["demo", "--rows", "2000", "--out", "here"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with("2,000 rows, 12 of 13 columns, 6 clusters by k-means\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("It found them almost exactly"),
        "{}",
        run.stdout
    );
    assert!(
        run.stderr.contains("pleiad cluster here/release\n"),
        "{}",
        run.stderr
    );
    assert!(
        run.stdout.contains("\nReleased 2,000 rows about "),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("\nHand over  here/release: "),
        "{}",
        run.stdout
    );
    assert!(
        run.stderr.contains("here/release.owner/report.html"),
        "{}",
        run.stderr
    );
    let check = folder.run(&["check", "here/release", "--quiet"]);
    assert_eq!(check.exit, 0, "{}", check.stderr);
    assert!(
        check.stdout.starts_with("The promise is kept\n"),
        "{}",
        check.stdout
    );
    let again = folder.run(&["cluster", "here/hospital.csv", "--quiet"]);
    assert_eq!(again.exit, 0, "{}", again.stderr);
    assert!(
        run.stdout.starts_with(&again.stdout),
        "the demo shows what the command shows"
    );
}

#[test]
fn what_to_try_works_as_it_is_printed() {
    let folder = Folder::new();
    let run = folder.run(&["demo", "--rows", "300"]);
    let (_, to_try) = run.stderr.split_once("What to try\n").unwrap();
    let commands: Vec<&str> = to_try
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .collect();
    assert_eq!(commands.len(), 5, "{to_try}");
    // One of them is about a table of one's own.
    std::fs::copy(
        folder.path("pleiad-demo/hospital.csv"),
        folder.path("patients.csv"),
    )
    .unwrap();
    for command in commands {
        let mut words = command.split(' ');
        let mut program = std::process::Command::new(words.next().unwrap());
        let run = finish(folder.within(program.args(words)));
        assert_eq!(run.exit, 0, "{command}: {}", run.stderr);
    }
}

#[test]
fn an_earlier_demo_is_replaced_only_by_force() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["demo", "--rows", "300"]).exit, 0);
    let before = folder.read("pleiad-demo/hospital.csv");
    let refused = folder.run(&["demo", "--rows", "200"]);
    assert_eq!(refused.exit, 1);
    assert!(
        refused.stderr.contains("pleiad-demo holds a demo already"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("`--force`"), "{}", refused.stderr);
    assert_eq!(folder.read("pleiad-demo/hospital.csv"), before);
    assert_eq!(folder.run(&["demo", "--rows", "200", "--force"]).exit, 0);
    assert_eq!(folder.read("pleiad-demo/hospital.csv").lines().count(), 201);
    let data = folder.read("pleiad-demo/release/data.csv");
    assert_eq!(data.lines().count(), 201);
}

#[test]
fn what_somebody_put_into_the_release_of_a_demo_stays() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["demo", "--rows", "300"]).exit, 0);
    for file in ["release/mine.txt", "release.owner/mine.txt"] {
        let file = format!("pleiad-demo/{file}");
        std::fs::write(folder.path(&file), "mine").unwrap();
        let before = folder.files_in("pleiad-demo/release");
        let run = folder.run(&["demo", "--rows", "200", "--force"]);
        assert_eq!(run.exit, 1, "{}", run.stderr);
        assert!(
            run.stderr.contains(&format!(
                "{file} is in the way and no part of an earlier demo"
            )),
            "{}",
            run.stderr
        );
        assert_eq!(folder.files_in("pleiad-demo/release"), before);
        std::fs::remove_file(folder.path(&file)).unwrap();
    }
    assert_eq!(folder.read("pleiad-demo/hospital.csv").lines().count(), 301);
}

#[test]
fn files_of_somebody_else_are_never_replaced() {
    let folder = Folder::new().with("pleiad.toml", "mine");
    for arguments in [
        &["demo", "--out", "."][..],
        &["demo", "--out", ".", "--force"],
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.exit, 1);
        assert!(
            run.stderr.contains("no part of an earlier demo"),
            "{}",
            run.stderr
        );
    }
    assert_eq!(folder.read("pleiad.toml"), "mine");
    assert_eq!(folder.files(), ["pleiad.toml"]);
}

#[test]
fn a_folder_that_is_a_file_is_a_clean_error() {
    let folder = Folder::new().with("taken", "");
    let run = folder.run(&["demo", "--rows", "100", "--out", "taken"]);
    assert_eq!(run.exit, 1);
    assert!(
        run.stderr
            .starts_with("error: cannot write the demo to taken: "),
        "{}",
        run.stderr
    );
    assert_eq!(folder.read("taken"), "");
}
