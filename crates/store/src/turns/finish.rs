//! Ends a turn in one transaction: its last record, the answer, its transcript lines, usage and
//! outcome.

use chrono::{DateTime, Utc};
use frontdesk_core::conversation::Progress;
use frontdesk_core::store::{Answer, FinishTurn, Lease, StoreError, day_number};
use frontdesk_core::transcript::{Line, LineKind};
use frontdesk_db::{Dialect, Tx, Value};
use serde_json::json;
use uuid::Uuid;

use super::hold::{Touch, hold_here};
use super::lines::{self, LineContext, NewLine};
use super::{record, saves};
use crate::applier::Appliers;
use crate::change_feed::publish_turn;
use crate::rows::{self, json_string, json_text};
use crate::tx_error::TxError;
use crate::usage;

pub(super) async fn finish(
    tx: &mut Tx,
    appliers: &Appliers,
    lease: &Lease,
    mut finish: FinishTurn,
) -> Result<(), TxError> {
    let now = finish.record.now;
    let stored = finish
        .answer
        .as_ref()
        .map(|answer| with_turn(answer, lease));
    let lines = new_lines(&finish.lines, stored.as_ref());
    match tx.dialect() {
        Dialect::Postgres => {
            let progress = finish.record.saves.progress.take();
            if !saves::is_empty(&finish.record.saves) {
                // The results of calls are saved as the person, before the turn ends.
                record::record(tx, appliers, lease, std::mem::take(&mut finish.record)).await?;
            } else if !finish.record.entries.is_empty() {
                publish_turn(tx, lease.turn)?;
            }
            end_at_once(tx, lease, &finish, lines, progress.as_ref(), now).await
        }
        Dialect::Sqlite => {
            let scope = hold_here(tx, lease).await?;
            record::write(tx, appliers, lease, scope, &finish.record).await?;
            add_lines(tx, lease, lines, stored.is_some(), now).await?;
            usage::count(tx, lease, finish.usage, now).await?;
            end(tx, lease, &finish, now).await
        }
    }
}

/// The whole end in one call, under the lease.
async fn end_at_once(
    tx: &mut Tx,
    lease: &Lease,
    finish: &FinishTurn,
    lines: Vec<NewLine>,
    progress: Option<&Progress>,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let usage = finish.usage;
    let report = record::report(lease, Touch::Conversation, &finish.record, now)?;
    let end = json!({
        "lines": lines,
        "answer": finish.answer.as_ref().map(|answer| answer.id),
        "progress": progress,
        "state": finish.outcome.state().as_str(),
        "outcome": json_string(&finish.outcome)?,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
        "estimated": usage.estimated,
        "day": day_number(now),
    });
    let values = vec![Value::Json(report), Value::Json(end)];
    Ok(tx.execute_later("SELECT fd.finish($1, $2)", values).await?)
}

/// The answer with the turn's id in its metadata, as the user's message has it.
fn with_turn(answer: &Answer, lease: &Lease) -> Answer {
    let mut answer = answer.clone();
    answer
        .metadata
        .insert("turn_id".to_owned(), json!(lease.turn));
    if answer.content.contains('\0') {
        // Postgres text cannot contain NUL.
        answer.content = answer.content.replace('\0', "\u{FFFD}");
    }
    answer
}

/// The lines in order; the answer replaces the model's last words.
fn new_lines(lines: &[Line], answer: Option<&Answer>) -> Vec<NewLine> {
    let last_words = lines.iter().rposition(|line| line.kind == LineKind::Answer);
    let message = |answer: &Answer, line| {
        NewLine::message(answer.id, &answer.content, &answer.metadata, line)
    };
    let mut found = Vec::with_capacity(lines.len() + 1);
    for (index, line) in lines.iter().enumerate() {
        found.push(match answer {
            Some(answer) if last_words == Some(index) => message(answer, Some(line)),
            Some(_) | None => NewLine::step(line),
        });
    }
    if let (None, Some(answer)) = (last_words, answer) {
        found.push(message(answer, None));
    }
    found
}

/// Adds the lines to the conversation and advances its counters.
async fn add_lines(
    tx: &mut Tx,
    lease: &Lease,
    lines: Vec<NewLine>,
    answered: bool,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let added = lines.len() as u64;
    let row = tx
        .row(
            "UPDATE conversations SET next_seq = next_seq + $2, \
                 message_count = message_count + $3, \
                 last_message_at = coalesce($4, last_message_at), updated_at = $5 WHERE id = $1 \
             RETURNING next_seq - $2 AS first_seq, scope_id",
            &[
                lease.conversation.into(),
                rows::int(added)?,
                i64::from(answered).into(),
                answered.then_some(now).into(),
                now.into(),
            ],
        )
        .await?
        .ok_or(StoreError::Fenced)?;
    let context = LineContext {
        conversation: lease.conversation,
        turn: lease.turn,
        scope: row.get::<Uuid>("scope_id")?.into(),
        now: now.into(),
    };
    lines::insert(tx, &context, lines, row.get("first_seq")?).await
}

async fn end(
    tx: &mut Tx,
    lease: &Lease,
    finish: &FinishTurn,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let usage = finish.usage;
    let last = finish.record.entries.last();
    let position = last.map(|entry| rows::int(entry.position)).transpose()?;
    Ok(tx
        .execute_later(
            "UPDATE turns SET state = $2, outcome = $3, agent_message_id = $4, \
             input_tokens = $5, output_tokens = $6, cached_tokens = $7, usage_estimated = $8, \
             ended_at = $9, lease_until = NULL, position = coalesce($10, position) WHERE id = $1",
            vec![
                lease.turn.into(),
                finish.outcome.state().as_str().into(),
                json_text(&finish.outcome)?,
                finish.answer.as_ref().map(|answer| answer.id.uuid()).into(),
                rows::int(usage.input_tokens)?,
                rows::int(usage.output_tokens)?,
                rows::int(usage.cached_tokens)?,
                usage.estimated.into(),
                now.into(),
                position.into(),
            ],
        )
        .await?)
}
