//! Conversations and their messages.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{IdempotencyKey, Rating};
use crate::artifact::Author;
use crate::id::{CompanyId, ConversationId, MessageId, ProfileId};
use crate::phase::{Phase, PhaseChange};

#[derive(Clone, Debug)]
pub struct NewConversation {
    pub id: ConversationId,
    pub assistant: String,
    pub title: String,
    pub company_id: Option<CompanyId>,
    pub subject: Option<String>,
    pub phase: Phase,
    pub metadata: Map<String, Value>,
    /// A repeated request with this key returns the first result.
    pub key: Option<IdempotencyKey>,
    pub now: DateTime<Utc>,
}

#[derive(Clone, Debug, Default)]
pub struct ConversationQuery {
    pub cursor: Option<String>,
    pub limit: u32,
    pub company_id: Option<CompanyId>,
    pub assistant: Option<String>,
    pub view: ConversationView,
}

/// Which conversations a list has, by the caller's own marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConversationView {
    /// All but those in the archive.
    #[default]
    Current,
    Pinned,
    Archived,
}

#[derive(Clone, Debug)]
pub struct ConversationPatch {
    pub title: Option<String>,
    /// The new owner, a member of the conversation's company.
    pub owner: Option<ProfileId>,
    pub phase: Option<PhaseChange>,
    /// Merged; `null` removes a key.
    pub metadata: Map<String, Value>,
    pub now: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Opaque and bound to its owner; `None` at the end.
    pub cursor: Option<String>,
    pub has_more: bool,
}

/// The author of a visible message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    User,
    Assistant,
}

/// A message as people see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredMessage {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    pub role: Speaker,
    /// Its author; `None` for an assistant's message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Author>,
    pub content: String,
    pub metadata: Map<String, Value>,
    pub created_at: DateTime<Utc>,
    /// The caller's rating; set in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// All versions of a message that has several, oldest first; set in lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<MessageId>,
}
