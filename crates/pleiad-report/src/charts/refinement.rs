//! In which order columns were refined.

use pleiad::release::RefinementEntry;
use plotly::Scatter;
use plotly::common::{Line, Marker, Mode};

use super::{Chart, downwards, labels, layout, measuring_axis};
use crate::words::cut;

/// Steps and columns that are drawn, at most.
pub(crate) const MOST_STEPS: usize = 300;
const MOST_COLUMNS: usize = 24;

const LINE: usize = 30;
const AROUND: usize = 64;
const SMALLEST: f64 = 6.0;
const LARGEST: f64 = 22.0;

/// A line for each column, a mark for each step, as large as what it told about the clusters.
pub(crate) fn order_of_refinement(steps: &[RefinementEntry]) -> Chart {
    let mut columns: Vec<&str> = Vec::new();
    for step in steps {
        if columns.len() < MOST_COLUMNS && !columns.contains(&step.column.as_str()) {
            columns.push(&step.column);
        }
    }
    let drawn: Vec<(usize, usize, &RefinementEntry)> = steps
        .iter()
        .enumerate()
        .take(MOST_STEPS)
        .filter_map(|(number, step)| {
            let column = columns.iter().position(|name| *name == step.column)?;
            Some((number + 1, column, step))
        })
        .collect();
    let names = labels(columns.iter().copied());
    let largest = drawn
        .iter()
        .map(|(_, _, step)| step.gain)
        .fold(0.0, f64::max);
    let size = |step: &RefinementEntry| {
        let share = if largest > 0.0 {
            (step.gain / largest).max(0.0)
        } else {
            0.0
        };
        // Areas are compared, not diameters.
        (SMALLEST + (LARGEST - SMALLEST) * share.sqrt()).round() as usize
    };
    let words = |(number, _, step): &(usize, usize, &RefinementEntry)| {
        let escaped = |text: &str| cut(text, 60).replace('&', "&amp;").replace('<', "&lt;");
        let at = step
            .at
            .as_deref()
            .map_or_else(String::new, |at| format!(" at {}", escaped(at)));
        format!(
            "step {number}: {}{at}<br>{:.3} bits",
            escaped(&step.value),
            step.gain
        )
    };
    let marks = Scatter::new(
        drawn.iter().map(|(number, ..)| *number).collect(),
        drawn
            .iter()
            .map(|(_, column, _)| names[*column].clone())
            .collect(),
    )
    .mode(Mode::Markers)
    .text_array(drawn.iter().map(words).collect())
    .hover_template("%{y}<br>%{text}<extra></extra>")
    .marker(
        Marker::new()
            .size_array(drawn.iter().map(|(_, _, step)| size(step)).collect())
            .color("var(--mark)")
            .opacity(0.85)
            .line(Line::new().width(1.0).color("var(--surface)")),
    );
    let layout = layout().x_axis(measuring_axis("step")).y_axis(
        downwards(names.len())
            .show_grid(true)
            .grid_color("var(--rule)"),
    );
    Chart::new(
        "refinement",
        "In which order the columns were refined; larger marks told more about the clusters; the table below has the steps"
            .to_owned(),
        names.len() * LINE + AROUND,
        vec![marks],
        layout,
    )
}
