//! A person's marks on conversations, and links that show a conversation to others.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{IdempotencyKey, Speaker};
use crate::id::{CompanyId, ConversationId, ProfileId, ShareId};

/// How a person sees a conversation in their list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Marks {
    /// Stays at the top of the list.
    pub pinned: bool,
    /// Is left out of the list; search still finds it.
    pub archived: bool,
}

/// The people who may open a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// One colleague.
    Profile(ProfileId),
    /// The members of a company.
    Company(CompanyId),
}

#[derive(Clone, Debug)]
pub struct NewShare {
    pub id: ShareId,
    pub conversation: ConversationId,
    pub audience: Audience,
    pub expires_at: DateTime<Utc>,
    pub key: Option<IdempotencyKey>,
    pub now: DateTime<Utc>,
}

/// A link to a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The last part of the link.
    pub id: ShareId,
    pub audience: Audience,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SharedConversation {
    pub title: String,
    pub assistant: String,
    /// The name of the person who shared it.
    pub shared_by: String,
    pub expires_at: DateTime<Utc>,
    /// The newest messages, oldest first.
    pub messages: Vec<SharedMessage>,
    /// There are older messages, which are not shown.
    pub has_older: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SharedMessage {
    pub role: Speaker,
    /// The author's name; `null` for the assistant and for a profile that was deleted.
    pub author: Option<String>,
    pub content: String,
    pub created_at: DateTime<Utc>,
}
