//! Checking `[protect]`: that the keys are those of the method, and, for refinement, that every quasi column is promised
//! something and that nobody has to look at the data to state what its values can be.

use super::check::Source;
use super::column::span_of;
use super::raw::{self, Anonymity, At};
use super::{AnonymitySpec, Method, ProtectSpec, RefineSpec, mosaic};
use crate::error::{Error, Result};
use crate::table::{ColumnPlan, Kind, Plan, Role};

/// The fewest people who can hide each other.
const SMALLEST_GROUP: u32 = 2;

/// Checks how people are protected, once the columns are known to be good.
pub(super) fn check(
    written: &At<raw::Protect>,
    columns: &raw::Columns,
    plan: &Plan,
    source: &Source<'_>,
) -> Result<ProtectSpec> {
    match written.value.method.unwrap_or_default() {
        Method::Refine => refine(written, columns, plan, source).map(ProtectSpec::Refine),
        Method::Mosaic => mosaic::check(written, columns, plan, source).map(ProtectSpec::Mosaic),
    }
}

fn refine(
    written: &At<raw::Protect>,
    columns: &raw::Columns,
    plan: &Plan,
    source: &Source<'_>,
) -> Result<RefineSpec> {
    let protect = &written.value;
    let of_mosaic = [
        ("epsilon", span_of(protect.epsilon.as_ref())),
        ("population", span_of(protect.population.as_ref())),
        ("ledger", span_of(protect.ledger.as_ref())),
        ("rows", span_of(protect.rows.as_ref())),
        ("tune", span_of(protect.tune.as_ref())),
    ];
    for (key, span) in of_mosaic {
        if let Some(span) = span {
            return Err(Error::spec(format!("the method `refine` has no `{key}`"))
                .at(source.place(span))
                .hint("say `method = \"mosaic\"` for differential privacy"));
        }
    }
    let Some(anonymity) = &protect.anonymity else {
        return Err(source
            .wrong(
                written,
                "[protect] has no `anonymity`: how many people must look alike",
            )
            .hint(
                "add `anonymity = 5`, or a section [[protect.anonymity]] for each set of columns",
            ));
    };
    let anonymity = match &anonymity.value {
        Anonymity::Together(at_least) => {
            let at_least = At {
                value: *at_least,
                span: anonymity.span.clone(),
            };
            vec![together(&at_least, plan, source)?]
        }
        Anonymity::Several(requirements) if requirements.is_empty() => {
            return Err(source
                .wrong(anonymity, "`anonymity` lists no requirement")
                .hint("say `anonymity = 5` for all quasi columns together"));
        }
        Anonymity::Several(requirements) => requirements
            .iter()
            .map(|requirement| one_of_several(requirement, plan, source))
            .collect::<Result<_>>()?,
    };
    // The plan has the columns in the order of [columns]; a person's column that is not named there comes last.
    for ((name, written), column) in columns.iter().zip(&plan.columns) {
        if column.role == Role::Quasi {
            let name = At {
                value: column,
                span: name.span(),
            };
            refuse_unprotected(&name, &anonymity, source)?;
            refuse_open_domain(&name, &written.value, source)?;
        }
    }
    Ok(RefineSpec {
        anonymity,
        positions: value_of(protect.positions.as_ref()).unwrap_or_default(),
        score: value_of(protect.score.as_ref()).unwrap_or_default(),
        seed: value_of(protect.seed.as_ref()).unwrap_or(0),
    })
}

fn value_of<T: Copy>(written: Option<&At<T>>) -> Option<T> {
    written.map(|written| written.value)
}

/// One requirement for all quasi columns.
fn together(at_least: &At<u64>, plan: &Plan, source: &Source<'_>) -> Result<AnonymitySpec> {
    let columns: Vec<String> = plan
        .columns
        .iter()
        .filter(|column| column.role == Role::Quasi)
        .map(|column| column.name.clone())
        .collect();
    let people = group_size(at_least, "anonymity", source)?;
    if columns.is_empty() {
        return Err(source
            .wrong(at_least, "no column is quasi: there is nothing to mask")
            .hint("give `role = \"quasi\"` to the columns by which a person could be looked up"));
    }
    Ok(AnonymitySpec {
        columns,
        at_least: people,
    })
}

fn one_of_several(
    written: &At<raw::Requirement>,
    plan: &Plan,
    source: &Source<'_>,
) -> Result<AnonymitySpec> {
    let requirement = &written.value;
    let Some(columns) = &requirement.columns else {
        return Err(source
            .wrong(written, "a requirement has no `columns`")
            .hint("add those by which a person could be looked up, such as `columns = [\"zip\", \"sex\"]`"));
    };
    let Some(at_least) = &requirement.at_least else {
        return Err(source
            .wrong(
                written,
                "a requirement has no `at_least`: how many people must look alike",
            )
            .hint("add one, such as `at_least = 5`"));
    };
    if columns.value.is_empty() {
        return Err(source.wrong(columns, "`columns` names no column").hint(
            "name those by which a person could be looked up, or leave the requirement out",
        ));
    }
    let mut names: Vec<String> = Vec::with_capacity(columns.value.len());
    for name in &columns.value {
        refuse_unmaskable(name, plan, source)?;
        if names.contains(&name.value) {
            return Err(source
                .wrong(name, format!("the column `{}` is named twice", name.value))
                .hint("name each column of a requirement once"));
        }
        names.push(name.value.clone());
    }
    Ok(AnonymitySpec {
        columns: names,
        at_least: group_size(at_least, "at_least", source)?,
    })
}

fn group_size(written: &At<u64>, key: &str, source: &Source<'_>) -> Result<u32> {
    match u32::try_from(written.value) {
        Ok(people) if people >= SMALLEST_GROUP => Ok(people),
        Ok(_) => Err(source
            .wrong(
                written,
                format!("`{key}` must be at least {SMALLEST_GROUP}: one person alone is no group"),
            )
            .hint("5 is a usual choice; the more people look alike, the safer each of them is")),
        Err(_) => Err(source
            .wrong(written, format!("`{key}` must be at most {}", u32::MAX))
            .hint("no more people can be asked for than the table has")),
    }
}

/// Only quasi columns are masked, so only they can be in a requirement.
fn refuse_unmaskable(name: &At<String>, plan: &Plan, source: &Source<'_>) -> Result<()> {
    let Some(column) = plan.columns.iter().find(|column| column.name == name.value) else {
        let names = plan.columns.iter().map(|column| column.name.as_str());
        let error = source
            .wrong(name, format!("unknown column `{}`", name.value))
            .nearest(&name.value, names);
        return Err(if error.hints().is_empty() {
            error.hint("name columns as [columns] does")
        } else {
            error
        });
    };
    if column.role == Role::Quasi {
        return Ok(());
    }
    let error = source.wrong(
        name,
        format!(
            "only quasi columns are masked, and the role of `{}` is {}",
            column.name, column.role
        ),
    );
    // A person's column cannot take another role, so there is only one way out.
    let is_person = plan.person.as_ref() == Some(&column.name);
    let error = if column.role == Role::Identifier {
        error.hint("leave it out here: an identifier is never published")
    } else {
        error
    };
    Err(if is_person {
        error
    } else {
        error.hint("give it `role = \"quasi\"` in [columns] to have it masked")
    })
}

/// A quasi column in no requirement would be published as it is.
fn refuse_unprotected(
    column: &At<&ColumnPlan>,
    anonymity: &[AnonymitySpec],
    source: &Source<'_>,
) -> Result<()> {
    let name = &column.value.name;
    if anonymity
        .iter()
        .any(|requirement| requirement.columns.contains(name))
    {
        return Ok(());
    }
    Err(source
        .wrong(
            column,
            format!(
                "the quasi column `{name}` is in no requirement: it would be published as it is"
            ),
        )
        .hint("name it in a [[protect.anonymity]], or give it another role"))
}

/// A release states what the values of a masked column can be, whether or not anybody has them.
fn refuse_open_domain(
    column: &At<&ColumnPlan>,
    written: &raw::Column,
    source: &Source<'_>,
) -> Result<()> {
    let Some(open) = OpenDomain::of(column.value) else {
        return Ok(());
    };
    let mark = match &written.from {
        Some(_) => ", and take the mark `from = \"data\"` away",
        None => "",
    };
    Err(source
        .wrong(
            column,
            format!(
                "a release states what the values of `{}` can be, and {}",
                column.value.name, open.danger
            ),
        )
        .hint(format!("write {} as public knowledge{mark}", open.keys)))
}

/// What a column lacks whose domain would be taken from the data.
pub(super) struct OpenDomain {
    /// What to write.
    pub(super) keys: &'static str,
    /// What would be told otherwise.
    pub(super) danger: &'static str,
}

impl OpenDomain {
    pub(super) fn of(column: &ColumnPlan) -> Option<Self> {
        match &column.kind {
            Some(Kind::Numbers { interval: None, .. }) => Some(Self {
                keys: "`bounds`",
                danger: "bounds taken from the data would tell the least and the greatest value of a person",
            }),
            Some(Kind::Values { tree: None } | Kind::Sets { tree: None, .. }) => Some(Self {
                keys: "`values` or a `taxonomy`",
                danger: "values taken from the data would tell the rare value of a person",
            }),
            _ => None,
        }
    }
}
