//! A release that is paid from a privacy budget.

use std::path::Path;

use pleiad::release::{
    Evidence, PrivateManifest, PrivateOptions, PrivatelyReleased, release_privately,
};
use pleiad::spec::Spec;
use pleiad::table::Format;
use pleiad::{Error, Kind};
use pleiad_report::report_of_private_release;

use super::{Options, check_writable, hand_over, print_json};
use crate::failure::{Failure, Outcome};
use crate::progress::Bars;
use crate::summary;
use crate::summary::promises::listed;
use crate::summary::text::counted;
use crate::terminal::{self, Terminal, visible};

/// Releases and says what came of it.
pub(super) fn run(
    spec: &Spec,
    folder: &Path,
    format: Format,
    options: &Options,
    terminal: &Terminal,
) -> Outcome<()> {
    if options.json && options.unseen {
        return Err(Failure::usage(
            "--json prints the evaluation, and with --unseen there is none",
        ));
    }
    check_writable(folder)?;
    let private = PrivateOptions {
        folder: folder.to_owned(),
        format,
        compare: !options.unseen,
    };
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    let name = name.to_string_lossy();
    let report =
        |evidence: &Evidence<'_, PrivateManifest>| Ok(report_of_private_release(&name, evidence));
    let released =
        release_privately(spec, &private, Some(&report), &Bars::new(terminal)).map_err(failed)?;
    say_exceptions(&released, terminal);
    if options.json {
        if let Some(Ok(evaluation)) = &released.evaluation {
            print_json(evaluation)?;
        }
        terminal.say(&hand_over(&released.folder, &released.owner_folder));
        return Ok(());
    }
    if terminal.is_watched() {
        terminal.say("");
    }
    let summary = summary::private::summary(&released, terminal::width());
    terminal::print(|out| out.write_all(summary.as_bytes()))
}

/// A ledger that cannot be read is no fault of a table.
fn failed(error: Error) -> Failure {
    match error.kind() {
        Kind::System => Failure::cannot_write(error),
        _ => error.into(),
    }
}

/// Says what a reader of the result might not expect.
fn say_exceptions(released: &PrivatelyReleased, terminal: &Terminal) {
    if released.rows_left_out > 0 {
        terminal.say(&format!(
            "Left out: {}, incomplete or about nobody knows whom.",
            counted(released.rows_left_out, "row")
        ));
    }
    for taken_in in &released.taken_in {
        terminal.say(&format!(
            "Not of the domain that the spec states for `{}`: {}, taken for the nearest thing that is. \
             `pleiad release --dry-run` says more.",
            visible(&taken_in.column),
            counted(taken_in.cells, "cell")
        ));
    }
    if !released.other_populations.is_empty() {
        terminal.say(&format!(
            "The same file was used for {} too: are these the same people? Their budgets do not know of each other.",
            listed(&released.other_populations)
        ));
    }
}
