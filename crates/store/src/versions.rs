//! Versions of a message: shown, or set aside with what followed. Hiding and showing changes rows
//! once, when a person edits or selects; turns pay nothing for it.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::id::{ConversationId, MessageId, ProfileId};
use frontdesk_core::store::{Opening, StoreError};
use frontdesk_db::{Row, Tx, Value};
use uuid::Uuid;

use crate::Store;
use crate::access;
use crate::conversations::{active_turn, told};
use crate::rows::{self, micros};
use crate::turns::with_content;
use crate::tx_error::{TxError, unreadable};

impl Store {
    /// The opening of the turn that the caller's own message started, with its content.
    pub async fn opening_of(
        &self,
        who: &Principal,
        conversation: ConversationId,
        message: MessageId,
    ) -> Result<Opening, StoreError> {
        self.read(who, move |tx, me| {
            Box::pin(async move {
                access::seen(tx, me, conversation).await?;
                let own = own_message(tx, me.uuid(), conversation, message).await?;
                Ok(with_content(own.opening, &own.content))
            })
        })
        .await
    }

    /// Shows this version, and what followed it, in place of the present one. Repeating it
    /// changes nothing.
    pub async fn select_version(
        &self,
        who: &Principal,
        conversation: ConversationId,
        message: MessageId,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let me = who.profile();
        self.write_again(who, || {
            Box::new(move |tx| Box::pin(select(tx, me, conversation, message, now)))
        })
        .await
    }
}

/// A message of the caller.
pub(crate) struct OwnMessage {
    /// The first version.
    pub(crate) root: Uuid,
    pub(crate) is_aside: bool,
    /// The first line of its turn.
    pub(crate) first_seq: i64,
    opening: Opening,
    content: String,
}

/// The caller's own message in a conversation that they may see.
pub(crate) async fn own_message(
    tx: &mut Tx,
    me: Uuid,
    conversation: ConversationId,
    message: MessageId,
) -> Result<OwnMessage, TxError> {
    // The first turn with a message is its author's; a retry has the same first line.
    let sql = "SELECT coalesce(m.version_of, m.id) AS root, m.aside IS NOT NULL AS is_aside, m.content, \
             t.first_seq, t.opening, t.profile_id \
         FROM messages m JOIN turns t ON t.user_message_id = m.id \
         WHERE m.conversation_id = $1 AND m.id = $2 AND m.part = 'said' AND m.role = 'user' \
         ORDER BY t.started_at, t.id LIMIT 1";
    let values: [Value; 2] = [conversation.into(), message.into()];
    let Some(row) = tx.row(sql, &values).await? else {
        return Err(StoreError::NotFound.into());
    };
    if row.get::<Uuid>("profile_id")? != me {
        return Err(StoreError::Forbidden.into());
    }
    Ok(OwnMessage {
        root: row.get("root")?,
        is_aside: row.get("is_aside")?,
        first_seq: row.get("first_seq")?,
        opening: rows::json(&row, "opening")?,
        content: row.get("content")?,
    })
}

/// Sets what is shown from `first_seq` on aside, as the version `message`. The window of the
/// transcript is found anew: it may have begun behind `first_seq`.
pub(crate) async fn hide_from(
    tx: &mut Tx,
    conversation: ConversationId,
    first_seq: i64,
    message: MessageId,
) -> Result<(), TxError> {
    let hidden = "UPDATE messages SET aside = $3, aside_wire = wire, wire = NULL \
         WHERE conversation_id = $1 AND seq >= $2 AND aside IS NULL";
    let values = [conversation.into(), first_seq.into(), message.into()];
    tx.execute(hidden, &values).await?;
    let window = "UPDATE conversations SET floor_seq = 1 WHERE id = $1";
    tx.execute(window, &[conversation.into()]).await?;
    Ok(())
}

async fn select(
    tx: &mut Tx,
    me: ProfileId,
    conversation: ConversationId,
    message: MessageId,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    access::lock(tx, conversation).await?;
    let mut seen = rows::conversation(&access::seen(tx, me, conversation).await?)?;
    let sql = "SELECT coalesce(m.version_of, m.id) AS root, m.aside IS NULL AS shown FROM messages m \
         WHERE m.conversation_id = $1 AND m.id = $2 AND m.part = 'said' AND m.role = 'user'";
    let values: [Value; 2] = [conversation.into(), message.into()];
    let Some(row) = tx.row(sql, &values).await? else {
        return Err(StoreError::NotFound.into());
    };
    if row.get::<bool>("shown")? {
        return Ok(());
    }
    if let Some(turn) = active_turn(tx, conversation).await? {
        return Err(StoreError::TurnInProgress { turn }.into());
    }
    let root: Uuid = row.get("root")?;
    let shown = "SELECT m.id, (SELECT min(f.seq) FROM messages f WHERE f.conversation_id = $1 \
             AND f.turn_id = m.turn_id AND f.aside IS NULL) AS first_seq \
         FROM messages m WHERE m.conversation_id = $1 AND (m.id = $2 OR m.version_of = $2) \
             AND m.aside IS NULL";
    let values: [Value; 2] = [conversation.into(), root.into()];
    let Some(present) = tx.row(shown, &values).await? else {
        let problem = "an earlier message is shown in another version; select that one first";
        return Err(StoreError::Conflict(problem.to_owned()).into());
    };
    let first_seq = present.get("first_seq")?;
    hide_from(tx, conversation, first_seq, present.get("id")?).await?;
    let restored = "UPDATE messages SET wire = aside_wire, aside = NULL, aside_wire = NULL \
         WHERE conversation_id = $1 AND aside = $2";
    let values: [Value; 2] = [conversation.into(), message.into()];
    tx.execute(restored, &values).await?;
    seen.updated_at = micros(now);
    told(tx, &seen)
}

/// The columns that [`read`] takes, for the message `m` of the conversation `$2`.
pub(crate) const COLUMNS: &str = "coalesce(m.version_of, m.id) AS version_root, \
     (SELECT string_agg(CAST(v.id AS text), ' ' ORDER BY v.seq) FROM messages v \
         WHERE v.conversation_id = $2 AND v.version_of = coalesce(m.version_of, m.id)) AS later_versions";

/// All versions of a message, oldest first; empty if there is one only.
pub(crate) fn read(row: &Row) -> Result<Vec<MessageId>, TxError> {
    let Some(later) = row.get::<Option<String>>("later_versions")? else {
        return Ok(Vec::new());
    };
    let mut versions = vec![row.get("version_root")?];
    for version in later.split(' ') {
        let version = version.parse();
        versions.push(version.map_err(|_| unreadable("the id of a version"))?);
    }
    Ok(versions)
}
