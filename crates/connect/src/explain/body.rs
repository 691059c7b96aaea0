//! Text extracted from error bodies: ours, RFC 9457, FastAPI, Django, Rails and lists of errors. The
//! text is untrusted: it is sanitised and truncated, and only plain sentences are kept.

use frontdesk_core::untrusted;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::response::Pointer;

/// One field that violates its rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Violation {
    pub(crate) field: String,
    pub(crate) rule: String,
    pub(crate) message: String,
}

const LONGEST: usize = 300;
/// In characters.
pub(crate) const BRIEF: usize = 64;
const MOST: usize = 10;

impl Violation {
    fn new(field: &str, rule: &str, message: &str) -> Option<Self> {
        let field = brief(field);
        let message = plain_sentence(message).unwrap_or_else(|| "is not accepted".to_owned());
        (!field.is_empty()).then(|| Self {
            field,
            rule: brief(rule),
            message,
        })
    }

    /// The system's sentence, prefixed with the field if the sentence does not name it.
    pub(super) fn sentence(&self) -> String {
        let message = if self.message.contains(&self.field) {
            self.message.clone()
        } else {
            format!("{}: {}", self.field, self.message)
        };
        match message.ends_with(['.', '!', '?']) {
            true => message,
            false => format!("{message}."),
        }
    }
}

/// Untrusted text on one line, without invisible characters, truncated.
fn cut(text: &str, longest: usize) -> String {
    let (text, _) = untrusted::clean(text);
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    match line.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Untrusted text on one line, truncated and escaped for Markdown.
pub fn markdown(text: &str, longest: usize) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in cut(text, longest).chars() {
        if matches!(c, '\\' | '|' | '`' | '*' | '[' | ']' | '<' | '>') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A short identifier or state.
pub fn brief(text: &str) -> String {
    cut(text, BRIEF)
}

/// The text, truncated, if it is a sentence for people. Code, markup, paths, addresses and traces
/// are not.
fn plain_sentence(text: &str) -> Option<String> {
    let text = cut(text, LONGEST);
    let has_code = text.contains(['<', '>', '{', '}', '[', ']', '\\', '=', '*', '|', '`'])
        || ["::", "://", "()"].iter().any(|mark| text.contains(mark));
    // `views.py`, `com.example.Gate`: a dot within a word, unless it is an address or a number.
    let is_dotted = |word: &str| {
        let word = word.trim_end_matches(['.', ',', ')', '"', '\'']);
        word.contains('.') && word.chars().any(char::is_alphabetic) && !word.contains('@')
    };
    let is_path = |word: &str| word.matches('/').count() > 1;
    let lower = text.to_lowercase();
    let names_code = [
        "traceback",
        "exception",
        "stack trace",
        " at line ",
        "errno",
        "sqlstate",
    ]
    .iter()
    .any(|word| lower.contains(word));
    let has_sql = ["SELECT ", "INSERT INTO", "DELETE FROM", "UPDATE ", "ORA-"]
        .iter()
        .any(|word| text.contains(word));
    let mut words = text.split_whitespace();
    let is_raw =
        has_code || has_sql || names_code || words.any(|word| is_dotted(word) || is_path(word));
    (!is_raw && !text.is_empty()).then_some(text)
}

/// The sentence of an error body, if it has one for people.
pub fn message(body: &Value) -> Option<String> {
    let places = [
        "/error/message",
        "/error/detail",
        "/detail/message",
        "/detail",
        "/message",
        "/error_description",
        "/error",
        "/title",
        "/errors/0/message",
        "/errors/0/detail",
        "/errors/0",
        "/non_field_errors/0",
        "/errors/base/0",
    ];
    let texts = places
        .iter()
        .filter_map(|place| body.pointer(place)?.as_str());
    let mut sentences = texts.filter_map(plain_sentence);
    sentences.next()
}

/// The sentence at the place that the operation declares, or at a usual one.
pub(super) fn declared_message(body: &Value, place: Option<&Pointer>) -> Option<String> {
    match place {
        Some(place) => plain_sentence(place.find(body)?.as_str()?),
        None => message(body),
    }
}

/// The object with the reasons of a refusal.
pub(super) fn details(body: &Value) -> &Value {
    ["/error/details", "/detail", "/details", "/error", "/data"]
        .iter()
        .filter_map(|place| body.pointer(place))
        .find(|value| value.is_object())
        .unwrap_or(body)
}

/// The fields that a validation error names.
pub(crate) fn violations(body: &Value) -> Vec<Violation> {
    let lists = [
        "/error/details/fields",
        "/detail",
        "/errors",
        "/violations",
        "/error/errors",
        "/invalid-params",
    ];
    let listed = lists
        .iter()
        .filter_map(|place| body.pointer(place)?.as_array());
    for list in listed {
        let found: Vec<Violation> = list.iter().take(MOST).filter_map(of_item).collect();
        if !found.is_empty() {
            return found;
        }
    }
    let maps = [
        "/errors",
        "/detail",
        "/error/fields",
        "/error/details",
        "/fields",
    ];
    let mapped = maps
        .iter()
        .filter_map(|place| body.pointer(place)?.as_object());
    for fields in mapped {
        let found = of_fields(fields);
        if !found.is_empty() {
            return found;
        }
    }
    // Django sends the fields as the whole body.
    body.as_object().map(of_fields).unwrap_or_default()
}

/// One entry of a list: `{"field": …, "message": …}`, FastAPI's `{"loc": […], "msg": …}`, RFC
/// 9457's `{"pointer": …, "detail": …}`.
fn of_item(item: &Value) -> Option<Violation> {
    let text = |keys: &[&str]| keys.iter().find_map(|key| item.get(*key)?.as_str());
    let place = item.get("loc").and_then(Value::as_array);
    let field = match place {
        Some(place) => place.last()?.as_str()?,
        None => text(&[
            "field",
            "name",
            "param",
            "path",
            "property",
            "attribute",
            "pointer",
            "source",
        ])
        .or_else(|| item.pointer("/source/pointer")?.as_str())?,
    };
    let field = field.rsplit(['/', '.']).next().unwrap_or(field);
    let message = text(&["message", "msg", "detail", "reason", "title", "error"])?;
    let rule = text(&["rule", "type", "code"]).unwrap_or_default();
    Violation::new(field, rule, message)
}

/// Fields by name, each with a sentence or a list of sentences.
fn of_fields(fields: &Map<String, Value>) -> Vec<Violation> {
    const GENERAL: [&str; 10] = [
        "type",
        "title",
        "status",
        "detail",
        "message",
        "error",
        "errors",
        "instance",
        "code",
        "non_field_errors",
    ];
    let is_sentences = |value: &Value| match value.as_array() {
        Some(items) => !items.is_empty() && items.iter().all(Value::is_string),
        None => value.is_string(),
    };
    if !fields.values().any(Value::is_array) && fields.contains_key("message") {
        return Vec::new();
    }
    fields
        .iter()
        .filter(|(key, value)| !GENERAL.contains(&key.as_str()) && is_sentences(value))
        .take(MOST)
        .filter_map(|(key, value)| {
            let first = value.get(0).unwrap_or(value).as_str()?;
            Violation::new(key, "", first)
        })
        .collect()
}

/// A list in a sentence: "a, b or c".
pub(super) fn one_of(list: Option<&Value>) -> String {
    listed(&words(list))
}

/// Names in a sentence: "a, b or c".
pub(crate) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Short texts of a list.
pub(super) fn words(list: Option<&Value>) -> Vec<String> {
    let items = list.and_then(Value::as_array).into_iter().flatten();
    let texts = items.filter_map(Value::as_str);
    texts.take(MOST).map(brief).collect()
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod body_tests;
