//! Error responses of operations: one schema, with a status and a code per reason.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::http::route::{Header, RequestBody, Words};

/// An error response, by its status, in `refusals.json`.
#[derive(Deserialize)]
struct Refusal {
    about: String,
    code: String,
    message: String,
}

pub(super) fn of(route: &Words) -> BTreeSet<u16> {
    // Any request can have an invalid header or cursor (400), and any server can fail.
    let mut statuses = BTreeSet::from([400, 421, 500, 503]);
    if route.signed_in {
        statuses.insert(401);
    }
    if route.path.contains('{') {
        statuses.insert(404);
    }
    if route.query.is_some() || route.headers.contains(&Header::IdempotencyKey) {
        statuses.insert(422);
    }
    match route.takes {
        None => {}
        Some(RequestBody::Json(_) | RequestBody::Attachment | RequestBody::Files) => {
            statuses.extend([408, 413, 415, 422])
        }
    }
    statuses.extend(route.refuses);
    let given = route.gives.iter().map(|gives| gives.status);
    for status in given {
        // The operation documents this status itself.
        statuses.remove(&status);
    }
    statuses
}

pub(super) fn reference(status: u16) -> Value {
    json!({ "$ref": format!("#/components/responses/{status}") })
}

pub(super) fn responses() -> Map<String, Value> {
    // A test finds the response of every status in the document.
    let all: BTreeMap<u16, Refusal> =
        serde_json::from_str(include_str!("refusals.json")).unwrap_or_default();
    all.into_iter()
        .map(|(status, refusal)| {
            let mut error = json!({
                "code": refusal.code,
                "message": refusal.message,
                "request_id": "01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e11",
            });
            if status == 422 {
                error["details"] = json!([{ "field": "title", "problem": "must not be empty" }]);
            }
            let mut response = json!({
                "description": refusal.about,
                "headers": { "X-Request-Id": {
                    "description": "The request's id, as in the body.",
                    "schema": { "type": "string", "format": "uuid" },
                }},
                "content": { "application/json": {
                    "schema": { "$ref": "#/components/schemas/Error" },
                    "example": { "error": error },
                }},
            });
            if [429, 503].contains(&status) {
                response["headers"]["Retry-After"] = json!({
                    "description": "Seconds to wait, where that is known.",
                    "schema": { "type": "integer", "minimum": 1 },
                });
            }
            if status == 401 {
                response["headers"]["WWW-Authenticate"] = json!({
                    "description": "How to sign in.",
                    "schema": { "type": "string", "const": "Bearer" },
                });
            }
            (status.to_string(), response)
        })
        .collect()
}

pub(super) fn shape() -> Value {
    json!({
        "type": "object",
        "required": ["error"],
        "properties": { "error": {
            "type": "object",
            "required": ["code", "message", "request_id"],
            "properties": {
                "code": { "type": "string", "pattern": "^[A-Z_]+$", "description": "Stable, for programs." },
                "message": { "type": "string", "description": "For people." },
                "request_id": { "type": "string", "format": "uuid" },
                "details": { "description": "Where there is more to say: the fields that must be put right, or what is taken." },
            },
        }},
    })
}
