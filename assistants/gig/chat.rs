//! The chat about a gig: one conversation for each gig and person. REST and tRPC share its checks, answers
//! and error messages.

mod failure;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::conversation_api::{About, ApprovalRef, ConversationApi, ConversationApiError};
use frontdesk_core::id::{CompanyId, ConversationId, MessageId};
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::{IdempotencyKey, Speaker, StoreError, StoredMessage, TurnStatus};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::domain::language::Language;
use super::store::{GigCard, GigError, GigWriteError, Gigs};
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
pub(super) struct ChatReply {
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

/// Checks the length of a message.
pub(super) fn checked_message(message: &str) -> Result<(), Failure> {
    if message.trim().is_empty() || message.contains('\0') {
        return Err(Failure::EMPTY);
    }
    if message.encode_utf16().count() > LONGEST_MESSAGE {
        return Err(Failure::TOO_LONG);
    }
    Ok(())
}

/// Only the hyphenated form is a UUID to zod.
pub(super) fn checked_gig(id: &str) -> Result<Uuid, Failure> {
    const HYPHENATED: usize = 36;
    let id = Some(id).filter(|id| id.len() == HYPHENATED);
    id.and_then(|id| id.parse().ok()).ok_or(Failure::BAD_GIG)
}

pub(super) fn checked_limit(limit: Option<i64>) -> Result<u32, Failure> {
    match limit {
        None => Ok(MOST_MESSAGES),
        Some(limit) => u32::try_from(limit)
            .ok()
            .filter(|limit| (1..=MOST_MESSAGES).contains(limit))
            .ok_or(Failure::BAD_LIMIT),
    }
}

impl Chat {
    /// The person's chat about this gig; created when it is opened for the first time.
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
    ) -> Result<ChatReply, Failure> {
        let session = self.open_for_message(who, gig, &message).await?;
        let said = self.conversation_api.say(who, session, message, key);
        reply(said.await?)
    }

    /// The person's chat, if they may send this message.
    pub(super) async fn open_for_message(
        &self,
        who: &Principal,
        gig: Uuid,
        message: &str,
    ) -> Result<ConversationId, Failure> {
        checked_message(message)?;
        let card = match self.gigs.card(who, gig).await {
            // The design checks the rate limit between access (403) and existence (404).
            Err(GigError::NotFound) => return Err(self.limited_or_missing(who).await?),
            card => card?,
        };
        self.session(who, &card).await
    }

    /// Decides the approval that an answer waits for.
    pub(super) async fn decide(
        &self,
        who: &Principal,
        gig: Uuid,
        approval: ApprovalRef<'_>,
        decision: Decision,
    ) -> Result<ChatReply, Failure> {
        let session = self.readable_session(who, gig).await?;
        let session = session.ok_or(Failure::NoApproval)?;
        let decided = self
            .conversation_api
            .decide(who, session, approval, decision);
        match decided.await {
            Err(ConversationApiError::Store(
                StoreError::NotFound | StoreError::Undecidable(_) | StoreError::Conflict(_),
            )) => Err(Failure::NoApproval),
            status => reply(status?),
        }
    }

    async fn limited_or_missing(&self, who: &Principal) -> Result<Failure, Failure> {
        let wait = self.gigs.rate_limit(who).await?;
        Ok(wait.map_or(Failure::NotFound, Failure::RateLimited))
    }

    pub(super) async fn history(
        &self,
        who: &Principal,
        gig: Uuid,
        limit: u32,
    ) -> Result<History, Failure> {
        let Some(session) = self.readable_session(who, gig).await? else {
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

    /// Clears the chat. Idempotent.
    pub(super) async fn clear(&self, who: &Principal, gig: Uuid) -> Result<(), Failure> {
        if let Some(session) = self.readable_session(who, gig).await? {
            self.conversation_api.reset(who, session).await?;
        }
        Ok(())
    }

    /// The person's chat about a gig that they may read.
    pub(super) async fn readable_session(
        &self,
        who: &Principal,
        gig: Uuid,
    ) -> Result<Option<ConversationId>, Failure> {
        self.gigs.card(who, gig).await?;
        Ok(self.gigs.session(who, gig).await?)
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
            // Two requests opened it at once: one created it, both find it.
            Err(ConversationApiError::Store(StoreError::Conflict(_))) => self
                .gigs
                .session(who, card.id)
                .await?
                .ok_or(Failure::Broken),
            Err(error) => Err(error.into()),
        }
    }
}

/// The reply to a message whose turn ended or waits for a decision.
pub(super) fn reply(status: TurnStatus) -> Result<ChatReply, Failure> {
    let mut metadata = Map::new();
    metadata.insert("turnId".to_owned(), json!(status.id));
    metadata.insert("sessionId".to_owned(), json!(status.conversation_id));
    if let Some(answer) = status.agent_message {
        let shown = shown(answer);
        metadata.extend(shown.metadata);
        metadata.insert("messageId".to_owned(), json!(shown.id));
        return Ok(ChatReply {
            message: shown.content,
            quick_replies: shown.quick_replies,
            metadata,
        });
    }
    match (status.state, status.outcome) {
        (TurnState::AwaitingApproval | TurnState::Running, _) => {
            let titles: Vec<&str> = status
                .approvals
                .iter()
                .map(|card| card.title.as_str())
                .collect();
            let language = Language::of(&status.user_message.content);
            let waiting = language.pick("Ждёт вашего решения", "Waiting for your decision");
            let message = format!("{waiting}: {}", titles.join("; "));
            metadata.insert("awaitingApproval".to_owned(), json!(status.approvals));
            Ok(ChatReply {
                message,
                quick_replies: Vec::new(),
                metadata,
            })
        }
        (_, Some(Outcome::TimedOut)) => Err(Failure::TimedOut),
        (_, Some(Outcome::Cancelled)) => Ok(ChatReply {
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
        ("files", "files"),
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

impl From<GigWriteError> for Failure {
    fn from(error: GigWriteError) -> Self {
        match error {
            GigWriteError::Gig(error) => error.into(),
            GigWriteError::NoWorkspace => Self::NO_WORKSPACE,
            GigWriteError::Field(problem) => Self::BadField(problem),
            GigWriteError::KeyReused => Self::KeyReused,
        }
    }
}
