//! An answer that must follow a schema has its fields, and no more than the least in them.

use serde_json::json;

use super::*;

#[test]
fn a_schema_without_fields_is_left_alone() {
    assert_eq!(shaped("hello", &json!({"type": "string"}), &[]), "hello");
}

#[test]
fn the_first_text_takes_the_words_where_none_is_called_so() {
    let schema = json!({"properties": {"mood": {"enum": ["a"]}, "speech": {"type": "string"}}});
    assert_eq!(shaped("hello", &schema, &[]), r#"{"speech":"hello"}"#);
}

#[test]
fn required_fields_get_the_least_that_fits() {
    let schema = json!({"properties": {
        "content": {"type": "string"},
        "a": {"type": ["string", "null"]}, "b": {"anyOf": [{"type": "integer", "minimum": 3}]},
        "c": {"type": "array", "items": {"type": "object"}}, "d": {"type": "boolean"}, "e": {},
    }, "required": ["content", "a", "b", "c", "d", "e"]});
    let value: Value = serde_json::from_str(&shaped("x", &schema, &[])).expect("JSON");
    assert_eq!(
        value,
        json!({"content": "x", "a": null, "b": 3, "c": [], "d": false, "e": null})
    );
}
