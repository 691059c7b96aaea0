//! Changing a conversation: the owner renames it and edits its metadata, members move the
//! phase, and every move is written down.

use chrono::{DateTime, SecondsFormat, Utc};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{ConversationId, ProfileId};
use frontdesk_core::phase::PhaseChange;
use frontdesk_core::store::{ConversationPatch, StoreError};
use frontdesk_db::Tx;
use serde_json::{Map, Value, json};

use crate::access::{self, ACCESS};
use crate::fault::Fault;
use crate::rows::{self, json_text, micros};

/// Where the moves from phase to phase are written down. Only the store writes it.
pub(crate) const PHASE_HISTORY: &str = "phase_history";

pub(super) async fn update(
    tx: &mut Tx,
    me: ProfileId,
    id: ConversationId,
    patch: ConversationPatch,
) -> Result<Conversation, Fault> {
    refuse_reserved(&patch.metadata)?;
    let now = micros(patch.now);
    access::lock(tx, id).await?;
    let mut conversation = rows::conversation(&access::seen(tx, me, id).await?)?;
    let edits = patch.title.is_some() || !patch.metadata.is_empty();
    if edits && conversation.user_id != me {
        return Err(StoreError::Forbidden.into());
    }
    if let Some(title) = patch.title {
        conversation.title = title;
    }
    merge(&mut conversation.metadata, patch.metadata);
    if let Some(change) = patch.phase
        && change.from != change.to
    {
        if change.from != conversation.phase {
            return Err(StoreError::Conflict(format!(
                "the conversation is in the phase {} by now; look at it and try again",
                conversation.phase
            ))
            .into());
        }
        note_phase(&mut conversation.metadata, &change, now, &me.to_string());
        conversation.phase = change.to;
    }
    conversation.updated_at = now;
    let sql = format!(
        "UPDATE conversations AS c SET title = $3, phase = $4, metadata = $5::text::jsonb, \
             updated_at = $6 WHERE c.id = $2 AND {ACCESS}"
    );
    tx.execute(
        &sql,
        &[
            me.uuid().into(),
            id.uuid().into(),
            (&conversation.title).into(),
            conversation.phase.as_str().into(),
            json_text(&conversation.metadata)?,
            conversation.updated_at.into(),
        ],
    )
    .await?;
    super::told(tx, &conversation)?;
    Ok(conversation)
}

/// Puts the keys of `patch` in place of those of `metadata`; `null` removes one.
pub(crate) fn merge(metadata: &mut Map<String, Value>, patch: Map<String, Value>) {
    for (key, value) in patch {
        if value.is_null() {
            metadata.remove(&key);
        } else {
            metadata.insert(key, value);
        }
    }
}

/// Appends a move to `metadata.phase_history`.
pub(crate) fn note_phase(
    metadata: &mut Map<String, Value>,
    change: &PhaseChange,
    at: DateTime<Utc>,
    by: &str,
) {
    let note = json!({
        "from": change.from,
        "to": change.to,
        "at": at.to_rfc3339_opts(SecondsFormat::Micros, true),
        "by": by,
        "reason": change.reason,
    });
    match metadata.get_mut(PHASE_HISTORY) {
        Some(Value::Array(history)) => history.push(note),
        Some(_) | None => {
            metadata.insert(PHASE_HISTORY.to_owned(), Value::Array(vec![note]));
        }
    }
}

/// A client that could write the history could also forge it.
pub(super) fn refuse_reserved(metadata: &Map<String, Value>) -> Result<(), Fault> {
    if metadata.contains_key(PHASE_HISTORY) {
        return Err(StoreError::Conflict(format!(
            "metadata.{PHASE_HISTORY} is written by the server; leave it out"
        ))
        .into());
    }
    Ok(())
}
