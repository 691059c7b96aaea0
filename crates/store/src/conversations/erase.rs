//! Erasing a conversation or what was said in it. Its owner may do both while they have access;
//! the company's owner may delete it. The audit keeps the ids.

use chrono::{DateTime, Utc};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::event::{Ended, Event, POSITIONS_AN_EPOCH};
use frontdesk_core::id::{ConversationId, ProfileId, TurnId};
use frontdesk_core::outcome::Outcome;
use frontdesk_core::phase::Phase;
use frontdesk_core::store::{AuditOutcome, StoreError};
use frontdesk_db::{Dialect, Tx, Value};
use serde_json::Map;

use super::change::PHASE_HISTORY;
use crate::change_feed::publish_cancel;
use crate::rows::{self, json_text, micros};
use crate::turns::note_unknown;
use crate::tx_error::TxError;
use crate::{access, audit};

pub(super) async fn delete(tx: &mut Tx, me: ProfileId, id: ConversationId) -> Result<(), TxError> {
    let conversation = seen(tx, me, id).await?;
    if conversation.user_id != me && !access::owns_company_of(tx, me, &conversation).await? {
        return Err(StoreError::Forbidden.into());
    }
    let now = micros(Utc::now());
    if let Some(turn) = active_turn(tx, id).await? {
        note_unknown(tx, turn, now).await?;
        publish_cancel(tx, turn)?;
    }
    tx.execute("DELETE FROM conversations WHERE id = $1", &[id.into()])
        .await?;
    super::told(tx, &conversation)?;
    audit::note(
        tx,
        me,
        &conversation,
        "delete_conversation",
        AuditOutcome::Erased,
        now,
    )
    .await
}

/// Everything that was said goes; the conversation, its title and its documents stay.
pub(super) async fn reset(
    tx: &mut Tx,
    me: ProfileId,
    id: ConversationId,
) -> Result<Conversation, TxError> {
    let mut conversation = seen(tx, me, id).await?;
    if conversation.user_id != me {
        return Err(StoreError::Forbidden.into());
    }
    let now = micros(Utc::now());
    let active = active_turn(tx, id).await?;
    if let Some(turn) = active {
        note_unknown(tx, turn, now).await?;
    }
    clear(tx, id).await?;
    if let Some(turn) = active {
        cancel(tx, turn, now).await?;
    }
    conversation.phase = first_phase(&conversation);
    conversation.metadata = Map::new();
    conversation.progress.tools_done.clear();
    conversation.message_count = 0;
    conversation.last_message_at = None;
    conversation.updated_at = now;
    tx.execute_later(
        "UPDATE conversations SET phase = $3, metadata = $4::text::jsonb, \
             progress = $5::text::jsonb, message_count = 0, last_message_at = NULL, \
             floor_seq = next_seq, text_count = 0, file_count = 0, updated_at = $6 \
         WHERE id = $2 AND user_id = $1",
        vec![
            me.into(),
            id.into(),
            conversation.phase.as_str().into(),
            json_text(&conversation.metadata)?,
            json_text(&conversation.progress)?,
            now.into(),
        ],
    )
    .await?;
    super::told(tx, &conversation)?;
    audit::note(
        tx,
        me,
        &conversation,
        "reset_conversation",
        AuditOutcome::Erased,
        now,
    )
    .await?;
    Ok(conversation)
}

async fn seen(tx: &mut Tx, me: ProfileId, id: ConversationId) -> Result<Conversation, TxError> {
    access::lock(tx, id).await?;
    rows::conversation(&access::seen(tx, me, id).await?)
}

/// Takes away what is in the conversation; of a turn that still runs, all but its row.
async fn clear(tx: &mut Tx, id: ConversationId) -> Result<(), TxError> {
    let statements: &[&str] = match tx.dialect() {
        // The application role may add there, not erase.
        Dialect::Postgres => &["SELECT fd.clear($1)"],
        Dialect::Sqlite => &[
            "DELETE FROM messages WHERE conversation_id = $1",
            "DELETE FROM texts WHERE conversation_id = $1",
            "DELETE FROM attachments WHERE conversation_id = $1",
            "DELETE FROM turns WHERE conversation_id = $1 \
                 AND state NOT IN ('running', 'awaiting_approval')",
            "DELETE FROM approvals WHERE conversation_id = $1",
            "DELETE FROM journal WHERE turn_id IN \
                 (SELECT t.id FROM turns t WHERE t.conversation_id = $1)",
        ],
    };
    for sql in statements {
        tx.execute_later(sql, vec![id.into()]).await?;
    }
    Ok(())
}

pub(crate) async fn active_turn(
    tx: &mut Tx,
    id: ConversationId,
) -> Result<Option<TurnId>, TxError> {
    let found = tx
        .row(
            "SELECT id FROM turns WHERE conversation_id = $1 \
             AND state IN ('running', 'awaiting_approval')",
            &[id.into()],
        )
        .await?;
    found.map(|row| Ok(row.get("id")?)).transpose()
}

/// The turn's row stays for those who watch it, with its end and nothing of what was said. The
/// higher epoch keeps its worker from writing anything more, and puts the end behind whatever that
/// one has shown.
async fn cancel(tx: &mut Tx, turn: TurnId, now: DateTime<Utc>) -> Result<(), TxError> {
    let outcome = Outcome::Cancelled;
    let ended = Event::TurnCancelled(Ended::without_answer(outcome.clone()));
    let turn_id: Value = turn.into();
    tx.execute_later(
        "UPDATE turns SET state = $2, outcome = $3::text::json, epoch = epoch + 1, \
             lease_until = NULL, ended_at = $4, position = CASE \
                 WHEN position < (epoch + 1) * $5 THEN (epoch + 1) * $5 ELSE position END + 1, \
             opening = '{\"kind\":\"message\",\"id\":\"00000000-0000-0000-0000-000000000000\",\
                         \"content\":\"\",\"metadata\":{},\"attachments\":[]}' \
         WHERE id = $1",
        vec![
            turn_id.clone(),
            outcome.state().as_str().into(),
            json_text(&outcome)?,
            now.into(),
            rows::int(POSITIONS_AN_EPOCH)?,
        ],
    )
    .await?;
    tx.execute_later(
        "INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event) \
         SELECT t.id, t.position, t.conversation_id, t.scope_id, t.epoch, $2::text::json \
         FROM turns t WHERE t.id = $1",
        vec![turn_id, json_text(&ended)?],
    )
    .await?;
    publish_cancel(tx, turn)
}

/// The first phase of the conversation.
fn first_phase(conversation: &Conversation) -> Phase {
    conversation
        .metadata
        .get(PHASE_HISTORY)
        .and_then(|history| history.get(0)?.get("from")?.as_str())
        .map_or_else(
            || conversation.phase.clone(),
            |phase| Phase::stored(phase.to_owned()),
        )
}
