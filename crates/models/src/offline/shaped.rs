//! An answer in the shape that a reply schema asks for: the words in its main text, the
//! choices among its quick replies, and the least that the schema takes everywhere else.

use serde_json::{Map, Value};

/// Names under which schemas keep the words of an answer, the usual first.
const MAIN: [&str; 6] = ["message", "content", "text", "answer", "reply", "response"];
const DEEPEST: usize = 8;

pub(super) fn shaped(text: &str, schema: &Value, quick_replies: &[String]) -> String {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return text.to_owned();
    };
    let takes_text = |name: &&str| properties.get(*name).is_some_and(is_text);
    let main = MAIN.iter().copied().find(takes_text).or_else(|| {
        let mut texts = properties.iter().filter(|(_, property)| is_text(property));
        texts.next().map(|(name, _)| name.as_str())
    });
    let mut answer = Map::new();
    for (name, property) in properties {
        if Some(name.as_str()) == main {
            answer.insert(name.clone(), Value::String(text.to_owned()));
        } else if is_quick_replies(name, property) {
            answer.insert(name.clone(), Value::from(quick_replies));
        } else if is_required(schema, name) {
            answer.insert(name.clone(), least(property, 0));
        }
    }
    Value::Object(answer).to_string()
}

fn is_text(property: &Value) -> bool {
    property.get("type").and_then(Value::as_str) == Some("string") && property.get("enum").is_none()
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|n| n.as_str() == Some(name)))
}

fn is_quick_replies(name: &str, property: &Value) -> bool {
    let name = name.to_lowercase();
    let items = property.pointer("/items/type").and_then(Value::as_str);
    let called = ["quick", "suggest", "chips"]
        .iter()
        .any(|part| name.contains(part));
    called && items == Some("string")
}

/// The smallest value that a schema takes.
fn least(schema: &Value, depth: usize) -> Value {
    let first = |keyword: &str| schema.get(keyword)?.as_array()?.first().cloned();
    if let Some(value) = schema.get("const").cloned().or_else(|| first("enum")) {
        return value;
    }
    if depth >= DEEPEST {
        return Value::Null;
    }
    if let Some(branch) = first("anyOf").or_else(|| first("oneOf")) {
        return least(&branch, depth + 1);
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => {
            let nullable = kinds.iter().any(|kind| kind.as_str() == Some("null"));
            if nullable {
                Some("null")
            } else {
                kinds.first().and_then(Value::as_str)
            }
        }
        Some(kind) => kind.as_str(),
        None => None,
    };
    match kind {
        Some("string") => Value::String(String::new()),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(Value::from(0)),
        Some("boolean") => Value::Bool(false),
        Some("array") => Value::Array(Vec::new()),
        Some("object") => {
            let properties = schema.get("properties").and_then(Value::as_object);
            let needed = properties
                .into_iter()
                .flatten()
                .filter(|(name, _)| is_required(schema, name));
            Value::Object(
                needed
                    .map(|(name, property)| (name.clone(), least(property, depth + 1)))
                    .collect(),
            )
        }
        Some(_) | None => Value::Null,
    }
}

#[cfg(test)]
#[path = "shaped_tests.rs"]
mod shaped_tests;
