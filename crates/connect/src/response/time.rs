//! Times in the notations that systems use.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeZone, Utc};
use chrono_tz::Tz;
use serde_json::Value;

/// Notations without a zone. Days come before months where a slash or a dot separates them.
const NAIVE: [&str; 8] = [
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M",
    "%d/%m/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
];

const DAYS: [&str; 3] = ["%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y"];

/// A larger number counts milliseconds: it would be a second after the year 5000.
const LARGEST_SECONDS: f64 = 1e11;

/// The time that a value writes as text, or as seconds or milliseconds since 1970. A time without a
/// zone is in this one.
pub fn moment(value: &Value, zone: Tz) -> Option<DateTime<Utc>> {
    match value {
        Value::Number(number) => since_1970(number.as_f64()?),
        Value::String(text) => written(text.trim(), zone),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn written(text: &str, zone: Tz) -> Option<DateTime<Utc>> {
    let zoned = DateTime::parse_from_rfc3339(text)
        .or_else(|_| DateTime::parse_from_rfc2822(text))
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f%:z"))
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f%z"));
    if let Ok(at) = zoned {
        return Some(at.with_timezone(&Utc));
    }
    let naive = NAIVE
        .iter()
        .find_map(|notation| NaiveDateTime::parse_from_str(text, notation).ok());
    let midnight = || {
        let day = DAYS
            .iter()
            .find_map(|notation| NaiveDate::parse_from_str(text, notation).ok());
        day?.and_hms_opt(0, 0, 0)
    };
    let local = zone.from_local_datetime(&naive.or_else(midnight)?);
    Some(local.earliest()?.with_timezone(&Utc))
}

fn since_1970(number: f64) -> Option<DateTime<Utc>> {
    let millis = if number.abs() > LARGEST_SECONDS {
        number
    } else {
        number * 1000.0
    };
    // The largest number of milliseconds that `DateTime` holds.
    const LARGEST: f64 = 8e15;
    if !millis.is_finite() || millis.abs() > LARGEST {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    let millis = millis as i64;
    DateTime::from_timestamp_millis(millis)
}
