//! Numbers and names as people read them.

pub(crate) use pleiad::words::{counted, grouped, percent};

/// A measure; a ratio may be endless where the raw rows have no spread at all.
pub(crate) fn number(value: f64) -> String {
    if value.is_finite() {
        // There is no negative nothing.
        format!("{:.2}", (value * 100.0).round() / 100.0 + 0.0)
    } else {
        "endless".to_owned()
    }
}

/// A text of at most `most` characters.
pub(crate) fn cut(text: &str, most: usize) -> String {
    // Whatever would break a line or turn the direction of reading in a table is a blank here.
    let is_plain = |character: char| {
        !character.is_control()
            && !('\u{202a}'..='\u{202e}').contains(&character)
            && !('\u{2066}'..='\u{2069}').contains(&character)
    };
    let plain = |character: char| if is_plain(character) { character } else { ' ' };
    if text.chars().count() <= most {
        text.chars().map(plain).collect()
    } else {
        let kept = text.chars().take(most.saturating_sub(1)).map(plain);
        kept.chain(['…']).collect()
    }
}

/// The longest list of names in a sentence.
const MOST_LISTED: usize = 12;

/// Names as a sentence has them.
pub(crate) fn listed(names: &[String]) -> String {
    let short: Vec<String> = names
        .iter()
        .take(MOST_LISTED)
        .map(|name| cut(name, 40))
        .collect();
    if names.len() > MOST_LISTED {
        return format!(
            "{} and {} more",
            short.join(", "),
            names.len() - MOST_LISTED
        );
    }
    match short.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_never_rounded_to_all_or_nothing() {
        let written = [0.0, 0.001, 0.5, 0.999, 1.0].map(percent);
        assert_eq!(written, ["0 %", "<1 %", "50 %", ">99 %", "100 %"]);
    }

    #[test]
    fn measures_have_two_digits_and_no_sign_without_meaning() {
        let written = [-0.001, 0.994, -0.02, f64::INFINITY].map(number);
        assert_eq!(written, ["0.00", "0.99", "-0.02", "endless"]);
    }

    #[test]
    fn long_names_are_cut_by_characters_and_lose_what_breaks_lines() {
        assert_eq!(cut("Straße", 6), "Straße");
        assert_eq!(cut("Straßen", 6), "Straß…");
        assert_eq!(cut("a\nb\u{202e}c", 9), "a b c");
    }

    #[test]
    fn long_lists_are_counted() {
        let names: Vec<String> = (0..14).map(|number| format!("c{number}")).collect();
        assert_eq!(listed(&names[..1]), "c0");
        assert_eq!(listed(&names[..3]), "c0, c1 and c2");
        assert!(listed(&names).ends_with(", c11 and 2 more"));
    }
}
