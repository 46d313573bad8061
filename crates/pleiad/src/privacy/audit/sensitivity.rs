//! How far one person moves scores, measured on neighbours.

/// How far one person moved the scores of a list of candidates, at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScoreChange {
    /// The largest change of a single score, in either direction.
    pub single: u128,
    /// The largest difference between the changes of two scores of the same list: the range that a selection pays for.
    pub range: u128,
}

/// Measures how far scores move between neighbours. Both inputs of a pair must have the same candidates.
pub fn largest_change<I>(
    pairs: impl IntoIterator<Item = (I, I)>,
    scores: impl Fn(&I) -> Vec<i128>,
) -> ScoreChange {
    let mut found = ScoreChange::default();
    for (one, other) in pairs {
        let (one, other) = (scores(&one), scores(&other));
        assert_eq!(one.len(), other.len(), "candidates that depend on the rows");
        let changes = || one.iter().zip(&other).map(|(one, other)| other - one);
        let (Some(most), Some(least)) = (changes().max(), changes().min()) else {
            continue;
        };
        let single = most.unsigned_abs().max(least.unsigned_abs());
        found.single = found.single.max(single);
        found.range = found.range.max(most.abs_diff(least));
    }
    found
}
