//! `pleiad taxonomy`: check a taxonomy, look at it, draft one.

mod check;
mod draw;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use pleiad::Error;
use pleiad::draft::{Grouping, column_values, draft_taxonomy, likely_grouping};
use pleiad::table::{Taxonomy, check_taxonomy};

use crate::failure::{Failure, Outcome};
use crate::progress::Bars;
use crate::summary::text::counted;
use crate::terminal::{self, Terminal};

/// Check, draw or draft a taxonomy
///
/// A taxonomy says how the values of a column are generalised: a file with one line for each value, `value;…;root`,
/// semicolons between the labels from the value to the root. Equal neighbours on a line are one node. Hierarchies that
/// ARX wrote are such files; for a numeric column too, with a number at the start of each line.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_long_help = AFTER_HELP)]
pub(crate) struct Options {
    #[command(subcommand)]
    action: Action,
}

const AFTER_HELP: &str = "\
\u{1b}[1;4mExamples:\u{1b}[0m
  pleiad taxonomy check icd9.csv --values patients.csv --column icd9
      is it sound, and does it have all values of the column?
  pleiad taxonomy draw icd9.csv --depth 2
      its upper levels
  pleiad taxonomy draft patients.csv --column postcode > postcode.csv
      a first one, to be corrected";

#[derive(Debug, Subcommand)]
enum Action {
    /// List everything that is wrong with a taxonomy
    ///
    /// Lists everything that is wrong with a taxonomy, line by line, and what is odd about one of numbers. With a table,
    /// also how many values of a column it lacks.
    Check(CheckOptions),
    /// Draw a taxonomy as a tree
    Draw(DrawOptions),
    /// Draft a taxonomy from the values of a column
    ///
    /// Puts the values of a column together by the way they are written, and prints the taxonomy. It holds values of
    /// the table; whether its groups mean anything, somebody has to say who knows them.
    Draft(DraftOptions),
}

#[derive(Debug, Args)]
struct CheckOptions {
    /// The taxonomy
    file: PathBuf,

    /// A table whose values the taxonomy should have
    #[arg(long, value_name = "DATA", requires = "column")]
    values: Option<PathBuf>,

    /// The column of the table
    #[arg(long, value_name = "NAME", requires = "values")]
    column: Option<String>,

    /// List the values that the taxonomy lacks
    ///
    /// These are cells of the table, which no other command shows.
    #[arg(long, requires = "values")]
    show_values: bool,
}

#[derive(Debug, Args)]
struct DrawOptions {
    /// The taxonomy
    file: PathBuf,

    /// Levels below the root to draw [default: as many as fit the terminal]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Draw every node
    #[arg(long, conflicts_with = "depth")]
    all: bool,
}

#[derive(Debug, Args)]
struct DraftOptions {
    /// The table: CSV (also gzipped), Parquet or Arrow IPC
    data: PathBuf,

    /// The column
    #[arg(long, value_name = "NAME")]
    column: String,

    /// What is put together [default: what the values suggest]
    #[arg(long, value_name = "WAY")]
    by: Option<Way>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Way {
    /// Codes that begin alike
    Prefix,
    /// Neighbouring bands such as `[70-80)`, or numbers in bands of round width
    Bands,
    /// Words with the same first letter
    Letters,
    /// Nothing: all values directly under the root
    Flat,
}

/// Does what was asked.
pub(crate) fn run(options: &Options, terminal: &Terminal) -> Outcome<()> {
    match &options.action {
        Action::Check(options) => check::run(options, terminal),
        Action::Draw(options) => {
            let taxonomy = read(&options.file)?;
            let depth = if options.all {
                Some(u32::MAX)
            } else {
                options.depth
            };
            let drawing = draw::drawing(&taxonomy, depth, terminal::height());
            terminal::print(|out| out.write_all(drawing.as_bytes()))
        }
        Action::Draft(options) => draft(options, terminal),
    }
}

/// The taxonomy of a file in which nothing is wrong.
fn read(path: &Path) -> Outcome<Taxonomy> {
    let check = check_taxonomy(&bytes(path)?, path);
    let n_problems = check.problems.len();
    match (check.taxonomy, check.problems.into_iter().next()) {
        (Some(taxonomy), None) => Ok(taxonomy),
        (_, problem) => {
            let problem = problem.unwrap_or_else(|| Error::spec("the taxonomy is empty"));
            let failure = Failure::from(problem);
            Err(if n_problems > 1 {
                failure.hint(format!(
                    "`pleiad taxonomy check` lists all {n_problems} problems"
                ))
            } else {
                failure
            })
        }
    }
}

fn bytes(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|source| Failure::in_spec(Error::system("read", path, source)))
}

fn draft(options: &DraftOptions, terminal: &Terminal) -> Outcome<()> {
    let bars = Bars::new(terminal);
    let values = column_values(&options.data, &options.column, &bars)?;
    drop(bars);
    let values: Vec<String> = values.into_iter().map(|(value, _)| value).collect();
    let grouping = match options.by {
        None => likely_grouping(&values),
        Some(Way::Prefix) => Grouping::Prefix,
        Some(Way::Bands) => Grouping::Bands,
        Some(Way::Letters) => Grouping::Letters,
        Some(Way::Flat) => Grouping::Flat,
    };
    let drafted = draft_taxonomy(&values, grouping)?;
    terminal::print(|out| out.write_all(drafted.text.as_bytes()))?;
    let words = match grouping {
        Grouping::Prefix => "what begins alike is together",
        Grouping::Bands => "neighbours are together",
        Grouping::Letters => "words with the same first letter are together",
        Grouping::Flat => "nothing is together: group the values by hand, or try `--by letters`",
    };
    terminal.say(&format!(
        "{} on {}: {words}. It holds values of the table.",
        counted(drafted.n_values as u64, "value"),
        counted(drafted.n_levels as u64, "level")
    ));
    Ok(())
}
