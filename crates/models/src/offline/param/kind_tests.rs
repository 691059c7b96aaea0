//! The kind of a parameter follows from its schema, its examples and its description.

use serde_json::json;

use super::super::params_of;
use super::*;

fn kind(name: &str, schema: Value) -> String {
    let root =
        json!({"properties": {name: schema}, "$defs": {"Tone": {"enum": ["formal", "casual"]}}});
    let param = params_of(&root, &[]).remove(0);
    let shown = format!("{:?}", param.kind);
    shown
        .split(['(', ' '])
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn kinds_are_told_from_schemas() {
    for (name, schema, expected) in [
        (
            "pass_number",
            json!({"type": "string", "pattern": r"^GP-\d{4}$"}),
            "Pattern",
        ),
        (
            "anything",
            json!({"type": "string", "pattern": "^.+$"}),
            "Text",
        ),
        (
            "status",
            json!({"type": ["string", "null"], "enum": ["a", null]}),
            "Enum",
        ),
        (
            "tone",
            json!({"anyOf": [{"$ref": "#/$defs/Tone"}, {"type": "null"}]}),
            "Enum",
        ),
        (
            "decision",
            json!({"oneOf": [{"const": "YES", "description": "agree"}, {"const": "NO"}]}),
            "Enum",
        ),
        ("ok", json!({"type": "boolean"}), "Boolean"),
        (
            "count",
            json!({"type": ["integer", "null"], "minimum": 1}),
            "Number",
        ),
        (
            "when",
            json!({"type": "string", "format": "date-time"}),
            "DateTime",
        ),
        ("day", json!({"type": "string", "format": "date"}), "Date"),
        (
            "start",
            json!({"type": "string", "pattern": r"^\d{2}:\d{2}$"}),
            "Time",
        ),
        ("birth_date", json!({"type": "string"}), "Date"),
        ("order_id", json!({"type": "string"}), "Id"),
        ("id", json!({"type": "string", "format": "uuid"}), "Pattern"),
        ("email", json!({"type": "string"}), "Pattern"),
        ("person_name", json!({"type": "string"}), "Name"),
        (
            "who",
            json!({"type": "string", "description": "Name of the guest."}),
            "Name",
        ),
        (
            "notes",
            json!({"type": "string", "x-handle": "text"}),
            "LongText",
        ),
        (
            "photo",
            json!({"type": "string", "x-handle": "file"}),
            "File",
        ),
        (
            "names",
            json!({"type": "array", "items": {"type": "string"}}),
            "List",
        ),
        ("stages", json!({"type": "object"}), "Other"),
        (
            "people",
            json!({"type": "array", "items": {"type": "object"}}),
            "Other",
        ),
        ("odd", json!(true), "Other"),
    ] {
        assert_eq!(kind(name, schema), expected, "{name}");
    }
}

#[test]
fn a_plain_string_is_what_its_examples_look_like() {
    let schema = json!({"properties": {"start": {"type": "string"}}});
    let shown = |value: &str| {
        format!(
            "{:?}",
            params_of(&schema, &[json!({"start": value})])[0].kind
        )
    };
    assert_eq!(shown("2026-11-15"), "Date { strict: true }");
    assert_eq!(shown("09:30"), "Time { seconds: false }");
    assert_eq!(shown("2026-11-15T09:30:00Z"), "DateTime { zoned: true }");
    assert_eq!(shown("soon"), "Text");
}

#[test]
fn a_person_is_asked_in_the_words_of_the_schema() {
    let schema = json!({"properties": {
        "pass_number": {"type": "string", "description": "Pass number, like GP-2026-0001. Never guess it."},
        "tone": {"enum": ["formal", "casual"], "description": "How it sounds."},
        "maxPrice": {"type": "integer"},
    }, "required": ["tone"]});
    let asks: Vec<String> = params_of(&schema, &[])
        .into_iter()
        .map(|param| param.ask)
        .collect();
    assert_eq!(
        asks,
        [
            "How it sounds (formal, casual)",
            "Max price",
            "Pass number, like GP-2026-0001"
        ]
    );
}
