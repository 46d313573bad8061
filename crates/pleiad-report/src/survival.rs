//! Whether the clusters survived, in words.

use pleiad::release::StructureEntry;

use crate::words::number;

/// A ratio of costs up to which centres are as good as the best, almost as good, and of use.
const AS_GOOD: f64 = 1.0;
const ALMOST_AS_GOOD: f64 = 1.05;
const OF_USE: f64 = 1.2;

/// Where two clusterings of the raw table agree less, its own labels are a matter of luck.
const LABELS_MEAN_SOMETHING: f64 = 0.8;

/// Differences below these are none.
const SAME_AGREEMENT: f64 = 0.02;
const SAME_COST: f64 = 0.01;

/// How much survived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The clusters are as good, or almost.
    Well,
    /// They are of use.
    InPart,
    /// They are not.
    Hardly,
    /// Columns shuffled apart do as well.
    InDoubt,
}

/// What is needed for a verdict.
#[derive(Debug, Clone, Copy)]
pub struct Survival {
    /// The cost of the raw rows under the release's centres, over that of their own.
    pub cost_ratio: f64,
    /// The same where every column is shuffled by itself, which tears apart what connects them.
    pub cost_ratio_floor: f64,
    /// How well labels agree: with the nearest of the raw table's best clusterings.
    pub agreement: f64,
    /// How well two clusterings of the raw table agree.
    pub agreement_ceiling: f64,
    /// The agreement where every column is shuffled by itself.
    pub agreement_floor: f64,
}

impl Survival {
    /// The measures that a verdict rests on, as they are shown, so that one number never has two verdicts; nothing where
    /// one could not be taken.
    pub fn of(structure: &StructureEntry) -> Option<Self> {
        let measure = |name: &str| {
            structure
                .measures
                .iter()
                .find(|measure| measure.name == name)
        };
        let cost_ratio = measure("cost ratio")?;
        let near = measure("F-near")?;
        let as_shown = |measure: Option<f64>| measure.map(|value| (value * 100.0).round() / 100.0);
        Some(Self {
            cost_ratio: as_shown(cost_ratio.value)?,
            cost_ratio_floor: as_shown(cost_ratio.floor)?,
            agreement: as_shown(near.value)?,
            agreement_ceiling: as_shown(measure("F-measure")?.ceiling)?,
            agreement_floor: as_shown(near.floor)?,
        })
    }

    /// Whether it matters which row is in which cluster.
    fn labels_mean_something(&self) -> bool {
        self.agreement_ceiling >= LABELS_MEAN_SOMETHING
    }

    /// Whether labels agree more nearly as those of the raw table do than as chance would have it.
    fn labels_are_kept(&self) -> bool {
        self.agreement - self.agreement_floor > self.agreement_ceiling - self.agreement
    }

    /// Whether the columns tell as much when what connects them is torn apart.
    fn columns_alone_tell_as_much(&self) -> bool {
        if self.labels_mean_something() {
            self.agreement_floor >= self.agreement - SAME_AGREEMENT
        } else {
            self.cost_ratio_floor <= self.cost_ratio + SAME_COST
        }
    }

    /// How much survived.
    pub fn kept(&self) -> Kept {
        let labels_are_kept = !self.labels_mean_something() || self.labels_are_kept();
        if self.columns_alone_tell_as_much() {
            Kept::InDoubt
        } else if self.cost_ratio <= ALMOST_AS_GOOD && labels_are_kept {
            Kept::Well
        } else if self.cost_ratio <= OF_USE || self.labels_are_kept() {
            Kept::InPart
        } else {
            Kept::Hardly
        }
    }

    /// The verdict in two words.
    pub fn verdict(&self) -> &'static str {
        match self.kept() {
            Kept::Well => "Well kept",
            Kept::InPart => "Kept in part",
            Kept::Hardly => "Hardly kept",
            Kept::InDoubt => "In doubt",
        }
    }

    /// Why, in sentences.
    pub fn reasons(&self) -> String {
        let fit = match self.cost_ratio {
            ..=AS_GOOD => "as well as",
            ..=ALMOST_AS_GOOD => "almost as well as",
            ..=OF_USE => "a little worse than",
            _ => "clearly worse than",
        };
        let doubt = if self.columns_alone_tell_as_much() {
            " But shuffled columns do as well: the clusters may lie in single columns, not in how these go together."
        } else {
            ""
        };
        format!(
            "clusters found on the release fit the raw rows {fit} the best ones (cost ratio {}; 1 is perfect). {}{doubt}",
            number(self.cost_ratio),
            self.labels_in_words(),
        )
    }

    /// The verdict and why, as one sentence begins the next.
    pub fn in_words(&self) -> String {
        format!("{}: {}", self.verdict(), self.reasons())
    }

    fn labels_in_words(&self) -> String {
        let ceiling = number(self.agreement_ceiling);
        if !self.labels_mean_something() {
            return format!(
                "Which row is in which cluster means little here: two clusterings of the raw table agree by no more than \
                 F {ceiling}. The cost ratio counts, which would be {} for columns shuffled apart.",
                number(self.cost_ratio_floor)
            );
        }
        let rows = if self.agreement >= self.agreement_ceiling - SAME_AGREEMENT {
            "Rows are in the same clusters"
        } else if self.labels_are_kept() {
            "Most rows are in the same clusters"
        } else {
            "Many rows are in other clusters"
        };
        format!(
            "{rows}: F {}, where columns shuffled apart reach {} and the raw table itself {ceiling}.",
            number(self.agreement),
            number(self.agreement_floor)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: Survival = Survival {
        cost_ratio: 1.0,
        cost_ratio_floor: 1.8,
        agreement: 0.99,
        agreement_ceiling: 1.0,
        agreement_floor: 0.4,
    };

    fn begins(survival: Survival, verdict: &str) {
        let words = survival.in_words();
        assert!(words.starts_with(&format!("{verdict}: ")), "{words}");
    }

    #[test]
    fn a_release_near_its_ceiling_is_well_kept() {
        begins(GOOD, "Well kept");
        let words = GOOD.in_words();
        assert!(words.contains("as well as the best ones (cost ratio 1.00;"));
        assert!(words.ends_with(
            "Rows are in the same clusters: F 0.99, where columns shuffled apart reach 0.40 and the raw table itself 1.00."
        ));
    }

    #[test]
    fn good_centres_with_other_labels_are_kept_in_part() {
        let survival = Survival {
            agreement: 0.6,
            ..GOOD
        };
        begins(survival, "Kept in part");
        assert!(survival.in_words().contains("Many rows are in other"));
    }

    #[test]
    fn bad_centres_with_other_labels_are_hardly_kept() {
        let survival = Survival {
            cost_ratio: 1.5,
            agreement: 0.6,
            ..GOOD
        };
        begins(survival, "Hardly kept");
        assert!(survival.in_words().contains("clearly worse than"));
    }

    #[test]
    fn where_labels_mean_little_only_the_cost_counts() {
        let survival = Survival {
            agreement: 0.5,
            agreement_ceiling: 0.6,
            ..GOOD
        };
        begins(survival, "Well kept");
        let words = survival.in_words();
        assert!(words.contains("agree by no more than F 0.60."));
        assert!(words.ends_with("which would be 1.80 for columns shuffled apart."));
    }

    #[test]
    fn a_floor_as_good_as_the_release_is_said() {
        let labels = Survival {
            agreement_floor: 0.98,
            ..GOOD
        };
        begins(labels, "In doubt");
        assert!(
            labels
                .in_words()
                .contains("But shuffled columns do as well")
        );
        let cost = Survival {
            cost_ratio_floor: 1.01,
            agreement_ceiling: 0.5,
            ..GOOD
        };
        begins(cost, "In doubt");
        assert!(cost.in_words().contains("But shuffled columns do as well"));
    }

    #[test]
    fn rows_without_spread_are_no_number() {
        let survival = Survival {
            cost_ratio: f64::INFINITY,
            cost_ratio_floor: f64::INFINITY,
            ..GOOD
        };
        assert!(survival.in_words().contains("cost ratio endless"));
    }
}
