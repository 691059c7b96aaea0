//! Notifications: the unread count and their texts.

use chrono_tz::Tz;
use frontdesk_connect::Failure;
use serde_json::{Value, json};

use super::text::{count, has_more, items, time, words};
use super::{Call, RenderedReply};
use crate::context::Mention;

/// Rows in the summary; the card shows all.
const MOST_ROWS: usize = 10;
const LONGEST_MESSAGE: usize = 160;

pub(super) fn inbox(list: &Value, zone: Tz) -> Result<RenderedReply, Failure> {
    let found = items(list);
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
    let more = has_more(list);
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

pub(super) fn marked_read(notification: Value, call: &Call) -> RenderedReply {
    let message = words(&notification, "message", LONGEST_MESSAGE);
    let is_notification = notification.get("id").is_some();
    RenderedReply {
        summary: match message.filter(|_| is_notification) {
            Some(message) => format!("Marked as read: {message}"),
            None => "Marked the notification as read.".to_owned(),
        },
        result: match is_notification {
            true => notification,
            false => json!({ "id": call.text("notification_id"), "is_read": true }),
        },
        mention: Mention::Nothing,
    }
}
