//! The JSON that the page gets. The bundled API's responses pass unchanged; fields that only it has
//! are derived from those of the design.

use frontdesk_connect::{CallResult, Failure};
use serde_json::{Map, Value, json};

use super::MOUNTED;
use crate::replies::STATUSES;

pub(super) fn passes(result: CallResult) -> Value {
    let cursor = result.cursor.clone();
    let has_more = result.value["has_more"].clone();
    let items: Vec<Value> = result.into_items().into_iter().map(complete).collect();
    json!({ "items": items, "cursor": cursor, "has_more": has_more })
}

/// The number of passes in each state; null if there are more than are read.
pub(super) fn counts(result: CallResult) -> Value {
    let is_whole = result.value["has_more"] == false;
    let passes = result.into_items();
    let count = |wanted: &dyn Fn(&Value) -> bool| {
        let number = passes.iter().filter(|pass| wanted(pass)).count();
        if is_whole { json!(number) } else { Value::Null }
    };
    let mut counts = Map::from_iter(STATUSES.map(|status| {
        let number = count(&|pass| pass["status"] == status);
        (status.to_owned(), number)
    }));
    counts.insert("total".to_owned(), count(&|_| true));
    let is_out = |pass: &Value| pass["status"] == "exited" && pass["is_returnable"] == true;
    counts.insert("awaiting_return".to_owned(), count(&is_out));
    Value::Object(counts)
}

pub(super) fn pass(result: CallResult) -> Result<Value, Failure> {
    match result.value["pass_number"].is_string() {
        true => Ok(complete(result.value)),
        false => Err(Failure::Malformed("the answer is not a gate pass")),
    }
}

pub(super) fn notifications(result: CallResult) -> Value {
    let cursor = result.cursor.clone();
    let (unread, has_more) = (
        result.value["unread"].clone(),
        result.value["has_more"].clone(),
    );
    let items = result.into_items();
    let counted = items.iter().filter(|n| n["is_read"] == false).count();
    let unread = if unread.is_u64() {
        unread
    } else {
        json!(counted)
    };
    json!({ "items": items, "cursor": cursor, "has_more": has_more, "unread": unread })
}

/// Adds what the page shows and the design's pass does not have, and links to our own routes.
fn complete(mut pass: Value) -> Value {
    let number = pass["pass_number"].as_str().unwrap_or_default().to_owned();
    if !pass["status_history"].is_array() {
        pass["status_history"] = json!(history(&pass));
    }
    if !pass["allowed_actions"].is_array() {
        pass["allowed_actions"] = match (pass["status"].as_str(), pass["is_returnable"].as_bool()) {
            (Some("pending"), _) => json!(["approve", "reject", "delete"]),
            (Some("approved"), _) => json!(["delete", "scan_exit", "print"]),
            (Some("exited"), Some(true)) => json!(["scan_return", "print"]),
            (Some("exited" | "returned"), _) => json!(["print"]),
            (_, _) => json!([]),
        };
    }
    for field in ["approved_at", "approved_by", "exit_time", "return_time"] {
        if pass.get(field).is_none() {
            pass[field] = Value::Null;
        }
    }
    pass["qr_code_url"] = json!(format!("{MOUNTED}/passes/{number}/qr"));
    let photos = pass.get_mut("photos").and_then(Value::as_array_mut);
    for photo in photos.into_iter().flatten() {
        let id = photo["file_url"]
            .as_str()
            .and_then(|path| path.strip_prefix("/media/photo/"));
        if let Some(id) = id {
            photo["file_url"] = json!(format!("{MOUNTED}/photos/{id}"));
        }
    }
    pass
}

fn history(pass: &Value) -> Vec<Value> {
    [
        ("pending", "created_at", "created_by"),
        ("approved", "approved_at", "approved_by"),
        ("exited", "exit_time", ""),
        ("returned", "return_time", ""),
    ]
    .iter()
    .filter(|(_, at, _)| pass[*at].is_string())
    .map(|(status, at, by)| {
        let by = pass[*by].as_str().unwrap_or_default();
        json!({ "status": status, "changed_at": pass[*at], "changed_by": by })
    })
    .collect()
}
