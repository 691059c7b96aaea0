//! The document matches the router: every route with its roles, every schema valid, every
//! reference resolved.

use std::collections::BTreeSet;

use serde_json::Value;

use super::openapi;
use crate::routes::{ROUTES, Verb};

/// Every tool of the design with its method and path.
const DESIGN: [(&str, &str, &str); 20] = [
    ("create_gate_pass", "post", "/hr/gatepass/create"),
    ("list_gate_passes", "get", "/hr/gatepass/list"),
    ("get_gate_pass_details", "get", "/hr/gatepass/{pass_id}"),
    ("print_gate_pass", "get", "/hr/gatepass/{pass_number}/print"),
    ("list_pending_gate_passes", "get", "/admin/gatepass/pending"),
    (
        "get_gate_pass_by_number",
        "get",
        "/admin/gatepass/{pass_number}",
    ),
    (
        "approve_gate_pass",
        "post",
        "/admin/gatepass/{pass_number}/approve",
    ),
    (
        "reject_gate_pass",
        "post",
        "/admin/gatepass/{pass_number}/reject",
    ),
    (
        "delete_gate_pass",
        "post",
        "/admin/gatepass/{pass_number}/delete",
    ),
    ("list_all_gate_passes_admin", "get", "/admin/gatepass/list"),
    (
        "print_gate_pass_admin",
        "get",
        "/admin/gatepass/{pass_number}/print",
    ),
    ("scan_exit", "post", "/gate/scan-exit"),
    ("scan_return", "post", "/gate/scan-return"),
    (
        "get_gate_pass_by_number_gate",
        "get",
        "/gate/gatepass/number/{pass_number}",
    ),
    (
        "get_gate_pass_by_id_gate",
        "get",
        "/gate/gatepass/id/{pass_id}",
    ),
    ("get_gate_pass_photos", "get", "/gate/photos/{pass_number}"),
    ("get_admin_notifications", "get", "/notifications/admin"),
    ("get_hr_notifications", "get", "/notifications/hr"),
    (
        "mark_notification_read",
        "get",
        "/notifications/mark-read/{notification_id}",
    ),
    ("get_qr_code", "get", "/qr/{pass_number}"),
];

fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

// design: 003 POST /hr/gatepass/create, GET /hr/gatepass/list, GET /hr/gatepass/{pass_id}
// design: 003 GET /hr/gatepass/{pass_number}/print, GET /admin/gatepass/pending
// design: 003 GET /admin/gatepass/{pass_number}, POST /admin/gatepass/{pass_number}/approve
// design: 003 POST /admin/gatepass/{pass_number}/reject
// design: 003 POST /admin/gatepass/{pass_number}/delete, GET /admin/gatepass/list
// design: 003 GET /admin/gatepass/{pass_number}/print, POST /gate/scan-exit
// design: 003 POST /gate/scan-return, GET /gate/gatepass/number/{pass_number}
// design: 003 GET /gate/gatepass/id/{pass_id}, GET /gate/photos/{pass_number}
// design: 003 GET /notifications/admin, GET /notifications/hr
// design: 003 GET /notifications/mark-read/{notification_id}, GET /qr/{pass_number}
#[test]
fn every_tool_of_the_design_is_a_documented_route() {
    let document = openapi();
    for (operation, method, path) in DESIGN {
        assert_eq!(
            document["paths"][path][method]["operationId"], operation,
            "{method} {path}"
        );
    }
}

#[test]
fn every_route_is_documented_with_its_roles_and_nothing_else_is() {
    let document = openapi();
    let documented: usize = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .map(|path| path.as_object().unwrap().len())
        .sum();
    assert_eq!(documented, ROUTES.len() + 1, "the routes and /openapi.json");
    for route in ROUTES {
        let method = if route.verb == Verb::Get {
            "get"
        } else {
            "post"
        };
        let operation = &document["paths"][route.path][method];
        let roles: Vec<&str> = route.roles.iter().map(|role| role.as_str()).collect();
        assert_eq!(
            operation["x-roles"],
            serde_json::json!(roles),
            "{}",
            route.path
        );
        assert!(!roles.is_empty());
    }
}

#[test]
fn operation_names_are_unique() {
    let names: BTreeSet<&str> = ROUTES.iter().map(|route| route.operation).collect();
    assert_eq!(names.len(), ROUTES.len());
}

#[test]
fn every_reference_resolves() {
    let document = openapi();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(found.len() > 20);
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[test]
fn every_schema_is_a_json_schema() {
    let document = openapi();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(jsonschema::meta::is_valid(schema), "{name}");
    }
}
