//! Results in words: the tool's own summary where there is one, else its facts as a list or a table.

mod passages;
mod phrases;
mod table;

use frontdesk_core::approval::REJECTED;
use frontdesk_core::form;
use frontdesk_core::model::CallSummary;
use frontdesk_core::tool::NO_SUMMARY;
use serde_json::{Map, Value};

use crate::dialogue::{CallRecord, Dialogue, ERROR, is_error};
use crate::language::Language;

pub(crate) use phrases::Phrases;

/// Fields that describe the answer rather than its subject.
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

/// How a question for missing values of a tool begins; it is recognised by this.
pub(crate) fn question_opening(language: Language, title: &str) -> String {
    Phrases::of(language).missing.replace("{title}", title)
}

/// Whether a result says that the person declined the call.
pub(crate) fn is_rejection(result: &str) -> bool {
    let first = result.lines().next().unwrap_or_default();
    is_error(result) && first.trim_end().ends_with(REJECTED)
}

/// The answer of a turn whose calls are done.
pub(crate) fn results(
    summaries: &[CallSummary],
    dialogue: &Dialogue,
    language: Language,
) -> String {
    let asked = dialogue.said.as_ref().map_or("", |said| said.text.as_str());
    let told = dialogue.done.iter().map(|call| {
        let mut own = summaries
            .iter()
            .filter(|summary| summary.call_id == call.id && summary.ok);
        match own.find(|summary| summary.summary != NO_SUMMARY) {
            Some(summary) => summary.summary.clone(),
            None => result(call, asked, language),
        }
    });
    let told: Vec<String> = told.collect();
    told.join("\n\n")
}

fn result(call: &CallRecord, asked: &str, language: Language) -> String {
    let phrases = Phrases::of(language);
    let content = call.result.as_deref().unwrap_or_default();
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
        Value::Array(items) => list(items, asked, language),
        Value::Object(fields) => object(fields, asked, language),
        Value::Null => phrases.done.to_owned(),
        Value::String(text) if text.trim().is_empty() => phrases.done.to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => in_words(&value, language),
    }
}

/// The first line of an error is for people; the rest is for machines, apart from guidance.
fn failure(content: &str, language: Language) -> String {
    let message = content.strip_prefix(ERROR).unwrap_or(content);
    if is_rejection(content) {
        return Phrases::of(language).rejected.to_owned();
    }
    let guidance = message.find('{').and_then(|at| {
        let details: Value = serde_json::from_str(message.get(at..)?).ok()?;
        details.get("user_guidance")?.as_str().map(str::to_owned)
    });
    let first = message.lines().next().unwrap_or_default().trim();
    let text = Phrases::of(language).failed.replace("{message}", first);
    match guidance.filter(|guidance| !text.contains(guidance.as_str())) {
        Some(guidance) => format!("{text}\n{guidance}"),
        None => text,
    }
}

fn list(items: &[Value], asked: &str, language: Language) -> String {
    if items.is_empty() {
        return Phrases::of(language).nothing_found.to_owned();
    }
    let told = passages::quote(items, asked, language).or_else(|| table::render(items, language));
    told.unwrap_or_else(|| {
        let lines = items
            .iter()
            .map(|item| format!("- {}", plain(item, language)));
        lines.collect::<Vec<_>>().join("\n")
    })
}

fn object(fields: &Map<String, Value>, asked: &str, language: Language) -> String {
    let phrases = Phrases::of(language);
    if let Some(error) = fields.get("error").and_then(Value::as_str) {
        return phrases.failed.replace("{message}", error);
    }
    let summary = fields.get("summary").and_then(Value::as_str).map(str::trim);
    let summary = summary.filter(|text| !text.is_empty() && *text != NO_SUMMARY);
    let mut lists = fields.values().filter_map(Value::as_array);
    let rows = lists.find(|items| items.iter().any(Value::is_object));
    match (summary, rows) {
        // A line about a list is followed by the list.
        (Some(summary), Some(items)) if !summary.contains('\n') && items.len() > 1 => {
            let table = table::render(items, language);
            table.map_or(summary.to_owned(), |table| format!("{summary}\n\n{table}"))
        }
        (Some(summary), _) => summary.to_owned(),
        (None, Some(items)) => {
            let facts = facts(fields, language);
            let listed = list(items, asked, language);
            if facts.is_empty() {
                listed
            } else {
                format!("{facts}\n\n{listed}")
            }
        }
        (None, None) => without_rows(fields, language),
    }
}

fn without_rows(fields: &Map<String, Value>, language: Language) -> String {
    let phrases = Phrases::of(language);
    let empty = fields
        .values()
        .any(|value| value.as_array().is_some_and(Vec::is_empty));
    let facts = facts(fields, language);
    if empty && fields.contains_key("query") {
        phrases.not_in_documents.to_owned()
    } else if !facts.is_empty() {
        facts
    } else if empty {
        phrases.nothing_found.to_owned()
    } else {
        phrases.done.to_owned()
    }
}

/// The main fields of a thing.
fn facts(fields: &Map<String, Value>, language: Language) -> String {
    let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
    fields.sort_by_key(|(key, _)| importance(key));
    let lines: Vec<String> = fields
        .into_iter()
        .filter(|(key, value)| !ABOUT_THE_ANSWER.contains(&key.as_str()) && is_fact(value))
        .take(MOST_FACTS)
        .map(|(key, value)| format!("- {}: {}", form::words(key), plain(value, language)))
        .collect();
    lines.join("\n")
}

fn is_fact(value: &Value) -> bool {
    match value {
        Value::Null | Value::Object(_) => false,
        Value::String(text) => !text.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|i| !i.is_object() && !i.is_array())
        }
    }
}

/// The order of fields: identity, name, state, the rest, times, and ids for machines.
fn importance(key: &str) -> usize {
    match key.rsplit('_').next().unwrap_or(key) {
        "number" | "code" | "reference" | "sku" => 0,
        "name" | "title" | "subject" => 1,
        "status" | "state" | "phase" => 2,
        "at" | "time" | "date" | "day" | "timestamp" => 4,
        "id" | "uuid" | "url" => 5,
        _ => 3,
    }
}

/// A value on one line, without meaning to Markdown.
fn plain(value: &Value, language: Language) -> String {
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

fn in_words(value: &Value, language: Language) -> String {
    let phrases = Phrases::of(language);
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => phrases.yes.to_owned(),
        Value::Bool(false) => phrases.no.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| in_words(item, language)).collect();
            items.join(", ")
        }
        Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests;
