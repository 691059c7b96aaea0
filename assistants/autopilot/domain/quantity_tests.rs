//! Amounts as people write them: units, currencies, nonsense.

use proptest::prelude::*;

use super::super::span::Span;
use super::{
    area, area_as_stated, area_in_words, cleanings_a_month, courts, dollars_a_month, duration,
    hours_a_month, number, window_hours,
};

#[test]
fn numbers_are_read_as_they_are_written() {
    for (text, value) in [
        ("1,200", 1200.0),
        ("1.200,50", 1200.5),
        ("12 000", 12000.0),
        ("3.5", 3.5),
        ("3,5", 3.5),
        ("3.500", 3500.0),
        ("0.125", 0.125),
        ("4k", 4000.0),
        ("1,234,567", 1_234_567.0),
    ] {
        assert_eq!(number(text), Some(value), "{text}");
    }
    assert_eq!(number("many"), None);
}

#[test]
fn areas_are_read_in_both_units() {
    let metres = |text: &str| area(text).map(|area| area.low.round());
    assert_eq!(metres("1,000 m²"), Ok(1000.0));
    assert_eq!(metres("about 1000 square meters"), Ok(1000.0));
    assert_eq!(metres("10,764 sq ft"), Ok(1000.0));
    assert_eq!(metres("10764 sqft"), Ok(1000.0));
    assert_eq!(metres("20k square feet"), Ok(1858.0));
    assert!(metres("-5 m2").unwrap_err().contains("above zero"));
    assert!(
        metres("99999999999 m2")
            .unwrap_err()
            .contains("more than I can believe")
    );
    assert!(metres("12000").unwrap_err().contains("with its unit"));
    assert_eq!(
        area_in_words(Span::exact(1000.0)),
        "1,000 m² (10,764 sq ft)"
    );
    assert_eq!(area("400 to 500 m2"), Ok(Span::between(400.0, 500.0)));
    for said in [
        "40,000 sq ft",
        "1,000 m²",
        "3716 m²",
        "10,764 sq ft",
        "4,000-5,000 sq ft",
    ] {
        let words = area_as_stated(said).unwrap();
        assert_eq!(area_as_stated(&words), Ok(words.clone()), "{said}");
        assert_eq!(area(&words), area(said), "{said}");
    }
    for (said, all) in [
        ("4 floors of 650 m2 and a lobby", 2600.0),
        ("120 rooms, corridors on 4 floors of 650 m2 each", 2600.0),
        ("30 floors, 900 m2 each", 27_000.0),
        ("2 halls, 500 m² per hall", 1000.0),
        ("3 floors with 30,000 m² in all", 30_000.0),
        ("2,000 m² each night", 2000.0),
    ] {
        assert_eq!(metres(said), Ok(all), "{said}");
    }
}

#[test]
fn money_is_in_dollars_a_month() {
    for (text, month) in [
        ("$3,500", 3500.0),
        ("about 4k a month", 4000.0),
        ("$42,000 a year", 3500.0),
        ("$10,000+", 10_000.0),
        ("0", 0.0),
    ] {
        assert_eq!(dollars_a_month(text), Ok(Span::exact(month)), "{text}");
    }
    let week = dollars_a_month("$600 per week").unwrap();
    assert_eq!(week.low.round(), 2600.0);
    for (text, low, high) in [
        ("<$2,000", 0.0, 2000.0),
        ("less than 2k", 0.0, 2000.0),
        ("$2,000 - $5,000", 2000.0, 5000.0),
        ("$5,000 – $10,000", 5000.0, 10_000.0),
        ("between $3,000 and $4,000", 3000.0, 4000.0),
        ("2 to 3k", 2000.0, 3000.0),
    ] {
        assert_eq!(
            dollars_a_month(text),
            Ok(Span::between(low, high)),
            "{text}"
        );
    }
    assert!(
        dollars_a_month("he earns 19/h")
            .unwrap_err()
            .contains("pay for an hour")
    );
    assert!(dollars_a_month("€3000").unwrap_err().contains("US dollars"));
    assert!(dollars_a_month("30000 SEK").unwrap_err().contains("SEK"));
    assert!(
        dollars_a_month("-500 dollars")
            .unwrap_err()
            .contains("below zero")
    );
    assert!(
        dollars_a_month("$99,999,999,999")
            .unwrap_err()
            .contains("more than I can believe")
    );
    assert!(dollars_a_month("a lot").unwrap_err().contains("US dollars"));
}

#[test]
fn hours_are_a_months() {
    for (text, low, high) in [
        ("2 hr", 60.0, 60.0),
        ("4 hours a day", 120.0, 120.0),
        ("30 minutes", 15.0, 15.0),
        ("two hours", 60.0, 60.0),
        ("2-3 hours", 60.0, 90.0),
        ("20 hours a month", 20.0, 20.0),
        ("12 hours a week", 52.0, 52.0),
        ("2 people × 3 hours a day", 180.0, 180.0),
        ("2 people, 6 hours in total", 180.0, 180.0),
    ] {
        let found = hours_a_month(text, 30.0).unwrap();
        assert_eq!(
            (found.low.round(), found.high.round()),
            (low, high),
            "{text}"
        );
    }
    assert_eq!(hours_a_month("2 hr", 20.0), Some(Span::exact(40.0)));
    assert!(
        duration("-2 hours").is_err()
            && duration("0 hours").is_err()
            && duration("9999 hours a day").is_err()
    );
}

#[test]
fn cleanings_are_counted_by_the_month() {
    for (text, times) in [
        ("daily", 30.0),
        ("every night", 30.0),
        ("twice a day", 60.0),
        ("6 days a week", 26.0),
        ("weekly", 4.0),
        ("every other day", 15.0),
        ("on weekdays", 22.0),
        ("once a month", 1.0),
    ] {
        assert_eq!(
            cleanings_a_month(text).map(f64::round),
            Some(times),
            "{text}"
        );
    }
    assert_eq!(cleanings_a_month("when needed"), None);
}

#[test]
fn a_window_has_two_times_of_day() {
    assert_eq!(window_hours("from 10 pm to 6 am"), Some(8.0));
    assert_eq!(window_hours("22:00-05:30"), Some(7.5));
    assert_eq!(window_hours("3 to 4"), None);
    assert_eq!(window_hours("overnight"), None);
}

#[test]
fn courts_are_counted_in_whole_numbers() {
    assert_eq!(courts("6"), Ok("6".to_owned()));
    assert_eq!(courts("six"), Ok("6".to_owned()));
    assert_eq!(courts("12+"), Ok("12+".to_owned()));
    for bad in ["-3", "0", "2.5", "100000", "some"] {
        assert!(courts(bad).is_err(), "{bad}");
    }
}

proptest! {
    #[test]
    fn nothing_that_is_typed_breaks_the_reading(text in "\\PC{0,80}") {
        let _ = (number(&text), courts(&text), duration(&text), hours_a_month(&text, 30.0), dollars_a_month(&text).is_ok(), area(&text).is_ok(), cleanings_a_month(&text), window_hours(&text));
    }

    #[test]
    fn whole_dollars_are_read_back(amount in 0_u32..5_000_000) {
        let text = super::super::money::dollars(f64::from(amount));
        prop_assert_eq!(dollars_a_month(&format!("{text} a month")), Ok(Span::exact(f64::from(amount))));
    }
}
