//! Marks on conversations, and links for readers. A link is checked anew each time: its audience,
//! and the access of the person who shared.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::id::{ConversationId, ProfileId, ShareId};
use frontdesk_core::store::{
    Audience, AuditOutcome, Marks, NewShare, Share, SharedConversation, SharedMessage, StoreError,
};
use frontdesk_db::{Dialect, Row, Tx, Value};
use uuid::Uuid;

use crate::access::{self, access_of};
use crate::rows::micros;
use crate::tx_error::{TxError, unreadable};
use crate::{Store, audit, keys, rows};

/// Messages that a link shows.
const MOST_MESSAGES: u32 = 200;
const SHARE: &str = "SELECT s.id, s.profile_id, s.company_id, s.created_at, s.expires_at \
     FROM conversation_shares s";

impl Store {
    /// Pins or archives a conversation in the caller's own list.
    pub async fn mark(
        &self,
        who: &Principal,
        conversation: ConversationId,
        marks: Marks,
    ) -> Result<(), StoreError> {
        self.write(who, move |tx, me| {
            Box::pin(mark(tx, me, conversation, marks))
        })
        .await
    }

    /// Creates a link, for the conversation's owner. The audience is a colleague or a company of
    /// the owner.
    pub async fn share(&self, who: &Principal, new: NewShare) -> Result<Share, StoreError> {
        let me = who.profile();
        self.write_again(who, || {
            let new = new.clone();
            Box::new(move |tx| Box::pin(share(tx, me, new)))
        })
        .await
    }

    /// The links that the caller made for a conversation, oldest first.
    pub async fn shares(
        &self,
        who: &Principal,
        conversation: ConversationId,
    ) -> Result<Vec<Share>, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(async move {
                access::seen(tx, me, conversation).await?;
                let sql = format!(
                    "{SHARE} WHERE s.conversation_id = $1 AND s.created_by = $2 \
                     ORDER BY s.created_at, s.id"
                );
                let values: [Value; 2] = [conversation.into(), me.into()];
                let found = tx.rows(&sql, &values).await?;
                found.iter().map(read).collect()
            })
        })
        .await
    }

    pub async fn revoke_share(
        &self,
        who: &Principal,
        conversation: ConversationId,
        share: ShareId,
    ) -> Result<(), StoreError> {
        self.write(who, move |tx, me| {
            Box::pin(async move {
                access::seen(tx, me, conversation).await?;
                let sql = "DELETE FROM conversation_shares WHERE id = $1 AND conversation_id = $2 \
                     AND created_by = $3";
                let values: [Value; 3] = [share.into(), conversation.into(), me.into()];
                match tx.execute(sql, &values).await? {
                    0 => Err(StoreError::NotFound.into()),
                    _ => Ok(()),
                }
            })
        })
        .await
    }

    /// The conversation behind a link with its newest messages, for its audience. `NotFound` for
    /// everyone else, so that a link tells nothing.
    pub async fn shared(
        &self,
        who: &Principal,
        share: ShareId,
        now: DateTime<Utc>,
    ) -> Result<SharedConversation, StoreError> {
        self.read(who, move |tx, me| Box::pin(shared(tx, me, share, now)))
            .await
    }
}

async fn mark(
    tx: &mut Tx,
    me: ProfileId,
    conversation: ConversationId,
    marks: Marks,
) -> Result<(), TxError> {
    let seen = access::seen(tx, me, conversation).await?;
    let scope = scope_of(&rows::conversation(&seen)?);
    tx.execute(
        "INSERT INTO conversation_marks (profile_id, conversation_id, scope_id, pinned, archived) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (profile_id, conversation_id) \
         DO UPDATE SET pinned = excluded.pinned, archived = excluded.archived",
        &[
            me.into(),
            conversation.into(),
            scope.into(),
            marks.pinned.into(),
            marks.archived.into(),
        ],
    )
    .await?;
    Ok(())
}

fn scope_of(conversation: &frontdesk_core::conversation::Conversation) -> Uuid {
    let company = conversation.company_id.map(|company| company.uuid());
    company.unwrap_or(conversation.user_id.uuid())
}

fn read(row: &Row) -> Result<Share, TxError> {
    let audience = match (row.get("profile_id")?, row.get("company_id")?) {
        (Some(profile), None) => Audience::Profile(profile),
        (None, Some(company)) => Audience::Company(company),
        (Some(_), Some(_)) | (None, None) => return Err(unreadable("the audience of a link")),
    };
    Ok(Share {
        id: row.get("id")?,
        audience,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
    })
}

async fn share(tx: &mut Tx, me: ProfileId, new: NewShare) -> Result<Share, TxError> {
    let now = micros(new.now);
    let conversation = rows::conversation(&access::seen(tx, me, new.conversation).await?)?;
    if conversation.user_id != me {
        return Err(StoreError::Forbidden.into());
    }
    if conversation.subject.is_some() {
        // A reader of the link may not be allowed to see the subject.
        let problem = "a conversation about a subject stays its person's";
        return Err(StoreError::Conflict(problem.to_owned()).into());
    }
    if let Some(made) = keys::made_before(tx, me, new.key.as_ref(), now).await? {
        let sql = format!("{SHARE} WHERE s.id = $1 AND s.created_by = $2");
        let found = tx.row(&sql, &[made.into(), me.into()]).await?;
        return read(&found.ok_or(StoreError::NotFound)?);
    }
    let (profile, company) = audience(tx, me, new.audience).await?;
    let share = Share {
        id: new.id,
        audience: new.audience,
        created_at: now,
        expires_at: micros(new.expires_at),
    };
    tx.execute(
        "INSERT INTO conversation_shares (id, conversation_id, scope_id, created_by, profile_id, \
             company_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            share.id.into(),
            conversation.id.into(),
            scope_of(&conversation).into(),
            me.into(),
            profile.into(),
            company.into(),
            share.created_at.into(),
            share.expires_at.into(),
        ],
    )
    .await?;
    keys::remember(tx, me, new.key.as_ref(), share.id.uuid(), now).await?;
    let what = "share_conversation";
    audit::note(tx, me, &conversation, what, AuditOutcome::Executed, now).await?;
    Ok(share)
}

/// The columns of an audience: one's own company, or somebody of a company of one's own.
async fn audience(
    tx: &mut Tx,
    me: ProfileId,
    audience: Audience,
) -> Result<(Option<Uuid>, Option<Uuid>), TxError> {
    let problem = match audience {
        Audience::Company(company) => match access::standing(tx, me, company).await? {
            Some(_) => return Ok((None, Some(company.uuid()))),
            None => return Err(StoreError::NotAMember.into()),
        },
        Audience::Profile(colleague) if colleague == me => "you see this conversation already",
        Audience::Profile(colleague) => {
            let sql = "SELECT a.company_id FROM company_members a \
                 JOIN company_members b ON b.company_id = a.company_id \
                 WHERE a.profile_id = $1 AND b.profile_id = $2 LIMIT 1";
            let values: [Value; 2] = [me.into(), colleague.into()];
            match tx.row(sql, &values).await? {
                Some(_) => return Ok((Some(colleague.uuid()), None)),
                None => "this person is not in a company of yours",
            }
        }
    };
    Err(StoreError::Conflict(problem.to_owned()).into())
}

/// The rule of `fd.shared_conversation`.
const SHARED: &str = concat!(
    "SELECT c.id AS conversation_id, c.title, c.assistant, p.display_name AS shared_by, s.expires_at \
     FROM conversation_shares s JOIN conversations c ON c.id = s.conversation_id \
     JOIN profiles p ON p.id = s.created_by WHERE s.id = $2 AND s.expires_at > $3 AND ",
    access_of!("s.created_by"),
    " AND EXISTS (SELECT 1 FROM company_members a JOIN company_members b ON b.company_id = a.company_id \
         WHERE a.profile_id = $1 AND b.profile_id = s.created_by \
         AND (s.profile_id = $1 OR s.company_id = a.company_id))"
);

async fn shared(
    tx: &mut Tx,
    me: ProfileId,
    share: ShareId,
    now: DateTime<Utc>,
) -> Result<SharedConversation, TxError> {
    let found = match tx.dialect() {
        Dialect::Postgres => {
            let sql = "SELECT * FROM fd.shared_conversation($1, $2)";
            tx.row(sql, &[share.into(), now.into()]).await?
        }
        Dialect::Sqlite => {
            let values: [Value; 3] = [me.into(), share.into(), now.into()];
            tx.row(SHARED, &values).await?
        }
    };
    let row = found.ok_or(StoreError::NotFound)?;
    let most: Value = (MOST_MESSAGES + 1).into();
    let messages = match tx.dialect() {
        Dialect::Postgres => {
            let sql = "SELECT * FROM fd.shared_messages($1, $2, $3)";
            let values: [Value; 3] = [share.into(), now.into(), most];
            tx.rows(sql, &values).await?
        }
        Dialect::Sqlite => {
            let conversation: Uuid = row.get("conversation_id")?;
            let sql = "SELECT m.role, m.content, m.created_at, (SELECT p.display_name FROM turns t \
                     JOIN profiles p ON p.id = t.profile_id WHERE t.user_message_id = m.id \
                     ORDER BY t.started_at, t.id LIMIT 1) AS author \
                 FROM messages m WHERE m.conversation_id = $1 AND m.part = 'said' \
                     AND m.aside IS NULL ORDER BY m.seq DESC LIMIT $2";
            tx.rows(sql, &[conversation.into(), most]).await?
        }
    };
    let mut shown = Vec::with_capacity(messages.len());
    for row in messages.iter().take(MOST_MESSAGES as usize).rev() {
        shown.push(message(row)?);
    }
    Ok(SharedConversation {
        title: row.get("title")?,
        assistant: row.get("assistant")?,
        shared_by: row.get("shared_by")?,
        expires_at: row.get("expires_at")?,
        has_older: messages.len() > shown.len(),
        messages: shown,
    })
}

fn message(row: &Row) -> Result<SharedMessage, TxError> {
    Ok(SharedMessage {
        role: rows::named(row, "role")?,
        author: row.get("author")?,
        content: row.get("content")?,
        created_at: row.get("created_at")?,
    })
}
