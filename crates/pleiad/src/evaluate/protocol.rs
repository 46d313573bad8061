//! The measuring protocol: raw reference, release, ceiling, floor, judged in one way.

use rustc_hash::FxHashSet;

use super::agreement::{
    adjusted_rand, f_measure, match_point, moved_share, normalised_mutual_information, size_error,
};
use super::contingency::Contingency;
use crate::cluster::{Algorithm, Clustering, Points, Tuning, assign, spread};
use crate::error::Result;
use crate::progress::Progress;
use crate::repeatable::Repeatable;

/// Raw labelings whose cost is within this share of the best are optima too.
const NEAR_BEST: f64 = 0.005;

/// The seed of the release's first restart: never one of the reference's, so that the two share no start.
const RELEASE_SEED: u64 = 1000;

/// How a comparison is made. The numbers are the protocol's; a quick look may take fewer. A clusterer that draws nothing
/// runs once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Protocol {
    /// How the owner clusters the raw table.
    pub owner: Algorithm,
    /// How the recipient clusters the release.
    pub recipient: Algorithm,
    /// Number of clusters, on both sides.
    pub n_clusters: usize,
    /// What else both are told.
    pub tuning: Tuning,
    /// Restarts on the raw table, seeds 0, 1, ….
    pub reference_restarts: usize,
    /// Restarts on the release, seeds 1000, 1001, ….
    pub release_restarts: usize,
    /// Draws of the floor.
    pub floor_draws: usize,
}

impl Protocol {
    /// The protocol in full, with the same clusterer on both sides.
    pub fn new(algorithm: Algorithm, n_clusters: usize) -> Self {
        Self {
            owner: algorithm,
            recipient: algorithm,
            n_clusters,
            tuning: Tuning::default(),
            reference_restarts: 40,
            release_restarts: 50,
            floor_draws: 5,
        }
    }
}

/// How raw rows get their label on the release's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelledBy<'a> {
    /// Row by row: the release has the raw rows in the same order.
    Row,
    /// The point of the release that each raw row fell into.
    Cell(&'a [u32]),
    /// The nearest centre found on the release; the nearest mean of a cluster, where the clusterer has no centres.
    Centre,
}

/// The measures of agreement between two labelings of the same rows.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Agreement {
    /// Overall F-measure.
    pub f: f64,
    /// Share of pairs of rows that both put together, or both apart.
    pub match_point: f64,
    /// Adjusted Rand index.
    pub adjusted_rand: f64,
    /// Normalised mutual information.
    pub mutual_information: f64,
    /// Share of rows that change their cluster under the best matching.
    pub moved: f64,
    /// Difference of matched cluster sizes.
    pub size_error: f64,
}

impl Agreement {
    /// Reads all measures from one contingency table.
    pub fn of(table: &Contingency) -> Self {
        Self {
            f: f_measure(table),
            match_point: match_point(table),
            adjusted_rand: adjusted_rand(table),
            mutual_information: normalised_mutual_information(table),
            moved: moved_share(table),
            size_error: size_error(table),
        }
    }
}

/// What one release, or one draw of the floor, comes to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Judgement {
    /// Agreement of its labels with the reference's.
    pub agreement: Agreement,
    /// The best F against any of the raw optima.
    pub f_near: f64,
    /// Cost of the raw rows under the centres of the release, over the reference cost.
    pub cost_ratio: f64,
    /// F when each raw row goes to the nearest centre found on the release.
    pub f_assigned: Option<f64>,
    /// F when each row of the release goes to the nearest raw centre; where rows are aligned.
    pub f_assigned_back: Option<f64>,
}

/// The raw table's side of a comparison.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The best of all restarts, by what the clusterer makes small.
    pub best: Clustering,
    /// Its cost in the space: the sum of squared distances of rows to centres, or to the means of their labels where the
    /// clusterer has no centres there.
    pub cost: f64,
    /// The distinct labelings whose cost is near the best, the best first.
    pub optima: Vec<Vec<u32>>,
    /// Best of the even seeds against best of the odd seeds.
    pub ceiling: Agreement,
    /// The larger of the two halves' costs over the smaller.
    pub ceiling_cost_ratio: f64,
}

impl Reference {
    /// Clusters the raw table.
    pub fn new(raw: &Points<'_>, protocol: &Protocol, progress: &dyn Progress) -> Result<Self> {
        let fits = protocol.owner.restarts(
            raw,
            protocol.n_clusters,
            0,
            protocol.reference_restarts,
            &protocol.tuning,
            progress,
        )?;
        let mut ranked: Vec<Ranked<'_>> = fits.iter().map(|fit| Ranked::new(raw, fit)).collect();
        let half = |parity: usize| {
            let of_half = ranked.iter().skip(parity).step_by(2);
            of_half
                .min_by(|a, b| a.own_cost.total_cmp(&b.own_cost))
                .copied()
        };
        let (Some(even), Some(odd)) = (half(0), half(1).or(half(0))) else {
            unreachable!("there is at least one restart");
        };
        let ceiling = Agreement::of(&contingency(raw, &even.fit.labels, &odd.fit.labels));
        let ceiling_cost_ratio = ratio(even.cost.max(odd.cost), even.cost.min(odd.cost));
        ranked.sort_by(|a, b| a.own_cost.total_cmp(&b.own_cost));
        let best = ranked[0];
        let mut seen = FxHashSet::default();
        let optima = ranked
            .iter()
            .filter(|other| other.own_cost <= best.own_cost * (1.0 + NEAR_BEST))
            .filter(|other| seen.insert(in_order_of_appearance(&other.fit.labels)))
            .map(|other| other.fit.labels.clone())
            .collect();
        Ok(Self {
            best: best.fit.clone(),
            cost: best.cost,
            optima,
            ceiling,
            ceiling_cost_ratio,
        })
    }
}

/// A clustering, what its clusterer made small, and its cost in the space.
#[derive(Clone, Copy)]
struct Ranked<'f> {
    own_cost: f64,
    cost: f64,
    fit: &'f Clustering,
}

impl<'f> Ranked<'f> {
    fn new(raw: &Points<'_>, fit: &'f Clustering) -> Self {
        let cost = match (&fit.centres, fit.cost) {
            (Some(_), Some(cost)) => cost,
            _ => spread(raw, &fit.labels, fit.n_clusters),
        };
        Self {
            own_cost: fit.cost.unwrap_or(cost),
            cost,
            fit,
        }
    }
}

/// A release judged against the raw table.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// What the release comes to.
    pub release: Judgement,
    /// What two clusterings of the raw table come to.
    pub ceiling: Agreement,
    /// The same for the costs.
    pub ceiling_cost_ratio: f64,
    /// What the published columns come to without what connects them: the mean of the draws.
    pub floor: Judgement,
    /// How many raw optima there are.
    pub n_optima: usize,
    /// The labels that the raw rows got.
    pub labels: Vec<u32>,
    /// The clustering of the release's own points.
    pub clustering: Clustering,
}

impl Comparison {
    /// Clusters the release and judges it.
    pub fn new(
        raw: &Points<'_>,
        reference: &Reference,
        release: &Points<'_>,
        labelled_by: LabelledBy<'_>,
        protocol: &Protocol,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let clusterer = protocol.recipient.clusterer(
            protocol.n_clusters,
            protocol.release_restarts,
            RELEASE_SEED,
            &protocol.tuning,
        );
        let clustering = clusterer.cluster(release, progress)?;
        let (judgement, labels) = judge(raw, reference, release, &clustering, labelled_by);
        // Dealing out the columns of a weighted release leaves no cell or row that a raw row could be found in.
        let floor_labelled_by = if release.weights().is_some() {
            LabelledBy::Centre
        } else {
            labelled_by
        };
        let mut draws = Vec::with_capacity(protocol.floor_draws);
        for draw in 0..protocol.floor_draws {
            let mut choices = Repeatable::new(draw as u64);
            let shuffled = release.permuted(|n_rows| choices.permutation(n_rows));
            let clustering = clusterer.cluster(&shuffled, progress)?;
            draws.push(judge(raw, reference, &shuffled, &clustering, floor_labelled_by).0);
        }
        Ok(Self {
            release: judgement,
            ceiling: reference.ceiling,
            ceiling_cost_ratio: reference.ceiling_cost_ratio,
            floor: mean(&draws),
            n_optima: reference.optima.len(),
            labels,
            clustering,
        })
    }
}

fn judge(
    raw: &Points<'_>,
    reference: &Reference,
    release: &Points<'_>,
    clustering: &Clustering,
    labelled_by: LabelledBy<'_>,
) -> (Judgement, Vec<u32>) {
    let assigned = clustering
        .centres
        .as_ref()
        .map(|centres| assign(raw, centres));
    let labels: Vec<u32> = match labelled_by {
        LabelledBy::Row => clustering.labels.clone(),
        LabelledBy::Cell(cells) => cells
            .iter()
            .map(|&cell| clustering.labels[cell as usize])
            .collect(),
        LabelledBy::Centre => match &assigned {
            Some((labels, _)) => labels.clone(),
            None => assign(raw, &clustering.centres_or_means(release)).0,
        },
    };
    // A clusterer without centres is judged by the raw means of its labels.
    let cost = assigned.as_ref().map_or_else(
        || spread(raw, &labels, clustering.n_clusters),
        |(_, cost)| *cost,
    );
    let against = |labels: &[u32]| contingency(raw, &reference.best.labels, labels);
    let f_assigned_back = match (labelled_by, &reference.best.centres) {
        (LabelledBy::Row, Some(centres)) => Some(f_measure(&against(&assign(release, centres).0))),
        _ => None,
    };
    let judgement = Judgement {
        agreement: Agreement::of(&against(&labels)),
        f_near: reference
            .optima
            .iter()
            .map(|optimum| f_measure(&contingency(raw, optimum, &labels)))
            .fold(0.0, f64::max),
        cost_ratio: ratio(cost, reference.cost),
        f_assigned: assigned
            .as_ref()
            .map(|(labels, _)| f_measure(&against(labels))),
        f_assigned_back,
    };
    (judgement, labels)
}

fn contingency(points: &Points<'_>, raw: &[u32], other: &[u32]) -> Contingency {
    Contingency::from_labels(raw, other, points.weights())
}

/// A ratio of costs; two costs of nothing are equal.
fn ratio(cost: f64, reference: f64) -> f64 {
    if cost == reference {
        1.0
    } else {
        cost / reference
    }
}

/// The same partition with its clusters numbered as they appear, so that equal partitions are equal labels.
fn in_order_of_appearance(labels: &[u32]) -> Vec<u32> {
    let mut number = rustc_hash::FxHashMap::default();
    labels
        .iter()
        .map(|&label| {
            let next = number.len() as u32;
            *number.entry(label).or_insert(next)
        })
        .collect()
}

fn mean(draws: &[Judgement]) -> Judgement {
    let n_draws = draws.len().max(1) as f64;
    let of = |value: fn(&Judgement) -> f64| draws.iter().map(value).sum::<f64>() / n_draws;
    let of_optional = |value: fn(&Judgement) -> Option<f64>| {
        let sum: Option<f64> = draws.iter().map(value).sum();
        sum.filter(|_| !draws.is_empty()).map(|sum| sum / n_draws)
    };
    Judgement {
        agreement: Agreement {
            f: of(|draw| draw.agreement.f),
            match_point: of(|draw| draw.agreement.match_point),
            adjusted_rand: of(|draw| draw.agreement.adjusted_rand),
            mutual_information: of(|draw| draw.agreement.mutual_information),
            moved: of(|draw| draw.agreement.moved),
            size_error: of(|draw| draw.agreement.size_error),
        },
        f_near: of(|draw| draw.f_near),
        cost_ratio: of(|draw| draw.cost_ratio),
        f_assigned: of_optional(|draw| draw.f_assigned),
        f_assigned_back: of_optional(|draw| draw.f_assigned_back),
    }
}
