//! Checking one column: its role, its kind, and that its keys fit both.

use std::ops::Range;

use super::check::Source;
use super::domain::DomainCheck;
use super::raw::{self, At};
use crate::error::{Error, Result};
use crate::table::{ColumnPlan, Kind, Role, Unit};

const DEFAULT_WEIGHT: f64 = 1.0;

/// A column that is not read.
pub(super) fn identifier(name: &str) -> ColumnPlan {
    ColumnPlan {
        name: name.to_owned(),
        role: Role::Identifier,
        kind: None,
        may_be_missing: false,
        weight: DEFAULT_WEIGHT,
        domain_from_data: false,
    }
}

/// Checks a column; `missing` are the fields that mean "no value".
pub(super) fn check(
    name: &At<&str>,
    written: &At<raw::Column>,
    missing: &[String],
    source: &Source<'_>,
) -> Result<ColumnPlan> {
    if name.value.trim().is_empty() {
        return Err(source.wrong(name, "a column has no name"));
    }
    let column = &written.value;
    let role = match column.role.unwrap_or_default() {
        raw::Role::Identifier => {
            refuse_keys_of_identifier(column, source)?;
            return Ok(identifier(name.value));
        }
        raw::Role::Quasi => Role::Quasi,
        raw::Role::Sensitive => Role::Sensitive,
        raw::Role::Plain => Role::Plain,
    };
    let Some(kind) = &column.kind else {
        let message = format!("the column `{}` has no `kind`", name.value);
        return Err(source
            .wrong(name, message)
            .hint("the kinds are `numeric`, `date`, `categorical` and `set`")
            .hint("a column that names people needs none: `{ role = \"identifier\" }`"));
    };
    refuse_keys_of_other_kinds(column, kind.value, source)?;
    let domain = DomainCheck {
        column,
        missing,
        source,
    };
    Ok(ColumnPlan {
        name: name.value.to_owned(),
        role,
        kind: Some(match kind.value {
            raw::Kind::Numeric if column.taxonomy.is_some() => domain.numbers_of_taxonomy()?,
            raw::Kind::Numeric => domain.numbers(Unit::Number)?,
            raw::Kind::Date => domain.numbers(Unit::Day)?,
            raw::Kind::Categorical => Kind::Values {
                tree: domain.tree()?,
            },
            raw::Kind::Set => domain.sets()?,
        }),
        may_be_missing: column.may_be_missing.as_ref().is_some_and(|may| may.value),
        weight: match &column.weight {
            Some(weight) => source.positive(weight, "weight")?,
            None => DEFAULT_WEIGHT,
        },
        domain_from_data: column.from.is_some(),
    })
}

/// The bytes that a key was written in, if it was.
pub(super) fn span_of<T>(written: Option<&At<T>>) -> Option<Range<usize>> {
    written.map(|written| written.span.clone())
}

fn refuse_keys_of_identifier(column: &raw::Column, source: &Source<'_>) -> Result<()> {
    let written = [
        ("kind", span_of(column.kind.as_ref())),
        ("bounds", span_of(column.bounds.as_ref())),
        ("step", span_of(column.step.as_ref())),
        ("values", span_of(column.values.as_ref())),
        ("taxonomy", span_of(column.taxonomy.as_ref())),
        ("separator", span_of(column.separator.as_ref())),
        ("weight", span_of(column.weight.as_ref())),
        ("may_be_missing", span_of(column.may_be_missing.as_ref())),
        ("from", span_of(column.from.as_ref())),
    ];
    for (key, span) in written {
        if let Some(span) = span {
            return Err(Error::spec(format!("an identifier has no `{key}`"))
                .at(source.place(span))
                .hint("an identifier is not read: its `role` is all there is to say"));
        }
    }
    Ok(())
}

fn refuse_keys_of_other_kinds(
    column: &raw::Column,
    kind: raw::Kind,
    source: &Source<'_>,
) -> Result<()> {
    use raw::Kind::{Categorical, Date, Numeric, Set};
    let numbers: &[raw::Kind] = &[Numeric, Date];
    let words: &[raw::Kind] = &[Categorical, Set];
    let all_but_dates: &[raw::Kind] = &[Numeric, Categorical, Set];
    let written = [
        ("bounds", span_of(column.bounds.as_ref()), numbers),
        ("step", span_of(column.step.as_ref()), &[Numeric]),
        ("values", span_of(column.values.as_ref()), words),
        ("taxonomy", span_of(column.taxonomy.as_ref()), all_but_dates),
        ("separator", span_of(column.separator.as_ref()), &[Set]),
    ];
    let word = |kind: &raw::Kind| match kind {
        Numeric => "numeric",
        Date => "date",
        Categorical => "categorical",
        Set => "set",
    };
    for (key, span, kinds) in written {
        let Some(span) = span.filter(|_| !kinds.contains(&kind)) else {
            continue;
        };
        let kinds: Vec<&str> = kinds.iter().map(word).collect();
        return Err(
            Error::spec(format!("a column of kind `{}` has no `{key}`", word(&kind)))
                .at(source.place(span))
                .hint(format!(
                    "`{key}` is for columns of kind `{}`",
                    kinds.join("` or `")
                )),
        );
    }
    Ok(())
}
