//! What can be typed. Help, completions and the reference in `docs/` all come from here.

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::{
    check, cluster, completions, demo, evaluate, init, ledger, release, taxonomy,
};

const MOST_THREADS: usize = 1024;

/// Publish tables about people so that their clusters survive and nobody can be found.
///
/// Pleiad publishes tables about people so that whoever receives them can still find the same clusters, and nobody
/// can find a person.
///
/// Begin with `pleiad demo`: it makes a hospital table, releases it and says what to try next. Then take a table of your
/// own to `pleiad init`, which drafts its `pleiad.toml`; correct that, and `pleiad release` it.
#[derive(Debug, Parser)]
#[command(
    name = "pleiad",
    version,
    after_help = AFTER_HELP,
    arg_required_else_help = true,
    max_term_width = 100,
    disable_help_subcommand = false,
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) everywhere: Everywhere,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options that every command has.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options everywhere")]
pub(crate) struct Everywhere {
    /// Work on this many threads [default: one for each core]
    ///
    /// The result is the same for any number.
    #[arg(long, global = true, value_name = "N", value_parser = thread_count)]
    pub(crate) threads: Option<usize>,

    /// Print the result and errors, nothing else
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,

    /// Use colours
    ///
    /// `auto` uses them on a terminal, unless the environment variable `NO_COLOR` is set. No meaning is carried by
    /// colour alone.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(demo::Options),
    Init(init::Options),
    Release(release::Options),
    Check(check::Options),
    Evaluate(evaluate::Options),
    Cluster(cluster::Options),
    Taxonomy(taxonomy::Options),
    Ledger(ledger::Options),
    Completions(completions::Options),
}

const AFTER_HELP: &str = "\
\u{1b}[1;4mExamples:\u{1b}[0m
  pleiad demo                                  everything on a table it makes
  pleiad init patients.csv                     draft pleiad.toml for a table of your own
  pleiad release                               publish what pleiad.toml describes
  pleiad check release                         are its promises kept?
  pleiad evaluate patients.csv masked.csv      what any masked table comes to
  pleiad cluster patients.csv -k 6             six clusters of any table
  pleiad cluster -c pleiad.toml                a table that a spec describes
  pleiad help release                          all about a command

\u{1b}[1;4mExit codes:\u{1b}[0m
  0  done
  1  refused, a promise is broken, or the result cannot be written
  2  the command line, the spec or a taxonomy is wrong
  3  the table is wrong or cannot be read

The result goes to standard output; notes, progress and errors go to
standard error. An error never shows a cell of the table.";

/// A whole number from `least` on; `rule` says so.
pub(crate) fn count_from(text: &str, least: usize, rule: &str) -> Result<usize, String> {
    let count: usize = text.parse().map_err(|_| "not a whole number".to_owned())?;
    if count < least {
        return Err(rule.to_owned());
    }
    Ok(count)
}

fn thread_count(text: &str) -> Result<usize, String> {
    let threads = count_from(text, 1, "there must be at least 1 thread")?;
    if threads > MOST_THREADS {
        return Err(format!("there can be at most {MOST_THREADS} threads"));
    }
    Ok(threads)
}
