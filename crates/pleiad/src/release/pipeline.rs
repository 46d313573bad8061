//! The way of a table from raw to published: label, mask, relabel, compare, publish.

use std::path::{Path, PathBuf};

use super::evaluation::{Evaluation, InputEntry, StructureEntry, measures, refinements};
use super::folder::{Target, write_file};
use super::manifest::{FORMAT, Manifest};
use super::publish::{Publication, made_by};
use super::verify::{Verified, describe_file, verify_release};
use super::{EVALUATION_FILE, MANIFEST_FILE};
use crate::cluster::{Points, assign};
use crate::error::{Error, Place, Result};
use crate::evaluate::{Comparison, LabelledBy, Protocol, Reference};
use crate::mask::positions::spreads;
use crate::mask::refine::{RefineParams, Refined, refine};
use crate::privacy::{QuasiIdentifier, Requirement};
use crate::progress::Progress;
use crate::repeatable::Repeatable;
use crate::spec::{ClusterSpec, Encoding, Positions, ProtectSpec, Spec};
use crate::table::{ColumnSpread, Format, Reading, Table, read_table};

/// A table with more rows is compared on a sample of as many: what a measure says of these it says of all, and the
/// protocol clusters some three hundred times.
const MOST_ROWS_COMPARED: usize = 50_000;

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

/// Makes a release as a spec says.
///
/// # Errors
/// Nothing is written if anything is wrong: the spec, the table, a promise that cannot be kept, a folder in the way, a
/// full disk.
pub fn release(spec: &Spec, options: &ReleaseOptions, progress: &dyn Progress) -> Result<Released> {
    let spec_path = spec.plan.source.as_deref();
    let inputs: Vec<&Path> = std::iter::once(spec.data_path.as_path())
        .chain(spec_path)
        .collect();
    let target = Target::check(&options.folder, &inputs)?;
    let protect = spec.protect.as_ref().ok_or_else(|| {
        let error = Error::spec("the spec has no section [protect]: nothing is promised")
            .hint("add `anonymity = 5` under a line `[protect]`: five people or more look alike");
        match &spec.plan.source {
            Some(source) => error.at(Place::file(source)),
            None => error,
        }
    })?;
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
    let compared = compare(spec, &raw, &masked, &told, progress)?;

    let publication = Publication {
        spec,
        protect,
        reading: &reading,
        requirement: &requirement,
        masked: &masked,
        spreads: &told,
        positions,
        labels: &clustering.marked_labels(),
        released_labels: &compared.labels,
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
            manifest_sha256,
            promises: verified.promises.clone(),
            structure: compared.structure,
            refinements: refinements(table, &trace),
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

/// Writes both folders, verifies what was written, and puts them in place. `evaluate` makes the owner's evaluation of
/// a release with this hash of its manifest.
pub(super) fn put_in_place(
    target: Target,
    publication: &Publication<'_>,
    evaluate: impl FnOnce(&Verified, String) -> Evaluation,
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
    workplace.finish()?;
    Ok((verified, evaluation))
}

fn n_people(table: &Table) -> usize {
    table
        .people()
        .map_or(table.n_rows(), |people| people.n_people)
}

/// The promises of a spec, in the columns of its table.
pub(super) fn requirement(protect: &ProtectSpec, table: &Table) -> Result<Requirement> {
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

fn input(path: &Path, reading: &Reading) -> Result<InputEntry> {
    Ok(InputEntry {
        file: path.display().to_string(),
        sha256: describe_file(path)?.sha256,
        rows: reading.table.n_rows() as u64,
        rows_left_out: reading.dropped_rows.len() as u64,
        people: n_people(&reading.table) as u64,
    })
}

/// What comparing the release with the raw table gave.
struct Compared {
    structure: StructureEntry,
    /// The cluster that each row gets from somebody who clusters the release, noise marked.
    labels: Vec<u32>,
}

/// Clusters the masked table as its recipient will, and compares.
fn compare(
    spec: &Spec,
    raw: &Points<'_>,
    masked: &Table,
    spreads: &[Option<ColumnSpread>],
    progress: &dyn Progress,
) -> Result<Compared> {
    let released = Points::in_space(masked, raw.space().clone()).with_spreads(masked, spreads);
    let protocol = Protocol {
        recipient: spec.recipient,
        tuning: spec.cluster.tuning,
        ..Protocol::new(spec.cluster.algorithm, spec.cluster.clusters)
    };
    let judge = |raw: &Points<'_>, released: &Points<'_>| {
        let reference = Reference::new(raw, &protocol, progress)?;
        Comparison::new(
            raw,
            &reference,
            released,
            LabelledBy::Row,
            &protocol,
            progress,
        )
    };
    let n_rows = raw.n_rows();
    let (comparison, labels) = if n_rows <= MOST_ROWS_COMPARED {
        let comparison = judge(raw, &released)?;
        let labels = comparison.clustering.marked_labels();
        (comparison, labels)
    } else {
        let mut sample = Repeatable::new(spec.cluster.seed).permutation(n_rows);
        sample.truncate(MOST_ROWS_COMPARED);
        let comparison = judge(&raw.select(&sample), &released.select(&sample))?;
        let labels = match &comparison.clustering.centres {
            Some(centres) => assign(&released, centres).0,
            // Without centres there is no telling where the other rows would go but to cluster them all.
            None => {
                let recipient = ClusterSpec {
                    algorithm: spec.recipient,
                    ..spec.cluster.clone()
                };
                let clustering = recipient.clusterer().cluster(&released, progress)?;
                clustering.marked_labels()
            }
        };
        (comparison, labels)
    };
    Ok(Compared {
        structure: StructureEntry {
            clusters: spec.cluster.clusters,
            owner: protocol.owner,
            recipient: protocol.recipient,
            rows_compared: n_rows.min(MOST_ROWS_COMPARED) as u64,
            raw_optima: comparison.n_optima,
            measures: measures(&comparison),
        },
        labels,
    })
}
