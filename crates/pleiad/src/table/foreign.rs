//! Masked values as other programs write them.
//!
//! A cell is read in this order: a mark for "no value"; a leaf; a node; `*`, `NA` or `⊥` for what is hidden; and in a
//! column of numbers a number or an interval in one of the forms that ARX, sdcMicro and their like write. What is none of
//! these is counted, never shown, and refused unless it is to be taken as hidden.

use super::codes::Codes;
use super::column::{Column, SetDictionary};
use super::domain::{Domain, Field, Tree};
use super::interval::{Interval, Place};
use super::masked::{MaskedDictionary, MaskedValue};
use super::taxonomy::{Leaf, Node};
use super::texts::TextColumn;

/// What other programs write for a value that is hidden.
const HIDDEN: [&str; 3] = ["*", "NA", "⊥"];

/// A column of a foreign file.
#[derive(Debug, Clone)]
pub struct ForeignColumn {
    /// Its cells; masked values only if one of them is not exact.
    pub column: Column,
    /// Cells that are none of the known forms, which became hidden ones, and how many different texts they have.
    pub unknown: Unknown,
    /// Numbers outside the bounds, which became the nearest bound.
    pub outside: u64,
}

/// Cells that could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unknown {
    /// How many.
    pub cells: u64,
    /// How many different ones.
    pub texts: u64,
}

/// What a foreign text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Foreign {
    Value(MaskedValue),
    /// A number outside the bounds, at the nearest of them.
    Outside(MaskedValue),
    Unknown,
}

/// Reads the cells of a column whose raw values are known.
pub fn foreign_column(field: &Field, missing: &[String], cells: &TextColumn) -> ForeignColumn {
    let domain = &field.domain;
    let mut rows_with = vec![0_u64; cells.texts.len()];
    for &code in &cells.codes {
        rows_with[code as usize] += 1;
    }
    let (mut unknown, mut outside) = (Unknown::default(), 0);
    let values: Vec<MaskedValue> = cells
        .texts
        .iter()
        .zip(&rows_with)
        .map(|(text, &n_rows)| match read(text, domain, missing) {
            Foreign::Value(value) => value,
            Foreign::Outside(value) => {
                outside += n_rows;
                value
            }
            Foreign::Unknown => {
                unknown.cells += n_rows;
                unknown.texts += 1;
                MaskedValue::Anything
            }
        })
        .collect();
    ForeignColumn {
        column: column(domain, &values, &cells.codes),
        unknown,
        outside,
    }
}

/// What a text says in a column with this domain.
pub(super) fn read(text: &str, domain: &Domain, missing: &[String]) -> Foreign {
    let text = text.trim();
    if missing.iter().any(|mark| mark == text) {
        // Where no value is ever missing, one that is was taken away.
        return Foreign::Value(if domain.may_be_missing() {
            MaskedValue::Missing
        } else {
            MaskedValue::Anything
        });
    }
    if text.is_empty() {
        // As this library writes a missing value, whatever the marks of the raw file are.
        return if domain.may_be_missing() {
            Foreign::Value(MaskedValue::Missing)
        } else {
            Foreign::Unknown
        };
    }
    let known = match domain {
        Domain::Numbers { interval, .. } => {
            if HIDDEN.contains(&text) {
                Some(MaskedValue::Anything)
            } else {
                return numbers(text, interval, domain);
            }
        }
        Domain::Values(tree) => node(text, tree)
            .map(|node| MaskedValue::under(tree, node))
            .or_else(|| hidden(text))
            .or_else(|| MaskedValue::parse(text, domain, None)),
        Domain::Sets { tree, separator } => {
            let items = text.split(separator.as_str()).map(str::trim);
            let nodes = items
                .filter(|item| !item.is_empty())
                .map(|item| node(item, tree))
                .collect::<Option<Vec<Node>>>();
            nodes
                .map(|nodes| MaskedValue::items(tree, nodes))
                .or_else(|| hidden(text))
        }
    };
    known.map_or(Foreign::Unknown, Foreign::Value)
}

fn node(label: &str, tree: &Tree) -> Option<Node> {
    (!label.is_empty())
        .then(|| tree.taxonomy.node_of_label(label))
        .flatten()
}

fn hidden(text: &str) -> Option<MaskedValue> {
    HIDDEN.contains(&text).then_some(MaskedValue::Anything)
}

/// A number or one of the forms of an interval.
fn numbers(text: &str, interval: &Interval, domain: &Domain) -> Foreign {
    if let Some(number) = interval.parse(text) {
        return exact(number, interval);
    }
    match range(text, interval) {
        Some(range) => {
            let value = range.on(interval);
            value.map_or(Foreign::Unknown, |value| {
                Foreign::Value(if value.tells_nothing(domain) {
                    MaskedValue::Anything
                } else {
                    value
                })
            })
        }
        None => Foreign::Unknown,
    }
}

/// A number between two places, such as a mean, is at the nearer one.
fn exact(number: f64, interval: &Interval) -> Foreign {
    let steps = (number - interval.low()) / interval.step();
    let place = interval.place(number).unwrap_or(steps.round() as Place);
    if number < interval.low() && place == 0 && steps < -0.5 {
        Foreign::Outside(MaskedValue::Number(0))
    } else if place > interval.last() || steps > f64::from(interval.last()) + 0.5 {
        Foreign::Outside(MaskedValue::Number(interval.last()))
    } else {
        Foreign::Value(MaskedValue::Number(place))
    }
}

/// Where an interval ends on one side, and whether the end belongs to it.
#[derive(Debug, Clone, Copy)]
enum End {
    Open(f64),
    Closed(f64),
    Nowhere,
}

/// Numbers from one end to the other.
#[derive(Debug, Clone, Copy)]
struct Range {
    low: End,
    high: End,
}

impl Range {
    /// The places of the grid within; nothing if there are none.
    fn on(self, interval: &Interval) -> Option<MaskedValue> {
        let last = f64::from(interval.last());
        let steps = |number: f64| match interval.place(number) {
            Some(place) => f64::from(place),
            None => (number - interval.low()) / interval.step(),
        };
        let first_place = match self.low {
            End::Nowhere => 0.0,
            End::Closed(number) => steps(number).ceil(),
            End::Open(number) => steps(number).floor() + 1.0,
        };
        let last_place = match self.high {
            End::Nowhere => last,
            End::Closed(number) => steps(number).floor(),
            End::Open(number) => steps(number).ceil() - 1.0,
        };
        let (first_place, last_place) = (first_place.max(0.0), last_place.min(last));
        (first_place <= last_place)
            .then(|| MaskedValue::range(first_place as Place, last_place as Place))
    }
}

/// The numbers on one side of another.
type OneSided = fn(f64) -> Range;

/// `[a, b)`, `[a, b[`, `[a, b]`, `(a, b]`, `]a, b]`, `a-b`, `<a`, `<=a`, `>a`, `>=a`, `{a, b}`.
fn range(text: &str, interval: &Interval) -> Option<Range> {
    let number = |text: &str| interval.parse(text.trim());
    let one_sided: [(&str, OneSided); 4] = [
        ("<=", |to| Range {
            low: End::Nowhere,
            high: End::Closed(to),
        }),
        (">=", |from| Range {
            low: End::Closed(from),
            high: End::Nowhere,
        }),
        ("<", |to| Range {
            low: End::Nowhere,
            high: End::Open(to),
        }),
        (">", |from| Range {
            low: End::Open(from),
            high: End::Nowhere,
        }),
    ];
    for (sign, range) in one_sided {
        if let Some(end) = text.strip_prefix(sign) {
            return number(end).map(range);
        }
    }
    if let Some(inside) = within(text, "{", "}") {
        let listed = inside
            .split([',', ';'])
            .map(number)
            .collect::<Option<Vec<f64>>>()?;
        let low = listed.iter().copied().fold(f64::INFINITY, f64::min);
        let high = listed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        return Some(Range {
            low: End::Closed(low),
            high: End::Closed(high),
        });
    }
    if let Some((low, high)) = text
        .char_indices()
        .filter(|&(at, letter)| letter == '-' && at > 0)
        .find_map(|(at, _)| Some((number(&text[..at])?, number(&text[at + 1..])?)))
    {
        return Some(Range {
            low: End::Closed(low),
            high: End::Closed(high),
        });
    }
    let opening = text.chars().next()?;
    let closing = text.chars().next_back()?;
    let inside = text.get(opening.len_utf8()..text.len() - closing.len_utf8())?;
    let (low, high) = inside.split_once([',', ';'])?;
    let (low, high) = (number(low)?, number(high)?);
    Some(Range {
        low: match opening {
            '[' => End::Closed(low),
            '(' | ']' => End::Open(low),
            _ => return None,
        },
        high: match closing {
            ']' => End::Closed(high),
            ')' | '[' => End::Open(high),
            _ => return None,
        },
    })
}

fn within<'t>(text: &'t str, opening: &str, closing: &str) -> Option<&'t str> {
    text.strip_prefix(opening)?.strip_suffix(closing)
}

/// A column of these values: a raw one if all are exact.
fn column(domain: &Domain, values: &[MaskedValue], codes: &[u32]) -> Column {
    let pack = |of_text: &[u32], n_values: usize| {
        let codes = codes.iter().map(|&code| of_text[code as usize]);
        Codes::pack(codes, n_values)
    };
    if values.iter().any(|value| !value.is_exact(domain)) {
        // Sorted, so that equal cells make equal columns, whatever the order of the rows.
        let mut sorted: Vec<&MaskedValue> = values.iter().collect();
        sorted.sort_unstable();
        let mut dictionary = MaskedDictionary::default();
        for value in sorted {
            dictionary.code(value.clone());
        }
        let of_text: Vec<u32> = values
            .iter()
            .map(|value| dictionary.code(value.clone()))
            .collect();
        let n_values = dictionary.values().len();
        return Column::Masked(pack(&of_text, n_values), dictionary);
    }
    let leaf = |tree: &Tree, node: Node| {
        let leaf = tree.taxonomy.leaf_of_node(node);
        leaf.expect("an exact value names leaves")
    };
    match domain {
        Domain::Numbers { interval, .. } => {
            let of_text: Vec<u32> = values
                .iter()
                .map(|value| match value {
                    MaskedValue::Number(place) => *place,
                    _ => interval.missing(),
                })
                .collect();
            Column::Numbers(pack(&of_text, interval.missing() as usize + 1))
        }
        Domain::Values(tree) => {
            let leaves = values.iter().flat_map(|value| value.nodes(tree));
            let of_text: Vec<u32> = leaves.map(|node| leaf(tree, node)).collect();
            Column::Values(pack(&of_text, tree.taxonomy.n_leaves()))
        }
        Domain::Sets { tree, .. } => {
            let sets: Vec<Vec<Leaf>> = values
                .iter()
                .map(|value| {
                    let nodes = value.nodes(tree).into_iter();
                    nodes.map(|node| leaf(tree, node)).collect()
                })
                .collect();
            let mut different = sets.clone();
            different.sort_unstable();
            different.dedup();
            let of_text: Vec<u32> = sets
                .iter()
                .map(|set| different.partition_point(|other| other < set) as u32)
                .collect();
            let n_sets = different.len();
            let dictionary = SetDictionary::from_sets(different.into_iter());
            Column::Sets(pack(&of_text, n_sets), dictionary)
        }
    }
}

#[cfg(test)]
mod tests;
