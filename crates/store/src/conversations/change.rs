//! Changing a conversation: the owner renames it, edits its metadata and gives it to another
//! member, members move the phase, and every move is written down.

use chrono::{DateTime, SecondsFormat, Utc};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{ConversationId, ProfileId};
use frontdesk_core::phase::PhaseChange;
use frontdesk_core::store::{AuditOutcome, ConversationPatch, StoreError};
use frontdesk_db::{Dialect, Tx};
use serde_json::{Map, Value, json};

use crate::access::{self, ACCESS};
use crate::audit;
use crate::rows::{self, json_text, micros};
use crate::tx_error::TxError;

/// The metadata key of the phase history. Only the store writes it.
pub(crate) const PHASE_HISTORY: &str = "phase_history";

pub(super) async fn update(
    tx: &mut Tx,
    me: ProfileId,
    id: ConversationId,
    patch: ConversationPatch,
) -> Result<Conversation, TxError> {
    refuse_reserved(&patch.metadata)?;
    let now = micros(patch.now);
    access::lock(tx, id).await?;
    let mut conversation = rows::conversation(&access::seen(tx, me, id).await?)?;
    let edits = patch.title.is_some() || !patch.metadata.is_empty();
    if edits && conversation.user_id != me {
        return Err(StoreError::Forbidden.into());
    }
    if let Some(heir) = patch.owner {
        reassign(tx, me, &conversation, heir, now).await?;
        conversation.user_id = heir;
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
            me.into(),
            id.into(),
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

/// Gives a company's conversation to another of its members.
async fn reassign(
    tx: &mut Tx,
    me: ProfileId,
    conversation: &Conversation,
    heir: ProfileId,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    if conversation.user_id != me && !access::owns_company_of(tx, me, conversation).await? {
        return Err(StoreError::Forbidden.into());
    }
    let stays = heir == conversation.user_id;
    let problem = match conversation.company_id {
        None if stays => None,
        None => Some("a private conversation stays its owner's"),
        Some(_) if conversation.subject.is_some() && !stays => {
            Some("a conversation about a subject stays its person's")
        }
        Some(company) => match access::standing(tx, heir, company).await? {
            Some(_) => None,
            None => Some("the next owner must be a member of the conversation's company"),
        },
    };
    if let Some(problem) = problem {
        return Err(StoreError::Conflict(problem.to_owned()).into());
    }
    if stays {
        return Ok(());
    }
    let sql = match tx.dialect() {
        // The application role may not change whose a conversation is.
        Dialect::Postgres => "SELECT fd.reassign($1, $2, $3)",
        Dialect::Sqlite => "UPDATE conversations SET user_id = $2, updated_at = $3 WHERE id = $1",
    };
    let values = vec![conversation.id.into(), heir.into(), now.into()];
    tx.execute_later(sql, values).await?;
    let what = "reassign_conversation";
    audit::note(tx, me, conversation, what, AuditOutcome::Executed, now).await
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
pub(super) fn refuse_reserved(metadata: &Map<String, Value>) -> Result<(), TxError> {
    if metadata.contains_key(PHASE_HISTORY) {
        return Err(StoreError::Conflict(format!(
            "metadata.{PHASE_HISTORY} is written by the server; leave it out"
        ))
        .into());
    }
    Ok(())
}
