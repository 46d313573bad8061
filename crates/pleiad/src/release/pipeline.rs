//! The way of a table from raw to published: label, mask, relabel, compare, publish.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::evaluation::{Evaluation, InputEntry, StructureEntry, measures, refinements};
use super::folder::{Target, write_file};
use super::manifest::{FORMAT, Manifest};
use super::publish::{Publication, made_by};
use super::verify::{Verified, describe_file, verify_release};
use super::{EVALUATION_FILE, MANIFEST_FILE, REPORT_FILE};
use crate::cluster::{Points, assign};
use crate::error::{Error, Place, Result};
use crate::evaluate::{Comparison, LabelledBy, Protocol, Reference, Side, Sides};
use crate::mask::positions::spreads;
use crate::mask::refine::{RefineParams, Refined, refine};
use crate::privacy::{QuasiIdentifier, Requirement};
use crate::progress::Progress;
use crate::repeatable::Repeatable;
use crate::spec::{Encoding, Positions, ProtectSpec, Spec};
use crate::table::{Format, Reading, Table, read_table};

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

/// All that is known of a release that is about to be put in place. It is the owner's: the raw table is part of it.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// What the release says of itself.
    pub manifest: &'a Manifest,
    /// What it comes to.
    pub evaluation: &'a Evaluation,
    /// The rows that were compared, raw and masked, with their clusters.
    pub sides: Sides<'a>,
}

/// Writes the owner's report: the library knows what there is to tell, and nothing of how a page is made.
pub type Reporter<'r> = &'r dyn Fn(&Evidence<'_>) -> Result<String>;

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
    let labels = spec
        .cluster
        .algorithm
        .clusterer(
            spec.cluster.clusters,
            spec.cluster.restarts,
            spec.cluster.seed,
        )
        .cluster(&raw, progress)
        .map_err(|error| error.at(Place::file(&spec.data_path)))?
        .labels;
    let params = RefineParams {
        score: protect.score,
        seed: protect.seed,
        ..RefineParams::default()
    };
    let Refined {
        table: masked,
        trace,
    } = refine(table, &labels, &requirement, &params, progress)?;
    // To the one-hot encoding a masked value is a symbol like any other: there is no use in disclosing more.
    let positions = match spec.cluster.encoding {
        Encoding::Semantic => protect.positions,
        Encoding::OneHot => Positions::Uniform,
    };
    let told = spreads(table, &masked, &requirement, positions);
    let released = Points::in_space(&masked, raw.space().clone()).with_spreads(&masked, &told);
    let compared = compare(spec, &raw, &released, progress)?;

    let publication = Publication {
        spec,
        protect,
        reading: &reading,
        requirement: &requirement,
        masked: &masked,
        spreads: &told,
        positions,
        labels: &labels,
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
            structure: compared.structure.clone(),
            refinements: refinements(table, &trace),
        },
        |verified, evaluation| {
            let Some(reporter) = reporter else {
                return Ok(None);
            };
            let raw = compared.side(&raw, table, &compared.raw_labels);
            let released = compared.side(&released, &masked, &compared.release_labels);
            let sides = Sides {
                n_clusters: spec.cluster.clusters,
                raw: raw.side(),
                released: released.side(),
                raw_by_release: &compared.release_labels,
                are_same_rows: true,
            };
            let report = reporter(&Evidence {
                manifest: &verified.manifest,
                evaluation,
                sides,
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
    /// The cluster that each row gets from somebody who clusters the release.
    labels: Vec<u32>,
    /// The rows that were compared, if not all were.
    sample: Option<Vec<u32>>,
    /// Their clusters in the raw table.
    raw_labels: Vec<u32>,
    /// Their clusters in the release.
    release_labels: Vec<u32>,
}

impl Compared {
    /// The rows of a table that were compared.
    fn side<'a>(&self, points: &'a Points<'a>, table: &'a Table, labels: &'a [u32]) -> Rows<'a> {
        let (table, points) = match &self.sample {
            None => (Cow::Borrowed(table), Cow::Borrowed(points)),
            Some(sample) => (
                Cow::Owned(table.select(sample)),
                Cow::Owned(points.select(sample)),
            ),
        };
        Rows {
            table,
            points,
            labels,
        }
    }
}

/// What a [`Side`] borrows.
struct Rows<'a> {
    table: Cow<'a, Table>,
    points: Cow<'a, Points<'a>>,
    labels: &'a [u32],
}

impl Rows<'_> {
    fn side(&self) -> Side<'_> {
        Side {
            table: &self.table,
            points: &self.points,
            labels: self.labels,
        }
    }
}

/// Clusters the masked table as its recipient will, and compares.
fn compare(
    spec: &Spec,
    raw: &Points<'_>,
    released: &Points<'_>,
    progress: &dyn Progress,
) -> Result<Compared> {
    let protocol = Protocol {
        recipient: spec.recipient,
        ..Protocol::new(spec.cluster.algorithm, spec.cluster.clusters)
    };
    let judge = |raw: &Points<'_>, released: &Points<'_>| {
        let reference = Reference::new(raw, &protocol, progress)?;
        let comparison = Comparison::new(
            raw,
            &reference,
            released,
            LabelledBy::Row,
            &protocol,
            progress,
        )?;
        Ok::<_, Error>((comparison, reference.best.labels))
    };
    let n_rows = raw.n_rows();
    let sample = (n_rows > MOST_ROWS_COMPARED).then(|| {
        let mut sample = Repeatable::new(spec.cluster.seed).permutation(n_rows);
        sample.truncate(MOST_ROWS_COMPARED);
        sample
    });
    let (comparison, raw_labels) = match &sample {
        None => judge(raw, released)?,
        Some(sample) => judge(&raw.select(sample), &released.select(sample))?,
    };
    let labels = match (&sample, &comparison.clustering.centres) {
        (None, _) => comparison.clustering.labels.clone(),
        (Some(_), Some(centres)) => assign(released, centres).0,
        // Without centres there is no telling where the other rows would go but to cluster them all.
        (Some(_), None) => {
            spec.recipient
                .clusterer(
                    spec.cluster.clusters,
                    spec.cluster.restarts,
                    spec.cluster.seed,
                )
                .cluster(released, progress)?
                .labels
        }
    };
    Ok(Compared {
        structure: StructureEntry {
            clusters: spec.cluster.clusters,
            owner: protocol.owner,
            recipient: protocol.recipient,
            rows_compared: raw_labels.len() as u64,
            raw_optima: comparison.n_optima,
            measures: measures(&comparison),
        },
        labels,
        sample,
        raw_labels,
        release_labels: comparison.labels,
    })
}
