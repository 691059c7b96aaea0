//! Statuses, bodies and `Retry-After` of many servers, and the error kind of each.

use std::time::Duration;

use frontdesk_core::model::ModelErrorKind;
use http::StatusCode;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::json;

use super::{Explanation, kind_of_event, kind_of_status, retry_after};

fn headers(list: &[(&'static str, &'static str)]) -> HeaderMap {
    list.iter()
        .map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        })
        .collect()
}

#[test]
fn retry_after_is_read_in_all_spellings() {
    let check = |list: &[(&'static str, &'static str)], expected: Option<f64>| {
        assert_eq!(
            retry_after(&headers(list)),
            expected.map(Duration::from_secs_f64),
            "{list:?}"
        );
    };
    check(&[], None);
    check(&[("retry-after", "2")], Some(2.0));
    check(&[("retry-after", " 0.5 ")], Some(0.5));
    check(
        &[("retry-after-ms", "250"), ("retry-after", "9")],
        Some(0.25),
    );
    check(
        &[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")],
        Some(0.0),
    );
    let date = ("date", "Wed, 21 Oct 2015 07:27:30 GMT");
    check(
        &[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), date],
        Some(30.0),
    );
    check(
        &[("retry-after", "Wed, 21 Oct 2015 07:27:00 GMT"), date],
        Some(0.0),
    );
    check(&[("retry-after", "soon")], None);
    check(&[("retry-after", "-1")], None);
    check(&[("retry-after", "NaN")], None);
    check(&[("retry-after", "1e300")], None);
}

#[test]
fn explanations_are_read_in_all_forms() {
    let message = |body: &str| Explanation::read(body.as_bytes()).message;
    assert_eq!(message(r#"{"error":{"message":"no"}}"#), "no");
    assert_eq!(message(r#"{"error":"no"}"#), "no");
    assert_eq!(message(r#"{"message":"no"}"#), "no");
    assert_eq!(message(r#"{"detail":"no"}"#), "no");
    assert_eq!(message(r#"[{"error":{"message":"no"}}]"#), "no");
    assert_eq!(message("no"), "no");
    assert_eq!(message(""), "");
    let full = json!({"error": {"message": "m", "type": "t", "param": "p", "code": 400}});
    let expected = Explanation {
        message: "m".to_owned(),
        kind: Some("t".to_owned()),
        code: Some("400".to_owned()),
        param: Some("p".to_owned()),
    };
    assert_eq!(Explanation::read(full.to_string().as_bytes()), expected);
}

#[test]
fn each_status_has_its_kind() {
    let nothing = Explanation::default();
    let kind = |status| kind_of_status(StatusCode::from_u16(status).unwrap(), &nothing);
    assert_eq!(kind(401), ModelErrorKind::Unauthorized);
    assert_eq!(kind(403), ModelErrorKind::Unauthorized);
    assert_eq!(kind(404), ModelErrorKind::Rejected);
    assert_eq!(kind(408), ModelErrorKind::TimedOut);
    assert_eq!(kind(413), ModelErrorKind::ContextTooLong);
    assert_eq!(kind(429), ModelErrorKind::RateLimited);
    assert_eq!(kind(529), ModelErrorKind::Unavailable);
    let too_long = Explanation {
        message: "This model's maximum context length is 8192 tokens.".to_owned(),
        ..Explanation::default()
    };
    assert_eq!(
        kind_of_status(StatusCode::BAD_REQUEST, &too_long),
        ModelErrorKind::ContextTooLong
    );
    assert_eq!(
        kind_of_status(StatusCode::INTERNAL_SERVER_ERROR, &too_long),
        ModelErrorKind::Unavailable
    );
}

#[test]
fn each_error_event_has_its_kind() {
    let kind = |error| kind_of_event(&Explanation::of(&error));
    assert_eq!(
        kind(json!({"code": "rate_limit_exceeded"})),
        ModelErrorKind::RateLimited
    );
    assert_eq!(
        kind(json!({"type": "invalid_request_error"})),
        ModelErrorKind::Rejected
    );
    assert_eq!(
        kind(json!({"type": "authentication_error"})),
        ModelErrorKind::Unauthorized
    );
    assert_eq!(kind(json!({"code": 502})), ModelErrorKind::Unavailable);
    assert_eq!(kind(json!("overloaded")), ModelErrorKind::Unavailable);
}
