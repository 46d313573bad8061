//! The parser's messages in our own words.

use crate::error::Error;

/// Says what the deserialiser means to somebody who does not know Rust. A message that is not known stays as it is.
pub(super) fn reword(message: &str) -> Error {
    if let Some((wrong, valid)) = unknown_name(message, "unknown field `") {
        return suggest(Error::spec(format!("unknown key `{wrong}`")), wrong, &valid);
    }
    if let Some((wrong, valid)) = unknown_name(message, "unknown variant `") {
        let error = Error::spec(format!("`{wrong}` is not known here"));
        return suggest(error, wrong, &valid);
    }
    let mismatch = ["invalid type: ", "invalid value: "]
        .into_iter()
        .find_map(|start| message.strip_prefix(start))
        .and_then(|rest| rest.rsplit_once(", expected "));
    let (found, expected) = match mismatch {
        Some((found, expected)) => (Some(found), expected),
        None if message == "wanted string or table" => (None, "a string"),
        None => return Error::spec(message),
    };
    let expected = match expected {
        "u64" | "usize" => "a whole number that is not negative",
        "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list in [ ]",
        "a map" => "a section",
        "a string" => "text in quotes",
        other => other,
    };
    Error::spec(match found {
        Some(found) => format!("expected {expected}, found {found}"),
        None => format!("expected {expected}"),
    })
}

/// The wrong name and the valid ones in "unknown … `wrong`, expected one of `a`, `b`".
fn unknown_name<'m>(message: &'m str, start: &str) -> Option<(&'m str, Vec<&'m str>)> {
    let (wrong, valid) = message.strip_prefix(start)?.rsplit_once("`, expected ")?;
    Some((wrong, valid.split('`').skip(1).step_by(2).collect()))
}

fn suggest(error: Error, wrong: &str, valid: &[&str]) -> Error {
    let error = error.nearest(wrong, valid.iter().copied());
    if !error.hints().is_empty() {
        return error;
    }
    let names: Vec<String> = valid.iter().map(|name| format!("`{name}`")).collect();
    error.hint(format!("known are {}", names.join(", ")))
}
