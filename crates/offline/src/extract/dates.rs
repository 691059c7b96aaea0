//! Dates and times of day, as numbers or with the name of a month.

use chrono::{Days, NaiveDate, NaiveTime};
use serde_json::Value;

use super::Reading;
use crate::lists;
use crate::schema::Kind;

/// A value and its byte range.
type SpannedValue = (usize, usize, Value);

impl Reading<'_> {
    pub(super) fn read_dates(&mut self) {
        for param in self.params(|kind| matches!(kind, Kind::Date | Kind::Time)) {
            let is_date = matches!(param.kind, Kind::Date);
            let found = if is_date {
                self.find_date()
            } else {
                self.find_time()
            };
            if let Some((start, end, value)) = found {
                self.take(param, value, start, end);
            }
        }
    }

    fn find_date(&self) -> Option<SpannedValue> {
        let mut places = 0..self.words.len();
        places.find_map(|at| {
            let (first, last, date) = self.date_at(at)?;
            let (start, end) = (self.words[first].start, self.words[last].end);
            (!self.is_used(start, end)).then(|| (start, end, Value::from(date.to_string())))
        })
    }

    fn date_at(&self, at: usize) -> Option<(usize, usize, NaiveDate)> {
        let lower = self.words[at].lower.as_str();
        let numeric = |format| NaiveDate::parse_from_str(lower, format).ok();
        let relative = self.today.and_then(|today| relative(lower, today));
        if let Some(date) = numeric("%Y-%m-%d")
            .or_else(|| numeric("%d.%m.%Y"))
            .or(relative)
        {
            return Some((at, at, date));
        }
        let month = (1..=12).find(|month| lists::begins(&format!("month {month}"), lower))?;
        let number = |at: usize| {
            let word = self.words.get(at)?;
            let digits = word.lower.trim_end_matches(|c: char| !c.is_ascii_digit());
            digits.parse::<u32>().ok()
        };
        // "14 March 2026" or "March 14, 2026".
        let day_before = at.checked_sub(1).and_then(number);
        let (first, day) = match day_before {
            Some(day) => (at - 1, day),
            None => (at, number(at + 1)?),
        };
        let last = if day_before.is_some() { at + 1 } else { at + 2 };
        let year = i32::try_from(number(last)?).ok()?;
        Some((first, last, NaiveDate::from_ymd_opt(year, month, day)?))
    }

    /// Finds `14:00` in the text itself, because a colon separates words.
    fn find_time(&self) -> Option<SpannedValue> {
        self.words.windows(2).find_map(|pair| {
            let (start, end) = (pair[0].start, pair[1].end);
            let time = NaiveTime::parse_from_str(&self.text[start..end], "%H:%M").ok()?;
            Some((start, end, Value::from(time.format("%H:%M:%S").to_string())))
        })
    }
}

fn relative(lower: &str, today: NaiveDate) -> Option<NaiveDate> {
    let day = Days::new(1);
    match lower {
        _ if lists::contains("today", lower) => Some(today),
        _ if lists::contains("tomorrow", lower) => today.checked_add_days(day),
        _ if lists::contains("yesterday", lower) => today.checked_sub_days(day),
        _ => None,
    }
}
