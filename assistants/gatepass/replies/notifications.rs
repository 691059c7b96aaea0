//! Notifications: the unread count and their texts.

use serde_json::{Value, json};

use super::Call;
use super::text::{count, has_more, items, time, words};

/// Rows in the summary; the card shows all.
const MOST_ROWS: usize = 10;
const LONGEST_MESSAGE: usize = 160;

impl Call<'_> {
    pub(super) fn notifications(&self, list: Value) -> Result<(Value, String), &'static str> {
        let found = items(&list);
        let has_id = |item: &Value| item.get("id").is_some_and(Value::is_string);
        if !found.iter().all(has_id) {
            return Err("an entry of the list is not a notification");
        }
        let is_unread = |item: &Value| item["is_read"] == false;
        let unread = found.iter().filter(|item| is_unread(item)).count();
        let more = has_more(&list);
        let mut summary = "There are no notifications.".to_owned();
        if !found.is_empty() {
            let newest = if more { "The newest " } else { "" };
            summary = format!(
                "{newest}{}, {unread} unread.\n\n| | Notification | When |\n|---|---|---|",
                count(found.len(), "notification", "notifications")
            );
        }
        for item in found.iter().take(MOST_ROWS) {
            summary.push_str(&format!(
                "\n| {} | {} | {} |",
                if is_unread(item) { "new" } else { "" },
                words(item, "message", LONGEST_MESSAGE).unwrap_or_default(),
                time(item, "created_at", self.zone).unwrap_or_default(),
            ));
        }
        if let Some(older @ 1..) = found.len().checked_sub(MOST_ROWS) {
            summary.push_str(&format!("\n\n… and {older} older."));
        }
        let result =
            json!({ "count": found.len(), "unread": unread, "has_more": more, "items": found });
        Ok((result, summary))
    }

    pub(super) fn marked_read(&self, notification: Value) -> (Value, String) {
        if notification.get("id").is_none() {
            let result = json!({ "id": self.text("notification_id"), "is_read": true });
            return (result, "Marked the notification as read.".to_owned());
        }
        let text = match words(&notification, "message", LONGEST_MESSAGE) {
            Some(message) => format!("Marked as read: {message}"),
            None => "Marked the notification as read.".to_owned(),
        };
        (notification, text)
    }
}
