//! Dates and times of day, as numbers or with the name of a month.

use chrono::{Days, NaiveDate, NaiveTime};
use serde_json::Value;

use super::Reading;
use crate::schema::Kind;

/// Beginnings of the months' names in the languages of the phrases, in order.
const MONTHS: [&[&str]; 12] = [
    &["jan", "янв"],
    &["feb", "фев"],
    &["mar", "mär", "мар"],
    &["apr", "апр"],
    &["may", "maj", "mai", "мая", "май"],
    &["jun", "июн"],
    &["jul", "июл"],
    &["aug", "авг"],
    &["sep", "сен"],
    &["oct", "okt", "окт"],
    &["nov", "ноя"],
    &["dec", "dez", "des", "дек"],
];

const TODAY: [&str; 5] = ["today", "idag", "heute", "сегодня", "dag"];
const TOMORROW: [&str; 4] = ["tomorrow", "imorgon", "morgen", "завтра"];
const YESTERDAY: [&str; 4] = ["yesterday", "igår", "gestern", "вчера"];

impl Reading<'_> {
    pub(super) fn read_dates(&mut self) {
        for param in self.params(|kind| matches!(kind, Kind::Date)) {
            let Some((start, end, date)) = self.find_date() else {
                continue;
            };
            self.used.push((start, end));
            self.put(param, Value::from(date.to_string()));
        }
        for param in self.params(|kind| matches!(kind, Kind::Time)) {
            let Some((start, end, time)) = self.find_time() else {
                continue;
            };
            self.used.push((start, end));
            self.put(param, Value::from(time.format("%H:%M:%S").to_string()));
        }
    }

    fn find_date(&self) -> Option<(usize, usize, NaiveDate)> {
        let free = |start: usize, end: usize| !self.is_used(start, end);
        let words = &self.words;
        for (at, word) in words.iter().enumerate() {
            if let Some(date) = numeric(&word.lower).filter(|_| free(word.start, word.end)) {
                return Some((word.start, word.end, date));
            }
            let Some(month) = month(&word.lower) else {
                continue;
            };
            let number = |at: Option<usize>| {
                let word = words.get(at?)?;
                let digits = word.lower.trim_end_matches(|c: char| !c.is_ascii_digit());
                Some((word, digits.parse::<u32>().ok()?))
            };
            let before = number(at.checked_sub(1));
            let (first, day) = before.or_else(|| number(Some(at + 1)))?;
            let year_at = if before.is_some() { at + 1 } else { at + 2 };
            let (last, year) = number(Some(year_at))?;
            let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
            return Some((first.start.min(word.start), last.end, date));
        }
        self.relative_date()
    }

    fn relative_date(&self) -> Option<(usize, usize, NaiveDate)> {
        let today = self.today?;
        self.words.iter().find_map(|word| {
            let lower = word.lower.as_str();
            let date = if TODAY.contains(&lower) {
                today
            } else if TOMORROW.contains(&lower) {
                today.checked_add_days(Days::new(1))?
            } else if YESTERDAY.contains(&lower) {
                today.checked_sub_days(Days::new(1))?
            } else {
                return None;
            };
            Some((word.start, word.end, date))
        })
    }

    /// `14:00`, read from the text itself: a colon separates words.
    fn find_time(&self) -> Option<(usize, usize, NaiveTime)> {
        self.words.windows(2).find_map(|pair| {
            let text = self.text.get(pair[0].start..pair[1].end)?;
            let time = NaiveTime::parse_from_str(text, "%H:%M").ok()?;
            Some((pair[0].start, pair[1].end, time))
        })
    }
}

fn numeric(text: &str) -> Option<NaiveDate> {
    let formats = ["%Y-%m-%d", "%d.%m.%Y"];
    let mut dates = formats
        .iter()
        .map(|format| NaiveDate::parse_from_str(text, format));
    dates.find_map(Result::ok)
}

fn month(lower: &str) -> Option<u32> {
    let starts = |names: &&[&str]| names.iter().any(|name| lower.starts_with(name));
    let place = MONTHS.iter().position(|names| starts(names))?;
    u32::try_from(place + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written() {
        assert_eq!(numeric("2026-03-14").unwrap().to_string(), "2026-03-14");
        assert_eq!(numeric("14.03.2026").unwrap().to_string(), "2026-03-14");
        assert_eq!(numeric("2026-02-30"), None);
        assert_eq!(month("märz"), Some(3));
        assert_eq!(month("октября"), Some(10));
    }
}
