//! What to say about results: the tool's own summary where there is one, else the facts
//! as they came, in a list or a table.

mod passages;
mod table;

use frontdesk_core::approval::REJECTED;
use serde_json::{Map, Value};

use super::dialogue::{Done, ERROR, is_error};
use super::language::Language;
use super::param::{capitalised, name_in_words};
use super::question::in_words;

/// Fields that say something about the answer, not about its subject.
const ABOUT_THE_ANSWER: [&str; 12] = [
    "summary",
    "total",
    "count",
    "query",
    "limit",
    "offset",
    "page",
    "cursor",
    "has_more",
    "execution_time",
    "total_results",
    "error",
];
const MOST_FACTS: usize = 12;
const LONGEST_FACT: usize = 300;
const LONGEST_TEXT: usize = 4_000;

/// The answer to a finished turn. `asked` are the person's words.
pub(super) fn results(done: &[Done], asked: &str, language: Language) -> String {
    let said: Vec<String> = done
        .iter()
        .filter_map(|done| Some(result(done.result.as_deref()?, asked, language)))
        .collect();
    if said.is_empty() {
        return language.phrases().done.to_owned();
    }
    said.join("\n\n")
}

fn result(content: &str, asked: &str, language: Language) -> String {
    let phrases = language.phrases();
    if is_error(content) {
        return failure(content, language);
    }
    let Ok(value) = serde_json::from_str::<Value>(content) else {
        let text: String = content.trim().chars().take(LONGEST_TEXT).collect();
        return if text.is_empty() {
            phrases.done.to_owned()
        } else {
            text
        };
    };
    match &value {
        Value::Array(items) => list(&value, items, asked, language),
        Value::Object(fields) => object(&value, fields, asked, language),
        Value::Null => phrases.done.to_owned(),
        Value::String(text) if text.trim().is_empty() => phrases.done.to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => in_words(&value, language),
    }
}

/// What went wrong, as guidance: the first line; what follows is for machines.
fn failure(content: &str, language: Language) -> String {
    let message = content.strip_prefix(ERROR).unwrap_or(content);
    let guidance = message.find('{').and_then(|at| {
        let details: Value = serde_json::from_str(message.get(at..)?).ok()?;
        details.get("user_guidance")?.as_str().map(str::to_owned)
    });
    let first = message.lines().next().unwrap_or_default().trim();
    if first.ends_with(REJECTED) {
        return language.phrases().rejected.to_owned();
    }
    let mut text = language.phrases().failed.replace("{message}", first);
    if let Some(guidance) = guidance.filter(|guidance| !text.contains(guidance.as_str())) {
        text.push('\n');
        text.push_str(&guidance);
    }
    text
}

fn list(value: &Value, items: &[Value], asked: &str, language: Language) -> String {
    if items.is_empty() {
        return language.phrases().nothing_found.to_owned();
    }
    if let Some(text) = passages::quote(items, asked, language) {
        return text;
    }
    match table::render(items, language) {
        Some(table) => table,
        None => {
            let scalars: Vec<String> = items
                .iter()
                .map(|item| format!("- {}", plain(item, language)))
                .collect();
            if scalars.is_empty() {
                value.to_string()
            } else {
                scalars.join("\n")
            }
        }
    }
}

fn object(value: &Value, fields: &Map<String, Value>, asked: &str, language: Language) -> String {
    let phrases = language.phrases();
    if let Some(error) = fields.get("error").and_then(Value::as_str) {
        return phrases.failed.replace("{message}", error);
    }
    let summary = fields
        .get("summary")
        .and_then(Value::as_str)
        .map(str::trim)
        .filter(|text| !text.is_empty() && *text != "Done.");
    let rows = fields
        .values()
        .filter_map(Value::as_array)
        .find(|items| items.iter().any(Value::is_object));
    match (summary, rows) {
        // A line about a list is followed by the list.
        (Some(summary), Some(items)) if !summary.contains('\n') && items.len() > 1 => {
            match table::render(items, language) {
                Some(table) => format!("{summary}\n\n{table}"),
                None => summary.to_owned(),
            }
        }
        (Some(summary), _) => summary.to_owned(),
        (None, Some(items)) => {
            let facts = facts(fields, language);
            let listed = list(value, items, asked, language);
            if facts.is_empty() {
                listed
            } else {
                format!("{facts}\n\n{listed}")
            }
        }
        (None, None) => {
            let searched = fields.contains_key("query");
            let empty = fields
                .values()
                .any(|v| v.as_array().is_some_and(Vec::is_empty));
            let facts = facts(fields, language);
            match (facts.is_empty(), searched && empty, empty) {
                (_, true, _) => phrases.not_in_documents.to_owned(),
                (true, false, true) => phrases.nothing_found.to_owned(),
                (true, false, false) => phrases.done.to_owned(),
                (false, false, _) => facts,
            }
        }
    }
}

/// The main fields of a thing, in words.
fn facts(fields: &Map<String, Value>, language: Language) -> String {
    let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
    fields.sort_by_key(|(key, _)| place(key));
    let lines: Vec<String> = fields
        .into_iter()
        .filter(|(key, value)| !ABOUT_THE_ANSWER.contains(&key.as_str()) && is_fact(value))
        .take(MOST_FACTS)
        .map(|(key, value)| format!("- {}: {}", heading(key), plain(value, language)))
        .collect();
    lines.join("\n")
}

fn is_fact(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|i| !i.is_object() && !i.is_array())
        }
        Value::Object(_) => false,
    }
}

/// Where a field stands: what identifies a thing first, then its state, then the rest,
/// times, and what only machines read.
pub(super) fn place(key: &str) -> usize {
    let last = key.rsplit('_').next().unwrap_or(key);
    match last {
        "number" | "code" | "reference" | "sku" => 0,
        "name" | "title" | "subject" => 1,
        "status" | "state" | "phase" => 2,
        "at" | "time" | "date" | "day" | "timestamp" => 4,
        "id" | "uuid" | "url" => 5,
        _ => 3,
    }
}

pub(super) fn heading(key: &str) -> String {
    capitalised(&name_in_words(key))
}

/// A value on one line that no longer means anything to Markdown.
pub(super) fn plain(value: &Value, language: Language) -> String {
    let text = in_words(value, language);
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > LONGEST_FACT {
        line = line.chars().take(LONGEST_FACT).collect::<String>() + "…";
    }
    let mut escaped = String::with_capacity(line.len());
    for c in line.chars() {
        if matches!(c, '|' | '[' | ']' | '<' | '`' | '*') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
