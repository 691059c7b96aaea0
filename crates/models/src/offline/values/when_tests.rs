//! Days and times in all languages, relative to a clock; without one nothing is guessed.

use super::*;

fn clock() -> Clock {
    Clock::read("Now: 2026-11-15T20:40:00+05:00, a Sunday.").expect("a clock")
}

fn days(raw: &str) -> Vec<Option<String>> {
    let when = When::find(&Text::new(raw), Some(&clock()));
    when.days
        .into_iter()
        .map(|day| day.date.map(|d| d.to_string()))
        .collect()
}

fn times(raw: &str) -> Vec<String> {
    let when = When::find(&Text::new(raw), Some(&clock()));
    when.times
        .into_iter()
        .map(|time| time.time.format("%H:%M").to_string())
        .collect()
}

#[test]
fn a_clock_is_read_from_a_line_that_tells_the_time() {
    let now = clock();
    assert_eq!(now.date.to_string(), "2026-11-15");
    assert_eq!(now.time.map(|t| t.to_string()).as_deref(), Some("20:40:00"));
    assert_eq!(now.offset.map(|o| o.local_minus_utc()), Some(5 * 3600));
    assert_eq!(
        Clock::read("Today is 2026-11-15.").map(|c| c.time),
        Some(None)
    );
    assert!(Clock::read("Сегодня 2026-11-15").is_some());
    assert!(Clock::read("The deadline is 2026-11-15").is_none());
    assert!(Clock::read("Now is the time").is_none());
}

#[test]
fn days_are_read_in_all_languages() {
    for (raw, expected) in [
        ("tomorrow", "2026-11-16"),
        ("the day after tomorrow", "2026-11-17"),
        ("послезавтра", "2026-11-17"),
        ("i morgon", "2026-11-16"),
        ("übermorgen", "2026-11-17"),
        ("on Friday", "2026-11-20"),
        ("on Sunday", "2026-11-22"),
        ("last Friday", "2026-11-13"),
        ("в пятницу", "2026-11-20"),
        ("15 ноября", "2026-11-15"),
        ("3 January", "2027-01-03"),
        ("1 November", "2026-11-01"),
        ("November 20th, 2027", "2027-11-20"),
        ("20th of November", "2026-11-20"),
        ("15.12.2026", "2026-12-15"),
        ("25/12/2026", "2026-12-25"),
        ("2026-12-01", "2026-12-01"),
        ("in 3 days", "2026-11-18"),
        ("через две недели", "2026-11-29"),
        ("om en vecka", "2026-11-22"),
        ("in a month", "2026-12-15"),
    ] {
        assert_eq!(days(raw), [Some(expected.to_owned())], "{raw}");
    }
}

#[test]
fn what_cannot_be_known_is_not_guessed() {
    assert_eq!(days("03/04/2026"), [None]);
    let text = Text::new("tomorrow at 14:00");
    let when = When::find(&text, None);
    assert_eq!(when.days[0].date, None);
    for raw in ["31 February", "99.99.2026", "soon", "next year", "may be"] {
        assert!(days(raw).iter().all(Option::is_none), "{raw}");
    }
}

#[test]
fn times_are_read_and_an_early_bare_hour_is_not() {
    for (raw, expected) in [
        ("14:00", "14:00"),
        ("at 9", "09:00"),
        ("2pm", "14:00"),
        ("2:30 pm", "14:30"),
        ("12 am", "00:00"),
        ("в 9 утра", "09:00"),
        ("в 2 дня", "14:00"),
        ("kl 17.30", "17:30"),
        ("um 10 Uhr", "10:00"),
        ("noon", "12:00"),
        ("in 2 hours", "22:40"),
    ] {
        assert_eq!(times(raw), [expected], "{raw}");
    }
    for raw in ["at 5", "за 3 дня", "25:00", "9", "at home"] {
        assert!(times(raw).is_empty(), "{raw}");
    }
}
