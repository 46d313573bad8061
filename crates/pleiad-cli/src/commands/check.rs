//! `pleiad check`: are the promises kept? Counted anew on the files.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use pleiad::release::{
    Counted, DifferentialPrivacy, MANIFEST_FILE, PrivateManifest, PromiseKept, ROWS_FILE,
    check_table, verify_private, verify_release,
};
use pleiad::{Error, Kind};
use serde::Serialize;

use crate::failure::{Failure, Outcome};
use crate::progress::Bars;
use crate::source::{SPEC_FILE, read_spec, refuse_other_folders, refuse_spec_for_release};
use crate::summary::private;
use crate::summary::promises::{entry, groups, listed};
use crate::terminal::{self, STRONG, Terminal, shown, styled};

/// Raised when a key changes its meaning or goes.
const JSON_FORMAT: u32 = 1;

/// Verify every promise of a release, or of any table against a spec
///
/// Counts every promise anew on the files and fails if one is broken, naming the smallest group by the row in which it
/// begins, never by what it says.
///
/// The folder of a release is held to its manifest: files, columns, order of the rows, promises. People are counted if
/// the owner's folder is beside it, else rows, which can miss a broken promise where a person has several rows. A file,
/// whoever made it, is held to the section [protect] of a spec.
///
/// A private release is held to its account: what every step cost is worked out anew and added up.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Options {
    /// The folder of a release, or a table: CSV (also gzipped), Parquet or Arrow IPC
    path: PathBuf,

    /// The spec that a table is held to [default: `pleiad.toml` beside the table, or here]
    #[arg(long, short = 'c', value_name = "FILE")]
    spec: Option<PathBuf>,

    /// Print what was found as JSON
    ///
    /// Its `promises` have the keys that they have in `evaluation.json`. Nothing is printed if a promise is broken.
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
\u{1b}[1;4mExamples:\u{1b}[0m
  pleiad check release
      a release, with the owner's folder `release.owner` if it is there
  pleiad check masked.csv -c pleiad.toml
      a table that any program masked, against the promises of a spec
  pleiad check release --quiet > /dev/null && echo kept
      for programs: the exit code is 1 if a promise is broken";

/// What was checked and found to be kept.
#[derive(Debug, Serialize)]
struct Kept {
    format: u32,
    pleiad: &'static str,
    /// The folder or file.
    checked: String,
    /// What it was held to.
    against: String,
    promises: Vec<PromiseKept>,
}

/// A private release whose account holds.
#[derive(Debug, Serialize)]
struct PrivatelyKept {
    format: u32,
    pleiad: &'static str,
    /// The folder.
    checked: String,
    /// What it was held to.
    against: String,
    guarantee: DifferentialPrivacy,
}

/// Checks and prints what was found.
pub(crate) fn run(options: &Options, terminal: &Terminal) -> Outcome<()> {
    let kept = if options.path.is_dir() {
        if PrivateManifest::is_at(&options.path.join(MANIFEST_FILE)) {
            return check_private(options, terminal);
        }
        check_release(options, terminal)?
    } else {
        check_file(options, terminal)?
    };
    if options.json {
        terminal::print(|out| {
            serde_json::to_writer_pretty(&mut *out, &kept)?;
            writeln!(out)
        })
    } else {
        terminal::print(|out| write_words(&kept, terminal::width(), out))
    }
}

fn check_release(options: &Options, terminal: &Terminal) -> Outcome<Kept> {
    let folder = &options.path;
    refuse_other_folders(folder)?;
    refuse_spec_for_release(folder, options.spec.as_deref())?;
    let owner = owner_folder(folder).filter(|owner| owner.join(ROWS_FILE).exists());
    let helped_by = match &owner {
        Some(owner) => format!("with {} to tell people apart", shown(owner)),
        None => "by its own files alone".to_owned(),
    };
    terminal.say(&format!("Checking {}, {helped_by}.", shown(folder)));
    let verified =
        verify_release(folder, owner.as_deref(), &Bars::new(terminal)).map_err(broken)?;
    Ok(Kept {
        format: JSON_FORMAT,
        pleiad: env!("CARGO_PKG_VERSION"),
        checked: folder.display().to_string(),
        against: folder.join(MANIFEST_FILE).display().to_string(),
        promises: verified.promises,
    })
}

/// A privacy claim is no property of files; what can be checked is what it rests on.
fn check_private(options: &Options, terminal: &Terminal) -> Outcome<()> {
    let folder = &options.path;
    refuse_spec_for_release(folder, options.spec.as_deref())?;
    terminal.say(&format!("Checking {} by its own files.", shown(folder)));
    let manifest = verify_private(folder, &Bars::new(terminal)).map_err(broken)?;
    if options.json {
        let kept = PrivatelyKept {
            format: JSON_FORMAT,
            pleiad: env!("CARGO_PKG_VERSION"),
            checked: folder.display().to_string(),
            against: folder.join(MANIFEST_FILE).display().to_string(),
            guarantee: manifest.guarantee,
        };
        return terminal::print(|out| {
            serde_json::to_writer_pretty(&mut *out, &kept)?;
            writeln!(out)
        });
    }
    let width = terminal::width();
    let found = "The account adds up to it, every file is as it was written, and rows and cells are of the stated domains. \
                 That the noise was drawn as stated cannot be seen in files.";
    terminal::print(|out| {
        writeln!(out, "{}", styled(STRONG, "The account holds"))?;
        let promised = private::promised(&manifest);
        out.write_all(entry("Promised", &promised, width).as_bytes())?;
        out.write_all(entry("Paid", &private::paid(&manifest), width).as_bytes())?;
        out.write_all(entry("Found", found, width).as_bytes())
    })
}

/// What follows from a broken promise.
fn broken(error: Error) -> Failure {
    let is_broken = error.kind() == Kind::Refused;
    let failure = Failure::from(error);
    if is_broken {
        failure.hint("do not hand it over, and do not rely on it")
    } else {
        failure
    }
}

/// The owner's folder is beside the release, whatever the path that leads there looks like.
fn owner_folder(folder: &Path) -> Option<PathBuf> {
    let beside = |path: &Path| {
        let mut name = OsString::from(path.file_name()?);
        name.push(".owner");
        Some(path.with_file_name(name))
    };
    beside(folder).or_else(|| beside(&folder.canonicalize().ok()?))
}

fn check_file(options: &Options, terminal: &Terminal) -> Outcome<Kept> {
    let path = &options.path;
    let spec_path = find_spec(options)?;
    let spec = read_spec(&spec_path)?;
    terminal.say(&format!(
        "Checking {} against {}.",
        shown(path),
        shown(&spec_path)
    ));
    let promises = check_table(path, &spec, &Bars::new(terminal)).map_err(broken)?;
    Ok(Kept {
        format: JSON_FORMAT,
        pleiad: env!("CARGO_PKG_VERSION"),
        checked: path.display().to_string(),
        against: spec_path.display().to_string(),
        promises,
    })
}

/// The spec that was named, or the first that is found beside the table or here. Unlike a table that is clustered, one
/// that is checked need not be the one that the spec names: it is what became of it.
fn find_spec(options: &Options) -> Outcome<PathBuf> {
    if let Some(path) = &options.spec {
        return Ok(path.clone());
    }
    let path = &options.path;
    // Whoever mistyped the name of the table should hear of that first.
    File::open(path).map_err(|error| Error::system("open", path, error))?;
    let places = [path.with_file_name(SPEC_FILE), PathBuf::from(SPEC_FILE)];
    if let Some(found) = places.into_iter().find(|place| place.exists()) {
        return Ok(found);
    }
    let failure = Failure::usage(format!(
        "there are no promises to check: no `{SPEC_FILE}` is beside the table or here"
    ))
    .hint(format!(
        "name a spec: `pleiad check {} -c pleiad.toml`",
        shown(path)
    ));
    Err(match path.parent() {
        Some(folder) if path.with_file_name(MANIFEST_FILE).exists() => {
            let folder = if folder == Path::new("") {
                Path::new(".")
            } else {
                folder
            };
            failure.hint(format!(
                "or check the release that it is part of: `pleiad check {}`",
                shown(folder)
            ))
        }
        _ => failure,
    })
}

/// Each promise and what was found.
fn write_words(kept: &Kept, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let rows_only = |promise: &PromiseKept| promise.counted == Counted::RowsOnly;
    let is_in_doubt = kept.promises.iter().any(rows_only);
    let title = match (kept.promises.len() as u64, is_in_doubt) {
        (1, false) => "The promise is kept".to_owned(),
        (several, false) => format!("All {several} promises are kept"),
        (_, true) => "No promise is found broken, counting rows".to_owned(),
    };
    writeln!(out, "{}", styled(STRONG, &title))?;
    for promise in &kept.promises {
        let what = if rows_only(promise) { "rows" } else { "people" };
        let words = format!(
            "At least {} {what} look alike in {}.",
            promise.at_least,
            listed(&promise.columns)
        );
        out.write_all(entry("Promised", &words, width).as_bytes())?;
        out.write_all(entry("Found", &groups(promise), width).as_bytes())?;
    }
    if is_in_doubt {
        let words = "People are promised, but who is who stays with the owner: a person may have several rows, so \
                     that counting rows can miss a broken promise.";
        out.write_all(entry("Note", words, width).as_bytes())?;
    }
    Ok(())
}
