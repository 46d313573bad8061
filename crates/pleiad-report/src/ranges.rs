//! Measures on a line from floor to ceiling.

use pleiad::release::MeasureEntry;

use crate::words::{number, percent};

/// Where the floor and the ceiling stand on the line, which has room beyond both.
const FLOOR_AT: f64 = 12.0;
const CEILING_AT: f64 = 88.0;

/// A ceiling this near to the floor leaves no way between them.
const NO_WAY: f64 = 0.005;

/// A measure as the page shows it.
pub(crate) struct Range {
    pub(crate) name: String,
    pub(crate) meaning: String,
    pub(crate) better: &'static str,
    pub(crate) value: String,
    pub(crate) ceiling: String,
    pub(crate) floor: String,
    /// Whether the ceiling is what perfection would be, because the raw table has none of its own.
    pub(crate) ceiling_is_perfection: bool,
    pub(crate) line: Option<Line>,
}

/// The line: places are percents of its width.
pub(crate) struct Line {
    pub(crate) floor_at: f64,
    pub(crate) ceiling_at: f64,
    pub(crate) value_at: f64,
    /// How much of the way from floor to ceiling, in words.
    pub(crate) kept: String,
}

impl Range {
    pub(crate) fn of(measure: &MeasureEntry) -> Self {
        let written = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
        let perfection = if measure.higher_is_better || measure.name == "cost ratio" {
            1.0
        } else {
            0.0
        };
        let ceiling = measure.ceiling.unwrap_or(perfection);
        Self {
            name: measure.name.clone(),
            meaning: measure.meaning.clone(),
            better: if measure.higher_is_better {
                "higher is better"
            } else {
                "lower is better"
            },
            value: written(measure.value),
            ceiling: number(ceiling),
            floor: written(measure.floor),
            ceiling_is_perfection: measure.ceiling.is_none(),
            line: Line::of(measure.value, measure.floor, ceiling),
        }
    }
}

impl Line {
    /// Better is always to the right, whichever way the measure counts.
    fn of(value: Option<f64>, floor: Option<f64>, ceiling: f64) -> Option<Self> {
        let (value, floor) = (value?, floor?);
        let way = ceiling - floor;
        if ![value, floor, ceiling].iter().all(|end| end.is_finite()) || way.abs() < NO_WAY {
            return None;
        }
        let kept = (value - floor) / way;
        let place = FLOOR_AT + kept * (CEILING_AT - FLOOR_AT);
        Some(Self {
            floor_at: FLOOR_AT,
            ceiling_at: CEILING_AT,
            value_at: (place.clamp(2.0, 98.0) * 10.0).round() / 10.0,
            kept: match kept {
                ..0.0 => "worse than the floor".to_owned(),
                1.0.. => "as good as the ceiling or better".to_owned(),
                _ => format!("{} of the way from floor to ceiling", percent(kept)),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(name: &str, higher: bool, [value, ceiling, floor]: [f64; 3]) -> MeasureEntry {
        MeasureEntry {
            name: name.to_owned(),
            meaning: String::new(),
            higher_is_better: higher,
            value: Some(value),
            ceiling: Some(ceiling),
            floor: Some(floor),
        }
    }

    #[test]
    fn better_is_to_the_right_whichever_way_a_measure_counts() {
        let higher = Range::of(&measure("F-measure", true, [0.8, 1.0, 0.4]));
        let lower = Range::of(&measure("moved", false, [0.2, 0.0, 0.6]));
        for range in [higher, lower] {
            let line = range.line.unwrap();
            assert_eq!(line.value_at, 62.7);
            assert_eq!(line.kept, "67 % of the way from floor to ceiling");
        }
    }

    #[test]
    fn values_outside_are_said_and_stay_on_the_line() {
        let below = Range::of(&measure("moved", false, [9.0, 0.0, 0.5]))
            .line
            .unwrap();
        assert_eq!(
            (below.value_at, below.kept.as_str()),
            (2.0, "worse than the floor")
        );
        let above = Range::of(&measure("F-measure", true, [0.95, 0.9, 0.2]))
            .line
            .unwrap();
        assert!(above.value_at > above.ceiling_at);
        assert_eq!(above.kept, "as good as the ceiling or better");
    }

    #[test]
    fn no_line_where_there_is_no_way_between_floor_and_ceiling() {
        assert!(
            Range::of(&measure("F-measure", true, [0.9, 0.9, 0.9]))
                .line
                .is_none()
        );
        let endless = measure("cost ratio", false, [f64::INFINITY, 1.0, 2.0]);
        let range = Range::of(&endless);
        assert!(range.line.is_none());
        assert_eq!(range.value, "endless");
    }

    #[test]
    fn without_a_ceiling_of_its_own_perfection_is_the_ceiling() {
        let near = MeasureEntry {
            ceiling: None,
            ..measure("F-near", true, [0.9, 0.0, 0.5])
        };
        let range = Range::of(&near);
        assert!(range.ceiling_is_perfection);
        assert_eq!(range.ceiling, "1.00");
    }
}
