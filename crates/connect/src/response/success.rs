//! Recognises a refusal that comes with a success status.

use serde_json::Value;

use super::BodyRule;
use super::pointer::same_name;

/// Whether the body of a response with a success status says that the request was refused.
pub(crate) fn refused(body: &Value, rule: Option<&BodyRule>) -> bool {
    if let Some(rule) = rule {
        return rule.pointer.find(body) != Some(&rule.equals);
    }
    let Value::Object(fields) = body else {
        return false;
    };
    let mut fields = fields.iter();
    fields.any(|(key, value)| says_no(key, value, body))
}

fn says_no(key: &str, value: &Value, body: &Value) -> bool {
    let is = |names: &[&str]| names.iter().any(|name| same_name(name, key));
    if is(&["success", "succeeded", "successful", "ok", "is_success"]) {
        return match value {
            Value::Bool(yes) => !yes,
            Value::String(text) => matches!(text.to_ascii_lowercase().as_str(), "false" | "no"),
            Value::Number(number) => number.as_i64() == Some(0),
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        };
    }
    // JSend, and envelopes that repeat the HTTP status.
    if is(&["status"]) {
        let word = value.as_str().map(str::to_ascii_lowercase);
        let failed = matches!(
            word.as_deref(),
            Some("error" | "fail" | "failed" | "failure")
        );
        return (failed && body.get("id").is_none()) || is_error_status(value);
    }
    if is(&["status_code", "http_status"]) {
        return is_error_status(value);
    }
    if is(&["error", "errors"]) {
        let filled = match value {
            Value::String(text) => !text.trim().is_empty(),
            Value::Object(fields) => !fields.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::Bool(yes) => *yes,
            Value::Null | Value::Number(_) => false,
        };
        let has_data = ["data", "result", "id"]
            .iter()
            .any(|name| body.get(*name).is_some_and(|value| !value.is_null()));
        return filled && !has_data;
    }
    false
}

fn is_error_status(value: &Value) -> bool {
    value
        .as_u64()
        .is_some_and(|code| (400..600).contains(&code))
}
