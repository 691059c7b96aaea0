//! Conversion of rows to domain types, and of domain types to parameters.

use chrono::{DateTime, Utc};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{Id, MessageId};
use frontdesk_core::phase::Phase;
use frontdesk_core::store::StoredMessage;
use frontdesk_db::{Row, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::authors;
use crate::tx_error::{TxError, unreadable};

/// The columns of a conversation `c` that [`conversation`] reads.
pub(crate) const CONVERSATION: &str = "c.id, c.user_id, c.company_id, c.assistant, c.subject, \
     c.title, c.phase, c.metadata, c.progress, c.message_count, c.last_message_at, \
     c.created_at, c.updated_at";

pub(crate) fn conversation(row: &Row) -> Result<Conversation, TxError> {
    Ok(Conversation {
        id: row.get("id")?,
        user_id: row.get("user_id")?,
        company_id: row.get("company_id")?,
        assistant: row.get("assistant")?,
        subject: row.get("subject")?,
        title: row.get("title")?,
        phase: Phase::stored(row.get("phase")?),
        metadata: json(row, "metadata")?,
        progress: json(row, "progress")?,
        message_count: row.get("message_count")?,
        last_message_at: row.get("last_message_at")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

/// A message whose columns carry the given prefix (`um_id`, `um_content`, …).
pub(crate) struct MessageColumns {
    pub(crate) id: &'static str,
    pub(crate) role: &'static str,
    pub(crate) content: &'static str,
    pub(crate) metadata: &'static str,
    pub(crate) created_at: &'static str,
    /// True if the columns of `authors::columns` are selected.
    pub(crate) authored: bool,
    /// The column with the reader's own rating, if it was selected.
    pub(crate) rating: Option<&'static str>,
}

pub(crate) const MESSAGE: MessageColumns = MessageColumns {
    id: "id",
    role: "role",
    content: "content",
    metadata: "metadata",
    created_at: "created_at",
    authored: true,
    rating: Some("rating"),
};

pub(crate) const USER_MESSAGE: MessageColumns = MessageColumns {
    id: "um_id",
    role: "um_role",
    content: "um_content",
    metadata: "um_metadata",
    created_at: "um_created_at",
    authored: true,
    rating: None,
};

pub(crate) const AGENT_MESSAGE: MessageColumns = MessageColumns {
    id: "am_id",
    role: "am_role",
    content: "am_content",
    metadata: "am_metadata",
    created_at: "am_created_at",
    authored: false,
    rating: None,
};

/// A message that people see; `None` when a join found none.
pub(crate) fn message(
    row: &Row,
    conversation: Uuid,
    columns: &MessageColumns,
) -> Result<Option<StoredMessage>, TxError> {
    let Some(found) = row.get::<Option<Uuid>>(columns.id)? else {
        return Ok(None);
    };
    Ok(Some(StoredMessage {
        id: MessageId::from_uuid(found),
        conversation_id: Id::from_uuid(conversation),
        role: named(row, columns.role)?,
        author: match columns.authored {
            true => authors::read(row)?,
            false => None,
        },
        content: row.get(columns.content)?,
        metadata: json(row, columns.metadata)?,
        created_at: row.get(columns.created_at)?,
        rating: match columns.rating {
            Some(column) if row.get::<Option<String>>(column)?.is_some() => {
                Some(named(row, column)?)
            }
            Some(_) | None => None,
        },
        versions: Vec::new(),
    }))
}

pub(crate) fn json<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T, TxError> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|_| unreadable(column))
}

pub(crate) fn optional_json<T: DeserializeOwned>(
    row: &Row,
    column: &str,
) -> Result<Option<T>, TxError> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| serde_json::from_str(&text).map_err(|_| unreadable(column)))
        .transpose()
}

/// JSON as a text parameter. Postgres casts it (`$1::text::json`), which keeps the bytes and accepts
/// escaped NUL characters from tools and models.
pub(crate) fn json_text(value: &impl Serialize) -> Result<Value, TxError> {
    json_string(value).map(Value::Text)
}

/// JSON as a string inside a `jsonb` parameter, for the same reason as [`json_text`].
pub(crate) fn json_string(value: &impl Serialize) -> Result<String, TxError> {
    serde_json::to_string(value).map_err(|_| unreadable("a value to be stored"))
}

/// Truncates to the precision of the databases, so that a response equals a later read.
pub(crate) fn micros(time: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(time.timestamp_micros()).unwrap_or(time)
}

/// Counts and positions are far below the limit; a value above it is a defect.
pub(crate) fn int(value: u64) -> Result<Value, TxError> {
    i64::try_from(value)
        .map(Value::Int)
        .map_err(|_| unreadable("a number to be stored"))
}

/// The name of a value that serialises as a string, for a text column.
pub(crate) fn name_of(value: &impl Serialize) -> Result<String, TxError> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => Ok(name),
        Ok(_) | Err(_) => Err(unreadable("a name to be stored")),
    }
}

pub(crate) fn named<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T, TxError> {
    let name: String = row.get(column)?;
    serde_json::from_value(serde_json::Value::String(name)).map_err(|_| unreadable(column))
}
