//! The section [cluster]: how clusters are found.

use super::check::Source;
use super::raw::{self, At};
use super::{Algorithm, ClusterSpec, Tuning};
use crate::error::Result;

const DEFAULT_RESTARTS: usize = 10;

pub(super) fn check(
    written: &At<raw::Cluster>,
    recipient: Option<Algorithm>,
    source: &Source<'_>,
) -> Result<ClusterSpec> {
    let cluster = &written.value;
    let algorithm = cluster.algorithm.unwrap_or_default();
    let clusters = match &cluster.clusters {
        None => {
            return Err(source
                .wrong(written, "[cluster] has no `clusters`: how many there are")
                .hint(
                    "any number will do at first: `pleiad cluster --suggest` then proposes one",
                ));
        }
        Some(clusters) if clusters.value < 2 => {
            return Err(source.wrong(clusters, "there must be at least 2 clusters"));
        }
        Some(clusters) => clusters.value,
    };
    let restarts = match &cluster.restarts {
        None => DEFAULT_RESTARTS,
        Some(restarts) if restarts.value == 0 => {
            return Err(source.wrong(restarts, "there must be at least 1 restart"));
        }
        Some(restarts) => restarts.value,
    };
    let listeners = Listeners {
        owner: algorithm,
        recipient: recipient.unwrap_or(algorithm),
        source,
    };
    Ok(ClusterSpec {
        algorithm,
        clusters,
        restarts,
        seed: cluster.seed.unwrap_or(0),
        encoding: cluster.encoding.unwrap_or_default(),
        tuning: tuning(cluster, &listeners)?,
    })
}

/// The clusterers that hear what is written.
struct Listeners<'s> {
    owner: Algorithm,
    recipient: Algorithm,
    source: &'s Source<'s>,
}

impl Listeners<'_> {
    /// What was written for some clusterers; a mistake if neither is used.
    fn heard<'w, T>(
        &self,
        written: Option<&'w At<T>>,
        key: &str,
        by: &[Algorithm],
    ) -> Result<Option<&'w At<T>>> {
        let is_heard = by.contains(&self.owner) || by.contains(&self.recipient);
        match written {
            Some(written) if !is_heard => {
                let names: Vec<&str> = by.iter().map(|algorithm| algorithm.in_words()).collect();
                Err(self
                    .source
                    .wrong(written, format!("`{key}` is for {}", names.join(" and ")))
                    .hint("neither [cluster] nor [recipient] uses it: leave the key out"))
            }
            written => Ok(written),
        }
    }
}

fn tuning(cluster: &raw::Cluster, listeners: &Listeners<'_>) -> Result<Tuning> {
    let source = listeners.source;
    let seeding = listeners.heard(
        cluster.seeding.as_ref(),
        "seeding",
        &[Algorithm::KMeans, Algorithm::KPrototypes],
    )?;
    let gamma = listeners.heard(cluster.gamma.as_ref(), "gamma", &[Algorithm::KPrototypes])?;
    let radius = listeners.heard(cluster.radius.as_ref(), "radius", &[Algorithm::Dbscan])?;
    let neighbours = listeners.heard(
        cluster.neighbours.as_ref(),
        "neighbours",
        &[Algorithm::Dbscan],
    )?;
    let neighbours = neighbours.map(|written| match u32::try_from(written.value) {
        Ok(0) => Err(source.wrong(
            written,
            "there must be at least 1 neighbour: a row counts itself",
        )),
        Ok(neighbours) => Ok(neighbours),
        Err(_) => Err(source.wrong(written, "no row has so many neighbours")),
    });
    Ok(Tuning {
        seeding: seeding.map(|seeding| seeding.value).unwrap_or_default(),
        gamma: gamma
            .map(|gamma| source.positive(gamma, "weight of a category that differs"))
            .transpose()?,
        radius: radius
            .map(|radius| source.positive(radius, "radius"))
            .transpose()?,
        neighbours: neighbours.transpose()?,
    })
}
