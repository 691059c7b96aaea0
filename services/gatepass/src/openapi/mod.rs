//! The OpenAPI 3.1 document, generated from the table of the router: it cannot omit a
//! route.

mod schemas;

use serde_json::{Map, Value, json};

use crate::pass::{PATTERN, Status};
use crate::routes::{ROUTES, RequestShape, ResponseShape, Route, Verb};

#[cfg(test)]
mod openapi_tests;

/// The document, as served at `/openapi.json`.
pub fn openapi() -> Value {
    let mut paths = Map::new();
    for route in ROUTES {
        let verb = match route.verb {
            Verb::Get => "get",
            Verb::Post => "post",
        };
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[verb] = operation(route);
    }
    paths.insert("/openapi.json".to_owned(), json!({"get": {
        "operationId": "get_openapi",
        "summary": "This document.",
        "tags": ["about"],
        "security": [],
        "responses": {"200": {"description": "The document.", "content": {"application/json": {"schema": {"type": "object"}}}}},
    }}));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Gate Pass API",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Passes for leaving a site: HR creates them, admins decide, guards record exit and return.",
            "description": "Times are UTC (RFC 3339). Lists are newest first and paged by an opaque cursor. Paths in answers \
                (qr_code_url, file_url) are relative to the address under which the API is reached. Who acts is \
                always the person named in the token. Every POST honours Idempotency-Key.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "./", "description": "The folder of this document"}],
        "security": [{"bearer": []}],
        "tags": [
            {"name": "hr", "description": "For HR_User"},
            {"name": "admin", "description": "For Admin_User"},
            {"name": "gate", "description": "For Gate_User"},
            {"name": "notifications", "description": "For Admin_User and HR_User"},
            {"name": "pictures", "description": "For every role"},
            {"name": "about", "description": "About this API"},
        ],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {
                "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                "description": "HS256 with sub, name, roles, aud gatepass, iss and exp (a minute).",
            }},
            "parameters": parameters(),
            "responses": schemas::refusals(),
            "schemas": schemas::schemas(),
        },
    })
}

fn operation(route: &Route) -> Value {
    let roles: Vec<&str> = route.roles.iter().map(|role| role.as_str()).collect();
    let mut parameters: Vec<Value> = Vec::new();
    for segment in route.path.split('/') {
        if let Some(name) = segment
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
        {
            parameters.push(reference("parameters", name));
        }
    }
    let more: &[&str] = match route.takes {
        RequestShape::Filter => &["status", "q", "cursor", "limit"],
        RequestShape::Search => &["q", "cursor", "limit"],
        RequestShape::Page => &["cursor", "limit"],
        RequestShape::NewPass | RequestShape::Decision | RequestShape::Scan => &["idempotency_key"],
        RequestShape::Nothing => &[],
    };
    parameters.extend(more.iter().map(|name| reference("parameters", name)));
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "description": format!("Needs the role {}.", roles.join(" or ")),
        "x-roles": roles,
        "tags": [tag(route.path)],
        "parameters": parameters,
        "responses": responses(route),
    });
    if let Some(body) = request_body(route.takes) {
        operation["requestBody"] = body;
    }
    operation
}

fn tag(path: &str) -> &'static str {
    match path.split('/').nth(1) {
        Some("hr") => "hr",
        Some("admin") => "admin",
        Some("gate") => "gate",
        Some("notifications") => "notifications",
        Some(_) | None => "pictures",
    }
}

fn request_body(takes: RequestShape) -> Option<Value> {
    let (media, schema, required) = match takes {
        RequestShape::NewPass => ("application/json", "NewPass", true),
        RequestShape::Decision => ("application/json", "Decision", false),
        RequestShape::Scan => ("multipart/form-data", "Scan", true),
        RequestShape::Nothing
        | RequestShape::Filter
        | RequestShape::Search
        | RequestShape::Page => return None,
    };
    Some(
        json!({"required": required, "content": {media: {"schema": reference("schemas", schema)}}}),
    )
}

fn responses(route: &Route) -> Value {
    let json_body = |schema: &str| ("application/json", reference("schemas", schema));
    let file = || json!({"type": "string", "contentEncoding": "binary"});
    let (status, description, (media, schema)) = match route.gives {
        ResponseShape::NewPass => ("201", "The new pass, pending.", json_body("GatePassDetail")),
        ResponseShape::Pass => ("200", "The pass.", json_body("GatePassDetail")),
        ResponseShape::PassList => ("200", "A page of passes.", json_body("GatePassList")),
        ResponseShape::Counts => ("200", "The counts.", json_body("Counts")),
        ResponseShape::Deleted => ("200", "The pass is deleted.", json_body("Deleted")),
        ResponseShape::Scanned => (
            "201",
            "The pass with the new photo.",
            json_body("GatePassDetail"),
        ),
        ResponseShape::Photos => ("200", "The photos.", json_body("PhotoList")),
        ResponseShape::Inbox => (
            "200",
            "A page of notifications.",
            json_body("NotificationList"),
        ),
        ResponseShape::Notification => ("200", "The notification.", json_body("Notification")),
        ResponseShape::Pdf => ("200", "One page, letter.", ("application/pdf", file())),
        ResponseShape::Qr => ("200", "The QR code.", ("image/png", file())),
        ResponseShape::Photo => ("200", "The photo.", ("image/jpeg", file())),
    };
    let mut content = json!({media: {"schema": schema}});
    if route.gives == ResponseShape::Photo {
        content["image/png"] = json!({"schema": file()});
        content["image/heic"] = json!({"schema": file()});
    }
    let mut responses = json!({status: {"description": description, "content": content}});
    for refusal in refusals(route) {
        responses[*refusal] = reference("responses", refusal);
    }
    responses
}

/// The error responses of a route.
fn refusals(route: &Route) -> Vec<&'static &'static str> {
    let always: &[&str] = &["400", "401", "403", "500", "503"];
    let by_input: &[&str] = match route.takes {
        RequestShape::Nothing => &[],
        RequestShape::Filter | RequestShape::Search | RequestShape::Page => &["422"],
        RequestShape::NewPass | RequestShape::Decision => &["408", "413", "415", "422", "507"],
        RequestShape::Scan => &["404", "408", "413", "415", "422", "429", "507"],
    };
    let by_object: &[&str] = if route.path.contains('{') {
        &["404", "422"]
    } else {
        &[]
    };
    let mut all: Vec<&'static &'static str> =
        always.iter().chain(by_input).chain(by_object).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn parameters() -> Value {
    let path = |name: &str, description: &str, schema: Value| json!({"name": name, "in": "path", "required": true, "description": description, "schema": schema});
    let query = |name: &str, description: &str, schema: Value| json!({"name": name, "in": "query", "required": false, "description": description, "schema": schema});
    let id = json!({"type": "string", "format": "uuid"});
    json!({
        "pass_number": path("pass_number", "The number on the pass.", json!({"type": "string", "pattern": PATTERN})),
        "pass_id": path(
            "pass_id",
            "The id of the pass, or its number.",
            json!({"anyOf": [{"type": "string", "format": "uuid"}, {"type": "string", "pattern": PATTERN}]}),
        ),
        "notification_id": path("notification_id", "The id of the notification.", id.clone()),
        "photo_id": path("photo_id", "The id of the photo.", id),
        "status": query("status", "Only passes in this status.", json!({"type": "string", "enum": Status::ALL})),
        "q": query("q", "Words that the name, the description or the number must contain; matches in the name come first.",
            json!({"type": "string", "maxLength": 200})),
        "cursor": query("cursor", "The `next_cursor` of the previous page.", json!({"type": "string", "maxLength": 200})),
        "limit": query("limit", "Maximum number of entries.", json!({"type": "integer", "minimum": 1, "maximum": 100, "default": 50})),
        "idempotency_key": {
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "Sent again with the same key, the request has no second effect and gets the first answer \
                (kept for a day at least, per person).",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255},
        },
    })
}

fn reference(kind: &str, name: &str) -> Value {
    json!({"$ref": format!("#/components/{kind}/{name}")})
}
