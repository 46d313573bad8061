//! The scripts of the page, and the rule by which a browser runs no other.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plotly::Plot;
use sha2::{Digest, Sha256};

/// What makes the page move: themes, linked clusters, printing.
pub(crate) const OWN: &str = include_str!("../assets/report.js");

/// The chart library, once. The crate brings it with a second library that sets formulas, which no chart here has.
pub(crate) fn chart_library() -> String {
    let sources = Plot::offline_js_sources();
    let (_, after) = sources
        .split_once('>')
        .expect("the library comes in a script element");
    let (library, _) = after
        .split_once("</script>")
        .expect("the script element ends");
    library.to_owned()
}

/// No network whatever, and no script but these: a column named like one stays a name.
pub(crate) fn content_security_policy(scripts: &[&str]) -> String {
    let hashes: Vec<String> = scripts
        .iter()
        .map(|script| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script))))
        .collect();
    let hashes = hashes.join(" ");
    format!(
        "default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; \
         base-uri 'none'; form-action 'none'"
    )
}
