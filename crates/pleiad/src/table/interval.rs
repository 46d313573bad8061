//! Intervals with a grid: the domain of numbers and dates.
//!
//! A number is kept as its place on the grid, an integer from 0 at the lower bound to `last` at the upper one. Sums of
//! places are exact, so no result depends on the order in which rows were added up.

use std::fmt::Write as _;

use crate::error::{Error, Result};

/// A place on a column's grid.
pub type Place = u32;

/// Steps of a grid whose spec gives none: as fine as a `u32` allows with a place left for "missing".
const FINEST_STEPS: f64 = (u32::MAX - 1) as f64;

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A plain number.
    Number,
    /// Days since 1970-01-01, written as `YYYY-MM-DD`.
    Day,
}

/// Bounds with a grid between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    low: f64,
    high: f64,
    step: f64,
    last: Place,
    unit: Unit,
    public_bounds: bool,
    decimals: usize,
}

impl Interval {
    /// Bounds with a grid of `step`, or the finest grid there is; `public` says that the bounds are the spec's, not
    /// the data's, and may be printed.
    pub fn new(low: f64, high: f64, step: Option<f64>, unit: Unit, public: bool) -> Result<Self> {
        if !low.is_finite() || !high.is_finite() {
            return Err(Error::spec("bounds must be finite numbers"));
        }
        if low >= high {
            return Err(Error::spec(format!(
                "the lower bound {} is not below the upper bound {}",
                write_unit(low, unit, 12),
                write_unit(high, unit, 12)
            )));
        }
        let Some(step) = step else {
            return Ok(Self {
                low,
                high,
                step: (high - low) / FINEST_STEPS,
                last: FINEST_STEPS as Place,
                unit,
                public_bounds: public,
                decimals: decimals_for((high - low) / FINEST_STEPS),
            });
        };
        if step.is_nan() || step <= 0.0 {
            return Err(Error::spec("the step of the grid must be above 0"));
        }
        let steps = ((high - low) / step).round();
        if steps > FINEST_STEPS {
            return Err(Error::spec(format!(
                "a step of {step} makes {steps:e} steps between the bounds; at most {FINEST_STEPS:e} fit"
            )));
        }
        if steps < 1.0 || (low + steps * step - high).abs() > step * 1e-6 {
            return Err(Error::spec(format!(
                "the bounds are not a whole number of steps of {step} apart"
            )));
        }
        Ok(Self {
            low,
            high,
            step,
            last: steps as Place,
            unit,
            public_bounds: public,
            decimals: decimals_for(step),
        })
    }

    /// The lower bound.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// The upper bound.
    pub fn high(&self) -> f64 {
        self.high
    }

    /// The distance of neighbouring places.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The place of the upper bound.
    pub fn last(&self) -> Place {
        self.last
    }

    /// The place that stands for a missing number, one past the upper bound.
    pub fn missing(&self) -> Place {
        self.last + 1
    }

    /// How a number is written.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Whether the bounds are public knowledge and may be printed.
    pub fn has_public_bounds(&self) -> bool {
        self.public_bounds
    }

    /// The place of a number inside the bounds and on the grid; nothing otherwise.
    pub fn place(&self, number: f64) -> Option<Place> {
        let steps = (number - self.low) / self.step;
        let nearest = steps.round();
        let on_grid = (steps - nearest).abs() <= 1e-6 || self.is_finest();
        // The finest grid may round a bound a hair outside.
        let inside = (0.0..=f64::from(self.last)).contains(&nearest);
        (on_grid && inside).then_some(nearest as Place)
    }

    fn is_finest(&self) -> bool {
        f64::from(self.last) == FINEST_STEPS
    }

    /// The number at a place.
    pub fn number(&self, place: Place) -> f64 {
        if place == self.last {
            self.high
        } else {
            self.low + f64::from(place) * self.step
        }
    }

    /// The text of the number at a place.
    pub fn text(&self, place: Place) -> String {
        self.number_text(self.number(place))
    }

    /// The text of any number in this column's unit, with the digits that its grid can tell apart.
    pub fn number_text(&self, number: f64) -> String {
        write_unit(number, self.unit, self.decimals)
    }

    /// The text of a mean: one digit more than the grid has, at least three significant ones.
    pub fn mean_text(&self, mean: f64) -> String {
        let digits = if mean == 0.0 { 0 } else { 2 - mean.abs().log10().floor() as i32 };
        let decimals = (self.decimals as i32 + 1).min(digits.max(0)) as usize;
        write_unit(mean, self.unit, decimals)
    }

    /// Reads a number or a date, as it stands in a file.
    pub fn parse(&self, text: &str) -> Option<f64> {
        parse_unit(text.as_bytes(), self.unit)
    }
}

/// Digits after the point that tell the places of a grid apart.
fn decimals_for(step: f64) -> usize {
    (0..12)
        .find(|&decimals| {
            let scaled = step * 10_f64.powi(decimals);
            scaled >= 1.0 - 1e-9 && (scaled - scaled.round()).abs() < 1e-6
        })
        .unwrap_or_else(|| (1.0 - step.log10()).ceil().clamp(0.0, 12.0) as i32) as usize
}

fn write_unit(number: f64, unit: Unit, decimals: usize) -> String {
    match unit {
        Unit::Day => day_text(number.round() as i32),
        Unit::Number => {
            let mut text = String::new();
            write!(text, "{number:.decimals$}").expect("writing to a string");
            if text.contains('.') {
                let kept = text.trim_end_matches('0').trim_end_matches('.').len();
                text.truncate(kept);
            }
            if text == "-0" { "0".to_owned() } else { text }
        }
    }
}

/// Reads a finite number or a date; nothing for anything else.
pub(crate) fn parse_unit(text: &[u8], unit: Unit) -> Option<f64> {
    match unit {
        Unit::Number => parse_number(text),
        Unit::Day => parse_day(text).map(f64::from),
    }
}

/// Reads a finite decimal number.
pub(crate) fn parse_number(text: &[u8]) -> Option<f64> {
    parse_short_decimal(text).or_else(|| {
        let number: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
        number.is_finite().then_some(number)
    })
}

/// The common case, several times faster than the general one: up to 15 digits make an exact mantissa, and one
/// division by an exact power of ten rounds once, as the general parser does.
fn parse_short_decimal(text: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let mut mantissa = 0_u64;
    let mut n_digits = 0;
    let mut point: Option<usize> = None;
    for (at, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 {
            mantissa = mantissa * 10 + u64::from(digit);
            n_digits += 1;
        } else if byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    if n_digits == 0 || n_digits > 15 {
        return None;
    }
    let decimals = point.map_or(0, |at| digits.len() - at - 1);
    let number = mantissa as f64 / POWERS[decimals];
    Some(if negative { -number } else { number })
}

/// Reads `YYYY-MM-DD` as days since 1970-01-01.
pub(crate) fn parse_day(text: &[u8]) -> Option<i32> {
    let digits = |range: std::ops::Range<usize>| -> Option<i32> {
        text[range].iter().try_fold(0, |value, &byte| {
            byte.is_ascii_digit()
                .then(|| value * 10 + i32::from(byte - b'0'))
        })
    };
    if text.len() != 10 || text[4] != b'-' || text[7] != b'-' {
        return None;
    }
    let date = jiff::civil::Date::new(
        digits(0..4)? as i16,
        digits(5..7)? as i8,
        digits(8..10)? as i8,
    )
    .ok()?;
    let span = date.since(epoch()).ok()?;
    Some(span.get_days())
}

/// Writes days since 1970-01-01 as `YYYY-MM-DD`.
pub(crate) fn day_text(day: i32) -> String {
    use jiff::ToSpan as _;
    match epoch().checked_add(day.days()) {
        Ok(date) => date.to_string(),
        // Outside the calendar's 9999 years nothing is ever read, so nothing is written either.
        Err(_) => format!("day {day}"),
    }
}

fn epoch() -> jiff::civil::Date {
    jiff::civil::date(1970, 1, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_and_dates_keep_their_places() {
        let ages = Interval::new(17.0, 90.0, Some(1.0), Unit::Number, true).unwrap();
        assert_eq!(ages.place(17.0), Some(0));
        assert_eq!(ages.place(90.0), Some(73));
        assert_eq!(ages.place(16.0), None);
        assert_eq!(ages.place(91.0), None);
        assert_eq!(ages.place(20.5), None);
        assert_eq!(ages.text(3), "20");
        let tenths = Interval::new(0.0, 10.0, Some(0.1), Unit::Number, true).unwrap();
        assert_eq!(tenths.place(0.3), Some(3));
        assert_eq!(tenths.text(3), "0.3");
        let quarters = Interval::new(0.0, 1.0, Some(0.25), Unit::Number, true).unwrap();
        assert_eq!(quarters.text(1), "0.25");
        let days = Interval::new(0.0, 20_000.0, Some(1.0), Unit::Day, true).unwrap();
        assert_eq!(days.text(1), "1970-01-02");
        assert_eq!(days.parse("2000-02-30"), None);
    }

    #[test]
    fn bad_bounds_are_refused() {
        for (low, high, step) in [
            (1.0, 1.0, None),
            (2.0, 1.0, None),
            (0.0, f64::NAN, None),
            (0.0, f64::INFINITY, None),
            (0.0, 1.0, Some(0.0)),
            (0.0, 1.0, Some(-1.0)),
            (0.0, 1.0, Some(0.3)),
            (0.0, 1.0, Some(2.0)),
            (0.0, 1e12, Some(1.0)),
        ] {
            assert!(Interval::new(low, high, step, Unit::Number, true).is_err());
        }
    }

    proptest! {
        #[test]
        fn the_fast_parser_agrees_with_the_standard_one(text in "-?[0-9]{0,9}(\\.[0-9]{0,7})?") {
            if let Some(number) = parse_short_decimal(text.as_bytes()) {
                prop_assert_eq!(number.to_bits(), text.parse::<f64>().unwrap().to_bits());
            }
        }

        #[test]
        fn the_finest_grid_keeps_ten_digits(low in -1e6_f64..1e6, width in 1e-3_f64..1e6, share in 0.0_f64..=1.0) {
            let interval = Interval::new(low, low + width, None, Unit::Number, true).unwrap();
            let number = low + share * width;
            let place = interval.place(number.min(interval.high())).unwrap();
            prop_assert!((interval.number(place) - number).abs() <= interval.step());
        }

        #[test]
        fn every_place_of_a_grid_is_read_back_from_its_text(steps in 1_u32..5000, decimals in 0..4_i32, low in -1000..1000_i32) {
            let step = 10_f64.powi(-decimals);
            let low = f64::from(low);
            let interval = Interval::new(low, low + f64::from(steps) * step, Some(step), Unit::Number, true).unwrap();
            for place in [0, steps / 2, steps] {
                let number = interval.parse(&interval.text(place)).unwrap();
                prop_assert_eq!(interval.place(number), Some(place));
            }
        }

        #[test]
        fn days_go_both_ways(day in -100_000_i32..100_000) {
            prop_assert_eq!(parse_day(day_text(day).as_bytes()), Some(day));
        }
    }
}
