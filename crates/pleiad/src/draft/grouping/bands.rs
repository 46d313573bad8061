//! Bands of numbers by their neighbours, and numbers in bands.

use super::Path;
use crate::table::{Band, End};

/// A group of bands that is small enough to be directly under the root.
const FEW_GROUPS: usize = 3;

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

/// More whole numbers than this are not listed for the sake of those between them.
const MOST_FILLED: f64 = 1_000.0;

/// Whole numbers with all others between the least and the greatest: that one is listed should say little about people.
pub(super) fn without_gaps(numbers: Vec<Band>) -> Vec<Band> {
    let (low, high) = ends(&numbers);
    let are_whole = numbers.iter().all(|band| number(band).fract() == 0.0);
    if !are_whole || high - low > MOST_FILLED {
        return numbers;
    }
    let whole = |at: u32| low + f64::from(at);
    (0..=(high - low) as u32)
        .map(|at| Band::of_number(whole(at), &whole(at).to_string()))
        .collect()
}

fn number(band: &Band) -> f64 {
    band.low.as_ref().map_or(0.0, |end| end.number)
}

fn ends(numbers: &[Band]) -> (f64, f64) {
    let low = numbers.iter().map(number).fold(f64::INFINITY, f64::min);
    let high = numbers.iter().map(number).fold(f64::NEG_INFINITY, f64::max);
    (low, high)
}

/// The path of each number: bands of round width that begin at a multiple of it, each twice as wide as those below.
pub(super) fn paths_of_numbers(numbers: &[Band]) -> Vec<Path> {
    let (low, high) = ends(numbers);
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

/// The nearest of 1, 2, 5, 10, 20, … from above; not below 1e-6.
fn round_width(width: f64) -> f64 {
    let width = width.max(1e-6);
    let power = 10_f64.powf(width.log10().floor());
    let round = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * power >= width);
    round.unwrap_or(10.0) * power
}

/// A number without the dust of floating point.
fn tidy(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}
