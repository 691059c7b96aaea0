//! Request and response types, with the design's names.

use chrono::{DateTime, Utc};
use frontdesk_core::approval::ApprovalCard;
use frontdesk_core::artifact::Author;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{AttachmentId, CompanyId, ConversationId, MessageId, ProfileId, TurnId};
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{Rating, Speaker, StoredMessage, TurnStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConversationCreate {
    /// Name of the assistant; the default assistant if absent.
    #[serde(default)]
    pub assistant: Option<String>,
    /// 1 to 255 characters; "New Conversation" if absent.
    #[serde(default)]
    #[schemars(length(min = 1, max = 255))]
    pub title: Option<String>,
    /// Shares the conversation with the members of this company.
    #[serde(default)]
    pub company_id: Option<CompanyId>,
    /// Id of an object in the company's own systems that the conversation is about, e.g. a gig, if
    /// the assistant supports subjects. Only its owner sees such a conversation, as long as they
    /// may read the subject.
    #[serde(default)]
    pub subject: Option<String>,
    /// Free-form data of the client, at most 16 kB.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConversationUpdate {
    /// New title. Owner only.
    #[serde(default)]
    #[schemars(length(min = 1, max = 255))]
    pub title: Option<String>,
    /// Profile of the new owner, who must be a member of the conversation's company. Only for the
    /// owner and the company's owner.
    #[serde(default)]
    pub owner: Option<ProfileId>,
    /// One of the assistant's phases. Anyone with access to the conversation may set it.
    #[serde(default)]
    pub phase: Option<String>,
    /// Merged into the existing metadata; `null` removes a key. Owner only.
    #[serde(default)]
    pub metadata: Option<Map<String, Value>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ConversationResponse {
    pub id: ConversationId,
    /// Profile of the owner.
    pub user_id: ProfileId,
    pub company_id: Option<CompanyId>,
    pub assistant: String,
    pub subject: Option<String>,
    pub title: String,
    pub phase: String,
    pub metadata: Map<String, Value>,
    /// Number of messages, of people and assistants.
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

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageCreate {
    /// Must not be blank. The assistant sets the maximum length (`message_limit`).
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
    /// The author with their current name; `null` for a message of an assistant.
    pub author: Option<Author>,
    pub content: String,
    pub metadata: Map<String, Value>,
    pub created_at: DateTime<Utc>,
    /// The caller's own feedback; only in lists, absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// All versions of a message that was changed or answered again, oldest first; only in lists, absent if there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<MessageId>,
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
            versions: message.versions,
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
    /// Files that the answer's tools created.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<AnswerFile>,
}

/// A file of an answer.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(example = answer_file())]
pub struct AnswerFile {
    pub id: AttachmentId,
    pub name: String,
    pub media_type: String,
    /// The path that serves its content.
    pub url: String,
}

fn answer_file() -> Value {
    const ID: &str = "01980a3e-7d1c-7c3a-9b52-0d7f6a3c1e14";
    json!({
        "id": ID, "name": "badge.png", "media_type": "image/png",
        "url": format!("/api/v1/attachments/{ID}"),
    })
}

impl AnswerFile {
    /// The files that an answer's metadata names.
    fn of(answer: &StoredMessage) -> Vec<Self> {
        let files = answer.metadata.get("files").cloned().unwrap_or_default();
        serde_json::from_value(files).unwrap_or_default()
    }
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
            files: status
                .agent_message
                .as_ref()
                .map_or_else(Vec::new, AnswerFile::of),
        }
    }
}
