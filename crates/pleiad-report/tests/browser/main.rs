//! The report in a real browser: it opens from a disk without a network, draws its charts, and answers.
//!
//! `cargo xtask check` runs this test, with Chromium and its driver.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod driver;

use std::fs;
use std::path::{Path, PathBuf};

use pleiad::Silent;
use pleiad::generate::Hospital;
use pleiad::release::{REPORT_FILE, ReleaseOptions, release_with_report};
use pleiad::spec::Spec;
use pleiad::table::Format;
use pleiad_report::report_of_release;
use serde_json::{Value, json};

use driver::Browser;

const ROWS: u64 = 700;

/// The report of a hospital's release, alone in a folder.
fn report(folder: &Path) -> PathBuf {
    let hospital = folder.join("hospital");
    Hospital::new(ROWS, 3).write_folder(&hospital).unwrap();
    let spec = Spec::read(&hospital.join(Hospital::SPEC_FILE)).unwrap();
    let options = ReleaseOptions {
        folder: folder.join("out"),
        format: Format::Csv,
    };
    let released = release_with_report(
        &spec,
        &options,
        &|evidence| Ok(report_of_release("out", evidence)),
        &Silent,
    )
    .unwrap();
    let report = folder.join(REPORT_FILE);
    fs::rename(released.owner_folder.join(REPORT_FILE), &report).unwrap();
    report
}

/// The opacity of the marks of every cluster in a chart, the linked marks left out.
const OPACITIES: &str = "
    return document.querySelector(`[data-chart=${arguments[0]}]`).data
        .filter((trace) => trace.name !== 'linked')
        .map((trace) => trace.marker.opacity);";

fn opacities(browser: &Browser, chart: &str) -> Vec<f64> {
    let found = browser.run(OPACITIES, &json!([chart]));
    let all = found.as_array().unwrap().iter();
    all.map(|opacity| opacity.as_f64().unwrap()).collect()
}

fn assert_highlighted(browser: &Browser, cluster: usize) {
    for chart in ["projection-before", "projection-after"] {
        for (number, opacity) in opacities(browser, chart).into_iter().enumerate() {
            assert_eq!(
                opacity > 0.5,
                number == cluster,
                "{chart}, cluster {number}"
            );
        }
    }
    let selected = browser.run(
        "return [...document.querySelectorAll('.card.is-selected')].map((card) => card.dataset.cluster);",
        &json!([]),
    );
    assert_eq!(selected, json!([cluster.to_string()]));
}

fn assert_nothing_is_highlighted(browser: &Browser) {
    for chart in ["projection-before", "projection-after"] {
        assert!(
            opacities(browser, chart)
                .iter()
                .all(|&opacity| opacity > 0.5)
        );
    }
}

#[test]
#[ignore = "needs Chromium"]
fn the_report_opens_draws_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let report = report(folder.path());
    let browser = Browser::start(folder.path());
    browser.open(&report);
    let clusters = Hospital::CLUSTERS;

    // Every chart is drawn, with a mark for each row.
    let charts = browser.run(
        "return document.querySelectorAll('.chart').length",
        &json!([]),
    );
    let drawn = browser.run("return document.documentElement.dataset.drawn", &json!([]));
    assert_eq!(drawn, json!(charts.to_string()));
    assert!(charts.as_u64().unwrap() >= 4);
    for chart in ["projection-before", "projection-after"] {
        let count =
            format!("return document.querySelectorAll('[data-chart={chart}] path.point').length");
        assert_eq!(browser.run(&count, &json!([])), json!(ROWS), "{chart}");
    }
    let cells = browser.run(
        "return document.querySelector('[data-chart=contingency]').data[0].z.length",
        &json!([]),
    );
    assert_eq!(cells, json!(clusters));

    // A chip highlights its cluster in both projections and among the portraits, and lets go again.
    assert_nothing_is_highlighted(&browser);
    browser.click(".chip[data-cluster='2']");
    assert_highlighted(&browser, 2);
    browser.click(".chip[data-cluster='2']");
    assert_nothing_is_highlighted(&browser);

    // So does a mark, wherever it is clicked.
    let cluster = browser.click_a_mark("projection-after");
    assert_highlighted(&browser, cluster);
    browser.press_escape();
    assert_nothing_is_highlighted(&browser);

    // Whoever lies in one place of the release is ringed on both sides.
    browser.point_at_a_mark("projection-after");
    let ringed = |chart: &str| {
        let count =
            format!("return document.querySelector('[data-chart={chart}]').data.at(-1).x.length");
        browser.run(&count, &json!([])).as_u64().unwrap()
    };
    assert!(ringed("projection-before") >= 1);
    assert_eq!(ringed("projection-before"), ringed("projection-after"));

    // The theme changes, and the charts with it.
    let ink = "return [getComputedStyle(document.body).color,
        document.querySelector('[data-chart=contingency]').layout.font.color]";
    let light = browser.run(ink, &json!([]));
    browser.click("#theme");
    let dark = browser.run(ink, &json!([]));
    assert_ne!(light[0], dark[0]);
    assert_ne!(light[1], dark[1]);
    assert_eq!(
        browser.run(
            "return document.querySelector('#theme').ariaPressed",
            &json!([])
        ),
        json!("true")
    );
    browser.click("#theme");
    assert_eq!(browser.run(ink, &json!([])), light);

    // Nothing is wider than a phone.
    browser.resize(375, 800);
    let overhang =
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.run(overhang, &json!([])), json!(0));

    // Nothing was fetched but the file itself, and nobody complained.
    let fetched = browser.run(
        "return performance.getEntriesByType('resource').length",
        &json!([]),
    );
    assert_eq!(fetched, json!(0));
    assert_eq!(browser.log(), Vec::<Value>::new());
}

#[test]
#[ignore = "needs Chromium"]
fn the_report_is_printed_on_few_pages_with_its_charts() {
    let folder = tempfile::tempdir().unwrap();
    let report = report(folder.path());
    let browser = Browser::start(folder.path());
    browser.open(&report);
    let width = "
        window.dispatchEvent(new Event('beforeprint'));
        const widths = [...document.querySelectorAll('.chart .main-svg')].map((chart) => chart.getBoundingClientRect().width);
        window.dispatchEvent(new Event('afterprint'));
        return Math.max(...widths);";
    // A4 between its margins is 182 mm wide: 688 pixels of CSS.
    let widest = browser.run(width, &json!([]));
    assert!(widest.as_f64().unwrap() <= 688.0, "{widest}");
    let pages = browser.print();
    assert!((2..=14).contains(&pages), "{pages} pages");
    assert_eq!(browser.log(), Vec::<Value>::new());
}
