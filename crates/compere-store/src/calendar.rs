//! The calendar, for people who read times. Nothing is computed with it but the month that credits are renewed in.

/// A moment in UTC, in the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    pub year: i64,
    /// From 1.
    pub month: usize,
    /// From 1.
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    pub milli: i64,
}

impl Civil {
    /// Of milliseconds since 1970.
    pub fn of(millis: i64) -> Self {
        let (days, rest) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
        // Days counted in eras of 400 years that begin in March.
        let shifted = days + 719_468;
        let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let yearday = day - (365 * year + year / 4 - year / 100);
        let march = (5 * yearday + 2) / 153;
        let month = if march < 10 { march + 3 } else { march - 9 };
        Self {
            year: era * 400 + year + i64::from(month <= 2),
            month: month as usize,
            day: yearday - (153 * march + 2) / 5 + 1,
            hour: rest / 3_600_000,
            minute: rest / 60_000 % 60,
            second: rest / 1000 % 60,
            milli: rest % 1000,
        }
    }

    /// As people say it: `22 November 2026`.
    pub fn spoken(&self) -> String {
        const MONTHS: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        format!("{} {} {}", self.day, MONTHS[self.month.clamp(1, 12) - 1], self.year)
    }

    /// `2026-11-21`
    pub fn date(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// `09:30`
    pub fn time(&self) -> String {
        format!("{:02}:{:02}", self.hour, self.minute)
    }
}

#[cfg(test)]
mod tests {
    use super::Civil;

    #[test]
    fn leap_days_and_ends_of_years_are_where_they_belong() {
        let shown = |millis| {
            let civil = Civil::of(millis);
            format!("{} {}:{:02}.{:03}", civil.date(), civil.time(), civil.second, civil.milli)
        };
        assert_eq!(shown(0), "1970-01-01 00:00:00.000");
        assert_eq!(shown(-1), "1969-12-31 23:59:59.999");
        assert_eq!(shown(951_782_400_000), "2000-02-29 00:00:00.000");
        assert_eq!(shown(1_709_210_096_789), "2024-02-29 12:34:56.789");
        assert_eq!(shown(1_767_225_599_999), "2025-12-31 23:59:59.999");
        assert_eq!(shown(1_767_225_600_000), "2026-01-01 00:00:00.000");
        assert_eq!(Civil::of(1_767_225_600_000).spoken(), "1 January 2026");
    }
}
