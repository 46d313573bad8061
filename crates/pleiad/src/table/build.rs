//! Turning cells into codes, one column at a time.

use super::codes::Codes;
use super::column::{Column, SetInterner};
use super::domain::{Domain, Field, check_separator};
use super::interval::{Interval, Place, Unit, is_day, parse_unit};
use super::plan::{ColumnPlan, Kind, TreeSource};
use super::problems::{Problem, Problems};
use super::taxonomy::{EMPTY_SET_LABEL, Leaf, Taxonomy};
use super::words::{ExtraLeaves, Words};
use crate::error::{Error, Result};

/// What becomes of a cell that is not of its column's domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strangers {
    /// It is complained about.
    Refuse,
    /// It is taken for a value of the domain, by a rule that needs the cell alone: a number for the nearest one, a word
    /// for the missing value or for `other`, what cannot be read for the missing value or the middle of the range.
    TakeIn,
}

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
    strangers: Strangers,
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
        cells: SetCells,
        separator: String,
    },
}

#[derive(Debug)]
struct SetCells {
    words: Words,
    codes: Vec<u32>,
    sets: SetInterner,
    /// The items of the set that is being read.
    items: Vec<Leaf>,
}

impl ColumnBuilder {
    /// A builder for a column that is read; `plan.kind` must be given.
    pub(super) fn new(plan: ColumnPlan, strangers: Strangers) -> Result<Self> {
        let missing = plan.may_be_missing;
        let takes_in = strangers == Strangers::TakeIn;
        let kind = plan
            .kind
            .clone()
            .expect("only columns with a kind are read");
        let cells = match kind {
            Kind::Numbers {
                interval: Some(interval),
                ..
            } => {
                let codes = Codes::for_values(interval.missing() as usize + 1);
                Cells::Places(interval, codes)
            }
            Kind::Numbers { unit, .. } => Cells::Raw(unit, Vec::new()),
            Kind::Values { tree } => {
                let extra = ExtraLeaves {
                    missing,
                    empty_set: false,
                    other: takes_in && !missing,
                };
                let words = Words::new(tree, extra)?;
                let n_values = match words.tree() {
                    Some((taxonomy, _)) => taxonomy.n_leaves(),
                    None => usize::MAX,
                };
                Cells::Values(words, Codes::for_values(n_values))
            }
            Kind::Sets { tree, separator } => Cells::Sets {
                cells: SetCells::new(tree, &separator, missing, takes_in)?,
                separator,
            },
        };
        Ok(Self {
            plan,
            cells,
            strangers,
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
            Cells::Values(..) | Cells::Sets { .. } => None,
        }
    }

    /// Whether the column is one of sets.
    pub(super) fn takes_sets(&self) -> bool {
        matches!(self.cells, Cells::Sets { .. })
    }

    /// Appends a cell that has a value.
    pub(super) fn push_text(&mut self, text: &[u8], row: u64) {
        match &mut self.cells {
            Cells::Values(words, codes) => {
                let leaf = words.find(text, row, &mut self.problems);
                codes.push(leaf.unwrap_or_else(|| words.stranger()));
            }
            Cells::Sets { cells, separator } => {
                cells.push(split(text, separator.as_bytes()), row, &mut self.problems);
            }
            Cells::Places(..) | Cells::Raw(..) => {
                let unit = self.unit().expect("a column of numbers");
                match parse_unit(text, unit) {
                    Some(number) => self.push_number(number, row),
                    None => self.push_unreadable(row),
                }
            }
        }
    }

    /// Appends a set given item by item to a column of sets.
    pub(super) fn push_items<'t>(&mut self, items: impl Iterator<Item = &'t str>, row: u64) {
        let Cells::Sets { cells, separator } = &mut self.cells else {
            return self.push_unreadable(row);
        };
        let mut has_separator = false;
        let items = items
            .inspect(|item| has_separator |= item.contains(&*separator))
            .map(|item| item.as_bytes().trim_ascii())
            .filter(|item| !item.is_empty());
        cells.push(items, row, &mut self.problems);
        if has_separator {
            self.problems.note(Problem::Separator, row);
        }
    }

    /// Appends a number to a column of numbers.
    pub(super) fn push_number(&mut self, number: f64, row: u64) {
        match &mut self.cells {
            Cells::Places(interval, codes) => {
                let place = interval.place(number);
                if place.is_none() {
                    let inside = (interval.low()..=interval.high()).contains(&number);
                    let problem = match (number.is_finite(), inside) {
                        (false, _) => Problem::Unreadable,
                        (true, false) => Problem::Outside,
                        (true, true) => Problem::OffGrid,
                    };
                    self.problems.note(problem, row);
                    if problem == Problem::Unreadable {
                        return self.push_default();
                    }
                }
                codes.push(place.unwrap_or_else(|| interval.nearest_place(number)));
            }
            Cells::Raw(unit, numbers) => {
                let fits = match unit {
                    Unit::Number => number.is_finite(),
                    Unit::Day => is_day(number),
                };
                if !fits {
                    self.problems.note(Problem::Unreadable, row);
                }
                numbers.push(number);
            }
            Cells::Values(..) | Cells::Sets { .. } => self.push_unreadable(row),
        }
    }

    /// Appends a cell that cannot be of this column's kind.
    pub(super) fn push_unreadable(&mut self, row: u64) {
        self.problems.note(Problem::Unreadable, row);
        self.push_default();
    }

    /// Appends what stands for a cell of which nothing is known.
    fn push_default(&mut self) {
        if self.plan.may_be_missing || self.strangers == Strangers::Refuse {
            self.push_missing();
            return;
        }
        match &mut self.cells {
            Cells::Places(interval, codes) => codes.push(interval.last() / 2),
            Cells::Raw(_, numbers) => numbers.push(f64::NAN),
            Cells::Values(words, codes) => codes.push(words.stranger()),
            Cells::Sets { cells, .. } => {
                let empty_set = cells.words.empty_set();
                cells.codes.push(cells.sets.code(&[empty_set]));
            }
        }
    }

    /// Appends a cell that has no value, though it must have one.
    pub(super) fn push_missing_taken_in(&mut self, row: u64) {
        self.problems.note(Problem::Missing, row);
        self.push_default();
    }

    /// Appends a cell that has no value.
    pub(super) fn push_missing(&mut self) -> Fit {
        match &mut self.cells {
            Cells::Places(interval, codes) => codes.push(interval.missing()),
            Cells::Raw(_, numbers) => numbers.push(f64::NAN),
            Cells::Values(words, codes) => codes.push(words.missing()),
            Cells::Sets { cells, .. } => {
                let missing = cells.words.missing();
                cells.codes.push(cells.sets.code(&[missing]));
            }
        }
        if self.plan.may_be_missing {
            Fit::Fits
        } else {
            Fit::Incomplete
        }
    }

    /// Notes that a row lacks a value where none may be missing.
    pub(super) fn note_incomplete(&mut self, row: u64) {
        self.problems.note(Problem::Missing, row);
    }

    /// Takes the last cell back.
    pub(super) fn pop(&mut self) {
        match &mut self.cells {
            Cells::Places(_, codes) | Cells::Values(_, codes) => codes.pop(),
            Cells::Raw(_, numbers) => {
                numbers.pop();
            }
            Cells::Sets { cells, .. } => {
                cells.codes.pop();
            }
        }
    }

    /// Whether a row may be without a value.
    pub(super) fn may_be_missing(&self) -> bool {
        self.plan.may_be_missing
    }

    /// Whether any cell does not fit.
    pub(super) fn has_problems(&self) -> bool {
        self.problems.any()
    }

    /// How many cells did not fit, each counted once for every way in which it does not.
    pub(super) fn n_strangers(&self) -> u64 {
        self.problems.n_rows()
    }

    /// What is wrong with the column, if anything; `line_of` turns a row into words such as "line 12".
    pub(super) fn complaint(&self, line_of: &dyn Fn(u64) -> String) -> Option<Error> {
        let expected = match self.unit() {
            Some(Unit::Day) => "a date (YYYY-MM-DD)",
            Some(Unit::Number) => "a finite number",
            None => "text",
        };
        let tree = match &self.cells {
            Cells::Values(words, _) => words.tree(),
            Cells::Sets { cells, .. } => cells.words.tree(),
            Cells::Places(..) | Cells::Raw(..) => None,
        };
        self.problems
            .complaint(self.name(), expected, tree, line_of)
    }

    /// The field and its coded column, once there is nothing to complain about.
    pub(super) fn finish(self) -> Result<(Field, Column)> {
        let plan = self.plan;
        let (domain, column) = match self.cells {
            Cells::Places(interval, codes) => {
                let domain = Domain::Numbers {
                    interval,
                    may_be_missing: plan.may_be_missing,
                };
                (domain, Column::Numbers(codes))
            }
            Cells::Raw(unit, numbers) => {
                let step = match plan.kind {
                    Some(Kind::Numbers { step, .. }) => step,
                    _ => None,
                };
                let (interval, codes) = numbers_from_data(&plan.name, &numbers, unit, step)?;
                let domain = Domain::Numbers {
                    interval,
                    may_be_missing: plan.may_be_missing,
                };
                (domain, Column::Numbers(codes))
            }
            Cells::Values(words, codes) => values_column(words, codes)?,
            Cells::Sets { cells, separator } => cells.finish(&plan.name, separator)?,
        };
        let field = Field {
            name: plan.name,
            role: plan.role,
            domain,
            weight: plan.weight,
        };
        Ok((field, column))
    }
}

impl SetCells {
    fn new(
        tree: Option<(Taxonomy, TreeSource)>,
        separator: &str,
        missing: bool,
        takes_in: bool,
    ) -> Result<Self> {
        let extra = ExtraLeaves {
            missing,
            empty_set: true,
            other: takes_in,
        };
        // The tree of no words has the empty set alone, which the separator must leave whole too.
        let taxonomy = match &tree {
            Some((taxonomy, _)) => taxonomy.clone(),
            None => Taxonomy::star::<String>([])?,
        };
        check_separator(&taxonomy.with_empty_set()?, separator)?;
        Ok(Self {
            words: Words::new(tree, extra)?,
            codes: Vec::new(),
            sets: SetInterner::default(),
            items: Vec::new(),
        })
    }

    /// Appends a set. `none` is the set without items; it says nothing beside others.
    fn push<'t>(
        &mut self,
        words: impl Iterator<Item = &'t [u8]>,
        row: u64,
        problems: &mut Problems,
    ) {
        self.items.clear();
        let mut says_empty = false;
        let mut has_items = false;
        for word in words {
            if word == EMPTY_SET_LABEL.as_bytes() {
                says_empty = true;
            } else {
                has_items = true;
                let leaf = self.words.find(word, row, problems);
                self.items.extend(leaf.or_else(|| self.words.other()));
            }
        }
        if says_empty && has_items {
            problems.note(Problem::EmptySetBesideItems, row);
        }
        if self.items.is_empty() {
            self.items.push(self.words.empty_set());
        }
        self.items.sort_unstable();
        self.items.dedup();
        self.codes.push(self.sets.code(&self.items));
    }

    fn finish(self, column: &str, separator: String) -> Result<(Domain, Column)> {
        let mut is_used = vec![false; self.sets.len()];
        for &code in &self.codes {
            is_used[code as usize] = true;
        }
        let used_items = self.sets.items_of(&is_used);
        let (tree, renaming) = self.words.finish(used_items)?;
        let (sets, new_code) = self.sets.finish(&is_used, |leaf| renaming.leaf(leaf));
        let codes = Codes::pack(
            self.codes.iter().map(|&code| new_code[code as usize]),
            sets.len(),
        );
        // Only words that came from the data can fail here, so the message must not name one.
        let domain = Domain::sets(tree, separator).map_err(|_| {
            Error::data(format!(
                "column `{column}` has an item that cannot be told from the separator beside it"
            ))
            .hint("choose another `separator`")
        })?;
        Ok((domain, Column::Sets(codes, sets)))
    }
}

/// The items of a cell, blanks cut off.
pub(super) fn split<'t>(text: &'t [u8], separator: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
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

/// Bounds from the data, and the places of its numbers between them.
fn numbers_from_data(
    column: &str,
    numbers: &[f64],
    unit: Unit,
    step: Option<f64>,
) -> Result<(Interval, Codes)> {
    let (low, high) = bounds_of(numbers, unit, step);
    let interval = Interval::new(low, high, step, unit, false)
        .map_err(|error| error.hint(format!("this is about column `{column}`")))?;
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
        let rows = if off_grid == 1 { "row" } else { "rows" };
        return Err(Error::data(format!(
            "column `{column}` is not a whole number of steps from its least value in {off_grid} {rows}"
        ))
        .hint("give a finer `step`, or none"));
    }
    Ok((interval, Codes::pack(places, missing as usize + 1)))
}

/// The least and the greatest number, a whole number of steps apart.
fn bounds_of(numbers: &[f64], unit: Unit, step: Option<f64>) -> (f64, f64) {
    let present = || numbers.iter().copied().filter(|number| !number.is_nan());
    let low = present().fold(f64::INFINITY, f64::min);
    let high = present().fold(f64::NEG_INFINITY, f64::max);
    if low < high {
        return match step {
            // A hair above a whole number of steps is rounding.
            Some(step) => (
                low,
                low + ((high - low) / step - 1e-6).ceil().max(1.0) * step,
            ),
            None => (low, high),
        };
    }
    // A column with one value, or none, needs an interval too: a step to its right, or where that ends, to its left.
    let only = if low.is_finite() { low } else { 0.0 };
    let width = match (step, unit) {
        (Some(step), _) => step,
        (None, Unit::Day) => 1.0,
        (None, Unit::Number) => (only.abs() / 1024.0).max(1.0),
    };
    let right = only + width;
    if right.is_finite() && (unit == Unit::Number || is_day(right)) {
        (only, right)
    } else {
        (only - width, only)
    }
}

fn values_column(words: Words, codes: Codes) -> Result<(Domain, Column)> {
    let from_data = words.tree().is_none();
    let (tree, renaming) = words.finish(codes.iter())?;
    let codes = if from_data {
        let leaves = codes.iter().map(|code| renaming.leaf(code));
        Codes::pack(leaves, tree.taxonomy.n_leaves())
    } else {
        codes
    };
    Ok((Domain::Values(tree), Column::Values(codes)))
}
