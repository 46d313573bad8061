//! Masked values: what a cell may say instead of the raw value, and how it is written.
//!
//! Every masked value knows the raw values it may stand for; where it lies in the space follows from these
//! (`cluster::space`). Its text is unique within its column, so a release can be read back from its file.

use rustc_hash::FxHashMap;

use super::domain::{Domain, Tree};
use super::interval::{Interval, Place};
use super::taxonomy::{Leaf, Node, ROOT_LABEL};
use crate::error::{Error, Result};

/// What a masked cell says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MaskedValue {
    /// Any value of the column, a missing one included: the root.
    Anything,
    /// No value.
    Missing,
    /// Some value under a node that is not the root.
    Node(Node),
    /// One of the values that a suppressed column still hides, after the others were disclosed.
    Rest(Vec<Leaf>),
    /// A set whose items lie under these nodes, one or more under each, in increasing order.
    Nodes(Vec<Node>),
    /// One of these leaves, in increasing order.
    Region(Vec<Leaf>),
    /// A number from the first place up to the second, both included.
    Range(Place, Place),
    /// Exactly this number.
    Number(Place),
}

impl MaskedValue {
    /// "Under this node", in its one form: the root is anything, the missing leaf is missing.
    pub fn under(tree: &Tree, node: Node) -> Self {
        if node == 0 {
            Self::Anything
        } else if is_missing(tree, node) {
            Self::Missing
        } else {
            Self::Node(node)
        }
    }

    /// "Items under these nodes", in its one form: no nodes are the empty set.
    pub fn items(tree: &Tree, mut nodes: Vec<Node>) -> Self {
        if nodes.is_empty() {
            let empty_set = tree.taxonomy.empty_set();
            nodes.extend(empty_set.map(|leaf| tree.taxonomy.node_of_leaf(leaf)));
        }
        nodes.sort_unstable();
        nodes.dedup();
        match nodes[..] {
            [node] if node == 0 || is_missing(tree, node) => Self::under(tree, node),
            _ => Self::Nodes(nodes),
        }
    }

    /// "From here to there", in its one form: a single place is a number.
    pub fn range(first: Place, last: Place) -> Self {
        if first == last {
            Self::Number(first)
        } else {
            Self::Range(first, last)
        }
    }

    /// How the value is written in a file.
    pub fn text(&self, domain: &Domain) -> String {
        match (self, domain) {
            (Self::Anything | Self::Rest(_), _) => ROOT_LABEL.to_owned(),
            (Self::Missing, _) => String::new(),
            (Self::Node(node), Domain::Values(tree) | Domain::Sets { tree, .. }) => {
                tree.taxonomy.label(*node).to_owned()
            }
            (Self::Nodes(nodes), Domain::Sets { tree, separator }) => {
                let labels: Vec<&str> = nodes
                    .iter()
                    .map(|&node| tree.taxonomy.label(node))
                    .collect();
                labels.join(separator)
            }
            (Self::Region(leaves), Domain::Values(tree)) => region_text(tree, leaves),
            (Self::Number(place), Domain::Numbers { interval, .. }) => {
                range_text(interval, *place, *place)
            }
            // Without public bounds "any number" would read as `*`, which here is "any number or none".
            (
                Self::Range(0, last),
                Domain::Numbers {
                    interval,
                    may_be_missing: true,
                },
            ) if *last == interval.last() && !interval.has_public_bounds() => ANY_NUMBER.to_owned(),
            (Self::Range(first, last), Domain::Numbers { interval, .. }) => {
                range_text(interval, *first, *last)
            }
            _ => unreachable!("a masked value is made for the kind of its column"),
        }
    }

    /// Reads what [`text`](Self::text) wrote. `hidden` are the values behind `*` in a column where others were
    /// disclosed; without them `*` is anything.
    pub fn parse(text: &str, domain: &Domain, hidden: Option<&[Leaf]>) -> Option<Self> {
        match (text, hidden) {
            (ROOT_LABEL, Some(leaves)) => return Some(Self::Rest(leaves.to_vec())),
            (ROOT_LABEL, None) => return Some(Self::Anything),
            ("", _) => return domain.may_be_missing().then_some(Self::Missing),
            _ => {}
        }
        match domain {
            Domain::Numbers { interval, .. } => parse_numbers(text, interval),
            Domain::Values(tree) => match tree.taxonomy.node_of_label(text) {
                Some(node) => Some(Self::under(tree, node)),
                None => parse_region(text, tree),
            },
            Domain::Sets { tree, separator } => {
                let nodes = text
                    .split(separator.as_str())
                    .map(|label| tree.taxonomy.node_of_label(label))
                    .collect::<Option<Vec<Node>>>()?;
                Some(Self::items(tree, nodes))
            }
        }
    }

    /// The nodes that it names; none for a number.
    pub fn nodes(&self, tree: &Tree) -> Vec<Node> {
        let taxonomy = &tree.taxonomy;
        let node_of = |leaf: Leaf| taxonomy.node_of_leaf(leaf);
        match self {
            Self::Anything | Self::Rest(_) => vec![0],
            Self::Node(node) => vec![*node],
            Self::Nodes(nodes) => nodes.clone(),
            Self::Missing => taxonomy.missing().map(node_of).into_iter().collect(),
            Self::Region(leaves) => leaves.iter().copied().map(node_of).collect(),
            Self::Range(..) | Self::Number(_) => Vec::new(),
        }
    }

    /// The leaves it may stand for with the share of each when all are taken as equally likely; in a set column
    /// the items, each node with the same share.
    pub fn leaf_shares(&self, tree: &Tree) -> Vec<(Leaf, f64)> {
        let taxonomy = &tree.taxonomy;
        let even = |leaves: Vec<Leaf>| {
            let share = 1.0 / leaves.len() as f64;
            leaves.into_iter().map(|leaf| (leaf, share)).collect()
        };
        match self {
            Self::Anything => even(taxonomy.leaves(0).collect()),
            Self::Missing => taxonomy
                .missing()
                .map(|leaf| (leaf, 1.0))
                .into_iter()
                .collect(),
            Self::Node(node) => even(taxonomy.leaves(*node).collect()),
            Self::Rest(leaves) | Self::Region(leaves) => even(leaves.clone()),
            Self::Nodes(nodes) => nodes
                .iter()
                .flat_map(|&node| {
                    let leaves = taxonomy.leaves(node);
                    let share = 1.0 / (nodes.len() as f64 * leaves.len() as f64);
                    leaves.map(move |leaf| (leaf, share))
                })
                .collect(),
            Self::Range(..) | Self::Number(_) => Vec::new(),
        }
    }
}

fn is_missing(tree: &Tree, node: Node) -> bool {
    let leaf = tree.taxonomy.leaf_of_node(node);
    leaf.is_some() && leaf == tree.taxonomy.missing()
}

/// `{a, b}`; a backslash stands before a comma, brace or backslash of a label. Should a label of the tree read just
/// so, the last leaf is said again: the region stays the same, and its text is no label.
fn region_text(tree: &Tree, leaves: &[Leaf]) -> String {
    let mut listed = leaves.to_vec();
    loop {
        let text = list_text(tree, &listed);
        match leaves.last() {
            Some(&last) if tree.taxonomy.node_of_label(&text).is_some() => listed.push(last),
            _ => return text,
        }
    }
}

fn list_text(tree: &Tree, leaves: &[Leaf]) -> String {
    let mut text = String::from("{");
    for (at, &leaf) in leaves.iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        for letter in tree.taxonomy.leaf_label(leaf).chars() {
            if matches!(letter, ',' | '}' | '\\') {
                text.push('\\');
            }
            text.push(letter);
        }
    }
    text.push('}');
    text
}

fn parse_region(text: &str, tree: &Tree) -> Option<MaskedValue> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    let mut labels = vec![String::new()];
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => labels.last_mut()?.push(letters.next()?),
            ',' => {
                (letters.next()? == ' ').then_some(())?;
                labels.push(String::new());
            }
            _ => labels.last_mut()?.push(letter),
        }
    }
    let mut leaves = labels
        .iter()
        .map(|label| tree.taxonomy.leaf_of_label(label))
        .collect::<Option<Vec<Leaf>>>()?;
    leaves.sort_unstable();
    leaves.dedup();
    Some(MaskedValue::Region(leaves))
}

/// Any number of a column that may also be without one, where the bounds are not public.
const ANY_NUMBER: &str = "(-inf, inf)";

/// `17` or `[17, 37)`, closed at the upper bound; without public bounds `<37`, `>=37`, `*`: the data's least and
/// greatest value would each be a person's. Where a column was cut says less, for it was cut between many.
fn range_text(interval: &Interval, first: Place, last: Place) -> String {
    let open_below = first == 0 && !interval.has_public_bounds();
    let open_above = last == interval.last() && !interval.has_public_bounds();
    let start = interval.text(first);
    match (open_below, open_above) {
        (true, true) => ROOT_LABEL.to_owned(),
        (true, false) => format!("<{}", interval.text(last + 1)),
        (false, true) => format!(">={start}"),
        (false, false) if first == last => start,
        (false, false) if last == interval.last() => format!("[{start}, {}]", interval.text(last)),
        (false, false) => format!("[{start}, {})", interval.text(last + 1)),
    }
}

fn parse_numbers(text: &str, interval: &Interval) -> Option<MaskedValue> {
    let place = |text: &str| {
        interval
            .parse(text.trim())
            .and_then(|number| interval.place(number))
    };
    let before = |text: &str| place(text).and_then(|end| end.checked_sub(1));
    if text == ANY_NUMBER {
        return Some(MaskedValue::range(0, interval.last()));
    }
    if let Some(end) = text.strip_prefix('<') {
        return Some(MaskedValue::range(0, before(end)?));
    }
    if let Some(start) = text.strip_prefix(">=") {
        return Some(MaskedValue::range(place(start)?, interval.last()));
    }
    let Some(inside) = text.strip_prefix('[') else {
        return place(text).map(MaskedValue::Number);
    };
    let (start, end) = inside.split_once(',')?;
    let first = place(start)?;
    let last = match end.strip_suffix(')') {
        Some(end) => before(end)?,
        None => place(end.strip_suffix(']')?)?,
    };
    (first <= last).then(|| MaskedValue::range(first, last))
}

/// The masked values of a column, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MaskedDictionary {
    values: Vec<MaskedValue>,
    codes: FxHashMap<MaskedValue, u32>,
}

impl MaskedDictionary {
    /// The code of a value, new if need be.
    pub fn code(&mut self, value: MaskedValue) -> u32 {
        if let Some(&code) = self.codes.get(&value) {
            return code;
        }
        let code = self.values.len() as u32;
        self.values.push(value.clone());
        self.codes.insert(value, code);
        code
    }

    /// The values in the order of their codes.
    pub fn values(&self) -> &[MaskedValue] {
        &self.values
    }

    /// The texts in the order of the codes; an error if two values share one, for then the release could not be read.
    pub fn texts(&self, domain: &Domain) -> Result<Vec<String>> {
        let texts: Vec<String> = self.values.iter().map(|value| value.text(domain)).collect();
        let mut seen: FxHashMap<&str, &MaskedValue> = FxHashMap::default();
        for (text, value) in texts.iter().zip(&self.values) {
            if let Some(other) = seen.insert(text, value)
                && !(is_any_number(value, domain) && is_any_number(other, domain))
            {
                return Err(Error::spec(format!(
                    "two masked values would both be written `{text}`"
                )));
            }
        }
        Ok(texts)
    }
}

/// Whether a value says nothing about a number that is never missing; there are two ways to do so.
fn is_any_number(value: &MaskedValue, domain: &Domain) -> bool {
    match (value, domain) {
        (MaskedValue::Anything, Domain::Numbers { .. }) => true,
        (MaskedValue::Range(0, last), Domain::Numbers { interval, .. }) => *last == interval.last(),
        _ => false,
    }
}
