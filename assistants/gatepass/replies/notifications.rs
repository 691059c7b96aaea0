//! Notifications: the unread count and their texts.

use chrono_tz::Tz;
use serde_json::{Value, json};

use super::RenderedReply;
use super::lists::items;
use super::text::{count, time, words};
use crate::api::Failure;
use crate::call::Call;
use crate::context::Mention;

/// Rows in the summary; the card shows all.
const MOST_ROWS: usize = 10;
const LONGEST_MESSAGE: usize = 160;

pub(super) fn inbox(answer: Value, zone: Tz) -> Result<RenderedReply, Failure> {
    let found = items(&answer).ok_or(Failure::Malformed(
        "the answer is not a list of notifications",
    ))?;
    if !found
        .iter()
        .all(|item| item.get("id").is_some_and(Value::is_string))
    {
        return Err(Failure::Malformed(
            "an entry of the list is not a notification",
        ));
    }
    let is_unread = |item: &Value| item.get("is_read").and_then(Value::as_bool) == Some(false);
    let unread = found.iter().filter(|item| is_unread(item)).count();
    let more = answer
        .get("has_more")
        .and_then(Value::as_bool)
        .unwrap_or(false);
    // An API's own count includes later pages.
    let all_unread = answer.get("unread").and_then(Value::as_u64);
    let unread = all_unread
        .and_then(|n| usize::try_from(n).ok())
        .unwrap_or(unread);
    if found.is_empty() {
        return Ok(RenderedReply {
            result: json!({ "count": 0, "unread": 0, "items": [] }),
            summary: "There are no notifications.".to_owned(),
            mention: Mention::Nothing,
        });
    }
    let newest = if more { "The newest " } else { "" };
    let mut summary = format!(
        "{newest}{}, {unread} unread.\n\n| | Notification | When |\n|---|---|---|",
        count(found.len(), "notification", "notifications")
    );
    for item in found.iter().take(MOST_ROWS) {
        summary.push_str(&format!(
            "\n| {} | {} | {} |",
            if is_unread(item) { "new" } else { "" },
            words(item, "message", LONGEST_MESSAGE).unwrap_or_default(),
            time(item, "created_at", zone).unwrap_or_default(),
        ));
    }
    if let Some(older @ 1..) = found.len().checked_sub(MOST_ROWS) {
        summary.push_str(&format!("\n\n… and {older} older."));
    }
    Ok(RenderedReply {
        result: json!({ "count": found.len(), "unread": unread, "has_more": more, "items": found }),
        summary,
        mention: Mention::Nothing,
    })
}

pub(super) fn marked_read(answer: Value, call: &Call) -> RenderedReply {
    let message = words(&answer, "message", LONGEST_MESSAGE);
    RenderedReply {
        summary: match message {
            Some(message) => format!("Marked as read: {message}"),
            None => "Marked the notification as read.".to_owned(),
        },
        result: match answer {
            Value::Object(_) => answer,
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => json!({ "id": call.text("notification_id"), "is_read": true }),
        },
        mention: Mention::Nothing,
    }
}
