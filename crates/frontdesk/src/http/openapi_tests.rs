//! The OpenAPI document describes every operation and every event of a turn, and each example is
//! valid.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::examples;
use crate::http::{openapi, routes};

/// All operations of the document, by verb and path.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (path, verbs) in document["paths"].as_object().unwrap() {
        for (verb, operation) in verbs.as_object().unwrap() {
            found.push((format!("{verb} {path}"), operation));
        }
    }
    found
}

fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            if let Some(Value::String(reference)) = object.get("$ref") {
                found.insert(reference.clone());
            }
            object.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_operation_has_an_id_a_tag_and_a_summary() {
    let document = openapi();
    let mut ids = BTreeSet::new();
    for (which, operation) in operations(&document) {
        let text = |key: &str| operation[key].as_str().unwrap_or_default().to_owned();
        assert!(
            ids.insert(text("operationId")),
            "{which}: the name is taken"
        );
        assert!(
            !text("operationId").is_empty() && !text("summary").is_empty(),
            "{which}"
        );
        let subject = operation["tags"][0].as_str().unwrap();
        let mut tags = document["tags"].as_array().unwrap().iter();
        assert!(tags.any(|tag| tag["name"] == subject), "{which}");
    }
    let own = frontdesk_assistants::operations();
    assert_eq!(ids.len(), routes().len() + own.len());
}

#[test]
fn tags_are_unique_and_descriptions_are_texts() {
    let document = openapi();
    let mut tags = BTreeSet::new();
    for tag in document["tags"].as_array().unwrap() {
        let name = tag["name"].as_str().unwrap();
        assert!(tags.insert(name), "{name} is declared twice");
    }
    for (which, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().unwrap() {
            let about = parameter.get("description");
            assert!(about.is_none_or(Value::is_string), "{which}: {parameter}");
        }
    }
}

#[test]
fn every_list_has_the_same_envelope() {
    let document = openapi();
    let resolve = |schema: &Value| match schema["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap().clone(),
        None => schema.clone(),
    };
    let mut lists = 0;
    for (which, operation) in operations(&document) {
        for status in ["200", "201"] {
            let answer = &operation["responses"][status]["content"]["application/json"]["schema"];
            let schema = resolve(answer);
            assert_ne!(schema["type"], "array", "{which}: a bare array");
            let name = operation["operationId"].as_str().unwrap();
            let has_items = schema["properties"].get("items").is_some();
            if !(has_items || (status == "200" && name.starts_with("list_"))) {
                continue;
            }
            lists += 1;
            let expected = [
                ("items", json!("array")),
                ("cursor", json!(["string", "null"])),
                ("has_more", json!("boolean")),
            ];
            for (field, kind) in expected {
                assert_eq!(
                    schema["properties"][field]["type"], kind,
                    "{which}: {field}"
                );
                let required = schema["required"].as_array().unwrap();
                assert!(required.contains(&json!(field)), "{which}: no {field}");
            }
        }
    }
    assert!(lists > 28, "{lists}");
}

#[test]
fn a_query_parameter_without_a_default_is_required() {
    let document = openapi();
    let mut required = Vec::new();
    for (which, operation) in operations(&document) {
        let needed = |one: &&Value| one["in"] == "query" && one["required"] == true;
        for parameter in operation["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .filter(needed)
        {
            required.push(format!("{which} {}", parameter["name"].as_str().unwrap()));
        }
    }
    for expected in ["get /api/v1/search q", "get /api/v1/names ids"] {
        assert!(required.iter().any(|one| one == expected), "{required:?}");
    }
    let is_page = |one: &String| one.ends_with(" limit") || one.ends_with(" cursor");
    assert!(!required.iter().any(is_page), "{required:?}");
    let search = &document["paths"]["/api/v1/search"]["get"];
    let command = crate::http::reference_curl::curl("/api/v1/search", "get", search);
    assert!(command.contains("/api/v1/search?q={q}"), "{command}");
}

#[test]
fn examples_name_assistants_that_ship() {
    let document = openapi().to_string();
    for part in document.split(r#""assistant":""#).skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(frontdesk_assistants::NAMES.contains(&name), "{name}");
    }
}

#[test]
fn every_reference_resolves() {
    let document = openapi();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

// design: 002 file schemas
#[test]
fn every_json_body_has_an_example_that_fits() {
    let document = openapi();
    let mut checked = 0;
    let mut check = |which: &str, media: &Value| {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "components": document["components"],
            "allOf": [media["schema"]],
        });
        let example = media.get("example");
        let example = example.unwrap_or_else(|| panic!("{which} has no example"));
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .unwrap();
        let wrong: Vec<String> = validator
            .iter_errors(example)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{which}: {wrong:?}\n{example:#}");
        checked += 1;
    };
    for (which, operation) in operations(&document) {
        let mut bodies = vec![&operation["requestBody"]["content"]["application/json"]];
        for response in operation["responses"].as_object().unwrap().values() {
            bodies.push(&response["content"]["application/json"]);
        }
        for media in bodies.into_iter().filter(|media| !media.is_null()) {
            check(&which, media);
        }
    }
    for (status, response) in document["components"]["responses"].as_object().unwrap() {
        check(status, &response["content"]["application/json"]);
    }
    let event = json!({ "schema": { "$ref": "#/components/schemas/TurnEvent" }, "example": examples::of("TurnEvent") });
    check("TurnEvent", &event);
    assert!(checked > 40, "{checked}");
}

#[test]
fn every_event_of_a_turn_is_documented() {
    let document = openapi();
    // Each variant of the union is a schema of its own.
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let turn_event: String = schemas
        .iter()
        .filter(|(name, _)| name.starts_with("TurnEvent"))
        .map(|(_, schema)| schema.to_string())
        .collect();
    for name in [
        "turn.started",
        "text.delta",
        "text.reset",
        "tool.started",
        "tool.progress",
        "tool.finished",
        "approval.requested",
        "approval.decided",
        "artifact.saved",
        "phase.changed",
        "source.cited",
        "snapshot",
        "turn.completed",
        "turn.failed",
        "turn.cancelled",
        "turn.interrupted",
    ] {
        assert!(turn_event.contains(&format!("\"{name}\"")), "{name}");
    }
    assert!(!turn_event.contains("model.replied"), "not for watchers");
}
