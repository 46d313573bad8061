//! Words about a private release: for its recipient, and for whoever has to sign.

use super::manifest::PrivateManifest;
use crate::release::manifest::UnitEntry;

/// What is promised.
pub(super) fn promise(epsilon: &str, unit: UnitEntry) -> Vec<String> {
    vec![
        format!(
            "Nothing that can be concluded from this release is more than e^{epsilon} times as likely with a person in the \
             table as without (differential privacy, ε = {epsilon}, one person added or removed)."
        ),
        match unit {
            UnitEntry::People => "One row of each person was used.",
            UnitEntry::Rows => "One row is one person: so the owner of the table asserts.",
        }
        .to_owned(),
    ]
}

/// What is not promised.
pub(super) fn not_promised(looks_before: u64) -> Vec<String> {
    let mut sentences = vec![
        "What is true of people in general is published, and may be true of somebody who is not in the table."
            .to_owned(),
        "Releases about the same people add up: the owner's ledger says how much was spent in all."
            .to_owned(),
    ];
    if looks_before > 0 {
        sentences.push(
            "An evaluation of the raw table had been looked at before: ε covers the mechanism, not the choice of it."
                .to_owned(),
        );
    }
    sentences
}

/// The page that goes with the release.
pub(super) fn for_recipient(manifest: &PrivateManifest) -> String {
    let guarantee = &manifest.guarantee;
    let list = |sentences: &[String]| -> String {
        let lines = sentences.iter().map(|sentence| format!("- {sentence}\n"));
        lines.collect()
    };
    format!(
        "# A table about people who do not exist\n\n\
         `{}` has {} rows, drawn from what was measured privately about real people; none of them is a person. It was \
         made by {}.\n\n\
         ## What is promised\n\n{}\nWhat is not:\n\n{}\n\
         ## What is there\n\n\
         The rows were drawn from {} cells in `{}`: what is possible in each, and how many people are in it (`_count`), noise \
         included. `{}` says how the people of each cell (`group` is its `_cell`) spread over the values of each column; of \
         numbers it has the mean. Columns, their domains and what each step cost are in `manifest.json`.\n\n\
         The table was made to be clustered, as often and in whatever way you like: nothing of that costs anybody privacy. What \
         is connected inside a cluster is kept in part only.\n",
        manifest.data.file,
        manifest.data.rows,
        manifest.made_by,
        list(&guarantee.in_words),
        list(&guarantee.not_promised),
        manifest.cells.cells,
        manifest.cells.file,
        manifest.cells.positions,
    )
}
