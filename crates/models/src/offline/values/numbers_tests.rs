//! Figures and numbers in words, with their units, amounts and currencies.

use super::*;

fn find(raw: &str) -> Vec<(f64, Option<Unit>, bool)> {
    let found = find_all(&Text::new(raw));
    found
        .into_iter()
        .map(|n| (n.value, n.unit, n.money))
        .collect()
}

#[test]
fn numbers_are_read_with_their_units() {
    for (raw, value, unit, money) in [
        ("50 000 руб", 50_000.0, None, true),
        ("1,200.50", 1_200.5, None, false),
        ("1.200,50 €", 1_200.5, None, true),
        ("$3,500", 3_500.0, None, true),
        ("3k", 3_000.0, None, false),
        ("30 тысяч", 30_000.0, None, false),
        ("90min", 90.0, Some(Unit::Minute), false),
        ("2 weeks", 2.0, Some(Unit::Week), false),
        ("twenty-five", 25.0, None, false),
        ("двадцать пять", 25.0, None, false),
        ("fünfundzwanzig", 25.0, None, false),
        ("tjugofem", 25.0, None, false),
        ("femogtyve", 25.0, None, false),
        ("top-3", 3.0, None, false),
    ] {
        assert_eq!(find(raw), [(value, unit, money)], "{raw}");
    }
}

#[test]
fn codes_and_times_are_no_numbers() {
    for raw in [
        "GP-2026-0007",
        "14:00",
        "abc",
        "",
        "7-8",
        "99999999999999999999",
    ] {
        assert_eq!(find(raw), [], "{raw}");
    }
}

#[test]
fn units_of_time_are_converted_where_that_is_exact() {
    let number = |raw: &str| find_all(&Text::new(raw)).remove(0);
    assert_eq!(
        number("2 hours").counted_in(Some(Unit::Minute)),
        Some(120.0)
    );
    assert_eq!(number("1 week").counted_in(Some(Unit::Day)), Some(7.0));
    assert_eq!(number("1 month").counted_in(Some(Unit::Day)), None);
    assert_eq!(number("5").counted_in(Some(Unit::Day)), Some(5.0));
}
