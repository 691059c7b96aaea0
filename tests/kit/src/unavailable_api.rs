//! A stand-in for the conversation API.

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::conversation_api::{
    About, ApprovalRef, ConversationApi, ConversationApiError, TurnEvents,
};
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::store::{IdempotencyKey, Page, StoredMessage, TurnStatus};

/// Refuses every request. For callers that never use the API.
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

    async fn begin(
        &self,
        _: &Principal,
        _: ConversationId,
        _: String,
        _: Option<IdempotencyKey>,
    ) -> Result<TurnId, ConversationApiError> {
        Err(ConversationApiError::Closed)
    }

    async fn watch(
        &self,
        _: &Principal,
        _: ConversationId,
        _: TurnId,
        _: u64,
    ) -> Result<TurnEvents, ConversationApiError> {
        Err(ConversationApiError::Closed)
    }

    async fn turn(
        &self,
        _: &Principal,
        _: ConversationId,
        _: TurnId,
    ) -> Result<TurnStatus, ConversationApiError> {
        Err(ConversationApiError::Closed)
    }

    async fn decide(
        &self,
        _: &Principal,
        _: ConversationId,
        _: ApprovalRef<'_>,
        _: Decision,
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
