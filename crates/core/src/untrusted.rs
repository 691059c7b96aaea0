//! Foreign text: removes invisible characters and limits the size before a model reads it.

use std::io;

use serde_json::Value;

/// Maximum size of a tool result in a prompt.
pub const MAX_RESULT_BYTES: usize = 64 * 1024;

/// Maximum list length in a prompt, followed by the count. The card shows the whole list.
pub const MAX_LIST_ITEMS: usize = 50;

/// For a larger result, the card shows the model's shortened version.
pub const MAX_CARD_BYTES: usize = 1024 * 1024;

/// Characters that can hide instructions: tags, zero-width marks, fillers, bidirectional controls,
/// variation selectors (except the two that choose between text and emoji), and other controls.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}' | '\u{200E}' | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0D}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
        || (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
}

/// Removes and counts invisible characters, except the joiners that Persian and emoji need.
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

/// True if nothing in the text is visible.
pub fn is_blank(text: &str) -> bool {
    // Joiners alone join nothing, and U+2800 is the Braille blank.
    let unseen = |c| {
        matches!(
            c,
            '\u{200C}' | '\u{200D}' | '\u{2800}' | '\u{FE0E}' | '\u{FE0F}'
        )
    };
    text.chars()
        .all(|c| c.is_whitespace() || is_invisible(c) || unseen(c))
}

/// A tool's result for a prompt: no invisible characters, at most [`MAX_RESULT_BYTES`].
pub fn for_model(result: &Value) -> String {
    match result {
        Value::String(text) => bounded(text),
        other @ (Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::Array(_)
        | Value::Object(_)) => bounded(&shorten(other).to_string()),
    }
}

/// A tool's result for a card: whole, up to [`MAX_CARD_BYTES`].
pub fn for_card(result: Value, told: &str) -> Value {
    match serde_json::to_writer(ByteLimit(MAX_CARD_BYTES), &result) {
        Ok(()) => result,
        Err(_) => Value::String(told.to_owned()),
    }
}

/// A writer that counts bytes and fails above the limit.
struct ByteLimit(usize);

impl io::Write for ByteLimit {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
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

/// The visible text up to the limit; a marker follows if it was cut.
fn bounded(text: &str) -> String {
    const MARKER_ROOM: usize = 64;
    let mut seen = String::with_capacity(text.len().min(MAX_RESULT_BYTES));
    for c in text.chars().filter(|c| !is_invisible(*c)) {
        if seen.len() + c.len_utf8() > MAX_RESULT_BYTES {
            seen.truncate(seen.floor_char_boundary(MAX_RESULT_BYTES - MARKER_ROOM));
            seen.push_str(&format!("… [cut: {} bytes in all]", text.len()));
            return seen;
        }
        seen.push(c);
    }
    seen
}

#[cfg(test)]
#[path = "untrusted_tests.rs"]
mod untrusted_tests;
