//! `pleiad completions`: scripts that let a shell complete commands and options.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::arguments::Arguments;
use crate::failure::Outcome;
use crate::terminal;

/// Print a script that completes commands and options in a shell.
#[derive(Debug, Args)]
#[command(hide = true)]
pub(crate) struct Options {
    /// The shell.
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(options: &Options) -> Outcome<()> {
    // The generator panics where it cannot write, so it writes to memory first.
    let mut script = Vec::new();
    generate(
        options.shell,
        &mut Arguments::command(),
        "pleiad",
        &mut script,
    );
    terminal::print(|out| out.write_all(&script))
}
