//! What was lost, what the groups are, and what attackers make of them.

use pleiad::evaluate::{Attack, ColumnLoss, Loss, Risk};

use super::{Fact, LONGEST_NAME, Listing, MOST_LINES};
use crate::charts::groups::ranges;
use crate::charts::{self, Chart};
use crate::words::{cut, grouped, listed, number, percent};

pub(super) struct LossView {
    pub(super) chart: Chart,
    pub(super) columns: Listing<LossLine>,
    pub(super) overall: LossLine,
    pub(super) discernibility: String,
    pub(super) average_class_size: String,
    pub(super) rows: Vec<Fact>,
}

pub(super) struct LossLine {
    pub(super) column: String,
    pub(super) level: String,
    pub(super) values: String,
    pub(super) ncp: String,
    pub(super) granularity: String,
    pub(super) entropy: String,
    pub(super) suppressed: String,
}

pub(super) struct GroupsView {
    pub(super) chart: Chart,
    pub(super) ranges: Vec<[String; 3]>,
}

pub(super) struct RiskView {
    pub(super) columns: String,
    pub(super) people: String,
    pub(super) threshold: String,
    pub(super) attackers: Vec<Attacker>,
    pub(super) marketer: String,
    pub(super) uniques: String,
}

pub(super) struct Attacker {
    pub(super) name: &'static str,
    pub(super) words: &'static str,
    pub(super) highest: String,
    pub(super) average: String,
    pub(super) above: String,
}

impl LossView {
    pub(super) fn of(loss: &Loss) -> Self {
        let drawn = &loss.columns[..loss.columns.len().min(MOST_LINES)];
        let rows = &loss.rows;
        Self {
            chart: charts::loss(drawn),
            columns: Listing::of(&loss.columns, MOST_LINES, |_, column| loss_line(column)),
            overall: LossLine {
                column: "Mean".to_owned(),
                level: String::new(),
                values: String::new(),
                ncp: number(loss.ncp),
                granularity: number(loss.granularity),
                entropy: number(loss.entropy),
                suppressed: String::new(),
            },
            discernibility: format!("{:.4}", loss.discernibility),
            average_class_size: format!("{:.1}", loss.average_class_size),
            rows: vec![
                Fact {
                    name: "Raw rows",
                    value: grouped(rows.raw),
                },
                Fact {
                    name: "Published",
                    value: grouped(rows.published),
                },
                Fact {
                    name: "Suppressed",
                    value: grouped(rows.suppressed),
                },
                Fact {
                    name: "Dropped",
                    value: grouped(rows.dropped),
                },
            ],
        }
    }
}

fn loss_line(column: &ColumnLoss) -> LossLine {
    LossLine {
        column: cut(&column.column, LONGEST_NAME),
        level: cut(&column.level, LONGEST_NAME),
        values: format!(
            "{} → {}",
            grouped(column.values_before),
            grouped(column.values_after)
        ),
        ncp: number(column.ncp),
        granularity: number(column.granularity),
        entropy: number(column.entropy),
        suppressed: grouped(column.suppressed),
    }
}

impl GroupsView {
    pub(super) fn of(loss: &Loss) -> Option<Self> {
        let ranges = ranges(&loss.class_sizes);
        (!ranges.is_empty()).then(|| Self {
            chart: charts::group_sizes(&ranges),
            ranges: ranges
                .into_iter()
                .map(|range| [range.name, grouped(range.groups), grouped(range.people)])
                .collect(),
        })
    }
}

impl RiskView {
    pub(super) fn of(risk: &Risk) -> Self {
        let attacker = |name, words, attack: Attack| Attacker {
            name,
            words,
            highest: percent(attack.highest),
            average: percent(attack.average),
            above: percent(attack.above_threshold),
        };
        let mut attackers = vec![attacker(
            "Prosecutor",
            "looks for one person, and knows that the person is in the table",
            risk.prosecutor,
        )];
        attackers.extend(risk.journalist.map(|attack| {
            attacker(
                "Journalist",
                "looks for one person, and does not know whether the person is in the table",
                attack,
            )
        }));
        Self {
            columns: listed(&risk.columns),
            people: grouped(risk.people),
            threshold: percent(risk.threshold),
            attackers,
            marketer: percent(risk.marketer),
            uniques: grouped(risk.uniques),
        }
    }
}
