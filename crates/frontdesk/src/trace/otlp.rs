//! Spans on the wire: an `ExportTraceServiceRequest` of OTLP 1, as protobuf or JSON.

use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::{
    AnyValue, ArrayValue, InstrumentationScope, KeyValue, any_value,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1 as wire;
use prost::Message as _;

use super::span::{Attribute, Kind, Span};

const SCOPE: &str = "frontdesk";
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Protobuf,
    Json,
}

impl Protocol {
    pub fn content_type(self) -> &'static str {
        match self {
            Protocol::Protobuf => "application/x-protobuf",
            Protocol::Json => "application/json",
        }
    }

    pub fn encode(self, service: &str, spans: &[Span]) -> Vec<u8> {
        let request = request(service, spans);
        match self {
            Protocol::Protobuf => request.encode_to_vec(),
            // Texts, numbers and lists always have a JSON form.
            Protocol::Json => serde_json::to_vec(&request).unwrap_or_default(),
        }
    }
}

/// True if a collector's reply is an `ExportTraceServiceResponse`, and not for example a page of a
/// proxy.
pub fn is_response(bytes: &[u8]) -> bool {
    ExportTraceServiceResponse::decode(bytes).is_ok()
}

fn request(service: &str, spans: &[Span]) -> ExportTraceServiceRequest {
    let attributes = [("service.name", service), ("service.version", VERSION)]
        .map(|(key, text)| key_value(key, &Attribute::Text(text.to_owned())));
    let resource = Resource {
        attributes: attributes.into(),
        ..Resource::default()
    };
    let scope = InstrumentationScope {
        name: SCOPE.to_owned(),
        version: VERSION.to_owned(),
        ..InstrumentationScope::default()
    };
    let scope_spans = wire::ScopeSpans {
        scope: Some(scope),
        spans: spans.iter().map(span).collect(),
        ..wire::ScopeSpans::default()
    };
    let resource_spans = wire::ResourceSpans {
        resource: Some(resource),
        scope_spans: vec![scope_spans],
        ..wire::ResourceSpans::default()
    };
    ExportTraceServiceRequest {
        resource_spans: vec![resource_spans],
    }
}

fn span(span: &Span) -> wire::Span {
    let kind = match span.kind {
        Kind::Internal => wire::span::SpanKind::Internal,
        Kind::Client => wire::span::SpanKind::Client,
    };
    let attributes = span.attributes.iter();
    let status = span.error.as_ref().map(|error| wire::Status {
        message: error.clone(),
        code: wire::status::StatusCode::Error.into(),
    });
    wire::Span {
        trace_id: span.trace.into(),
        span_id: span.id.into(),
        parent_span_id: span.parent.map(Into::into).unwrap_or_default(),
        name: span.name.clone(),
        kind: kind.into(),
        start_time_unix_nano: span.start,
        end_time_unix_nano: span.end,
        attributes: attributes
            .map(|(key, value)| key_value(key, value))
            .collect(),
        status,
        ..wire::Span::default()
    }
}

fn key_value(key: &str, attribute: &Attribute) -> KeyValue {
    KeyValue {
        key: key.to_owned(),
        value: Some(any_value(attribute)),
        ..KeyValue::default()
    }
}

fn any_value(attribute: &Attribute) -> AnyValue {
    let text = |text: &String| any_value::Value::StringValue(text.clone());
    let value = match attribute {
        Attribute::Text(value) => text(value),
        Attribute::Flag(flag) => any_value::Value::BoolValue(*flag),
        Attribute::Whole(number) => any_value::Value::IntValue(*number),
        Attribute::Number(number) => any_value::Value::DoubleValue(*number),
        Attribute::Texts(texts) => {
            let values = texts.iter().map(|value| AnyValue {
                value: Some(text(value)),
            });
            any_value::Value::ArrayValue(ArrayValue {
                values: values.collect(),
            })
        }
    };
    AnyValue { value: Some(value) }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[path = "otlp_tests.rs"]
mod otlp_tests;
