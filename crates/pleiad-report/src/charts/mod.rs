//! The charts, as data: JSON that the page draws.
//!
//! Colours are names, `var(--ink)`, which the page replaces by those of its theme, so that a chart is the same data in
//! light, dark and print. Texts are escaped for the chart library, which reads a few HTML elements in them.

mod contingency;
pub(crate) mod groups;
mod loss;
mod projection;
mod refinement;

use plotly::common::{Font, Label, Title};
use plotly::layout::{Axis, AxisRange, AxisType, DragMode, HoverMode, Margin};
use plotly::{Layout, Plot, Trace};
use serde_json::Value;

pub(crate) use contingency::{MOST_CLUSTERS, contingency};
pub(crate) use groups::group_sizes;
pub(crate) use loss::loss;
pub(crate) use projection::{after, before};
pub(crate) use refinement::{MOST_STEPS, order_of_refinement};

use crate::words::cut;

/// Text of a chart is as large as this.
const FONT_SIZE: usize = 13;

/// Longest label on an axis.
const LONGEST_LABEL: usize = 22;

/// A chart of the page.
pub(crate) struct Chart {
    /// Its name, which is its place in the page.
    pub(crate) id: &'static str,
    /// What it shows, for those who do not see it.
    pub(crate) label: String,
    /// Its data and layout.
    pub(crate) data: Value,
    /// Its height in pixels.
    pub(crate) height: usize,
}

impl Chart {
    fn new(
        id: &'static str,
        label: String,
        height: usize,
        traces: Vec<Box<dyn Trace>>,
        layout: Layout,
    ) -> Self {
        let mut plot = Plot::new();
        plot.add_traces(traces);
        plot.set_layout(layout.height(height));
        let mut data: Value = serde_json::from_str(&plot.to_json()).expect("a chart is JSON");
        // How a chart answers to the mouse is the page's business.
        if let Some(chart) = data.as_object_mut() {
            chart.retain(|key, _| key == "data" || key == "layout");
        }
        Self {
            id,
            label,
            data,
            height,
        }
    }

    /// The chart as the content of a script element: no `<` can end it.
    pub(crate) fn json(&self) -> String {
        self.data
            .to_string()
            .replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('&', "\\u0026")
    }
}

/// The look that all charts share.
fn layout() -> Layout {
    Layout::new()
        .auto_size(true)
        .show_legend(false)
        .hover_mode(HoverMode::Closest)
        .drag_mode(DragMode::False)
        .paper_background_color("rgba(0,0,0,0)")
        .plot_background_color("rgba(0,0,0,0)")
        .font(
            Font::new()
                .family("system-ui, sans-serif")
                .size(FONT_SIZE)
                .color("var(--ink)"),
        )
        .hover_label(
            Label::new()
                .background_color("var(--surface)")
                .border_color("var(--rule)")
                .font(Font::new().size(FONT_SIZE).color("var(--ink)")),
        )
        .margin(
            Margin::new()
                .left(8)
                .right(8)
                .top(8)
                .bottom(8)
                .auto_expand(true),
        )
}

/// An axis without anything that nobody reads.
fn axis() -> Axis {
    Axis::new()
        .fixed_range(true)
        .show_grid(false)
        .zero_line(false)
        .auto_margin(true)
        .tick_font(Font::new().size(FONT_SIZE).color("var(--muted)"))
}

/// An axis to read values from.
fn measuring_axis(title: &str) -> Axis {
    axis()
        .show_grid(true)
        .grid_color("var(--rule)")
        .title(caption(title))
}

/// What an axis is about.
fn caption(text: &str) -> Title {
    Title::with_text(text).font(Font::new().size(FONT_SIZE).color("var(--muted)"))
}

/// An axis of `n` names, the first on top.
fn downwards(n: usize) -> Axis {
    axis()
        .type_(AxisType::Category)
        .range(AxisRange::from(vec![n as f64 - 0.5, -0.5]))
        .tick_suffix("  ")
}

/// A name as the chart library writes it, which reads `<b>` as bold and `&lt;` as a less-than sign.
fn text(name: &str) -> String {
    cut(name, LONGEST_LABEL)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Names for an axis: two columns whose names are cut alike must stay two.
fn labels<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for name in names {
        let mut label = text(name);
        let mut number = 2;
        while labels.contains(&label) {
            label = format!("{} ({number})", text(name));
            number += 1;
        }
        labels.push(label);
    }
    labels
}

/// Three digits after the point: less than a pixel, and the same text on every machine.
fn rounded(value: f64) -> f64 {
    let rounded = (value * 1000.0).round() / 1000.0;
    // There is no negative nothing.
    if rounded == 0.0 { 0.0 } else { rounded }
}
