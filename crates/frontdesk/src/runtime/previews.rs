//! Loads the object of a card for the person who decides, with their own rights.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use frontdesk_core::access::Principal;
use frontdesk_core::conversation::{Conversation, Progress};
use frontdesk_core::grant::{self, GrantedCall, Grounds};
use frontdesk_core::handle::Handles;
use frontdesk_core::id::TurnId;
use frontdesk_core::phase::Phase;
use frontdesk_core::preview::{ObjectFacts, Preview};
use frontdesk_core::store::{PendingApproval, StoreError};
use frontdesk_core::tool::{ToolContext, ToolSetting};
use frontdesk_core::toolbox::Toolbox;
use futures_util::FutureExt;
use futures_util::future::{Either, select};
use serde_json::{Map, Value};

use super::{Runtime, RuntimeError};

/// Timeout for loading the object of a card.
const PREVIEW_TIMEOUT: Duration = Duration::from_secs(5);

/// Timeout for loading the object's state after a rejection, which is only informative.
const STATE_TIMEOUT: Duration = Duration::from_secs(2);

impl Runtime {
    /// The object of a card that this person may decide now. A failed or slow read returns a
    /// message instead: the card can still be decided.
    pub async fn preview(
        &self,
        who: &Principal,
        turn: TurnId,
        call_id: &str,
    ) -> Result<Preview, RuntimeError> {
        let now = self.inner.env.now();
        let awaiting = self.inner.store.awaiting(who, turn, call_id, now).await?;
        let card = &awaiting.card;
        if !card.preview {
            return Ok(Preview::of(card, ObjectFacts::default()));
        }
        Ok(
            match self.load_object(who, &awaiting, PREVIEW_TIMEOUT).await {
                Some(object) => Preview::of(card, object),
                None => Preview::unavailable(card),
            },
        )
    }

    /// The state in which a rejection leaves the card's object, if it can be read in time.
    pub(super) async fn state_of_object(
        &self,
        who: &Principal,
        awaiting: &PendingApproval,
    ) -> Option<String> {
        if !awaiting.card.preview {
            return None;
        }
        let object = self.load_object(who, awaiting, STATE_TIMEOUT).await;
        Preview::of(&awaiting.card, object?).state
    }

    async fn load_object(
        &self,
        who: &Principal,
        awaiting: &PendingApproval,
        timeouts: Duration,
    ) -> Option<ObjectFacts> {
        let target = awaiting.card.target.as_ref()?;
        let assistant = self.assistant(who, &awaiting.assistant).ok()?;
        let toolbox = &assistant.toolbox;
        let preview = toolbox.get(&awaiting.card.tool)?.spec.preview.as_ref()?;
        let (read, arguments) = preview.call_for(toolbox, who, &target.value)?;
        let conversation = self.conversation_for(who, awaiting).await?;
        let granted = grant_read(toolbox, who, &conversation, read, arguments)?;
        let ctx = self.read_context(who, awaiting, conversation);
        let running = AssertUnwindSafe(toolbox.run(ctx, granted)).catch_unwind();
        let running = std::pin::pin!(running);
        let problem = match select(running, self.inner.env.sleep(timeouts)).await {
            Either::Left((Ok(Ok(output)), _)) => return (preview.describe)(&output.result),
            Either::Left((Ok(Err(error)), _)) => error.message,
            Either::Left((Err(_), _)) => "it panicked".to_owned(),
            Either::Right(_) => "it timed out".to_owned(),
        };
        tracing::warn!(tool = read, problem, "the preview of a card failed");
        None
    }

    /// The conversation, or an empty one for an approver who has no access to it.
    async fn conversation_for(
        &self,
        who: &Principal,
        awaiting: &PendingApproval,
    ) -> Option<Conversation> {
        let now = self.inner.env.now();
        match self.inner.store.get(who, awaiting.conversation_id).await {
            Ok(conversation) => Some(conversation),
            Err(StoreError::Forbidden | StoreError::NotFound) => Some(Conversation {
                id: awaiting.conversation_id,
                user_id: awaiting.card.requested_by,
                company_id: None,
                assistant: awaiting.assistant.clone(),
                subject: None,
                title: String::new(),
                phase: Phase::DEFAULT,
                metadata: Map::new(),
                progress: Progress::default(),
                message_count: 0,
                last_message_at: None,
                created_at: now,
                updated_at: now,
            }),
            Err(_) => None,
        }
    }

    fn read_context(
        &self,
        who: &Principal,
        awaiting: &PendingApproval,
        conversation: Conversation,
    ) -> ToolContext {
        ToolContext::new(ToolSetting {
            principal: Arc::new(who.clone()),
            conversation: Arc::new(conversation),
            handles: Arc::new(Handles::default()),
            artifacts: Arc::clone(&self.inner.engine.artifacts),
            attachments: Arc::clone(&self.inner.engine.attachments),
            turn: awaiting.turn_id,
            call_id: format!("preview-{}", awaiting.card.call_id),
            now: self.inner.env.now(),
            said: String::new(),
            progress: None,
            drafts: None,
        })
    }
}

/// A preview passes the same checks as any call.
fn grant_read(
    toolbox: &Toolbox,
    who: &Principal,
    conversation: &Conversation,
    read: &str,
    arguments: Map<String, Value>,
) -> Option<GrantedCall> {
    let grounds = Grounds {
        toolbox,
        principal: who,
        phase: &conversation.phase,
        progress: &conversation.progress,
        handles: &Handles::default(),
        message: &String::new,
        own_form: true,
        foreign_text: false,
        untrusted_text: false,
        may_write: false,
    };
    grant::confirm(read, arguments, &grounds).ok()
}
