//! A date as a recruiter writes it. A date that the calendar does not have is refused; words such
//! as "next Tuesday" stay as they are.

use chrono::NaiveDate;

/// What was written, and the day where it was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DateText {
    pub(super) text: String,
    pub(super) day: Option<NaiveDate>,
}

const FORMATS: [&str; 6] = [
    "%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d %B %Y", "%d %b %Y", "%B %d %Y",
];

/// A date that was understood is written as year, month and day, which all five languages read.
pub(super) fn read_date(text: &str) -> Result<DateText, String> {
    let plain = text.trim().replace(',', " ");
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut days = FORMATS
        .iter()
        .filter_map(|format| NaiveDate::parse_from_str(&plain, format).ok());
    if let Some(day) = days.next() {
        return Ok(DateText {
            text: day.format("%Y-%m-%d").to_string(),
            day: Some(day),
        });
    }
    // Three numbers are meant as a date; the calendar does not have this one.
    let numbers = plain
        .split(['-', '.', '/'])
        .filter(|part| part.parse::<u32>().is_ok());
    if numbers.count() == 3 {
        let shown: String = plain.chars().take(40).collect();
        return Err(format!(
            "The date “{shown}” does not exist in the calendar. Please check day and month."
        ));
    }
    Ok(DateText {
        text: plain,
        day: None,
    })
}

/// 24-hour time: 9:30, 13:30 or 13.30.
pub(super) fn is_time(text: &str) -> bool {
    let Some((hour, minute)) = text.split_once([':', '.']) else {
        return false;
    };
    let within = |part: &str, most: u32| part.parse::<u32>().is_ok_and(|number| number <= most);
    (1..=2).contains(&hour.len()) && within(hour, 23) && minute.len() == 2 && within(minute, 59)
}

#[cfg(test)]
#[path = "date_text_tests.rs"]
mod date_text_tests;
