//! Amounts as people write them: units, currencies, nonsense.

use proptest::prelude::*;

use super::{Area, courts, dollars_a_month, duration, hours_a_month, number};

#[test]
fn numbers_are_read_as_they_are_written() {
    for (text, value) in [
        ("1,200", 1200.0),
        ("1.200,50", 1200.5),
        ("12 000", 12000.0),
        ("3.5", 3.5),
        ("3,5", 3.5),
        ("4k", 4000.0),
        ("1,234,567", 1_234_567.0),
    ] {
        assert_eq!(number(text), Some(value), "{text}");
    }
    assert_eq!(number("many"), None);
}

#[test]
fn areas_are_read_in_both_units() {
    let metres = |text: &str| Area::read(text).map(|area| area.0.round());
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
    assert_eq!(Area(1000.0).in_words(), "1,000 m² (10,764 sq ft)");
    for said in ["40,000 sq ft", "1,000 m²", "3716 m²", "10,764 sq ft"] {
        let words = Area::read(said).unwrap().in_words();
        assert_eq!(Area::read(&words).unwrap().in_words(), words, "{said}");
    }
}

#[test]
fn money_is_in_dollars_a_month() {
    assert_eq!(dollars_a_month("$3,500"), Ok(3500.0));
    assert_eq!(dollars_a_month("about 4k a month"), Ok(4000.0));
    assert_eq!(dollars_a_month("$42,000 a year"), Ok(3500.0));
    assert_eq!(dollars_a_month("$600 per week").map(f64::round), Ok(2600.0));
    assert_eq!(dollars_a_month("0"), Ok(0.0));
    for (band, middle) in [
        ("<$2,000", 1500.0),
        ("$2,000 - $5,000", 3500.0),
        ("$5,000 – $10,000", 7500.0),
        ("$10,000+", 12000.0),
    ] {
        assert_eq!(dollars_a_month(band), Ok(middle), "{band}");
    }
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
    assert_eq!(hours_a_month("2 hr"), Some(60.0));
    assert_eq!(hours_a_month("4 hours a day"), Some(120.0));
    assert_eq!(hours_a_month("30 minutes"), Some(15.0));
    assert_eq!(hours_a_month("two hours"), Some(60.0));
    assert_eq!(hours_a_month("20 hours a month"), Some(20.0));
    assert_eq!(hours_a_month("12 hours a week").map(f64::round), Some(52.0));
    assert!(
        duration("-2 hours").is_err()
            && duration("0 hours").is_err()
            && duration("9999 hours a day").is_err()
    );
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
        let _ = (number(&text), courts(&text), duration(&text), hours_a_month(&text), dollars_a_month(&text).is_ok(), Area::read(&text).is_ok());
    }

    #[test]
    fn whole_dollars_are_read_back(amount in 0_u32..5_000_000) {
        let text = super::super::money::dollars(f64::from(amount));
        prop_assert_eq!(dollars_a_month(&format!("{text} a month")), Ok(f64::from(amount)));
    }
}
