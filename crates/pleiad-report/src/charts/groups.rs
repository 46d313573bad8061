//! How large the groups are.

use pleiad::evaluate::ClassSize;
use plotly::Bar;
use plotly::common::Marker;
use plotly::layout::AxisType;

use super::{Chart, axis, caption, layout, measuring_axis};
use crate::words::grouped;

const HEIGHT: usize = 260;

/// Bars, at most: sizes are gathered in steps that double.
const MOST_SIZES: usize = 12;

/// A range of sizes and what is in it.
pub(crate) struct SizeRange {
    pub(crate) name: String,
    pub(crate) groups: u64,
    pub(crate) people: u64,
}

/// Sizes gathered in ranges: the first begins with the smallest size, each is twice as wide as the one before, and the
/// last has the rest.
pub(crate) fn ranges(sizes: &[ClassSize]) -> Vec<SizeRange> {
    let Some(smallest) = sizes.iter().map(|class| class.size).min() else {
        return Vec::new();
    };
    let largest = sizes
        .iter()
        .map(|class| class.size)
        .max()
        .unwrap_or(smallest);
    let mut ranges = Vec::new();
    let mut low = smallest;
    while low <= largest {
        let is_last = ranges.len() + 1 == MOST_SIZES;
        let high = if is_last {
            largest
        } else {
            (low.max(1) * 2 - 1).min(largest)
        };
        let of_range = || {
            sizes
                .iter()
                .filter(|class| (low..=high).contains(&class.size))
        };
        let name = if low == high {
            grouped(low)
        } else {
            format!("{}–{}", grouped(low), grouped(high))
        };
        ranges.push(SizeRange {
            name,
            groups: of_range().map(|class| class.groups).sum(),
            people: of_range().map(|class| class.groups * class.size).sum(),
        });
        low = high + 1;
    }
    ranges
}

/// How many people are in groups of which size.
pub(crate) fn group_sizes(ranges: &[SizeRange]) -> Chart {
    let names = ranges.iter().map(|range| range.name.clone()).collect();
    let people = ranges.iter().map(|range| range.people).collect();
    let bars = Bar::new(names, people)
        .marker(Marker::new().color("var(--mark)"))
        .hover_template("in groups of %{x}: %{y:,}<extra></extra>");
    let layout = layout()
        .bar_gap(0.25)
        .x_axis(
            axis()
                .type_(AxisType::Category)
                .title(caption("size of the group")),
        )
        .y_axis(measuring_axis("people"));
    Chart::new(
        "group-sizes",
        "How many people are in groups of which size; the table below has the numbers".to_owned(),
        HEIGHT,
        vec![bars],
        layout,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_double_and_keep_everybody() {
        let sizes: Vec<ClassSize> = [(5, 3), (6, 1), (9, 2), (10, 4), (700, 1)]
            .map(|(size, groups)| ClassSize { size, groups })
            .to_vec();
        let ranges = ranges(&sizes);
        let first: Vec<(&str, u64, u64)> = ranges[..2]
            .iter()
            .map(|range| (range.name.as_str(), range.groups, range.people))
            .collect();
        assert_eq!(first, [("5–9", 6, 39), ("10–19", 4, 40)]);
        assert_eq!(ranges.iter().map(|range| range.people).sum::<u64>(), 779);
        assert_eq!(ranges.last().unwrap().people, 700);
    }

    #[test]
    fn however_large_the_largest_group_there_are_few_ranges() {
        let sizes = [2, u64::from(u32::MAX)].map(|size| ClassSize { size, groups: 1 });
        let ranges = ranges(&sizes);
        assert_eq!(ranges.len(), MOST_SIZES);
        assert_eq!(ranges.last().unwrap().groups, 1);
        assert!(super::ranges(&[]).is_empty());
    }
}
