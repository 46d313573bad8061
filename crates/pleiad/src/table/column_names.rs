//! What the name of a column says, in English: a hint, never more.

/// The words of a name in small letters: `patientID`, `patient_id` and `Patient id` are the same two.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before: Option<char> = None;
    for letter in name.chars() {
        let begins_word = letter.is_uppercase() && before.is_some_and(char::is_lowercase);
        if !letter.is_alphanumeric() || begins_word {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            let word = words.last_mut().expect("there is a word from the start on");
            word.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    words.retain(|word| !word.is_empty());
    words
}

const ID: [&str; 12] = [
    "id",
    "ids",
    "identifier",
    "nr",
    "no",
    "nbr",
    "number",
    "key",
    "ref",
    "uuid",
    "guid",
    "pid",
];

const CODE: [&str; 21] = [
    "id", "code", "codes", "cd", "zip", "zipcode", "postcode", "postal", "plz", "type", "class",
    "category", "group", "icd", "icd9", "icd10", "status", "flag", "kind", "label", "nbr",
];

const PLACE_OR_CLASSIFICATION: [&str; 11] = [
    "zip", "zipcode", "postcode", "postal", "plz", "icd", "icd9", "icd10", "code", "codes", "fips",
];

const COUNT: [&str; 12] = [
    "n", "num", "number", "count", "counts", "age", "year", "years", "hours", "days", "score",
    "rank",
];

/// Whether the name is that of a key, such as `patient_id`: its last word says so.
pub(crate) fn says_id(words: &[String]) -> bool {
    words.last().is_some_and(|word| ID.contains(&word.as_str()))
}

/// Whether the name is that of a code, whose digits are no amount.
pub(crate) fn says_code(words: &[String]) -> bool {
    has_any(words, &CODE)
}

/// Whether the name is that of a place or of a public classification, which many share though they are many.
pub(crate) fn says_classification(words: &[String]) -> bool {
    has_any(words, &PLACE_OR_CLASSIFICATION)
}

/// Whether the name is that of an amount.
pub(crate) fn says_count(words: &[String]) -> bool {
    has_any(words, &COUNT)
}

/// Whether one of the words is in a list.
pub(crate) fn has_any(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_apart_into_words() {
        for name in [
            "patientID",
            "patient_id",
            "Patient id",
            "patient-ID",
            " patient.Id ",
        ] {
            assert_eq!(name_words(name), ["patient", "id"], "{name}");
        }
        assert_eq!(name_words("fM3Long"), ["f", "m3long"]);
        assert_eq!(name_words("größe_cm"), ["größe", "cm"]);
        assert_eq!(name_words("__"), [""; 0]);
    }

    #[test]
    fn the_last_word_says_whether_it_is_a_key() {
        assert!(says_id(&name_words("account_number")));
        assert!(!says_id(&name_words("number_of_visits")));
        assert!(!says_id(&name_words("idle")));
        assert!(says_code(&name_words("admission_type_id")));
        assert!(!says_code(&name_words("education-num")));
    }
}
