//! The charts as data, and the page without its scripts.

use super::markup::without_scripts;
use super::with_everything;
use crate::charts::{self, groups};
use crate::clusters::Clusters;
use crate::html;

#[test]
fn the_page_is_as_it_was() {
    with_everything(|material| {
        let page = without_scripts(&html(material));
        let (_, body) = page.split_once("</head>").unwrap();
        insta::assert_snapshot!("page", body);
    });
}

#[test]
fn the_charts_are_as_they_were() {
    with_everything(|material| {
        let clusters = Clusters::of(material.sides.as_ref().unwrap());
        let loss = material.loss.unwrap();
        let charts = [
            charts::before(&clusters.projection, 2),
            charts::after(&clusters.projection, 2),
            charts::contingency(&clusters.counts, 2),
            charts::loss(&loss.columns),
            charts::order_of_refinement(material.refinements),
            charts::group_sizes(&groups::ranges(&loss.class_sizes)),
        ];
        for chart in charts {
            insta::assert_json_snapshot!(chart.id, chart.data);
        }
    });
}

#[test]
fn clusters_that_match_have_one_number() {
    with_everything(|material| {
        let clusters = Clusters::of(material.sides.as_ref().unwrap());
        // Raw label 0 comes first of two equally large ones, and three of its four rows have label 1 in the release.
        assert_eq!(clusters.sizes, [[4, 5], [4, 3]]);
        let cells: Vec<(usize, usize, u64)> = clusters
            .counts
            .cells()
            .iter()
            .map(|cell| (cell.row, cell.column, cell.count))
            .collect();
        assert_eq!(cells, [(0, 0, 4), (1, 0, 1), (1, 1, 3)]);
    });
}
