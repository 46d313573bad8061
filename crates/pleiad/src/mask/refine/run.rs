//! The search: refine the best open value until none is left that may be refined.

use super::candidate::{ELSEWHERE, Open, OpenInterval, OpenNode, OpenRest, Scratch, Smallest};
use super::gain::ClassCounts;
use super::outcome::{Cut, Refined, Refinement, masked_column};
use super::params::{AnonymityLoss, RefineParams, Score};
use super::partition::{Partition, Rows, SplitScratch};
use crate::error::{Error, Result};
use crate::privacy::Requirement;
use crate::progress::{Amount, Progress};
use crate::repeatable::Repeatable;
use crate::table::{Column, Domain, MaskedValue, Node, Place, SetDictionary, Table, Taxonomy};

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
    let n_people = table
        .people()
        .map_or(table.n_rows(), |people| people.n_people);
    for qid in requirement.quasi_identifiers() {
        if qid.at_least() as usize > n_people {
            return Err(Error::refused(format!(
                "at least {} people must look alike, and the table is about {n_people}",
                qid.at_least()
            ))
            .hint(format!(
                "`at_least` can be {n_people} at most; every column would be hidden then"
            )));
        }
    }
    let mut search = Search::new(table, labels, requirement, params)?;
    progress.begin("masking", 0, Amount::Steps);
    while let Some(choice) = search.choose() {
        search.apply(choice);
        progress.advance(1);
    }
    progress.end();
    Ok(search.finish())
}

/// A column that is being masked.
struct MaskColumn<'t> {
    /// Its number in the table.
    number: usize,
    codes: Vec<u32>,
    counts: ClassCounts,
    shape: Shape<'t>,
    cut: Cut,
    /// The quasi-identifiers that have it, and their thresholds.
    qids: Vec<usize>,
    at_least: Vec<u32>,
}

/// What the codes of a column are.
enum Shape<'t> {
    Tree(&'t Taxonomy),
    Star(&'t Taxonomy),
    Sets(&'t Taxonomy, &'t SetDictionary),
    /// Ranks of the places that occur; the code after the last is "missing".
    Line(Vec<Place>),
}

/// An open value of a column.
struct OpenValue {
    column: usize,
    /// The node, or the first rank of an interval: breaks ties.
    node: Node,
    open: Open,
}

/// The best refinement there is.
struct Choice {
    open: usize,
    /// The split or the disclosed code.
    at: u32,
    score: f64,
    gain: f64,
    loss: f64,
}

struct Search<'t> {
    table: &'t Table,
    params: &'t RefineParams,
    person_of_row: Option<&'t [u32]>,
    columns: Vec<MaskColumn<'t>>,
    /// For each quasi-identifier the columns, by their number in `columns`, with the slot of its minima there.
    qid_columns: Vec<Vec<(usize, usize)>>,
    at_least: Vec<u32>,
    partitions: Vec<Partition>,
    opens: Vec<OpenValue>,
    trace: Vec<Refinement>,
    choices: Repeatable,
    scratch: Scratch,
    split_scratch: SplitScratch,
}

impl<'t> Search<'t> {
    fn new(
        table: &'t Table,
        labels: &'t [u32],
        requirement: &Requirement,
        params: &'t RefineParams,
    ) -> Result<Self> {
        let n_classes = labels.iter().max().map_or(1, |&label| label as usize + 1);
        let qids = requirement.quasi_identifiers();
        let mut columns = Vec::new();
        for number in 0..table.columns().len() {
            let with_column: Vec<usize> = (0..qids.len())
                .filter(|&qid| qids[qid].columns().contains(&number))
                .collect();
            if with_column.is_empty() {
                continue;
            }
            let at_least = with_column
                .iter()
                .map(|&qid| qids[qid].at_least())
                .collect();
            columns.push(MaskColumn::new(
                table,
                number,
                labels,
                n_classes,
                with_column,
                at_least,
            )?);
        }
        let qid_columns = (0..qids.len())
            .map(|qid| {
                let slot = |column: &MaskColumn<'_>| column.qids.iter().position(|&own| own == qid);
                columns
                    .iter()
                    .enumerate()
                    .filter_map(|(at, column)| slot(column).map(|slot| (at, slot)))
                    .collect()
            })
            .collect();
        let person_of_row = table.people().map(|people| &people.of_row[..]);
        let mut search = Self {
            table,
            params,
            person_of_row,
            columns,
            qid_columns,
            at_least: qids.iter().map(|qid| qid.at_least()).collect(),
            partitions: qids
                .iter()
                .map(|_| Partition::whole(table.n_rows(), person_of_row))
                .collect(),
            opens: Vec::new(),
            trace: Vec::new(),
            choices: Repeatable::new(params.seed),
            scratch: Scratch::default(),
            split_scratch: SplitScratch::default(),
        };
        for column in 0..search.columns.len() {
            let roots = search.columns[column].roots();
            search
                .opens
                .extend(
                    roots
                        .into_iter()
                        .map(|(node, open)| OpenValue { column, node, open }),
                );
        }
        for qid in 0..search.partitions.len() {
            search.see_group(qid, 0, None);
        }
        search.drop_impossible();
        Ok(search)
    }

    /// Shows a group to the open values that it carries: of one column, or of all.
    fn see_group(&mut self, qid: usize, group: usize, only_column: Option<usize>) {
        let rows = Rows {
            rows: self.partitions[qid].group(group),
            person_of_row: self.person_of_row,
        };
        let Some(&first) = rows.rows.first() else {
            return;
        };
        let people = rows.n_people();
        for value in &mut self.opens {
            if only_column.is_some_and(|only| only != value.column) {
                continue;
            }
            let column = &self.columns[value.column];
            let Some(slot) = column.qids.iter().position(|&own| own == qid) else {
                continue;
            };
            if value.open.carries(column.codes[first as usize]) {
                value.open.see(
                    slot,
                    rows,
                    people,
                    self.at_least[qid],
                    &column.codes,
                    &mut self.scratch,
                );
            }
        }
    }

    fn drop_impossible(&mut self) {
        let (columns, params) = (&self.columns, self.params);
        self.opens.retain_mut(|value| {
            value
                .open
                .is_possible(&columns[value.column].at_least, params)
        });
    }

    /// The refinement with the highest score; ties go to the first column, then the first node, then the smaller
    /// threshold or value.
    fn choose(&mut self) -> Option<Choice> {
        match self.params.score {
            Score::Cluster => self.choose_by_gain(),
            Score::Distortion => self.choose_by_rows(),
        }
    }

    fn choose_by_gain(&mut self) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        let mut order: Vec<usize> = (0..self.opens.len()).collect();
        order.sort_by_key(|&open| (self.opens[open].column, self.opens[open].node));
        for open in order {
            for (at, gain) in self.options(open) {
                // The score is never above the gain: what cannot win need not be measured.
                if best.as_ref().is_some_and(|best| gain <= best.score) {
                    continue;
                }
                let loss = self.loss(open, at);
                let score = gain / (loss + 1.0);
                if best.as_ref().is_none_or(|best| score > best.score) {
                    best = Some(Choice {
                        open,
                        at,
                        score,
                        gain,
                        loss,
                    });
                }
            }
        }
        best
    }

    fn choose_by_rows(&mut self) -> Option<Choice> {
        let mut best: Vec<(usize, u32, f64)> = Vec::new();
        let mut most = 0;
        let mut order: Vec<usize> = (0..self.opens.len()).collect();
        order.sort_by_key(|&open| (self.opens[open].column, self.opens[open].node));
        for open in order {
            let n_rows = self.rows_carrying(open);
            for (at, gain) in self.options(open) {
                if n_rows > most {
                    most = n_rows;
                    best.clear();
                }
                if n_rows == most {
                    best.push((open, at, gain));
                }
            }
        }
        if best.is_empty() {
            return None;
        }
        let (open, at, gain) = best[self.choices.below(best.len() as u128) as usize];
        let loss = self.loss(open, at);
        Some(Choice {
            open,
            at,
            score: most as f64,
            gain,
            loss,
        })
    }

    /// The refinements of an open value that keep the promise, with what they tell.
    fn options(&mut self, open: usize) -> Vec<(u32, f64)> {
        match &mut self.opens[open].open {
            Open::Node(node) => vec![(0, node.gain)],
            Open::Rest(rest) => (0..rest.possible.len())
                .filter(|&code| rest.possible[code])
                .map(|code| (code as u32, rest.gains[code]))
                .collect(),
            Open::Interval(interval) => interval.best(self.params).into_iter().collect(),
        }
    }

    fn rows_carrying(&self, open: usize) -> u64 {
        let value = &self.opens[open];
        let counts = &self.columns[value.column].counts;
        (0..counts.n_values())
            .filter(|&code| value.open.carries(code as u32))
            .map(|code| counts.of(code).iter().sum::<u64>())
            .sum()
    }

    /// What a refinement costs: the drop of the smallest group, averaged over the quasi-identifiers with the column.
    fn loss(&mut self, open: usize, at: u32) -> f64 {
        self.measure_split(open, at);
        let value = &self.opens[open];
        let column = &self.columns[value.column];
        let total: u64 = (0..column.qids.len())
            .map(|slot| {
                let smallest = match &value.open {
                    Open::Node(node) => node.smallest[slot],
                    Open::Rest(rest) => rest.smallest(slot, at as usize),
                    Open::Interval(interval) => interval.smallest[slot],
                };
                match self.params.loss {
                    AnonymityLoss::Carrying => u64::from(smallest.before - smallest.after),
                    AnonymityLoss::WholeTable => {
                        self.drop_in_whole_table(column.qids[slot], smallest)
                    }
                }
            })
            .sum();
        total as f64 / column.qids.len() as f64
    }

    fn drop_in_whole_table(&self, qid: usize, smallest: Smallest) -> u64 {
        let people = |group: usize| {
            let rows = Rows {
                rows: self.partitions[qid].group(group),
                person_of_row: self.person_of_row,
            };
            rows.n_people()
        };
        let before = (0..self.partitions[qid].n_groups())
            .map(people)
            .min()
            .unwrap_or(0);
        u64::from(before - smallest.after.min(before))
    }

    /// Brings the minima of an interval up to date for a split that was not looked at before.
    fn measure_split(&mut self, open: usize, at: u32) {
        let value = &mut self.opens[open];
        let column = &self.columns[value.column];
        let Open::Interval(interval) = &mut value.open else {
            return;
        };
        if interval.is_evaluated(at) {
            return;
        }
        interval.evaluate(at);
        for (slot, &qid) in column.qids.iter().enumerate() {
            let partition = &self.partitions[qid];
            for group in 0..partition.n_groups() {
                let rows = partition.group(group);
                let carries = rows.first().is_some_and(|&row| {
                    (interval.first..=interval.last).contains(&column.codes[row as usize])
                });
                if carries {
                    let rows = Rows {
                        rows,
                        person_of_row: self.person_of_row,
                    };
                    interval.measure(slot, rows, &column.codes, &mut self.scratch.tally);
                }
            }
        }
    }

    fn apply(&mut self, choice: Choice) {
        let n_rows = self.rows_carrying(choice.open);
        let value = self.opens.swap_remove(choice.open);
        let column_number = value.column;
        let column = &mut self.columns[column_number];
        self.trace
            .push(column.refinement(self.table, &value, &choice, n_rows));
        let keys = column.keys(&value.open, choice.at);
        let children = column.refine(value, choice.at);
        self.opens
            .extend(children.into_iter().map(|(node, open)| OpenValue {
                column: column_number,
                node,
                open,
            }));
        for qid in self.columns[column_number].qids.clone() {
            for group in 0..self.partitions[qid].n_groups() {
                let codes = &self.columns[column_number].codes;
                let rows = self.partitions[qid].group(group);
                if rows
                    .first()
                    .is_none_or(|&row| keys[codes[row as usize] as usize] == ELSEWHERE)
                {
                    continue;
                }
                let before = self.partitions[qid].n_groups();
                let key = |row: u32| keys[codes[row as usize] as usize];
                let was_split = self.partitions[qid].split(group, key, &mut self.split_scratch);
                // A group that stayed whole is new to the refined column's own values only.
                let only_column = (!was_split).then_some(column_number);
                self.see_group(qid, group, only_column);
                for part in before..self.partitions[qid].n_groups() {
                    self.see_group(qid, part, None);
                }
            }
        }
        self.drop_impossible();
    }

    fn finish(self) -> Refined {
        let mut columns: Vec<Column> = self.table.columns().to_vec();
        for column in &self.columns {
            let field = &self.table.fields()[column.number];
            let places: &[Place] = match &column.shape {
                Shape::Line(places) => places,
                _ => &[],
            };
            columns[column.number] = masked_column(
                field,
                &columns[column.number],
                &column.cut,
                &column.codes,
                places,
            );
        }
        Refined {
            table: Table::new(
                self.table.fields().to_vec(),
                columns,
                self.table.people().cloned(),
            ),
            trace: self.trace,
        }
    }
}

impl<'t> MaskColumn<'t> {
    fn new(
        table: &'t Table,
        number: usize,
        labels: &[u32],
        n_classes: usize,
        qids: Vec<usize>,
        at_least: Vec<u32>,
    ) -> Result<Self> {
        let (field, column) = (&table.fields()[number], &table.columns()[number]);
        let raw_codes = || column.codes().iter().collect::<Vec<u32>>();
        let (codes, n_codes, shape, cut) = match (column, &field.domain) {
            (Column::Values(_), Domain::Values(tree)) => {
                let n_leaves = tree.taxonomy.n_leaves();
                let (shape, cut) = if tree.is_star {
                    (
                        Shape::Star(&tree.taxonomy),
                        Cut::Disclosed(vec![false; n_leaves]),
                    )
                } else {
                    (Shape::Tree(&tree.taxonomy), Cut::Nodes(vec![0; n_leaves]))
                };
                (raw_codes(), n_leaves, shape, cut)
            }
            (Column::Sets(_, sets), Domain::Sets { tree, .. }) => {
                let cut = Cut::Nodes(vec![0; tree.taxonomy.n_leaves()]);
                (
                    raw_codes(),
                    sets.len(),
                    Shape::Sets(&tree.taxonomy, sets),
                    cut,
                )
            }
            (
                Column::Numbers(_),
                Domain::Numbers {
                    interval,
                    may_be_missing,
                },
            ) => {
                let (ranks, places) = rank(&raw_codes(), interval.missing());
                let cut = Cut::Intervals {
                    starts: vec![0],
                    missing_apart: !may_be_missing,
                };
                (ranks, places.len() + 1, Shape::Line(places), cut)
            }
            _ => {
                return Err(Error::spec(format!(
                    "column `{}` is masked already",
                    field.name
                )));
            }
        };
        Ok(Self {
            number,
            counts: ClassCounts::of_rows(&codes, labels, n_codes, n_classes),
            codes,
            shape,
            cut,
            qids,
            at_least,
        })
    }

    /// The open values at the start.
    fn roots(&self) -> Vec<(Node, Open)> {
        let n_qids = self.qids.len();
        match &self.shape {
            Shape::Tree(taxonomy) => self.open_node(taxonomy, 0).into_iter().collect(),
            Shape::Sets(taxonomy, _) => self.open_node(taxonomy, 0).into_iter().collect(),
            Shape::Star(_) => vec![(0, Open::Rest(OpenRest::new(&self.counts, n_qids)))],
            Shape::Line(places) => match self.cut {
                Cut::Intervals {
                    missing_apart: false,
                    ..
                } => {
                    let mut keys = vec![0; places.len()];
                    keys.push(1);
                    vec![(0, Open::Node(OpenNode::new(keys, 2, &self.counts, n_qids)))]
                }
                _ => self
                    .open_interval(0, places.len() as u32)
                    .into_iter()
                    .collect(),
            },
        }
    }

    /// An interval of ranks from `first` up to, and without, `end`.
    fn open_interval(&self, first: u32, end: u32) -> Option<(Node, Open)> {
        let last = end.checked_sub(1)?;
        let interval = OpenInterval::new(first, last, &self.counts, self.qids.len())?;
        Some((first, Open::Interval(interval)))
    }

    /// A node with something below it and rows in it.
    fn open_node(&self, taxonomy: &Taxonomy, node: Node) -> Option<(Node, Open)> {
        if taxonomy.is_leaf(node) {
            return None;
        }
        let mut child_of_leaf = vec![ELSEWHERE; taxonomy.n_leaves()];
        let mut n_children = 0;
        for child in taxonomy.children(node) {
            for leaf in taxonomy.leaves(child) {
                child_of_leaf[leaf as usize] = n_children;
            }
            n_children += 1;
        }
        let (keys, n_keys) = match &self.shape {
            Shape::Sets(_, sets) => subset_keys(sets, &child_of_leaf),
            _ => (child_of_leaf, n_children as usize),
        };
        let has_rows = keys.iter().enumerate().any(|(code, &key)| {
            key != ELSEWHERE && self.counts.of(code).iter().any(|&count| count > 0)
        });
        has_rows.then(|| {
            (
                node,
                Open::Node(OpenNode::new(keys, n_keys, &self.counts, self.qids.len())),
            )
        })
    }

    /// The part that each code falls into when an open value is refined.
    fn keys(&self, open: &Open, at: u32) -> Vec<u32> {
        match open {
            Open::Node(node) => node.keys.clone(),
            Open::Rest(rest) => (0..rest.hidden.len() as u32)
                .map(|code| {
                    if rest.hidden[code as usize] {
                        u32::from(code != at)
                    } else {
                        ELSEWHERE
                    }
                })
                .collect(),
            Open::Interval(interval) => (0..self.counts.n_values() as u32)
                .map(|code| {
                    let is_inside = (interval.first..=interval.last).contains(&code);
                    if is_inside {
                        u32::from(code >= at)
                    } else {
                        ELSEWHERE
                    }
                })
                .collect(),
        }
    }

    /// Refines the cut and returns the values that are open now.
    fn refine(&mut self, value: OpenValue, at: u32) -> Vec<(Node, Open)> {
        match value.open {
            Open::Rest(mut rest) => {
                if let Cut::Disclosed(disclosed) = &mut self.cut {
                    disclosed[at as usize] = true;
                }
                rest.disclose(at, &self.counts);
                vec![(0, Open::Rest(rest))]
            }
            Open::Interval(interval) => {
                if let Cut::Intervals { starts, .. } = &mut self.cut {
                    starts.push(at);
                    starts.sort_unstable();
                }
                let left = self.open_interval(interval.first, at);
                left.into_iter()
                    .chain(self.open_interval(at, interval.last + 1))
                    .collect()
            }
            Open::Node(_) => match &self.shape {
                Shape::Tree(taxonomy) | Shape::Sets(taxonomy, _) => {
                    let taxonomy = *taxonomy;
                    if let Cut::Nodes(nodes) = &mut self.cut {
                        for child in taxonomy.children(value.node) {
                            for leaf in taxonomy.leaves(child) {
                                nodes[leaf as usize] = child;
                            }
                        }
                    }
                    taxonomy
                        .children(value.node)
                        .filter_map(|child| self.open_node(taxonomy, child))
                        .collect()
                }
                Shape::Line(places) => {
                    let n_places = places.len() as u32;
                    if let Cut::Intervals { missing_apart, .. } = &mut self.cut {
                        *missing_apart = true;
                    }
                    self.open_interval(0, n_places).into_iter().collect()
                }
                Shape::Star(_) => unreachable!("a star has a rest, no nodes"),
            },
        }
    }

    fn refinement(
        &self,
        table: &Table,
        value: &OpenValue,
        choice: &Choice,
        n_rows: u64,
    ) -> Refinement {
        let domain = &table.fields()[self.number].domain;
        let (text, at) = match (&self.shape, &value.open) {
            (Shape::Tree(taxonomy) | Shape::Sets(taxonomy, _), _) => {
                (taxonomy.label(value.node).to_owned(), None)
            }
            (Shape::Star(taxonomy), _) => (
                taxonomy.label(0).to_owned(),
                Some(taxonomy.leaf_label(choice.at).to_owned()),
            ),
            (Shape::Line(places), Open::Interval(interval)) => {
                let Domain::Numbers {
                    interval: domain_interval,
                    ..
                } = domain
                else {
                    unreachable!("numbers have an interval");
                };
                let Cut::Intervals { starts, .. } = &self.cut else {
                    unreachable!("numbers are cut into intervals");
                };
                let first = if interval.first == 0 {
                    0
                } else {
                    places[interval.first as usize]
                };
                let next = starts.iter().find(|&&start| start > interval.first);
                let last = next.map_or(domain_interval.last(), |&next| places[next as usize] - 1);
                let at = domain_interval.text(places[choice.at as usize]);
                (MaskedValue::range(first, last).text(domain), Some(at))
            }
            (Shape::Line(_), _) => (MaskedValue::Anything.text(domain), None),
        };
        Refinement {
            column: self.number,
            value: text,
            at,
            score: choice.score,
            gain: choice.gain,
            loss: choice.loss,
            n_rows,
        }
    }
}

/// For every set the part it falls into by which children hold its items; sets with the same children fall together.
fn subset_keys(sets: &SetDictionary, child_of_leaf: &[u32]) -> (Vec<u32>, usize) {
    let mut numbers: rustc_hash::FxHashMap<Vec<u32>, u32> = rustc_hash::FxHashMap::default();
    let keys = sets
        .iter()
        .map(|items| {
            let mut children: Vec<u32> = items
                .iter()
                .map(|&item| child_of_leaf[item as usize])
                .collect();
            children.retain(|&child| child != ELSEWHERE);
            if children.is_empty() {
                return ELSEWHERE;
            }
            children.sort_unstable();
            children.dedup();
            let next = numbers.len() as u32;
            *numbers.entry(children).or_insert(next)
        })
        .collect();
    (keys, numbers.len())
}

/// The rank of each place among those that occur; "missing" comes after the last.
fn rank(codes: &[u32], missing: Place) -> (Vec<u32>, Vec<Place>) {
    let mut places: Vec<Place> = codes
        .iter()
        .copied()
        .filter(|&place| place != missing)
        .collect();
    places.sort_unstable();
    places.dedup();
    let ranks = codes
        .iter()
        .map(|&place| {
            if place == missing {
                places.len() as u32
            } else {
                places.partition_point(|&other| other < place) as u32
            }
        })
        .collect();
    (ranks, places)
}
