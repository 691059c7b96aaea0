//! Lists of objects as a count and a Markdown table.

use frontdesk_core::form;
use serde_json::{Map, Value};

use super::{importance, phrase, plain};
use crate::language::Language;

const MOST_ROWS: usize = 10;
const MOST_COLUMNS: usize = 6;
/// Longer texts get no column.
const LONGEST_CELL: usize = 80;

/// `None` if the items have no common fields.
pub(super) fn render(items: &[Value], language: Language) -> Option<String> {
    let rows: Vec<&Map<String, Value>> = items.iter().filter_map(Value::as_object).collect();
    let columns = columns(&rows);
    if columns.is_empty() {
        return None;
    }
    let count = total(items).unwrap_or(rows.len());
    let found = phrase(language, "found").replace("{count}", &count.to_string());
    let headings: Vec<String> = columns.iter().map(|key| form::words(key)).collect();
    let line = " --- |".repeat(columns.len());
    let mut lines = vec![format!("{found}\n\n| {} |\n|{line}", headings.join(" | "))];
    for row in rows.iter().take(MOST_ROWS) {
        let cell = |key: &&String| {
            row.get(*key)
                .map_or_else(String::new, |v| plain(v, language))
        };
        let cells: Vec<String> = columns.iter().map(cell).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    let more = count.saturating_sub(MOST_ROWS.min(rows.len()));
    if more > 0 {
        lines.push(format!(
            "\n{}",
            phrase(language, "more").replace("{count}", &more.to_string())
        ));
    }
    Some(lines.join("\n"))
}

/// The scalar fields of at least half of the rows, identities first.
fn columns<'a>(rows: &[&'a Map<String, Value>]) -> Vec<&'a String> {
    let short = |value: &Value| match value {
        Value::String(text) => text.chars().count() <= LONGEST_CELL,
        Value::Bool(_) | Value::Number(_) => true,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    let common = |key: &&String| {
        let having = rows.iter().filter(|row| row.get(*key).is_some_and(short));
        having.count() * 2 >= rows.len()
    };
    let mut keys: Vec<&String> = rows
        .first()
        .into_iter()
        .flat_map(|row| row.keys())
        .collect();
    keys.retain(common);
    keys.sort_by_key(|key| importance(key));
    // People need no id if there are other fields.
    if keys.len() > 2 {
        keys.retain(|key| *key != "id" && !key.ends_with("_url"));
    }
    keys.truncate(MOST_COLUMNS);
    keys
}

/// The number of items before the list was shortened for the model.
fn total(items: &[Value]) -> Option<usize> {
    let note = items.last()?.as_str()?;
    let inside = note.rsplit_once('(')?.1;
    inside.split(' ').next()?.parse().ok()
}
