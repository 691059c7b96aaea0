//! Changes that break calls.

use serde_json::{Value, json};

use super::super::document::Document;
use super::drift;
use crate::operation::Operation;

fn document(paths: Value) -> Document {
    Document::parse(&json!({"openapi": "3.1.0", "paths": paths}).to_string()).unwrap()
}

fn operation() -> Operation {
    serde_json::from_value(json!({
        "request": "POST /tickets/{ticket_id}/notes",
        "parameters": {
            "ticket_id": {"in": "path"},
            "loud": {"in": "query", "type": "boolean"},
            "note": {"in": "body", "name": "text", "required": true},
            "tag": {"in": "body", "name": "/meta/tag"},
        },
    }))
    .unwrap()
}

fn notes(parameters: Value, body: Value) -> Value {
    json!({
        "parameters": parameters,
        "requestBody": {"content": {"application/json": {"schema": body}}},
    })
}

#[test]
fn an_unchanged_operation_has_no_drift_even_with_another_name_in_its_path() {
    let parameters = json!([
        {"in": "path", "name": "id", "required": true},
        {"in": "query", "name": "loud"},
        {"in": "query", "name": "new_and_optional"},
    ]);
    let body = json!({"required": ["text"], "properties": {"text": {}, "meta": {}}});
    let document = document(json!({"/tickets/{id}/notes": {"post": notes(parameters, body)}}));
    assert_eq!(drift(&document, &operation()), Vec::<String>::new());
}

#[test]
fn each_change_that_breaks_calls_is_a_sentence() {
    let parameters = json!([{"in": "path", "name": "id", "required": true}]);
    let body = json!({"required": ["text", "kind"], "properties": {"text": {}, "kind": {}}});
    let changed = document(json!({"/tickets/{id}/notes": {"post": notes(parameters, body)}}));
    assert_eq!(
        drift(&changed, &operation()),
        [
            "POST /tickets/{ticket_id}/notes no longer has the parameter `loud`",
            "POST /tickets/{ticket_id}/notes now requires the parameter `kind`",
        ]
    );
    for (paths, expected) in [
        (
            json!({"/other": {}}),
            "POST /tickets/{ticket_id}/notes no longer exists",
        ),
        (
            json!({"/tickets/{id}/notes": {"get": {}}}),
            "the path of POST /tickets/{ticket_id}/notes no longer has this method",
        ),
        (
            json!({"/tickets/{id}/notes": {"post": {"deprecated": true}}}),
            "POST /tickets/{ticket_id}/notes is deprecated",
        ),
    ] {
        assert_eq!(drift(&document(paths), &operation()), [expected]);
    }
}
