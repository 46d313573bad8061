//! Comparing a masked table with the raw one, and showing both.

use std::borrow::Cow;

use super::evaluation::{StructureEntry, measures};
use crate::cluster::{Clustering, Points, assign};
use crate::error::Result;
use crate::evaluate::{Comparison, LabelledBy, Protocol, Reference, Side, Sides};
use crate::progress::Progress;
use crate::repeatable::Repeatable;
use crate::spec::{Algorithm, ClusterSpec};
use crate::table::Table;

/// A table with more rows is compared on a sample of these: the protocol clusters some three hundred times.
const MOST_ROWS_COMPARED: usize = 50_000;

/// Rows of a sample. What a measure says of so many it says of all, and comparing them takes less than twice as long as
/// clustering a million rows once.
const ROWS_OF_A_SAMPLE: usize = 30_000;

/// The rows of a table that are compared, if not all are. The same seed draws the same rows from tables of equal length:
/// rows that belong together stay together.
pub(super) fn sample(n_rows: usize, seed: u64) -> Option<Vec<u32>> {
    (n_rows > MOST_ROWS_COMPARED).then(|| {
        let mut sample = Repeatable::new(seed).permutation(n_rows);
        sample.truncate(ROWS_OF_A_SAMPLE);
        sample
    })
}

/// What comparing a masked table with the raw one gave.
pub(super) struct Compared {
    pub(super) structure: StructureEntry,
    /// The rows that were compared, raw and masked, if not all were.
    samples: [Option<Vec<u32>>; 2],
    /// The clusters of the compared rows: of the raw ones, of the masked ones, and of the raw ones by the masked table.
    raw_labels: Vec<u32>,
    clustering: Clustering,
    raw_by_release: Vec<u32>,
    are_same_rows: bool,
}

/// Clusters raw and masked rows, the latter as their recipient will, and compares.
pub(super) fn compare(
    cluster: &ClusterSpec,
    recipient: Algorithm,
    (raw, released): (&Points<'_>, &Points<'_>),
    labelled_by: LabelledBy<'_>,
    progress: &dyn Progress,
) -> Result<Compared> {
    let protocol = Protocol {
        recipient,
        tuning: cluster.tuning,
        ..Protocol::new(cluster.algorithm, cluster.clusters)
    };
    let samples = [raw, released].map(|points| sample(points.n_rows(), cluster.seed));
    let compared_raw = selected(raw, samples[0].as_deref());
    let compared_released = selected(released, samples[1].as_deref());
    let reference = Reference::new(&compared_raw, &protocol, progress)?;
    let comparison = Comparison::new(
        &compared_raw,
        &reference,
        &compared_released,
        labelled_by,
        &protocol,
        progress,
    )?;
    Ok(Compared {
        structure: StructureEntry {
            clusters: cluster.clusters,
            owner: protocol.owner,
            recipient: protocol.recipient,
            rows_compared: compared_raw.n_rows() as u64,
            labelled: labelled_by.into(),
            raw_optima: comparison.n_optima,
            measures: measures(&comparison),
        },
        samples,
        raw_labels: reference.best.labels,
        clustering: comparison.clustering,
        raw_by_release: comparison.labels,
        are_same_rows: labelled_by == LabelledBy::Row,
    })
}

fn selected<'p>(points: &'p Points<'p>, rows: Option<&[u32]>) -> Cow<'p, Points<'p>> {
    match rows {
        None => Cow::Borrowed(points),
        Some(rows) => Cow::Owned(points.select(rows)),
    }
}

impl Compared {
    /// The cluster that each masked row gets from somebody who clusters them, noise marked, also of those that were not
    /// compared.
    pub(super) fn labels(
        &self,
        cluster: &ClusterSpec,
        released: &Points<'_>,
        progress: &dyn Progress,
    ) -> Result<Vec<u32>> {
        if self.samples[1].is_none() {
            return Ok(self.clustering.marked_labels());
        }
        if let Some(centres) = &self.clustering.centres {
            return Ok(assign(released, centres).0);
        }
        // Without centres there is no telling where the other rows would go but to cluster them all.
        let recipient = ClusterSpec {
            algorithm: self.structure.recipient,
            ..cluster.clone()
        };
        let clustering = recipient.clusterer().cluster(released, progress)?;
        Ok(clustering.marked_labels())
    }

    /// Shows the rows that were compared, of the same tables, with their clusters.
    pub(super) fn with_sides<T>(
        &self,
        (raw, raw_points): (&Table, &Points<'_>),
        (released, released_points): (&Table, &Points<'_>),
        show: impl FnOnce(Sides<'_>) -> T,
    ) -> T {
        let [raw_rows, released_rows] = self.samples.each_ref().map(Option::as_deref);
        let of_table = |table: &Table, rows: Option<&[u32]>| rows.map(|rows| table.select(rows));
        let (sampled_raw, sampled_released) =
            (of_table(raw, raw_rows), of_table(released, released_rows));
        let found = [
            &self.raw_labels,
            &self.clustering.labels,
            &self.raw_by_release,
        ];
        let most = found.into_iter().flatten().max();
        show(Sides {
            // Not every clusterer finds as many as it was asked for.
            n_clusters: most.map_or(0, |most| *most as usize + 1),
            raw: Side {
                table: sampled_raw.as_ref().unwrap_or(raw),
                points: &selected(raw_points, raw_rows),
                labels: &self.raw_labels,
            },
            released: Side {
                table: sampled_released.as_ref().unwrap_or(released),
                points: &selected(released_points, released_rows),
                labels: &self.clustering.labels,
            },
            raw_by_release: &self.raw_by_release,
            are_same_rows: self.are_same_rows,
        })
    }
}
