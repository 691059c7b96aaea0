//! The front desk as routes of assistants see it. It is handed out before the desk is set up,
//! because assistants are built first, and opens with it.

use std::sync::OnceLock;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::reception::{About, Reception, ReceptionError};
use frontdesk_core::store::{
    Conversations, IdempotencyKey, Page, Speaker, StoreError, StoredMessage, TurnStatus, TurnViews,
};

use crate::desk::{Desk, DeskError, NewTalk, Saying, Started};

#[derive(Default)]
pub struct Front(OnceLock<Desk>);

impl Front {
    /// From now on requests are taken.
    pub fn open(&self, desk: &Desk) {
        // Set once, by the one who opens the app.
        let _ = self.0.set(desk.clone());
    }

    fn desk(&self) -> Result<&Desk, ReceptionError> {
        self.0.get().ok_or(ReceptionError::Closed)
    }
}

#[async_trait]
impl Reception for Front {
    async fn start(&self, who: &Principal, about: About) -> Result<Conversation, ReceptionError> {
        let new = NewTalk {
            assistant: about.assistant.to_owned(),
            title: Some(about.title),
            company_id: about.company,
            subject: Some(about.subject),
            ..NewTalk::default()
        };
        self.desk()?
            .start_conversation(who, new)
            .await
            .map_err(told)
    }

    async fn say(
        &self,
        who: &Principal,
        conversation: ConversationId,
        content: String,
        key: Option<IdempotencyKey>,
    ) -> Result<TurnStatus, ReceptionError> {
        let desk = self.desk()?;
        let started = match unanswered(desk, who, conversation, &content).await? {
            Some(turn) => desk.retry(who, conversation, turn, None).await,
            None => {
                let saying = Saying {
                    content,
                    key,
                    ..Saying::default()
                };
                desk.say(who, conversation, saying).await
            }
        };
        let Started {
            turn, mut watch, ..
        } = started.map_err(told)?;
        while watch.next().await?.is_some() {}
        Ok(desk.store().turn(who, conversation, turn).await?)
    }

    async fn newest(
        &self,
        who: &Principal,
        conversation: ConversationId,
        limit: u32,
    ) -> Result<Page<StoredMessage>, ReceptionError> {
        let store = self.desk()?.store();
        Ok(store
            .newest_messages(who, conversation, None, limit)
            .await?)
    }

    async fn reset(
        &self,
        who: &Principal,
        conversation: ConversationId,
    ) -> Result<(), ReceptionError> {
        self.desk()?.store().reset(who, conversation).await?;
        Ok(())
    }
}

/// The failed turn of the newest message, where that says the same.
async fn unanswered(
    desk: &Desk,
    who: &Principal,
    conversation: ConversationId,
    content: &str,
) -> Result<Option<TurnId>, ReceptionError> {
    let store = desk.store();
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

fn told(error: DeskError) -> ReceptionError {
    match error {
        DeskError::Store(error) => ReceptionError::Store(error),
        DeskError::CardWaits { turn, .. } => {
            ReceptionError::Store(StoreError::TurnInProgress { turn })
        }
        DeskError::NotForYou { .. } => ReceptionError::NotForYou(error.to_string()),
        DeskError::UnknownAssistant(_)
        | DeskError::TooLong { .. }
        | DeskError::Invalid { .. }
        | DeskError::Fields(_)
        | DeskError::File(_) => ReceptionError::Invalid(error.to_string()),
    }
}
