//! The colours of the page, light and dark, and the marks of clusters.
//!
//! Text has a contrast of at least 4.5 to what it stands on, marks of at least 3. The seven colours of clusters (as many
//! as the eye counts in the Pleiades) stay apart for people who see red and green, or blue and yellow, alike; every
//! cluster has a shape and a number besides.

use std::fmt::Write as _;

/// The colours of one theme, by name.
pub(crate) struct Theme {
    /// What everything stands on.
    pub(crate) paper: &'static str,
    /// What cards and charts stand on.
    pub(crate) surface: &'static str,
    /// Text.
    pub(crate) ink: &'static str,
    /// Text beside the text.
    pub(crate) muted: &'static str,
    /// Links and what can be pressed.
    pub(crate) accent: &'static str,
    /// The fullest cell of a heat map; text stands on it.
    pub(crate) heat: &'static str,
    /// Marks without a cluster: bars.
    pub(crate) mark: &'static str,
    /// Lines that separate and carry no meaning.
    pub(crate) rule: &'static str,
    /// Clusters.
    pub(crate) clusters: [&'static str; 7],
}

pub(crate) const LIGHT: Theme = Theme {
    paper: "#fbfaf7",
    surface: "#ffffff",
    ink: "#1b1f2a",
    muted: "#565d70",
    accent: "#3447b0",
    heat: "#9bb4ee",
    mark: "#5a74c4",
    rule: "#dedbd2",
    clusters: [
        "#256690", "#cf6a12", "#0f955a", "#7e4db9", "#a0204c", "#22305c", "#7f712e",
    ],
};

pub(crate) const DARK: Theme = Theme {
    paper: "#0e1220",
    surface: "#161b2c",
    ink: "#e8eaf2",
    muted: "#a4abc0",
    accent: "#9db2ff",
    heat: "#34498f",
    mark: "#8096e8",
    rule: "#2c3349",
    clusters: [
        "#7285ff", "#f2a575", "#3fb59a", "#c78be8", "#ff6f91", "#e9edf8", "#d9c65c",
    ],
};

/// Shapes that differ at a glance: names of the chart library, and the same as a path in a square from −1 to 1.
const SHAPES: [(&str, &str); 6] = [
    ("circle", "M-.9 0a.9.9 0 1 0 1.8 0a.9.9 0 1 0-1.8 0"),
    ("square", "M-.8-.8h1.6v1.6h-1.6z"),
    ("diamond", "M0-1L1 0L0 1L-1 0z"),
    ("triangle-up", "M0-.9L1 .8H-1z"),
    (
        "cross",
        "M-.35-1h.7v.65h.65v.7h-.65v.65h-.7v-.65h-.65v-.7h.65z",
    ),
    ("triangle-down", "M0 .9L1-.8H-1z"),
];

/// The name under which the page knows the colour of a cluster.
pub(crate) fn cluster_colour(cluster: usize) -> String {
    format!("var(--cluster-{})", cluster % LIGHT.clusters.len())
}

/// The shape of a cluster, as the chart library names it. Colours and shapes are of different number, so that 42 clusters
/// are told apart by the pair.
pub(crate) fn cluster_shape(cluster: usize) -> &'static str {
    SHAPES[cluster % SHAPES.len()].0
}

/// The shape of a cluster as a path in a square from −1 to 1.
pub(crate) fn cluster_path(cluster: usize) -> &'static str {
    SHAPES[cluster % SHAPES.len()].1
}

impl Theme {
    /// The theme as CSS.
    pub(crate) fn css(&self) -> String {
        let mut css = String::new();
        let named = [
            ("paper", self.paper),
            ("surface", self.surface),
            ("ink", self.ink),
            ("muted", self.muted),
            ("accent", self.accent),
            ("heat", self.heat),
            ("mark", self.mark),
            ("rule", self.rule),
        ];
        for (name, colour) in named {
            let _ = write!(css, "--{name}:{colour};");
        }
        for (number, colour) in self.clusters.iter().enumerate() {
            let _ = write!(css, "--cluster-{number}:{colour};");
        }
        css
    }
}
