//! Guessing the kind of a column from what it looks like, for files that nobody described.

use super::column_names::{name_words, says_classification, says_code, says_count, says_id};
use super::domain::Role;
use super::interval::Unit;
use super::plan::{ColumnPlan, IncompleteRows, Kind, Plan};
use super::profile::{ColumnProfile, Items, Look, Profile};

/// Fewer values than this say nothing about how often values recur.
const FEW_VALUES: u64 = 20;

/// Words that nearly all differ name people rather than groups.
const NEARLY_ALL: f64 = 0.9;

/// So do words of which there are many, and more than half differ.
const MANY_WORDS: u64 = 1_000;

/// A key that recurs has at most so many rows.
const MOST_ROWS_OF_A_KEY: f64 = 10.0;

/// More whole numbers than this are amounts, whatever their gaps.
const MOST_CODES: u64 = 5;

/// More whole numbers than this are no codes, whatever the column is called.
const MOST_NAMED_CODES: u64 = 1_000;

/// Whole numbers beyond this are not exact any more: they are names.
const EXACT: f64 = 9e15;

/// What a column seems to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guess {
    /// It has no values.
    Empty,
    /// Numbers.
    Numbers,
    /// Days.
    Days,
    /// One of several values that are written in digits.
    Codes(CodeSign),
    /// One of several values.
    Words,
    /// Items with this between them.
    Sets(char),
    /// Names or numbers of people, or of whatever has a row.
    People(PeopleSign),
    /// Nothing that can be read.
    Unread(Unread),
}

/// Why digits are no amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodeSign {
    /// A zero before other digits.
    LeadingZeros,
    /// The column is called so.
    Name,
    /// There are only two of them.
    TwoValues,
    /// They are few and leave gaps.
    Gaps,
    /// They have more digits than a number keeps.
    Long,
}

/// Why a column seems to name people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PeopleSign {
    /// It looks like something by which people are reached.
    Look(Look),
    /// It is called a key, and has as many values as one.
    Key,
    /// Nearly all of its words differ.
    NearlyUnique,
}

/// Why a column is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// The file has a type for it that is no value and no list of values.
    Type,
    /// It is not UTF-8.
    NotText,
    /// Dates in another form than `YYYY-MM-DD`, or with a time of day.
    OtherDates,
}

/// What a column seems to be.
pub(crate) fn guess(column: &ColumnProfile) -> Guess {
    let words = name_words(&column.name);
    if column.is_foreign {
        return Guess::Unread(Unread::Type);
    }
    if column.n_not_text > 0 {
        return Guess::Unread(Unread::NotText);
    }
    if column.n_values == 0 {
        return Guess::Empty;
    }
    if matches!(column.known, Some(Kind::Sets { .. })) {
        return Guess::Sets(';');
    }
    if column.is_all_days() {
        return Guess::Days;
    }
    let different = column.different();
    let look = column.looks.common(different.at_least());
    let is_typed_date = matches!(
        column.known,
        Some(Kind::Numbers {
            unit: Unit::Day,
            ..
        })
    );
    if is_typed_date || look == Some(Look::OtherDate) {
        return Guess::Unread(Unread::OtherDates);
    }
    if is_key(column, &words) {
        return Guess::People(PeopleSign::Key);
    }
    if column.is_all_numbers() {
        return guess_numbers(column, &words);
    }
    if let Some(look @ (Look::Mail | Look::Phone | Look::Internet | Look::Uuid)) = look {
        return Guess::People(PeopleSign::Look(look));
    }
    if let Some(separator) = separator(column, look) {
        return Guess::Sets(separator);
    }
    let share = different.share(column.n_values);
    let nearly_unique = column.n_values >= FEW_VALUES && share >= NEARLY_ALL
        || different.at_least() >= MANY_WORDS && share > 0.5;
    if nearly_unique && !says_classification(&words) {
        return Guess::People(PeopleSign::NearlyUnique);
    }
    Guess::Words
}

fn guess_numbers(column: &ColumnProfile, words: &[String]) -> Guess {
    let numbers = &column.numbers;
    if numbers.n_codes > 0 {
        return Guess::Codes(CodeSign::LeadingZeros);
    }
    if !numbers.are_whole || column.n_values < FEW_VALUES {
        return Guess::Numbers;
    }
    if numbers.low.abs().max(numbers.high.abs()) > EXACT {
        return Guess::Codes(CodeSign::Long);
    }
    let n_different = column.different().at_least();
    let has_equal_lengths = numbers.shortest == numbers.longest && numbers.shortest >= 3;
    if says_code(words) && (n_different <= MOST_NAMED_CODES || has_equal_lengths) {
        return Guess::Codes(CodeSign::Name);
    }
    if says_count(words) {
        return Guess::Numbers;
    }
    let has_gaps = numbers.high - numbers.low + 1.0 > n_different as f64;
    match n_different {
        2 => Guess::Codes(CodeSign::TwoValues),
        3..=MOST_CODES if has_gaps => Guess::Codes(CodeSign::Gaps),
        _ => Guess::Numbers,
    }
}

/// Whether a column is a key: called so, and with as many different values as rows or not much fewer.
fn is_key(column: &ColumnProfile, words: &[String]) -> bool {
    let different = column.different();
    let are_names = !column.is_all_numbers() || column.numbers.are_whole;
    says_id(words)
        && are_names
        && different.at_least() >= FEW_VALUES
        && different.share(column.n_values) * MOST_ROWS_OF_A_KEY >= 1.0
}

/// What stands between items, if the cells are sets: items recur in other company.
fn separator(column: &ColumnProfile, look: Option<Look>) -> Option<char> {
    let is_set = |separator: char, items: &Items| {
        let n_items = items.counted().len() as u64;
        !items.has_too_many()
            && items.n_different_several >= 2
            && items.n_contradictions == 0
            && items.recurring() >= 0.5
            && n_items <= column.different().at_least()
            // Two parts in every cell are a name and a first name, a place and its country.
            && (separator != ',' || items.sizes_differ || items.n_several < column.n_values)
    };
    if matches!(look, Some(Look::DressedNumber | Look::Prose)) {
        return None;
    }
    let sets = column
        .items()
        .filter(|(separator, items)| is_set(*separator, items));
    sets.max_by_key(|(_, items)| items.n_several)
        .map(|(separator, _)| separator)
}

/// The plan that follows from the guesses, domains left to the data.
pub(super) fn plan(profile: &Profile) -> Plan {
    Plan {
        delimiter: None,
        missing: profile.missing_texts(),
        incomplete_rows: IncompleteRows::Refuse,
        person: None,
        columns: profile.columns.iter().map(column_plan).collect(),
        source: None,
    }
}

fn column_plan(column: &ColumnProfile) -> ColumnPlan {
    let kind = match guess(column) {
        Guess::Numbers => Some(numbers(Unit::Number)),
        Guess::Days => Some(numbers(Unit::Day)),
        Guess::Empty if column.known.is_some() => column.known.clone(),
        // What is no text is for the reader to complain about, with the line.
        Guess::Empty | Guess::Codes(_) | Guess::Words | Guess::Unread(Unread::NotText) => {
            Some(Kind::Values { tree: None })
        }
        Guess::Sets(separator) => Some(Kind::Sets {
            tree: None,
            separator: separator.to_string(),
        }),
        Guess::People(_) | Guess::Unread(Unread::Type | Unread::OtherDates) => None,
    };
    ColumnPlan {
        role: if kind.is_some() {
            Role::Plain
        } else {
            Role::Identifier
        },
        name: column.name.clone(),
        kind,
        may_be_missing: column.n_missing() > 0,
        weight: 1.0,
        domain_from_data: false,
    }
}

/// A kind of numbers whose bounds come from the data.
pub(super) fn numbers(unit: Unit) -> Kind {
    Kind::Numbers {
        unit,
        interval: None,
        step: None,
    }
}
