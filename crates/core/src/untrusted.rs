//! Text that somebody else wrote: cleaned of what only machines see, and cut to size,
//! before a model reads it.

use serde_json::Value;

/// Longest tool result that is put before a model.
pub const MAX_RESULT_BYTES: usize = 64 * 1024;

/// Of a longer list the model sees this many and the count; people see all on the card.
pub const MAX_LIST_ITEMS: usize = 50;

/// Characters that carry no text and can hide instructions: tags, zero-width marks,
/// bidirectional controls, variation selectors of the supplement, other controls.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}' | '\u{200E}' | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E0FFF}'
        | '\u{1D173}'..='\u{1D17A}')
        || (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
}

/// The text without invisible characters, and how many were taken out. Joiners
/// (U+200C, U+200D) stay: Persian and emoji are written with them.
pub fn clean(text: &str) -> (String, usize) {
    let mut removed = 0;
    let cleaned = text
        .chars()
        .filter(|c| {
            let drop = is_invisible(*c);
            removed += usize::from(drop);
            !drop
        })
        .collect();
    (cleaned, removed)
}

/// True when nothing in it would be seen.
pub fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || is_invisible(c) || matches!(c, '\u{200C}' | '\u{200D}'))
}

/// A tool's result as the model reads it: long lists shortened, invisible characters
/// gone, never more than [`MAX_RESULT_BYTES`].
pub fn for_model(result: &Value) -> String {
    let text = match result {
        Value::String(text) => text.clone(),
        other @ (Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::Array(_)
        | Value::Object(_)) => shorten(other).to_string(),
    };
    let (text, _) = clean(&text);
    truncate(text, MAX_RESULT_BYTES)
}

fn shorten(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut shown: Vec<Value> = items.iter().take(MAX_LIST_ITEMS).map(shorten).collect();
            if items.len() > MAX_LIST_ITEMS {
                shown.push(Value::String(format!(
                    "… and {} more ({} in all)",
                    items.len() - MAX_LIST_ITEMS,
                    items.len()
                )));
            }
            Value::Array(shown)
        }
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, value)| (key.clone(), shorten(value)))
                .collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

fn truncate(mut text: String, limit: usize) -> String {
    const MARKER_ROOM: usize = 64;
    if text.len() <= limit {
        return text;
    }
    let whole = text.len();
    let mut end = limit - MARKER_ROOM;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push_str(&format!("… [cut: {whole} bytes in all]"));
    text
}

#[cfg(test)]
#[path = "untrusted_tests.rs"]
mod untrusted_tests;
