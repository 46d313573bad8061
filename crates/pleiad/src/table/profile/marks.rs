//! Texts that may mean "no value".

/// A text that may mean "no value".
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) text: &'static str,
    /// Whether it means that wherever it stands. The others may be values: `-` is one beside `+`.
    pub(crate) is_sure: bool,
}

const fn sure(text: &'static str) -> Mark {
    Mark {
        text,
        is_sure: true,
    }
}

const fn doubtful(text: &'static str) -> Mark {
    Mark {
        text,
        is_sure: false,
    }
}

/// All of them. `*` is what a hidden cell looks like, and no value can be written so.
pub(crate) const MARKS: [Mark; 27] = [
    sure(""),
    sure("?"),
    sure("*"),
    sure("NA"),
    sure("N/A"),
    sure("n/a"),
    sure("#N/A"),
    sure("<NA>"),
    sure("NaN"),
    sure("nan"),
    sure("null"),
    sure("NULL"),
    doubtful("-"),
    doubtful("--"),
    doubtful("."),
    doubtful("na"),
    doubtful("Null"),
    doubtful("none"),
    doubtful("None"),
    doubtful("unknown"),
    doubtful("Unknown"),
    doubtful("UNKNOWN"),
    doubtful("missing"),
    doubtful("Missing"),
    doubtful("MISSING"),
    doubtful("n.a."),
    doubtful("not available"),
];

const LONGEST: usize = 13;

/// Which mark a cell equals.
pub(super) fn position(field: &[u8]) -> Option<usize> {
    if field.len() > LONGEST || field.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    MARKS.iter().position(|mark| mark.text.as_bytes() == field)
}
