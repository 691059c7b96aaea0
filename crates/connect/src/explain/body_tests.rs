//! Error bodies of common frameworks.

use serde_json::json;

use super::*;

fn check(body: Value, expected: &[(&str, &str)]) {
    let found = violations(&body);
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|violation| (violation.field.as_str(), violation.message.as_str()))
        .collect();
    assert_eq!(found, expected, "{body}");
}

#[test]
fn the_fields_of_a_validation_error_are_found() {
    let name = [("name", "must not be empty")];
    check(
        json!({ "detail": [{ "loc": ["body", "name"], "msg": "must not be empty" }] }),
        &name,
    );
    check(json!({ "name": ["must not be empty"] }), &name);
    check(
        json!({ "errors": { "name": ["must not be empty", "is too short"] } }),
        &name,
    );
    check(
        json!({ "title": "x", "status": 422, "errors": { "name": "must not be empty" } }),
        &name,
    );
    check(
        json!({ "errors": [{ "field": "name", "message": "must not be empty" }] }),
        &name,
    );
    check(
        json!({ "errors": [{ "pointer": "#/name", "detail": "must not be empty" }] }),
        &name,
    );
    check(
        json!({ "errors": [{ "source": { "pointer": "/data/attributes/name" }, "detail": "must not be empty" }] }),
        &name,
    );
    check(json!({ "message": "no", "code": "X" }), &[]);
    check(json!({ "detail": "no" }), &[]);
    check(json!([1, 2]), &[]);
}

#[test]
fn a_sentence_is_found_in_every_usual_place() {
    for body in [
        json!({ "error": { "message": "The gate is closed" } }),
        json!({ "detail": "The gate is closed" }),
        json!({ "detail": { "message": "The gate is closed" } }),
        json!({ "type": "about:blank", "title": "Closed", "detail": "The gate is closed" }),
        json!({ "message": "The gate is closed" }),
        json!({ "error": "The gate is closed" }),
        json!({ "errors": ["The gate is closed"] }),
        json!({ "errors": { "base": ["The gate is closed"] } }),
        json!({ "non_field_errors": ["The gate is closed"] }),
    ] {
        assert_eq!(
            message(&body).as_deref(),
            Some("The gate is closed"),
            "{body}"
        );
    }
}

#[test]
fn raw_text_is_no_sentence() {
    for text in [
        "boom at line 42 of views.py: SELECT * FROM secrets",
        "java.lang.NullPointerException",
        "Traceback (most recent call last)",
        "ERROR: relation \"users\" does not exist; SELECT 1",
        "<html><h1>Bad gateway</h1></html>",
        "cannot open /etc/app/secrets/key",
        "see https://internal.example/trace",
        "assertion failed: a::b()",
        "",
        "   ",
    ] {
        assert_eq!(message(&json!({ "detail": text })), None, "{text}");
    }
    for text in [
        "Cannot approve a pass in state 'rejected'.",
        "At most 5.5 MB, please",
        "Schon vergeben",
    ] {
        assert_eq!(message(&json!({ "detail": text })).as_deref(), Some(text));
    }
}
