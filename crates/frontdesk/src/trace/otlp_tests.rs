//! Requests follow the protocol, and replies that do not are recognised.

use opentelemetry_proto::tonic::common::v1::any_value;
use opentelemetry_proto::tonic::trace::v1::Status;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::span::attribute;
use super::*;

fn span() -> Span {
    Span {
        trace_id: vec![7; 16],
        span_id: vec![1; 8],
        name: "x".to_owned(),
        kind: SpanKind::Client.into(),
        start_time_unix_nano: 1,
        end_time_unix_nano: 2,
        attributes: vec![attribute("a", any_value::Value::IntValue(-1))],
        status: Some(Status {
            message: "broken".to_owned(),
            code: StatusCode::Error.into(),
        }),
        ..Span::default()
    }
}

#[test]
fn an_empty_and_a_partial_success_are_responses() {
    assert!(is_response(b""));
    // `partial_success { rejected_spans: 3, error_message: "no" }`
    assert!(is_response(b"\x0a\x06\x08\x03\x12\x02no"));
}

#[test]
fn pages_and_broken_messages_are_no_response() {
    for garbage in [
        &b"<html>502</html>"[..],
        b"not found",
        b"\x0a\xff",
        b"\x0a\x06\x08",
        b"\x00\x01",
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
    ] {
        assert!(!is_response(garbage), "{garbage:?}");
    }
}

#[test]
fn json_follows_the_protocol() {
    let wire: Value = serde_json::from_slice(&Protocol::Json.encode("s", vec![span()])).unwrap();
    let span = &wire["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!(span["traceId"], "07".repeat(16));
    assert_eq!(span["spanId"], "01".repeat(8));
    assert_eq!(
        (&span["kind"], &span["endTimeUnixNano"]),
        (&json!(3), &json!("2"))
    );
    assert_eq!(span["attributes"][0]["value"]["intValue"], "-1");
    assert_eq!(span["status"], json!({ "code": 2, "message": "broken" }));
    assert_eq!(span["parentSpanId"], "");
}

proptest! {
    #[test]
    fn any_answer_is_judged_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        is_response(&bytes);
    }
}
