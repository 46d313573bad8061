//! `pleiad release`: the main job, from a raw table to a folder that can be handed over.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use pleiad::Error;
use pleiad::release::{ReleaseOptions, Released, release};
use pleiad::spec::Spec;
use pleiad::table::{Format, Role};

use crate::failure::{Failure, Outcome};
use crate::progress::Bars;
use crate::source::{SPEC_FILE, read_spec, say_found, spec_here};
use crate::summary;
use crate::summary::promises::listed;
use crate::terminal::{self, Terminal, shown};

/// Publish a table so that its clusters survive and nobody can be found
///
/// Publishes a table as its spec says. Finds the clusters of the raw table, masks the columns by which a person could
/// be looked up, clusters the masked table as its recipient will, compares the two, and writes two folders: one to
/// hand over, and beside it one that ends in `.owner` and stays.
///
/// Every promise is counted again on the written files before the folders get their names. If anything is wrong,
/// nothing is written, and an earlier release is never replaced.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Options {
    /// The spec [default: `pleiad.toml` here]
    #[arg(long, short = 'c', value_name = "FILE")]
    spec: Option<PathBuf>,

    /// The folder to make and hand over
    #[arg(long, short, value_name = "FOLDER", default_value = "release")]
    out: PathBuf,

    /// How the table is written
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    format: FormatName,

    /// Print the evaluation as JSON instead of the summary
    ///
    /// It is the same document as `evaluation.json` in the owner's folder.
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
\u{1b}[1;4mExamples:\u{1b}[0m
  pleiad release
      what `pleiad.toml` in this folder describes, into the folder `release`
  pleiad release -c hospital/pleiad.toml --out 2026-release --format parquet
      another spec, another folder, Parquet instead of CSV
  pleiad release --json | jq '.promises[].smallest'
      for programs

The spec says what is promised, in its section [protect]:
  [protect]
  anonymity = 5        # five people or more look alike in the quasi columns";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// Text that any program reads
    Csv,
    /// Smaller and faster; intervals also as two columns of numbers
    Parquet,
}

/// Releases and says what came of it.
pub(crate) fn run(options: &Options, terminal: &Terminal) -> Outcome<()> {
    let spec = find_spec(options.spec.as_deref(), terminal)?;
    let format = match options.format {
        FormatName::Csv => Format::Csv,
        FormatName::Parquet => Format::Parquet,
    };
    let released = make(&spec, &options.out, format, terminal)?;
    if options.json {
        terminal::print(|out| {
            serde_json::to_writer_pretty(&mut *out, &released.evaluation)?;
            writeln!(out)
        })?;
        terminal.say(&format!(
            "Hand over {}. Keep {}.",
            shown(&released.folder),
            shown(&released.owner_folder)
        ));
        return Ok(());
    }
    if terminal.is_watched() {
        terminal.say("");
    }
    let summary = summary::release::summary(&released, terminal::width());
    terminal::print(|out| out.write_all(summary.as_bytes()))
}

/// Makes a release; what its reader might not expect is said.
pub(crate) fn make(
    spec: &Spec,
    folder: &Path,
    format: Format,
    terminal: &Terminal,
) -> Outcome<Released> {
    check_writable(folder)?;
    say_doubts(spec, terminal);
    let options = ReleaseOptions {
        folder: folder.to_owned(),
        format,
    };
    Ok(release(spec, &options, &Bars::new(terminal))?)
}

fn find_spec(named: Option<&Path>, terminal: &Terminal) -> Outcome<Spec> {
    if let Some(path) = named {
        return read_spec(path);
    }
    let Some((path, spec)) = spec_here()? else {
        return Err(Failure::usage(format!(
            "there is no spec: none was named, and no `{SPEC_FILE}` is here"
        ))
        .hint("name one: `pleiad release -c folder/pleiad.toml`")
        .hint("draft one: `pleiad init patients.csv`"));
    };
    say_found(&spec.data_path, &path, terminal);
    Ok(spec)
}

/// Finds out before the work, which may be long, whether folders can be made there.
fn check_writable(folder: &Path) -> Outcome<()> {
    if folder.exists() {
        // It is in the way, which is for the library to say.
        return Ok(());
    }
    let probe = folder.with_file_name(format!(".probe-{}", std::process::id()));
    fs::create_dir(&probe)
        .and_then(|()| fs::remove_dir(&probe))
        .map_err(|source| Failure::cannot_write(Error::system("write", folder, source)))
}

/// Domains that were drafted from the data are no public knowledge until somebody says so.
fn say_doubts(spec: &Spec, terminal: &Terminal) {
    let drafted: Vec<String> = spec
        .plan
        .columns
        .iter()
        .filter(|column| column.role == Role::Quasi && column.domain_from_data)
        .map(|column| column.name.clone())
        .collect();
    if !drafted.is_empty() {
        terminal.say(&format!(
            "The spec marks the values of {} as taken from the data, and a release tells them to everybody. Write down what \
             is public knowledge instead, and remove `from = \"data\"`.",
            listed(&drafted)
        ));
    }
}
