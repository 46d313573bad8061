//! The report of a release that is about to be put in place.

use pleiad::release::{Evidence, Guarantee, Manifest, UnitEntry};
use pleiad::spec::{Encoding, Positions, Score};

use crate::from_evaluation::material;
use crate::material::{Material, Promise};
use crate::page::html;
use crate::words::{counted, listed};

/// The report of a release, from everything that is known of it.
pub fn report_of_release(subject: &str, evidence: &Evidence<'_>) -> String {
    html(&Material {
        promise: Some(promise(evidence.manifest)),
        ..material(subject, evidence.evaluation, evidence.sides)
    })
}

fn promise(manifest: &Manifest) -> Promise {
    let Guarantee::Anonymity {
        in_words,
        not_promised,
        unit,
        requirements,
    } = &manifest.guarantee;
    let mut parameters: Vec<(String, String)> = requirements
        .iter()
        .map(|requirement| {
            (
                format!("Look alike in {}", listed(&requirement.columns)),
                format!("at least {} people", requirement.at_least),
            )
        })
        .collect();
    let pleiad::release::Method::Refine { score } = manifest.method;
    let score = match score {
        Score::Cluster => "information about the clusters per person lost",
        Score::Distortion => "the number of rows that become more precise",
    };
    parameters.push((
        "Method".to_owned(),
        format!("top-down refinement, steered by {score}"),
    ));
    let disclosed = match manifest.positions.disclosed {
        Positions::Uniform => "nothing beyond the masked values",
        Positions::Table => "how the rows of each masked value spread, rare values pooled",
        Positions::Group => "for each group the mean of its numbers and the shares of its values",
    };
    parameters.push(("Told of masked values".to_owned(), disclosed.to_owned()));
    let algorithm = manifest.cluster.algorithm.in_words();
    let encoding = match manifest.cluster.encoding {
        Encoding::Semantic => "",
        Encoding::OneHot => ", one-hot code",
    };
    parameters.push((
        "Made to keep".to_owned(),
        format!(
            "{} by {algorithm}{encoding}",
            counted(manifest.cluster.clusters as u64, "cluster")
        ),
    ));
    Promise {
        name: "Anonymity in a crowd (k-anonymity)".to_owned(),
        in_words: in_words.clone(),
        not_promised: not_promised.clone(),
        unit: match unit {
            UnitEntry::People => {
                "A person, told apart by a column that stays with the owner; a person may have several rows."
            }
            UnitEntry::Rows => "A row: one row is one person, as the owner asserts.",
        }
        .to_owned(),
        parameters,
    }
}
