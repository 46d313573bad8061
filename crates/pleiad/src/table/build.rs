//! Turning cells into codes, one column at a time.
//!
//! A cell that does not fit is tallied, not reported at once: one pass over the file says everything that is wrong
//! with it, and no message needs to print a cell.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::codes::Codes;
use super::column::{Column, SetInterner};
use super::domain::{Domain, Field, Tree};
use super::interval::{Interval, Place, Unit, parse_unit};
use super::plan::{ColumnPlan, Kind, TreeSource};
use super::taxonomy::{EMPTY_SET_LABEL, Leaf, Taxonomy};
use crate::error::{Error, Result, nearest_name};

/// Rows that share a problem.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    rows: u64,
    first_row: u64,
}

impl Tally {
    fn note(&mut self, row: u64) {
        if self.rows == 0 {
            self.first_row = row;
        }
        self.rows += 1;
    }
}

/// What does not fit in a column.
#[derive(Debug, Default)]
struct Problems {
    missing: Tally,
    unreadable: Tally,
    outside: Tally,
    off_grid: Tally,
    not_text: Tally,
    unknown: Tally,
    /// The different values that the tree lacks, up to a limit, with the rows that have each.
    unknown_values: FxHashMap<Box<str>, u64>,
}

/// More different unknown values than this are only counted.
const UNKNOWN_VALUES_KEPT: usize = 10_000;

/// Whether the row can stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    Fits,
    /// A value is missing where none may be.
    Incomplete,
}

/// Codes of one column while its file is read.
#[derive(Debug)]
pub(super) struct ColumnBuilder {
    plan: ColumnPlan,
    cells: Cells,
    problems: Problems,
}

#[derive(Debug)]
enum Cells {
    /// Bounds are known: straight to the grid.
    Places(Interval, Codes),
    /// Bounds come from the data: kept until all are seen. NaN is missing.
    Raw(Unit, Vec<f64>),
    Values(Words, Codes),
    Sets {
        words: Words,
        separator: String,
        codes: Vec<u32>,
        sets: SetInterner,
        scratch: Vec<Leaf>,
    },
}

/// Words to leaves: those of a tree, or as they come.
#[derive(Debug)]
struct Words {
    leaf: FxHashMap<Box<[u8]>, Leaf>,
    tree: Option<(Taxonomy, TreeSource)>,
    missing: Option<Leaf>,
}

impl Words {
    fn new(tree: Option<(Taxonomy, TreeSource)>, may_be_missing: bool, sets: bool) -> Result<Self> {
        let Some((mut taxonomy, source)) = tree else {
            return Ok(Self {
                leaf: FxHashMap::default(),
                tree: None,
                missing: None,
            });
        };
        if sets {
            taxonomy = taxonomy.with_empty_set()?;
        }
        if may_be_missing {
            taxonomy = taxonomy.with_missing()?;
        }
        let mut leaf =
            FxHashMap::with_capacity_and_hasher(taxonomy.n_leaves() * 2, FxBuildHasher);
        for at in 0..taxonomy.n_leaves() as Leaf {
            if Some(at) != taxonomy.missing() {
                leaf.insert(taxonomy.leaf_label(at).as_bytes().into(), at);
            }
        }
        Ok(Self {
            leaf,
            missing: taxonomy.missing(),
            tree: Some((taxonomy, source)),
        })
    }

    /// The leaf of a word; a new one where words are taken as they come.
    fn find(&mut self, word: &[u8], row: u64, problems: &mut Problems) -> Option<Leaf> {
        if let Some(&leaf) = self.leaf.get(word) {
            return Some(leaf);
        }
        let Ok(text) = std::str::from_utf8(word) else {
            problems.not_text.note(row);
            return None;
        };
        if self.tree.is_some() {
            problems.unknown.note(row);
            let room = problems.unknown_values.len() < UNKNOWN_VALUES_KEPT;
            if let Some(rows) = problems.unknown_values.get_mut(text) {
                *rows += 1;
            } else if room {
                problems.unknown_values.insert(text.into(), 1);
            }
            return None;
        }
        let leaf = self.leaf.len() as Leaf;
        self.leaf.insert(word.into(), leaf);
        Some(leaf)
    }

    /// The code for "no value" while reading.
    fn missing_code(&self) -> Leaf {
        self.missing.unwrap_or(Leaf::MAX)
    }

    /// The tree, and the final leaf of each provisional one. Words taken as they came are sorted, so that codes say
    /// nothing about the order of the rows.
    fn finish(self, used: &[bool], may_be_missing: bool, sets: bool) -> Result<(Tree, Vec<Leaf>)> {
        if let Some((taxonomy, source)) = self.tree {
            let same = (0..taxonomy.n_leaves() as Leaf).collect();
            let tree = Tree {
                taxonomy,
                is_star: source == TreeSource::List,
            };
            return Ok((tree, same));
        }
        let mut words: Vec<(Box<[u8]>, Leaf)> = self
            .leaf
            .into_iter()
            .filter(|(_, leaf)| used[*leaf as usize])
            .collect();
        words.sort_unstable();
        let mut renamed = vec![Leaf::MAX; used.len()];
        for (new, (_, old)) in words.iter().enumerate() {
            renamed[*old as usize] = new as Leaf;
        }
        let values = words
            .iter()
            .map(|(word, _)| String::from_utf8_lossy(word).into_owned());
        let mut taxonomy = Taxonomy::star(values)?;
        if sets {
            taxonomy = taxonomy.with_empty_set()?;
        }
        if may_be_missing {
            taxonomy = taxonomy.with_missing()?;
        }
        let tree = Tree {
            taxonomy,
            is_star: true,
        };
        Ok((tree, renamed))
    }
}

/// The provisional code of the empty set where items are taken as they come.
const EMPTY_SET: Leaf = Leaf::MAX - 1;

impl ColumnBuilder {
    /// A builder for a column that is read; `plan.kind` must be given.
    pub(super) fn new(plan: ColumnPlan) -> Result<Self> {
        let may_be_missing = plan.may_be_missing;
        let kind = plan.kind.clone().expect("only columns with a kind are read");
        let cells = match kind {
            Kind::Numbers {
                interval: Some(interval),
                ..
            } => {
                let codes = Codes::for_values(interval.last() as usize + 2);
                Cells::Places(interval, codes)
            }
            Kind::Numbers { unit, .. } => Cells::Raw(unit, Vec::new()),
            Kind::Values { tree } => {
                let words = Words::new(tree, may_be_missing, false)?;
                let n_values = match &words.tree {
                    Some((taxonomy, _)) => taxonomy.n_leaves(),
                    None => usize::MAX,
                };
                Cells::Values(words, Codes::for_values(n_values))
            }
            Kind::Sets { tree, separator } => Cells::Sets {
                words: Words::new(tree, may_be_missing, true)?,
                separator,
                codes: Vec::new(),
                sets: SetInterner::default(),
                scratch: Vec::new(),
            },
        };
        Ok(Self {
            plan,
            cells,
            problems: Problems::default(),
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.plan.name
    }

    /// How numbers of this column are written; nothing for columns of words.
    pub(super) fn unit(&self) -> Option<Unit> {
        match &self.cells {
            Cells::Places(interval, _) => Some(interval.unit()),
            Cells::Raw(unit, _) => Some(*unit),
            _ => None,
        }
    }

    /// Appends a cell that has a value.
    pub(super) fn push_text(&mut self, text: &[u8], row: u64) {
        match &mut self.cells {
            Cells::Places(..) | Cells::Raw(..) => {
                let unit = self.unit().expect("a column of numbers");
                match parse_unit(text, unit) {
                    Some(number) => self.push_number(number, row),
                    None => self.push_unreadable(row),
                }
            }
            Cells::Values(words, codes) => {
                let leaf = words.find(text, row, &mut self.problems);
                codes.push(leaf.unwrap_or(0));
            }
            Cells::Sets {
                words,
                separator,
                codes,
                sets,
                scratch,
            } => {
                scratch.clear();
                let text = if text == EMPTY_SET_LABEL.as_bytes() { b"" } else { text };
                for word in split(text, separator.as_bytes()) {
                    scratch.extend(words.find(word, row, &mut self.problems));
                }
                codes.push(intern(words, sets, scratch));
            }
        }
    }

    /// Appends a set given item by item.
    pub(super) fn push_items<'t>(&mut self, items: impl Iterator<Item = &'t str>, row: u64) {
        if let Cells::Sets {
            words,
            codes,
            sets,
            scratch,
            ..
        } = &mut self.cells
        {
            scratch.clear();
            for word in items {
                scratch.extend(words.find(word.as_bytes(), row, &mut self.problems));
            }
            codes.push(intern(words, sets, scratch));
        } else {
            self.push_unreadable(row);
        }
    }

    /// Appends a number to a column of numbers.
    pub(super) fn push_number(&mut self, number: f64, row: u64) {
        match &mut self.cells {
            Cells::Places(interval, codes) => {
                let place = interval.place(number);
                if place.is_none() {
                    let inside = (interval.low()..=interval.high()).contains(&number);
                    match (number.is_finite(), inside) {
                        (false, _) => self.problems.unreadable.note(row),
                        (true, false) => self.problems.outside.note(row),
                        (true, true) => self.problems.off_grid.note(row),
                    }
                }
                codes.push(place.unwrap_or(0));
            }
            Cells::Raw(_, numbers) => {
                if !number.is_finite() {
                    self.problems.unreadable.note(row);
                }
                numbers.push(if number.is_finite() { number } else { 0.0 });
            }
            _ => self.push_unreadable(row),
        }
    }

    /// Appends a cell that has no value.
    pub(super) fn push_missing(&mut self) -> Fit {
        match &mut self.cells {
            Cells::Places(interval, codes) => codes.push(interval.missing()),
            Cells::Raw(_, numbers) => numbers.push(f64::NAN),
            Cells::Values(words, codes) => codes.push(words.missing_code()),
            Cells::Sets {
                words, codes, sets, ..
            } => codes.push(sets.code(&[words.missing_code()])),
        }
        if self.plan.may_be_missing {
            Fit::Fits
        } else {
            Fit::Incomplete
        }
    }

    /// Notes that a row lacks a value where none may be missing.
    pub(super) fn note_incomplete(&mut self, row: u64) {
        self.problems.missing.note(row);
    }

    /// Appends a cell that cannot be of this column's kind.
    fn push_unreadable(&mut self, row: u64) {
        self.problems.unreadable.note(row);
        match &mut self.cells {
            Cells::Places(_, codes) | Cells::Values(_, codes) => codes.push(0),
            Cells::Raw(_, numbers) => numbers.push(0.0),
            Cells::Sets { codes, .. } => codes.push(0),
        }
    }

    /// Takes the last cell back.
    pub(super) fn pop(&mut self) {
        match &mut self.cells {
            Cells::Places(_, codes) | Cells::Values(_, codes) => codes.pop(),
            Cells::Raw(_, numbers) => {
                numbers.pop();
            }
            Cells::Sets { codes, .. } => {
                codes.pop();
            }
        }
    }

    /// What is wrong with the column, if anything; `line_of` turns a row into words such as "line 12".
    pub(super) fn complaint(&self, line_of: &dyn Fn(u64) -> String) -> Option<Error> {
        let name = &self.plan.name;
        let problems = &self.problems;
        let rows = |tally: Tally| {
            let count = tally.rows;
            let rows = if count == 1 { "row" } else { "rows" };
            format!("{count} {rows}, first on {}", line_of(tally.first_row))
        };
        let kind = match self.unit() {
            Some(Unit::Day) => "a date (YYYY-MM-DD)",
            Some(Unit::Number) => "a finite number",
            None => "text",
        };
        if problems.unreadable.rows > 0 {
            let what = rows(problems.unreadable);
            return Some(
                Error::data(format!("column `{name}` is not {kind} in {what}"))
                    .hint("if the field means \"no value\", add it to `missing` under [data]"),
            );
        }
        if problems.not_text.rows > 0 {
            let what = rows(problems.not_text);
            return Some(Error::data(format!("column `{name}` is not UTF-8 text in {what}")));
        }
        if problems.outside.rows > 0 {
            let what = rows(problems.outside);
            return Some(
                Error::data(format!("column `{name}` is outside its bounds in {what}"))
                    .hint("widen `bounds`, or correct the rows"),
            );
        }
        if problems.off_grid.rows > 0 {
            let what = rows(problems.off_grid);
            return Some(
                Error::data(format!("column `{name}` is not a multiple of its step in {what}"))
                    .hint("give a finer `step`, or none"),
            );
        }
        if problems.unknown.rows > 0 {
            return Some(self.unknown_values(&rows(problems.unknown)));
        }
        if problems.missing.rows > 0 {
            let what = rows(problems.missing);
            return Some(
                Error::data(format!("column `{name}` has no value in {what}"))
                    .hint("`may_be_missing = true` makes it a value of its own; `incomplete_rows = \"drop\"` under [data] leaves such rows out"),
            );
        }
        None
    }

    fn unknown_values(&self, rows: &str) -> Error {
        let (Cells::Values(words, _) | Cells::Sets { words, .. }) = &self.cells else {
            unreachable!("only words can be unknown");
        };
        let (taxonomy, source) = words.tree.as_ref().expect("only a tree can lack a value");
        let mut values: Vec<&str> = self.problems.unknown_values.keys().map(AsRef::as_ref).collect();
        values.sort_unstable();
        let count = match values.len() {
            1 => "1 value".to_owned(),
            UNKNOWN_VALUES_KEPT => format!("at least {UNKNOWN_VALUES_KEPT} values"),
            more => format!("{more} values"),
        };
        let place = match source {
            TreeSource::Taxonomy => "its taxonomy",
            TreeSource::List => "its list of values",
        };
        let mut near: Vec<&str> = values
            .iter()
            .filter_map(|value| nearest_name(value, taxonomy.value_labels()))
            .collect();
        near.sort_unstable();
        near.dedup();
        let error = Error::data(format!(
            "column `{}` has {count} that {place} lacks, in {rows}",
            self.plan.name
        ));
        if near.is_empty() {
            error.hint(format!("add them to {place}, or correct the rows"))
        } else {
            near.truncate(5);
            error.hint(format!("the nearest names there: `{}`", near.join("`, `")))
        }
    }

    /// The different values that the tree lacks, for an owner who asks to see them.
    pub(super) fn unknown_value_list(&self) -> Vec<String> {
        let mut values: Vec<String> =
            self.problems.unknown_values.keys().map(|value| value.to_string()).collect();
        values.sort_unstable();
        values
    }

    /// The field and its coded column.
    pub(super) fn finish(self) -> Result<(Field, Column)> {
        let plan = self.plan;
        let name = plan.name.clone();
        let (domain, column) = match self.cells {
            Cells::Places(interval, codes) => {
                let domain = Domain::Numbers {
                    interval,
                    may_be_missing: plan.may_be_missing,
                };
                (domain, Column::Numbers(codes))
            }
            Cells::Raw(unit, numbers) => {
                let Some(Kind::Numbers { step, .. }) = plan.kind else {
                    unreachable!("numbers are planned as numbers");
                };
                numbers_from_data(&numbers, unit, step, plan.may_be_missing)
                    .map_err(|error| error.hint(format!("this is about column `{name}`")))?
            }
            Cells::Values(words, codes) => values_column(words, codes, plan.may_be_missing)?,
            Cells::Sets {
                words,
                separator,
                codes,
                sets,
                ..
            } => sets_column(words, separator, &codes, sets, plan.may_be_missing)?,
        };
        let field = Field {
            name,
            role: plan.role,
            domain,
            weight: plan.weight,
        };
        Ok((field, column))
    }
}

/// The code of the set in `scratch`, the empty set included.
fn intern(words: &Words, sets: &mut SetInterner, scratch: &mut Vec<Leaf>) -> u32 {
    if scratch.is_empty() {
        let empty = match &words.tree {
            Some((taxonomy, _)) => taxonomy.empty_set().unwrap_or(EMPTY_SET),
            None => EMPTY_SET,
        };
        scratch.push(empty);
    }
    scratch.sort_unstable();
    scratch.dedup();
    sets.code(scratch)
}

fn split<'t>(text: &'t [u8], separator: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let at = text
            .windows(separator.len())
            .position(|window| window == separator);
        let word = &text[..at.unwrap_or(text.len())];
        rest = at.map(|at| &text[at + separator.len()..]);
        Some(word)
    })
    .map(<[u8]>::trim_ascii)
    .filter(|word| !word.is_empty())
}

fn numbers_from_data(
    numbers: &[f64],
    unit: Unit,
    step: Option<f64>,
    may_be_missing: bool,
) -> Result<(Domain, Column)> {
    let present = || numbers.iter().copied().filter(|number| !number.is_nan());
    let low = present().fold(f64::INFINITY, f64::min);
    let high = present().fold(f64::NEG_INFINITY, f64::max);
    // A column with one value, or none, still needs an interval: a step to its right.
    let (low, high) = if low.is_finite() { (low, high) } else { (0.0, 0.0) };
    let step = step.or((unit == Unit::Day).then_some(1.0));
    let high = if high > low { high } else { low + step.unwrap_or(1.0) };
    let interval = Interval::new(low, high, step, unit, false)?;
    let missing = interval.missing();
    let mut off_grid = 0_u64;
    let places: Vec<Place> = numbers
        .iter()
        .map(|&number| {
            if number.is_nan() {
                return missing;
            }
            interval.place(number).unwrap_or_else(|| {
                off_grid += 1;
                0
            })
        })
        .collect();
    if off_grid > 0 {
        return Err(Error::data(format!(
            "numbers that are not a multiple of the step from the least one: {off_grid} rows"
        )));
    }
    let codes = Codes::pack(places, missing as usize + 1);
    let domain = Domain::Numbers {
        interval,
        may_be_missing,
    };
    Ok((domain, Column::Numbers(codes)))
}

fn values_column(words: Words, codes: Codes, may_be_missing: bool) -> Result<(Domain, Column)> {
    if words.tree.is_some() {
        let (tree, _) = words.finish(&[], may_be_missing, false)?;
        return Ok((Domain::Values(tree), Column::Values(codes)));
    }
    let mut used = vec![false; words.leaf.len()];
    for code in codes.iter().filter(|&code| code != Leaf::MAX) {
        used[code as usize] = true;
    }
    let (tree, renamed) = words.finish(&used, may_be_missing, false)?;
    let missing = tree.taxonomy.missing();
    let final_codes = codes.iter().map(|code| match missing {
        Some(missing) if code == Leaf::MAX => missing,
        _ => renamed[code as usize],
    });
    let codes = Codes::pack(final_codes, tree.taxonomy.n_leaves());
    Ok((Domain::Values(tree), Column::Values(codes)))
}

fn sets_column(
    words: Words,
    separator: String,
    codes: &[u32],
    sets: SetInterner,
    may_be_missing: bool,
) -> Result<(Domain, Column)> {
    let used = vec![true; words.leaf.len()];
    let (tree, renamed) = words.finish(&used, may_be_missing, true)?;
    let taxonomy = &tree.taxonomy;
    let (sets, new_code) = sets.finish(|leaf| match leaf {
        Leaf::MAX => taxonomy.missing().unwrap_or(0),
        EMPTY_SET => taxonomy.empty_set().unwrap_or(0),
        _ => renamed[leaf as usize],
    });
    let codes = Codes::pack(
        codes.iter().map(|&code| new_code[code as usize]),
        sets.len(),
    );
    Ok((Domain::sets(tree, separator)?, Column::Sets(codes, sets)))
}
