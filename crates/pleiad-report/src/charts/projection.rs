//! Rows in the plane in which the raw ones differ most, before and after.

use plotly::common::{Anchor, Font, HoverInfo, Line, Marker, MarkerSymbol, Mode};
use plotly::layout::{Annotation, AxisRange};
use plotly::{Scatter, Trace};

use super::{Chart, axis, layout, rounded};
use crate::clusters::{Dot, Projection};
use crate::palette::{cluster_colour, cluster_shape};
use crate::words::{grouped, percent};

const HEIGHT: usize = 420;

/// Clusters with marks of their own; colours and shapes tell no more apart.
const MOST_CLUSTERS: usize = 42;

/// The raw rows.
pub(crate) fn before(projection: &Projection, n_clusters: usize) -> Chart {
    let label = format!(
        "Raw rows in the plane in which they differ most, one mark for each of {} rows; the table below has the middle of \
         each cluster",
        grouped(projection.before.len() as u64)
    );
    chart(
        "projection-before",
        label,
        projection,
        &projection.before,
        n_clusters,
    )
}

/// The rows of the release, in the same plane.
pub(crate) fn after(projection: &Projection, n_clusters: usize) -> Chart {
    let label = format!(
        "Rows of the release in the same plane, one mark for each of {} rows; the table below has the middle of each \
         cluster",
        grouped(projection.after.len() as u64)
    );
    chart(
        "projection-after",
        label,
        projection,
        &projection.after,
        n_clusters,
    )
}

fn chart(
    id: &'static str,
    label: String,
    projection: &Projection,
    dots: &[Dot],
    n_clusters: usize,
) -> Chart {
    let shown = n_clusters.min(MOST_CLUSTERS);
    let mut traces: Vec<Box<dyn Trace>> = (0..shown)
        .map(|cluster| -> Box<dyn Trace> {
            let marker = Marker::new()
                .symbol(symbol(cluster))
                .color(cluster_colour(cluster));
            let name = format!("Cluster {}", cluster + 1);
            marks(dots, name, marker, &|own| own == cluster)
        })
        .collect();
    if n_clusters > shown {
        let marker = Marker::new()
            .symbol(MarkerSymbol::Circle)
            .color("var(--muted)");
        let name = "Another cluster".to_owned();
        traces.push(marks(dots, name, marker, &|own| own >= shown));
    }
    // What the other chart's pointer is on, put there by the page.
    traces.push(
        Scatter::new(Vec::<f64>::new(), Vec::<f64>::new())
            .name("linked")
            .mode(Mode::Markers)
            .hover_info(HoverInfo::Skip)
            .marker(
                Marker::new()
                    .size(14)
                    .symbol(MarkerSymbol::CircleOpen)
                    .color("var(--ink)")
                    .line(Line::new().width(2.0).color("var(--ink)")),
            ),
    );
    let everything = || projection.before.iter().chain(&projection.after);
    let range = |axis: usize| {
        let least = everything()
            .map(|dot| dot.at[axis])
            .fold(f64::MAX, f64::min);
        let most = everything()
            .map(|dot| dot.at[axis])
            .fold(f64::MIN, f64::max);
        let room = ((most - least) * 0.06).max(0.01);
        AxisRange::from(vec![rounded(least - room), rounded(most + room)])
    };
    // Both charts have one scale, or what moved could not be seen.
    let along = |number: usize| {
        axis()
            .range(range(number))
            .show_tick_labels(false)
            .auto_margin(false)
            .show_line(true)
            .mirror(true)
            .line_color("var(--rule)")
    };
    let caption = |number: usize| format!("{} of the spread", percent(projection.shares[number]));
    let small = || Font::new().size(12).color("var(--muted)");
    let captions = vec![
        Annotation::new()
            .text(format!("→ {}", caption(0)))
            .x_ref("paper")
            .y_ref("paper")
            .x(1.0)
            .y(0.0)
            .x_anchor(Anchor::Right)
            .y_anchor(Anchor::Bottom)
            .show_arrow(false)
            .font(small()),
        Annotation::new()
            .text(format!("↑ {}", caption(1)))
            .x_ref("paper")
            .y_ref("paper")
            .x(0.0)
            .y(1.0)
            .x_anchor(Anchor::Left)
            .y_anchor(Anchor::Top)
            .show_arrow(false)
            .font(small()),
    ];
    let layout = layout()
        .x_axis(along(0))
        .y_axis(along(1))
        .annotations(captions);
    Chart::new(id, label, HEIGHT, traces, layout)
}

/// The rows of some clusters.
fn marks(
    dots: &[Dot],
    name: String,
    marker: Marker,
    is_meant: &dyn Fn(usize) -> bool,
) -> Box<Scatter<f64, f64>> {
    let own: Vec<(usize, &Dot)> = dots
        .iter()
        .enumerate()
        .filter(|(_, dot)| is_meant(dot.cluster as usize))
        .collect();
    let along = |axis: usize| own.iter().map(|(_, dot)| rounded(dot.at[axis])).collect();
    Scatter::new(along(0), along(1))
        .name(name)
        .mode(Mode::Markers)
        .custom_data(own.iter().map(|(number, _)| *number).collect())
        .hover_template("%{fullData.name}<extra></extra>")
        .marker(
            marker
                .size(7)
                .opacity(0.78)
                .line(Line::new().width(0.6).color("var(--surface)")),
        )
}

fn symbol(cluster: usize) -> MarkerSymbol {
    match cluster_shape(cluster) {
        "square" => MarkerSymbol::Square,
        "diamond" => MarkerSymbol::Diamond,
        "triangle-up" => MarkerSymbol::TriangleUp,
        "cross" => MarkerSymbol::Cross,
        "triangle-down" => MarkerSymbol::TriangleDown,
        _ => MarkerSymbol::Circle,
    }
}
