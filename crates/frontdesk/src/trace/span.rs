//! Spans in OTLP's form. Attribute names follow OpenTelemetry's conventions for generative AI, OpenInference's kinds, and
//! Langfuse's.

use frontdesk_core::id::TurnId;
use opentelemetry_proto::tonic::common::v1::AnyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Status;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use sha2::{Digest, Sha256};

pub use opentelemetry_proto::tonic::common::v1::KeyValue;
pub use opentelemetry_proto::tonic::trace::v1::Span;

/// Longer texts are truncated, which bounds the memory of queued spans.
const LONGEST_TEXT: usize = 16 * 1024;

pub fn attribute(name: &str, value: Value) -> KeyValue {
    KeyValue {
        key: name.to_owned(),
        value: Some(AnyValue { value: Some(value) }),
        ..KeyValue::default()
    }
}

pub fn text(name: &str, text: impl Into<String>) -> KeyValue {
    attribute(name, Value::StringValue(cut(text.into())))
}

pub fn flag(name: &str, flag: bool) -> KeyValue {
    attribute(name, Value::BoolValue(flag))
}

pub fn whole(name: &str, number: u64) -> KeyValue {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    attribute(name, Value::IntValue(number))
}

/// The type of a span, as each convention names it.
pub fn types(operation: &str, inference_kind: &str, langfuse_type: &str) -> [KeyValue; 3] {
    [
        text("gen_ai.operation.name", operation),
        text("openinference.span.kind", inference_kind),
        text("langfuse.observation.type", langfuse_type),
    ]
}

/// The text that went in and the text that came out, for Langfuse.
pub fn content(input: impl Into<String>, output: impl Into<String>) -> [KeyValue; 2] {
    [
        text("langfuse.observation.input", input),
        text("langfuse.observation.output", output),
    ]
}

/// Marks the span as failed; `why` is a short error type.
pub fn fail(span: &mut Span, why: &str) {
    span.attributes.extend([
        text("error.type", why),
        text("langfuse.observation.level", "ERROR"),
        text("langfuse.observation.status_message", why),
    ]);
    span.status = Some(Status {
        message: why.to_owned(),
        code: StatusCode::Error.into(),
    });
}

fn cut(mut text: String) -> String {
    if text.len() > LONGEST_TEXT {
        let end = text.floor_char_boundary(LONGEST_TEXT);
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The id of a part of a turn, equal on all workers.
pub fn span_id(turn: TurnId, part: &str) -> Vec<u8> {
    let digest = Sha256::new()
        .chain_update(turn.uuid().as_bytes())
        .chain_update(part.as_bytes())
        .finalize();
    digest[..8].to_vec()
}
