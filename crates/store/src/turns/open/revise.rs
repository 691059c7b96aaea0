//! Sets a message and what followed it aside, for the turn that opens with its next version.

use frontdesk_core::id::ConversationId;
use frontdesk_core::store::{KEPT_EFFECTS, KeptEffect, OpenTurn, Opening, Revision, StoreError};
use frontdesk_core::transcript::Line;
use frontdesk_db::{Tx, Value};
use serde_json::json;
use uuid::Uuid;

use crate::tx_error::{TxError, unreadable};
use crate::versions;

/// The first version of the replaced message.
pub(super) struct Revised {
    root: Uuid,
}

/// Called once the request has passed every check.
pub(super) async fn set_aside(
    tx: &mut Tx,
    me: Uuid,
    request: &mut OpenTurn,
    revision: &Revision,
) -> Result<Revised, TxError> {
    let (conversation, message) = (request.conversation, revision.message);
    let shown = versions::own_message(tx, me, conversation, message).await?;
    if shown.is_aside {
        let problem = "another version of this message is shown; select this one first";
        return Err(StoreError::Conflict(problem.to_owned()).into());
    }
    refuse_if_others_followed(tx, me, conversation, shown.first_seq).await?;
    let kept = effects_since(tx, conversation, shown.first_seq, &revision.writes).await?;
    if revision.unchanged && !kept.is_empty() {
        let problem = "something was changed after this message, so it is not answered again; edit the message instead";
        return Err(StoreError::Conflict(problem.to_owned()).into());
    }
    note_kept(request, &kept);
    versions::hide_from(tx, conversation, shown.first_seq, message).await?;
    Ok(Revised { root: shown.root })
}

impl Revised {
    /// Marks the new message as a version of the first one.
    pub(super) async fn mark(self, tx: &mut Tx, request: &OpenTurn) -> Result<(), TxError> {
        let (Opening::Message { id, .. } | Opening::Form { id, .. }) = &request.opening else {
            return Err(unreadable("the message of a revision"));
        };
        let sql = "UPDATE messages SET version_of = $3 WHERE conversation_id = $1 AND id = $2";
        let values = vec![request.conversation.into(), (*id).into(), self.root.into()];
        Ok(tx.execute_later(sql, values).await?)
    }
}

/// A colleague's words are not set aside by somebody else.
async fn refuse_if_others_followed(
    tx: &mut Tx,
    me: Uuid,
    conversation: ConversationId,
    first_seq: i64,
) -> Result<(), TxError> {
    let sql = "SELECT t.id FROM messages m JOIN turns t ON t.user_message_id = m.id \
         WHERE m.conversation_id = $1 AND m.part = 'said' AND m.aside IS NULL AND m.seq >= $2 \
         AND t.profile_id <> $3 LIMIT 1";
    let values: [Value; 3] = [conversation.into(), first_seq.into(), me.into()];
    match tx.row(sql, &values).await? {
        None => Ok(()),
        Some(_) => {
            let problem = "a colleague wrote after this message; write a new message instead";
            Err(StoreError::Conflict(problem.to_owned()).into())
        }
    }
}

/// The effects of turns from there on, in all versions: each one stays.
async fn effects_since(
    tx: &mut Tx,
    conversation: ConversationId,
    first_seq: i64,
    writes: &[String],
) -> Result<Vec<KeptEffect>, TxError> {
    let sql = "SELECT a.tool, a.target FROM audit_log a WHERE a.conversation_id = $1 \
         AND a.outcome IN ('executed', 'unknown') AND a.turn_id IN \
             (SELECT t.id FROM turns t WHERE t.conversation_id = $1 AND t.first_seq >= $2) \
         ORDER BY a.id";
    let values: [Value; 2] = [conversation.into(), first_seq.into()];
    let mut kept: Vec<KeptEffect> = Vec::new();
    for row in tx.rows(sql, &values).await? {
        let effect = KeptEffect {
            tool: row.get("tool")?,
            target: row.get("target")?,
        };
        if writes.contains(&effect.tool) && !kept.contains(&effect) {
            kept.push(effect);
        }
    }
    Ok(kept)
}

/// Tells the person, with the message, and the model, as context, what was done before.
fn note_kept(request: &mut OpenTurn, kept: &[KeptEffect]) {
    if let Opening::Message { metadata, .. } = &mut request.opening {
        metadata.remove(KEPT_EFFECTS);
        if !kept.is_empty() {
            metadata.insert(KEPT_EFFECTS.to_owned(), json!(kept));
        }
    }
    if kept.is_empty() {
        return;
    }
    let done: Vec<String> = kept
        .iter()
        .map(|effect| match &effect.target {
            Some(target) => format!("{} ({target})", effect.tool),
            None => effect.tool.clone(),
        })
        .collect();
    request.context.push(Line::passing(format!(
        "The person changed an earlier message. These calls ran before the change and stay in effect; do not repeat them: {}.",
        done.join(", ")
    )));
}
