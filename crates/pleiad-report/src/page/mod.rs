//! The page: everything in the order in which it is read.

mod clusters;
mod loss;
mod method;
mod opening;
mod promises;

use askama::Template;

use self::clusters::ClustersView;
use self::loss::{GroupsView, LossView, RiskView};
use self::method::{AccountView, KeptView, RefinementView};
use self::opening::{Figure, Verdict, facts, figures, verdict};
use self::promises::{KeptPromise, bounded, kept_promise};
use crate::clusters::Clusters;
use crate::material::{Material, Promise};
use crate::palette::{DARK, LIGHT};
use crate::ranges::Range;
use crate::script;
use crate::words::{cut, grouped};

/// Rows of a table, at most.
const MOST_LINES: usize = 60;

/// Sentences, parameters and promises, at most.
const MOST_SENTENCES: usize = 40;

/// The longest name of a column or text of a value in a table, and the longest sentence.
const LONGEST_NAME: usize = 60;
const LONGEST_SENTENCE: usize = 1200;

/// The report as one HTML file.
pub fn html(material: &Material<'_>) -> String {
    let page = Page::of(material);
    page.render().expect("writing to memory does not fail")
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page {
    policy: String,
    light: String,
    dark: String,
    style: &'static str,
    chart_library: String,
    script: &'static str,
    subject: String,
    made_by: String,
    facts: Vec<Fact>,
    verdict: Option<Verdict>,
    figures: Vec<Figure>,
    promise: Option<Promise>,
    promises: Listing<KeptPromise>,
    clusters: Option<ClustersView>,
    measures: Vec<Range>,
    optima: Option<String>,
    loss: Option<LossView>,
    refinements: Option<RefinementView>,
    groups: Option<GroupsView>,
    risk: Option<RiskView>,
    account: Option<AccountView>,
    kept: Option<KeptView>,
}

struct Fact {
    name: &'static str,
    value: String,
}

/// Lines of a table, and how many were left out.
struct Listing<T> {
    shown: Vec<T>,
    left_out: usize,
}

impl<T> Listing<T> {
    fn of<S>(all: &[S], most: usize, view: impl Fn(usize, &S) -> T) -> Self {
        let shown = all.iter().take(most).enumerate();
        Self {
            shown: shown.map(|(number, line)| view(number, line)).collect(),
            left_out: all.len().saturating_sub(most),
        }
    }
}

impl Page {
    fn of(material: &Material<'_>) -> Self {
        let chart_library = script::chart_library();
        Self {
            policy: script::content_security_policy(&[&chart_library, script::OWN]),
            light: LIGHT.css(),
            dark: DARK.css(),
            style: include_str!("../../assets/report.css"),
            chart_library,
            script: script::OWN,
            subject: cut(&material.subject, LONGEST_NAME),
            made_by: cut(material.made_by, LONGEST_NAME),
            facts: facts(material),
            verdict: verdict(material),
            figures: figures(material),
            promise: material.promise.as_ref().map(bounded),
            promises: Listing::of(material.promises_kept, MOST_SENTENCES, |_, promise| {
                kept_promise(promise)
            }),
            clusters: material
                .sides
                .as_ref()
                .map(|sides| ClustersView::of(&Clusters::of(sides))),
            measures: material
                .structure
                .map(|structure| structure.measures.iter().map(Range::of).collect())
                .unwrap_or_default(),
            optima: material
                .structure
                .filter(|structure| structure.raw_optima > 1)
                .map(|structure| grouped(structure.raw_optima as u64)),
            loss: material.loss.map(LossView::of),
            refinements: (!material.refinements.is_empty())
                .then(|| RefinementView::of(material.refinements)),
            groups: material.loss.and_then(GroupsView::of),
            risk: material.risk.map(RiskView::of),
            account: material.account.as_ref().map(AccountView::of),
            kept: KeptView::of(material),
        }
    }
}
