//! The search: refine the best open value until none is left that may be refined.

use super::candidate::{Group, Scratch};
use super::choose::Choice;
use super::column::MaskColumn;
use super::outcome::{Refined, Refinement, masked_column};
use super::params::RefineParams;
use super::partition::{Partition, Rows, SplitScratch};
use super::shape::{Parts, Shape};
use crate::error::Result;
use crate::privacy::Requirement;
use crate::progress::{Amount, Progress};
use crate::repeatable::Repeatable;
use crate::table::{Column, Place, Table};

/// Masks a table under an anonymity requirement, steering by the labels of its rows.
///
/// # Errors
/// A threshold above the number of people; columns that are masked already.
pub fn refine(
    table: &Table,
    labels: &[u32],
    requirement: &Requirement,
    params: &RefineParams,
    progress: &dyn Progress,
) -> Result<Refined> {
    assert_eq!(labels.len(), table.n_rows(), "a label for each row");
    assert!(table.weights().is_none(), "rows, not weights, are masked");
    let n_people = table
        .people()
        .map_or(table.n_rows(), |people| people.n_people);
    for qid in requirement.quasi_identifiers() {
        assert!(
            qid.columns().last() < Some(&table.columns().len()),
            "columns of the table"
        );
    }
    requirement.check_people(n_people)?;
    let mut search = Search::new(table, labels, requirement, params)?;
    progress.begin("masking", 0, Amount::Steps);
    while let Some(choice) = search.choose() {
        search.apply(choice);
        progress.advance(1);
    }
    progress.end();
    Ok(search.finish())
}

/// A search under way.
pub(super) struct Search<'t> {
    table: &'t Table,
    pub(super) params: &'t RefineParams,
    pub(super) people: Option<People>,
    pub(super) columns: Vec<MaskColumn<'t>>,
    pub(super) qids: Vec<Qid>,
    trace: Vec<Refinement>,
    pub(super) choices: Repeatable,
    scratch: Scratch,
    split_scratch: SplitScratch,
}

/// The rows of the search when they are about people: those of one person together.
pub(super) struct People {
    /// The row of the table that each is.
    order: Vec<u32>,
    of_row: Vec<u32>,
}

/// A quasi-identifier.
pub(super) struct Qid {
    partition: Partition,
    at_least: u32,
    /// Its columns, by their number among those that are masked, with its slot there.
    columns: Vec<(usize, usize)>,
    /// People in the smallest group.
    pub(super) smallest: u32,
}

impl Qid {
    pub(super) fn rows<'a>(&'a self, group: u32, people: Option<&'a People>) -> Rows<'a> {
        Rows {
            rows: self.partition.group(group),
            person_of_row: people.map(|people| &people.of_row[..]),
        }
    }
}

impl<'t> Search<'t> {
    fn new(
        table: &'t Table,
        labels: &[u32],
        requirement: &Requirement,
        params: &'t RefineParams,
    ) -> Result<Self> {
        let (labels, n_classes) = dense_labels(labels);
        let people = table.people().map(|people| {
            let mut order: Vec<u32> = (0..table.n_rows() as u32).collect();
            order.sort_by_key(|&row| people.of_row[row as usize]);
            let of_row = order.iter().map(|&row| people.of_row[row as usize]);
            People {
                of_row: of_row.collect(),
                order,
            }
        });
        let order = people.as_ref().map(|people| &people.order[..]);
        let mut qids: Vec<Qid> = requirement
            .quasi_identifiers()
            .iter()
            .map(|qid| Qid {
                partition: Partition::whole(table.n_rows()),
                at_least: qid.at_least(),
                columns: Vec::new(),
                smallest: u32::MAX,
            })
            .collect();
        let mut columns = Vec::new();
        for number in 0..table.columns().len() {
            let (mut own_qids, mut at_least) = (Vec::new(), Vec::new());
            for (at, qid) in requirement.quasi_identifiers().iter().enumerate() {
                if qid.columns().contains(&number) {
                    qids[at].columns.push((columns.len(), own_qids.len()));
                    own_qids.push(at);
                    at_least.push(qid.at_least());
                }
            }
            if !own_qids.is_empty() {
                columns.push(MaskColumn::new(
                    table,
                    number,
                    (&labels, n_classes),
                    order,
                    (own_qids, at_least),
                    params.split,
                )?);
            }
        }
        let mut search = Self {
            table,
            params,
            people,
            columns,
            qids,
            trace: Vec::new(),
            choices: Repeatable::new(params.seed),
            scratch: Scratch::default(),
            split_scratch: SplitScratch::default(),
        };
        for qid in 0..search.qids.len() {
            search.see_group(qid, 0, None);
        }
        search.drop_impossible();
        Ok(search)
    }

    /// Shows a group to the open values that it carries: of one column, or of all.
    fn see_group(&mut self, qid: usize, number: u32, only_column: Option<usize>) {
        let qid = &mut self.qids[qid];
        let n_people = qid.rows(number, self.people.as_ref()).n_people();
        qid.smallest = qid.smallest.min(n_people);
        let rows = qid.rows(number, self.people.as_ref());
        for &(column, slot) in &qid.columns {
            if only_column.is_none_or(|only| only == column) {
                let group = Group {
                    number,
                    slot,
                    rows,
                    n_people,
                    at_least: qid.at_least,
                };
                self.columns[column].see(group, &mut self.scratch);
            }
        }
    }

    fn drop_impossible(&mut self) {
        for column in &mut self.columns {
            column.drop_impossible();
        }
    }

    fn apply(&mut self, choice: Choice) {
        let column = &mut self.columns[choice.column];
        let mut value = column
            .opens
            .remove(&choice.node)
            .expect("what was chosen is open");
        let domain = &self.table.fields()[column.number].domain;
        let (text, at) = column.texts(domain, choice.node, &value, choice.at);
        self.trace.push(Refinement {
            column: column.number,
            value: text,
            at,
            score: choice.score,
            gain: choice.gain,
            loss: choice.loss,
            n_rows: value.n_rows,
        });
        let groups_of_slot = value.take_groups();
        let parts = column.refine(choice.node, value, choice.at);
        for (slot, groups) in groups_of_slot.into_iter().enumerate() {
            let qid = self.columns[choice.column].qids[slot];
            for group in groups {
                self.split_group(choice.column, &parts, qid, group);
            }
        }
        self.drop_impossible();
    }

    fn split_group(&mut self, column: usize, parts: &Parts, qid: usize, group: u32) {
        let partition = &mut self.qids[qid].partition;
        let first_new = partition.n_groups();
        let codes = &self.columns[column].codes;
        let was_split = parts.split(codes, partition, group, &mut self.split_scratch);
        let end = partition.n_groups();
        // A group that stayed whole is new to the refined column's own values only.
        self.see_group(qid, group, (!was_split).then_some(column));
        for part in first_new..end {
            self.see_group(qid, part, None);
        }
    }

    fn finish(self) -> Refined {
        let order = self.people.as_ref().map(|people| &people.order[..]);
        let publish = |(number, raw): (usize, &Column)| {
            let Some(column) = self.columns.iter().find(|column| column.number == number) else {
                return raw.clone();
            };
            let places: &[Place] = match &column.shape {
                Shape::Line(places) => places,
                _ => &[],
            };
            let field = &self.table.fields()[number];
            masked_column(field, raw, &column.cut, (&column.codes, order), places)
        };
        Refined {
            table: Table::new(
                self.table.fields().to_vec(),
                self.table
                    .columns()
                    .iter()
                    .enumerate()
                    .map(publish)
                    .collect(),
                self.table.people().cloned(),
            ),
            trace: self.trace,
        }
    }
}

/// Labels numbered from 0 without gaps, and how many there are: counting costs room for each.
fn dense_labels(labels: &[u32]) -> (Vec<u32>, usize) {
    let mut different = labels.to_vec();
    different.sort_unstable();
    different.dedup();
    let number = |label| different.partition_point(|&other| other < label) as u32;
    let dense = labels.iter().map(|&label| number(label)).collect();
    (dense, different.len().max(1))
}
