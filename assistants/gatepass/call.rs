//! From a granted call to its API request. The grant has already put the signed-in person's name
//! into the arguments.

use frontdesk_core::access::Principal;
use serde_json::{Map, Value};

use super::api::{ApiRequest, Method, Payload};
use super::photo::Photo;
use super::tools::{self, Entry, Kind};

/// A call with its final arguments.
pub(super) struct Call {
    pub(super) entry: &'static Entry,
    pub(super) arguments: Map<String, Value>,
    /// The tool with which this person can list gate passes, if they have one.
    pub(super) lists_with: Option<&'static str>,
}

/// A parameter whose value cannot be part of a URL path.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadSegment(pub(super) &'static str);

impl Call {
    pub(super) fn new(
        entry: &'static Entry,
        arguments: Map<String, Value>,
        principal: &Principal,
    ) -> Self {
        let list = |other: &&Entry| {
            other.parameter(Kind::Status).is_some() && principal.holds_any(other.roles)
        };
        Self {
            entry,
            arguments,
            lists_with: tools::all().find(list).map(|list| list.name),
        }
    }

    pub(super) fn text(&self, parameter: &str) -> Option<&str> {
        self.arguments.get(parameter)?.as_str()
    }

    /// The pass number among the arguments, if any.
    pub(super) fn pass_number(&self) -> Option<&str> {
        let parameter = self.entry.parameter(Kind::PassNumber)?;
        self.text(parameter.name)
    }

    /// Builds the request. `photo` goes into the field of the file parameter.
    pub(super) fn request(
        &self,
        photo: Option<Photo>,
        idempotency_key: String,
    ) -> Result<ApiRequest, BadSegment> {
        let entry = self.entry;
        let mut rest = self.arguments.clone();
        let mut segments = Vec::new();
        for part in entry.endpoint.split('/').filter(|part| !part.is_empty()) {
            let named = part.strip_prefix('{').and_then(|p| p.strip_suffix('}'));
            segments.push(match named {
                Some(name) => {
                    let value = rest.remove(name);
                    let text = value.as_ref().and_then(Value::as_str).unwrap_or_default();
                    segment(text).ok_or(BadSegment(name))?
                }
                None => part.to_owned(),
            });
        }
        let (query, payload) = match (entry.method, entry.parameter(Kind::Photo), photo) {
            (Method::Get, ..) => (as_fields(rest), Payload::Nothing),
            (Method::Post, Some(parameter), Some(photo)) => {
                rest.remove(parameter.name);
                let payload = Payload::Form {
                    fields: as_fields(rest),
                    file: (parameter.name, photo),
                };
                (Vec::new(), payload)
            }
            (Method::Post, ..) => (Vec::new(), Payload::Json(Value::Object(rest))),
        };
        Ok(ApiRequest {
            method: entry.method,
            segments,
            query,
            payload,
            idempotency_key: entry.effect.writes().then_some(idempotency_key),
        })
    }
}

/// A value for a path segment; percent-encoding happens later. `.` and `..` would change the path
/// even when encoded.
pub(super) fn segment(text: &str) -> Option<String> {
    let text = text.trim();
    let bad = matches!(text, "" | "." | "..") || text.chars().any(char::is_control);
    (!bad).then(|| text.to_owned())
}

fn as_fields(arguments: Map<String, Value>) -> Vec<(String, String)> {
    arguments
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| match value {
            Value::String(text) => (name, text),
            other @ (Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_)) => (name, other.to_string()),
        })
        .collect()
}

#[cfg(test)]
#[path = "call_tests.rs"]
mod call_tests;
