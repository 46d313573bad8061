//! The way of a table from raw to published: label, mask, relabel, compare, publish.

use std::path::{Path, PathBuf};

use super::compare::compare;
use super::evaluation::{Evaluation, InputEntry, refinements};
use super::folder::{Target, write_file};
use super::manifest::{FORMAT, Manifest};
use super::publish::{Publication, made_by};
use super::verify::{Verified, describe_file, verify_release};
use super::{EVALUATION_FILE, MANIFEST_FILE, REPORT_FILE};
use crate::cluster::Points;
use crate::error::{Error, Place, Result};
use crate::evaluate::{LabelledBy, Pairs, Sides, USUAL_THRESHOLD, loss_and_risk};
use crate::mask::positions::spreads;
use crate::mask::refine::{RefineParams, Refined, refine};
use crate::privacy::{QuasiIdentifier, Requirement};
use crate::progress::Progress;
use crate::spec::{Encoding, Positions, ProtectSpec, RefineSpec, Spec};
use crate::table::{Format, Reading, Table, read_table};

/// Where a release goes and how it is written.
#[derive(Debug, Clone)]
pub struct ReleaseOptions {
    /// The public folder; the owner's is beside it.
    pub folder: PathBuf,
    /// The format of the table: CSV or Parquet.
    pub format: Format,
}

/// A release that was written.
#[derive(Debug, Clone)]
pub struct Released {
    /// What is handed over.
    pub folder: PathBuf,
    /// What stays with the owner.
    pub owner_folder: PathBuf,
    /// What the release says of itself.
    pub manifest: Manifest,
    /// What it comes to.
    pub evaluation: Evaluation,
}

/// All that is known of a release that is about to be put in place. It is the owner's: the raw table is part of it.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a, M = Manifest> {
    /// What the release says of itself.
    pub manifest: &'a M,
    /// What it comes to.
    pub evaluation: &'a Evaluation,
    /// The rows that were compared, raw and masked, with their clusters.
    pub sides: Sides<'a>,
}

/// Writes the owner's report: the library knows what there is to tell, and nothing of how a page is made.
pub type Reporter<'r, M = Manifest> = &'r dyn Fn(&Evidence<'_, M>) -> Result<String>;

/// Makes a release as a spec says.
///
/// # Errors
/// Nothing is written if anything is wrong: the spec, the table, a promise that cannot be kept, a folder in the way, a
/// full disk.
pub fn release(spec: &Spec, options: &ReleaseOptions, progress: &dyn Progress) -> Result<Released> {
    make(spec, options, None, progress)
}

/// Makes a release as a spec says, with a report in the owner's folder.
///
/// # Errors
/// As [`release`], and whatever the reporter fails with.
pub fn release_with_report(
    spec: &Spec,
    options: &ReleaseOptions,
    reporter: Reporter<'_>,
    progress: &dyn Progress,
) -> Result<Released> {
    make(spec, options, Some(reporter), progress)
}

fn make(
    spec: &Spec,
    options: &ReleaseOptions,
    reporter: Option<Reporter<'_>>,
    progress: &dyn Progress,
) -> Result<Released> {
    let spec_path = spec.plan.source.as_deref();
    let inputs: Vec<&Path> = std::iter::once(spec.data_path.as_path())
        .chain(spec_path)
        .collect();
    let target = Target::check(&options.folder, &inputs)?;
    let protect = refinement(spec)?;
    let reading = read_table(&spec.data_path, &spec.plan, progress)?;
    let table = &reading.table;
    let requirement = requirement(protect, table)?;
    requirement.check_people(n_people(table))?;

    let raw = Points::new(table, spec.cluster.encoding);
    let clustering = spec
        .cluster
        .clusterer()
        .cluster(&raw, progress)
        .map_err(|error| error.at(Place::file(&spec.data_path)))?;
    let params = RefineParams {
        score: protect.score,
        seed: protect.seed,
        ..RefineParams::default()
    };
    let Refined {
        table: masked,
        trace,
    } = refine(table, &clustering.labels, &requirement, &params, progress)?;
    // To the one-hot encoding a masked value is a symbol like any other: there is no use in disclosing more.
    let positions = match spec.cluster.encoding {
        Encoding::Semantic => protect.positions,
        Encoding::OneHot => Positions::Uniform,
    };
    let told = spreads(table, &masked, &requirement, positions);
    let released = Points::in_space(&masked, raw.space().clone()).with_spreads(&masked, &told);
    let compared = compare(
        &spec.cluster,
        spec.recipient,
        (&raw, &released),
        LabelledBy::Row,
        progress,
    )?;
    let released_labels = compared.labels(&spec.cluster, &released, progress)?;
    let pairs = Pairs {
        raw: table,
        masked: &masked,
        quasi: &requirement.columns(),
        dropped: 0,
    };
    let (loss, risk) = loss_and_risk(&pairs, None, USUAL_THRESHOLD);

    let publication = Publication {
        spec,
        protect,
        reading: &reading,
        requirement: &requirement,
        masked: &masked,
        spreads: &told,
        positions,
        labels: &clustering.marked_labels(),
        released_labels: &released_labels,
        format: options.format,
    };
    let input = input(&spec.data_path, &reading)?;
    let (verified, evaluation) = put_in_place(
        target.clone(),
        &publication,
        |verified, manifest_sha256| Evaluation {
            format: FORMAT,
            made_by: made_by(),
            input,
            masked: None,
            manifest_sha256: Some(manifest_sha256),
            promises: verified.promises.clone(),
            structure: compared.structure.clone(),
            loss: Some(loss),
            risk: Some(risk),
            refinements: refinements(table, &trace),
            privacy: None,
        },
        |verified, evaluation| {
            let Some(reporter) = reporter else {
                return Ok(None);
            };
            let report = compared.with_sides((table, &raw), (&masked, &released), |sides| {
                reporter(&Evidence {
                    manifest: &verified.manifest,
                    evaluation,
                    sides,
                })
            })?;
            Ok(Some(report))
        },
        progress,
    )?;
    Ok(Released {
        folder: target.public,
        owner_folder: target.owner,
        manifest: verified.manifest,
        evaluation,
    })
}

/// What is to be promised.
fn refinement(spec: &Spec) -> Result<&RefineSpec> {
    let error = match &spec.protect {
        Some(ProtectSpec::Refine(protect)) => return Ok(protect),
        Some(ProtectSpec::Mosaic(_)) => {
            Error::spec("the spec asks for a private release, which is made by another function")
        }
        None => Error::spec("the spec has no section [protect]: nothing is promised")
            .hint("add `anonymity = 5` under a line `[protect]`: five people or more look alike"),
    };
    Err(match &spec.plan.source {
        Some(source) => error.at(Place::file(source)),
        None => error,
    })
}

/// Writes both folders, verifies what was written, and puts them in place. `evaluate` makes the owner's evaluation of
/// a release with this hash of its manifest, `report` the owner's report, if there is to be one.
pub(super) fn put_in_place(
    target: Target,
    publication: &Publication<'_>,
    evaluate: impl FnOnce(&Verified, String) -> Evaluation,
    report: impl FnOnce(&Verified, &Evaluation) -> Result<Option<String>>,
    progress: &dyn Progress,
) -> Result<(Verified, Evaluation)> {
    let workplace = target.claim()?;
    publication.write(workplace.public_folder(), workplace.owner_folder())?;
    let verified = verify_release(
        workplace.public_folder(),
        Some(workplace.owner_folder()),
        progress,
    )?;
    let manifest = describe_file(&workplace.public_folder().join(MANIFEST_FILE))?;
    let evaluation = evaluate(&verified, manifest.sha256);
    write_file(
        &workplace.owner_folder().join(EVALUATION_FILE),
        evaluation.text().as_bytes(),
    )?;
    if let Some(report) = report(&verified, &evaluation)? {
        write_file(
            &workplace.owner_folder().join(REPORT_FILE),
            report.as_bytes(),
        )?;
    }
    workplace.finish()?;
    Ok((verified, evaluation))
}

fn n_people(table: &Table) -> usize {
    table
        .people()
        .map_or(table.n_rows(), |people| people.n_people)
}

/// The promises of a spec, in the columns of its table.
pub(super) fn requirement(protect: &RefineSpec, table: &Table) -> Result<Requirement> {
    let all = protect
        .anonymity
        .iter()
        .map(|asked| {
            let columns = asked
                .columns
                .iter()
                .map(|name| {
                    table
                        .column_of(name)
                        .ok_or_else(|| Error::spec(format!("unknown column `{name}`")))
                })
                .collect::<Result<Vec<usize>>>()?;
            QuasiIdentifier::new(columns, asked.at_least)
        })
        .collect::<Result<Vec<_>>>()?;
    Requirement::new(&all)
}

/// The raw table as an evaluation names it.
pub(super) fn input(path: &Path, reading: &Reading) -> Result<InputEntry> {
    Ok(InputEntry {
        file: path.display().to_string(),
        sha256: describe_file(path)?.sha256,
        rows: reading.table.n_rows() as u64,
        rows_left_out: reading.dropped_rows.len() as u64,
        people: n_people(&reading.table) as u64,
    })
}
