//! Plain, small JSON Schema from any schema.

use serde_json::{Value, json};

use super::super::document::Document;
use super::convert;

/// Converts a schema; `schemas` are its components.
fn check(schemas: Value, schema: Value, expected: Value) {
    let root = json!({"components": {"schemas": schemas}});
    let document = Document::of_schema(root);
    let converted = convert(&document, &schema).unwrap();
    assert_eq!(converted, expected);
    jsonschema::validator_for(&converted).expect("the result is a JSON Schema");
}

#[test]
fn keywords_of_openapi_3_0_become_json_schema() {
    check(
        json!({}),
        json!({
            "type": "integer", "format": "int32", "minimum": 0, "exclusiveMinimum": true,
            "nullable": true, "example": 3, "xml": {"name": "x"}, "x-own": 1,
        }),
        json!({"type": ["integer", "null"], "format": "int32", "exclusiveMinimum": 0}),
    );
}

#[test]
fn parts_of_all_of_are_merged() {
    check(
        json!({
            "Base": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}},
        }),
        json!({
            "description": "A **ticket**.",
            "allOf": [
                {"$ref": "#/components/schemas/Base"},
                {"required": ["title", "id"], "properties": {"title": {"type": "string"}}},
            ],
        }),
        json!({
            "type": "object",
            "properties": {"id": {"type": "string"}, "title": {"type": "string"}},
            "description": "A ticket.",
            "required": ["id", "title"],
        }),
    );
}

#[test]
fn circles_end_and_accept_any_value() {
    let schemas = json!({
        "Node": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}},
        "Loop": {"allOf": [{"$ref": "#/components/schemas/Loop"}], "type": "string"},
        "Mutual": {"allOf": [{"$ref": "#/components/schemas/Back"}, {"$ref": "#/components/schemas/Back"}]},
        "Back": {"allOf": [{"$ref": "#/components/schemas/Mutual"}, {"$ref": "#/components/schemas/Mutual"}]},
    });
    check(
        schemas.clone(),
        json!({"$ref": "#/components/schemas/Node"}),
        json!({"type": "object", "properties": {"next": {}}}),
    );
    check(
        schemas.clone(),
        json!({"$ref": "#/components/schemas/Loop"}),
        json!({"type": "string"}),
    );
    check(
        schemas,
        json!({"$ref": "#/components/schemas/Mutual"}),
        json!({}),
    );
}

#[test]
fn values_that_a_manifest_cannot_hold_and_wrong_keywords_are_dropped() {
    check(
        json!({}),
        json!({
            "type": "file", "pattern": "(?<!x)(", "minLength": -1, "maximum": 9223372036854775808_u64,
            "enum": ["a", null, "a"], "required": "id", "default": null, "items": true,
        }),
        json!({"enum": ["a"]}),
    );
}

#[test]
fn fields_that_only_the_server_sets_are_left_out() {
    check(
        json!({}),
        json!({
            "type": "object",
            "required": ["id", "name"],
            "properties": {
                "id": {"type": "string", "readOnly": true},
                "name": {"type": "string"},
                "old": {"type": "string", "deprecated": true},
            },
        }),
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}),
    );
}

#[test]
fn a_wide_and_deep_schema_stays_small() {
    let mut schema = json!({"type": "string"});
    for _ in 0..20 {
        let properties: serde_json::Map<String, Value> = (0..10)
            .map(|n| (format!("field{n}"), schema.clone()))
            .collect();
        schema = json!({"type": "object", "properties": properties});
        if schema.to_string().len() > 1_000_000 {
            break;
        }
    }
    let converted = convert(&Document::of_schema(json!({})), &schema).unwrap();
    assert!(converted.to_string().len() < 10_000);
}
