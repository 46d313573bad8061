//! Whether a masked table is good, why, and what to try.

use std::fmt::Write as _;

use pleiad::evaluate::{Loss, Risk, RowsLost};
use pleiad::release::{AlignedBy, Evaluation};
use pleiad_report::{Kept, Survival};

use super::text::{counted, grouped, percent};
use crate::terminal::visible;

/// A share of rows that tell nothing from which on it is worth a word.
const MANY_ROWS: f64 = 0.05;

/// A verdict with its reasons.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verdict<'e> {
    evaluation: &'e Evaluation,
    kept: Option<Kept>,
}

impl<'e> Verdict<'e> {
    pub(super) fn of(evaluation: &'e Evaluation) -> Self {
        Self {
            evaluation,
            kept: Survival::of(&evaluation.structure).map(|survival| survival.kept()),
        }
    }

    /// The share of people at a high risk, to the attacker who is told most of: nothing where no row is somebody's.
    fn at_risk(&self) -> Option<f64> {
        let risk = self.evaluation.risk.as_ref()?;
        let attack = risk.journalist.as_ref().unwrap_or(&risk.prosecutor);
        Some(attack.above_threshold)
    }

    /// The verdict and its reasons in a sentence.
    pub(super) fn in_words(&self) -> String {
        let clusters = match self.kept {
            Some(Kept::Well) => "the clusters survived",
            Some(Kept::InPart) => "the clusters survived in part",
            Some(Kept::Hardly) => "the clusters hardly survived",
            Some(Kept::InDoubt) => "whether the clusters survived is in doubt",
            None => "the clusters could not be compared",
        };
        match (self.at_risk(), self.kept) {
            (None, _) => {
                let first = clusters[..1].to_uppercase();
                format!(
                    "{first}{}. Risk is not measured: no row is known to be somebody's.",
                    &clusters[1..]
                )
            }
            (Some(share), _) if share > 0.0 => {
                let though = match self.evaluation.promises.len() {
                    0 => "",
                    1 => ", though the promise is kept",
                    _ => ", though every promise is kept",
                };
                format!(
                    "Not safe{though}: {} of the people can be found too easily. And {clusters}.",
                    percent(share)
                )
            }
            (Some(_), Some(Kept::Well)) => {
                format!("Good: nobody stands out by the quasi columns, and {clusters}.")
            }
            (Some(_), Some(Kept::InPart)) => {
                format!("Of use: nobody stands out by the quasi columns, and {clusters}.")
            }
            (Some(_), Some(Kept::Hardly)) => {
                format!(
                    "Safe, but of little use: nobody stands out by the quasi columns, but {clusters}."
                )
            }
            (Some(_), Some(Kept::InDoubt) | None) => {
                format!("Safe: nobody stands out by the quasi columns. But {clusters}.")
            }
        }
    }

    /// What could make it better.
    pub(super) fn what_to_try(&self) -> String {
        let evaluation = self.evaluation;
        let is_ours = !evaluation.promises.is_empty();
        let mut advice: Vec<&str> = Vec::new();
        if self.by_order_in_doubt() {
            advice.push(
                "Many cells contradict the raw ones: are the rows in the same order? `--key` or `--map` aligns them.",
            );
        }
        if self.at_risk().is_some_and(|share| share > 0.0) {
            advice.push(if is_ours {
                "A higher `anonymity`, for all quasi columns together."
            } else {
                "Generalise or suppress until more people look alike; `pleiad release` does so by the clusters."
            });
        }
        if self.many_rows_tell_nothing() {
            advice.push("Generalise more, so that fewer rows have to be suppressed or dropped.");
        }
        match self.kept {
            Some(Kept::InPart | Kept::Hardly) if is_ours => advice.push(
                "`positions = \"group\"` tells where groups lie; a lower `anonymity` or fewer quasi columns tell more.",
            ),
            Some(Kept::InPart | Kept::Hardly) => {
                advice.push("`pleiad release` with the same spec keeps what the clusters need.");
            }
            Some(Kept::InDoubt) => {
                advice.push("Another number of clusters, by which the raw table is clustered more firmly.");
            }
            Some(Kept::Well) | None => {}
        }
        if advice.is_empty() {
            return "Nothing needs to change.".to_owned();
        }
        advice.join(" ")
    }

    fn by_order_in_doubt(&self) -> bool {
        let (Some(masked), Some(loss)) = (&self.evaluation.masked, &self.evaluation.loss) else {
            return false;
        };
        let cells = loss.rows.published * loss.columns.len() as u64;
        masked.aligned == AlignedBy::Order
            && masked.contradicted_cells as f64 > MANY_ROWS * cells as f64
    }

    fn many_rows_tell_nothing(&self) -> bool {
        self.evaluation.loss.as_ref().is_some_and(|loss| {
            let silent = loss.rows.suppressed + loss.rows.dropped;
            silent as f64 > MANY_ROWS * loss.rows.raw as f64
        })
    }
}

/// Who is found how easily.
pub(super) fn risk_in_words(risk: &Risk) -> String {
    let prosecutor = &risk.prosecutor;
    let alone = match risk.uniques {
        0 => "nobody is alone".to_owned(),
        1 => "one person is alone".to_owned(),
        several => format!("{} are alone", grouped(several)),
    };
    let mut words = format!(
        "Whoever knows a person's {} finds the easiest of {} people with a chance of {:.3}, the average one of {:.3}; \
         {} above {}; {alone} in a group.",
        match risk.columns.len() {
            1 => format!("`{}`", visible(&risk.columns[0])),
            several => format!("{several} quasi columns"),
        },
        grouped(risk.people),
        prosecutor.highest,
        prosecutor.average,
        if prosecutor.above_threshold > 0.0 {
            format!("{} are", percent(prosecutor.above_threshold))
        } else {
            "nobody is".to_owned()
        },
        risk.threshold,
    );
    if let Some(journalist) = &risk.journalist {
        let _ = write!(
            words,
            " Among the population: {:.3} at most, {:.3} on average, {} above {}.",
            journalist.highest,
            journalist.average,
            percent(journalist.above_threshold),
            risk.threshold
        );
    }
    if let Some(lacking @ 1..) = risk.not_in_population {
        let _ = write!(
            words,
            " The population lacks {} of the table's people: they count as there.",
            grouped(lacking)
        );
    }
    words
}

/// What was lost, and where most.
pub(super) fn loss_in_words(loss: &Loss) -> String {
    let mut words = format!(
        "A value may stand for {} of its domain on average (NCP {:.2}); granularity {:.2} and entropy {:.2} of 1 are left.",
        percent(loss.ncp),
        loss.ncp,
        loss.granularity,
        loss.entropy
    );
    let most = loss.columns.iter().max_by(|a, b| a.ncp.total_cmp(&b.ncp));
    if let Some(most) = most.filter(|most| most.ncp > 0.0 && loss.columns.len() > 1) {
        let _ = write!(
            words,
            " `{}` lost most: NCP {:.2}, {}.",
            visible(&most.column),
            most.ncp,
            most.level
        );
    }
    let contradicted: u64 = loss.columns.iter().map(|column| column.contradicted).sum();
    if contradicted > 0 {
        let _ = write!(
            words,
            " {} cannot stand for the raw value.",
            counted(contradicted, "cell")
        );
    }
    words
}

/// Which rows are there.
pub(super) fn rows_in_words(rows: &RowsLost) -> String {
    if rows.suppressed == 0 && rows.dropped == 0 {
        return format!("All {} are there; none is suppressed.", grouped(rows.raw));
    }
    format!(
        "Of {} {} tell something, {} are suppressed and {} are not there. The measures are about those that tell something.",
        counted(rows.raw, "row"),
        grouped(rows.published),
        grouped(rows.suppressed),
        grouped(rows.dropped)
    )
}
