//! The reference of the command in `docs/reference/cli.md`, rendered from the definitions that `--help` prints.
//!
//! The test fails when the file is stale; `PLEIAD_UPDATE=1 cargo test -p pleiad-cli` writes it anew.

use std::fmt::Write;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};

use crate::arguments::Arguments;

const FILE: &str = "../../docs/reference/cli.md";

#[test]
fn the_reference_is_not_stale() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let reference = render(Arguments::command());
    if std::env::var_os("PLEIAD_UPDATE").is_some() {
        std::fs::write(&path, &reference).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == reference,
        "docs/reference/cli.md is stale: run the tests with PLEIAD_UPDATE=1"
    );
}

#[test]
fn the_definitions_are_sound() {
    Arguments::command().debug_assert();
}

fn render(mut root: Command) -> String {
    root.build();
    let mut text = String::from(
        "<!-- Made from the definitions of the command: PLEIAD_UPDATE=1 cargo test -p pleiad-cli -->\n\n",
    );
    command(&root, "#", &mut text);
    with_subcommands(&root, &mut text);
    text
}

fn with_subcommands(parent: &Command, text: &mut String) {
    for subcommand in shown(parent.get_subcommands()) {
        text.push('\n');
        command(subcommand, "##", text);
        with_subcommands(subcommand, text);
    }
}

fn shown<'a>(commands: impl Iterator<Item = &'a Command>) -> impl Iterator<Item = &'a Command> {
    commands.filter(|command| !command.is_hide_set() && command.get_name() != "help")
}

fn command(command: &Command, heading: &str, text: &mut String) {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let about = command
        .get_long_about()
        .or(command.get_about())
        .map(ToString::to_string);
    let _ = writeln!(
        text,
        "{heading} `{name}`\n\n{}\n",
        paragraphs(&about.unwrap_or_default())
    );
    let usage = command.clone().render_usage().to_string();
    let _ = writeln!(
        text,
        "```text\n{}\n```",
        usage.trim_start_matches("Usage: ").trim_end()
    );
    if command.has_subcommands() {
        let _ = writeln!(text, "\n| command | |\n|---|---|");
        for subcommand in shown(command.get_subcommands()) {
            let about = subcommand
                .get_about()
                .map(ToString::to_string)
                .unwrap_or_default();
            let own_name = subcommand.get_name();
            let anchor = format!("{name} {own_name}").replace(' ', "-");
            let _ = writeln!(text, "| [`{own_name}`](#{anchor}) | {about} |");
        }
    }
    let is_root = heading == "#";
    let own = |argument: &&Arg| !argument.is_hide_set() && (is_root || !argument.is_global_set());
    let arguments: Vec<&Arg> = command
        .get_arguments()
        .filter(own)
        .filter(|argument| !matches!(argument.get_id().as_str(), "help" | "version"))
        .collect();
    for argument in arguments {
        let _ = writeln!(text, "\n### `{}`\n", written(argument));
        let help = argument
            .get_long_help()
            .or(argument.get_help())
            .map(ToString::to_string);
        let _ = writeln!(text, "{}", paragraphs(&help.unwrap_or_default()));
        values(argument, text);
    }
    if let Some(after) = command.get_after_long_help().or(command.get_after_help()) {
        let _ = writeln!(text, "\n```text\n{after}\n```");
    }
}

/// The values to choose from and the default.
fn values(argument: &Arg, text: &mut String) {
    if !argument.get_action().takes_values() {
        return;
    }
    let choices = argument.get_possible_values();
    if !choices.is_empty() {
        text.push('\n');
    }
    for choice in choices {
        let help = choice
            .get_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        let _ = writeln!(text, "- `{}`: {}", choice.get_name(), full_stop(&help));
    }
    if let [default] = argument.get_default_values() {
        let _ = writeln!(text, "\nDefault: `{}`.", default.to_string_lossy());
    }
}

/// How an argument is written: `-k, --clusters <N>` or `[DATA]`.
fn written(argument: &Arg) -> String {
    let value = argument
        .get_value_names()
        .and_then(<[_]>::first)
        .map(ToString::to_string)
        .unwrap_or_default();
    if argument.is_positional() {
        return if argument.is_required_set() {
            format!("<{value}>")
        } else {
            format!("[{value}]")
        };
    }
    let mut names = Vec::new();
    names.extend(argument.get_short().map(|short| format!("-{short}")));
    names.extend(argument.get_long().map(|long| format!("--{long}")));
    let names = names.join(", ");
    if argument.get_action().takes_values() {
        format!("{names} <{value}>")
    } else {
        names
    }
}

/// Help breaks its lines where a terminal ends; a page does not.
fn paragraphs(help: &str) -> String {
    let paragraphs: Vec<String> = help
        .split("\n\n")
        .map(|paragraph| full_stop(&paragraph.replace('\n', " ")))
        .collect();
    paragraphs.join("\n\n")
}

/// Help ends its first line without a full stop, a page does not; a default stays in its brackets.
fn full_stop(sentence: &str) -> String {
    match sentence.split_once(" [default: ") {
        Some((sentence, default)) => {
            format!("{sentence}. Default: {}.", default.trim_end_matches(']'))
        }
        None if sentence.ends_with(['.', ':']) => sentence.to_owned(),
        None => format!("{sentence}."),
    }
}
