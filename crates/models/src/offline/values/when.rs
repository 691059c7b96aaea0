//! Dates and times as people say them. What depends on today is only known when a
//! context line tells what day it is.

mod calendar;
mod day;

use std::ops::Range;

use chrono::{Days, FixedOffset, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::super::words::Text;
use super::numbers::{Unit, number_at};
use day::day_at;

/// What a context line says about now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) date: NaiveDate,
    pub(crate) time: Option<NaiveTime>,
    pub(crate) offset: Option<FixedOffset>,
}

/// A day that was named; unknown when it depends on a today that nobody told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Day {
    pub(crate) span: Range<usize>,
    pub(crate) date: Option<NaiveDate>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Time {
    pub(crate) span: Range<usize>,
    pub(crate) time: NaiveTime,
}

/// All days and times in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct When {
    pub(crate) days: Vec<Day>,
    pub(crate) times: Vec<Time>,
}

impl Clock {
    /// Reads "Today is 2026-11-15", "Now: 2026-11-15T20:40:00+05:00" and their like.
    pub(crate) fn read(line: &str) -> Option<Clock> {
        const TELLS: [&str; 10] = [
            "today",
            "now",
            "current date",
            "current time",
            "date:",
            "сегодня",
            "сейчас",
            "idag",
            "i dag",
            "heute",
        ];
        let lower = line.to_lowercase();
        if !TELLS.iter().any(|word| lower.contains(word)) {
            return None;
        }
        let (at, date) = line
            .match_indices('-')
            .filter_map(|(dash, _)| dash.checked_sub(4))
            .find_map(|at| Some((at, iso_date(line.get(at..)?)?)))?;
        let rest = line[at + 10..].trim_start_matches(['T', 't', ' ', ',']);
        let time = iso_time(rest);
        let offset = time.and_then(|_| {
            let rest =
                rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':' || c == '.');
            iso_offset(rest.trim_start())
        });
        Some(Clock { date, time, offset })
    }

    fn moment(&self) -> Option<NaiveDateTime> {
        Some(self.date.and_time(self.time?))
    }
}

fn iso_date(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text.get(..10)?, "%Y-%m-%d").ok()
}

fn iso_time(text: &str) -> Option<NaiveTime> {
    let short = text.get(..5)?;
    let seconds = text
        .get(..8)
        .and_then(|long| NaiveTime::parse_from_str(long, "%H:%M:%S").ok());
    seconds.or_else(|| NaiveTime::parse_from_str(short, "%H:%M").ok())
}

fn iso_offset(text: &str) -> Option<FixedOffset> {
    if text.starts_with(['Z', 'z']) {
        return FixedOffset::east_opt(0);
    }
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let hours: i32 = text.get(1..3)?.parse().ok()?;
    let minutes: i32 = text
        .get(3..)?
        .trim_start_matches(':')
        .get(..2)?
        .parse()
        .ok()?;
    FixedOffset::east_opt(sign * (hours * 3600 + minutes * 60))
}

impl When {
    pub(crate) fn find(text: &Text, clock: Option<&Clock>) -> When {
        let mut when = When::default();
        let mut index = 0;
        while index < text.words.len() {
            let step = when.read_at(text, index, clock);
            index += step.max(1);
        }
        when
    }

    /// Takes what starts with this word and says how many words it was.
    fn read_at(&mut self, text: &Text, index: usize, clock: Option<&Clock>) -> usize {
        let span = |count: usize| text.words[index].start..text.words[index + count - 1].end;
        if let Some((delta, count)) = from_now(text, index) {
            let (day, time) = after(delta, clock);
            self.days.push(Day {
                span: span(count),
                date: day,
            });
            if let Some(time) = time {
                self.times.push(Time {
                    span: span(count),
                    time,
                });
            }
            return count;
        }
        if let Some((day, count)) = day_at(text, index, clock) {
            let word = &text.words[index].lower;
            if let Some(time) = word.get(11..).and_then(iso_time) {
                self.times.push(Time {
                    span: span(count),
                    time,
                });
            }
            self.days.push(Day {
                span: span(count),
                date: day,
            });
            return count;
        }
        if let Some((time, count)) = time_at(text, index) {
            self.times.push(Time {
                span: span(count),
                time,
            });
            return count;
        }
        0
    }
}

enum Delta {
    Days(u64),
    Months(u32),
    Minutes(i64),
}

/// "in 3 days", "через две недели", "om tre dagar".
fn from_now(text: &Text, index: usize) -> Option<(Delta, usize)> {
    if !["in", "через", "om", "after", "etter", "efter", "nach"]
        .contains(&text.words[index].lower.as_str())
    {
        return None;
    }
    let alone = |at: usize| Some((1.0, Unit::named(&text.words.get(at)?.lower)?, at + 1));
    let next = text.words.get(index + 1)?;
    let article = ["a", "an", "en", "et", "ett", "einer", "einem"].contains(&next.lower.as_str());
    let (count, unit, end) = if article {
        alone(index + 2)?
    } else if let Some(number) = number_at(text, index + 1) {
        (number.value, number.unit?, number.words.end)
    } else {
        alone(index + 1)?
    };
    const MOST: f64 = 10_000.0;
    if !(0.0..=MOST).contains(&count) || count.fract() != 0.0 {
        return None;
    }
    let whole = count as u32;
    let delta = match unit {
        Unit::Minute => Delta::Minutes(i64::from(whole)),
        Unit::Hour => Delta::Minutes(i64::from(whole) * 60),
        Unit::Day => Delta::Days(u64::from(whole)),
        Unit::Week => Delta::Days(u64::from(whole) * 7),
        Unit::Month => Delta::Months(whole),
        Unit::Year => Delta::Months(whole * 12),
    };
    Some((delta, end - index))
}

fn after(delta: Delta, clock: Option<&Clock>) -> (Option<NaiveDate>, Option<NaiveTime>) {
    let Some(clock) = clock else {
        return (None, None);
    };
    match delta {
        Delta::Days(days) => (clock.date.checked_add_days(Days::new(days)), None),
        Delta::Months(months) => (clock.date.checked_add_months(Months::new(months)), None),
        Delta::Minutes(minutes) => {
            let moment = clock
                .moment()
                .and_then(|now| now.checked_add_signed(TimeDelta::minutes(minutes)));
            (moment.map(|m| m.date()), moment.map(|m| m.time()))
        }
    }
}

/// A time of day that starts with this word.
fn time_at(text: &Text, index: usize) -> Option<(NaiveTime, usize)> {
    let word = text.words[index].lower.as_str();
    let next = text.words.get(index + 1).map(|w| w.lower.as_str());
    if let Some(time) = calendar::named_time(word) {
        return Some((time, 1));
    }
    let lead = ["at", "kl", "klockan", "klokken", "um", "в", "к"].contains(&word);
    if lead && index + 1 < text.words.len() {
        let clock = &text.words[index + 1].lower.replace('.', ":");
        let after = text.words.get(index + 2).map(|w| w.lower.as_str());
        // "at 15% of the lease", "в 7 дней": a share and a stretch of time are no hours.
        let counted = number_at(text, index + 1)
            .is_some_and(|number| number.percent || number.money || number.unit.is_some());
        let hours = ["часов", "часа", "час", "дня"];
        let counted = counted && !after.is_some_and(|after| hours.contains(&after));
        if let Some((time, extra)) = clock_time(clock, after, true).filter(|_| !counted) {
            return Some((time, 2 + extra));
        }
    }
    let (time, extra) = clock_time(word, next, false)?;
    Some((time, 1 + extra))
}

/// "14:00", "2pm", "2:30" with "pm" after it, and after a lead also the bare hour.
fn clock_time(word: &str, next: Option<&str>, lead: bool) -> Option<(NaiveTime, usize)> {
    let digits = word.trim_end_matches(char::is_alphabetic);
    let ending = &word[digits.len()..];
    let (half, extra) = match (calendar::half_of_day(ending), next) {
        (Some(half), _) => (Some(half), 0),
        (None, _) if !ending.is_empty() => return None,
        // "в 3 дня" is a time, "за 3 дня" is not.
        (None, Some(next)) => match calendar::half_of_day(next).filter(|_| lead || next != "дня")
        {
            Some(half) => (Some(half), 1),
            None => (None, 0),
        },
        (None, None) => (None, 0),
    };
    let says_hour = next.is_some_and(|n| ["uhr", "o'clock", "часов", "часа", "час"].contains(&n));
    let (hour, minute) = match digits.split_once(':') {
        Some((hour, minute)) => (hour, minute.get(..2)?),
        None if half.is_some() || lead || (says_hour && next == Some("uhr")) => (digits, "00"),
        None => return None,
    };
    let hour: u32 = hour.parse().ok()?;
    let minute: u32 = minute.parse().ok()?;
    let has_minutes = digits.contains(':');
    // "at 5" is said of the afternoon as often as of the morning.
    if half.is_none() && !has_minutes && !says_hour && hour < 7 {
        return None;
    }
    let hour = match half {
        Some(calendar::Half::Afternoon) if hour < 12 => hour + 12,
        Some(calendar::Half::Morning) if hour == 12 => 0,
        Some(_) | None => hour,
    };
    let extra = if extra == 0 && says_hour { 1 } else { extra };
    Some((NaiveTime::from_hms_opt(hour, minute, 0)?, extra))
}

#[cfg(test)]
#[path = "when_tests.rs"]
mod when_tests;
