//! A date as a recruiter writes it. A date that the calendar does not have is refused; words such
//! as "next Tuesday" stay as they are.

use chrono::{NaiveDate, NaiveTime};

const FORMATS: [&str; 6] = [
    "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d %B %Y", "%d %b %Y", "%B %d %Y",
];

/// The date in words, and its day if it was understood. Such a date is written as year, month and day,
/// which all five languages read.
pub(super) fn read_date(text: &str) -> Result<(String, Option<NaiveDate>), String> {
    let plain = text.trim().replace(',', " ");
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut days = FORMATS
        .iter()
        .filter_map(|format| NaiveDate::parse_from_str(&plain, format).ok());
    if let Some(day) = days.next() {
        return Ok((day.format("%Y-%m-%d").to_string(), Some(day)));
    }
    // Three numbers are a date that the calendar does not have.
    let numbers = plain
        .split(['-', '.', '/'])
        .filter(|part| part.parse::<u32>().is_ok());
    if numbers.count() == 3 {
        let shown: String = plain.chars().take(40).collect();
        return Err(format!(
            "The date “{shown}” does not exist in the calendar. Please check day and month."
        ));
    }
    Ok((plain, None))
}

/// 24-hour time: 9:30, 13:30 or 13.30.
pub(super) fn is_time(text: &str) -> bool {
    let minutes = text.rsplit([':', '.']).next().unwrap_or_default();
    minutes.len() == 2 && NaiveTime::parse_from_str(&text.replace('.', ":"), "%H:%M").is_ok()
}

#[cfg(test)]
#[path = "date_text_tests.rs"]
mod date_text_tests;
