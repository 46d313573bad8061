//! Names and texts as TOML writes them.

use std::fmt::Write;

/// A text as a TOML string on one line.
pub(crate) fn toml_string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", letter as u32);
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// A name as a TOML key.
pub(crate) fn toml_key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        toml_string(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn toml_reads_what_was_written(name in any::<String>(), text in any::<String>()) {
            let line = format!("{} = {}", toml_key(&name), toml_string(&text));
            let table: toml::Table = toml::from_str(&line).unwrap();
            prop_assert_eq!(table.get(&name).and_then(toml::Value::as_str), Some(text.as_str()));
        }
    }
}
