//! Error responses of operations: one schema, with a status and a code per reason.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::http::route::{Header, RequestBody, Words};

/// Status, description, example code and example message.
const ALL: &[(u16, &str, &str, &str)] = &[
    (
        400,
        "The request is malformed.",
        "BAD_REQUEST",
        "The cursor is not valid",
    ),
    (
        401,
        "Not signed in: UNAUTHORIZED, TOKEN_EXPIRED, INVALID_TOKEN or INVALID_SIGNATURE.",
        "TOKEN_EXPIRED",
        "The token has expired",
    ),
    (
        403,
        "The caller has no access to it.",
        "FORBIDDEN",
        "You don't have access to this conversation",
    ),
    (
        404,
        "It does not exist.",
        "NOT_FOUND",
        "Conversation not found",
    ),
    (
        408,
        "The body did not arrive in time (30 seconds by default).",
        "REQUEST_TIMEOUT",
        "The body did not arrive in time; please send it again",
    ),
    (
        409,
        "Not possible in the current state; TURN_IN_PROGRESS while the previous message is being answered, DECISION_PENDING while a card waits.",
        "TURN_IN_PROGRESS",
        "The previous message is still being answered",
    ),
    (
        410,
        "The approval has expired.",
        "APPROVAL_EXPIRED",
        "this request has expired; ask for it again",
    ),
    (
        413,
        "Too large; QUOTA_EXCEEDED if the file storage is full.",
        "PAYLOAD_TOO_LARGE",
        "The body is larger than 65536 bytes",
    ),
    (
        415,
        "The media type is not supported.",
        "UNSUPPORTED_MEDIA_TYPE",
        "Send the body as application/json",
    ),
    (
        421,
        "The server does not serve this host name.",
        "UNKNOWN_HOST",
        "This server does not answer for that host; set server.public_url",
    ),
    (
        422,
        "A value is invalid; `details` names the field.",
        "VALIDATION_ERROR",
        "title: must not be empty",
    ),
    (
        429,
        "Too many requests, or a limit of the model provider; `Retry-After` has the delay.",
        "RATE_LIMITED",
        "Too many requests, please wait",
    ),
    (
        500,
        "An internal error.",
        "INTERNAL_ERROR",
        "Something went wrong on our side",
    ),
    (
        502,
        "A system behind an assistant is unreachable; the code identifies it.",
        "SYSTEM_UNAVAILABLE",
        "The system cannot be reached just now, please try again",
    ),
    (
        503,
        "AGENT_ERROR: no answer could be generated; the message is stored and can be retried. UNAVAILABLE: try again later.",
        "AGENT_ERROR",
        "Unable to generate response, please try again",
    ),
    (
        504,
        "A system behind an assistant did not answer in time; the code identifies it.",
        "SYSTEM_UNAVAILABLE",
        "The system did not answer in time, please try again",
    ),
];

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
    ALL.iter()
        .map(|(status, about, code, message)| {
            let mut error = json!({
                "code": code,
                "message": message,
                "request_id": "01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e11",
            });
            if *status == 422 {
                error["details"] = json!([{ "field": "title", "problem": "must not be empty" }]);
            }
            let mut response = json!({
                "description": about,
                "headers": { "X-Request-Id": {
                    "description": "The request's id, as in the body.",
                    "schema": { "type": "string", "format": "uuid" },
                }},
                "content": { "application/json": {
                    "schema": { "$ref": "#/components/schemas/Error" },
                    "example": { "error": error },
                }},
            });
            if [429, 503].contains(status) {
                response["headers"]["Retry-After"] = json!({
                    "description": "Seconds to wait, where that is known.",
                    "schema": { "type": "integer", "minimum": 1 },
                });
            }
            if *status == 401 {
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
