//! API values as text: untrusted text is escaped for Markdown, times are in the site's zone.

use chrono::{DateTime, NaiveDateTime, Utc};
use chrono_tz::Tz;
use frontdesk_core::untrusted;
use serde_json::Value;

/// A field's text on one line, truncated and escaped for Markdown.
pub(super) fn words(object: &Value, field: &str, longest: usize) -> Option<String> {
    let text = object.get(field)?.as_str()?;
    let text = plain(text, longest);
    (!text.is_empty()).then_some(text)
}

pub(super) fn plain(text: &str, longest: usize) -> String {
    let (text, _) = untrusted::clean(text);
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    let mut shown = String::with_capacity(line.len());
    for (index, c) in line.chars().enumerate() {
        if index == longest {
            shown.push('…');
            break;
        }
        if matches!(c, '\\' | '|' | '`' | '*' | '[' | ']' | '<' | '>') {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}

/// A time in the site's zone: "15 Sep 2026, 15:05 PKT".
pub(super) fn time(object: &Value, field: &str, zone: Tz) -> Option<String> {
    let text = object.get(field)?.as_str()?;
    let Some(at) = moment(text) else {
        const LONGEST: usize = 40;
        return Some(plain(text, LONGEST));
    };
    Some(
        at.with_timezone(&zone)
            .format("%-d %b %Y, %H:%M %Z")
            .to_string(),
    )
}

/// RFC 3339, or the same without a zone, which means UTC.
fn moment(text: &str) -> Option<DateTime<Utc>> {
    let with_zone = DateTime::parse_from_rfc3339(text).map(|at| at.with_timezone(&Utc));
    let naive =
        || NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f").map(|at| at.and_utc());
    with_zone.or_else(|_| naive()).ok()
}

/// "1 gate pass", "3 gate passes".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}
