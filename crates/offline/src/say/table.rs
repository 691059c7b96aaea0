//! Lists of things as a count and a Markdown table.

use serde_json::{Map, Value};

use crate::language::Language;
use frontdesk_core::form;

use super::{Phrases, importance, plain};

const MOST_ROWS: usize = 10;
const MOST_COLUMNS: usize = 6;
/// Longer texts make no column.
const LONGEST_CELL: usize = 80;

/// The table, or nothing when the items have no fields in common.
pub(super) fn render(items: &[Value], language: Language) -> Option<String> {
    let rows: Vec<&Map<String, Value>> = items.iter().filter_map(Value::as_object).collect();
    let columns = columns(&rows);
    if columns.is_empty() {
        return None;
    }
    let phrases = Phrases::of(language);
    let count = total(items, rows.len());
    let mut lines = vec![
        phrases.found.replace("{count}", &count.to_string()),
        String::new(),
    ];
    let headings: Vec<String> = columns.iter().map(|key| form::words(key)).collect();
    lines.push(format!("| {} |", headings.join(" | ")));
    lines.push(format!("|{}", " --- |".repeat(columns.len())));
    for row in rows.iter().take(MOST_ROWS) {
        let cells: Vec<String> = columns
            .iter()
            .map(|key| {
                row.get(*key)
                    .map_or_else(String::new, |value| plain(value, language))
            })
            .collect();
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    if count > MOST_ROWS.min(rows.len()) {
        let more = count - MOST_ROWS.min(rows.len());
        lines.push(String::new());
        lines.push(phrases.more.replace("{count}", &more.to_string()));
    }
    Some(lines.join("\n"))
}

/// The scalar fields that at least half of the rows have, what identifies them first.
fn columns<'a>(rows: &[&'a Map<String, Value>]) -> Vec<&'a String> {
    let Some(first) = rows.first() else {
        return Vec::new();
    };
    let short = |value: &Value| match value {
        Value::String(text) => text.chars().count() <= LONGEST_CELL,
        Value::Bool(_) | Value::Number(_) => true,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    let common = |key: &&String| {
        let having = rows
            .iter()
            .filter(|row| row.get(*key).is_some_and(short))
            .count();
        having * 2 >= rows.len()
    };
    let mut keys: Vec<&String> = first.keys().filter(common).collect();
    keys.sort_by_key(|key| importance(key));
    // An id means little to a person where there is anything else.
    if keys.len() > 2 {
        keys.retain(|key| *key != "id" && !key.ends_with("_url"));
    }
    keys.truncate(MOST_COLUMNS);
    keys
}

/// The number of items before the list was shortened for the model.
fn total(items: &[Value], rows: usize) -> usize {
    let last = items.last().and_then(Value::as_str);
    last.and_then(|note| {
        let inside = note.rsplit_once('(')?.1;
        inside.split(' ').next()?.parse().ok()
    })
    .unwrap_or(rows)
}
