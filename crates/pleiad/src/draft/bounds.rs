//! Bounds from the data, rounded outward so that they say less about the least and the greatest value.

use jiff::civil::Date;

/// Round bounds are about this many round steps apart.
const ROUND_STEPS: f64 = 10.0;

/// Bounds around two different numbers: multiples of 1, 2 or 5 times a power of ten, and of the grid.
pub(super) fn outward(low: f64, high: f64, decimals: Option<usize>) -> (f64, f64) {
    let finest = decimals.map_or(i32::MIN, |decimals| -(decimals as i32));
    let wanted = (high - low) / ROUND_STEPS;
    let mut power = (wanted.log10().floor() as i32).max(finest);
    let factors = [1.0, 2.0, 5.0];
    let factor = factors
        .into_iter()
        .find(|factor| times_power(*factor, power) >= wanted);
    let factor = factor.unwrap_or_else(|| {
        power += 1;
        1.0
    });
    // The multiple is counted first: a power of ten below 1 is no exact number, its inverse is.
    let multiple = |number: f64, round: fn(f64) -> f64| {
        times_power(round(times_power(number, -power) / factor) * factor, power)
    };
    let (below, above) = (multiple(low, f64::floor), multiple(high, f64::ceil));
    // Rounding itself may have gone a hair too far.
    (below.min(low), above.max(high))
}

fn times_power(number: f64, power: i32) -> f64 {
    if power >= 0 {
        number * 10_f64.powi(power)
    } else {
        number / 10_f64.powi(-power)
    }
}

/// The first day of the year of one day and the last of the year of another, as days since 1970-01-01.
pub(super) fn whole_years(first: i32, last: i32) -> (i32, i32) {
    let epoch = jiff::civil::date(1970, 1, 1);
    let day = |days: i32| epoch.saturating_add(jiff::Span::new().days(days));
    let since_epoch = |date: Date| date.since(epoch).map_or(0, |span| span.get_days());
    (
        since_epoch(day(first).first_of_year()),
        since_epoch(day(last).last_of_year()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_round_and_outside() {
        for (low, high, decimals, expected) in [
            (17.0, 90.0, Some(0), (10.0, 90.0)),
            (1.0, 14.0, Some(0), (0.0, 14.0)),
            (1.0, 3.0, Some(0), (1.0, 3.0)),
            (0.0, 99_999.0, Some(0), (0.0, 100_000.0)),
            (13_492.0, 1_490_400.0, Some(0), (0.0, 1_600_000.0)),
            (0.00632, 88.9762, Some(5), (0.0, 90.0)),
            (0.385, 0.871, Some(3), (0.35, 0.9)),
            (-331.78, 238.321, None, (-400.0, 300.0)),
        ] {
            let (below, above) = outward(low, high, decimals);
            assert!(below <= low && above >= high);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs().max(1.0);
            assert!(
                near(below, expected.0) && near(above, expected.1),
                "{low} {high}: {below} {above}"
            );
        }
    }

    #[test]
    fn dates_are_in_whole_years() {
        let day = |text: &str| crate::table::parse_day(text.as_bytes()).unwrap();
        let (first, last) = whole_years(day("1998-03-04"), day("2008-02-29"));
        assert_eq!((first, last), (day("1998-01-01"), day("2008-12-31")));
    }
}
