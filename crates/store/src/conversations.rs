//! Conversations: made, found, changed and erased by those who may.

mod change;
mod erase;
mod list;

pub(crate) use change::{PHASE_HISTORY, merge, note_phase};
pub(crate) use erase::active_turn;

use frontdesk_core::access::Principal;
use frontdesk_core::change_notice::ChangeNotice;
use frontdesk_core::conversation::{Conversation, Progress};
use frontdesk_core::id::{CompanyId, ConversationId, ProfileId};
use frontdesk_core::store::{
    ConversationPatch, ConversationQuery, NewConversation, Page, StoreError, StoredMessage,
};
use frontdesk_db::Tx;

use crate::rows::{json_text, micros};
use crate::tx_error::TxError;
use crate::{Store, access, change_feed, keys, rows};

impl Store {
    pub async fn create(
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

    pub async fn get(
        &self,
        who: &Principal,
        id: ConversationId,
    ) -> Result<Conversation, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(async move { rows::conversation(&access::only_seen(tx, me, id).await?) })
        })
        .await
    }

    /// The caller's own and their companies' conversations, most recently updated first.
    pub async fn list(
        &self,
        who: &Principal,
        query: ConversationQuery,
    ) -> Result<Page<Conversation>, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(list::conversations(tx, me, query))
        })
        .await
    }

    /// The owner renames and edits metadata; members may change the phase. The owner and the
    /// company's owner may transfer a company's conversation to another member.
    pub async fn update(
        &self,
        who: &Principal,
        id: ConversationId,
        patch: ConversationPatch,
    ) -> Result<Conversation, StoreError> {
        self.write(who, move |tx, me| {
            Box::pin(change::update(tx, me, id, patch))
        })
        .await
    }

    /// Deletes permanently, for the owner and the company's owner; the audit keeps the ids.
    pub async fn delete(&self, who: &Principal, id: ConversationId) -> Result<(), StoreError> {
        self.write(who, move |tx, me| Box::pin(erase::delete(tx, me, id)))
            .await
    }

    /// Clears messages, progress, metadata and counters; cancels a running turn.
    pub async fn reset(
        &self,
        who: &Principal,
        id: ConversationId,
    ) -> Result<Conversation, StoreError> {
        self.write(who, move |tx, me| Box::pin(erase::reset(tx, me, id)))
            .await
    }

    /// Messages, oldest first; the cursor leads to newer ones.
    pub async fn messages(
        &self,
        who: &Principal,
        id: ConversationId,
        cursor: Option<String>,
        limit: u32,
    ) -> Result<Page<StoredMessage>, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(list::messages(tx, me, id, cursor, limit))
        })
        .await
    }

    /// Pages from newest to oldest, each in chronological order; the cursor leads to older ones.
    pub async fn newest_messages(
        &self,
        who: &Principal,
        id: ConversationId,
        cursor: Option<String>,
        limit: u32,
    ) -> Result<Page<StoredMessage>, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(list::newest_messages(tx, me, id, cursor, limit))
        })
        .await
    }
}

async fn create(tx: &mut Tx, me: ProfileId, new: NewConversation) -> Result<Conversation, TxError> {
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
            conversation.id.into(),
            me.into(),
            conversation.company_id.into(),
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
pub(crate) fn told(tx: &mut Tx, conversation: &Conversation) -> Result<(), TxError> {
    change_feed::publish(tx, &ChangeNotice::of_conversation(conversation))
}
