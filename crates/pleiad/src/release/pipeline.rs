//! The way of a table from raw to published: label, mask, relabel, compare, publish.

use std::path::{Path, PathBuf};

use super::evaluation::{
    Evaluation, InputEntry, LabelledEntry, StructureEntry, measures, refinements,
};
use super::folder::{Target, write_file};
use super::manifest::{FORMAT, Manifest};
use super::publish::{Publication, made_by};
use super::verify::{Verified, describe_file, verify_release};
use super::{EVALUATION_FILE, MANIFEST_FILE};
use crate::cluster::{Clustering, Points, assign};
use crate::error::{Error, Place, Result};
use crate::evaluate::{
    Comparison, LabelledBy, Pairs, Protocol, Reference, USUAL_THRESHOLD, loss_and_risk,
};
use crate::mask::positions::spreads;
use crate::mask::refine::{RefineParams, Refined, refine};
use crate::privacy::{QuasiIdentifier, Requirement};
use crate::progress::Progress;
use crate::repeatable::Repeatable;
use crate::spec::{Algorithm, ClusterSpec, Encoding, Positions, ProtectSpec, Spec};
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
    let compared = compare(
        &spec.cluster,
        spec.recipient,
        (&raw, &released),
        LabelledEntry::ByRow,
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
        labels: &labels,
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
            structure: compared.structure,
            loss: Some(loss),
            risk: Some(risk),
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

/// What comparing a masked table with the raw one gave.
pub(super) struct Compared {
    pub(super) structure: StructureEntry,
    /// The clusters of the masked rows that were compared.
    clustering: Clustering,
}

impl Compared {
    /// The cluster that each masked row gets from somebody who clusters them, also of those that were not compared.
    fn labels(
        &self,
        cluster: &ClusterSpec,
        released: &Points<'_>,
        progress: &dyn Progress,
    ) -> Result<Vec<u32>> {
        if self.clustering.labels.len() == released.n_rows() {
            return Ok(self.clustering.labels.clone());
        }
        Ok(match &self.clustering.centres {
            Some(centres) => assign(released, centres).0,
            // Without centres there is no telling where the other rows would go but to cluster them all.
            None => {
                let recipient = self.structure.recipient;
                recipient
                    .clusterer(cluster.clusters, cluster.restarts, cluster.seed)
                    .cluster(released, progress)?
                    .labels
            }
        })
    }
}

/// Clusters raw and masked rows, the latter as their recipient will, and compares.
pub(super) fn compare(
    cluster: &ClusterSpec,
    recipient: Algorithm,
    (raw, released): (&Points<'_>, &Points<'_>),
    labelled: LabelledEntry,
    progress: &dyn Progress,
) -> Result<Compared> {
    let protocol = Protocol {
        recipient,
        ..Protocol::new(cluster.algorithm, cluster.clusters)
    };
    let labelled_by = match labelled {
        LabelledEntry::ByRow => LabelledBy::Row,
        LabelledEntry::ByCentre => LabelledBy::Centre,
    };
    let judge = |raw: &Points<'_>, released: &Points<'_>| {
        let reference = Reference::new(raw, &protocol, progress)?;
        Comparison::new(raw, &reference, released, labelled_by, &protocol, progress)
    };
    // The same seed draws the same rows from tables of equal length: rows that belong together stay together.
    let sample = |n_rows: usize| {
        let mut sample = Repeatable::new(cluster.seed).permutation(n_rows);
        sample.truncate(MOST_ROWS_COMPARED);
        sample
    };
    let n_rows = raw.n_rows();
    let comparison = if n_rows.max(released.n_rows()) <= MOST_ROWS_COMPARED {
        judge(raw, released)?
    } else {
        judge(
            &raw.select(&sample(n_rows)),
            &released.select(&sample(released.n_rows())),
        )?
    };
    Ok(Compared {
        structure: StructureEntry {
            clusters: cluster.clusters,
            owner: protocol.owner,
            recipient: protocol.recipient,
            rows_compared: n_rows.min(MOST_ROWS_COMPARED) as u64,
            labelled,
            raw_optima: comparison.n_optima,
            measures: measures(&comparison),
        },
        clustering: comparison.clustering,
    })
}
