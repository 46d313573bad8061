//! Where words go: the result to standard output, everything else to standard error.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use pleiad::Error;
use unicode_width::UnicodeWidthStr;

use crate::arguments::{Color, Everywhere};
use crate::failure::{Failure, Outcome};

/// Width of what goes into a pipe or a file.
const PIPE_WIDTH: usize = 80;
/// Lines that are longer are hard to read.
const MOST_WIDTH: usize = 140;
const LEAST_WIDTH: usize = 40;

/// Headings.
pub(crate) const STRONG: Style = Style::new().bold();
/// What can be passed over.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// The word `error`.
pub(crate) const WRONG: Style = AnsiColor::Red.on_default().bold();
/// The word `hint`.
pub(crate) const HELPFUL: Style = AnsiColor::Cyan.on_default().bold();

/// Whom the command talks to.
#[derive(Debug)]
pub(crate) struct Terminal {
    quiet: bool,
}

impl Terminal {
    /// As the options say; to be quiet means to say nothing but the result and errors.
    pub(crate) fn new(options: &Everywhere) -> Self {
        match options.color {
            Color::Auto => {}
            Color::Always => ColorChoice::Always.write_global(),
            Color::Never => ColorChoice::Never.write_global(),
        }
        Self {
            quiet: options.quiet,
        }
    }

    /// Says something beside the result, unless it is to be quiet.
    pub(crate) fn say(&self, words: &str) {
        if !self.quiet {
            let lines: Vec<String> = words.lines().map(wrapped).collect();
            complain(&lines.join("\n"));
        }
    }

    /// Whether somebody watches what is said.
    pub(crate) fn is_watched(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }
}

/// Writes the result, whole, to standard output.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Outcome<()> {
    let mut out = BufWriter::new(AutoStream::auto(io::stdout().lock()));
    write(&mut out)
        .and_then(|()| out.flush())
        .map_err(|source| match source.kind() {
            io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => {
                Failure::cannot_write(Error::system("write", Path::new("standard output"), source))
            }
        })
}

/// Says something that must be said.
pub(crate) fn complain(words: &str) {
    // Nobody is left to tell if this fails.
    let _ = writeln!(
        AutoStream::auto(io::stderr().lock()),
        "{}",
        words.trim_end()
    );
}

/// Columns of a line on standard output.
pub(crate) fn width() -> usize {
    let of_terminal = terminal_size::terminal_size_of(io::stdout());
    of_terminal.map_or(PIPE_WIDTH, |(width, _)| {
        usize::from(width.0).clamp(LEAST_WIDTH, MOST_WIDTH)
    })
}

/// Lines of the terminal that standard output is; a pipe has no end.
pub(crate) fn height() -> Option<usize> {
    let (_, height) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(height.0))
}

/// Sets whether colours are used before anything is parsed, because a usage error and help have colours too.
pub(crate) fn obey_color_option(arguments: impl Iterator<Item = OsString>) {
    let mut is_value = false;
    for argument in arguments.skip(1) {
        let argument = argument.to_string_lossy();
        let value = if is_value {
            Some(&*argument)
        } else {
            argument.strip_prefix("--color=")
        };
        match value {
            Some("always") => ColorChoice::Always.write_global(),
            Some("never") => ColorChoice::Never.write_global(),
            _ => {}
        }
        is_value = argument == "--color";
    }
}

/// A line broken between words where the terminal ends; a pipe gets it whole.
fn wrapped(line: &str) -> String {
    match terminal_size::terminal_size_of(io::stderr()) {
        Some((width, _)) if !line.starts_with(' ') => broken(line, usize::from(width.0)).join("\n"),
        _ => line.to_owned(),
    }
}

/// A text in lines of at most `width` columns, broken between words; a word that is wider has a line of its own.
pub(crate) fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        if used > 0 && used + 1 + word.width() > width {
            lines.push(String::new());
            used = 0;
        }
        let line = lines.last_mut().expect("there is a line from the start on");
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += word.width();
    }
    lines
}

/// How this program was called: its name where it was found by it, else the path that was typed.
pub(crate) fn program() -> String {
    let typed = std::env::args_os().next().unwrap_or_default();
    let typed = visible(&typed.to_string_lossy());
    if typed.is_empty() {
        return env!("CARGO_BIN_NAME").to_owned();
    }
    if typed.contains(char::is_whitespace) {
        return format!("'{typed}'");
    }
    typed
}

/// Text of a file made safe to show: characters that would steer the terminal are replaced.
pub(crate) fn visible(text: &str) -> String {
    text.chars()
        .map(|letter| {
            if letter.is_control() {
                '\u{fffd}'
            } else {
                letter
            }
        })
        .collect()
}

/// A path as it is shown.
pub(crate) fn shown(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// Text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
