//! What is public about a release by mosaic, and how its ε is divided.
//!
//! The constants are the same for every table. How ε is divided, how many people · ε a cut takes and how many cuts there
//! are at least was chosen on heterogeneous Adult, what is said of tables of numbers alone on MAGIC; diabetes130
//! was looked at before they were fixed, Adult in one-hot code had no part in it.

use super::axis::{Axis, Test};
use crate::error::{Error, Result};
use crate::privacy::budget::{AddRemove, Epsilon, Rational};
use crate::privacy::noise::UBig;
use crate::table::{Domain, Field, Taxonomy};

/// Per cent of ε for the number of people, which decides how often the table is cut.
const PEOPLE: u32 = 2;
/// Per cent of ε for choosing the cuts.
const CUTS: u32 = 30;
/// Per cent of ε for the number of people in each cell.
const CELLS: u32 = 8;

/// Cuts of a table with mixed columns, at least.
const LEAST_CUTS: usize = 5;
/// Cuts that separate groups with histograms of their own, at most.
const MOST_GROUP_CUTS: usize = 8;
/// Groups are cut once more if four times as many people · ε fall to each column, from this many on.
const PEOPLE_OF_A_COLUMN: usize = 6;
/// Further cuts of a table of numbers, all of which separate groups: equal parts of a heavy tail are mostly empty, and
/// a sum has less noise than a histogram.
const MORE_NUMERIC_CUTS: usize = 1;

/// Parts that thresholds cut a range of numbers into.
const PARTS: usize = 32;
/// The same in a table of numbers, where nothing else can be cut.
const NUMERIC_PARTS: usize = 64;

/// The weight of the heaviest column, in the whole units that scores are counted in.
pub(super) const FULL_WEIGHT: u64 = 1 << 20;

/// Mosaic: a few private cells, and noisy histograms within groups of them. What is in here is public.
#[derive(Debug, Clone, PartialEq)]
pub struct Mosaic {
    pub(super) fields: Vec<Field>,
    pub(super) axes: Vec<Axis>,
    /// For each column its weight in units.
    pub(super) weights: Vec<u64>,
    /// For each column its tests.
    pub(super) tests: Vec<Vec<Test>>,
    pub(super) epsilon: Rational,
    pub(super) is_cut: bool,
    /// Cuts that separate groups, more than the rule says.
    deeper_by: i32,
    pub(super) n_rows: Option<u64>,
}

impl Mosaic {
    /// A release of these columns with this ε, under adding or removing a person.
    ///
    /// # Errors
    /// Whatever could not be known without looking at the rows: bounds that are not public, no values.
    pub fn new(fields: &[Field], epsilon: &Epsilon<AddRemove>) -> Result<Self> {
        if fields.is_empty() {
            return Err(Error::spec("a private release needs at least one column"));
        }
        if epsilon.value().is_zero() {
            return Err(Error::spec("ε must be more than 0"));
        }
        for field in fields {
            check_is_public(field)?;
        }
        let axes: Vec<Axis> = fields
            .iter()
            .map(|field| Axis::new(&field.domain))
            .collect();
        let heaviest = fields.iter().map(|field| field.weight).fold(0.0, f64::max);
        let weights = fields
            .iter()
            .map(|field| ((field.weight / heaviest * FULL_WEIGHT as f64).round() as u64).max(1))
            .collect();
        let is_numeric = axes.iter().all(|axis| matches!(axis, Axis::Numbers(_)));
        let n_parts = if is_numeric { NUMERIC_PARTS } else { PARTS };
        Ok(Self {
            fields: fields.to_vec(),
            weights,
            tests: axes.iter().map(|axis| axis.tests(n_parts)).collect(),
            axes,
            epsilon: epsilon.value().clone(),
            is_cut: true,
            deeper_by: 0,
            n_rows: None,
        })
    }

    /// No cuts: every column by itself, with nearly all of ε. What is common to the columns is lost; this is what
    /// the cuts are measured against.
    #[must_use]
    pub fn marginals_only(mut self) -> Self {
        self.is_cut = false;
        self
    }

    /// More cuts that separate groups than the rule says, or fewer.
    #[must_use]
    pub(super) fn cut_deeper_by(mut self, cuts: i32) -> Self {
        self.deeper_by = cuts;
        self
    }

    /// Another number of synthetic rows than the noisy number of people.
    #[must_use]
    pub fn synthetic_rows(mut self, n_rows: u64) -> Self {
        self.n_rows = Some(n_rows);
        self
    }

    /// The columns.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Whether there is nothing but numbers.
    pub(super) fn is_numeric(&self) -> bool {
        self.axes
            .iter()
            .all(|axis| matches!(axis, Axis::Numbers(_)))
    }

    /// How ε is divided.
    pub(super) fn parts(&self) -> Parts {
        let part = |per_cent: u32| {
            let share = Rational::new(per_cent, 100_u32).expect("100 is not 0");
            self.epsilon.clone() * share
        };
        let [cuts, cells] = if self.is_cut { [CUTS, CELLS] } else { [0, 0] };
        Parts {
            people: part(PEOPLE),
            cuts: part(cuts),
            cells: part(cells),
            spread: part(100 - PEOPLE - cuts - cells),
        }
    }

    /// How often to cut, given the noisy number of people.
    pub(super) fn depth(&self, people: i64) -> Depth {
        if !self.is_cut {
            return Depth {
                groups: 0,
                cells: 0,
            };
        }
        // ½·log₂(people · ε / 6d), rounded, is at least k if people · ε ≥ 2^(2k−1) · 6d.
        let people = UBig::from(people.max(1).unsigned_abs());
        let have = people * self.epsilon.numerator();
        let unit = self.epsilon.denominator() * UBig::from(PEOPLE_OF_A_COLUMN * self.axes.len());
        let groups = (1..=MOST_GROUP_CUTS)
            .take_while(|k| have >= &unit << (2 * k - 1))
            .count();
        let groups = groups.saturating_add_signed(self.deeper_by as isize);
        let groups = groups.min(MOST_GROUP_CUTS);
        if self.is_numeric() {
            let groups = groups + MORE_NUMERIC_CUTS;
            return Depth {
                groups,
                cells: groups,
            };
        }
        Depth {
            groups,
            cells: LEAST_CUTS.max(groups + 1),
        }
    }
}

/// How ε is divided: the parts add up to it exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) people: Rational,
    pub(super) cuts: Rational,
    pub(super) cells: Rational,
    pub(super) spread: Rational,
}

/// How often a table is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Depth {
    /// Cuts that separate groups with histograms of their own.
    pub(super) groups: usize,
    /// All cuts.
    pub(super) cells: usize,
}

/// Refuses a domain that only the rows can have told.
fn check_is_public(field: &Field) -> Result<()> {
    let name = &field.name;
    if !field.weight.is_finite() || field.weight <= 0.0 {
        return Err(Error::spec(format!(
            "the weight of the column `{name}` must be a number above 0"
        )));
    }
    match &field.domain {
        Domain::Numbers { interval, .. } if !interval.has_public_bounds() => {
            Err(Error::spec(format!("the column `{name}` has no bounds")).hint(
                "write `bounds = [least, greatest]` as anybody could without seeing the table: the rows' own would be two people's values",
            ))
        }
        Domain::Values(tree) | Domain::Sets { tree, .. } if !has_values(&tree.taxonomy) => {
            Err(Error::spec(format!("the column `{name}` has no list of values")).hint(
                "write `values = […]` or `taxonomy = \"…\"`: which values occur is known from the rows only",
            ))
        }
        _ => Ok(()),
    }
}

fn has_values(taxonomy: &Taxonomy) -> bool {
    taxonomy.value_labels().next().is_some()
}
