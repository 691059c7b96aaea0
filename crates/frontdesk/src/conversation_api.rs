//! The conversation API for routes of assistants. Assistants are built before the runtime, so the
//! API is bound to the runtime later.

use std::sync::OnceLock;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::conversation_api::{
    About, ApprovalRef, ConversationApi, ConversationApiError, TurnEvents,
};
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{IdempotencyKey, Page, Speaker, StoreError, StoredMessage, TurnStatus};

use futures_util::stream;

use crate::runtime::{NewConversationRequest, Runtime, RuntimeError, Saying, Started};

#[derive(Default)]
pub struct LateBoundApi(OnceLock<Runtime>);

impl LateBoundApi {
    /// Binds the runtime; requests are accepted from now on.
    pub fn open(&self, runtime: &Runtime) {
        // Only the code that opens the app calls this, once.
        let _ = self.0.set(runtime.clone());
    }

    fn runtime(&self) -> Result<&Runtime, ConversationApiError> {
        self.0.get().ok_or(ConversationApiError::Closed)
    }

    /// Stores the message and starts its turn.
    async fn start_turn(
        &self,
        who: &Principal,
        conversation: ConversationId,
        content: String,
        key: Option<IdempotencyKey>,
    ) -> Result<Started, ConversationApiError> {
        let runtime = self.runtime()?;
        let started = match unanswered(runtime, who, conversation, &content).await? {
            Some(turn) => runtime.retry(who, conversation, turn, None).await,
            None => {
                let saying = Saying {
                    content,
                    key,
                    ..Saying::default()
                };
                runtime.say(who, conversation, saying).await
            }
        };
        started.map_err(api_error)
    }
}

#[async_trait]
impl ConversationApi for LateBoundApi {
    async fn start(
        &self,
        who: &Principal,
        about: About,
    ) -> Result<Conversation, ConversationApiError> {
        let new = NewConversationRequest {
            assistant: about.assistant.to_owned(),
            title: Some(about.title),
            company_id: about.company,
            subject: Some(about.subject),
            ..NewConversationRequest::default()
        };
        self.runtime()?
            .start_conversation(who, new)
            .await
            .map_err(api_error)
    }

    async fn say(
        &self,
        who: &Principal,
        conversation: ConversationId,
        content: String,
        key: Option<IdempotencyKey>,
    ) -> Result<TurnStatus, ConversationApiError> {
        let started = self.start_turn(who, conversation, content, key).await?;
        let Started {
            turn, mut watch, ..
        } = started;
        while watch.next().await?.is_some() {}
        self.turn(who, conversation, turn).await
    }

    async fn begin(
        &self,
        who: &Principal,
        conversation: ConversationId,
        content: String,
        key: Option<IdempotencyKey>,
    ) -> Result<TurnId, ConversationApiError> {
        let started = self.start_turn(who, conversation, content, key).await?;
        Ok(started.turn)
    }

    async fn watch(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
        after: u64,
    ) -> Result<TurnEvents, ConversationApiError> {
        let watch = self.runtime()?.watch(who, conversation, turn, after);
        let watch = watch.await.map_err(api_error)?;
        let events = stream::try_unfold(watch, |mut watch| async move {
            Ok(watch.next().await?.map(|entry| (entry, watch)))
        });
        Ok(Box::pin(events))
    }

    async fn turn(
        &self,
        who: &Principal,
        conversation: ConversationId,
        turn: TurnId,
    ) -> Result<TurnStatus, ConversationApiError> {
        Ok(self
            .runtime()?
            .store()
            .turn(who, conversation, turn)
            .await?)
    }

    async fn decide(
        &self,
        who: &Principal,
        conversation: ConversationId,
        approval: ApprovalRef<'_>,
        decision: Decision,
    ) -> Result<TurnStatus, ConversationApiError> {
        let runtime = self.runtime()?;
        let ApprovalRef { turn, call_id } = approval;
        let before = runtime.store().turn(who, conversation, turn).await?;
        let watch = runtime.watch(who, conversation, turn, before.position);
        let mut watch = watch.await.map_err(api_error)?;
        runtime
            .decide(who, turn, call_id, decision.into())
            .await
            .map_err(api_error)?;
        while watch.next().await?.is_some() {}
        Ok(runtime.store().turn(who, conversation, turn).await?)
    }

    async fn newest(
        &self,
        who: &Principal,
        conversation: ConversationId,
        limit: u32,
    ) -> Result<Page<StoredMessage>, ConversationApiError> {
        let store = self.runtime()?.store();
        Ok(store
            .newest_messages(who, conversation, None, limit)
            .await?)
    }

    async fn reset(
        &self,
        who: &Principal,
        conversation: ConversationId,
    ) -> Result<(), ConversationApiError> {
        self.runtime()?.store().reset(who, conversation).await?;
        Ok(())
    }
}

/// The failed turn of the newest message, if that message has the same text.
async fn unanswered(
    runtime: &Runtime,
    who: &Principal,
    conversation: ConversationId,
    content: &str,
) -> Result<Option<TurnId>, ConversationApiError> {
    let store = runtime.store();
    let page = store.newest_messages(who, conversation, None, 1).await?;
    let Some(last) = page.items.last() else {
        return Ok(None);
    };
    if last.role != Speaker::User || last.content != content {
        return Ok(None);
    }
    let turn = last.metadata.get("turn_id").cloned();
    let Some(turn) = turn.and_then(|turn| serde_json::from_value::<TurnId>(turn).ok()) else {
        return Ok(None);
    };
    let status = store.turn(who, conversation, turn).await?;
    Ok((status.state == TurnState::Failed).then_some(turn))
}

fn api_error(error: RuntimeError) -> ConversationApiError {
    match error {
        RuntimeError::Store(error) => ConversationApiError::Store(error),
        RuntimeError::CardWaits { turn, .. } => {
            ConversationApiError::Store(StoreError::TurnInProgress { turn })
        }
        RuntimeError::NotForYou { .. } => ConversationApiError::NotForYou(error.to_string()),
        RuntimeError::UnknownAssistant(_)
        | RuntimeError::TooLong { .. }
        | RuntimeError::Invalid { .. }
        | RuntimeError::Fields(_)
        | RuntimeError::File(_) => ConversationApiError::Invalid(error.to_string()),
    }
}
