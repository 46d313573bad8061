//! Days as numbers, for the years that the table speaks of.

use std::fmt;

/// Days since 1 January 1901. From then until 2099 every fourth year is a leap year, so no century rule is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Day(pub u32);

const DAYS_IN_FOUR_YEARS: u32 = 4 * 365 + 1;
const MONTH_LENGTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

impl Day {
    pub(super) const fn first_of(year: u32) -> Self {
        let years = year - 1901;
        Self(years / 4 * DAYS_IN_FOUR_YEARS + years % 4 * 365)
    }

    /// Year, month (1–12) and day of the month (1–31).
    fn date(self) -> (u32, u32, u32) {
        let (cycle, in_cycle) = (self.0 / DAYS_IN_FOUR_YEARS, self.0 % DAYS_IN_FOUR_YEARS);
        // The last year of the cycle has a day more, which must not count as a fifth year.
        let year_in_cycle = (in_cycle / 365).min(3);
        let mut day = in_cycle - 365 * year_in_cycle;
        let mut month = 0;
        loop {
            let leap_day = u32::from(year_in_cycle == 3 && month == 1);
            let length = MONTH_LENGTHS[month] + leap_day;
            if day < length {
                return (1901 + 4 * cycle + year_in_cycle, month as u32 + 1, day + 1);
            }
            day -= length;
            month += 1;
        }
    }

    /// Whole years from this day to a later one: the age of someone born on this day.
    pub(super) fn years_until(self, later: Self) -> u32 {
        let (birth_year, birth_month, birth_day) = self.date();
        let (year, month, day) = later.date();
        year - birth_year - u32::from((month, day) < (birth_month, birth_day))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year}-{month:02}-{day:02}")
    }
}
