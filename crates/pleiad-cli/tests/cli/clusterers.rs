//! Every clusterer from end to end: alone, as the owner's and as the recipient's.

use crate::common::{Folder, PATIENTS_SPEC, patients, people};
use insta::assert_snapshot;
use serde_json::Value;

const ALL: [&str; 4] = ["kmeans", "bisecting", "kprototypes", "dbscan"];

/// The patients, with a table of [cluster] and one of [recipient].
fn with_algorithms(owner: &str, recipient: &str) -> Folder {
    let spec = PATIENTS_SPEC.replace("clusters = 2", &format!("clusters = 2\n{owner}"));
    patients().with(
        "pleiad.toml",
        &format!("{spec}\n[recipient]\n{recipient}\n"),
    )
}

#[test]
fn k_prototypes_say_what_a_category_counts_for() {
    let run = people().run(&["cluster", "--algorithm", "kprototypes"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    9 rows, 3 columns, 2 clusters by k-prototypes
    cost 0.3106 (0.0345 a row), γ 0.103 (chosen), best of 10 restarts, 2 rounds, converged

    Cluster 1  5 rows, 55.6 %  ▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬
      diagnoses  {I50 100 %, I10 60 %} (all 56 %, 33 %)
      ward       Cardiology 80 % (all 44 %), Surgery 20 % (all 22 %)
      age        80.2 (mean; all 58.2)

    Cluster 2  4 rows, 44.4 %  ▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬
      diagnoses  {O80 100 %, D50 50 %} (all 44 %, 22 %)
      ward       Maternity 75 % (all 33 %), Surgery 25 % (all 22 %)
      age        30.8 (mean; all 58.2)
    ");
    let given = people().run(&["cluster", "--algorithm", "kprototypes", "--gamma", "0.5"]);
    assert!(
        given.stdout.contains("γ 0.500, best of"),
        "{}",
        given.stdout
    );
}

#[test]
fn dbscan_needs_no_number_and_sets_noise_apart() {
    // Two dense kinds of people, and one who is like nobody.
    let rows = (0..20).map(|row| format!("{},{}\n", 30 + row % 5, 60 + row % 4));
    let others = (0..20).map(|row| format!("{},{}\n", 80 + row % 5, 20 + row % 4));
    let table: String = rows.chain(others).collect();
    let folder = Folder::new().with("t.csv", &format!("age,score\n{table}5,99\n"));
    let run = folder.run(&[
        "cluster",
        "t.csv",
        "--algorithm",
        "dbscan",
        "--labels",
        "labels.csv",
    ]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    41 rows, 2 columns, 2 clusters and noise by DBSCAN
    radius 0.0179 (chosen), 5 neighbours

    Cluster 1  20 rows, 48.8 %  ▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬
      age    32.0 (mean; all 55.7)
      score  61.5 (mean; all 42.9)

    Cluster 2  20 rows, 48.8 %  ▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬
      age    82.0 (mean; all 55.7)
      score  21.5 (mean; all 42.9)

    Noise  1 row, 2.4 %  ▬▬
      score  99.0 (mean; all 42.9)
      age    5.0 (mean; all 55.7)
    ");
    let labels = folder.read("labels.csv");
    let lines: Vec<&str> = labels.lines().collect();
    assert_eq!(lines[0], "row,cluster");
    assert!(
        lines[1].ends_with(",1") || lines[1].ends_with(",2"),
        "{}",
        lines[1]
    );
    assert_eq!(lines[41], "41,-1");
    let json = folder.run(&["cluster", "t.csv", "--algorithm", "dbscan", "--json"]);
    let document: Value = serde_json::from_str(&json.stdout).unwrap();
    let numbers = document["clusters"].as_array().unwrap().iter();
    let numbers: Vec<i64> = numbers
        .map(|group| group["cluster"].as_i64().unwrap())
        .collect();
    assert_eq!(numbers, [1, 2, -1]);
    assert_eq!(document["cost"], Value::Null);
    assert_eq!(document["neighbours"], 5);
    assert!(document["radius"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_number_is_suggested_by_what_several_come_to() {
    // Three stretches of numbers far from each other.
    let rows = (0..10).flat_map(|step| [100, 500, 900].map(|start| format!("{}\n", start + step)));
    let folder = Folder::new().with("t.csv", &format!("x\n{}", rows.collect::<String>()));
    let run = folder.run(&["cluster", "t.csv", "--suggest", "2..6"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    30 rows, clusters by k-means

    clusters        cost  silhouette
           2       1.223       0.733
           3   0.0003782       0.991  ← suggested, elbow of the cost, canopy
           4   0.0002827       0.846
           5   0.0001872       0.701
           6  0.00009168       0.556

    Suggested: 3 clusters, where rows are nearest to their own cluster and farthest from the next.
    ");
    let json = folder.run(&["cluster", "t.csv", "--suggest", "--json"]);
    let document: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(document["suggested"], 3);
    assert_eq!(document["elbow"], 3);
    assert_eq!(document["canopy"], 3);
    assert_eq!(document["tried"].as_array().unwrap().len(), 11);
    let short = folder.run(&["cluster", "t.csv", "--suggest", "2..2"]);
    assert!(
        short.stdout.contains("the last number tried"),
        "{}",
        short.stdout
    );
}

#[test]
fn a_suggestion_needs_something_to_suggest() {
    let folder = people();
    for (arguments, message) in [
        (&["--suggest", "6..2"][..], "6 is more than 2"),
        (&["--suggest", "4"], "such as 2..12"),
        (&["--suggest", "1..4"], "there must be at least 2 clusters"),
        (
            &["--suggest", "--algorithm", "dbscan"],
            "DBSCAN finds the number of clusters itself",
        ),
        (
            &["--gamma", "1"],
            "--gamma is for kprototypes, not for k-means",
        ),
        (&["--radius", "0"], "it must be a finite number above 0"),
        (
            &["--algorithm", "dbscan", "--seeding", "canopy"],
            "--seeding is for kmeans and kprototypes",
        ),
    ] {
        let run = folder.run(&[&["cluster"], arguments].concat());
        assert_eq!(run.exit, 2, "{arguments:?}: {}", run.stderr);
        assert!(
            run.stderr.contains(message),
            "{arguments:?}: {}",
            run.stderr
        );
    }
    let many = folder.run(&["cluster", "--suggest", "30..40"]);
    assert_eq!(many.exit, 3, "{}", many.stderr);
}

#[test]
fn a_canopy_starts_without_chance() {
    let folder = patients();
    for algorithm in ["kmeans", "kprototypes"] {
        let run = |seed: &str| {
            let run = folder.run(&[
                "cluster",
                "--algorithm",
                algorithm,
                "--seeding",
                "canopy",
                "--seed",
                seed,
            ]);
            assert_eq!(run.exit, 0, "{}", run.stderr);
            run.stdout
        };
        assert_eq!(run("0"), run("17"));
        assert!(run("0").contains("started by canopy"));
    }
}

#[test]
fn every_clusterer_serves_the_owner_and_the_recipient() {
    for (owner, recipient) in
        ALL.into_iter()
            .zip(["dbscan", "kprototypes", "dbscan", "kprototypes"])
    {
        let folder = with_algorithms(
            &format!("algorithm = \"{owner}\""),
            &format!("algorithm = \"{recipient}\""),
        );
        let run = folder.run(&["release", "--json"]);
        assert_eq!(run.exit, 0, "{owner}, {recipient}: {}", run.stderr);
        let evaluation: Value =
            serde_json::from_str(&folder.read("release.owner/evaluation.json")).unwrap();
        assert_eq!(evaluation["structure"]["owner"], owner);
        assert_eq!(evaluation["structure"]["recipient"], recipient);
        for measure in evaluation["structure"]["measures"].as_array().unwrap() {
            let has_value = measure["value"].is_number();
            let needs_centres = measure["name"].as_str().unwrap().starts_with("F assigned");
            assert!(
                has_value || needs_centres,
                "{owner}, {recipient}: {measure}"
            );
        }
        assert_eq!(
            folder.run(&["check", "release"]).exit,
            0,
            "{owner}, {recipient}"
        );
        let found = folder.run(&["cluster", "release", "--json", "--labels", "labels.csv"]);
        assert_eq!(found.exit, 0, "{owner}, {recipient}: {}", found.stderr);
        let document: Value = serde_json::from_str(&found.stdout).unwrap();
        assert_eq!(document["algorithm"], recipient);
        assert_eq!(folder.read("labels.csv").lines().count(), 241);
    }
}

#[test]
fn a_release_says_what_its_recipient_should_tell_the_clusterer() {
    let folder = with_algorithms("radius = 0.3\nneighbours = 8", "algorithm = \"dbscan\"");
    let run = folder.run(&["release"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("The recipient clusters by DBSCAN"),
        "{}",
        run.stdout
    );
    let manifest: Value = serde_json::from_str(&folder.read("release/manifest.json")).unwrap();
    assert_eq!(manifest["cluster"]["tuning"]["radius"], 0.3);
    let found = folder.run(&["cluster", "release"]);
    assert!(
        found.stdout.contains("radius 0.300, 8 neighbours"),
        "{}",
        found.stdout
    );
}
