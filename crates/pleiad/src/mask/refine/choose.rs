//! Which refinement is the best.

use super::candidate::OpenValue;
use super::params::{AnonymityLoss, Score};
use super::run::Search;
use crate::table::Node;

/// A refinement that may be made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// The column, by its number among those that are masked, and the open value.
    pub(super) column: usize,
    pub(super) node: Node,
    /// The split or the disclosed code.
    pub(super) at: u32,
    pub(super) score: f64,
    pub(super) gain: f64,
    pub(super) loss: f64,
}

impl Search<'_> {
    /// The refinement with the highest score; ties go to the first column, then the first node, then the smaller
    /// threshold or value.
    pub(super) fn choose(&mut self) -> Option<Choice> {
        match self.params.score {
            Score::Cluster => self.choose_by_gain(),
            Score::Distortion => self.choose_by_rows(),
        }
    }

    fn choose_by_gain(&mut self) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        let mut options = Vec::new();
        for column in 0..self.columns.len() {
            let mut opens = std::mem::take(&mut self.columns[column].opens);
            for (&node, value) in &mut opens {
                value.options(&self.columns[column].forbidden, &mut options);
                for &(at, gain) in &options {
                    // The score is never above the gain: what cannot win need not be measured.
                    if best.is_some_and(|best| gain <= best.score) {
                        continue;
                    }
                    let loss = self.loss(column, value, at);
                    let score = gain / (loss + 1.0);
                    if best.is_none_or(|best| score > best.score) {
                        best = Some(Choice {
                            column,
                            node,
                            at,
                            score,
                            gain,
                            loss,
                        });
                    }
                }
            }
            self.columns[column].opens = opens;
        }
        best
    }

    fn choose_by_rows(&mut self) -> Option<Choice> {
        let mut best: Vec<Choice> = Vec::new();
        let mut most = 0;
        let mut options = Vec::new();
        for (number, column) in self.columns.iter_mut().enumerate() {
            for (&node, value) in &mut column.opens {
                if value.n_rows < most {
                    continue;
                }
                if value.n_rows > most {
                    most = value.n_rows;
                    best.clear();
                }
                value.options(&column.forbidden, &mut options);
                best.extend(options.iter().map(|&(at, gain)| Choice {
                    column: number,
                    node,
                    at,
                    score: most as f64,
                    gain,
                    loss: 0.0,
                }));
            }
        }
        if best.is_empty() {
            return None;
        }
        let mut choice = best[self.choices.below(best.len() as u128) as usize];
        let mut opens = std::mem::take(&mut self.columns[choice.column].opens);
        if let Some(value) = opens.get_mut(&choice.node) {
            choice.loss = self.loss(choice.column, value, choice.at);
        }
        self.columns[choice.column].opens = opens;
        Some(choice)
    }

    /// What a refinement costs: the drop of the smallest group, averaged over the quasi-identifiers with the column.
    fn loss(&self, column: usize, value: &mut OpenValue, at: u32) -> f64 {
        let column = &self.columns[column];
        value.measure(at, &column.codes, |slot, group| {
            self.qids[column.qids[slot]].rows(group, self.people.as_ref())
        });
        let total: u64 = (column.qids.iter().enumerate())
            .map(|(slot, &qid)| {
                let smallest = value.smallest(slot, at);
                let before = match self.params.loss {
                    AnonymityLoss::Carrying => smallest.before,
                    AnonymityLoss::WholeTable => self.qids[qid].smallest,
                };
                u64::from(before - smallest.after.min(before))
            })
            .sum();
        total as f64 / column.qids.len() as f64
    }
}
