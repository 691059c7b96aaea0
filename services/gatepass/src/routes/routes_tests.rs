//! The document matches the router: every route with its roles, every limit of the code, every
//! schema valid, every reference resolved.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{OPENAPI, ROUTES};
use crate::pass::{Action, DESCRIPTION_MAX, NAME_MAX, Status};
use crate::tables::notifications::Kind;

fn openapi() -> Value {
    serde_json::from_str(OPENAPI).unwrap()
}

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
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(
        paths.len(),
        ROUTES.len() + 1,
        "the routes and /openapi.json"
    );
    let mut names = BTreeSet::new();
    for route in ROUTES {
        let path = route.path;
        // Each path has one method; `access.rs` calls it.
        let operations = paths[path].as_object().unwrap();
        assert_eq!(operations.len(), 1, "{path}");
        let operation = operations.values().next().unwrap();
        let roles: Vec<&str> = route.roles.iter().map(|role| role.into_str()).collect();
        assert_eq!(operation["x-roles"], json!(roles), "{path}");
        let needs = format!("Needs the role {}.", roles.join(" or "));
        assert_eq!(operation["description"], needs, "{path}");
        assert!(!roles.is_empty());
        names.insert(operation["operationId"].as_str().unwrap());
        for parameter in path.split('/').filter_map(|part| part.strip_prefix('{')) {
            let parameter = parameter.trim_end_matches('}');
            let reference = json!({ "$ref": format!("#/components/parameters/{parameter}") });
            let parameters = operation["parameters"].as_array().unwrap();
            assert!(parameters.contains(&reference), "{path}");
        }
    }
    assert_eq!(names.len(), ROUTES.len(), "operation names are unique");
}

#[test]
fn the_document_has_the_limits_and_values_of_the_code() {
    let document = openapi();
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    let components = &document["components"];
    let parameters = &components["parameters"];
    assert_eq!(parameters["status"]["schema"]["enum"], json!(Status::ALL));
    let new = &components["schemas"]["NewPass"]["properties"];
    assert_eq!(new["person_name"]["maxLength"], NAME_MAX);
    assert_eq!(new["description"]["maxLength"], DESCRIPTION_MAX);
    let mut lists = Vec::new();
    enums(components, &mut lists);
    let kinds = [
        Kind::Created,
        Kind::Approved,
        Kind::Rejected,
        Kind::Deleted,
        Kind::Exited,
        Kind::Returned,
    ];
    let kinds = json!(kinds.map(|kind| kind.into_str()));
    for values in [json!(Status::ALL), json!(Action::ALL), kinds] {
        assert!(lists.contains(&values), "{values} in {lists:?}");
    }
}

fn enums(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get("enum").cloned());
            map.values().for_each(|value| enums(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| enums(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
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
