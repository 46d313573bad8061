//! What goes wrong, how it is shown, and the exit code that says who can act.

use std::fmt::Write;
use std::ops::Range;
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use pleiad::{Error, Kind, Place};

use crate::terminal::{self, FAINT, HELPFUL, WRONG, shown, styled, visible};

/// The result of a command or a part of it.
pub(crate) type Outcome<T> = Result<T, Failure>;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something is wrong, and somebody can act.
    Error(Error, Exit),
    /// Whoever reads standard output has seen enough.
    ReaderGone,
}

/// Who can act, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Refused, a promise is broken, or the result cannot be written.
    Refused = 1,
    /// The command line, the spec or a taxonomy is wrong.
    Spec = 2,
    /// The table is wrong or cannot be read.
    Data = 3,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let exit = match error.kind() {
            Kind::Refused => Exit::Refused,
            Kind::Spec => Exit::Spec,
            // Where the operating system says no, the message begins with what was being done.
            Kind::System if error.message().starts_with("cannot write") => Exit::Refused,
            _ => Exit::Data,
        };
        Self::Error(error, exit)
    }
}

impl Failure {
    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Error::spec(message).into()
    }

    /// The spec is wrong or cannot be read.
    pub(crate) fn in_spec(error: Error) -> Self {
        Self::Error(error, Exit::Spec)
    }

    /// The result cannot be written.
    pub(crate) fn cannot_write(error: Error) -> Self {
        Self::Error(error, Exit::Refused)
    }

    /// Adds something that the reader can do.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        match self {
            Self::Error(error, exit) => Self::Error(error.hint(hint), exit),
            Self::ReaderGone => self,
        }
    }

    /// Shows the failure and gives its exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Error(error, exit) => {
                terminal::complain(&rendered(error));
                ExitCode::from(*exit as u8)
            }
            Self::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

/// Message, place with the line at fault where the user wrote it, hints.
fn rendered(error: &Error) -> String {
    let mut message = visible(error.message());
    if let Some(source) = std::error::Error::source(error) {
        let _ = write!(message, ": {}", without_number(&source.to_string()));
    }
    let mut text = match error.place() {
        Some(place) => snippet(&message, place).unwrap_or_else(|| {
            let arrow = styled(FAINT, "-->");
            format!(
                "{}: {message}\n {arrow} {}",
                styled(WRONG, "error"),
                visible(&place.to_string())
            )
        }),
        None => format!("{}: {message}", styled(WRONG, "error")),
    };
    for hint in error.hints() {
        let _ = write!(text, "\n{}: {}", styled(HELPFUL, "hint"), visible(hint));
    }
    text
}

/// The words of the operating system without its number for them.
fn without_number(words: &str) -> &str {
    words.rfind(" (os error ").map_or(words, |at| &words[..at])
}

/// The message above the line at fault. Only texts that the user wrote have a span; rows of a table have none.
fn snippet(message: &str, place: &Place) -> Option<String> {
    let path = place.file.as_deref()?;
    let text = std::fs::read_to_string(path).ok()?;
    let span = first_line_of(&text, place.span.clone()?)?;
    let snippet = Snippet::source(&text)
        .path(shown(path))
        .annotation(AnnotationKind::Primary.span(span));
    let report = [Level::ERROR.primary_title(message).element(snippet)];
    Some(Renderer::styled().render(&report))
}

/// The part of a span that is on its first line: a whole section need not be shown to be recognised.
fn first_line_of(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let inside = text.get(span.clone())?;
    let length = inside.find(['\n', '\r']).unwrap_or(inside.len());
    Some(span.start..span.start + length)
}
