//! What routes of an assistant's own may ask of the front desk: a conversation, an answer, what
//! was said. The same checks hold as at every other door.

use async_trait::async_trait;

use crate::access::Principal;
use crate::conversation::Conversation;
use crate::id::{CompanyId, ConversationId};
use crate::store::{IdempotencyKey, Page, StoreError, StoredMessage, TurnStatus};

/// Why something was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConversationApiError {
    /// A sentence that says what to put right.
    #[error("{0}")]
    Invalid(String),
    /// This person may not talk to this assistant.
    #[error("{0}")]
    NotForYou(String),
    /// The server has not started yet, or is about to end.
    #[error("the front desk is not open")]
    Closed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A conversation that is about something in the company's own systems.
#[derive(Clone, Debug)]
pub struct About {
    pub assistant: &'static str,
    pub subject: String,
    pub company: Option<CompanyId>,
    pub title: String,
}

#[async_trait]
pub trait ConversationApi: Send + Sync {
    async fn start(
        &self,
        who: &Principal,
        about: About,
    ) -> Result<Conversation, ConversationApiError>;

    /// Says something and waits for how it ends. What was said before, and was not answered
    /// because the model failed, is answered again instead of being said twice.
    async fn say(
        &self,
        who: &Principal,
        conversation: ConversationId,
        content: String,
        key: Option<IdempotencyKey>,
    ) -> Result<TurnStatus, ConversationApiError>;

    /// The newest messages, oldest first.
    async fn newest(
        &self,
        who: &Principal,
        conversation: ConversationId,
        limit: u32,
    ) -> Result<Page<StoredMessage>, ConversationApiError>;

    /// Forgets what was said.
    async fn reset(
        &self,
        who: &Principal,
        conversation: ConversationId,
    ) -> Result<(), ConversationApiError>;
}

/// Where nobody is at the desk: every request is turned away. For what never uses it.
pub struct UnavailableApi;

#[async_trait]
impl ConversationApi for UnavailableApi {
    async fn start(&self, _: &Principal, _: About) -> Result<Conversation, ConversationApiError> {
        Err(ConversationApiError::Closed)
    }

    async fn say(
        &self,
        _: &Principal,
        _: ConversationId,
        _: String,
        _: Option<IdempotencyKey>,
    ) -> Result<TurnStatus, ConversationApiError> {
        Err(ConversationApiError::Closed)
    }

    async fn newest(
        &self,
        _: &Principal,
        _: ConversationId,
        _: u32,
    ) -> Result<Page<StoredMessage>, ConversationApiError> {
        Err(ConversationApiError::Closed)
    }

    async fn reset(&self, _: &Principal, _: ConversationId) -> Result<(), ConversationApiError> {
        Err(ConversationApiError::Closed)
    }
}
