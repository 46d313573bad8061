//! The report of a private release that is about to be put in place.

use pleiad::release::{Evidence, PrivateManifest, PrivateMethodName, UnitEntry};

use crate::from_evaluation::material;
use crate::material::{Association, ColumnDistance, Material, PrivacyAccount, Promise};
use crate::page::html;
use crate::words::{counted, grouped, number};

/// The report of a private release, from everything that is known of it.
pub fn report_of_private_release(
    subject: &str,
    evidence: &Evidence<'_, PrivateManifest>,
) -> String {
    let measured = evidence.evaluation.privacy.as_ref();
    html(&Material {
        promise: Some(promise(evidence)),
        account: Some(PrivacyAccount::of(&evidence.manifest.guarantee.account)),
        distances: measured
            .iter()
            .flat_map(|measured| &measured.columns)
            .map(|column| ColumnDistance {
                column: column.column.clone(),
                distance: column.distance,
            })
            .collect(),
        associations: measured
            .iter()
            .flat_map(|measured| &measured.associations)
            .map(|pair| Association {
                columns: pair.columns.clone(),
                before: pair.raw,
                after: pair.released,
            })
            .collect(),
        ..material(subject, evidence.evaluation, evidence.sides)
    })
}

fn promise(evidence: &Evidence<'_, PrivateManifest>) -> Promise {
    let manifest = evidence.manifest;
    let guarantee = &manifest.guarantee;
    let PrivateMethodName::Mosaic { tuned } = manifest.method;
    let method = if tuned {
        "mosaic, its settings chosen by a private score"
    } else {
        "mosaic"
    };
    let mut parameters = vec![
        ("ε".to_owned(), guarantee.epsilon.clone()),
        ("Method".to_owned(), method.to_owned()),
        (
            "Published".to_owned(),
            format!(
                "{} about people who do not exist, and the {} they were drawn from",
                counted(manifest.data.rows, "row"),
                counted(manifest.cells.cells, "cell")
            ),
        ),
    ];
    if !manifest.cells.cuts.is_empty() {
        let cuts = manifest.cells.cuts.join("; ");
        parameters.push(("Cells were cut by".to_owned(), cuts));
    }
    if let Some(measured) = &evidence.evaluation.privacy {
        parameters.push((
            "Cost ratio of the cells without noise".to_owned(),
            number(measured.cost_of_cells),
        ));
        parameters.push((
            "What the noise adds".to_owned(),
            number(measured.cost_of_noise),
        ));
        for taken_in in &measured.taken_in {
            parameters.push((
                format!("Not of the stated domain of {}", taken_in.column),
                format!(
                    "{} cells, taken for the nearest thing",
                    grouped(taken_in.cells)
                ),
            ));
        }
    }
    Promise {
        name: "Differential privacy".to_owned(),
        in_words: guarantee.in_words.clone(),
        not_promised: guarantee.not_promised.clone(),
        unit: match guarantee.unit {
            UnitEntry::People => {
                "A person, told apart by a column that stays with the owner; one row of each was used."
            }
            UnitEntry::Rows => "A row: one row is one person, as the owner asserts.",
        }
        .to_owned(),
        parameters,
    }
}
