//! JSON representations: the design's GatePass and Notification objects, with the design's
//! field names.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};

use crate::pass::{Status, allowed_actions};
use crate::tables::history::Change;
use crate::tables::lists::Counts;
use crate::tables::notifications::{Inbox, Notification, encode_cursor};
use crate::tables::passes::Pass;
use crate::tables::photos::Photo;

/// Paths in responses are relative to the service's address.
pub(crate) fn qr_path(pass: &Pass) -> String {
    format!("/qr/{}", pass.number)
}

pub(crate) fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn optional_time(at: Option<DateTime<Utc>>) -> Option<String> {
    at.map(time)
}

/// A pass with its status history. `history` may include changes of other passes.
pub(crate) fn pass(pass: &Pass, history: &[Change]) -> Value {
    let changes: Vec<Value> = history
        .iter()
        .filter(|change| change.pass_id == pass.id)
        .map(|change| json!({"status": change.status, "changed_at": time(change.changed_at), "changed_by": change.changed_by}))
        .collect();
    json!({
        "id": pass.id,
        "pass_number": pass.number.as_str(),
        "person_name": pass.person_name,
        "description": pass.description,
        "is_returnable": pass.is_returnable,
        "status": pass.status,
        "created_at": time(pass.created_at),
        "created_by": pass.created_by,
        "approved_at": optional_time(pass.approved_at),
        "approved_by": pass.approved_by,
        "exit_time": optional_time(pass.exit_time),
        "return_time": optional_time(pass.return_time),
        "qr_code_url": qr_path(pass),
        "status_history": changes,
        "allowed_actions": allowed_actions(pass.status, pass.is_returnable),
    })
}

/// A pass with its photos as well.
pub(crate) fn detail(found: &Pass, history: &[Change], photos: &[Photo]) -> Value {
    let mut view = pass(found, history);
    view["photos"] = photos.iter().map(|taken| photo(found, taken)).collect();
    view
}

pub(crate) fn deleted(pass: &Pass) -> Value {
    json!({
        "id": pass.id,
        "pass_number": pass.number.as_str(),
        "deleted": true,
        "deleted_at": optional_time(pass.deleted_at),
        "deleted_by": pass.deleted_by,
    })
}

pub(crate) fn photo(pass: &Pass, photo: &Photo) -> Value {
    json!({
        "photo_id": photo.id,
        "gatepass_id": photo.pass_id,
        "pass_number": pass.number.as_str(),
        "file_url": format!("/media/photo/{}", photo.id),
        "type": photo.moment.into_str(),
        "media_type": photo.format.media_type(),
        "captured_at": time(photo.captured_at),
        "captured_by": photo.captured_by,
    })
}

pub(crate) fn counts(counts: &Counts) -> Value {
    let mut view = json!({
        "total": counts.of.iter().sum::<i64>(),
        "awaiting_return": counts.awaiting_return,
    });
    for (status, count) in Status::ALL.into_iter().zip(counts.of) {
        view[status.into_str()] = count.into();
    }
    view
}

pub(crate) fn notification(item: &Notification) -> Value {
    json!({
        "id": item.id,
        "message": item.message,
        "type": item.kind,
        "created_at": time(item.created_at),
        "is_read": item.is_read,
        "related_pass_id": item.pass_id,
    })
}

pub(crate) fn inbox(inbox: &Inbox) -> Value {
    json!({
        "items": inbox.items.iter().map(notification).collect::<Vec<_>>(),
        "cursor": inbox.next.map(encode_cursor),
        "has_more": inbox.next.is_some(),
        "unread": inbox.unread,
    })
}
