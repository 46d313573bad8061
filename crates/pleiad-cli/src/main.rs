//! The command `pleiad`: reads what was typed, calls the library, says what came of it.

mod arguments;
mod clustering;
mod commands;
mod failure;
mod labels;
mod progress;
#[cfg(test)]
mod reference;
mod source;
mod summary;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use failure::{Failure, Outcome};
use terminal::Terminal;

fn main() -> ExitCode {
    terminal::obey_color_option(std::env::args_os());
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help that nobody reads to its end is no failure.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    let terminal = Terminal::new(&arguments.everywhere);
    match run(&arguments, &terminal) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Outcome<()> {
    if let Some(threads) = arguments.everywhere.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()
            .map_err(|error| Failure::usage(format!("cannot start {threads} threads: {error}")))?;
    }
    match &arguments.command {
        Command::Init(options) => commands::init::run(options, terminal),
        Command::Release(options) => commands::release::run(options, terminal),
        Command::Check(options) => commands::check::run(options, terminal),
        Command::Evaluate(options) => commands::evaluate::run(options, terminal),
        Command::Cluster(options) => commands::cluster::run(options, terminal),
        Command::Demo(options) => commands::demo::run(options, terminal),
        Command::Taxonomy(options) => commands::taxonomy::run(options, terminal),
        Command::Ledger(options) => commands::ledger::run(options, terminal),
        Command::Completions(options) => commands::completions::run(options),
    }
}
