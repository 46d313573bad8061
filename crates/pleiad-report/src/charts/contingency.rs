//! Where the rows of each raw cluster went.

use pleiad::evaluate::contingency::Contingency;
use plotly::HeatMap;
use plotly::common::{ColorScale, ColorScaleElement, Font};
use plotly::layout::{Annotation, AxisType};

use super::{Chart, axis, caption, downwards, layout, rounded};
use crate::words::{grouped, percent};

/// Clusters of the heat map, at most.
pub(crate) const MOST_CLUSTERS: usize = 24;

/// Room for the numbers below the map.
const AROUND: usize = 70;

/// Rows of raw clusters (down) in clusters of the release (across), as shares of the raw cluster.
pub(crate) fn contingency(counts: &Contingency, n_clusters: usize) -> Chart {
    let shown = n_clusters.min(MOST_CLUSTERS);
    let mut cells = vec![vec![0_u64; shown]; shown];
    let mut totals = vec![0_u64; shown];
    for cell in counts.cells() {
        let row = counts.row_labels()[cell.row] as usize;
        let column = counts.column_labels()[cell.column] as usize;
        if row < shown {
            totals[row] += cell.count;
            if column < shown {
                cells[row][column] += cell.count;
            }
        }
    }
    let share = |row: usize, column: usize| cells[row][column] as f64 / totals[row].max(1) as f64;
    let shares: Vec<Vec<f64>> = (0..shown)
        .map(|row| {
            (0..shown)
                .map(|column| rounded(share(row, column)))
                .collect()
        })
        .collect();
    let names: Vec<String> = (1..=shown).map(|number| number.to_string()).collect();
    let hover: Vec<Vec<String>> = (0..shown)
        .map(|row| {
            (0..shown)
                .map(|column| {
                    format!(
                        "{} of cluster {}’s {} rows<br>are in cluster {} of the release",
                        grouped(cells[row][column]),
                        row + 1,
                        grouped(totals[row]),
                        column + 1
                    )
                })
                .collect()
        })
        .collect();
    let in_cells = shown <= 12;
    let annotations = (0..shown)
        .flat_map(|row| (0..shown).map(move |column| (row, column)))
        .filter(|&(row, column)| in_cells && cells[row][column] > 0)
        .map(|(row, column)| {
            Annotation::new()
                .x(column as f64)
                .y(row as f64)
                .text(percent(share(row, column)).replace('<', "&lt;"))
                .show_arrow(false)
                .font(Font::new().size(12).color("var(--ink)"))
        })
        .collect();
    let scale = vec![
        ColorScaleElement(0.0, "var(--surface)".to_owned()),
        ColorScaleElement(1.0, "var(--heat)".to_owned()),
    ];
    let map = HeatMap::new(names.clone(), names, shares)
        .zmin(0.0)
        .zmax(1.0)
        .x_gap(2.0)
        .y_gap(2.0)
        .show_scale(false)
        .color_scale(ColorScale::Vector(scale))
        .text_matrix(hover)
        .hover_template("%{text}<extra></extra>");
    let layout = layout()
        .x_axis(
            axis()
                .type_(AxisType::Category)
                .title(caption("cluster of the release")),
        )
        .y_axis(downwards(shown).title(caption("raw cluster")))
        .annotations(annotations);
    let cell = if shown <= 12 { 44 } else { 22 };
    Chart::new(
        "contingency",
        "How many rows of each raw cluster are in each cluster of the release; the table below has the counts".to_owned(),
        (shown * cell + AROUND).max(180),
        vec![map],
        layout,
    )
}
