//! The report of any masked table that was judged, which is also what every report of a release begins with.

use pleiad::evaluate::Sides;
use pleiad::release::Evaluation;

use crate::material::{Material, Source};
use crate::page::html;

/// The report of a masked table that promises nothing itself.
pub fn report_of_evaluation(subject: &str, evaluation: &Evaluation, sides: Sides<'_>) -> String {
    html(&material(subject, evaluation, sides))
}

/// What an evaluation has to tell.
pub(crate) fn material<'a>(
    subject: &str,
    evaluation: &'a Evaluation,
    sides: Sides<'a>,
) -> Material<'a> {
    let input = &evaluation.input;
    Material {
        subject: subject.to_owned(),
        made_by: &evaluation.made_by,
        source: Source {
            file: &input.file,
            sha256: Some(&input.sha256),
            rows: input.rows,
            rows_left_out: input.rows_left_out,
            people: (input.people != input.rows).then_some(input.people),
        },
        promise: None,
        promises_kept: &evaluation.promises,
        structure: Some(&evaluation.structure),
        sides: Some(sides),
        loss: evaluation.loss.as_ref(),
        risk: evaluation.risk.as_ref(),
        refinements: &evaluation.refinements,
        account: None,
        distances: Vec::new(),
        associations: Vec::new(),
    }
}
