//! Values of the API as text; untrusted text is escaped for Markdown.

use chrono_tz::Tz;
use frontdesk_connect::explain::markdown;
use frontdesk_connect::response::moment;
use serde_json::Value;

/// A field's text on one line, truncated and escaped for Markdown.
pub(super) fn words(object: &Value, field: &str, longest: usize) -> Option<String> {
    let text = markdown(object.get(field)?.as_str()?, longest);
    (!text.is_empty()).then_some(text)
}

/// A time in the site's zone: "15 Sep 2026, 15:05 PKT".
pub(super) fn time(object: &Value, field: &str, zone: Tz) -> Option<String> {
    const LONGEST: usize = 40;
    let Some(at) = moment(object.get(field)?, Tz::UTC) else {
        return words(object, field, LONGEST);
    };
    let at = at.with_timezone(&zone);
    Some(at.format("%-d %b %Y, %H:%M %Z").to_string())
}

/// "1 gate pass", "3 gate passes".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

/// The items of a list.
pub(super) fn items(list: &Value) -> &[Value] {
    let items = list.get("items").and_then(Value::as_array);
    items.map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn has_more(list: &Value) -> bool {
    list.get("has_more").and_then(Value::as_bool) == Some(true)
}
