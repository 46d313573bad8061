//! The clusters planted in the hospital table are there to be found.

use pleiad::Silent;
use pleiad::cluster::{Clusterer, Encoding, KMeans, Points};
use pleiad::evaluate::agreement::adjusted_rand;
use pleiad::evaluate::contingency::Contingency;
use pleiad::generate::Hospital;
use pleiad::spec::Spec;
use pleiad::table::{Table, read_table};

const N_ROWS: u64 = 3000;

/// The table as its own spec reads it, and the planted cluster of each row.
fn hospital(seed: u64) -> (Table, Vec<u32>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let hospital = Hospital::new(N_ROWS, seed);
    hospital
        .write_folder(folder.path())
        .expect("room for the files");
    let spec = Spec::read(&folder.path().join(Hospital::SPEC_FILE))
        .expect("the generator writes a sound spec");
    let table = read_table(&spec.data_path, &spec.plan, &Silent)
        .expect("the table fits its spec")
        .table;
    let planted = (0..N_ROWS)
        .map(|row| hospital.planted_cluster(row) as u32)
        .collect();
    (table, planted)
}

fn agreement(clusterer: &dyn Clusterer, points: &Points<'_>, planted: &[u32]) -> f64 {
    let found = clusterer
        .cluster(points, &Silent)
        .expect("more rows than clusters");
    adjusted_rand(&Contingency::from_labels(planted, &found.labels, None))
}

#[test]
fn k_means_finds_the_planted_clusters() {
    for seed in [42, 1, 2] {
        let (table, planted) = hospital(seed);
        let points = Points::new(&table, Encoding::Semantic);
        let found = agreement(&KMeans::new(Hospital::CLUSTERS), &points, &planted);
        assert!(found > 0.9, "seed {seed}: adjusted Rand {found}");
    }
}
