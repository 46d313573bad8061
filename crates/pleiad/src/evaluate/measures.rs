//! What each measure is called, which way is better, and what it means.

use super::protocol::{Comparison, Judgement};

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// Larger values are better.
    Higher,
    /// Smaller values are better.
    Lower,
}

/// A measure of structure.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    /// Which way is better.
    pub better: Better,
    /// What it says, in words for somebody who has to sign.
    pub meaning: &'static str,
    value: fn(&Judgement) -> Option<f64>,
    ceiling: fn(&Comparison) -> Option<f64>,
}

impl Measure {
    /// The release's value.
    pub fn value(&self, comparison: &Comparison) -> Option<f64> {
        (self.value)(&comparison.release)
    }

    /// What two clusterings of the raw table reach, where that can be said.
    pub fn ceiling(&self, comparison: &Comparison) -> Option<f64> {
        (self.ceiling)(comparison)
    }

    /// What the published columns reach without what connects them.
    pub fn floor(&self, comparison: &Comparison) -> Option<f64> {
        (self.value)(&comparison.floor)
    }
}

macro_rules! agreement {
    ($name:literal, $better:ident, $field:ident, $meaning:literal) => {
        Measure {
            name: $name,
            better: Better::$better,
            meaning: $meaning,
            value: |judgement| Some(judgement.agreement.$field),
            ceiling: |comparison| Some(comparison.ceiling.$field),
        }
    };
}

/// All measures of structure, the most telling first.
pub const MEASURES: [Measure; 10] = [
    Measure {
        name: "cost ratio",
        better: Better::Lower,
        meaning: "how much worse the raw rows fit the centres found on the release than their own best centres; 1 is perfect",
        value: |judgement| Some(judgement.cost_ratio),
        ceiling: |comparison| Some(comparison.ceiling_cost_ratio),
    },
    agreement!(
        "F-measure",
        Higher,
        f,
        "how well each raw cluster is found again as one cluster of the release; 1 is perfect"
    ),
    Measure {
        name: "F-near",
        better: Better::Higher,
        meaning: "the best F-measure against any clustering of the raw table that is as good as the best one",
        value: |judgement| Some(judgement.f_near),
        ceiling: |_| None,
    },
    agreement!(
        "match point",
        Higher,
        match_point,
        "share of pairs of rows that both clusterings put together, or both put apart"
    ),
    agreement!(
        "adjusted Rand",
        Higher,
        adjusted_rand,
        "agreement on pairs beyond what chance gives; 0 is chance, 1 is perfect"
    ),
    agreement!(
        "mutual information",
        Higher,
        mutual_information,
        "what one clustering tells about the other, from 0 to 1"
    ),
    agreement!(
        "moved",
        Lower,
        moved,
        "share of rows that change their cluster under the best one-to-one matching"
    ),
    agreement!(
        "size error",
        Lower,
        size_error,
        "how much the sizes of matched clusters differ, as a share of all rows"
    ),
    Measure {
        name: "F assigned",
        better: Better::Higher,
        meaning: "F-measure when each raw row goes to the nearest centre found on the release",
        value: |judgement| judgement.f_assigned,
        ceiling: |_| None,
    },
    Measure {
        name: "F assigned back",
        better: Better::Higher,
        meaning: "F-measure when each released row goes to the nearest raw centre",
        value: |judgement| judgement.f_assigned_back,
        ceiling: |_| None,
    },
];
