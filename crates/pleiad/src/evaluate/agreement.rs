//! How well a release keeps the clusters of the raw data, read from the contingency table alone.
//!
//! Throughout, nᵢⱼ counts the rows in raw cluster Cᵢ and in release cluster Kⱼ, aᵢ = |Cᵢ| and
//! bⱼ = |Kⱼ| are the cluster sizes, and n is the number of rows.
//!
//! | measure | range | better | symmetric |
//! |---|---|---|---|
//! | [`f_measure`] | (0, 1] | higher | no |
//! | [`match_point`] | (0, 1] | higher | yes |
//! | [`adjusted_rand`] | [−½, 1] | higher, 0 is chance | yes |
//! | [`normalised_mutual_information`] | [0, 1] | higher | yes |
//! | [`moved_share`] | [0, 1) | lower | yes |
//! | [`size_error`] | [0, 2) | lower | yes |
//!
//! Every measure is the same to the last bit however the clusters are numbered, and on a table without
//! rows reads as perfect agreement, since no row is out of place.

use super::contingency::Contingency;
use pathfinding::prelude::{Matrix, kuhn_munkres};

/// Overall F-measure of the release (Fung et al. 2009, eq. 6–9).
///
/// With recall nᵢⱼ/aᵢ and precision nᵢⱼ/bⱼ, F(Cᵢ, Kⱼ) is their harmonic mean 2nᵢⱼ/(aᵢ + bⱼ), and
///
/// ```text
/// F = Σᵢ (aᵢ/n) · maxⱼ F(Cᵢ, Kⱼ)
/// ```
///
/// In (0, 1], higher is better. 1: the clusters are the same. Towards 0: every raw cluster is
/// scattered over release clusters that hold mostly other rows. Not symmetric: the raw clusters
/// are the ones looked for, several may share their best release cluster, and release clusters that
/// are nobody's best go unnoticed.
pub fn f_measure(table: &Contingency) -> f64 {
    if table.total() == 0 {
        return 1.0;
    }
    let (sizes, found) = (table.row_totals(), table.column_totals());
    let mut best = vec![0.0_f64; sizes.len()];
    for cell in table.cells() {
        let both = sizes[cell.row] + found[cell.column];
        let f = 2.0 * cell.count as f64 / both as f64;
        best[cell.row] = best[cell.row].max(f);
    }
    let weighted = sizes.iter().zip(best).map(|(&size, f)| size as f64 * f);
    // Rounding may lift the sum of many nearly perfect clusters a hair above 1.
    (sum_sorted(weighted.collect()) / table.total() as f64).min(1.0)
}

/// Match point (Fung et al. 2009, eq. 10): the share of the n² ordered pairs of rows, each row with
/// itself included, that both clusterings treat alike, together in both or apart in both:
///
/// ```text
/// (n² − Σᵢ aᵢ² − Σⱼ bⱼ² + 2 Σᵢⱼ nᵢⱼ²) / n²
/// ```
///
/// In (0, 1], higher is better. 1: the clusters are the same. The smallest possible value is 1/n, when one
/// side is a single cluster and the other keeps every row apart; only the pairs of a row with itself
/// agree then. Pairs that are apart in both count as agreement, so with many clusters even unrelated
/// clusterings come close to 1. The count is exact and divided once.
pub fn match_point(table: &Contingency) -> f64 {
    if table.total() == 0 {
        return 1.0;
    }
    let pairs = Pairs::of(table);
    let alike = pairs.together + pairs.apart;
    alike as f64 / squared(table.total()) as f64
}

/// Adjusted Rand index (Hubert and Arabie 1985): agreement over the pairs of two different rows, corrected
/// for what clusters of these sizes reach by chance,
///
/// ```text
/// (index − expected) / (maximum − expected)
/// index    = Σᵢⱼ C(nᵢⱼ, 2)
/// expected = Σᵢ C(aᵢ, 2) · Σⱼ C(bⱼ, 2) / C(n, 2)
/// maximum  = ½ (Σᵢ C(aᵢ, 2) + Σⱼ C(bⱼ, 2))
/// ```
///
/// In [−½, 1], higher is better. 1: the clusters are the same. 0: no better than chance. Below 0: worse
/// than chance. As in scikit-learn, clusterings that agree on every pair give 1 also where the formula is
/// 0/0 (one cluster on both sides, or every row by itself on both).
pub fn adjusted_rand(table: &Contingency) -> f64 {
    let pairs = Pairs::of(table);
    if pairs.only_raw == 0 && pairs.only_release == 0 {
        return 1.0;
    }
    let together = (pairs.together - u128::from(table.total())) as f64;
    let apart = pairs.apart as f64;
    let (only_raw, only_release) = (pairs.only_raw as f64, pairs.only_release as f64);
    // The same quotient over pair counts, where 0/0 has been excluded. No term of the numerator
    // exceeds the denominator, so rounding stays at the last bits of the index.
    2.0 * (together * apart - only_raw * only_release)
        / ((together + only_raw) * (only_raw + apart)
            + (together + only_release) * (only_release + apart))
}

/// Normalised mutual information with the arithmetic mean of the entropies, as scikit-learn has it by default:
///
/// ```text
/// I(C; K) / (½ (H(C) + H(K))),   I(C; K) = H(C) + H(K) − H(C, K)
/// ```
///
/// with the entropies of the shares aᵢ/n, bⱼ/n and nᵢⱼ/n.
///
/// In [0, 1], higher is better. 1: the clusters are the same. 0: knowing a row's cluster in one says
/// nothing about its cluster in the other. As in scikit-learn, one cluster on both sides gives 1 and one
/// cluster on one side only gives 0. Not corrected for chance: many small clusters raise it.
pub fn normalised_mutual_information(table: &Contingency) -> f64 {
    let (rows, columns) = (table.row_totals(), table.column_totals());
    if rows.len() <= 1 && columns.len() <= 1 {
        return 1.0;
    }
    if independent(table) {
        return 0.0;
    }
    let joint: Vec<u64> = table.cells().iter().map(|cell| cell.count).collect();
    let marginals = entropy(rows, table.total()) + entropy(columns, table.total());
    let information = marginals - entropy(&joint, table.total());
    (2.0 * information / marginals).clamp(0.0, 1.0)
}

/// Misclassification error as people read it: the share of rows that change cluster under the one-to-one
/// matching π of raw to release clusters that keeps the most rows,
///
/// ```text
/// 1 − max over π of Σᵢ n[i, π(i)] / n
/// ```
///
/// If one side has more clusters, its surplus clusters have no partner and all their rows have moved.
/// In [0, 1), lower is better. 0: the clusters are the same up to their names. It cannot reach 1, since
/// some cluster always keeps a row. It is also the reading of the perturbation-tree paper's formula
/// (see [`size_error`]) in which `|Cluster_i(D) − Cluster_i(D')|` counts a difference of sets.
///
/// The matching costs O(k²k') for k ≤ k' clusters, and a dense k × k' table.
pub fn moved_share(table: &Contingency) -> f64 {
    if table.total() == 0 {
        return 0.0;
    }
    let kept: u64 = best_matching(table, |pair| i128::from(pair.count))
        .iter()
        .map(|pair| pair.count)
        .sum();
    (table.total() - kept) as f64 / table.total() as f64
}

/// Misclassification error as the perturbation-tree paper (Roy, section 5.3) prints it, after Oliveira and
/// Zaïane: the difference of matched cluster sizes,
///
/// ```text
/// (1/n) Σᵢ | |Cluster_i(D)| − |Cluster_i(D')| |  =  (1/n) Σᵢ |aᵢ − b[π(i)]|
/// ```
///
/// The paper takes for granted that cluster i after masking is cluster i before. Here π is a
/// matching that keeps the most rows, as in [`moved_share`], and among several such matchings one with
/// the smallest error, so that the value does not depend on how clusters are numbered. A cluster without
/// partner is matched with an empty one and adds its whole size.
///
/// In [0, 2), lower is better, and never more than twice the moved share: a row that moves changes two
/// sizes by one. 0 says only that matched clusters are equally large: rows that change places in equal
/// numbers cancel out, so read it beside the moved share. Cost as there.
pub fn size_error(table: &Contingency) -> f64 {
    if table.total() == 0 {
        return 0.0;
    }
    // One weight for two aims: a row kept outweighs every difference of sizes, which sum to at most 2n.
    // Giving a pair what its clusters would have cost without a partner makes the smaller error win also
    // where some clusters stay alone.
    let first = 2 * i128::from(table.total()) + 1;
    let matched = best_matching(table, |pair| {
        i128::from(pair.count) * first + i128::from(pair.saved())
    });
    let alone: u64 = 2 * table.total();
    let saved: u64 = matched.iter().map(Pair::saved).sum();
    (alone - saved) as f64 / table.total() as f64
}

/// The clusters of raw and release, by their labels, that belong together: the matching of [`moved_share`].
pub fn matched_clusters(table: &Contingency) -> Vec<(u32, u32)> {
    if table.total() == 0 {
        return Vec::new();
    }
    let mut matched: Vec<(u32, u32)> = best_matching(table, |pair| i128::from(pair.count))
        .iter()
        .map(|pair| (pair.raw, pair.release))
        .collect();
    matched.sort_unstable();
    matched
}

/// Two clusters that a matching may join.
#[derive(Clone, Copy)]
struct Pair {
    raw: u32,
    release: u32,
    raw_size: u64,
    release_size: u64,
    count: u64,
}

impl Pair {
    /// How much less the two clusters differ from each other than from two empty ones.
    fn saved(&self) -> u64 {
        2 * self.raw_size.min(self.release_size)
    }
}

/// The pairs of a one-to-one matching of largest total weight that leaves no cluster of the smaller side alone.
fn best_matching(table: &Contingency, weight: impl Fn(&Pair) -> i128) -> Vec<Pair> {
    let (raw_sizes, release_sizes) = (table.row_totals(), table.column_totals());
    // The algorithm wants no more rows than columns; the weights do not mind being turned.
    let turned = raw_sizes.len() > release_sizes.len();
    let place = |raw: usize, release: usize| {
        if turned {
            (release, raw)
        } else {
            (raw, release)
        }
    };
    let (rows, columns) = place(raw_sizes.len(), release_sizes.len());
    let mut pairs = Matrix::from_fn(rows, columns, |(row, column)| {
        let (raw, release) = place(row, column);
        Pair {
            raw: table.row_labels()[raw],
            release: table.column_labels()[release],
            raw_size: raw_sizes[raw],
            release_size: release_sizes[release],
            count: 0,
        }
    });
    for cell in table.cells() {
        pairs[place(cell.row, cell.column)].count = cell.count;
    }
    let weights = Matrix::from_fn(rows, columns, |position| weight(&pairs[position]));
    let (_, partners) = kuhn_munkres(&weights);
    let matched = partners.into_iter().enumerate();
    matched.map(|position| pairs[position]).collect()
}

/// The n² ordered pairs of rows, each row with itself included, by what the two clusterings say of them.
struct Pairs {
    together: u128,
    only_raw: u128,
    only_release: u128,
    apart: u128,
}

impl Pairs {
    fn of(table: &Contingency) -> Self {
        let squares = |sizes: &[u64]| sizes.iter().copied().map(squared).sum::<u128>();
        let together = table.cells().iter().map(|cell| squared(cell.count)).sum();
        let only_raw = squares(table.row_totals()) - together;
        let only_release = squares(table.column_totals()) - together;
        Self {
            together,
            only_raw,
            only_release,
            apart: squared(table.total()) - together - only_raw - only_release,
        }
    }
}

fn squared(count: u64) -> u128 {
    u128::from(count) * u128::from(count)
}

/// Whether n · nᵢⱼ = aᵢ · bⱼ everywhere. Asked of integers, because in floating point the information of
/// independent clusterings comes out as a little noise around 0.
fn independent(table: &Contingency) -> bool {
    let (rows, columns) = (table.row_totals(), table.column_totals());
    let expected = |row: usize, column: usize| u128::from(rows[row]) * u128::from(columns[column]);
    // A product of sizes is never zero, so a missing cell already shows dependence.
    table.cells().len() as u128 == rows.len() as u128 * columns.len() as u128
        && table.cells().iter().all(|cell| {
            u128::from(table.total()) * u128::from(cell.count) == expected(cell.row, cell.column)
        })
}

/// Entropy in nats of the shares count/total.
fn entropy(counts: &[u64], total: u64) -> f64 {
    let whole = total as f64;
    let term = |&count: &u64| {
        let share = count as f64 / whole;
        // Near 1 the logarithm loses what the share has already rounded away; the remainder has it.
        let logarithm = if share > 0.5 {
            (-((total - count) as f64 / whole)).ln_1p()
        } else {
            share.ln()
        };
        -share * logarithm
    };
    sum_sorted(counts.iter().map(term).collect())
}

/// The sum in ascending order, so that the numbering of clusters cannot reach the last bits.
fn sum_sorted(mut terms: Vec<f64>) -> f64 {
    terms.sort_unstable_by(f64::total_cmp);
    terms.into_iter().sum()
}

#[cfg(test)]
mod tests;
