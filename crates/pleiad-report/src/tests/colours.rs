//! Contrast by WCAG 2.1, and colours for people who see fewer.

use crate::palette::{DARK, LIGHT, Theme, cluster_colour, cluster_shape};

/// Linear red, green and blue.
fn linear(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    })
}

fn luminance(colour: &str) -> f64 {
    let [red, green, blue] = linear(colour);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// The contrast ratio of WCAG.
fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn contrast_is_what_wcag_says() {
    assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
    // The best known grey that just passes on white.
    let grey = contrast("#767676", "#ffffff");
    assert!((4.54..4.55).contains(&grey), "{grey}");
}

fn both(check: impl Fn(&Theme)) {
    check(&LIGHT);
    check(&DARK);
}

#[test]
fn text_can_be_read_on_everything_it_stands_on() {
    both(|theme| {
        for text in [theme.ink, theme.muted, theme.accent] {
            for ground in [theme.paper, theme.surface] {
                let contrast = contrast(text, ground);
                assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2}");
            }
        }
        assert!(contrast(theme.ink, theme.heat) >= 4.5);
        // A pressed button has the colours of text exchanged.
        assert!(contrast(theme.paper, theme.ink) >= 4.5);
    });
    // Paper is white in print, whatever the theme says.
    for text in [LIGHT.ink, LIGHT.muted, LIGHT.accent] {
        assert!(contrast(text, "#ffffff") >= 4.5);
    }
}

#[test]
fn marks_can_be_seen() {
    both(|theme| {
        for mark in theme.clusters.iter().chain([&theme.mark]) {
            for ground in [theme.paper, theme.surface] {
                let contrast = contrast(mark, ground);
                assert!(contrast >= 3.0, "{mark} on {ground}: {contrast:.2}");
            }
        }
    });
}

/// How colours look to people without one kind of cone: Machado, Oliveira and Fernandes (2009), severity 1.
const VISION: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

/// CIE L*a*b* of a colour as somebody sees it.
fn seen(colour: &str, vision: &[[f64; 3]; 3]) -> [f64; 3] {
    let own = linear(colour);
    let [red, green, blue] = [0, 1, 2].map(|line| {
        let mixed: f64 = (0..3).map(|at| vision[line][at] * own[at]).sum();
        mixed.clamp(0.0, 1.0)
    });
    let bent = |value: f64| {
        if value > 0.008_856 {
            value.cbrt()
        } else {
            7.787 * value + 16.0 / 116.0
        }
    };
    let x = bent((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.950_47);
    let y = bent(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    let z = bent((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.088_83);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[test]
fn clusters_stay_apart_whatever_colours_one_sees() {
    both(|theme| {
        for vision in &VISION {
            for (at, a) in theme.clusters.iter().enumerate() {
                for b in &theme.clusters[..at] {
                    let (first, second) = (seen(a, vision), seen(b, vision));
                    let distance: f64 = (0..3)
                        .map(|axis| (first[axis] - second[axis]).powi(2))
                        .sum::<f64>()
                        .sqrt();
                    // A difference of 10 is seen at a glance; shapes come on top.
                    assert!(distance > 10.0, "{a} and {b}: {distance:.1}");
                }
            }
        }
    });
}

#[test]
fn colour_and_shape_together_name_forty_two_clusters() {
    let marks: std::collections::BTreeSet<(String, &str)> = (0..42)
        .map(|cluster| (cluster_colour(cluster), cluster_shape(cluster)))
        .collect();
    assert_eq!(marks.len(), 42);
}
