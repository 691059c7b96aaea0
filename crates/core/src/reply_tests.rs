//! Accepted schemas, and the fields kept of a reply.

use serde_json::{Map, Value, json};

use super::{ReplySchema, ReplySchemaError};

fn schema() -> ReplySchema {
    ReplySchema::new(json!({
        "type": "object",
        "properties": {
            "message": { "type": "string" },
            "quickReplies": { "type": "array", "items": { "type": "string" }, "maxItems": 4 },
            "candidatesMentioned": { "type": ["array", "null"], "items": { "type": "string" } },
            "analysisType": { "type": "string", "enum": ["ranking", "general"] },
        },
        "required": ["message"],
    }))
    .unwrap()
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

#[test]
fn only_fields_that_match_the_schema_are_kept() {
    let extras = schema().extras(map(json!({
        "quickReplies": ["One", 2, "Two", "Three", "Four", "Five"],
        "candidatesMentioned": ["a", "b"],
        "analysisType": "poetry",
        "turn_id": "mine",
    })));
    assert_eq!(
        extras.quick_replies,
        ["One", "Two", "Three", "Four", "Five"]
    );
    assert_eq!(
        Value::Object(extras.fields),
        json!({"candidatesMentioned": ["a", "b"]})
    );
}

#[test]
fn fields_are_bounded() {
    let long = vec!["x".repeat(1_000); 20];
    let extras = schema().extras(map(json!({
        "candidatesMentioned": long, "analysisType": "general",
    })));
    assert_eq!(
        Value::Object(extras.fields),
        json!({"analysisType": "general"})
    );
}

#[test]
fn a_schema_needs_a_message() {
    for wrong in [
        json!({}),
        json!({"properties": {"text": {"type": "string"}}}),
        json!({"properties": {"message": {"type": "array"}}}),
    ] {
        let refused = ReplySchema::new(wrong).err();
        assert!(matches!(refused, Some(ReplySchemaError::NoMessage)));
    }
    let wrong = json!({"type": "no type", "properties": {"message": {"type": "string"}}});
    let refused = ReplySchema::new(wrong).err();
    assert!(matches!(refused, Some(ReplySchemaError::NotASchema(_))));
}
