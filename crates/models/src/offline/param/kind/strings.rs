//! What a string is meant to hold: by handle, format, pattern, examples, or its name.

use frontdesk_core::handle::SCHEMA_KEYWORD;
use serde_json::Value;

use super::super::super::values::pattern::Pattern;
use super::super::super::words::normal;
use super::Kind;

pub(super) fn string_kind(schema: &Value, name: &str, description: &str, seen: &[&Value]) -> Kind {
    match schema.get(SCHEMA_KEYWORD).and_then(Value::as_str) {
        Some("file") => return Kind::File,
        Some(_) => return Kind::LongText,
        None => {}
    }
    if let Some(kind) = schema
        .get("format")
        .and_then(Value::as_str)
        .and_then(by_format)
    {
        return kind;
    }
    let pattern = schema
        .get("pattern")
        .and_then(Value::as_str)
        .and_then(Pattern::new);
    if let Some(pattern) = pattern {
        return by_pattern(pattern);
    }
    if let Some(kind) = by_example(seen) {
        return kind;
    }
    by_name(&normal(name), &normal(description))
}

fn by_format(format: &str) -> Option<Kind> {
    let shape = match format {
        "date" => return Some(Kind::Date { strict: true }),
        "time" | "partial-time" => return Some(Kind::Time { seconds: true }),
        "date-time" => return Some(Kind::DateTime { zoned: true }),
        "partial-date-time" => return Some(Kind::DateTime { zoned: false }),
        "email" | "idn-email" => r"^[^@\s]+@[^@\s]+\.[^@\s.]+$",
        "uri" | "url" => r"^https?://\S+$",
        "uuid" => r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
        _ => return None,
    };
    Pattern::new(shape).map(Kind::Pattern)
}

/// Dates and times are said in more ways than they are written.
fn by_pattern(pattern: Pattern) -> Kind {
    let takes = |text: &str| pattern.is_match(text);
    if takes("2026-11-15") && !takes("GP-2026-0001") && !takes("20261115") {
        Kind::Date { strict: true }
    } else if takes("09:30") && !takes("0930") {
        Kind::Time { seconds: false }
    } else {
        Kind::Pattern(pattern)
    }
}

/// A schema that says only "string" is told apart by what its examples look like.
fn by_example(seen: &[&Value]) -> Option<Kind> {
    let texts: Option<Vec<&str>> = seen.iter().map(|value| value.as_str()).collect();
    let texts = texts.filter(|texts| !texts.is_empty())?;
    let all = |shape: &str| texts.iter().all(|text| is_shaped(text, shape));
    if all("0000-00-00") {
        return Some(Kind::Date { strict: true });
    }
    if all("00:00") {
        return Some(Kind::Time { seconds: false });
    }
    let moment = |text: &&str| {
        text.get(..16)
            .is_some_and(|start| is_shaped(start, "0000-00-00T00:00"))
    };
    let zoned = texts.iter().all(|text| {
        text.ends_with('Z') || text.get(16..).is_some_and(|rest| rest.contains(['+', '-']))
    });
    texts.iter().all(moment).then_some(Kind::DateTime { zoned })
}

/// Whether a text has a digit for each `0` and the same character for everything else.
fn is_shaped(text: &str, shape: &str) -> bool {
    let same = |(a, b): (char, char)| if b == '0' { a.is_ascii_digit() } else { a == b };
    text.chars().count() == shape.chars().count() && text.chars().zip(shape.chars()).all(same)
}

/// Names of parameters follow habits that hold everywhere.
fn by_name(name: &str, description: &str) -> Kind {
    let words: Vec<&str> = name.split_whitespace().collect();
    let last = words.last().copied().unwrap_or_default();
    let says = |phrase: &str| description.contains(phrase);
    match last {
        "id" | "uuid" => return Kind::Id,
        "date" | "day" | "deadline" => {
            let strict = says("iso") || says("yyyy");
            return Kind::Date { strict };
        }
        "time" if words.len() > 1 => return Kind::Time { seconds: false },
        "email" => {
            if let Some(kind) = by_format("email") {
                return kind;
            }
        }
        "url" | "link" => {
            if let Some(kind) = by_format("uri") {
                return kind;
            }
        }
        _ => {}
    }
    if says("date and time") || says("yyyy-mm-ddt") {
        return Kind::DateTime { zoned: false };
    }
    let named = ["name", "names", "who", "person", "имя", "фио"].contains(&last);
    let said = ["name of ", "full name", "имя ", "фио", "имена "]
        .iter()
        .any(|phrase| description.starts_with(phrase));
    if named || said {
        Kind::Name
    } else {
        Kind::Text
    }
}
