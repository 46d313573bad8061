//! What clusterers are told.

use super::*;

/// A spec whose section [cluster] says this too, from line 5 on.
fn told(cluster: &str) -> String {
    format!(
        "[data]\npath = \"t.csv\"\n[cluster]\nclusters = 3\n{cluster}\n[columns]\nx.kind = \"numeric\"\n"
    )
}

fn tuning(cluster: &str) -> Tuning {
    parse(&told(cluster)).unwrap().cluster.tuning
}

#[test]
fn every_clusterer_has_a_name() {
    for (name, algorithm) in [
        ("kmeans", Algorithm::KMeans),
        ("bisecting", Algorithm::Bisecting),
        ("kprototypes", Algorithm::KPrototypes),
        ("dbscan", Algorithm::Dbscan),
    ] {
        let spec = parse(&told(&format!("algorithm = \"{name}\""))).unwrap();
        assert_eq!(spec.cluster.algorithm, algorithm);
        assert_eq!(spec.recipient, algorithm);
        assert!(spec.cluster.tuning.is_usual());
    }
}

#[test]
fn what_clusterers_are_told_arrives() {
    assert_eq!(
        tuning("algorithm = \"kprototypes\"\nseeding = \"canopy\"\ngamma = 0.12"),
        Tuning {
            seeding: Seeding::Canopy,
            gamma: Some(0.12),
            ..Tuning::default()
        }
    );
    assert_eq!(
        tuning("algorithm = \"dbscan\"\nradius = 1\nneighbours = 12"),
        Tuning {
            radius: Some(1.0),
            neighbours: Some(12),
            ..Tuning::default()
        }
    );
    // The recipient may be the one who hears it.
    let heard = told("radius = 0.3") + "[recipient]\nalgorithm = \"dbscan\"\n";
    assert_eq!(parse(&heard).unwrap().cluster.tuning.radius, Some(0.3));
}

#[test]
fn what_no_clusterer_hears_is_a_mistake() {
    let hint = "hint: neither [cluster] nor [recipient] uses it: leave the key out";
    for (written, place, by) in [
        ("gamma = 0.1", "5:9: `gamma`", "k-prototypes"),
        ("radius = 0.1", "5:10: `radius`", "DBSCAN"),
        ("neighbours = 4", "5:14: `neighbours`", "DBSCAN"),
        (
            "seeding = \"canopy\"\nalgorithm = \"dbscan\"",
            "5:11: `seeding`",
            "k-means and k-prototypes",
        ),
    ] {
        let message = format!("pleiad.toml:{place} is for {by}\n{hint}");
        assert_refused(&told(written), &message);
    }
}

#[test]
fn amounts_that_mean_nothing_are_refused() {
    for (written, message) in [
        (
            "algorithm = \"kprototypes\"\ngamma = 0",
            "6:9: the weight of a category that differs must be a finite number above 0",
        ),
        (
            "algorithm = \"dbscan\"\nradius = -0.5",
            "6:10: the radius must be a finite number above 0",
        ),
        (
            "algorithm = \"dbscan\"\nneighbours = 0",
            "6:14: there must be at least 1 neighbour: a row counts itself",
        ),
        (
            "algorithm = \"dbscan\"\nneighbours = 5000000000",
            "6:14: no row has so many neighbours",
        ),
    ] {
        assert_refused(&told(written), &format!("pleiad.toml:{message}"));
    }
    let unknown = "pleiad.toml:5:11: `canapy` is not known here\nhint: did you mean `canopy`?";
    assert_refused(&told("seeding = \"canapy\""), unknown);
}
