//! Conversations: made, found, changed and erased by those who may.

mod change;
mod erase;
mod list;

pub(crate) use change::{PHASE_HISTORY, merge, note_phase};
pub(crate) use erase::active_turn;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::change_notice::ChangeNotice;
use frontdesk_core::conversation::{Conversation, Progress};
use frontdesk_core::id::{CompanyId, ConversationId, ProfileId};
use frontdesk_core::store::{
    ConversationPatch, ConversationQuery, Conversations, NewConversation, Page, StoreError,
    StoredMessage,
};
use frontdesk_db::Tx;

use crate::fault::Fault;
use crate::rows::{json_text, micros};
use crate::{Store, access, change_feed, keys, rows};

#[async_trait]
impl Conversations for Store {
    async fn create(
        &self,
        who: &Principal,
        new: NewConversation,
    ) -> Result<Conversation, StoreError> {
        let me = who.profile();
        self.write_again(who, || {
            let new = new.clone();
            Box::new(move |tx| Box::pin(create(tx, me, new)))
        })
        .await
    }

    async fn get(&self, who: &Principal, id: ConversationId) -> Result<Conversation, StoreError> {
        let me = who.profile();
        self.read(who, move |tx| {
            Box::pin(async move { rows::conversation(&access::only_seen(tx, me, id).await?) })
        })
        .await
    }

    async fn list(
        &self,
        who: &Principal,
        query: ConversationQuery,
    ) -> Result<Page<Conversation>, StoreError> {
        let me = who.profile();
        self.read(who, move |tx| Box::pin(list::conversations(tx, me, query)))
            .await
    }

    async fn update(
        &self,
        who: &Principal,
        id: ConversationId,
        patch: ConversationPatch,
    ) -> Result<Conversation, StoreError> {
        let me = who.profile();
        self.write(who, move |tx| Box::pin(change::update(tx, me, id, patch)))
            .await
    }

    async fn delete(&self, who: &Principal, id: ConversationId) -> Result<(), StoreError> {
        let me = who.profile();
        self.write(who, move |tx| Box::pin(erase::delete(tx, me, id)))
            .await
    }

    async fn reset(&self, who: &Principal, id: ConversationId) -> Result<Conversation, StoreError> {
        let me = who.profile();
        self.write(who, move |tx| Box::pin(erase::reset(tx, me, id)))
            .await
    }

    async fn messages(
        &self,
        who: &Principal,
        id: ConversationId,
        cursor: Option<String>,
        limit: u32,
    ) -> Result<Page<StoredMessage>, StoreError> {
        let me = who.profile();
        self.read(who, move |tx| {
            Box::pin(list::messages(tx, me, id, cursor, limit))
        })
        .await
    }

    async fn newest_messages(
        &self,
        who: &Principal,
        id: ConversationId,
        cursor: Option<String>,
        limit: u32,
    ) -> Result<Page<StoredMessage>, StoreError> {
        let me = who.profile();
        self.read(who, move |tx| {
            Box::pin(list::newest_messages(tx, me, id, cursor, limit))
        })
        .await
    }
}

async fn create(tx: &mut Tx, me: ProfileId, new: NewConversation) -> Result<Conversation, Fault> {
    change::refuse_reserved(&new.metadata)?;
    let now = micros(new.now);
    if let Some(made) = keys::made_before(tx, me, new.key.as_ref(), now).await? {
        let made = ConversationId::from_uuid(made);
        return rows::conversation(&access::seen(tx, me, made).await?);
    }
    if let Some(company) = new.company_id
        && access::standing(tx, me, company).await?.is_none()
    {
        return Err(StoreError::NotAMember.into());
    }
    if new.subject.is_some() && new.company_id.is_none() {
        let problem = "a conversation about a subject belongs to the subject's company";
        return Err(StoreError::Conflict(problem.to_owned()).into());
    }
    let scope = new.company_id.map_or(me.uuid(), CompanyId::uuid);
    let conversation = Conversation {
        id: new.id,
        user_id: me,
        company_id: new.company_id,
        assistant: new.assistant,
        subject: new.subject,
        title: new.title,
        phase: new.phase,
        metadata: new.metadata,
        progress: Progress::default(),
        message_count: 0,
        last_message_at: None,
        created_at: now,
        updated_at: now,
    };
    tx.execute(
        "INSERT INTO conversations (id, user_id, company_id, scope_id, assistant, subject, title, \
             phase, metadata, progress, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10::text::jsonb, $11, $11)",
        &[
            conversation.id.uuid().into(),
            me.uuid().into(),
            conversation.company_id.map(CompanyId::uuid).into(),
            scope.into(),
            (&conversation.assistant).into(),
            conversation.subject.as_deref().into(),
            (&conversation.title).into(),
            conversation.phase.as_str().into(),
            json_text(&conversation.metadata)?,
            json_text(&conversation.progress)?,
            conversation.created_at.into(),
        ],
    )
    .await?;
    keys::remember(tx, me, new.key.as_ref(), conversation.id.uuid(), now).await?;
    told(tx, &conversation)?;
    Ok(conversation)
}

/// For everyone who has it in a list.
pub(crate) fn told(tx: &mut Tx, conversation: &Conversation) -> Result<(), Fault> {
    change_feed::publish(tx, &ChangeNotice::of_conversation(conversation))
}
