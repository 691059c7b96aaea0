//! The shapes that clients send and get, with the design's names.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use frontdesk_core::approval::ApprovalCard;
use frontdesk_core::artifact::Author;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{AttachmentId, CompanyId, ConversationId, MessageId, ProfileId, TurnId};
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{Page, Rating, Speaker, StoredMessage, TurnStatus};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConversationCreate {
    /// Whom to talk to; the default assistant when absent.
    #[serde(default)]
    pub assistant: Option<String>,
    /// 1 to 255 characters; "New Conversation" when absent.
    #[serde(default)]
    #[schemars(length(min = 1, max = 255))]
    pub title: Option<String>,
    /// Shares the conversation with the members of this company.
    #[serde(default)]
    pub company_id: Option<CompanyId>,
    /// What it is about in the company's own systems, where the assistant has such subjects (a
    /// gig's id). Only its own person sees such a conversation, while they may read the subject.
    #[serde(default)]
    pub subject: Option<String>,
    /// Anything of yours, at most 16 kB.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConversationUpdate {
    /// For the owner.
    #[serde(default)]
    #[schemars(length(min = 1, max = 255))]
    pub title: Option<String>,
    /// Who owns it from now on: a profile that is a member of its company. For the owner and the
    /// company's owner.
    #[serde(default)]
    pub owner: Option<ProfileId>,
    /// One of the assistant's phases; for everyone who sees the conversation.
    #[serde(default)]
    pub phase: Option<String>,
    /// Merged into what is there; `null` removes a key. For the owner.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ConversationResponse {
    pub id: ConversationId,
    /// The owner's profile.
    pub user_id: ProfileId,
    pub company_id: Option<CompanyId>,
    pub assistant: String,
    pub subject: Option<String>,
    pub title: String,
    pub phase: String,
    pub metadata: Map<String, Value>,
    /// Messages of people and answers.
    pub message_count: i64,
    pub last_message_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl From<Conversation> for ConversationResponse {
    fn from(conversation: Conversation) -> Self {
        Self {
            id: conversation.id,
            user_id: conversation.user_id,
            company_id: conversation.company_id,
            assistant: conversation.assistant,
            subject: conversation.subject,
            title: conversation.title,
            phase: conversation.phase.as_str().to_owned(),
            metadata: conversation.metadata,
            message_count: conversation.message_count,
            last_message_at: conversation.last_message_at,
            created_at: conversation.created_at,
            updated_at: conversation.updated_at,
        }
    }
}

/// A page of anything: `ConversationListResponse` and its like.
#[derive(Debug, Serialize)]
pub struct ListResponse<T> {
    pub items: Vec<T>,
    pub cursor: Option<String>,
    pub has_more: bool,
}

impl<T> ListResponse<T> {
    pub fn of<S: Into<T>>(page: Page<S>) -> Self {
        Self {
            items: page.items.into_iter().map(S::into).collect(),
            cursor: page.cursor,
            has_more: page.has_more,
        }
    }
}

impl<T: JsonSchema> JsonSchema for ListResponse<T> {
    fn schema_name() -> Cow<'static, str> {
        let of = T::schema_name();
        format!("{}ListResponse", of.strip_suffix("Response").unwrap_or(&of)).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "items": { "type": "array", "items": generator.subschema_for::<T>() },
                "cursor": { "type": ["string", "null"], "description": "Leads to the next page; null on the last one." },
                "has_more": { "type": "boolean" },
            },
            "required": ["items", "cursor", "has_more"],
        })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageCreate {
    /// Not blank; how long it may be, the assistant says (`message_limit`).
    #[schemars(length(min = 1))]
    pub content: String,
    #[serde(default)]
    pub attachments: Vec<AttachmentId>,
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct MessageResponse {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    pub role: Speaker,
    /// The person who wrote it, by the name that they have now; `null` for an assistant's.
    pub author: Option<Author>,
    pub content: String,
    pub metadata: Map<String, Value>,
    pub created_at: DateTime<Utc>,
    /// What I think of it, in lists; absent when I said nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
}

impl From<StoredMessage> for MessageResponse {
    fn from(message: StoredMessage) -> Self {
        Self {
            id: message.id,
            conversation_id: message.conversation_id,
            role: message.role,
            author: message.author,
            content: message.content,
            metadata: message.metadata,
            created_at: message.created_at,
            rating: message.rating,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct MessageWithAgentResponse {
    pub user_message: MessageResponse,
    /// `null` while the turn waits for approval.
    pub agent_message: Option<MessageResponse>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnResponse>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TurnResponse {
    pub id: TurnId,
    pub conversation_id: ConversationId,
    pub state: TurnState,
    #[serde(flatten)]
    pub outcome: Option<Outcome>,
    pub approvals: Vec<ApprovalCard>,
    pub position: u64,
    pub started_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

impl From<&TurnStatus> for TurnResponse {
    fn from(status: &TurnStatus) -> Self {
        Self {
            id: status.id,
            conversation_id: status.conversation_id,
            state: status.state,
            outcome: status.outcome.clone(),
            approvals: status.approvals.clone(),
            position: status.position,
            started_at: status.started_at,
            ended_at: status.ended_at,
        }
    }
}
