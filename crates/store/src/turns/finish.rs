//! The end of a turn: its last record, the answer, what it adds to the transcript, and its
//! outcome, in one transaction.

use chrono::{DateTime, Utc};
use frontdesk_core::conversation::Progress;
use frontdesk_core::store::{Answer, FinishTurn, Lease, StoreError, day_number};
use frontdesk_core::transcript::{Line, LineKind};
use frontdesk_db::{Dialect, Tx};
use serde_json::json;
use uuid::Uuid;

use super::hold::{Touch, hold_here};
use super::lines::{self, NewLine, Spot};
use super::{record, saves};
use crate::applier::Appliers;
use crate::change_feed::publish_turn;
use crate::consumption;
use crate::fault::Fault;
use crate::rows::{self, json_text};

/// As `migrations/0007_steps` has it.
const FINISH: &str = "SELECT fd.finish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, \
     $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28)";

pub(super) async fn finish(
    tx: &mut Tx,
    appliers: &Appliers,
    lease: &Lease,
    mut finish: FinishTurn,
) -> Result<(), Fault> {
    let now = finish.record.now;
    let stored = finish
        .answer
        .as_ref()
        .map(|answer| with_turn(answer, lease));
    let lines = new_lines(&finish.lines, stored.as_ref())?;
    match tx.dialect() {
        Dialect::Postgres => {
            let progress = finish.record.saves.progress.take();
            if !saves::is_empty(&finish.record.saves) {
                // What calls produced is kept as the person, between the report and the end.
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
            consumption::count(tx, lease, finish.usage, now).await?;
            end(tx, lease, &finish, now).await
        }
    }
}

/// Everything in one call, under the lease.
async fn end_at_once(
    tx: &mut Tx,
    lease: &Lease,
    finish: &FinishTurn,
    lines: Vec<NewLine>,
    progress: Option<&Progress>,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    let usage = finish.usage;
    let mut values = record::values(lease, Touch::Conversation, &finish.record, now)?;
    values.extend(lines::columns(lines));
    values.extend([
        finish.answer.as_ref().map(|answer| answer.id.uuid()).into(),
        progress.map(json_text).transpose()?.into(),
        finish.outcome.state().as_str().into(),
        json_text(&finish.outcome)?,
        rows::int(usage.input_tokens)?,
        rows::int(usage.output_tokens)?,
        rows::int(usage.cached_tokens)?,
        usage.estimated.into(),
        day_number(now).into(),
    ]);
    Ok(tx.execute_later(FINISH, values).await?)
}

/// Both messages of a turn name it.
fn with_turn(answer: &Answer, lease: &Lease) -> Answer {
    let mut answer = answer.clone();
    answer
        .metadata
        .insert("turn_id".to_owned(), json!(lease.turn));
    if answer.content.contains('\0') {
        // Postgres cannot store it, and nobody can read it.
        answer.content = answer.content.replace('\0', "\u{FFFD}");
    }
    answer
}

/// The lines in order; the answer people see stands where the model's last words stand.
fn new_lines(lines: &[Line], answer: Option<&Answer>) -> Result<Vec<NewLine>, Fault> {
    let spoken = lines.iter().rposition(|line| line.kind == LineKind::Answer);
    let said =
        |answer: &Answer, line| NewLine::said(answer.id, &answer.content, &answer.metadata, line);
    let mut found = Vec::with_capacity(lines.len() + 1);
    for (index, line) in lines.iter().enumerate() {
        found.push(match answer {
            Some(answer) if spoken == Some(index) => said(answer, Some(line))?,
            Some(_) | None => NewLine::step(line),
        });
    }
    if let (None, Some(answer)) = (spoken, answer) {
        found.push(said(answer, None)?);
    }
    Ok(found)
}

/// Adds the lines to the conversation and moves its counters behind them.
async fn add_lines(
    tx: &mut Tx,
    lease: &Lease,
    lines: Vec<NewLine>,
    answered: bool,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    let added = lines.len() as u64;
    let row = tx
        .row(
            "UPDATE conversations SET next_seq = next_seq + $2, \
                 message_count = message_count + $3, \
                 last_message_at = coalesce($4, last_message_at), updated_at = $5 WHERE id = $1 \
             RETURNING next_seq - $2 AS first_seq, scope_id",
            &[
                lease.conversation.uuid().into(),
                rows::int(added)?,
                i64::from(answered).into(),
                answered.then_some(now).into(),
                now.into(),
            ],
        )
        .await?
        .ok_or(StoreError::Fenced)?;
    let spot = Spot {
        conversation: lease.conversation,
        turn: lease.turn,
        scope: row.get::<Uuid>("scope_id")?.into(),
        now: now.into(),
    };
    lines::insert(tx, &spot, lines, row.get("first_seq")?).await
}

async fn end(
    tx: &mut Tx,
    lease: &Lease,
    finish: &FinishTurn,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    let usage = finish.usage;
    let last = finish.record.entries.last();
    let position = last.map(|entry| rows::int(entry.position)).transpose()?;
    tx.execute_later(
        "UPDATE turns SET state = $2, outcome = $3, agent_message_id = $4, \
             input_tokens = $5, output_tokens = $6, cached_tokens = $7, usage_estimated = $8, \
             ended_at = $9, lease_until = NULL, position = coalesce($10, position) WHERE id = $1",
        vec![
            lease.turn.uuid().into(),
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
    .await?;
    Ok(())
}
