//! What stands first: the verdict in a few lines, figures, facts.

use std::fmt::Write as _;

use pleiad::release::Counted;

use super::{Fact, LONGEST_NAME, LONGEST_SENTENCE};
use crate::material::Material;
use crate::survival::Survival;
use crate::words::{counted, cut, grouped, number, percent};

pub(super) struct Verdict {
    pub(super) title: &'static str,
    pub(super) words: String,
}

pub(super) struct Figure {
    pub(super) value: String,
    pub(super) words: String,
}

pub(super) fn facts(material: &Material<'_>) -> Vec<Fact> {
    let source = &material.source;
    let mut facts = vec![
        Fact {
            name: "Raw table",
            value: cut(source.file, LONGEST_SENTENCE),
        },
        Fact {
            name: "Rows",
            value: grouped(source.rows),
        },
    ];
    if let Some(people) = source.people {
        facts.push(Fact {
            name: "People",
            value: grouped(people),
        });
    }
    if source.rows_left_out > 0 {
        facts.push(Fact {
            name: "Left out",
            value: format!(
                "{}: a value is missing",
                counted(source.rows_left_out, "row")
            ),
        });
    }
    if let Some(hash) = source.sha256 {
        facts.push(Fact {
            name: "SHA-256 of the raw table",
            value: cut(hash, LONGEST_NAME + 10),
        });
    }
    facts
}

pub(super) fn verdict(material: &Material<'_>) -> Option<Verdict> {
    let structure = material.structure?;
    let survival = Survival::of(structure)?;
    let mut words = survival.reasons();
    if let Some(first) = words.get(..1).map(str::to_uppercase) {
        words.replace_range(..1, &first);
    }
    if structure.rows_compared < material.source.rows {
        let compared = counted(structure.rows_compared, "row");
        let _ = write!(words, " Compared on a random sample of {compared}.");
    }
    Some(Verdict {
        title: match survival.verdict() {
            "Well kept" => "The clusters are well kept",
            "Kept in part" => "The clusters are kept in part",
            "Hardly kept" => "The clusters are hardly kept",
            _ => "Whether the clusters are kept is in doubt",
        },
        words,
    })
}

pub(super) fn figures(material: &Material<'_>) -> Vec<Figure> {
    let mut figures = Vec::new();
    let weakest = material
        .promises_kept
        .iter()
        .min_by_key(|promise| promise.smallest);
    if let Some(promise) = weakest {
        let who = match promise.counted {
            Counted::People | Counted::Rows => "people in the smallest group that looks alike",
            Counted::RowsOnly => "rows in the smallest group that looks alike",
        };
        figures.push(Figure {
            value: grouped(promise.smallest),
            words: format!("{who}; promised {}", grouped(u64::from(promise.at_least))),
        });
    }
    if let Some(account) = &material.account {
        figures.push(Figure {
            value: cut(&account.total, 16),
            words: "spent on this release, in all".to_owned(),
        });
    }
    if let Some(survival) = material.structure.and_then(Survival::of) {
        figures.push(Figure {
            value: number(survival.agreement),
            words: format!(
                "F: raw clusters found again; shuffled {}, raw itself {}",
                number(survival.agreement_floor),
                number(survival.agreement_ceiling)
            ),
        });
        figures.push(Figure {
            value: number(survival.cost_ratio),
            words: format!(
                "cost ratio, 1 is perfect; shuffled {}",
                number(survival.cost_ratio_floor)
            ),
        });
    }
    if let Some(risk) = material.risk {
        figures.push(Figure {
            value: percent(risk.prosecutor.highest),
            words: "highest chance to find a person known to be in the table".to_owned(),
        });
    }
    figures
}
