//! Results as text: the tool's own summary, or else its facts as a list or a table.

mod phrases;
mod table;

use frontdesk_core::approval::DECLINED;
use frontdesk_core::form;
use frontdesk_core::model::CallSummary;
use frontdesk_core::tool::NO_SUMMARY;
use serde_json::{Map, Value};

use crate::dialogue::{CallRecord, Dialogue, ERROR, is_error};
use crate::language::Language;

pub(crate) use phrases::phrase;

/// Fields that describe the result rather than its subject.
const ABOUT_THE_ANSWER: &str = "summary total count query limit offset page cursor has_more error";
const MOST_FACTS: usize = 12;
const LONGEST_FACT: usize = 300;
const LONGEST_TEXT: usize = 4_000;

/// The opening of a question about missing values; the question is recognised by it.
pub(crate) fn question_opening(language: Language, title: &str) -> String {
    phrase(language, "missing").replace("{title}", title)
}

/// True if a result means that the person declined the call.
pub(crate) fn is_rejection(result: &str) -> bool {
    let first = result.lines().next().unwrap_or_default();
    is_error(result) && first.trim_end().ends_with(DECLINED)
}

/// The answer of a turn whose calls are done.
pub(crate) fn results(summaries: &[CallSummary], dialogue: &Dialogue, to: Language) -> String {
    let texts = dialogue.done.iter().map(|call| {
        let own = summaries.iter().find(|summary| summary.call_id == call.id);
        match own.filter(|own| own.summary != NO_SUMMARY) {
            Some(own) if own.ok => own.summary.clone(),
            own => result(call, own.map(|own| own.summary.as_str()), to),
        }
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

/// `words` is the summary of a failed call.
fn result(call: &CallRecord, words: Option<&str>, language: Language) -> String {
    let content = call.result.as_deref().unwrap_or_default();
    if is_error(content) {
        return failure(content, words, language);
    }
    let Ok(value) = serde_json::from_str::<Value>(content) else {
        return content.trim().chars().take(LONGEST_TEXT).collect();
    };
    let text = match &value {
        Value::Array(items) => list(items, language),
        Value::Object(fields) => object(fields, language),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            in_words(&value, language)
        }
    };
    if text.trim().is_empty() {
        return phrase(language, "done").to_owned();
    }
    text
}

/// The first line of an error is for people; the rest is for machines, except guidance.
fn failure(content: &str, words: Option<&str>, language: Language) -> String {
    if is_rejection(content) {
        return phrase(language, "rejected").to_owned();
    }
    let message = content.strip_prefix(ERROR).unwrap_or(content);
    let guidance = message.find('{').and_then(|at| {
        let details: Value = serde_json::from_str(message.get(at..)?).ok()?;
        details.get("user_guidance")?.as_str().map(str::to_owned)
    });
    let first = words.or(message.lines().next()).unwrap_or_default().trim();
    let text = phrase(language, "failed").replace("{message}", first);
    match guidance.filter(|guidance| !text.contains(guidance.as_str())) {
        Some(guidance) => format!("{text}\n{guidance}"),
        None => text,
    }
}

fn list(items: &[Value], language: Language) -> String {
    if items.is_empty() {
        return phrase(language, "nothing_found").to_owned();
    }
    table::render(items, language).unwrap_or_else(|| {
        let lines = items
            .iter()
            .map(|item| format!("- {}", plain(item, language)));
        lines.collect::<Vec<_>>().join("\n")
    })
}

fn object(fields: &Map<String, Value>, language: Language) -> String {
    if let Some(error) = fields.get("error").and_then(Value::as_str) {
        return phrase(language, "failed").replace("{message}", error);
    }
    let summary = fields.get("summary").and_then(Value::as_str);
    let opening = summary
        .filter(|text| *text != NO_SUMMARY)
        .map(str::to_owned);
    let opening = opening.unwrap_or_else(|| facts(fields, language));
    let mut lists = fields.values().filter_map(Value::as_array);
    let listed = match lists.next() {
        Some(items) if items.is_empty() && fields.contains_key("query") => {
            phrase(language, "not_in_documents").to_owned()
        }
        Some(items) if items.is_empty() || items.iter().any(Value::is_object) => {
            list(items, language)
        }
        Some(_) | None => String::new(),
    };
    format!("{opening}\n\n{listed}").trim().to_owned()
}

/// The main fields of an object.
fn facts(fields: &Map<String, Value>, language: Language) -> String {
    let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
    fields.sort_by_key(|(key, _)| importance(key));
    let about = |key: &str| ABOUT_THE_ANSWER.split(' ').any(|field| field == key);
    let shown = fields
        .into_iter()
        .filter(|(key, value)| !about(key) && is_fact(value));
    let lines =
        shown.map(|(key, value)| format!("- {}: {}", form::words(key), plain(value, language)));
    lines.take(MOST_FACTS).collect::<Vec<_>>().join("\n")
}

fn is_fact(value: &Value) -> bool {
    match value {
        Value::Null | Value::Object(_) => false,
        Value::String(text) => !text.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
        Value::Array(items) => !items.is_empty() && !items.iter().any(Value::is_object),
    }
}

/// The sort order of fields: identity, name, state, the rest, times, and ids for machines.
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

/// A value on one line, escaped for Markdown.
pub(crate) fn plain(value: &Value, language: Language) -> String {
    let text = in_words(value, language);
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(LONGEST_FACT) {
        line.truncate(end);
        line.push('…');
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
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => phrase(language, "yes").to_owned(),
        Value::Bool(false) => phrase(language, "no").to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items = items.iter().map(|item| in_words(item, language));
            items.collect::<Vec<_>>().join(", ")
        }
        Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
#[path = "say_tests.rs"]
mod say_tests;
