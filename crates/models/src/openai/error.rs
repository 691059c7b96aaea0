//! Converts failures to typed errors without secrets in the text.

use std::error::Error;
use std::time::Duration;

use chrono::{DateTime, Utc};
use frontdesk_core::model::{ModelError, ModelErrorKind};
use http::StatusCode;
use http::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

use super::connections::SendError;

/// A server's error response, in any of the common forms.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Explanation {
    pub(super) message: String,
    pub(super) kind: Option<String>,
    pub(super) code: Option<String>,
    pub(super) param: Option<String>,
}

impl Explanation {
    /// Reads `{"error": {…}}`, `{"error": "…"}`, `{"message": …}`, `{"detail": …}`, the
    /// same in a list, or plain text.
    pub(super) fn read(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        let Ok(json) = serde_json::from_str::<Value>(&text) else {
            return Self {
                message: text.into_owned(),
                ..Self::default()
            };
        };
        let json = json.get(0).unwrap_or(&json);
        Self::of(json.get("error").unwrap_or(json))
    }

    /// Reads the `error` of a body or an event.
    pub(super) fn of(error: &Value) -> Self {
        let field = |name| text_of(error.get(name)?);
        let message = field("message").or_else(|| field("detail"));
        Self {
            message: message.or_else(|| text_of(error)).unwrap_or_default(),
            kind: field("type"),
            code: field("code"),
            param: field("param"),
        }
    }

    fn says(&self, word: &str) -> bool {
        let named = |field: &Option<String>| field.as_ref().is_some_and(|text| text.contains(word));
        named(&self.code) || named(&self.kind)
    }

    fn is_about_length(&self) -> bool {
        const PHRASES: [&str; 6] = [
            "maximum context length",
            "context length",
            "context window",
            "context size",
            "prompt is too long",
            "input is too long",
        ];
        let message = self.message.to_lowercase();
        self.says("context_length")
            || self.says("exceed_context_size")
            || PHRASES.iter().any(|phrase| message.contains(phrase))
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Some(value.to_string())
        }
    }
}

/// The error kind of a status and its explanation.
pub(super) fn kind_of_status(status: StatusCode, explanation: &Explanation) -> ModelErrorKind {
    match status.as_u16() {
        401 | 403 => ModelErrorKind::Unauthorized,
        408 => ModelErrorKind::TimedOut,
        413 => ModelErrorKind::ContextTooLong,
        400 | 422 if explanation.is_about_length() => ModelErrorKind::ContextTooLong,
        429 => ModelErrorKind::RateLimited,
        409 | 425 | 500.. => ModelErrorKind::Unavailable,
        _ => ModelErrorKind::Rejected,
    }
}

pub(super) fn message_of_status(status: StatusCode, explanation: &Explanation) -> String {
    let code = status.as_u16();
    if status.is_redirection() {
        return format!(
            "the model server answered {code}, a redirect; those are not followed: correct the base URL"
        );
    }
    format!("the model server answered {code}: {}", explanation.message)
}

/// The error kind of an error event inside a stream.
pub(super) fn kind_of_event(explanation: &Explanation) -> ModelErrorKind {
    let status = explanation.code.as_ref().and_then(|code| code.parse().ok());
    if let Some(status) = status.and_then(|code: u16| StatusCode::from_u16(code).ok()) {
        return kind_of_status(status, explanation);
    }
    if explanation.is_about_length() {
        ModelErrorKind::ContextTooLong
    } else if explanation.says("rate_limit") || explanation.says("quota") {
        ModelErrorKind::RateLimited
    } else if explanation.says("authentication") || explanation.says("api_key") {
        ModelErrorKind::Unauthorized
    } else if explanation.says("invalid_request") {
        ModelErrorKind::Rejected
    } else {
        ModelErrorKind::Unavailable
    }
}

/// True if the account is out of quota: a retry cannot help.
pub(super) fn is_out_of_quota(explanation: &Explanation) -> bool {
    explanation.says("insufficient_quota") || explanation.says("billing")
}

/// The error of a request that failed before its response began.
pub(super) fn of_sending(trouble: &SendError, host: &str) -> ModelError {
    match trouble {
        SendError::Unreachable(cause) => ModelError::new(
            ModelErrorKind::Unreachable,
            format!("no connection to the model server at {host}: {cause}"),
        ),
        SendError::Interrupted(cause) => ModelError::new(
            ModelErrorKind::Interrupted,
            format!("the model server at {host} closed the connection before it answered: {cause}"),
        ),
    }
}

/// The innermost error says what happened; the outer ones say where.
pub(super) fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Reads `Retry-After`: seconds, milliseconds, or a date, relative to the server's `Date`
/// if present.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|value| value.parse().ok()) {
        return Some(Duration::from_millis(milliseconds));
    }
    let value = text(RETRY_AFTER.as_str())?;
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = |text: &str| DateTime::parse_from_rfc2822(text).ok();
    let now = text(DATE.as_str())
        .and_then(date)
        .map_or_else(Utc::now, |date| date.to_utc());
    let wait = date(value)?.to_utc() - now;
    Some(wait.to_std().unwrap_or(Duration::ZERO))
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod error_tests;
