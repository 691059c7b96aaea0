//! Conversations for the routes of assistants. The same checks apply as in the web app.

use async_trait::async_trait;
use futures_util::stream::BoxStream;

use crate::access::Principal;
use crate::approval::Decision;
use crate::conversation::Conversation;
use crate::event::Entry;
use crate::id::{CompanyId, ConversationId, TurnId};
use crate::store::{IdempotencyKey, Page, StoreError, StoredMessage, TurnStatus};

#[derive(Debug, thiserror::Error)]
pub enum ConversationApiError {
    /// A sentence that explains how to correct the request.
    #[error("{0}")]
    Invalid(String),
    /// The person may not use this assistant.
    #[error("{0}")]
    NotForYou(String),
    /// The server is starting or shutting down.
    #[error("the server is starting or shutting down; try again")]
    Closed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The subject of a conversation in the company's own systems.
#[derive(Clone, Debug)]
pub struct About {
    pub assistant: &'static str,
    pub subject: String,
    pub company: Option<CompanyId>,
    pub title: String,
}

/// The call of a turn that waits for a decision.
#[derive(Clone, Copy, Debug)]
pub struct ApprovalRef<'a> {
    pub turn: TurnId,
    pub call_id: &'a str,
}

/// The events of a turn. Fails when the person loses access to the conversation.
pub type TurnEvents = BoxStream<'static, Result<Entry, StoreError>>;

#[async_trait]
pub trait ConversationApi: Send + Sync {
    async fn start(
        &self,
        who: &Principal,
        about: About,
    ) -> Result<Conversation, ConversationApiError>;

    /// Sends a message and waits until its turn ends. Repeating a message whose turn failed at the
    /// model retries that turn instead of storing the message twice.
    async fn say(
        &self,
        who: &Principal,
        conversation: ConversationId,
        content: String,
        key: Option<IdempotencyKey>,
    ) -> Result<TurnStatus, ConversationApiError>;

    /// Sends a message like [`ConversationApi::say`], without waiting for the answer.
    async fn begin(
        &self,
        who: &Principal,
        conversation: ConversationId,
        content: String,
        key: Option<IdempotencyKey>,
    ) -> Result<TurnId, ConversationApiError>;

    /// The events of a turn after this position, until it ends or waits for a decision.
    async fn watch(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        after: u64,
    ) -> Result<TurnEvents, ConversationApiError>;

    async fn turn(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
    ) -> Result<TurnStatus, ConversationApiError>;

    /// Decides an approval of a waiting turn, and waits until the turn ends or waits again.
    async fn decide(
        &self,
        who: &Principal,
        conversation: ConversationId,
        approval: ApprovalRef<'_>,
        decision: Decision,
    ) -> Result<TurnStatus, ConversationApiError>;

    /// The newest messages, oldest first.
    async fn newest(
        &self,
        who: &Principal,
        conversation: ConversationId,
        limit: u32,
    ) -> Result<Page<StoredMessage>, ConversationApiError>;

    /// Deletes the messages.
    async fn reset(
        &self,
        who: &Principal,
        conversation: ConversationId,
    ) -> Result<(), ConversationApiError>;
}
