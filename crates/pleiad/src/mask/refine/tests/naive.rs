//! Top-down refinement as it is defined, without a thought for speed: every round masks every row anew under every
//! candidate and counts the people of every group. Shares nothing with the fast search but the formula of the gain.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::super::gain::information_gain;
use super::super::{AnonymityLoss, RefineParams, Refinement, Score, Split};
use super::cells::{Cell, Way, cell, raw_cell, refine_cell, ways};
use crate::privacy::{QuasiIdentifier, Requirement};
use crate::repeatable::Repeatable;
use crate::table::{Domain, Leaf, MaskedValue, Place, Table};

/// What is to be masked, and how.
pub(super) struct Case<'t> {
    table: &'t Table,
    labels: &'t [u32],
    requirement: &'t Requirement,
    params: &'t RefineParams,
}

/// A refinement that may be chosen.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) column: usize,
    way: Way,
    pub(super) score: f64,
    gain: f64,
    loss: f64,
    n_rows: u64,
    is_valid: bool,
}

/// The masked cells of the columns of the requirement; nothing for other columns.
#[derive(Debug, Clone)]
pub(super) struct State(Vec<Option<Vec<Cell>>>);

impl<'t> Case<'t> {
    pub(super) fn new(
        table: &'t Table,
        labels: &'t [u32],
        requirement: &'t Requirement,
        params: &'t RefineParams,
    ) -> Self {
        Self {
            table,
            labels,
            requirement,
            params,
        }
    }

    fn person(&self, row: usize) -> u32 {
        self.table
            .people()
            .map_or(row as u32, |people| people.of_row[row])
    }

    /// Refines until nothing may be refined.
    pub(super) fn run(&self) -> (State, Vec<Refinement>) {
        let mut state = State::hidden(self);
        let mut trace = Vec::new();
        let mut choices = Repeatable::new(self.params.seed);
        loop {
            let candidates = state.candidates(self);
            let best = candidates
                .iter()
                .map(|candidate| candidate.score)
                .fold(f64::NEG_INFINITY, f64::max);
            let ties: Vec<&Candidate> = candidates
                .iter()
                .filter(|candidate| candidate.score.total_cmp(&best).is_eq())
                .collect();
            let Some(&first) = ties.first() else {
                return (state, trace);
            };
            let chosen = match self.params.score {
                Score::Cluster => first,
                Score::Distortion => ties[choices.below(ties.len() as u128) as usize],
            };
            trace.push(self.refinement(chosen));
            state = state.refined(self, chosen.column, chosen.way);
        }
    }

    fn refinement(&self, candidate: &Candidate) -> Refinement {
        let domain = &self.table.fields()[candidate.column].domain;
        let taxonomy = || &domain.tree().unwrap().taxonomy;
        let (value, at) = match (candidate.way, domain) {
            (Way::Children(node), _) => (taxonomy().label(node).to_owned(), None),
            (Way::Disclose(leaf), _) => {
                ("*".to_owned(), Some(taxonomy().leaf_label(leaf).to_owned()))
            }
            (Way::Split(first, last, at), Domain::Numbers { interval, .. }) => (
                MaskedValue::range(first, last).text(domain),
                Some(interval.text(at)),
            ),
            _ => ("*".to_owned(), None),
        };
        Refinement {
            column: candidate.column,
            value,
            at,
            score: candidate.score,
            gain: candidate.gain,
            loss: candidate.loss,
            n_rows: candidate.n_rows,
        }
    }
}

impl State {
    /// Everything hidden.
    pub(super) fn hidden(case: &Case<'_>) -> Self {
        let columns = 0..case.table.columns().len();
        Self(
            columns
                .map(|column| {
                    case.requirement.at_least_for(column)?;
                    let cell = match &case.table.fields()[column].domain {
                        Domain::Values(tree) if tree.is_star => Cell::Hidden,
                        Domain::Values(_) => Cell::Node(0),
                        Domain::Sets { .. } => Cell::Items(BTreeSet::from([0])),
                        Domain::Numbers {
                            may_be_missing: true,
                            ..
                        } => Cell::NumberOrMissing,
                        Domain::Numbers { interval, .. } => Cell::Interval(0, interval.last()),
                    };
                    Some(vec![cell; case.table.n_rows()])
                })
                .collect(),
        )
    }

    fn cells(&self, column: usize) -> &[Cell] {
        self.0[column].as_deref().expect("a masked column")
    }

    /// The state after a refinement.
    fn refined(&self, case: &Case<'_>, column: usize, way: Way) -> Self {
        let mut state = self.clone();
        let cells = state.0[column].as_mut().expect("a masked column");
        for (row, cell) in cells.iter_mut().enumerate() {
            if let Some(refined) = refine_cell(cell, raw_cell(case.table, column, row), way) {
                *cell = refined;
            }
        }
        state
    }

    /// The refinements that keep the promise and may be chosen, in the order that breaks ties.
    pub(super) fn candidates(&self, case: &Case<'_>) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for column in 0..self.0.len() {
            let Some(cells) = &self.0[column] else {
                continue;
            };
            let mut intervals: BTreeMap<Place, Vec<Candidate>> = BTreeMap::new();
            for way in ways(case.table, column, cells) {
                let candidate = self.candidate(case, column, way);
                match way {
                    Way::Split(first, ..) => intervals.entry(first).or_default().push(candidate),
                    _ => candidates.extend(candidate.is_valid.then_some(candidate)),
                }
            }
            // One split stands for each interval.
            for mut splits in intervals.into_values() {
                if case.params.split == Split::BestValid {
                    splits.retain(|split| split.is_valid);
                }
                let best = splits.iter().map(|split| split.gain).fold(0.0, f64::max);
                let first = splits.into_iter().find(|split| split.gain >= best);
                candidates.extend(first.filter(|split| split.is_valid));
            }
        }
        candidates
    }

    fn candidate(&self, case: &Case<'_>, column: usize, way: Way) -> Candidate {
        let after = self.refined(case, column, way);
        let carrying: Vec<usize> = (0..case.table.n_rows())
            .filter(|&row| {
                refine_cell(
                    &self.cells(column)[row],
                    raw_cell(case.table, column, row),
                    way,
                )
                .is_some()
            })
            .collect();
        let everything: Vec<usize> = (0..case.table.n_rows()).collect();
        let measured = match case.params.loss {
            AnonymityLoss::Carrying => &carrying,
            AnonymityLoss::WholeTable => &everything,
        };
        let qids: Vec<&QuasiIdentifier> = case
            .requirement
            .quasi_identifiers()
            .iter()
            .filter(|qid| qid.columns().contains(&column))
            .collect();
        let is_valid = qids.iter().all(|qid| {
            after.smallest_group(case, qid.columns(), &everything) >= qid.at_least() as usize
        });
        // A group carries the value with all of its rows or with none, so the rows that carry it have the groups that
        // carry it. What an impossible refinement would cost does not matter.
        let drop = |qid: &&QuasiIdentifier| {
            self.smallest_group(case, qid.columns(), measured)
                - after.smallest_group(case, qid.columns(), measured)
        };
        let total: usize = qids.iter().filter(|_| is_valid).map(drop).sum();
        let loss = total as f64 / qids.len() as f64;
        let gain = self.gain(case, column, &after, &carrying);
        Candidate {
            column,
            way,
            score: match case.params.score {
                Score::Cluster => gain / (loss + 1.0),
                Score::Distortion => carrying.len() as f64,
            },
            gain,
            loss,
            n_rows: carrying.len() as u64,
            is_valid,
        }
    }

    /// The number of people in the smallest group that some of the rows fall into.
    fn smallest_group(&self, case: &Case<'_>, columns: &[usize], rows: &[usize]) -> usize {
        let mut groups: HashMap<Vec<&Cell>, HashSet<u32>> = HashMap::new();
        for &row in rows {
            let group = columns.iter().map(|&column| &self.cells(column)[row]);
            let people = groups.entry(group.collect()).or_default();
            people.insert(case.person(row));
        }
        groups.values().map(HashSet::len).min().unwrap()
    }

    fn gain(&self, case: &Case<'_>, column: usize, after: &Self, carrying: &[usize]) -> f64 {
        let n_classes = case
            .labels
            .iter()
            .max()
            .map_or(1, |&label| label as usize + 1);
        let mut whole = vec![0; n_classes];
        let mut parts: BTreeMap<Cell, Vec<u64>> = BTreeMap::new();
        for &row in carrying {
            let label = case.labels[row] as usize;
            whole[label] += 1;
            let told = match (&self.cells(column)[row], &after.cells(column)[row]) {
                // A set says other things too: only what the value became tells something new.
                (Cell::Items(before), Cell::Items(after)) => {
                    Cell::Items(after.difference(before).copied().collect())
                }
                (_, after) => after.clone(),
            };
            parts.entry(told).or_insert_with(|| vec![0; n_classes])[label] += 1;
        }
        information_gain(&whole, parts.values().map(Vec::as_slice))
    }

    /// The state that a masked table is in.
    pub(super) fn of_masked(case: &Case<'_>, masked: &Table) -> Self {
        let columns = 0..masked.columns().len();
        Self(
            columns
                .map(|column| {
                    case.requirement.at_least_for(column)?;
                    let domain = &case.table.fields()[column].domain;
                    let values = super::masked_values(masked, column);
                    Some(values.iter().map(|value| cell(domain, value)).collect())
                })
                .collect(),
        )
    }

    /// The cells of a column as the table says them.
    pub(super) fn masked_values(&self, case: &Case<'_>, column: usize) -> Vec<MaskedValue> {
        let domain = &case.table.fields()[column].domain;
        let tree = || domain.tree().unwrap();
        let disclosed: BTreeSet<Leaf> = self
            .cells(column)
            .iter()
            .filter_map(|cell| match cell {
                Cell::Disclosed(leaf) => Some(*leaf),
                _ => None,
            })
            .collect();
        let value = |cell: &Cell| match cell {
            Cell::Node(node) => MaskedValue::under(tree(), *node),
            Cell::Hidden if disclosed.is_empty() => MaskedValue::Anything,
            Cell::Hidden => {
                let leaves = 0..tree().taxonomy.n_leaves() as Leaf;
                MaskedValue::Rest(leaves.filter(|leaf| !disclosed.contains(leaf)).collect())
            }
            Cell::Disclosed(leaf) => {
                MaskedValue::under(tree(), tree().taxonomy.node_of_leaf(*leaf))
            }
            Cell::NumberOrMissing => MaskedValue::Anything,
            Cell::Missing => MaskedValue::Missing,
            Cell::Interval(first, last) => MaskedValue::range(*first, *last),
            Cell::Items(nodes) => MaskedValue::items(tree(), nodes.iter().copied().collect()),
        };
        self.cells(column).iter().map(value).collect()
    }
}
