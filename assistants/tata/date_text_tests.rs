//! Dates and times as people write them.

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
        assert_eq!(read_date(text).unwrap().0, "2026-03-14", "{text}");
    }
    assert_eq!(read_date(" next Tuesday ").unwrap().0, "next Tuesday");
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
