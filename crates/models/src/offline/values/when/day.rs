//! Days: written in digits, by name, by distance from today.

use chrono::{Datelike, NaiveDate, TimeDelta};

use super::super::super::words::Text;
use super::calendar::{MONTHS, WEEKDAYS, place, relative_day};
use super::{Clock, iso_date};

/// A day that starts with this word, and how many words name it.
pub(super) fn day_at(
    text: &Text,
    index: usize,
    clock: Option<&Clock>,
) -> Option<(Option<NaiveDate>, usize)> {
    let word = text.words[index].lower.as_str();
    if let Some(date) = iso_date(word) {
        return Some((Some(date), 1));
    }
    if let Some(date) = numeric(text, index) {
        return Some(date);
    }
    if let Some((days, count)) = relative_day(text, index) {
        let date = clock.and_then(|clock| clock.date.checked_add_signed(TimeDelta::days(days)));
        return Some((date, count));
    }
    if let Some(weekday) = place(&WEEKDAYS, word) {
        return Some((
            clock.and_then(|clock| next_weekday(text, index, weekday, clock)),
            1,
        ));
    }
    day_and_month(text, index, clock)
}

fn next_weekday(text: &Text, index: usize, weekday: usize, clock: &Clock) -> Option<NaiveDate> {
    const BACK: [&str; 9] = [
        "last",
        "прошлый",
        "прошлую",
        "прошлое",
        "förra",
        "sidste",
        "forrige",
        "letzten",
        "letzter",
    ];
    let today = clock.date.weekday().num_days_from_monday() as usize;
    let ahead = match (weekday + 7 - today) % 7 {
        0 => 7,
        days => days,
    };
    let before = index
        .checked_sub(1)
        .is_some_and(|at| BACK.contains(&text.words[at].lower.as_str()));
    let days = if before {
        ahead as i64 - 7
    } else {
        ahead as i64
    };
    let days = if before && days == 0 { -7 } else { days };
    clock.date.checked_add_signed(TimeDelta::days(days))
}

/// "15.11.2026", "15/11/2026". With both parts below 13 a slash may mean either order,
/// and such a date is left for the person to say again.
fn numeric(text: &Text, index: usize) -> Option<(Option<NaiveDate>, usize)> {
    let word = text.words[index].lower.as_str();
    let dotted: Vec<u32> = word
        .split('.')
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    if let [day, month, year] = dotted.as_slice() {
        return Some((Some(date(*year, *month, *day)?), 1));
    }
    let slashed: Vec<u32> = (index..index + 3)
        .map(|at| {
            let joined = at == index || text.words.get(at).is_some() && text.gap_before(at) == "/";
            joined.then(|| text.words.get(at)?.lower.parse().ok())?
        })
        .collect::<Option<_>>()?;
    match slashed.as_slice() {
        [first, second, year] if *first > 12 => Some((Some(date(*year, *second, *first)?), 3)),
        [first, second, year] if *second > 12 => Some((Some(date(*year, *first, *second)?), 3)),
        [first, second, year] if first == second => Some((Some(date(*year, *first, *second)?), 3)),
        [_, _, year] if *year > 2000 => Some((None, 3)),
        _ => None,
    }
}

fn date(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    let year = if year < 100 { 2000 + year } else { year };
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

/// "15 November 2026", "November 15th", "15 ноября".
fn day_and_month(
    text: &Text,
    index: usize,
    clock: Option<&Clock>,
) -> Option<(Option<NaiveDate>, usize)> {
    let month_at = |at: usize| place(&MONTHS, &text.words.get(at)?.lower);
    let day_at = |at: usize| day_number(&text.words.get(at)?.lower);
    let (day, month, mut next) = if let Some(day) = day_at(index) {
        let of = text.words.get(index + 1).is_some_and(|w| w.lower == "of");
        let at = index + 1 + usize::from(of);
        (day, month_at(at)?, at + 1)
    } else {
        let month = month_at(index)?;
        let the = text.words.get(index + 1).is_some_and(|w| w.lower == "the");
        let at = index + 1 + usize::from(the);
        (day_at(at)?, month, at + 1)
    };
    let month = u32::try_from(month).ok()? + 1;
    let year = text
        .words
        .get(next)
        .and_then(|word| word.lower.parse::<u32>().ok())
        .filter(|year| (1900..2200).contains(year));
    let date = match (year, clock) {
        (Some(year), _) => {
            next += 1;
            Some(date(year, month, day)?)
        }
        (None, Some(clock)) => nearest(clock.date, month, day),
        (None, None) => None,
    };
    Some((date, next - index))
}

/// Without a year the day nearest to today is meant.
fn nearest(today: NaiveDate, month: u32, day: u32) -> Option<NaiveDate> {
    [0, -1, 1]
        .iter()
        .filter_map(|shift| NaiveDate::from_ymd_opt(today.year() + shift, month, day))
        .min_by_key(|date| (*date - today).num_days().abs())
}

fn day_number(lower: &str) -> Option<u32> {
    let digits = lower.trim_end_matches(|c: char| !c.is_ascii_digit());
    let ending = &lower[digits.len()..];
    let is_ordinal = ["", "st", "nd", "rd", "th", "-го", "го", ":e", "e"].contains(&ending);
    let day: u32 = digits.parse().ok()?;
    (is_ordinal && (1..=31).contains(&day)).then_some(day)
}
