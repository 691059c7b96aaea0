//! JSON Schemas of the bodies. Tests validate real responses against them.

use serde_json::{Map, Value, json};

use crate::pass::{Action, DESCRIPTION_MAX, NAME_MAX, PATTERN, Status};
use crate::tables::notifications::Kind;

pub(super) fn schemas() -> Value {
    let mut all = Map::new();
    for part in [requests(), passes(), photos(), notifications(), errors()] {
        if let Value::Object(part) = part {
            all.extend(part);
        }
    }
    Value::Object(all)
}

/// Request bodies.
fn requests() -> Value {
    json!({
        "NewPass": object(json!({
            "person_name": {"type": "string", "minLength": 1, "maxLength": NAME_MAX, "description": "Name of the person."},
            "description": {"type": "string", "minLength": 1, "maxLength": DESCRIPTION_MAX, "description": "Purpose of the gate pass."},
            "is_returnable": {"type": "boolean", "description": "Whether the person will return."},
        })),
        "Decision": {
            "type": "object", "additionalProperties": false,
            "properties": {"name": {
                "type": "string", "minLength": 1, "maxLength": NAME_MAX,
                "description": "Accepted and not used: the name recorded is the one in the token.",
            }},
        },
        "Scan": object(json!({
            "pass_number": number(),
            "photo": {"type": "string", "contentEncoding": "binary", "description": "JPEG, PNG or HEIC, detected by content; at most 5,242,880 bytes."},
        })),
    })
}

/// Passes, alone and in lists.
fn passes() -> Value {
    let text = |max: usize| json!({"type": "string", "minLength": 1, "maxLength": max});
    let pass = json!({
        "id": id(),
        "pass_number": number(),
        "person_name": text(NAME_MAX),
        "description": text(DESCRIPTION_MAX),
        "is_returnable": {"type": "boolean"},
        "status": {"type": "string", "enum": Status::ALL},
        "created_at": time(),
        "created_by": {"type": "string"},
        "approved_at": maybe_time(),
        "approved_by": {"type": ["string", "null"]},
        "exit_time": maybe_time(),
        "return_time": maybe_time(),
        "qr_code_url": {"type": ["string", "null"]},
        "status_history": list_of("StatusChange"),
        "allowed_actions": {"type": "array", "items": {"type": "string", "enum": Action::ALL}},
    });
    let mut detail = pass.clone();
    detail["photos"] = list_of("Photo");
    json!({
        "GatePass": object(pass),
        "GatePassDetail": object(detail),
        "GatePassList": object(json!({"items": list_of("GatePass"), "cursor": cursor(), "has_more": {"type": "boolean"}})),
        "StatusChange": object(json!({
            "status": {"type": "string", "enum": Status::ALL},
            "changed_at": time(),
            "changed_by": {"type": "string"},
        })),
        "Counts": object(json!({
            "total": count(), "pending": count(), "approved": count(), "rejected": count(), "exited": count(), "returned": count(),
            "awaiting_return": {"type": "integer", "minimum": 0, "description": "Exited on a returnable pass and not back yet."},
        })),
        "Deleted": object(json!({
            "id": id(), "pass_number": number(), "deleted": {"const": true}, "deleted_at": time(), "deleted_by": {"type": "string"},
        })),
    })
}

fn photos() -> Value {
    json!({
        "Photo": object(json!({
            "photo_id": id(), "gatepass_id": id(), "pass_number": number(),
            "file_url": {"type": "string", "description": "Relative to the address of this API."},
            "type": {"type": "string", "enum": ["exit", "return"]},
            "media_type": {"type": "string", "enum": ["image/jpeg", "image/png", "image/heic"]},
            "captured_at": time(), "captured_by": {"type": "string"},
        })),
        "PhotoList": object(json!({"pass_number": number(), "photos": list_of("Photo"), "total": count()})),
    })
}

fn notifications() -> Value {
    let kinds = Kind::ALL.map(Kind::as_str);
    json!({
        "Notification": object(json!({
            "id": id(), "message": {"type": "string"},
            "type": {"type": "string", "enum": kinds},
            "created_at": time(), "is_read": {"type": "boolean"}, "related_pass_id": {"type": ["string", "null"], "format": "uuid"},
        })),
        "NotificationList": object(json!({
            "items": list_of("Notification"), "cursor": cursor(), "has_more": {"type": "boolean"}, "unread": count(),
        })),
    })
}

fn errors() -> Value {
    json!({
        "Error": object(json!({"error": {
            "type": "object", "additionalProperties": false, "required": ["code", "message"],
            "properties": {
                "code": {"type": "string", "description": "Stable, for programs."},
                "message": {"type": "string", "description": "A sentence for people that says what to do."},
                "details": {"type": "object", "description": "422: fields, each with field, rule and message. 403: current_status, allowed_actions, action_allowed_from."},
            },
        }})),
    })
}

pub(super) fn refusals() -> Value {
    let refusal = |description: &str| {
        json!({
            "description": description,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
        })
    };
    json!({
        "400": refusal("The request cannot be read (BAD_REQUEST)."),
        "401": refusal("No token, or not a valid one (UNAUTHORIZED, INVALID_TOKEN, INVALID_SIGNATURE, TOKEN_EXPIRED)."),
        "403": refusal("Another role is needed (FORBIDDEN), or the pass is not in a state that allows it (INVALID_STATE)."),
        "404": refusal("There is no such pass, photo or notification (NOT_FOUND)."),
        "408": refusal("The body did not arrive in time (TIMEOUT)."),
        "413": refusal("The body or the photo is too large (PAYLOAD_TOO_LARGE)."),
        "415": refusal("Not JSON, not a form, or not a JPEG, PNG or HEIC picture (UNSUPPORTED_MEDIA_TYPE)."),
        "422": refusal("A field breaks a rule (VALIDATION_ERROR), or a key was used for another request (IDEMPOTENCY_KEY_REUSED)."),
        "429": refusal("Too many scans at once (RATE_LIMITED); Retry-After says when."),
        "500": refusal("Our fault (INTERNAL_ERROR)."),
        "503": refusal("Storage is temporarily unavailable (UNAVAILABLE, OUTCOME_UNKNOWN); Retry-After says when."),
        "507": refusal("No room is left (STORAGE_FULL)."),
    })
}

/// An object with exactly these properties.
fn object(properties: Value) -> Value {
    let required: Vec<&str> = properties
        .as_object()
        .into_iter()
        .flat_map(|map| map.keys().map(String::as_str))
        .collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
}

fn count() -> Value {
    json!({"type": "integer", "minimum": 0})
}

fn id() -> Value {
    json!({"type": "string", "format": "uuid"})
}

fn number() -> Value {
    json!({"type": "string", "pattern": PATTERN})
}

fn time() -> Value {
    json!({"type": "string", "format": "date-time"})
}

fn maybe_time() -> Value {
    json!({"type": ["string", "null"], "format": "date-time"})
}

fn cursor() -> Value {
    json!({"type": ["string", "null"], "description": "For the next page; null on the last one."})
}

fn list_of(schema: &str) -> Value {
    json!({"type": "array", "items": {"$ref": format!("#/components/schemas/{schema}")}})
}
