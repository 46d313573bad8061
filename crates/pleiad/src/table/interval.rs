//! Intervals with a grid: the domain of numbers and dates.
//!
//! A number is kept as its place on the grid, an integer from 0 at the lower bound to `last` at the upper one. Sums of
//! places are exact, so no result depends on the order in which rows were added up.

use std::ops::RangeInclusive;

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

impl Unit {
    /// Reads a finite number or a date; nothing for anything else.
    pub fn parse(self, text: &str) -> Option<f64> {
        parse_unit(text.as_bytes(), self)
    }
}

/// How a date says that it means the middle of its day.
const MIDDAY: &str = "T12:00";

/// Bounds with a grid between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    low: f64,
    high: f64,
    step: f64,
    last: Place,
    unit: Unit,
    public_bounds: bool,
    /// How far from a place, in steps, a number may lie and still be that place.
    tolerance: f64,
}

/// A number within half a step of a place of the finest grid is that place.
const SNAPS: f64 = 0.5;

impl Interval {
    /// Bounds with a grid of `step`, or the finest grid there is (of dates: days); `public` says that the bounds are
    /// the spec's, not the data's, and may be printed.
    pub fn new(low: f64, high: f64, step: Option<f64>, unit: Unit, public: bool) -> Result<Self> {
        if !low.is_finite() || !high.is_finite() {
            return Err(Error::spec("bounds must be finite numbers"));
        }
        if unit == Unit::Day && !(is_day(low) && is_day(high)) {
            return Err(Error::spec(
                "bounds of dates must be days of the years 0 to 9999",
            ));
        }
        if low >= high {
            return Err(Error::spec(format!(
                "the lower bound {} is not below the upper bound {}",
                number_text(low, unit),
                number_text(high, unit)
            )));
        }
        let width = high - low;
        if !width.is_finite() {
            return Err(Error::spec("the bounds are too far apart"));
        }
        // Finer than this, a floating-point number near the bounds cannot tell two places apart.
        let resolution = (8.0 * f64::EPSILON * low.abs().max(high.abs())).max(f64::MIN_POSITIVE);
        let interval = |step: f64, steps: f64, tolerance: f64| Self {
            low,
            high,
            step,
            last: steps as Place,
            unit,
            public_bounds: public,
            tolerance,
        };
        let Some(step) = step.or((unit == Unit::Day).then_some(1.0)) else {
            let steps = (width / resolution).floor().clamp(1.0, FINEST_STEPS);
            return Ok(interval(width / steps, steps, SNAPS));
        };
        if step.is_nan() || step <= 0.0 {
            return Err(Error::spec("the step of the grid must be above 0"));
        }
        if unit == Unit::Day && step.fract() != 0.0 {
            return Err(Error::spec(
                "the step of dates must be a whole number of days",
            ));
        }
        let steps = (width / step).round();
        if steps > FINEST_STEPS {
            return Err(Error::spec(format!(
                "a step of {step} makes {steps:e} steps between the bounds; at most {FINEST_STEPS:e} fit"
            )));
        }
        if step < resolution {
            return Err(Error::spec(format!(
                "a step of {step} is too fine for numbers as large as the bounds"
            )));
        }
        let tolerance = (0.5 * resolution / step).max(1e-6);
        if steps < 1.0 || (low + steps * step - high).abs() > step * tolerance {
            return Err(Error::spec(format!(
                "the bounds are not a whole number of steps of {step} apart"
            )));
        }
        Ok(interval(step, steps, tolerance))
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

    /// The distance that the spec gives; nothing for the finest grid.
    pub fn given_step(&self) -> Option<f64> {
        (self.tolerance < SNAPS).then_some(self.step)
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
        // A bound that was written with the digits of its grid may lie a hair outside.
        if !(-0.5 < steps && steps < f64::from(self.last) + 0.5) {
            return None;
        }
        // Rounds: the cast cuts off. `f64::round` is a call on most processors that binaries are built for.
        let nearest = (steps + 0.5) as Place;
        ((steps - f64::from(nearest)).abs() <= self.tolerance).then_some(nearest)
    }

    /// The place nearest to a finite number, wherever it lies.
    pub fn nearest_place(&self, number: f64) -> Place {
        let steps = ((number - self.low) / self.step).round();
        steps.clamp(0.0, f64::from(self.last)) as Place
    }

    /// The number at a place.
    pub fn number(&self, place: Place) -> f64 {
        if place == self.last {
            self.high
        } else {
            self.low + f64::from(place) * self.step
        }
    }

    /// The number at a place with as few digits as tell it from its neighbours, so that what was read as 0.3 is
    /// written as 0.3.
    pub fn written_number(&self, place: Place) -> f64 {
        // A whole number is tried first, unless the steps are so large that rounder ones would do.
        let steps_are_small = self.step < 1.0 || self.tolerance < SNAPS;
        shortest(self.number(place), steps_are_small, |candidate| {
            self.place(candidate) == Some(place)
        })
    }

    /// The text of the number at a place; [`place`](Self::place) finds its way back from it.
    pub fn text(&self, place: Place) -> String {
        number_text(self.written_number(place), self.unit)
    }

    /// The text of any number in this column's unit, with the digits that its grid can tell apart.
    pub fn number_text(&self, number: f64) -> String {
        match self.unit {
            Unit::Number => {
                let near = |candidate: f64| (candidate - number).abs() <= 0.5 * self.step;
                number_text(shortest(number, false, near), self.unit)
            }
            Unit::Day => number_text(number, self.unit),
        }
    }

    /// The text of a mean, with as many decimals as tell a three-hundredth of the range: all means of a column alike.
    pub fn mean_text(&self, mean: f64) -> String {
        match self.unit {
            Unit::Number => {
                let decimals = (-((self.high - self.low) / 300.0).log10())
                    .ceil()
                    .clamp(0.0, 12.0);
                format!("{mean:.*}", decimals as usize)
            }
            Unit::Day => number_text(mean, self.unit),
        }
    }

    /// The text of a point between places, such as the middle of an interval: a number in full, or a date, followed by
    /// `T12:00` in the middle of a day.
    pub fn position_text(&self, place: f64) -> String {
        let number = self.low + place * self.step;
        match self.unit {
            Unit::Number => number_text(number, self.unit),
            Unit::Day if number.fract() == 0.0 => day_text(number),
            Unit::Day => format!("{}{MIDDAY}", day_text(number.floor())),
        }
    }

    /// Reads what [`position_text`](Self::position_text) wrote.
    pub fn parse_position(&self, text: &str) -> Option<f64> {
        let number = match (self.unit, text.strip_suffix(MIDDAY)) {
            (Unit::Day, Some(day)) => self.parse(day)? + 0.5,
            _ => self.parse(text)?,
        };
        let place = (number - self.low) / self.step;
        (-0.5..=f64::from(self.last) + 0.5)
            .contains(&place)
            .then_some(place)
    }

    /// Reads a number or a date, as it stands in a file.
    pub fn parse(&self, text: &str) -> Option<f64> {
        self.unit.parse(text)
    }
}

/// The number with the fewest digits that may stand for a number.
fn shortest(number: f64, whole_first: bool, may_stand: impl Fn(f64) -> bool) -> f64 {
    if may_stand(0.0) {
        return 0.0;
    }
    let whole = number.round();
    if whole_first && may_stand(whole) {
        return whole;
    }
    // 17 significant digits are any number exactly.
    (0..16)
        .filter_map(|decimals| format!("{number:.decimals$e}").parse().ok())
        .find(|&candidate| may_stand(candidate))
        .unwrap_or(number)
}

fn number_text(number: f64, unit: Unit) -> String {
    match unit {
        Unit::Day => day_text(number),
        Unit::Number => format!("{number}"),
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

/// The days of the years 0 to 9999, which is what `YYYY-MM-DD` can write.
const CALENDAR: RangeInclusive<f64> = -719_528.0..=2_932_896.0;

/// Writes days since 1970-01-01 as `YYYY-MM-DD`; days outside the calendar as its nearest one.
fn day_text(day: f64) -> String {
    use jiff::ToSpan as _;
    let day = day.round().clamp(*CALENDAR.start(), *CALENDAR.end()) as i32;
    epoch().saturating_add(day.days()).to_string()
}

/// Whether a number is a day that can be written as `YYYY-MM-DD`.
pub(super) fn is_day(number: f64) -> bool {
    CALENDAR.contains(&number) && number.fract() == 0.0
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
            (1e15, 1e15 + 1.0, Some(0.25)),
            (-1e308, 1e308, None),
        ] {
            assert!(Interval::new(low, high, step, Unit::Number, true).is_err());
        }
        assert!(Interval::new(0.0, 1.0, Some(0.5), Unit::Day, true).is_err());
        assert!(Interval::new(0.0, 2_932_897.0, None, Unit::Day, true).is_err());
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
        fn days_go_both_ways(day in -719_528_i32..=2_932_896) {
            prop_assert_eq!(parse_day(day_text(f64::from(day)).as_bytes()), Some(day));
        }
    }
}
