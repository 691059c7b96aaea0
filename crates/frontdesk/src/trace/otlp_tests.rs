//! Encoded messages can be decoded, and invalid bytes are detected.

use proptest::prelude::*;

use super::*;

fn span() -> Span {
    Span {
        trace: [7; 16],
        id: [1; 8],
        parent: None,
        name: "x".to_owned(),
        kind: Kind::Client,
        start: 1,
        end: 2,
        attributes: vec![("a".into(), Attribute::Whole(-1))],
        error: Some("broken".to_owned()),
    }
}

#[test]
fn an_encoded_request_is_a_protobuf_message() {
    assert!(is_message(&Protocol::Protobuf.encode("s", &[span()])));
    assert!(is_message(b""));
    // `partial_success { rejected_spans: 3, error_message: "no" }`
    assert!(is_message(b"\x0a\x06\x08\x03\x12\x02no"));
}

#[test]
fn html_and_broken_bytes_are_not_messages() {
    for garbage in [
        &b"<html>502</html>"[..],
        b"not found",
        b"\x0a\xff",
        b"\x0a\x06\x08",
        b"\x00\x01",
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
    ] {
        assert!(!is_message(garbage), "{garbage:?}");
    }
}

#[test]
fn json_has_the_fields_of_the_span() {
    let wire: Value = serde_json::from_slice(&Protocol::Json.encode("s", &[span()])).unwrap();
    let encoded = &wire["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!(encoded["traceId"], "07".repeat(16));
    assert_eq!(encoded["spanId"], "01".repeat(8));
    assert_eq!(
        (&encoded["kind"], &encoded["endTimeUnixNano"]),
        (&json!(3), &json!("2"))
    );
    assert_eq!(encoded["attributes"][0]["value"]["intValue"], "-1");
    assert_eq!(encoded["status"], json!({ "code": 2, "message": "broken" }));
    assert!(encoded.get("parentSpanId").is_none());
}

proptest! {
    #[test]
    fn any_answer_is_judged_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        is_message(&bytes);
    }
}
