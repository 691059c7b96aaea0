//! Text extracted from error bodies: ours, and FastAPI's, which many companies' own systems use.
//! The text is untrusted, so it is sanitised and truncated.

use frontdesk_core::untrusted;
use serde::Serialize;
use serde_json::Value;

/// One field that violates its rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Violation {
    pub(super) field: String,
    pub(super) rule: String,
    pub(super) message: String,
}

const LONGEST: usize = 300;
const BRIEF: usize = 64;
const MOST: usize = 10;

impl Violation {
    /// The API's sentence, prefixed with the field if the sentence does not name it.
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

/// A short identifier or state.
pub(super) fn brief(text: &str) -> String {
    cut(text, BRIEF)
}

/// `error.message`, or a `detail` or `message` that is a sentence.
pub(crate) fn message(body: &Value) -> Option<String> {
    let text = body
        .pointer("/error/message")
        .or_else(|| body.get("detail"))
        .or_else(|| body.get("message"))?
        .as_str()?;
    let text = cut(text, LONGEST);
    (!text.is_empty()).then_some(text)
}

pub(super) fn details(body: &Value) -> &Value {
    body.pointer("/error/details").unwrap_or(&Value::Null)
}

/// The fields that a 422 names.
pub(super) fn violations(body: &Value) -> Vec<Violation> {
    let ours = details(body).get("fields").and_then(Value::as_array);
    if let Some(fields) = ours {
        return fields.iter().take(MOST).filter_map(ours_of).collect();
    }
    let fastapi = body.get("detail").and_then(Value::as_array);
    let items = fastapi.into_iter().flatten().take(MOST);
    items.filter_map(fastapi_of).collect()
}

fn ours_of(item: &Value) -> Option<Violation> {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    Some(Violation {
        field: brief(text("field")?),
        rule: brief(text("rule").unwrap_or_default()),
        message: cut(text("message")?, LONGEST),
    })
}

/// `{"loc": ["body", "person_name"], "msg": "Field required", "type": "missing"}`
fn fastapi_of(item: &Value) -> Option<Violation> {
    let place = item.get("loc")?.as_array()?;
    Some(Violation {
        field: brief(place.last()?.as_str()?),
        rule: brief(item.get("type").and_then(Value::as_str).unwrap_or_default()),
        message: cut(item.get("msg")?.as_str()?, LONGEST),
    })
}

/// A list in a sentence: "a, b or c".
pub(super) fn one_of(list: Option<&Value>) -> String {
    let words = list.and_then(Value::as_array).into_iter().flatten();
    let words: Vec<String> = words
        .filter_map(Value::as_str)
        .take(MOST)
        .map(brief)
        .collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Actions with the roles that may take them.
pub(super) fn actions(list: Option<&Value>) -> String {
    let actions = list.and_then(Value::as_array).into_iter().flatten();
    let words: Vec<String> = actions
        .filter_map(Value::as_str)
        .take(MOST)
        .map(|action| match action {
            "approve" | "reject" | "delete" => format!("{action} (an admin)"),
            "scan_exit" => "record the exit (a guard)".to_owned(),
            "scan_return" => "record the return (a guard)".to_owned(),
            "print" => "print (HR or an admin)".to_owned(),
            other => brief(other),
        })
        .collect();
    words.join(", ")
}
