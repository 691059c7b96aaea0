//! The chat about a gig: one conversation for each gig and person, with the same checks, answers and
//! words at every door.

mod failure;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::conversation_api::{About, ConversationApi, ConversationApiError};
use frontdesk_core::id::{CompanyId, ConversationId, MessageId};
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{IdempotencyKey, Speaker, StoreError, StoredMessage, TurnStatus};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::store::{GigCard, GigError, Gigs};
use super::{LONGEST_MESSAGE, NAME};

pub(super) use failure::Failure;

pub(super) const MOST_MESSAGES: u32 = 50;
const MOST_REPLIES: usize = 4;

pub(super) struct Chat {
    pub(super) gigs: Arc<Gigs>,
    pub(super) conversation_api: Arc<dyn ConversationApi>,
}

/// The answer to a message.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = json!({ "message": "Лучший кандидат Анна Петрова.", "quickReplies": ["Пригласить на интервью"], "metadata": { "tokensUsed": 640, "latencyMs": 900 } }))]
pub(super) struct Sent {
    pub(super) message: String,
    pub(super) quick_replies: Vec<String>,
    pub(super) metadata: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChatMessage {
    pub(super) id: MessageId,
    pub(super) role: Speaker,
    pub(super) content: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) quick_replies: Vec<String>,
    pub(super) metadata: Map<String, Value>,
    pub(super) created_at: DateTime<Utc>,
}

/// The newest messages, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = json!({ "sessionId": null, "messages": [], "hasMore": false }))]
pub(super) struct History {
    pub(super) session_id: Option<ConversationId>,
    pub(super) messages: Vec<ChatMessage>,
    pub(super) has_more: bool,
}

/// What somebody wants to say, looked over.
pub(super) fn checked_message(message: &str) -> Result<(), Failure> {
    if message.trim().is_empty() || message.contains('\0') {
        return Err(Failure::Empty);
    }
    if message.encode_utf16().count() > LONGEST_MESSAGE {
        return Err(Failure::TooLong);
    }
    Ok(())
}

pub(super) fn checked_gig(id: &str) -> Result<Uuid, Failure> {
    id.parse().map_err(|_| Failure::BadGig)
}

pub(super) fn checked_limit(limit: Option<i64>) -> Result<u32, Failure> {
    match limit {
        None => Ok(MOST_MESSAGES),
        Some(limit) => u32::try_from(limit)
            .ok()
            .filter(|limit| (1..=MOST_MESSAGES).contains(limit))
            .ok_or(Failure::BadLimit),
    }
}

impl Chat {
    /// The person's chat about this gig, opened on first sight.
    pub(super) async fn open(&self, who: &Principal, gig: Uuid) -> Result<ConversationId, Failure> {
        let card = self.gigs.card(who, gig).await?;
        self.session(who, &card).await
    }

    pub(super) async fn send(
        &self,
        who: &Principal,
        gig: Uuid,
        message: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Sent, Failure> {
        checked_message(&message)?;
        let card = self.gigs.card(who, gig).await?;
        let session = self.session(who, &card).await?;
        let status = self
            .conversation_api
            .say(who, session, message, key)
            .await?;
        sent(status)
    }

    pub(super) async fn history(
        &self,
        who: &Principal,
        gig: Uuid,
        limit: u32,
    ) -> Result<History, Failure> {
        self.gigs.card(who, gig).await?;
        let Some(session) = self.gigs.session(who, gig).await? else {
            return Ok(History {
                session_id: None,
                messages: Vec::new(),
                has_more: false,
            });
        };
        let page = self.conversation_api.newest(who, session, limit).await?;
        Ok(History {
            session_id: Some(session),
            messages: page.items.into_iter().map(shown).collect(),
            has_more: page.has_more,
        })
    }

    /// Forgets the chat; doing so again changes nothing.
    pub(super) async fn clear(&self, who: &Principal, gig: Uuid) -> Result<(), Failure> {
        self.gigs.card(who, gig).await?;
        if let Some(session) = self.gigs.session(who, gig).await? {
            self.conversation_api.reset(who, session).await?;
        }
        Ok(())
    }

    async fn session(&self, who: &Principal, card: &GigCard) -> Result<ConversationId, Failure> {
        if let Some(session) = self.gigs.session(who, card.id).await? {
            return Ok(session);
        }
        let about = About {
            assistant: NAME,
            subject: card.id.to_string(),
            company: Some(CompanyId::from_uuid(card.workspace_id)),
            title: card.title.chars().take(200).collect(),
        };
        match self.conversation_api.start(who, about).await {
            Ok(conversation) => Ok(conversation.id),
            // Two first openings at once: one of them made it, both find it.
            Err(ConversationApiError::Store(StoreError::Conflict(_))) => self
                .gigs
                .session(who, card.id)
                .await?
                .ok_or(Failure::Broken),
            Err(error) => Err(error.into()),
        }
    }
}

/// How a turn that rests is told: the design's statuses for each end.
fn sent(status: TurnStatus) -> Result<Sent, Failure> {
    let mut metadata = Map::new();
    metadata.insert("turnId".to_owned(), json!(status.id));
    metadata.insert("sessionId".to_owned(), json!(status.conversation_id));
    if let Some(answer) = status.agent_message {
        let shown = shown(answer);
        metadata.extend(shown.metadata);
        metadata.insert("messageId".to_owned(), json!(shown.id));
        return Ok(Sent {
            message: shown.content,
            quick_replies: shown.quick_replies,
            metadata,
        });
    }
    match (status.state, status.outcome) {
        (TurnState::AwaitingApproval | TurnState::Running, _) => {
            metadata.insert("awaitingApproval".to_owned(), json!(status.approvals));
            Ok(Sent {
                message: String::new(),
                quick_replies: Vec::new(),
                metadata,
            })
        }
        (_, Some(Outcome::TimedOut)) => Err(Failure::TimedOut),
        (_, Some(Outcome::Cancelled)) => Ok(Sent {
            message: String::new(),
            quick_replies: Vec::new(),
            metadata,
        }),
        (
            TurnState::Completed
            | TurnState::Failed
            | TurnState::Cancelled
            | TurnState::Interrupted,
            _,
        ) => Err(Failure::ModelFailed),
    }
}

fn shown(message: StoredMessage) -> ChatMessage {
    let mut kept = message.metadata;
    let replies = kept.remove("quick_replies").unwrap_or_default();
    let mut quick_replies: Vec<String> = serde_json::from_value(replies).unwrap_or_default();
    quick_replies.truncate(MOST_REPLIES);
    let mut metadata = Map::new();
    for (ours, theirs) in [
        ("tokens_used", "tokensUsed"),
        ("latency_ms", "latencyMs"),
        ("candidatesMentioned", "candidatesMentioned"),
        ("analysisType", "analysisType"),
    ] {
        if let Some(value) = kept.remove(ours) {
            metadata.insert(theirs.to_owned(), value);
        }
    }
    ChatMessage {
        id: message.id,
        role: message.role,
        content: message.content,
        quick_replies,
        metadata,
        created_at: message.created_at,
    }
}

impl From<GigError> for Failure {
    fn from(error: GigError) -> Self {
        match error {
            GigError::NotFound => Self::NotFound,
            GigError::Forbidden => Self::Forbidden,
            GigError::Db(error) => error.into(),
        }
    }
}
