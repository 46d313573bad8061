//! What is proposed for one column, and why.

use std::fmt::Write as _;

use super::bounds;
use super::grouping::{DraftedTaxonomy, Grouping, draft_taxonomy, likely_grouping};
use super::names;
use crate::error::Result;
use crate::table::{
    CodeSign, ColumnPlan, ColumnProfile, Guess, Interval, Kind, Look, PeopleSign, Role, Taxonomy,
    TreeSource, Unit, Unread, WORDS_KEPT, guess, name_words, parse_taxonomy,
};
use crate::words::{counted, grouped, percent};

/// A value that fewer rows have points at a person.
pub(super) const RARE: u64 = 5;

/// More rows than this with rare values, and the column is masked.
const MOST_RARE: f64 = 0.01;

/// More values than this are written to a file of their own.
const MOST_LISTED: usize = 60;

/// Whole numbers of which there are so few may be codes.
const FEW_NUMBERS: u64 = 10;

/// Nobody is older.
const OLDEST: f64 = 120.0;

/// What is proposed for a column.
#[derive(Debug)]
pub struct ColumnDraft {
    /// The name in the header.
    pub name: String,
    /// What it is to the release.
    pub role: Role,
    /// Why its kind and its role are what they are, a sentence each.
    pub reasons: Vec<String>,
    /// What was not understood about it.
    pub doubts: Vec<String>,
    /// Whether it seems to name people, again and again.
    pub(super) is_repeated_key: bool,
    pub(super) may_be_missing: bool,
    /// What its values can be; nothing where it is left out.
    pub(super) domain: Option<DomainDraft>,
}

/// What the values of a column can be.
#[derive(Debug)]
pub(super) enum DomainDraft {
    Numbers {
        interval: Interval,
        /// Whether the bounds are those of the data.
        from_data: bool,
    },
    Values(TreeDraft),
    Sets(TreeDraft, char),
}

/// A list of values, or a taxonomy for a file of its own.
#[derive(Debug)]
pub(super) enum TreeDraft {
    List(Vec<String>),
    File(DraftedTaxonomy),
}

impl ColumnDraft {
    /// The word for what its values are; nothing where it is left out.
    pub fn kind(&self) -> Option<&'static str> {
        self.domain.as_ref().map(|domain| match domain {
            DomainDraft::Numbers { interval, .. } if interval.unit() == Unit::Day => "date",
            DomainDraft::Numbers { .. } => "numeric",
            DomainDraft::Values(_) => "categorical",
            DomainDraft::Sets(..) => "set",
        })
    }

    /// The taxonomy that was drafted for it.
    pub(super) fn taxonomy(&self) -> Option<&DraftedTaxonomy> {
        match &self.domain {
            Some(
                DomainDraft::Values(TreeDraft::File(file))
                | DomainDraft::Sets(TreeDraft::File(file), _),
            ) => Some(file),
            _ => None,
        }
    }

    /// Whether what its values can be was read off the data.
    pub(super) fn is_from_data(&self) -> bool {
        match &self.domain {
            Some(DomainDraft::Numbers { from_data, .. }) => *from_data,
            Some(DomainDraft::Values(_) | DomainDraft::Sets(..)) => true,
            None => false,
        }
    }

    /// How a reader of the draft will read the column.
    pub(super) fn plan(&self) -> Result<ColumnPlan> {
        let kind = match &self.domain {
            None => None,
            Some(DomainDraft::Numbers { interval, .. }) => Some(Kind::Numbers {
                unit: interval.unit(),
                interval: Some(interval.clone()),
                step: interval.given_step(),
            }),
            Some(DomainDraft::Values(tree)) => Some(Kind::Values {
                tree: Some(tree.plan()?),
            }),
            Some(DomainDraft::Sets(tree, separator)) => Some(Kind::Sets {
                tree: Some(tree.plan()?),
                separator: separator.to_string(),
            }),
        };
        Ok(ColumnPlan {
            name: self.name.clone(),
            role: self.role,
            kind,
            may_be_missing: self.may_be_missing,
            weight: 1.0,
            domain_from_data: self.is_from_data(),
        })
    }
}

impl TreeDraft {
    fn plan(&self) -> Result<(Taxonomy, TreeSource)> {
        Ok(match self {
            Self::List(values) => (Taxonomy::star(values.iter().cloned())?, TreeSource::List),
            Self::File(file) => {
                let taxonomy =
                    parse_taxonomy(file.text.as_bytes(), std::path::Path::new("taxonomy"))?;
                (taxonomy, TreeSource::Taxonomy)
            }
        })
    }

    /// The tree of values with how often each occurs, and why it is the one.
    fn of(values: &[(&[u8], u64)], what: &str) -> (Self, String) {
        let mut values: Vec<String> = values
            .iter()
            .map(|(value, _)| String::from_utf8_lossy(value).into_owned())
            .collect();
        sort(&mut values);
        let grouping = likely_grouping(&values);
        let count = counted(values.len() as u64, what);
        if grouping == Grouping::Flat && values.len() <= MOST_LISTED {
            return (Self::List(values), count);
        }
        match draft_taxonomy(&values, grouping) {
            Ok(file) => {
                let reason = match grouping {
                    Grouping::Prefix => {
                        format!(
                            "{count} that look like codes: the drafted taxonomy puts together what begins alike"
                        )
                    }
                    Grouping::Bands => {
                        format!(
                            "{count} that are bands of numbers: the drafted taxonomy puts neighbours together"
                        )
                    }
                    Grouping::Flat | Grouping::Letters => {
                        format!("{count}, in a file because they are many, and for you to group")
                    }
                };
                (Self::File(file), reason)
            }
            Err(_) => (Self::List(values), count),
        }
    }
}

/// Numbers by their size, anything else by its letters.
fn sort(values: &mut [String]) {
    values.sort_unstable();
    let number = |value: &String| Unit::Number.parse(value);
    if values.iter().all(|value| number(value).is_some()) {
        values.sort_by(|a, b| {
            number(a)
                .unwrap_or(0.0)
                .total_cmp(&number(b).unwrap_or(0.0))
        });
    }
}

/// Proposes what to do with a column; `missing` are the texts that mean "no value".
pub(super) fn draft(column: &ColumnProfile, missing: &[String]) -> ColumnDraft {
    let mut draft = ColumnDraft {
        name: column.name.clone(),
        role: Role::Identifier,
        reasons: Vec::new(),
        doubts: Vec::new(),
        is_repeated_key: false,
        may_be_missing: false,
        domain: None,
    };
    let words = name_words(&column.name);
    let guess = guess(column);
    if draft.leave_out(column, guess, &words) {
        return draft;
    }
    draft.propose_domain(column, guess, &words, missing);
    if draft.domain.is_some() {
        draft.may_be_missing = column.n_missing() > 0;
        draft.propose_role(column, guess, &words);
    }
    draft
}

impl ColumnDraft {
    /// Leaves a column out that names people or cannot be published; whether it did.
    fn leave_out(&mut self, column: &ColumnProfile, guess: Guess, words: &[String]) -> bool {
        let n_different = column.different().at_least();
        let reason = match guess {
            Guess::Empty => {
                self.doubts.push("it has no values: left out".to_owned());
                "Empty: left out.".to_owned()
            }
            Guess::Unread(why) => {
                let (what, remedy) = match why {
                    Unread::Type => (
                        "it has a type that is neither a value nor a list of values",
                        "left out",
                    ),
                    Unread::NotText => (
                        "it is not UTF-8 text",
                        "left out; save the file as UTF-8 to have it",
                    ),
                    Unread::OtherDates => (
                        "it has dates in another form than YYYY-MM-DD, or with a time of day",
                        "left out; rewrite them to have it",
                    ),
                };
                self.doubts.push(format!("{what}: {remedy}"));
                format!("Not understood: {what}: {remedy}.")
            }
            _ if n_different == 1 && column.n_missing() == 0 => {
                self.doubts
                    .push("it has the same value in every row: left out".to_owned());
                "The same value in every row: left out.".to_owned()
            }
            Guess::People(PeopleSign::Look(look)) => {
                let what = match look {
                    Look::Mail => "mail addresses",
                    Look::Phone => "phone numbers",
                    Look::Internet => "addresses of the internet",
                    _ => "numbers that are made to be unique",
                };
                format!("Identifier: its values look like {what}.")
            }
            _ if names::reaches_people(words) && n_different > 2 => {
                "Identifier: by its name it says who somebody is, or how to reach them.".to_owned()
            }
            Guess::People(PeopleSign::Key) => {
                self.is_repeated_key = n_different < column.n_values;
                format!(
                    "Identifier: by its name a key, with {} in {}.",
                    counted(n_different, "different value"),
                    counted(column.n_values, "row")
                )
            }
            Guess::People(PeopleSign::NearlyUnique) => {
                let is_prose =
                    column.looks.common(n_different) == Some(Look::Prose) || names::is_prose(words);
                if is_prose {
                    self.doubts
                        .push("it is free text, in which anything may stand: left out".to_owned());
                    "Identifier: free text, in which anything may stand.".to_owned()
                } else {
                    format!(
                        "Identifier: {} in {}: nearly everybody has one of their own.",
                        counted(n_different, "different value"),
                        counted(column.n_values, "row")
                    )
                }
            }
            Guess::Numbers | Guess::Codes(_) if is_row_number(column) => {
                "Identifier: whole numbers without a gap, one for each row: they number the rows."
                    .to_owned()
            }
            _ => return false,
        };
        self.reasons.push(reason);
        true
    }

    fn propose_domain(
        &mut self,
        column: &ColumnProfile,
        guess: Guess,
        words: &[String],
        missing: &[String],
    ) {
        match guess {
            Guess::Numbers => self.propose_numbers(column, words),
            Guess::Days => self.propose_days(column),
            Guess::Sets(separator) => {
                let items = column.items().find(|(sign, _)| *sign == separator);
                let counts = items.map(|(_, items)| items.counted()).unwrap_or_default();
                let is_missing_mark =
                    |item: &[u8]| missing.iter().any(|mark| mark.as_bytes() == item);
                if counts.is_empty() || counts.iter().any(|(item, _)| is_missing_mark(item)) {
                    self.doubts.push(
                        "it seems to hold sets, and an item means \"no value\" elsewhere: left out"
                            .to_owned(),
                    );
                    self.reasons.push("Not understood: left out.".to_owned());
                    return;
                }
                let (tree, reason) = TreeDraft::of(&counts, "different item");
                self.reasons.push(format!(
                    "Sets with `{separator}` between their items: {reason}."
                ));
                self.domain = Some(DomainDraft::Sets(tree, separator));
            }
            Guess::Codes(_) | Guess::Words => self.propose_values(column, guess),
            Guess::Empty | Guess::People(_) | Guess::Unread(_) => {}
        }
    }

    fn propose_numbers(&mut self, column: &ColumnProfile, words: &[String]) {
        let numbers = &column.numbers;
        let (low, high) = (numbers.low, numbers.high);
        let is_age = words.iter().any(|word| word == "age")
            && numbers.are_whole
            && low >= 0.0
            && high <= OLDEST;
        let step = numbers
            .decimals
            .map(|decimals| 1.0 / 10_f64.powi(decimals as i32));
        let (below, above) = if is_age {
            (0.0, OLDEST)
        } else if low < high {
            bounds::outward(low, high, numbers.decimals)
        } else {
            (low, low + step.unwrap_or(1.0))
        };
        let interval = |step| Interval::new(below, above, step, Unit::Number, is_age);
        let Ok(interval) = interval(step).or_else(|_| interval(None)) else {
            self.doubts
                .push("its numbers are too far apart: left out".to_owned());
            self.reasons
                .push("Not understood: numbers too far apart: left out.".to_owned());
            return;
        };
        let what = if numbers.are_whole {
            "Whole numbers"
        } else {
            "Numbers"
        };
        let mut reason = format!("{what} from {low} to {high}");
        if is_age {
            let _ = write!(reason, "; the bounds are what anybody would say of ages");
        }
        self.reasons.push(format!("{reason}."));
        let n_different = column.different().at_least();
        if numbers.are_whole && n_different <= FEW_NUMBERS {
            self.doubts.push(format!(
                "it has only {} whole numbers, which may be codes: taken as numbers",
                grouped(n_different)
            ));
            self.reasons.push(format!(
                "Only {} of them: if they are codes, say `kind = \"categorical\"`.",
                grouped(n_different)
            ));
        }
        self.domain = Some(DomainDraft::Numbers {
            interval,
            from_data: !is_age,
        });
    }

    fn propose_days(&mut self, column: &ColumnProfile) {
        let Some((first, last)) = column.days else {
            return;
        };
        let (below, above) = bounds::whole_years(first, last);
        let days = Interval::new(f64::from(below), f64::from(above), None, Unit::Day, false);
        if let Ok(interval) = days {
            let (first, last) = (f64::from(first), f64::from(last));
            self.reasons.push(format!(
                "Dates from {} to {}; the bounds are whole years.",
                interval.number_text(first),
                interval.number_text(last)
            ));
            self.domain = Some(DomainDraft::Numbers {
                interval,
                from_data: true,
            });
        }
    }

    fn propose_values(&mut self, column: &ColumnProfile, guess: Guess) {
        let Some(values) = column.counted_words() else {
            let most = grouped(WORDS_KEPT as u64);
            self.doubts.push(format!(
                "it has more than {most} different values: left out"
            ));
            self.reasons.push(format!(
                "Not understood: more than {most} different values: left out."
            ));
            return;
        };
        let n_numbers = column.numbers.count;
        let (tree, reason) = TreeDraft::of(&values, "different value");
        let is_coded = matches!(&tree, TreeDraft::File(file) if file.grouping == Grouping::Prefix);
        let prefix = match guess {
            Guess::Codes(CodeSign::LeadingZeros) => "Codes, for some begin with a zero: ",
            Guess::Codes(CodeSign::Name) => "Codes, by its name, though written in digits: ",
            Guess::Codes(CodeSign::TwoValues) => {
                "Only two numbers, which are codes rather than amounts: "
            }
            Guess::Codes(CodeSign::Gaps) => {
                "Few whole numbers with gaps, which are codes rather than amounts: "
            }
            Guess::Codes(CodeSign::Long) => {
                "Codes, for they have more digits than a number keeps: "
            }
            _ => "",
        };
        self.reasons.push(format!("{prefix}{reason}."));
        if matches!(guess, Guess::Words) && n_numbers > 0 && !is_coded {
            let others = counted(column.n_values - n_numbers, "cell");
            self.doubts.push(format!(
                "it mixes numbers with {others} that {} none: taken as words",
                if column.n_values - n_numbers == 1 {
                    "is"
                } else {
                    "are"
                }
            ));
            self.reasons.push(format!(
                "Mixed: {} and {others} of something else. If the latter mean \"no value\", add them to `missing`.",
                counted(n_numbers, "number")
            ));
        }
        let n_different = column.different().at_least();
        if column.looks.common(n_different) == Some(Look::DressedNumber) {
            let what = "it has numbers with blanks, commas or signs, which are not read as numbers";
            self.doubts.push(format!("{what}: taken as words"));
            self.reasons
                .push(format!("Not understood: {what}; write them bare."));
        }
        self.domain = Some(DomainDraft::Values(tree));
    }

    fn propose_role(&mut self, column: &ColumnProfile, guess: Guess, words: &[String]) {
        let rare = rare_share(column);
        let quasi = if names::is_known_to_strangers(words) {
            Some("by its name, what others know of somebody".to_owned())
        } else if guess == Guess::Days {
            Some("what happened on a day can be looked up".to_owned())
        } else if matches!(guess, Guess::Sets(_)) {
            Some("several items together are hardly ever shared".to_owned())
        } else if rare > MOST_RARE {
            let share = percent(rare);
            Some(format!(
                "{share} of the rows have a value that fewer than {RARE} rows share"
            ))
        } else {
            None
        };
        if let Some(why) = quasi {
            self.role = Role::Quasi;
            self.reasons.push(format!("Quasi: {why}."));
        } else {
            self.role = Role::Plain;
            self.reasons.push(
                "Plain, published as it is: few rows have a rare value, and by its name others do not know it."
                    .to_owned(),
            );
        }
        if names::is_sensitive(words) {
            self.reasons.push(
                "Perhaps what nobody should learn about a person: then say `role = \"sensitive\"`."
                    .to_owned(),
            );
        }
    }
}

/// Whether whole numbers count the rows.
fn is_row_number(column: &ColumnProfile) -> bool {
    let numbers = &column.numbers;
    numbers.count >= 20
        && numbers.are_whole
        && column.different().share(column.n_values) >= 1.0
        && numbers.high - numbers.low + 1.0 == numbers.count as f64
}

/// The share of rows with a value that few rows have.
fn rare_share(column: &ColumnProfile) -> f64 {
    let Some(words) = column.counted_words() else {
        return 1.0;
    };
    let rare = words.iter().filter(|(_, count)| *count < RARE);
    let n_rare: u64 = rare.map(|(_, count)| count).sum();
    n_rare as f64 / column.n_values.max(1) as f64
}
