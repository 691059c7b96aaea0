//! Conversations and what was said in them.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{IdempotencyKey, Rating, StoreError};
use crate::access::Principal;
use crate::artifact::Author;
use crate::conversation::Conversation;
use crate::id::{CompanyId, ConversationId, MessageId, ProfileId};
use crate::phase::{Phase, PhaseChange};

#[async_trait]
pub trait Conversations: Send + Sync {
    async fn create(
        &self,
        who: &Principal,
        new: NewConversation,
    ) -> Result<Conversation, StoreError>;

    async fn get(&self, who: &Principal, id: ConversationId) -> Result<Conversation, StoreError>;

    /// One's own and one's companies', most recently updated first.
    async fn list(
        &self,
        who: &Principal,
        query: ConversationQuery,
    ) -> Result<Page<Conversation>, StoreError>;

    /// The owner renames and edits metadata; members may move the phase. The owner and the
    /// company's owner may give a company's conversation to another member.
    async fn update(
        &self,
        who: &Principal,
        id: ConversationId,
        patch: ConversationPatch,
    ) -> Result<Conversation, StoreError>;

    /// For the owner and the company's owner, and for good; the audit keeps the ids.
    async fn delete(&self, who: &Principal, id: ConversationId) -> Result<(), StoreError>;

    /// Clears messages, progress and metadata, counters to zero; a running turn is cancelled.
    async fn reset(&self, who: &Principal, id: ConversationId) -> Result<Conversation, StoreError>;

    /// What was said, oldest first; the cursor leads to newer ones.
    async fn messages(
        &self,
        who: &Principal,
        id: ConversationId,
        cursor: Option<String>,
        limit: u32,
    ) -> Result<Page<StoredMessage>, StoreError>;

    /// The same from the end: the newest page first, each page oldest first; the cursor leads
    /// to older ones.
    async fn newest_messages(
        &self,
        who: &Principal,
        id: ConversationId,
        cursor: Option<String>,
        limit: u32,
    ) -> Result<Page<StoredMessage>, StoreError>;
}

#[derive(Clone, Debug)]
pub struct NewConversation {
    pub id: ConversationId,
    pub assistant: String,
    pub title: String,
    pub company_id: Option<CompanyId>,
    pub subject: Option<String>,
    pub phase: Phase,
    pub metadata: Map<String, Value>,
    /// A repeated request with this key gives what the first one made.
    pub key: Option<IdempotencyKey>,
    pub now: DateTime<Utc>,
}

#[derive(Clone, Debug, Default)]
pub struct ConversationQuery {
    pub cursor: Option<String>,
    pub limit: u32,
    pub company_id: Option<CompanyId>,
    pub assistant: Option<String>,
}

#[derive(Clone, Debug)]
pub struct ConversationPatch {
    pub title: Option<String>,
    /// The conversation's next owner, a member of its company.
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

/// Who said a message that people see.
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
    /// The person who wrote it; `None` for an assistant's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Author>,
    pub content: String,
    pub metadata: Map<String, Value>,
    pub created_at: DateTime<Utc>,
    /// What whoever asks thinks of it; told in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
}
