//! Checking what the values of a column can be.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::check::Source;
use super::raw::{self, At, Bound};
use crate::error::{Error, Place, Result};
use crate::table::{
    Domain, Interval, Kind, ROOT_LABEL, Taxonomy, Tree, TreeSource, Unit, parse_day, read_taxonomy,
};

const DEFAULT_SEPARATOR: &str = ";";

/// Checks what the values of a column can be, once its keys are known to fit its kind.
pub(super) struct DomainCheck<'c> {
    pub(super) column: &'c raw::Column,
    pub(super) missing: &'c [String],
    pub(super) source: &'c Source<'c>,
}

impl DomainCheck<'_> {
    pub(super) fn numbers(&self, unit: Unit) -> Result<Kind> {
        let step = match &self.column.step {
            Some(step) => Some(self.source.positive(step, "step")?),
            None => (unit == Unit::Day).then_some(1.0),
        };
        let interval = match &self.column.bounds {
            Some(bounds) => Some(self.interval(bounds, step, unit)?),
            None => None,
        };
        Ok(Kind::Numbers {
            unit,
            interval,
            step,
        })
    }

    /// The numbers that a taxonomy lists, to be generalised as it says.
    pub(super) fn numbers_of_taxonomy(&self) -> Result<Kind> {
        let span = |written: Option<Range<usize>>, key: &'static str| Some((written?, key));
        let bounds = span(
            self.column
                .bounds
                .as_ref()
                .map(|bounds| bounds.span.clone()),
            "bounds",
        );
        let step = span(
            self.column.step.as_ref().map(|step| step.span.clone()),
            "step",
        );
        if let Some((span, key)) = bounds.or(step) {
            return Err(Error::spec(format!(
                "a numeric column with a `taxonomy` has no `{key}`: the taxonomy lists its numbers"
            ))
            .at(self.source.place(span))
            .hint(format!(
                "leave out `{key}`, or the `taxonomy` to have intervals found"
            )));
        }
        let Some((taxonomy, _)) = self.tree()? else {
            unreachable!("it was asked for because there is a taxonomy");
        };
        let mut numbers = FxHashSet::default();
        for label in taxonomy.value_labels() {
            let rule = match Unit::Number.parse(label) {
                None => "is no number",
                // Zero has two signs, and is one number.
                Some(number) if !numbers.insert((number + 0.0).to_bits()) => {
                    "is the same number as another"
                }
                Some(_) => continue,
            };
            return Err(
                Error::spec(format!("the value `{label}` of the taxonomy {rule}"))
                    .at(self.place_of_taxonomy())
                    .hint(
                        "a taxonomy of values that are no numbers needs `kind = \"categorical\"`",
                    ),
            );
        }
        Ok(Kind::Values {
            tree: Some((taxonomy, TreeSource::Numbers)),
        })
    }

    fn interval(
        &self,
        bounds: &At<Vec<At<Bound>>>,
        step: Option<f64>,
        unit: Unit,
    ) -> Result<Interval> {
        let [low, high] = bounds.value.as_slice() else {
            return Err(self
                .source
                .wrong(bounds, "bounds are two: the least and the greatest value"));
        };
        let (low, high) = (self.bound(low, unit)?, self.bound(high, unit)?);
        let in_bounds = |error: Error| error.at(self.source.place(bounds.span.clone()));
        if !(high - low).is_finite() {
            return Err(self.source.wrong(bounds, "the bounds are too far apart"));
        }
        let public = self.column.from.is_none();
        // Once without the step, so that each error points at the value that it is about.
        let finest = Interval::new(low, high, None, unit, public).map_err(in_bounds)?;
        if step.is_none() {
            return Ok(finest);
        }
        Interval::new(low, high, step, unit, public).map_err(|error| match &self.column.step {
            Some(step) => error.at(self.source.place(step.span.clone())),
            None => in_bounds(error),
        })
    }

    fn bound(&self, written: &At<Bound>, unit: Unit) -> Result<f64> {
        let day = |text: &str| parse_day(text.as_bytes()).map(f64::from);
        let (number, rule) = match unit {
            Unit::Number => (
                match written.value {
                    Bound::Number(number) => Some(number).filter(|number| number.is_finite()),
                    Bound::Text(_) | Bound::Date(_) | Bound::Other(_) => None,
                },
                "a bound of a numeric column must be a finite number",
            ),
            Unit::Day => (
                match &written.value {
                    Bound::Text(text) => day(text),
                    Bound::Date(date) => day(&date.to_string()),
                    Bound::Number(_) | Bound::Other(_) => None,
                },
                "a bound of a date column must be a day of the calendar, written \"YYYY-MM-DD\"",
            ),
        };
        number.ok_or_else(|| self.source.wrong(written, rule))
    }

    pub(super) fn sets(&self) -> Result<Kind> {
        let separator = match &self.column.separator {
            Some(separator) if separator.value.is_empty() => {
                return Err(self.source.wrong(separator, "the separator is empty"));
            }
            Some(separator) => &separator.value,
            None => DEFAULT_SEPARATOR,
        };
        let tree = self.tree()?;
        let taxonomy = match &tree {
            Some((taxonomy, _)) => {
                self.check_items(taxonomy, separator)?;
                taxonomy.clone()
            }
            None => Taxonomy::star::<String>([])?,
        };
        // The root and the item for the empty set are in every tree of sets, and must be told apart as well.
        let taxonomy = taxonomy
            .with_empty_set()
            .map_err(|error| error.at(self.place_of_taxonomy()))?;
        let is_star = self.column.taxonomy.is_none();
        let tree_of_sets = Tree { taxonomy, is_star };
        Domain::sets(tree_of_sets, separator.to_owned()).map_err(|error| {
            error.at(match &self.column.separator {
                Some(written) => self.source.place(written.span.clone()),
                None => Place::file(self.source.path),
            })
        })?;
        Ok(Kind::Sets {
            tree,
            separator: separator.to_owned(),
        })
    }

    /// Items must be told apart once they are joined.
    fn check_items(&self, taxonomy: &Taxonomy, separator: &str) -> Result<()> {
        for label in labels(taxonomy) {
            let rule = if label.contains(separator) {
                format!("contains the separator `{separator}`")
            } else if label.trim_ascii() != label {
                "begins or ends with a blank, which is cut off the items of a set".to_owned()
            } else {
                continue;
            };
            let error = Error::spec(format!("the value `{label}` {rule}"));
            return Err(error.at(self.place_of_label(label)));
        }
        Ok(())
    }

    /// The tree of values, if the spec gives one.
    pub(super) fn tree(&self) -> Result<Option<(Taxonomy, TreeSource)>> {
        match (&self.column.values, &self.column.taxonomy) {
            (None, None) => Ok(None),
            (Some(values), None) => Ok(Some((self.star(values)?, TreeSource::List))),
            (None, Some(file)) => Ok(Some((self.taxonomy(file)?, TreeSource::Taxonomy))),
            (Some(values), Some(_)) => Err(self
                .source
                .wrong(values, "a column has either `values` or a `taxonomy`, not both")
                .hint("the lines of a taxonomy begin with its values, so there is no need to list them")),
        }
    }

    fn star(&self, values: &At<Vec<At<String>>>) -> Result<Taxonomy> {
        if values.value.is_empty() {
            return Err(self
                .source
                .wrong(values, "`values` lists no value")
                .hint("leave `values` out to have them taken from the data"));
        }
        let mut seen = FxHashSet::default();
        for value in &values.value {
            let text = value.value.as_str();
            if self.missing.iter().any(|mark| mark == text) {
                return Err(self
                    .missing_mark(text)
                    .at(self.source.place(value.span.clone())));
            }
            if text.is_empty() {
                return Err(self.source.wrong(value, "a value is empty"));
            }
            if text == ROOT_LABEL {
                return Err(self.source.wrong(
                    value,
                    "`*` stands for what is hidden: no value may be written so",
                ));
            }
            if !seen.insert(text) {
                return Err(self
                    .source
                    .wrong(value, format!("the value `{text}` is listed twice")));
            }
        }
        Taxonomy::star(values.value.iter().map(|value| value.value.as_str()))
    }

    fn taxonomy(&self, file: &At<String>) -> Result<Taxonomy> {
        let at = || self.source.place(file.span.clone());
        let taxonomy =
            read_taxonomy(&self.source.beside_spec(file)?).map_err(|error| error.at(at()))?;
        match self
            .missing
            .iter()
            .find(|mark| labels(&taxonomy).any(|label| label == **mark))
        {
            Some(mark) => Err(self.missing_mark(mark).at(at())),
            None => Ok(taxonomy),
        }
    }

    fn missing_mark(&self, mark: &str) -> Error {
        let error = Error::spec(format!(
            "the value `{mark}` is a mark for \"no value\" (`missing` in [data])"
        ));
        let may_be_missing = self
            .column
            .may_be_missing
            .as_ref()
            .is_some_and(|may| may.value);
        if may_be_missing {
            error.hint("leave it out here: rows without a value need none")
        } else {
            error.hint("leave it out here, and say `may_be_missing = true`")
        }
    }

    /// Where a label was written: the entry of the list, or the name of the taxonomy.
    fn place_of_label(&self, label: &str) -> Place {
        let in_list = self
            .column
            .values
            .iter()
            .flat_map(|values| &values.value)
            .find(|value| value.value == label)
            .map(|value| value.span.clone());
        match in_list {
            Some(span) => self.source.place(span),
            None => self.place_of_taxonomy(),
        }
    }

    fn place_of_taxonomy(&self) -> Place {
        match &self.column.taxonomy {
            Some(file) => self.source.place(file.span.clone()),
            None => Place::file(self.source.path),
        }
    }
}

/// The labels of all nodes but the root.
fn labels(taxonomy: &Taxonomy) -> impl Iterator<Item = &str> {
    (1..taxonomy.n_nodes()).map(|node| taxonomy.label(node as u32))
}
