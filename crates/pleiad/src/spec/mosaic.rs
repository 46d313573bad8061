//! Checking `[protect]` for mosaic: whatever makes a private release impossible or void is refused here, where there is
//! nothing but the spec to look at, and before anything is booked.

use super::MosaicSpec;
use super::check::Source;
use super::column::span_of;
use super::protect::OpenDomain;
use super::raw::{self, Amount, At};
use crate::error::{Error, Result};
use crate::privacy::budget::{AddRemove, Epsilon};
use crate::privacy::ledger::Ledger;
use crate::table::{Plan, Role};

/// Checks what a private release may spend, and that all it takes for granted is public.
pub(super) fn check(
    written: &At<raw::Protect>,
    columns: &raw::Columns,
    plan: &Plan,
    source: &Source<'_>,
) -> Result<MosaicSpec> {
    let protect = &written.value;
    refuse_keys_of_refine(protect, source)?;
    let Some(epsilon) = &protect.epsilon else {
        return Err(source
            .wrong(
                written,
                "[protect] has no `epsilon`: how much the release may cost",
            )
            .hint("add `epsilon = 1`; the smaller, the less it tells about anybody"));
    };
    let epsilon = amount(epsilon, source)?;
    let Some(population) = &protect.population else {
        return Err(source
            .wrong(
                written,
                "[protect] has no `population`: releases about the same people add up, so they are paid from one budget",
            )
            .hint("add a name such as `population = \"patients\"`, and declare it once: `pleiad ledger declare patients --epsilon 2`"));
    };
    if population.value.is_empty() {
        return Err(source.wrong(population, "the name of the population is empty"));
    }
    let ledger = match &protect.ledger {
        Some(path) => source.beside_spec(path)?,
        None => source.path.with_file_name(Ledger::DEFAULT_FILE),
    };
    let rows = match &protect.rows {
        Some(rows) if rows.value == 0 || rows.value > u64::from(u32::MAX) => {
            return Err(source.wrong(rows, format!("`rows` must be from 1 to {}", u32::MAX)));
        }
        Some(rows) => Some(rows.value),
        None => None,
    };
    for ((name, written), column) in columns.iter().zip(&plan.columns) {
        if column.role == Role::Identifier {
            continue;
        }
        if let Some(mark) = &written.value.from {
            return Err(source
                .wrong(
                    mark,
                    format!(
                        "the values of `{}` come from the data: what is possible there would tell who is there",
                        column.name
                    ),
                )
                .hint("write down what is public knowledge, as anybody could without seeing the table, and take this mark away"));
        }
        if let Some(open) = OpenDomain::of(column) {
            return Err(Error::spec(format!(
                "a private release takes nothing for granted that only the rows could tell, and {}",
                open.danger
            ))
            .at(source.place(name.span()))
            .hint(format!(
                "write {} of `{}` as anybody could without seeing the table",
                open.keys, column.name
            )));
        }
    }
    Ok(MosaicSpec {
        epsilon,
        population: population.value.clone(),
        ledger,
        rows,
        tune: protect.tune.as_ref().is_some_and(|tune| tune.value),
    })
}

fn refuse_keys_of_refine(protect: &raw::Protect, source: &Source<'_>) -> Result<()> {
    if let Some(seed) = &protect.seed {
        return Err(source
            .wrong(
                seed,
                "a private release has no `seed`: noise that can be repeated can be taken off again",
            )
            .hint("leave it out: the noise comes from the operating system"));
    }
    let of_refine = [
        ("anonymity", span_of(protect.anonymity.as_ref())),
        ("positions", span_of(protect.positions.as_ref())),
        ("score", span_of(protect.score.as_ref())),
    ];
    for (key, span) in of_refine {
        if let Some(span) = span {
            return Err(Error::spec(format!("the method `mosaic` has no `{key}`"))
                .at(source.place(span))
                .hint("its promise is differential privacy, and `epsilon` says how strong it is"));
        }
    }
    Ok(())
}

/// An amount exactly as it was written.
fn amount(written: &At<Amount>, source: &Source<'_>) -> Result<Epsilon<AddRemove>> {
    let text = source.text[written.span.clone()].trim_matches(['"', '\'']);
    let epsilon: Epsilon<AddRemove> = text
        .parse()
        .map_err(|error: Error| source.wrong(written, error.message()))?;
    if epsilon.value().is_zero() {
        return Err(source
            .wrong(written, "`epsilon` must be more than 0")
            .hint("with nothing to spend nothing can be told"));
    }
    Ok(epsilon)
}
