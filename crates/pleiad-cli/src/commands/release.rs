//! `pleiad release`: the main job, from a raw table to a folder that can be handed over.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use pleiad::Error;
use pleiad::release::{Evaluation, ReleaseOptions, Released, release_with_report};
use pleiad::spec::{ProtectSpec, Spec};
use pleiad::table::{Format, Role, read_table};
use pleiad_report::report_of_release;

use crate::failure::{Failure, Outcome};
use crate::progress::Bars;
use crate::source::{SPEC_FILE, read_spec, say_found, spec_here};
use crate::summary;
use crate::summary::promises::listed;
use crate::summary::text::counted;
use crate::terminal::{self, Terminal, shown};

mod private_release;

/// Publish a table so that its clusters survive and nobody can be found
///
/// Publishes a table as its spec says. Finds the clusters of the raw table, masks the columns by which a person could
/// be looked up, clusters the masked table as its recipient will, compares the two, and writes two folders: one to
/// hand over, and beside it one that ends in `.owner` and stays. That one has `report.html`: what is promised, what
/// survived and what was lost, to read, print and sign.
///
/// Every promise is counted again on the written files before the folders get their names. If anything is wrong,
/// nothing is written, and an earlier release is never replaced.
///
/// With `method = "mosaic"` the release is differentially private: rows of people who do not exist, drawn from what was
/// measured with noise. It is paid from the budget of a population, which `pleiad ledger` keeps, and booked before the
/// first look at the rows.
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

    /// Check the spec and the table, and stop before anything is booked or written
    ///
    /// A private release takes any rows, and what is not of the stated domains costs quality in silence: this is where
    /// it is complained about.
    #[arg(long, conflicts_with = "json")]
    dry_run: bool,

    /// Do not compare a private release with the raw table
    ///
    /// Whoever has seen a comparison may choose the next release by it, which no budget covers. So each one is logged in
    /// the ledger, and the manifests of later releases say so.
    #[arg(long)]
    unseen: bool,

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
  anonymity = 5              # five people or more look alike in the quasi columns
or
  [protect]
  method = \"mosaic\"          # differential privacy
  epsilon = 1
  population = \"patients\"    # declared once: pleiad ledger declare patients --epsilon 2";

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
    if options.dry_run {
        return try_out(&spec, &options.out, terminal);
    }
    if let Some(ProtectSpec::Mosaic(_)) = &spec.protect {
        return private_release::run(&spec, &options.out, format, options, terminal);
    }
    if options.unseen {
        return Err(Failure::usage(
            "--unseen is for private releases, and the spec promises something else",
        ));
    }
    let released = make(&spec, &options.out, format, terminal)?;
    if options.json {
        print_json(&released.evaluation)?;
        terminal.say(&hand_over(&released.folder, &released.owner_folder));
        return Ok(());
    }
    if terminal.is_watched() {
        terminal.say("");
    }
    let summary = summary::release::summary(&released, terminal::width());
    terminal::print(|out| out.write_all(summary.as_bytes()))
}

/// Reads everything as strictly as can be, and does nothing with it.
fn try_out(spec: &Spec, folder: &Path, terminal: &Terminal) -> Outcome<()> {
    check_writable(folder)?;
    say_doubts(spec, terminal);
    let reading = read_table(&spec.data_path, &spec.plan, &Bars::new(terminal))?;
    let rows = counted(reading.table.n_rows() as u64, "row");
    terminal.say(&format!(
        "The spec holds, and so does the table: {rows} would be released. Nothing was written."
    ));
    Ok(())
}

fn print_json(evaluation: &Evaluation) -> Outcome<()> {
    terminal::print(|out| {
        serde_json::to_writer_pretty(&mut *out, evaluation)?;
        writeln!(out)
    })
}

fn hand_over(public: &Path, owner: &Path) -> String {
    format!("Hand over {}. Keep {}.", shown(public), shown(owner))
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
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    let name = name.to_string_lossy();
    Ok(release_with_report(
        spec,
        &options,
        &|evidence| Ok(report_of_release(&name, evidence)),
        &Bars::new(terminal),
    )?)
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
