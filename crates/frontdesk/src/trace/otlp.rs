//! Spans on the wire: an `ExportTraceServiceRequest` of OTLP 1, as protobuf or JSON.

use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::InstrumentationScope;
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans};
use prost::Message as _;

use super::span::{Span, text};

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

    pub fn encode(self, service: &str, spans: Vec<Span>) -> Vec<u8> {
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

fn request(service: &str, spans: Vec<Span>) -> ExportTraceServiceRequest {
    let resource = Resource {
        attributes: vec![
            text("service.name", service),
            text("service.version", VERSION),
        ],
        ..Resource::default()
    };
    let scope = InstrumentationScope {
        name: SCOPE.to_owned(),
        version: VERSION.to_owned(),
        ..InstrumentationScope::default()
    };
    let scope_spans = ScopeSpans {
        scope: Some(scope),
        spans,
        ..ScopeSpans::default()
    };
    let resource_spans = ResourceSpans {
        resource: Some(resource),
        scope_spans: vec![scope_spans],
        ..ResourceSpans::default()
    };
    ExportTraceServiceRequest {
        resource_spans: vec![resource_spans],
    }
}

#[cfg(test)]
#[path = "otlp_tests.rs"]
mod otlp_tests;
