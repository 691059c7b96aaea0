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
mod date_text_tests {
    use super::*;

    #[test]
    fn dates_are_written_in_one_way() {
        for text in [
            "2026-03-14",
            "14.3.2026",
            "14/03/2026",
            "14 March 2026",
            "March 14, 2026",
        ] {
            assert_eq!(read_date(text).unwrap().text, "2026-03-14", "{text}");
        }
        assert_eq!(read_date(" next Tuesday ").unwrap().text, "next Tuesday");
    }

    #[test]
    fn days_that_do_not_exist_are_refused() {
        for text in ["2026-02-30", "31.4.2026", "2026-13-01"] {
            assert!(read_date(text).unwrap_err().contains(text), "{text}");
        }
    }

    #[test]
    fn times_have_24_hours() {
        assert!(is_time("9:30") && is_time("13.30") && is_time("23:59"));
        assert!(!is_time("24:00") && !is_time("9") && !is_time("9:5") && !is_time("half past"));
    }
}
