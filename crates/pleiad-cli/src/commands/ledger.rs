//! `pleiad ledger`: what was given to a population, what is spent, and by what.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use pleiad::privacy::budget::{
    AddRemove, Delta, Epsilon, Measure, Rational, Relation, Replace, Rho,
};
use pleiad::privacy::ledger::{Ledger, LogEntry, State, Statement, Total};
use pleiad::{Error, Kind};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::failure::{Failure, Outcome};
use crate::terminal::{self, STRONG, Terminal, styled, visible};

/// Raised when a key changes its meaning or goes.
const JSON_FORMAT: u32 = 1;
/// Decimals that people are shown; spent is rounded up and left is rounded down. JSON has exact amounts.
const SHOWN_DECIMALS: usize = 6;

/// Show the privacy budget of each population: what was given, spent, by what
///
/// A ledger is a file that its owner keeps. It says how much privacy may ever be spent on a population, the people
/// behind one or more tables, and it has an entry for every private act, written before the first look at rows. What is
/// booked stays spent, even if nothing came of it.
///
/// Declare a population once, before its first private release. Its total cannot be changed afterwards.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct Options {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    show: ShowOptions,
}

const AFTER_HELP: &str = "\
\u{1b}[1;4mExamples:\u{1b}[0m
  pleiad ledger declare patients --epsilon 2
      at most ε = 2 may ever be spent on the patients
  pleiad ledger
      what was given, what is spent, what is left
  pleiad ledger log
      every private act, in order
  pleiad ledger --json | jq -r '.populations[] | [.population, .left] | @tsv'
      for programs";

#[derive(Debug, Subcommand)]
enum Action {
    Declare(DeclareOptions),
    Show(ShowOptions),
    Log(LogOptions),
}

/// Declare a population and how much may ever be spent on it
///
/// Amounts are exact: 0.1, 1e-6 and 1/3 are what they say. With --epsilon alone all acts must be purely differentially
/// private. With --epsilon and --delta, or with --rho and --delta, the account is kept in ρ of zero-concentrated
/// differential privacy, which Gaussian noise needs.
#[derive(Debug, Args)]
struct DeclareOptions {
    /// The name of the population
    name: String,

    /// The largest ε
    #[arg(
        long,
        value_name = "AMOUNT",
        value_parser = amount,
        allow_hyphen_values = true,
        required_unless_present = "rho"
    )]
    epsilon: Option<Rational>,

    /// The largest ρ
    #[arg(
        long,
        value_name = "AMOUNT",
        value_parser = amount,
        allow_hyphen_values = true,
        conflicts_with = "epsilon",
        requires = "delta"
    )]
    rho: Option<Rational>,

    /// The δ with which ρ is read as ε
    #[arg(long, value_name = "AMOUNT", value_parser = delta, allow_hyphen_values = true)]
    delta: Option<Delta>,

    /// Which two tables a private act must hardly tell apart
    #[arg(long, value_name = "RELATION", default_value = "add-remove")]
    neighbours: NeighboursName,

    #[command(flatten)]
    ledger: LedgerOption,
}

/// Show what was given to each population, what is spent and what is left
#[derive(Debug, Args)]
struct ShowOptions {
    /// Print one JSON document instead of the table, with exact amounts
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    ledger: LedgerOption,
}

/// Show every entry, in order
#[derive(Debug, Args)]
struct LogOptions {
    /// Show the entries of this population only
    population: Option<String>,

    /// Print one JSON document instead of the table, with exact amounts
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    ledger: LedgerOption,
}

#[derive(Debug, Args)]
struct LedgerOption {
    /// The ledger
    #[arg(long, value_name = "FILE", default_value = Ledger::DEFAULT_FILE)]
    file: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NeighboursName {
    /// One has a person more: the number of people is private
    AddRemove,
    /// One has another person in somebody's place: the number of people is public
    Replace,
}

fn amount(text: &str) -> Result<Rational, String> {
    text.parse()
        .map_err(|error: Error| error.message().to_owned())
}

fn delta(text: &str) -> Result<Delta, String> {
    text.parse()
        .map_err(|error: Error| error.message().to_owned())
}

/// Declares, shows or lists.
pub(crate) fn run(options: &Options, terminal: &Terminal) -> Outcome<()> {
    match &options.action {
        Some(Action::Declare(declare)) => match declare.neighbours {
            NeighboursName::AddRemove => declare_under::<AddRemove>(declare, terminal),
            NeighboursName::Replace => declare_under::<Replace>(declare, terminal),
        },
        Some(Action::Log(log)) => show_log(log),
        Some(Action::Show(show)) => show_statements(show),
        None => show_statements(&options.show),
    }
}

/// A ledger that cannot be read or written is no fault of a table.
fn failed(error: Error) -> Failure {
    match error.kind() {
        Kind::System => Failure::cannot_write(error),
        _ => error.into(),
    }
}

fn declare_under<R: Relation>(options: &DeclareOptions, terminal: &Terminal) -> Outcome<()> {
    let total: Total<R> = match (&options.epsilon, &options.rho, &options.delta) {
        (Some(epsilon), _, None) => Total::Pure(Epsilon::new(epsilon.clone())),
        (Some(epsilon), _, Some(delta)) => {
            Total::within(&Epsilon::new(epsilon.clone()), delta.clone())
        }
        (None, Some(rho), Some(delta)) => Total::Concentrated {
            rho: Rho::new(rho.clone()),
            delta: delta.clone(),
        },
        _ => {
            return Err(Failure::usage(
                "say how much: --epsilon, or --rho and --delta",
            ));
        }
    };
    let name = &options.name;
    let ledger = Ledger::create(&options.ledger.file).map_err(failed)?;
    ledger.declare(name, &total).map_err(failed)?;
    let statement = ledger.statement(name).map_err(failed)?;
    let reading = match &statement.as_epsilon {
        Some(reading) => format!(
            ", which is ε = {} with δ = {},",
            reading.total.rounded_up(SHOWN_DECIMALS),
            reading.delta
        ),
        None => String::new(),
    };
    terminal.say(&format!(
        "At most {} = {}{reading} may ever be spent on the population `{name}`, under {}.",
        statement.measure.letter(),
        statement.total,
        statement.neighbours
    ));
    Ok(())
}

#[derive(Serialize)]
struct Document<'a, T> {
    format: u32,
    pleiad: &'static str,
    ledger: String,
    #[serde(flatten)]
    content: &'a T,
}

#[derive(Serialize)]
struct Populations {
    populations: Vec<Statement>,
}

#[derive(Serialize)]
struct Entries {
    entries: Vec<LogEntry>,
}

fn print_json(ledger: &LedgerOption, content: &impl Serialize) -> Outcome<()> {
    let document = Document {
        format: JSON_FORMAT,
        pleiad: env!("CARGO_PKG_VERSION"),
        ledger: ledger.file.display().to_string(),
        content,
    };
    terminal::print(|out| {
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)
    })
}

fn show_statements(options: &ShowOptions) -> Outcome<()> {
    let ledger = Ledger::open(&options.ledger.file).map_err(failed)?;
    let populations = ledger.statements().map_err(failed)?;
    if options.json {
        return print_json(&options.ledger, &Populations { populations });
    }
    let heading = [
        "population",
        "neighbours",
        "given",
        "spent",
        "left",
        "entries",
        "looks",
    ];
    let rows = populations.iter().flat_map(|statement| {
        let letter = statement.measure.letter();
        let up = |amount: &Rational| amount.rounded_up(SHOWN_DECIMALS).to_string();
        let entries = statement.booked + statement.published + statement.broken_off;
        let row = [
            visible(&statement.population),
            statement.neighbours.name().replace('_', "-"),
            format!("{letter} = {}", statement.total),
            up(&statement.spent),
            statement.left.rounded_down(SHOWN_DECIMALS).to_string(),
            entries.to_string(),
            statement.looks.to_string(),
        ];
        let reading = statement.as_epsilon.as_ref().map(|reading| {
            let given = format!("ε = {}", up(&reading.total));
            let delta = format!("with δ = {}", reading.delta);
            let empty = String::new;
            [
                empty(),
                delta,
                given,
                up(&reading.spent),
                empty(),
                empty(),
                empty(),
            ]
        });
        [Some(row), reading].into_iter().flatten()
    });
    let text = table(heading, &rows.collect::<Vec<_>>());
    terminal::print(|out| out.write_all(text.as_bytes()))
}

fn show_log(options: &LogOptions) -> Outcome<()> {
    let ledger = Ledger::open(&options.ledger.file).map_err(failed)?;
    let mut entries = ledger.log().map_err(failed)?;
    if let Some(name) = &options.population {
        // An unknown name is an error, not an empty list.
        ledger.statement(name).map_err(failed)?;
        entries.retain(|entry| entry.population == *name);
    }
    if options.json {
        return print_json(&options.ledger, &Entries { entries });
    }
    let heading = [
        "entry",
        "booked",
        "population",
        "method",
        "cost",
        "state",
        "note",
    ];
    let rows: Vec<_> = entries.iter().map(log_row).collect();
    let text = table(heading, &rows);
    terminal::print(|out| out.write_all(text.as_bytes()))
}

fn log_row(entry: &LogEntry) -> [String; 7] {
    let cost = match (entry.state, entry.measure) {
        (State::Looked, _) => "nothing".to_owned(),
        (_, Measure::Pure) => format!("ε = {}", entry.amount.rounded_up(SHOWN_DECIMALS)),
        (_, Measure::Concentrated) => format!("ρ = {}", entry.amount.rounded_up(SHOWN_DECIMALS)),
    };
    [
        entry.number.to_string(),
        entry.booked_at.clone(),
        visible(&entry.population),
        visible(&entry.method),
        cost,
        entry.state.name().replace('_', " "),
        visible(&entry.note),
    ]
}

/// Columns as wide as their widest cell, under a heading.
fn table<const N: usize>(heading: [&str; N], rows: &[[String; N]]) -> String {
    let widths: [usize; N] = std::array::from_fn(|column| {
        let cells = rows.iter().map(|row| row[column].width());
        cells.chain([heading[column].width()]).max().unwrap_or(0)
    });
    let line = |cells: [&str; N]| {
        let padded = cells
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.width())));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut text = styled(STRONG, &line(heading)) + "\n";
    for row in rows {
        text += &line(std::array::from_fn(|column| row[column].as_str()));
        text.push('\n');
    }
    text
}
