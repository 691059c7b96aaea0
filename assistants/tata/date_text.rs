//! A date as a recruiter writes it. A date that the calendar does not have is a problem; words such as "next Tuesday"
//! stay as they are.

use chrono::NaiveDate;

/// A date that was understood, or words that name a day in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateText<'t> {
    Day(NaiveDate),
    Words(&'t str),
}

impl DateText<'_> {
    pub(super) fn day(self) -> Option<NaiveDate> {
        match self {
            DateText::Day(day) => Some(day),
            DateText::Words(_) => None,
        }
    }

    /// A date in the order of year, month and day, which all five languages read; words stay.
    pub(super) fn written(self) -> String {
        match self {
            DateText::Day(day) => day.format("%Y-%m-%d").to_string(),
            DateText::Words(words) => words.to_owned(),
        }
    }
}

/// Beginnings of month names in the five languages, in the order of the year.
const MONTHS: [&[&str]; 12] = [
    &["jan"],
    &["feb"],
    &["mar", "mär", "maer"],
    &["apr"],
    &["may", "maj", "mai"],
    &["jun"],
    &["jul"],
    &["aug"],
    &["sep"],
    &["oct", "okt"],
    &["nov"],
    &["dec", "des", "dez"],
];
/// With no year given, a leap year lets 29 February pass.
const SOME_LEAP_YEAR: i32 = 2028;

pub(super) fn read_date(text: &str) -> Result<DateText<'_>, String> {
    let lower = text.to_lowercase();
    let list: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let missing = || {
        let shown: String = text.chars().take(60).collect();
        format!("The date “{shown}” does not exist in the calendar. Please check day and month.")
    };
    match parts(text, &list) {
        None => Ok(DateText::Words(text)),
        Some((Some(year), month, day)) => NaiveDate::from_ymd_opt(year, month, day)
            .map(DateText::Day)
            .ok_or_else(missing),
        Some((None, month, day)) => {
            let exists = NaiveDate::from_ymd_opt(SOME_LEAP_YEAR, month, day).is_some();
            if exists {
                Ok(DateText::Words(text))
            } else {
                Err(missing())
            }
        }
    }
}

/// 24-hour time: 9:30, 13:30 or 13.30.
pub(super) fn is_time(text: &str) -> bool {
    let Some((hour, minute)) = text.split_once([':', '.']) else {
        return false;
    };
    let number =
        |s: &str, max: u32| (1..=2).contains(&s.len()) && s.parse::<u32>().is_ok_and(|n| n <= max);
    number(hour, 23) && minute.len() == 2 && number(minute, 59)
}

type YearMonthDay = (Option<i32>, u32, u32);

fn parts(text: &str, list: &[&str]) -> Option<YearMonthDay> {
    named_month(list).or_else(|| numeric(text, list))
}

/// "14 March 2026", "March 14", "den 14. marts".
fn named_month(list: &[&str]) -> Option<YearMonthDay> {
    let (at, month) = list.iter().enumerate().find_map(|(i, w)| {
        let letters = w.chars().count();
        let is_letters = w.chars().all(char::is_alphabetic) && letters >= 3;
        let month = MONTHS
            .iter()
            .position(|names| names.iter().any(|n| w.starts_with(n)))?;
        let plausible = letters <= 9;
        (is_letters && plausible).then_some((i, month as u32 + 1))
    })?;
    let number = |i: Option<usize>| {
        list.get(i?)
            .and_then(|w| leading_number(w))
            .filter(|n| *n <= 99)
    };
    let day = number(at.checked_sub(1)).or_else(|| number(Some(at + 1)))?;
    let year = list
        .iter()
        .filter_map(|word| word.parse::<u32>().ok())
        .find(|n| (1900..=2200).contains(n));
    Some((year.and_then(|y| i32::try_from(y).ok()), month, day))
}

/// "14th" and "3:e" begin with the day.
fn leading_number(word: &str) -> Option<u32> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    word[..digits].parse().ok()
}

/// 2026-03-14, 14.3.2026, 14/3/2026, 14/3.
fn numeric(text: &str, list: &[&str]) -> Option<YearMonthDay> {
    let numbers: Vec<u32> = list.iter().map_while(|word| word.parse().ok()).collect();
    let separated = text.contains(['-', '.', '/']);
    match numbers.as_slice() {
        [year, month, day] if *year >= 1900 && separated => {
            Some((i32::try_from(*year).ok(), *month, *day))
        }
        [day, month, year] if *year >= 1900 && separated => {
            Some((i32::try_from(*year).ok(), *month, *day))
        }
        [day, month] if separated && numbers.len() == list.len() => Some((None, *month, *day)),
        _ => None,
    }
}
