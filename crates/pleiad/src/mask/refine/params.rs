//! The choices of top-down refinement; the defaults are the ones to use.

pub use crate::spec::Score;

/// Which smallest group the loss of anonymity is measured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnonymityLoss {
    /// The smallest among the groups that carry the refined value: the reading that gives the paper's own example.
    #[default]
    Carrying,
    /// The smallest of the whole table: the paper's definition to the letter.
    WholeTable,
}

/// Which split stands for an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Split {
    /// The split of highest gain among those that keep the promise.
    #[default]
    BestValid,
    /// The split of highest gain; if it breaks the promise the interval stays whole.
    Paper,
}

/// All choices together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RefineParams {
    /// What makes one refinement better than another.
    pub score: Score,
    /// Which smallest group counts.
    pub loss: AnonymityLoss,
    /// Which split stands for an interval.
    pub split: Split,
    /// Breaks ties of the distortion score.
    pub seed: u64,
}
