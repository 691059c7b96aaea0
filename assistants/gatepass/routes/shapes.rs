//! Request and response schemas of these routes for the OpenAPI document. The values are the Gate
//! Pass API's own and pass through unchanged.

#![expect(dead_code, reason = "these types only describe the OpenAPI schemas")]

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde_json::{Value, json};
use uuid::Uuid;

const PASS: &str = "01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e20";
const NOTICE: &str = "01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e21";
const TIME: &str = "2026-11-16T09:30:00.000Z";

#[derive(JsonSchema)]
pub(super) struct PassQuery {
    /// Only passes in this state.
    status: PassStatus,
    /// Words from the name, the description or the number.
    q: Option<String>,
    /// Cursor from the previous page.
    cursor: Option<String>,
    /// Maximum number of items.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
}

#[derive(JsonSchema)]
pub(super) struct NoticeQuery {
    /// Cursor from the previous page.
    cursor: Option<String>,
    /// Maximum number of items.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
pub(super) enum PassStatus {
    Pending,
    Approved,
    Rejected,
    Exited,
    Returned,
}

#[derive(JsonSchema)]
#[schemars(example = pass())]
pub(super) struct GatePass {
    id: Uuid,
    pass_number: String,
    person_name: String,
    description: String,
    is_returnable: bool,
    status: PassStatus,
    created_at: DateTime<Utc>,
    created_by: String,
    approved_at: Option<DateTime<Utc>>,
    approved_by: Option<String>,
    exit_time: Option<DateTime<Utc>>,
    return_time: Option<DateTime<Utc>>,
    qr_code_url: Option<String>,
    status_history: Vec<StatusChange>,
    /// Actions that are possible in the present state.
    allowed_actions: Vec<String>,
    /// Only in the response for a single pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    photos: Vec<PassPhoto>,
}

#[derive(JsonSchema)]
pub(super) struct StatusChange {
    status: PassStatus,
    changed_at: DateTime<Utc>,
    changed_by: String,
}

#[derive(JsonSchema)]
pub(super) struct PassPhoto {
    photo_id: Uuid,
    gatepass_id: Uuid,
    pass_number: String,
    file_url: String,
    /// `exit` or `return`.
    r#type: String,
    media_type: String,
    captured_at: DateTime<Utc>,
    captured_by: String,
}

#[derive(JsonSchema)]
#[schemars(example = json!({ "items": [pass()], "cursor": null, "has_more": false }))]
pub(super) struct GatePassList {
    items: Vec<GatePass>,
    cursor: Option<String>,
    has_more: bool,
}

#[derive(JsonSchema)]
#[schemars(example = counts())]
/// Each is null if there are more passes than are read.
pub(super) struct GatePassCounts {
    total: Option<u64>,
    pending: Option<u64>,
    approved: Option<u64>,
    rejected: Option<u64>,
    exited: Option<u64>,
    returned: Option<u64>,
    /// Exited on a returnable pass and not back yet.
    awaiting_return: Option<u64>,
}

#[derive(JsonSchema)]
#[schemars(example = notice())]
pub(super) struct GatePassNotification {
    id: Uuid,
    message: String,
    r#type: String,
    created_at: DateTime<Utc>,
    is_read: bool,
    related_pass_id: Option<Uuid>,
}

#[derive(JsonSchema)]
#[schemars(example = json!({ "items": [notice()], "cursor": null, "has_more": false, "unread": 1 }))]
pub(super) struct GatePassNotificationList {
    items: Vec<GatePassNotification>,
    cursor: Option<String>,
    has_more: bool,
    unread: u64,
}

fn pass() -> Value {
    json!({
        "id": PASS, "pass_number": "GP-2026-0001", "person_name": "Ali Khan", "description": "Bank visit",
        "is_returnable": true, "status": "pending", "created_at": TIME, "created_by": "Hanna HR",
        "approved_at": null, "approved_by": null, "exit_time": null, "return_time": null,
        "qr_code_url": "/api/v1/gatepass/passes/GP-2026-0001/qr",
        "status_history": [{ "status": "pending", "changed_at": TIME, "changed_by": "Hanna HR" }],
        "allowed_actions": ["approve", "reject"],
    })
}

fn counts() -> Value {
    json!({
        "total": 12, "pending": 2, "approved": 3, "rejected": 1, "exited": 4, "returned": 2, "awaiting_return": 3,
    })
}

fn notice() -> Value {
    json!({
        "id": NOTICE, "message": "GP-2026-0001 waits for a decision", "type": "pass_created", "created_at": TIME,
        "is_read": false, "related_pass_id": PASS,
    })
}
