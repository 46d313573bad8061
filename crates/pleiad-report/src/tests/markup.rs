//! The page as markup: what a browser, a screen reader and a firewall find in it.

use super::{bare, with_everything};
use crate::html;

/// The start tags of a page with their attributes, scripts left out.
fn tags(page: &str) -> Vec<&str> {
    page.split('<')
        .skip(1)
        .filter(|tag| tag.starts_with(|letter: char| letter.is_ascii_lowercase()))
        .map(|tag| tag.split_once('>').unwrap().0)
        .collect()
}

/// A page without the contents of its scripts.
pub(super) fn without_scripts(page: &str) -> String {
    let mut rest = page;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("<script") {
        kept.push_str(before);
        let (attributes, after) = after.split_once('>').unwrap();
        let (_, after) = after.split_once("</script>").unwrap();
        kept.push_str("<script");
        kept.push_str(attributes);
        kept.push_str("></script>");
        rest = after;
    }
    kept + rest
}

fn with_every_page(check: impl Fn(&str)) {
    with_everything(|material| check(&html(material)));
    check(&html(&bare()));
}

#[test]
fn headings_go_down_one_step_at_a_time() {
    with_every_page(|page| {
        let page = without_scripts(page);
        let levels: Vec<u32> = tags(&page)
            .into_iter()
            .filter_map(|tag| {
                let level = tag.strip_prefix('h')?.chars().next()?.to_digit(10)?;
                Some(level)
            })
            .collect();
        assert_eq!(levels[0], 1);
        assert_eq!(levels.iter().filter(|&&level| level == 1).count(), 1);
        assert!(
            levels.windows(2).all(|pair| pair[1] <= pair[0] + 1),
            "{levels:?}"
        );
    });
}

#[test]
fn tables_have_headers_and_charts_have_words() {
    with_everything(|material| {
        let page = without_scripts(&html(material));
        let tags = tags(&page);
        assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
        let headers: Vec<&&str> = tags
            .iter()
            .filter(|tag| tag.starts_with("th ") || **tag == "th")
            .collect();
        assert!(headers.len() > 30);
        assert!(
            headers.iter().all(|tag| tag.contains("scope=\"")),
            "{headers:?}"
        );
        let charts: Vec<&&str> = tags
            .iter()
            .filter(|tag| tag.contains("data-chart="))
            .collect();
        assert_eq!(charts.len(), 6);
        for chart in charts {
            assert!(
                chart.contains("role=\"img\"") && chart.contains("aria-label=\""),
                "{chart}"
            );
        }
        // Drawings that say nothing by themselves are not read out.
        for tag in tags.iter().filter(|tag| tag.starts_with("svg")) {
            assert!(
                tag.contains("aria-hidden=\"true\"") || tag.contains("aria-label=\""),
                "{tag}"
            );
        }
        let buttons = tags.iter().filter(|tag| tag.starts_with("button"));
        assert!(buttons.clone().count() >= 5);
        assert!(
            buttons
                .into_iter()
                .all(|tag| tag.contains("type=\"button\""))
        );
    });
}

#[test]
fn every_link_leads_somewhere_on_the_page() {
    with_every_page(|page| {
        let page = without_scripts(page);
        for tag in tags(&page) {
            let Some((_, after)) = tag.split_once("href=\"") else {
                continue;
            };
            let target = after.split_once('"').unwrap().0;
            let id = target.strip_prefix('#').unwrap();
            assert!(page.contains(&format!("id=\"{id}\"")), "{target}");
        }
    });
}

#[test]
fn nothing_is_fetched_and_no_other_script_runs() {
    with_every_page(|page| {
        let (_, policy) = page
            .split_once("http-equiv=\"Content-Security-Policy\" content=\"")
            .unwrap();
        let policy = policy.split_once('"').unwrap().0;
        assert!(
            policy.starts_with("default-src &#39;none&#39;; script-src &#39;sha256-"),
            "{policy}"
        );
        assert!(!policy.contains("http"));
        assert_eq!(policy.matches("sha256-").count(), 2);
        let bare = without_scripts(page);
        assert!(!bare.contains("src="), "nothing is loaded");
        assert!(!bare.contains("@import") && !bare.contains("url("));
        assert_eq!(
            page.matches("plotly.js v").count(),
            1,
            "the chart library is there once"
        );
        assert!(!page.contains("MathJax-Element"), "formulas are not needed");
    });
}

#[test]
fn what_is_absent_is_not_spoken_of() {
    let page = without_scripts(&html(&bare()));
    for id in [
        "guarantee",
        "clusters",
        "measures",
        "loss",
        "groups",
        "risk",
        "account",
        "kept",
        "signature",
    ] {
        assert!(!page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    assert!(page.contains("Clusters were not compared"));
}
