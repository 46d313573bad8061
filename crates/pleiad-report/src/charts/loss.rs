//! What each column lost.

use pleiad::evaluate::ColumnLoss;
use plotly::Bar;
use plotly::common::{Marker, Orientation};
use plotly::layout::AxisRange;

use super::{Chart, downwards, labels, layout, measuring_axis, rounded};

const BAR: usize = 26;
const AROUND: usize = 60;

/// The certainty that is left of each column: 1 − NCP.
pub(crate) fn loss(columns: &[ColumnLoss]) -> Chart {
    let names = labels(columns.iter().map(|column| column.column.as_str()));
    let lost: Vec<f64> = columns.iter().map(|column| rounded(column.ncp)).collect();
    let bars = Bar::new(lost, names)
        .orientation(Orientation::Horizontal)
        .marker(Marker::new().color("var(--mark)"))
        .hover_template("%{y}: %{x:.2f} lost<extra></extra>");
    let layout = layout()
        .bar_gap(0.4)
        .x_axis(measuring_axis("share of certainty lost").range(AxisRange::from(vec![0.0, 1.0])))
        .y_axis(downwards(columns.len()));
    Chart::new(
        "loss",
        "The share of certainty that each column lost, 0 nothing, 1 everything; the table below has the numbers".to_owned(),
        columns.len() * BAR + AROUND,
        vec![bars],
        layout,
    )
}
