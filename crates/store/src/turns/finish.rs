//! The end of a turn: its last record, the answer, what it adds to the transcript, and its
//! outcome, in one transaction.

use chrono::{DateTime, Utc};
use frontdesk_core::store::{Answer, Finish, Lease};
use frontdesk_core::transcript::{Line, LineKind};
use frontdesk_db::{Tx, Value};
use serde_json::json;
use uuid::Uuid;

use super::hold::{Touch, hold};
use super::{record, told};
use crate::applier::Appliers;
use crate::consumption;
use crate::fault::Fault;
use crate::rows::{self, json_text};

pub(super) async fn finish(
    tx: &mut Tx,
    appliers: &Appliers,
    lease: &Lease,
    finish: Finish,
) -> Result<(), Fault> {
    hold(tx, lease, Touch::Conversation).await?;
    record::write(tx, appliers, lease, &finish.record).await?;
    let now = finish.record.now;
    let stored = finish
        .answer
        .as_ref()
        .map(|answer| with_turn(answer, lease));
    let added = insert_lines(tx, lease, &finish.lines, stored.as_ref(), now).await?;
    tx.execute_later(
        "UPDATE conversations SET next_seq = next_seq + $2::bigint, \
             message_count = message_count + $3::bigint, \
             last_message_at = coalesce($4, last_message_at), updated_at = $5 WHERE id = $1",
        vec![
            lease.conversation.uuid().into(),
            rows::int(added)?,
            i64::from(stored.is_some()).into(),
            stored.as_ref().map(|_| now).into(),
            now.into(),
        ],
    )
    .await?;
    consumption::count(tx, lease, finish.usage, now).await?;
    end(tx, lease, &finish).await
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

/// Stores the lines in order; the answer people see stands where the model's last words stand.
async fn insert_lines(
    tx: &mut Tx,
    lease: &Lease,
    lines: &[Line],
    answer: Option<&Answer>,
    now: DateTime<Utc>,
) -> Result<u64, Fault> {
    let spoken = lines.iter().rposition(|line| line.kind == LineKind::Answer);
    let mut place = 0;
    for (index, line) in lines.iter().enumerate() {
        let said = answer.filter(|_| spoken == Some(index));
        insert(tx, lease, place, Some(line), said, now).await?;
        place += 1;
    }
    if spoken.is_none() && answer.is_some() {
        insert(tx, lease, place, None, answer, now).await?;
        place += 1;
    }
    Ok(place)
}

async fn insert(
    tx: &mut Tx,
    lease: &Lease,
    place: u64,
    line: Option<&Line>,
    said: Option<&Answer>,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    let (id, part, content, metadata) = match said {
        Some(answer) => (
            answer.id.uuid(),
            "said",
            answer.content.as_str(),
            json_text(&answer.metadata)?,
        ),
        None => (Uuid::now_v7(), "step", "", Value::Text("{}".to_owned())),
    };
    let role = line.map_or("assistant", |line| told::role(line.kind));
    tx.execute_later(
        "INSERT INTO messages (id, conversation_id, role, content, metadata, created_at, \
             scope_id, seq, turn_id, part, kind, wire, tokens) \
         SELECT $1::uuid, c.id, $3::text, $4::text, $5::text::jsonb, $6::timestamptz, c.scope_id, \
             c.next_seq + $7::bigint, $8::uuid, $9::text, $10::text, $11::text, $12::bigint \
         FROM conversations c WHERE c.id = $2",
        vec![
            id.into(),
            lease.conversation.uuid().into(),
            role.into(),
            content.into(),
            metadata,
            now.into(),
            rows::int(place)?,
            lease.turn.uuid().into(),
            part.into(),
            line.map(|line| told::kind_name(line.kind)).into(),
            line.map(|line| line.wire.as_str()).into(),
            line.map_or(0, |line| line.tokens).into(),
        ],
    )
    .await?;
    Ok(())
}

async fn end(tx: &mut Tx, lease: &Lease, finish: &Finish) -> Result<(), Fault> {
    let usage = finish.usage;
    tx.execute_later(
        "UPDATE turns SET state = $2, outcome = $3::text::json, agent_message_id = $4, \
             input_tokens = $5, output_tokens = $6, cached_tokens = $7, usage_estimated = $8, \
             ended_at = $9, lease_until = NULL WHERE id = $1",
        vec![
            lease.turn.uuid().into(),
            finish.outcome.state().as_str().into(),
            json_text(&finish.outcome)?,
            finish.answer.as_ref().map(|answer| answer.id.uuid()).into(),
            rows::int(usage.input_tokens)?,
            rows::int(usage.output_tokens)?,
            rows::int(usage.cached_tokens)?,
            usage.estimated.into(),
            finish.record.now.into(),
        ],
    )
    .await?;
    Ok(())
}
