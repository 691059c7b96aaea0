//! Tests of `numbers`.

use super::*;
use crate::text::words;

fn read(text: &str) -> Vec<(f64, bool, bool)> {
    let words = words(text);
    let found = (0..words.len()).filter_map(|at| figure(&words, at, text));
    found.map(|f| (f.value, f.percent, f.money)).collect()
}

#[test]
fn numbers_are_read_as_people_write_them() {
    assert_eq!(read("$3,500 a month")[0], (3500.0, false, true));
    assert_eq!(read("до 50 тысяч")[0].0, 50_000.0);
    assert_eq!(read("50 000 рублей")[0], (50_000.0, false, true));
    assert_eq!(read("2,5 Stunden")[0].0, 2.5);
    assert_eq!(read("70% used")[0], (70.0, true, false));
    assert_eq!(read("used 60 percent")[0], (60.0, true, false));
    assert_eq!(read("топ-5")[0].0, 5.0);
    assert_eq!(read("80cm wide")[0].0, 80.0);
    assert_eq!(read("70к")[0].0, 70_000.0);
    assert!(read("GP-2026-0007").is_empty());
    assert!(read("COVID-19-free v2beta").is_empty());
}

#[test]
fn a_number_has_no_hidden_unit() {
    // "time" is Danish for hour, and "to" for two; neither changes a number.
    assert_eq!(read("time to fill 16 days"), [(16.0, false, false)]);
}
