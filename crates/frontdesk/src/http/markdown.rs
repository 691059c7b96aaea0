//! Renders a document as Markdown, for kinds without their own export.

use frontdesk_core::artifact::Artifact;
use serde_json::{Map, Value};

/// Markdown's deepest heading level.
const DEEPEST: usize = 6;

pub(super) fn of(artifact: &Artifact) -> String {
    let mut out = format!("# {}\n", one_line(&artifact.title));
    match &artifact.content {
        Value::Object(fields) => match fields.get("markdown") {
            Some(Value::String(text)) => paragraph(&mut out, text),
            Some(_) | None => sections(&mut out, fields, 2),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            block(&mut out, &artifact.content, 2)
        }
    }
    out
}

fn sections(out: &mut String, fields: &Map<String, Value>, depth: usize) {
    for (name, value) in fields {
        if is_empty(value) {
            continue;
        }
        let marks = "#".repeat(depth.min(DEEPEST));
        out.push_str(&format!("\n{marks} {}\n", heading(name)));
        block(out, value, depth + 1);
    }
}

fn block(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Object(fields) => sections(out, fields, depth),
        Value::Array(items) => {
            out.push('\n');
            for item in items {
                match item {
                    Value::Object(fields) => out.push_str(&format!("- {}\n", in_line(fields))),
                    Value::Null
                    | Value::Bool(_)
                    | Value::Number(_)
                    | Value::String(_)
                    | Value::Array(_) => {
                        out.push_str(&format!("- {}\n", one_line(&plain(item))));
                    }
                }
            }
        }
        Value::String(text) => paragraph(out, text),
        Value::Null | Value::Bool(_) | Value::Number(_) => paragraph(out, &plain(value)),
    }
}

fn paragraph(out: &mut String, text: &str) {
    out.push('\n');
    out.push_str(text.trim());
    out.push('\n');
}

/// An object as a list item: "name: value; name: value".
fn in_line(fields: &Map<String, Value>) -> String {
    let filled = fields.iter().filter(|(_, value)| !is_empty(value));
    let parts: Vec<String> = filled
        .map(|(name, value)| format!("**{}**: {}", heading(name), one_line(&plain(value))))
        .collect();
    parts.join("; ")
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let texts: Vec<String> = items.iter().map(plain).collect();
            texts.join(", ")
        }
        Value::Object(fields) => in_line(fields),
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Turns `must_have_skills` into "Must have skills".
fn heading(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().collect::<String>() + letters.as_str(),
        None => words,
    }
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod markdown_tests;
