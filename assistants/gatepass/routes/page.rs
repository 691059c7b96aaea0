//! The JSON that the page gets, whatever the form of the API's own JSON is. The bundled API's
//! responses pass unchanged; fields that only it has are derived from those of the design.

use chrono_tz::Tz;
use frontdesk_connect::{CallResult, Failure, ResponseRules};
use serde_json::{Map, Value, json};

use super::MOUNTED;
use crate::replies::Reply;
use crate::tools::STATUSES;

/// A page of passes. An API that does not know the filters has sent all.
pub(crate) fn passes(body: Value, query: &[(String, String)]) -> Result<Value, Failure> {
    let asked = |name: &str| {
        let mut found = query.iter().filter(|(key, _)| key == name);
        found.next().map(|(_, value)| value.to_lowercase())
    };
    let (status, words) = (asked("status"), asked("q").unwrap_or_default());
    list(Reply::Passes, body, |pass| {
        let text = |key: &str| pass[key].as_str().unwrap_or_default().to_lowercase();
        let shown = [
            text("pass_number"),
            text("person_name"),
            text("description"),
        ]
        .concat();
        status
            .as_ref()
            .is_none_or(|status| text("status") == *status)
            && words.split_whitespace().all(|word| shown.contains(word))
    })
}

/// The number of passes in each state, counted from a list if the API does not count.
pub(super) fn counts(body: Value) -> Result<Value, Failure> {
    if body.get("pending").is_some_and(Value::is_u64) {
        return Ok(body);
    }
    let passes = Reply::Passes.rules().read(body, Tz::UTC)?.into_items();
    let count = |wanted: &dyn Fn(&Value) -> bool| passes.iter().filter(|pass| wanted(pass)).count();
    let mut counts = Map::new();
    counts.insert("total".to_owned(), json!(passes.len()));
    for status in STATUSES {
        counts.insert(
            status.to_owned(),
            json!(count(&|pass| pass["status"] == status)),
        );
    }
    let out = count(&|pass| pass["status"] == "exited" && pass["is_returnable"] == true);
    counts.insert("awaiting_return".to_owned(), json!(out));
    Ok(Value::Object(counts))
}

pub(super) fn pass(body: Value) -> Result<Value, Failure> {
    let pass = Reply::Pass.rules().read(body, Tz::UTC)?.value;
    match pass.get("pass_number").is_some_and(Value::is_string) {
        true => Ok(complete(pass)),
        false => Err(Failure::Malformed("the answer is not a gate pass")),
    }
}

pub(super) fn notifications(body: Value) -> Result<Value, Failure> {
    let unread = body.get("unread").cloned();
    let mut page = list(Reply::Notifications, body, |_| true)?;
    let items = page["items"].as_array();
    let counted = items.map_or(0, |items| {
        items.iter().filter(|n| n["is_read"] == false).count()
    });
    page["unread"] = unread.unwrap_or(json!(counted));
    Ok(page)
}

pub(super) fn notification(body: Value) -> Result<Value, Failure> {
    Ok(Reply::MarkedRead.rules().read(body, Tz::UTC)?.value)
}

fn list(reply: Reply, body: Value, fits: impl Fn(&Value) -> bool) -> Result<Value, Failure> {
    let cursor = body.get("cursor").cloned().unwrap_or(Value::Null);
    let rules = ResponseRules {
        rest: true,
        ..reply.rules()
    };
    let result = rules.read(body, Tz::UTC)?;
    let has_more = result.value["has_more"].clone();
    let items = CallResult::into_items(result);
    let items = items.into_iter().filter(fits);
    let items: Vec<Value> = match reply == Reply::Passes {
        true => items.map(complete).collect(),
        false => items.collect(),
    };
    Ok(json!({ "items": items, "cursor": cursor, "has_more": has_more }))
}

/// Adds what the page shows and the design's pass does not have, and links to our own routes.
fn complete(mut pass: Value) -> Value {
    let number = pass["pass_number"].as_str().unwrap_or_default().to_owned();
    if !pass["status_history"].is_array() {
        let steps = [
            ("pending", "created_at", &pass["created_by"]),
            ("approved", "approved_at", &pass["approved_by"]),
            ("exited", "exit_time", &Value::Null),
            ("returned", "return_time", &Value::Null),
        ];
        let steps: Vec<Value> = steps
            .iter()
            .filter(|(_, at, _)| pass[*at].is_string())
            .map(|(status, at, by)| {
                let by = by.as_str().unwrap_or_default();
                json!({ "status": status, "changed_at": pass[*at], "changed_by": by })
            })
            .collect();
        pass["status_history"] = json!(steps);
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
