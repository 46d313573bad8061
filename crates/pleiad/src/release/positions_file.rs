//! `positions.csv`: where masked values lie, as shares of raw values; and the files of groups that it may refer to.
//!
//! A line says that so large a share of what is published as one value (or of one group) is a certain raw value. The
//! position of a masked value is the mean of the positions of its raw values with these shares. In a column of numbers
//! there is one line for the mean of those that are there, and one with an empty value for those that are missing.

use std::cell::Cell;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::folder::write_file;
use super::manifest::KeyedBy;
use crate::error::{Error, Place, Result};
use crate::progress::Silent;
use crate::table::{
    Codes, Column, ColumnSpread, Domain, Field, Interval, Leaf, MaskedValue, Node, Spread, Table,
    TextColumn, TextTable, Tree, read_texts,
};

/// Lines of a spread that belong to one key.
struct Keyed {
    key: String,
    lines: Vec<(String, f64)>,
}

/// A CSV file in memory.
struct Lines(csv::Writer<Vec<u8>>);

impl Lines {
    fn new() -> Self {
        Self(csv::Writer::from_writer(Vec::new()))
    }

    fn push<T: AsRef<[u8]>>(&mut self, fields: impl IntoIterator<Item = T>) {
        self.0
            .write_record(fields)
            .expect("lines of equal length are written to memory");
    }

    fn write(self, path: &Path) -> Result<()> {
        let bytes = self.0.into_inner().expect("memory takes what it is given");
        write_file(path, &bytes)
    }
}

/// Writes the positions of all masked columns.
pub(super) fn write(
    path: &Path,
    table: &Table,
    spreads: &[Option<ColumnSpread>],
    keyed_by: KeyedBy,
) -> Result<()> {
    let mut out = Lines::new();
    out.push(["column", key_name(keyed_by), "value", "share"]);
    for (number, spread) in spreads.iter().enumerate() {
        let Some(spread) = spread else { continue };
        let (field, column) = (&table.fields()[number], &table.columns()[number]);
        for keyed in keyed_lines(field, column, spread, keyed_by)? {
            for (value, share) in &keyed.lines {
                out.push([&field.name, &keyed.key, value, &share.to_string()]);
            }
        }
    }
    out.write(path)
}

fn key_name(keyed_by: KeyedBy) -> &'static str {
    match keyed_by {
        KeyedBy::Published => "published",
        KeyedBy::Group => "group",
    }
}

fn keyed_lines(
    field: &Field,
    column: &Column,
    spread: &ColumnSpread,
    keyed_by: KeyedBy,
) -> Result<Vec<Keyed>> {
    Ok(match spread {
        ColumnSpread::Nodes(nodes) => {
            let tree = tree_of(field);
            nodes
                .iter()
                .map(|(node, shares)| Keyed {
                    key: tree.taxonomy.label(*node).to_owned(),
                    lines: leaf_lines(tree, shares),
                })
                .collect()
        }
        ColumnSpread::Entries { entries, .. } => {
            let keys: Vec<String> = match keyed_by {
                KeyedBy::Group => (1..=entries.len()).map(|group| group.to_string()).collect(),
                KeyedBy::Published => column.writer(&field.domain)?.all_texts(),
            };
            keys.into_iter()
                .zip(entries)
                .map(|(key, entry)| Keyed {
                    key,
                    lines: match (entry, &field.domain) {
                        (Spread::Leaves(shares), _) => leaf_lines(tree_of(field), shares),
                        (
                            Spread::Numbers {
                                mean_place,
                                missing,
                            },
                            Domain::Numbers { interval, .. },
                        ) => number_lines(interval, *mean_place, *missing),
                        (Spread::Numbers { .. }, _) => {
                            unreachable!("a spread is made for the kind of its column")
                        }
                    },
                })
                .collect()
        }
    })
}

fn tree_of(field: &Field) -> &Tree {
    field
        .domain
        .tree()
        .expect("only columns of words have shares of leaves")
}

fn leaf_lines(tree: &Tree, shares: &[(Leaf, f64)]) -> Vec<(String, f64)> {
    shares
        .iter()
        .map(|&(leaf, share)| (tree.taxonomy.leaf_label(leaf).to_owned(), share))
        .collect()
}

fn number_lines(interval: &Interval, mean_place: f64, missing: f64) -> Vec<(String, f64)> {
    let mut lines = Vec::with_capacity(2);
    if missing < 1.0 {
        lines.push((interval.position_text(mean_place), 1.0 - missing));
    }
    if missing > 0.0 {
        lines.push((String::new(), missing));
    }
    lines
}

/// Writes the groups that positions refer to: their number, and the published values that make a row one of them.
/// `first_rows` has a row of each group.
pub(super) fn write_groups(
    path: &Path,
    table: &Table,
    columns: &[usize],
    first_rows: &[u32],
) -> Result<()> {
    let writers = columns
        .iter()
        .map(|&column| table.columns()[column].writer(&table.fields()[column].domain))
        .collect::<Result<Vec<_>>>()?;
    let mut out = Lines::new();
    let names = columns
        .iter()
        .map(|&column| table.fields()[column].name.as_str());
    out.push(std::iter::once(GROUP_COLUMN).chain(names));
    for (group, &row) in first_rows.iter().enumerate() {
        let texts = columns.iter().zip(&writers).map(|(&column, writer)| {
            let code = table.columns()[column].codes().get(row as usize);
            writer.text(code).into_owned()
        });
        out.push(std::iter::once((group + 1).to_string()).chain(texts));
    }
    out.write(path)
}

/// The column of a file of groups that numbers them.
pub(super) const GROUP_COLUMN: &str = "_group";

/// The lines of a file of positions, column by column and key by key.
pub(super) struct PositionLines {
    lines: FxHashMap<String, FxHashMap<String, Vec<(String, f64)>>>,
    n_keys: usize,
    /// Keys that were asked for: a file says nothing about anything else.
    asked: Cell<usize>,
}

/// How far shares may be from summing to 1.
const ROUNDING: f64 = 1e-6;

impl PositionLines {
    /// Reads a file of positions.
    pub(super) fn read(path: &Path, keyed_by: KeyedBy) -> Result<Self> {
        let texts = read_texts(path, Some(b','), &Silent)?;
        let wrong = |what: String| Error::data(what).at(Place::file(path));
        let named = |name: &str| {
            texts
                .column(name)
                .ok_or_else(|| wrong(format!("there is no column `{name}`")))
        };
        let (columns, keys) = (named("column")?, named(key_name(keyed_by))?);
        let (values, shares) = (named("value")?, named("share")?);
        let mut lines: FxHashMap<String, FxHashMap<String, Vec<(String, f64)>>> =
            FxHashMap::default();
        for row in 0..texts.n_rows() {
            let text = |column: &TextColumn| column.texts[column.codes[row] as usize].clone();
            let share = text(shares)
                .parse()
                .ok()
                .filter(|share: &f64| (0.0..=1.0).contains(share))
                .ok_or_else(|| wrong(format!("row {} has no share from 0 to 1", row + 1)))?;
            lines
                .entry(text(columns))
                .or_default()
                .entry(text(keys))
                .or_default()
                .push((text(values), share));
        }
        Ok(Self {
            n_keys: lines.values().map(FxHashMap::len).sum(),
            lines,
            asked: Cell::new(0),
        })
    }

    /// Refuses a file that says more than it was asked: who wrote it meant to tell something else.
    pub(super) fn check_all_were_asked(&self) -> Result<()> {
        if self.asked.get() == self.n_keys {
            Ok(())
        } else {
            Err(Error::refused(
                "the file of positions has lines about what is not in the table",
            ))
        }
    }

    /// How what is published as a masked value spreads, by the lines of a key.
    pub(super) fn spread(&self, field: &Field, key: &str, value: &MaskedValue) -> Result<Spread> {
        let wrong = |what: &str| {
            Error::refused(format!(
                "the file of positions {what} `{key}` of `{}`",
                field.name
            ))
        };
        let no_value = || wrong("places elsewhere than where it can be what is published as");
        let lines = self
            .lines
            .get(&field.name)
            .and_then(|of_column| of_column.get(key))
            .ok_or_else(|| wrong("does not say where to find"))?;
        self.asked.set(self.asked.get() + 1);
        let total: f64 = lines.iter().map(|(_, share)| share).sum();
        if (total - 1.0).abs() > ROUNDING {
            return Err(wrong("has shares that do not sum to 1 for"));
        }
        match &field.domain {
            Domain::Numbers {
                interval,
                may_be_missing,
            } => {
                let middle = f64::from(interval.last()) / 2.0;
                let (mut mean_place, mut missing) = (middle, 0.0);
                let (first, last) = match value {
                    MaskedValue::Range(first, last) => (*first, *last),
                    MaskedValue::Number(place) => (*place, *place),
                    _ => (0, interval.last()),
                };
                let inside = f64::from(first) - 0.5..=f64::from(last) + 0.5;
                for (value, share) in lines {
                    if value.is_empty() {
                        missing = *share;
                    } else {
                        let place = interval.parse_position(value);
                        mean_place = place
                            .filter(|place| inside.contains(place))
                            .ok_or_else(no_value)?;
                    }
                }
                let may_be = match value {
                    MaskedValue::Missing => missing == 1.0,
                    MaskedValue::Anything => missing == 0.0 || *may_be_missing,
                    _ => missing == 0.0,
                };
                if lines.len() > 2 || !may_be {
                    return Err(no_value());
                }
                Ok(Spread::Numbers {
                    mean_place,
                    missing,
                })
            }
            Domain::Values(tree) | Domain::Sets { tree, .. } => {
                let taxonomy = &tree.taxonomy;
                let mut possible: Vec<Leaf> = value
                    .leaf_shares(tree)
                    .into_iter()
                    .map(|(leaf, _)| leaf)
                    .collect();
                possible.sort_unstable();
                let leaves = lines.iter().map(|(value, share)| {
                    let leaf = match value.as_str() {
                        "" => taxonomy.missing(),
                        label => taxonomy.leaf_of_label(label),
                    };
                    leaf.filter(|leaf| possible.binary_search(leaf).is_ok())
                        .map(|leaf| (leaf, *share))
                        .ok_or_else(no_value)
                });
                Ok(Spread::Leaves(leaves.collect::<Result<_>>()?))
            }
        }
    }

    /// The spread of a masked column whose positions are told by its published values.
    pub(super) fn of_published(&self, field: &Field, column: &Column) -> Result<ColumnSpread> {
        let Column::Masked(codes, dictionary) = column else {
            return Err(Error::data(format!(
                "the column `{}` is not masked",
                field.name
            )));
        };
        if let Domain::Sets { tree, .. } = &field.domain {
            let values = dictionary.values().iter();
            let mut nodes: Vec<Node> = values.flat_map(|value| value.nodes(tree)).collect();
            nodes.sort_unstable();
            nodes.dedup();
            let spreads = nodes.into_iter().map(|node| {
                match self.spread(
                    field,
                    tree.taxonomy.label(node),
                    &MaskedValue::under(tree, node),
                )? {
                    Spread::Leaves(shares) => Ok((node, shares)),
                    Spread::Numbers { .. } => unreachable!("items of a set are leaves"),
                }
            });
            return Ok(ColumnSpread::Nodes(spreads.collect::<Result<_>>()?));
        }
        let texts = dictionary.texts(&field.domain)?;
        Ok(ColumnSpread::Entries {
            codes: codes.clone(),
            entries: texts
                .iter()
                .zip(dictionary.values())
                .map(|(text, value)| self.spread(field, text, value))
                .collect::<Result<_>>()?,
        })
    }
}

impl PositionLines {
    /// The spread of a masked column whose positions are told by groups.
    pub(super) fn of_groups(
        &self,
        field: &Field,
        column: &Column,
        groups: &Codes,
        n_groups: usize,
    ) -> Result<ColumnSpread> {
        let Column::Masked(codes, dictionary) = column else {
            return Err(Error::data(format!(
                "the column `{}` is not masked",
                field.name
            )));
        };
        let mut published: Vec<Option<u32>> = vec![None; n_groups];
        for (code, group) in codes.iter().zip(groups.iter()) {
            published[group as usize].get_or_insert(code);
        }
        let entries = published.into_iter().enumerate().map(|(group, code)| {
            let code =
                code.ok_or_else(|| Error::refused("a file of groups has one that no row is in"))?;
            let value = &dictionary.values()[code as usize];
            self.spread(field, &(group + 1).to_string(), value)
        });
        Ok(ColumnSpread::Entries {
            codes: groups.clone(),
            entries: entries.collect::<Result<_>>()?,
        })
    }
}

/// The group of each row of a published table, by the number that the file of groups gives it, counted from 0.
pub(super) fn group_of_rows(path: &Path, data: &TextTable) -> Result<(Codes, usize)> {
    let groups = read_texts(path, Some(b','), &Silent)?;
    let wrong = |what: &str| Error::data(what).at(Place::file(path));
    let names: Vec<&str> = groups
        .names()
        .iter()
        .map(String::as_str)
        .filter(|name| *name != GROUP_COLUMN)
        .collect();
    let texts_of = |table: &TextTable, row: usize| -> Option<Vec<String>> {
        names
            .iter()
            .map(|name| {
                let column = table.column(name)?;
                Some(column.texts[column.codes[row] as usize].clone())
            })
            .collect()
    };
    let mut number: FxHashMap<Vec<String>, u32> = FxHashMap::default();
    for group in 0..groups.n_rows() {
        let texts = texts_of(&groups, group).ok_or_else(|| wrong("a column is missing"))?;
        if number.insert(texts, group as u32).is_some() {
            return Err(wrong("two groups have the same values"));
        }
    }
    let codes = (0..data.n_rows())
        .map(|row| {
            texts_of(data, row)
                .and_then(|texts| number.get(&texts).copied())
                .ok_or_else(|| wrong("a row of the table is in none of these groups"))
        })
        .collect::<Result<Vec<u32>>>()?;
    Ok((Codes::pack(codes, groups.n_rows()), groups.n_rows()))
}
