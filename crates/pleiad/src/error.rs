//! One error type for the whole library, sorted by who can act on it.
//!
//! A message names the rule that was broken; the place, the hints and the kind are data, so that a command can point
//! at the line, a script can read the exit code and a later binding can raise the right exception. No message carries
//! a cell of the private table: values are counted, and the words shown come from the spec or from a taxonomy.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The result of anything in this library that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Who can act on an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A promise cannot be kept, or a request would break one: nothing was written.
    Refused,
    /// The spec, a taxonomy or an option is wrong: its author can act.
    Spec,
    /// The rows do not fit the spec: the owner of the data can act.
    Data,
    /// The operating system said no (disk full, file missing, folder in the way).
    System,
}

/// Where an error was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The file.
    pub file: Option<PathBuf>,
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Column within the line, counted from 1.
    pub column: Option<u64>,
    /// Bytes of the file that are at fault, where the file is a text the user wrote (spec, taxonomy).
    pub span: Option<Range<usize>>,
}

impl Place {
    /// A whole file.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self {
            file: Some(path.into()),
            ..Self::default()
        }
    }

    /// A line of a file.
    pub fn line(path: impl Into<PathBuf>, line: u64) -> Self {
        Self {
            file: Some(path.into()),
            line: Some(line),
            ..Self::default()
        }
    }

    /// A stretch of bytes in a text; line and column are counted from its start.
    pub fn span(path: impl Into<PathBuf>, text: &str, span: Range<usize>) -> Self {
        let before = text.get(..span.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            file: Some(path.into()),
            line: Some(1 + before.matches('\n').count() as u64),
            column: Some(1 + before[line_start..].chars().count() as u64),
            span: Some(span),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.as_deref().unwrap_or(Path::new("(text)"));
        write!(f, "{}", file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
            if let Some(column) = self.column {
                write!(f, ":{column}")?;
            }
        }
        Ok(())
    }
}

/// What went wrong, where, and what to do about it.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: Kind,
    message: String,
    place: Option<Place>,
    hints: Vec<String>,
    source: Option<io::Error>,
}

impl Error {
    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            place: None,
            hints: Vec::new(),
            source: None,
        }))
    }

    /// A promise cannot be kept.
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(Kind::Refused, message)
    }

    /// The spec, a taxonomy or an option is wrong.
    pub fn spec(message: impl Into<String>) -> Self {
        Self::new(Kind::Spec, message)
    }

    /// The rows do not fit.
    pub fn data(message: impl Into<String>) -> Self {
        Self::new(Kind::Data, message)
    }

    /// The operating system said no while doing something to a file.
    pub fn system(doing: &str, path: &Path, source: io::Error) -> Self {
        let mut error = Self::new(Kind::System, format!("cannot {doing} {}", path.display()));
        error.0.source = Some(source);
        error
    }

    /// Adds the place, unless a more precise one is known already.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.0.place.get_or_insert(place);
        self
    }

    /// Adds something that the reader can do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hints.push(hint.into());
        self
    }

    /// Adds a hint that names the nearest of the valid names, if one is near.
    #[must_use]
    pub fn nearest<'a>(self, wrong: &str, valid: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest_name(wrong, valid) {
            Some(name) => self.hint(format!("did you mean `{name}`?")),
            None => self,
        }
    }

    /// Who can act.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// Where it was found.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }

    /// The rule that was broken, without place and hints.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What the reader can do.
    pub fn hints(&self) -> &[String] {
        &self.0.hints
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.0.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}", self.0.message)?;
        if let Some(source) = &self.0.source {
            write!(f, ": {source}")?;
        }
        for hint in &self.0.hints {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}

/// The valid name nearest to a wrong one: at most a third of its letters away, the first of equals.
pub(crate) fn nearest_name<'a>(
    wrong: &str,
    valid: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let wrong_lower = wrong.to_lowercase();
    let allowed = (wrong.chars().count() / 3).max(1);
    valid
        .into_iter()
        .map(|name| {
            let distance = strsim::osa_distance(&wrong_lower, &name.to_lowercase());
            (distance, name)
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_knows_its_line_and_column() {
        let place = Place::span("pleiad.toml", "a = 1\nbé = 2\n", 10..11);
        assert_eq!(place.to_string(), "pleiad.toml:2:4");
    }

    #[test]
    fn the_nearest_name_is_near() {
        let names = ["taxonomy", "kind", "role"];
        assert_eq!(nearest_name("taxonmy", names), Some("taxonomy"));
        assert_eq!(nearest_name("Kind", names), Some("kind"));
        assert_eq!(nearest_name("weight", names), None);
    }

    #[test]
    fn an_error_prints_place_rule_and_hint() {
        let error = Error::spec("unknown column `agee`")
            .at(Place::line("pleiad.toml", 4))
            .nearest("agee", ["age", "sex"]);
        assert_eq!(
            error.to_string(),
            "pleiad.toml:4: unknown column `agee`\nhint: did you mean `age`?"
        );
    }
}
