//! Bands of numbers, such as `[70-80)`, `18 to 25`, `<5` and `65+`, by their neighbours.

use super::Path;

/// A band of numbers and how it is written.
#[derive(Debug, Clone)]
pub(super) struct Band {
    text: String,
    low: Option<End>,
    high: Option<End>,
    /// What stands before, between and after the ends.
    marks: [String; 3],
}

#[derive(Debug, Clone)]
struct End {
    number: f64,
    text: String,
    is_inside: bool,
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

/// A group of bands that is small enough to be directly under the root.
const FEW_GROUPS: usize = 3;

impl Band {
    /// One number.
    pub(super) fn of_number(number: f64, text: &str) -> Self {
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

    fn parse(text: &str) -> Option<Self> {
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

    fn ends_before(&self, next: &Self) -> bool {
        match (&self.high, &next.low) {
            (Some(high), Some(low)) if high.is_inside && low.is_inside => high.number < low.number,
            (Some(high), Some(low)) => high.number <= low.number,
            _ => false,
        }
    }
}

/// The bands in order, if all values are bands and no two overlap.
pub(super) fn all(values: &[String]) -> Option<Vec<Band>> {
    let mut bands: Vec<Band> = values
        .iter()
        .map(|value| Band::parse(value))
        .collect::<Option<_>>()?;
    let place = |end: &Option<End>, without: f64| end.as_ref().map_or(without, |end| end.number);
    bands.sort_by(|a, b| {
        let by_low = place(&a.low, f64::NEG_INFINITY).total_cmp(&place(&b.low, f64::NEG_INFINITY));
        by_low.then(place(&a.high, f64::INFINITY).total_cmp(&place(&b.high, f64::INFINITY)))
    });
    let in_line = bands.windows(2).all(|pair| pair[0].ends_before(&pair[1]));
    in_line.then_some(bands)
}

/// The path of each band: neighbours two and two, then these two and two, until few are left.
pub(super) fn paths(bands: &[Band]) -> Vec<Path> {
    let mut paths: Vec<Path> = bands.iter().map(|band| vec![band.text.clone()]).collect();
    let mut width = 2;
    while bands.len().div_ceil(width / 2) > FEW_GROUPS {
        for (group, paths) in bands.chunks(width).zip(paths.chunks_mut(width)) {
            let label = label(&group[0], &group[group.len() - 1]);
            for path in paths {
                path.push(label.clone());
            }
        }
        width *= 2;
    }
    paths
}

/// The text of all that lies from one band to another.
fn label(first: &Band, last: &Band) -> String {
    if first.text == last.text {
        return first.text.clone();
    }
    match (&first.low, &last.high) {
        (Some(low), Some(high)) => {
            // One of the two may have no signs of its own.
            let [before, between, _] = &first.marks;
            let after = &last.marks[2];
            format!("{before}{}{between}{}{after}", low.text, high.text)
        }
        (None, Some(high)) => {
            let sign = if high.is_inside { "<=" } else { "<" };
            format!("{sign}{}", high.text)
        }
        (Some(low), None) => {
            let sign = if low.is_inside { ">=" } else { ">" };
            format!("{sign}{}", low.text)
        }
        (None, None) => format!("{} … {}", first.text, last.text),
    }
}

/// The path of each number: bands of round width that begin at a multiple of it, each twice as wide as those below.
pub(super) fn paths_of_numbers(numbers: &[Band]) -> Vec<Path> {
    let number = |band: &Band| band.low.as_ref().map_or(0.0, |end| end.number);
    let low = numbers.iter().map(number).fold(f64::INFINITY, f64::min);
    let high = numbers.iter().map(number).fold(f64::NEG_INFINITY, f64::max);
    let narrowest = round_width((high - low) / 16.0);
    let mut ordered: Vec<&Band> = numbers.iter().collect();
    ordered.sort_by(|a, b| number(a).total_cmp(&number(b)));
    let path = |band: &&Band| {
        let mut path = vec![band.text.clone()];
        let mut width = narrowest;
        while (high / width).floor() - (low / width).floor() >= 2.0 {
            let start = (number(band) / width).floor() * width;
            path.push(format!("[{}, {})", tidy(start), tidy(start + width)));
            width *= 2.0;
        }
        path
    };
    ordered.iter().map(path).collect()
}

/// The nearest of 1, 2, 5, 10, 20, … from below; not below 1e-6.
fn round_width(width: f64) -> f64 {
    let power = 10_f64.powf(width.max(1e-6).log10().floor());
    let round = [5.0, 2.0, 1.0]
        .into_iter()
        .find(|factor| factor * power <= width);
    round.unwrap_or(1.0) * power
}

/// A number without the dust of floating point.
fn tidy(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}
