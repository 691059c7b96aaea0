//! The request body: shared slices written one after another, never a tree.
//!
//! `messages` come last, so that the next request of a conversation extends this one byte
//! for byte and hits the provider's prompt cache.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use frontdesk_core::model::Ask;
use http_body::{Frame, SizeHint};
use serde::Serialize;
use serde_json::Value;

use super::quirks::{Format, Limit, Parameter, Quirks};

/// Head, tools, `"messages":[`, system, comma, history, tail.
const PARTS: usize = 7;

/// A request body of known length.
pub(super) struct Body {
    parts: [Bytes; PARTS],
    next: usize,
    left: u64,
}

impl Body {
    pub(super) fn new(ask: &Ask<'_>, quirks: Quirks) -> Self {
        let prompt = &ask.prompt;
        let mut parts: [Bytes; PARTS] = Default::default();
        parts[0] = head(ask, quirks);
        if !ask.offer.is_empty() {
            parts[1] = ask.offer.json.clone();
        }
        parts[2] = Bytes::from_static(b",\"messages\":[");
        parts[3] = prompt.system.clone();
        if !prompt.system.is_empty() && !prompt.history.is_empty() {
            parts[4] = Bytes::from_static(b",");
        }
        parts[5] = prompt.history.clone();
        let is_first = prompt.system.is_empty() && prompt.history.is_empty();
        parts[6] = tail(prompt.tail, is_first);
        let left = parts.iter().map(|part| part.len() as u64).sum();
        Self {
            parts,
            next: 0,
            left,
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.left
    }
}

/// True if a request carries the parameter.
pub(super) fn sends(parameter: Parameter, ask: &Ask<'_>, quirks: Quirks) -> bool {
    match parameter {
        Parameter::Temperature => {
            let temperature = ask.settings.temperature;
            !quirks.no_temperature && temperature.is_some_and(f64::is_finite)
        }
        Parameter::MaxTokens => {
            quirks.limit == Limit::MaxTokens && ask.settings.max_tokens.is_some()
        }
        Parameter::MaxCompletionTokens => {
            quirks.limit == Limit::MaxCompletionTokens && ask.settings.max_tokens.is_some()
        }
        Parameter::ResponseFormat => quirks.format != Format::NotSent && ask.reply_schema.is_some(),
        Parameter::StreamOptions => !quirks.no_stream && !quirks.no_stream_options,
        Parameter::Stream => !quirks.no_stream,
        Parameter::ToolChoice => !quirks.no_tool_choice && !ask.offer.is_empty(),
    }
}

/// Everything before the tools, or before the messages if there are no tools.
fn head(ask: &Ask<'_>, quirks: Quirks) -> Bytes {
    let sends = |parameter| sends(parameter, ask, quirks);
    let mut head = Vec::with_capacity(256);
    head.extend_from_slice(b"{\"model\":");
    json(&mut head, &ask.settings.model);
    if sends(Parameter::Stream) {
        field(&mut head, Parameter::Stream, &true);
    }
    if sends(Parameter::StreamOptions) {
        head.extend_from_slice(b",\"stream_options\":{\"include_usage\":true}");
    }
    if sends(Parameter::Temperature) {
        field(&mut head, Parameter::Temperature, &ask.settings.temperature);
    }
    for limit in [Parameter::MaxTokens, Parameter::MaxCompletionTokens] {
        if sends(limit) {
            field(&mut head, limit, &ask.settings.max_tokens);
        }
    }
    if let Some(schema) = ask.reply_schema
        && sends(Parameter::ResponseFormat)
    {
        field(
            &mut head,
            Parameter::ResponseFormat,
            &response_format(schema, quirks.format),
        );
    }
    if sends(Parameter::ToolChoice) {
        field(&mut head, Parameter::ToolChoice, &"auto");
    }
    if !ask.offer.is_empty() {
        head.extend_from_slice(b",\"tools\":");
    }
    Bytes::from(head)
}

/// The only part that is copied: it is new in each request.
fn tail(messages: &[u8], is_first: bool) -> Bytes {
    const END: &[u8] = b"]}";
    if messages.is_empty() {
        return Bytes::from_static(END);
    }
    let mut tail = Vec::with_capacity(messages.len() + END.len() + 1);
    if !is_first {
        tail.push(b',');
    }
    tail.extend_from_slice(messages);
    tail.extend_from_slice(END);
    Bytes::from(tail)
}

fn field(out: &mut Vec<u8>, parameter: Parameter, value: &impl Serialize) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(parameter.name().as_bytes());
    out.extend_from_slice(b"\":");
    json(out, value);
}

fn json(out: &mut Vec<u8>, value: &impl Serialize) {
    // Serialising JSON with string keys into memory cannot fail.
    let _ = serde_json::to_writer(out, value);
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_schema: Option<JsonSchema<'a>>,
}

#[derive(Serialize)]
struct JsonSchema<'a> {
    name: &'static str,
    strict: bool,
    schema: &'a Value,
}

fn response_format(schema: &Value, format: Format) -> ResponseFormat<'_> {
    match format {
        Format::Schema => ResponseFormat {
            r#type: "json_schema",
            json_schema: Some(JsonSchema {
                name: "reply",
                strict: is_strict(schema),
                schema,
            }),
        },
        Format::Object | Format::NotSent => ResponseFormat {
            r#type: "json_object",
            json_schema: None,
        },
    }
}

/// True if the schema qualifies for strict mode: providers require closed objects with all
/// properties required.
fn is_strict(schema: &Value) -> bool {
    let closed = match schema.get("properties").and_then(Value::as_object) {
        None => true,
        Some(properties) => {
            let required = schema.get("required").and_then(Value::as_array);
            schema.get("additionalProperties") == Some(&Value::Bool(false))
                && required.is_some_and(|required| {
                    properties
                        .keys()
                        .all(|key| required.iter().any(|name| name == key))
                })
        }
    };
    closed
        && match schema {
            Value::Object(map) => map.values().all(is_strict),
            Value::Array(list) => list.iter().all(is_strict),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        while let Some(part) = self.parts.get(self.next).cloned() {
            self.next += 1;
            if !part.is_empty() {
                self.left -= part.len() as u64;
                return Poll::Ready(Some(Ok(Frame::data(part))));
            }
        }
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod body_tests;
