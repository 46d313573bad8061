//! Bands of numbers as people write them: `[70-80)`, `18 to 25`, `<5`, `65+`, `[20, 40[`.

/// A band of numbers and how it is written.
#[derive(Debug, Clone)]
pub(crate) struct Band {
    pub(crate) text: String,
    pub(crate) low: Option<End>,
    pub(crate) high: Option<End>,
    /// What stands before, between and after the ends.
    pub(crate) marks: [String; 3],
}

/// An end of a band.
#[derive(Debug, Clone)]
pub(crate) struct End {
    pub(crate) number: f64,
    pub(crate) text: String,
    pub(crate) is_inside: bool,
}

/// What stands between two ends, the most telling first.
const BETWEEN: [&str; 7] = [" to ", ", ", " - ", "–", "-", ",", ".."];

/// What stands before a single end, and whether the band lies below it and has it inside.
const BEFORE: [(&str, bool, bool); 10] = [
    ("<=", true, true),
    ("≤", true, true),
    ("<", true, false),
    ("under ", true, false),
    ("up to ", true, true),
    (">=", false, true),
    ("≥", false, true),
    (">", false, false),
    ("over ", false, false),
    ("from ", false, true),
];

const AFTER: [&str; 4] = ["+", " and over", " and more", " or more"];

impl Band {
    /// One number.
    pub(crate) fn of_number(number: f64, text: &str) -> Self {
        let end = End {
            number,
            text: text.to_owned(),
            is_inside: true,
        };
        Self {
            text: text.to_owned(),
            low: Some(end.clone()),
            high: Some(end),
            marks: ["[", ", ", "]"].map(str::to_owned),
        }
    }

    /// Reads a band.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::one_sided(text).or_else(|| Self::two_sided(text))
    }

    fn one_sided(text: &str) -> Option<Self> {
        let band = |number: &str, is_below: bool, is_inside: bool| {
            let end = End {
                number: number.trim().parse().ok()?,
                text: number.trim().to_owned(),
                is_inside,
            };
            let (low, high) = if is_below {
                (None, Some(end))
            } else {
                (Some(end), None)
            };
            Some(Self {
                text: text.to_owned(),
                low,
                high,
                marks: Default::default(),
            })
        };
        let mut after = AFTER.iter().filter_map(|mark| text.strip_suffix(mark));
        if let Some(number) = after.next() {
            return band(number, false, true);
        }
        BEFORE.iter().find_map(|(mark, is_below, is_inside)| {
            band(text.strip_prefix(mark)?, *is_below, *is_inside)
        })
    }

    fn two_sided(text: &str) -> Option<Self> {
        let before = text.chars().next().filter(|sign| "[](".contains(*sign));
        let after = text.chars().last().filter(|sign| "[])".contains(*sign));
        if before.is_some() != after.is_some() {
            return None;
        }
        let inside = text
            .trim_start_matches(['[', ']', '('])
            .trim_end_matches(['[', ']', ')']);
        let ends = BETWEEN.iter().find_map(|between| {
            // A sign before the first number is no sign between two.
            let at = 1 + inside.get(1..)?.find(between)?;
            let (low, high) = (&inside[..at], &inside[at + between.len()..]);
            let end = |text: &str, is_inside: bool| {
                let number = text
                    .trim()
                    .parse()
                    .ok()
                    .filter(|number: &f64| number.is_finite())?;
                let text = text.trim().to_owned();
                Some(End {
                    number,
                    text,
                    is_inside,
                })
            };
            let low_is_inside = !matches!(before, Some(']' | '('));
            let high_is_inside = !matches!(after, Some('[' | ')'));
            Some((
                end(low, low_is_inside)?,
                *between,
                end(high, high_is_inside)?,
            ))
        });
        let (low, between, high) = ends.filter(|(low, _, high)| low.number < high.number)?;
        let mark = |sign: Option<char>| sign.map(String::from).unwrap_or_default();
        Some(Self {
            text: text.to_owned(),
            low: Some(low),
            high: Some(high),
            marks: [mark(before), between.to_owned(), mark(after)],
        })
    }

    /// Whether all of it lies before another.
    pub(crate) fn ends_before(&self, next: &Self) -> bool {
        match (&self.high, &next.low) {
            (Some(high), Some(low)) if high.is_inside && low.is_inside => high.number < low.number,
            (Some(high), Some(low)) => high.number <= low.number,
            _ => false,
        }
    }

    /// Whether a number lies inside.
    pub(crate) fn contains(&self, number: f64) -> bool {
        let above = |end: &End| number > end.number || end.is_inside && number == end.number;
        let below = |end: &End| number < end.number || end.is_inside && number == end.number;
        self.low.as_ref().is_none_or(above) && self.high.as_ref().is_none_or(below)
    }
}
