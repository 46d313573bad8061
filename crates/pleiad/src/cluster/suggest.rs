//! How many clusters there are: several numbers tried, and what each comes to.

use std::ops::RangeInclusive;

use super::canopy::canopy_clusters;
use super::distinct::DistinctRows;
use super::knee::knee;
use super::points::Points;
use super::silhouette::{Silhouettes, silhouettes};
use crate::error::{Error, Result};
use crate::progress::{Amount, Progress, Silent};
use crate::spec::{Algorithm, ClusterSpec};

/// Numbers of clusters that were tried, and the one that is suggested.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// What each number comes to, in rising order.
    pub tried: Vec<Tried>,
    /// The number with the largest silhouette, the first of equals.
    pub suggested: usize,
    /// The number that an optimised canopy shows.
    pub canopy: Option<usize>,
    /// The number after which the cost falls slowly: it lies farthest below the straight line from the cost of one cluster
    /// to that of the last number, on a logarithmic scale.
    pub elbow: Option<usize>,
    /// Different rows that silhouettes were taken on.
    pub rows_judged: usize,
    /// Different rows that there are.
    pub rows_different: usize,
}

/// One number of clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tried {
    /// The number.
    pub n_clusters: usize,
    /// The cost of the best clustering.
    pub cost: f64,
    /// Its mean silhouette.
    pub silhouette: f64,
}

/// Tries numbers of clusters.
///
/// # Errors
/// DBSCAN, which finds its own number; fewer different rows than clusters.
pub fn suggest(
    points: &Points<'_>,
    settings: &ClusterSpec,
    numbers: RangeInclusive<usize>,
    progress: &dyn Progress,
) -> Result<Suggestion> {
    if settings.algorithm == Algorithm::Dbscan {
        return Err(Error::spec("DBSCAN finds the number of clusters itself"));
    }
    let n_different = DistinctRows::of(points).len();
    if n_different < *numbers.start() || numbers.is_empty() {
        return Err(Error::data(format!(
            "there are no {} clusters to try: the table has {n_different} different rows",
            numbers.start()
        )));
    }
    let numbers = *numbers.start()..=n_different.min(*numbers.end());
    let fit = |n_clusters: usize| {
        let settings = ClusterSpec {
            clusters: n_clusters,
            ..settings.clone()
        };
        settings.clusterer().cluster(points, &Silent)
    };
    progress.begin("trying", numbers.clone().count() as u64, Amount::Steps);
    let mut fits = Vec::new();
    for n_clusters in numbers.clone() {
        fits.push(fit(n_clusters)?);
        progress.advance(1);
    }
    // The whole table as one cluster is where the cost falls from; without it the elbow could not be at 2.
    let whole = fit(1)?;
    progress.end();
    let labels: Vec<&[u32]> = fits.iter().map(|fit| fit.labels.as_slice()).collect();
    let Silhouettes {
        values,
        n_rows,
        n_different,
    } = silhouettes(points, &labels);
    let tried: Vec<Tried> = numbers
        .zip(fits.iter().zip(values))
        .map(|(n_clusters, (fit, silhouette))| Tried {
            n_clusters,
            cost: fit.cost.unwrap_or(f64::NAN),
            silhouette: silhouette.unwrap_or(0.0),
        })
        .collect();
    // What counts is by which factor a cost falls, or the first clusters, which lie farthest apart, would hide the others.
    let logarithm = |cost: f64| cost.max(f64::MIN_POSITIVE).ln();
    let whole = whole.cost.into_iter();
    let costs: Vec<f64> = whole
        .chain(tried.iter().map(|tried| tried.cost))
        .map(logarithm)
        .collect();
    let elbow = knee(&costs).and_then(|at| at.checked_sub(1));
    let best = tried.iter().copied().reduce(|best, tried| {
        if tried.silhouette > best.silhouette {
            tried
        } else {
            best
        }
    });
    Ok(Suggestion {
        suggested: best.map_or(0, |best| best.n_clusters),
        canopy: canopy_clusters(points),
        elbow: elbow.map(|at| tried[at].n_clusters),
        rows_judged: n_rows,
        rows_different: n_different,
        tried,
    })
}
