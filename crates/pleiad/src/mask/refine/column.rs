//! A column that is being masked: how far it has been refined, and which of its values are open.

use std::collections::BTreeMap;

use super::candidate::{Group, Open, OpenInterval, OpenNode, OpenRest, OpenValue, Scratch};
use super::forbidden::Forbidden;
use super::gain::ClassCounts;
use super::outcome::Cut;
use super::params::Split;
use super::shape::{Parts, Shape, rank};
use crate::error::{Error, Result};
use crate::table::{Codes, Column, Domain, MaskedValue, Node, Table};

/// A column that is being masked.
pub(super) struct MaskColumn<'t> {
    /// Its number in the table.
    pub(super) number: usize,
    /// In the order of the search.
    pub(super) codes: Codes,
    counts: ClassCounts,
    pub(super) shape: Shape<'t>,
    pub(super) cut: Cut,
    /// The quasi-identifiers that have it, and their thresholds.
    pub(super) qids: Vec<usize>,
    pub(super) at_least: Vec<u32>,
    /// The open values by the node, or the first rank of an interval: the order that breaks ties.
    pub(super) opens: BTreeMap<Node, OpenValue>,
    /// Ranks at which no split keeps the promise, in whichever interval they lie.
    pub(super) forbidden: Forbidden,
    split: Split,
}

impl<'t> MaskColumn<'t> {
    /// A column with everything hidden. `order` says which row of the table each row of the search is.
    pub(super) fn new(
        table: &'t Table,
        number: usize,
        (labels, n_classes): (&[u32], usize),
        order: Option<&[u32]>,
        (qids, at_least): (Vec<usize>, Vec<u32>),
        split: Split,
    ) -> Result<Self> {
        let (field, column) = (&table.fields()[number], &table.columns()[number]);
        let mut codes: Vec<u32> = column.codes().iter().collect();
        let (n_codes, shape, cut) = match (column, &field.domain) {
            (Column::Values(_), Domain::Values(tree)) => {
                let taxonomy = &tree.taxonomy;
                let n_leaves = taxonomy.n_leaves();
                if tree.is_star {
                    let cut = Cut::Disclosed(vec![false; n_leaves]);
                    (n_leaves, Shape::Star(taxonomy), cut)
                } else {
                    let cut = Cut::Nodes(vec![0; n_leaves]);
                    (n_leaves, Shape::Tree(taxonomy), cut)
                }
            }
            (Column::Sets(_, sets), Domain::Sets { tree, .. }) => {
                let cut = Cut::Nodes(vec![0; tree.taxonomy.n_leaves()]);
                (sets.len(), Shape::Sets(&tree.taxonomy, sets), cut)
            }
            (
                Column::Numbers(_),
                Domain::Numbers {
                    interval,
                    may_be_missing,
                },
            ) => {
                let places = rank(&mut codes, interval.missing());
                let cut = Cut::Intervals {
                    starts: vec![0],
                    missing_apart: !may_be_missing,
                };
                (places.len() + 1, Shape::Line(places), cut)
            }
            _ => {
                return Err(Error::spec(format!(
                    "column `{}` is masked already",
                    field.name
                )));
            }
        };
        let counts = ClassCounts::of_rows(&codes, labels, n_codes, n_classes);
        let codes = match order {
            None => Codes::pack(codes, n_codes),
            Some(order) => Codes::pack(order.iter().map(|&row| codes[row as usize]), n_codes),
        };
        let forbidden = Forbidden::none(match &shape {
            Shape::Line(places) => places.len(),
            _ => 0,
        });
        let mut column = Self {
            number,
            codes,
            counts,
            shape,
            cut,
            qids,
            at_least,
            opens: BTreeMap::new(),
            forbidden,
            split,
        };
        column.open_root();
        Ok(column)
    }

    fn open_root(&mut self) {
        match &self.shape {
            Shape::Tree(_) | Shape::Sets(..) => self.open_node(0),
            Shape::Star(_) => {
                let (rest, n_rows) = OpenRest::new(&self.counts, self.qids.len());
                self.open(0, Open::Rest(rest), n_rows);
            }
            Shape::Line(places) => {
                let n_places = places.len();
                if let Cut::Intervals {
                    missing_apart: false,
                    ..
                } = self.cut
                {
                    let mut keys = vec![0; n_places];
                    keys.push(1);
                    self.open_parts(0, keys, 2);
                } else {
                    self.open_interval(0, n_places as u32);
                }
            }
        }
    }

    fn open(&mut self, node: Node, open: Open, n_rows: u64) {
        let value = OpenValue::new(open, n_rows, self.qids.len());
        self.opens.insert(node, value);
    }

    fn open_parts(&mut self, node: Node, keys: Vec<u32>, n_keys: usize) {
        if let Some((open, n_rows)) = OpenNode::new(keys, n_keys, &self.counts, self.qids.len()) {
            self.open(node, Open::Node(open), n_rows);
        }
    }

    /// Opens an interval of ranks from `first` up to, and without, `end`.
    fn open_interval(&mut self, first: u32, end: u32) {
        let Some(last) = end.checked_sub(1) else {
            return;
        };
        let n_qids = self.qids.len();
        let bounds = (first, last);
        let interval = OpenInterval::new(bounds, &self.counts, self.split, &self.forbidden, n_qids);
        if let Some((interval, n_rows)) = interval {
            self.open(first, Open::Interval(interval), n_rows);
        }
    }

    /// Opens a node with something below it and rows in it.
    fn open_node(&mut self, node: Node) {
        if let Some((keys, n_keys)) = self.shape.parts_of_node(node) {
            self.open_parts(node, keys, n_keys);
        }
    }

    /// Shows a group to the open values that it carries, and drops those that cannot be refined any more.
    pub(super) fn see(&mut self, group: Group<'_>, scratch: &mut Scratch) {
        let Some(&row) = group.rows.rows.first() else {
            return;
        };
        let code = self.codes.get(row as usize);
        let (opens, codes, forbidden) = (&mut self.opens, &self.codes, &mut self.forbidden);
        // Open values do not overlap, but a set may carry several.
        let nearest = match &self.shape {
            Shape::Tree(taxonomy) => taxonomy.node_of_leaf(code),
            Shape::Star(_) => 0,
            Shape::Line(_) => code,
            Shape::Sets(..) => {
                opens.retain(|_, value| {
                    !value.carries(code) || value.see(group, codes, forbidden, scratch)
                });
                return;
            }
        };
        if let Some((&node, value)) = opens.range_mut(..=nearest).next_back()
            && value.carries(code)
            && !value.see(group, codes, forbidden, scratch)
        {
            opens.remove(&node);
        }
    }

    /// Drops the hidden values that cannot be disclosed any more, which is known only once all groups were seen.
    pub(super) fn drop_impossible(&mut self) {
        if let Shape::Star(_) = self.shape {
            let at_least = &self.at_least;
            self.opens.retain(|_, value| match &mut value.open {
                Open::Rest(rest) => rest.drop_impossible(at_least),
                Open::Node(_) | Open::Interval(_) => true,
            });
        }
    }

    /// Refines an open value, which must be taken out of `opens` before, and opens what comes of it. Returns the
    /// parts that its rows fall into.
    pub(super) fn refine(&mut self, node: Node, value: OpenValue, at: u32) -> Parts {
        match value.open {
            Open::Rest(mut rest) => {
                if let Cut::Disclosed(disclosed) = &mut self.cut {
                    disclosed[at as usize] = true;
                }
                let n_rows = rest.disclose(at, &self.counts);
                self.open(node, Open::Rest(rest), n_rows);
                Parts::Disclosed(at)
            }
            Open::Interval(interval) => {
                if let Cut::Intervals { starts, .. } = &mut self.cut {
                    starts.push(at);
                }
                self.open_interval(interval.first, at);
                self.open_interval(at, interval.last + 1);
                Parts::SplitAt(at)
            }
            Open::Node(open) => {
                self.refine_node(node);
                let (keys, n_keys) = open.into_parts();
                Parts::OfCodes(keys, n_keys)
            }
        }
    }

    fn refine_node(&mut self, node: Node) {
        match (&self.shape, &mut self.cut) {
            (Shape::Tree(taxonomy) | Shape::Sets(taxonomy, _), Cut::Nodes(nodes)) => {
                let taxonomy = *taxonomy;
                for child in taxonomy.children(node) {
                    for leaf in taxonomy.leaves(child) {
                        nodes[leaf as usize] = child;
                    }
                }
                for child in taxonomy.children(node) {
                    self.open_node(child);
                }
            }
            (Shape::Line(places), Cut::Intervals { missing_apart, .. }) => {
                *missing_apart = true;
                self.open_interval(0, places.len() as u32);
            }
            _ => unreachable!("a cut is made for the kind of its column"),
        }
    }

    /// What an open value and a refinement of it are called.
    pub(super) fn texts(
        &self,
        domain: &Domain,
        node: Node,
        value: &OpenValue,
        at: u32,
    ) -> (String, Option<String>) {
        match (&self.shape, &value.open, domain) {
            (Shape::Tree(taxonomy) | Shape::Sets(taxonomy, _), ..) => {
                (taxonomy.label(node).to_owned(), None)
            }
            (Shape::Star(taxonomy), ..) => {
                let disclosed = taxonomy.leaf_label(at).to_owned();
                (MaskedValue::Anything.text(domain), Some(disclosed))
            }
            (Shape::Line(places), Open::Interval(open), Domain::Numbers { interval, .. }) => {
                let first = match open.first {
                    0 => 0,
                    first => places[first as usize],
                };
                let next = places.get(open.last as usize + 1);
                let last = next.map_or(interval.last(), |&next| next - 1);
                let at = interval.text(places[at as usize]);
                (MaskedValue::range(first, last).text(domain), Some(at))
            }
            (Shape::Line(_), ..) => (MaskedValue::Anything.text(domain), None),
        }
    }
}
