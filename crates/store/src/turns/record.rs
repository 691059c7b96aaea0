//! A step of a running turn: journal, what calls produced, audit and requests for approval,
//! together or not at all.

use chrono::{DateTime, Utc};
use frontdesk_core::approval::ApprovalCard;
use frontdesk_core::store::{Lease, NewAudit, Record};
use frontdesk_db::{Dialect, Tx, Value};
use uuid::Uuid;

use super::hold::{Touch, hold_here};
use super::{journal, saves};
use crate::applier::Appliers;
use crate::audit::{self, TurnFact};
use crate::change_feed::publish_turn;
use crate::fault::Fault;
use crate::rows::{self, json_text};
use crate::{access, change_feed};

/// As `migrations/0007_steps` has it.
const STEP: &str = "SELECT fd.step($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

pub(super) async fn record(
    tx: &mut Tx,
    appliers: &Appliers,
    lease: &Lease,
    record: Record,
) -> Result<(), Fault> {
    let touch = if saves::is_empty(&record.saves) {
        Touch::Journal
    } else {
        Touch::Conversation
    };
    match tx.dialect() {
        Dialect::Sqlite => {
            let scope = hold_here(tx, lease).await?;
            write(tx, appliers, lease, scope, &record).await?;
            move_position(tx, lease, &record).await
        }
        Dialect::Postgres => {
            let values = values(lease, touch, &record, record.now)?;
            tx.execute_later(STEP, values).await?;
            if !record.entries.is_empty() {
                publish_turn(tx, lease.turn)?;
            }
            saves::save(tx, appliers, lease, &record.saves, record.now).await?;
            await_decisions(tx, lease, &record).await
        }
    }
}

/// The lease, the entries and the notes for the audit, as `fd.step` and `fd.finish` take them.
pub(super) fn values(
    lease: &Lease,
    touch: Touch,
    record: &Record,
    now: DateTime<Utc>,
) -> Result<Vec<Value>, Fault> {
    let lock = match touch {
        Touch::Journal => None,
        Touch::Conversation => Some(access::lock_of(lease.conversation)),
    };
    let mut values: Vec<Value> = vec![
        lease.turn.uuid().into(),
        lease.epoch.into(),
        lock.into(),
        now.into(),
    ];
    values.extend(journal::columns(&record.entries)?);
    let audit = &record.audit;
    values.extend([
        audit.iter().map(|note| (&note.call_id).into()).collect(),
        audit.iter().map(|note| (&note.tool).into()).collect(),
        audit
            .iter()
            .map(|note| note.target.as_deref().into())
            .collect(),
        audit
            .iter()
            .map(|note| note.outcome.as_str().into())
            .collect(),
        audit
            .iter()
            .map(|note| note.approver.map(|approver| approver.uuid()).into())
            .collect(),
    ]);
    Ok(values)
}

/// What [`record`] and the end of a turn have in common on SQLite; the lease is held.
pub(super) async fn write(
    tx: &mut Tx,
    appliers: &Appliers,
    lease: &Lease,
    scope: Uuid,
    record: &Record,
) -> Result<(), Fault> {
    // The journal first: a repeated record must fail here, before a change is applied again.
    journal::append_all(tx, lease, scope, &record.entries).await?;
    saves::save(tx, appliers, lease, &record.saves, record.now).await?;
    for note in &record.audit {
        write_audit(tx, lease, note, record.now).await?;
    }
    await_decisions(tx, lease, record).await
}

/// Behind the last entry of the record.
async fn move_position(tx: &mut Tx, lease: &Lease, record: &Record) -> Result<(), Fault> {
    let Some(last) = record.entries.last() else {
        return Ok(());
    };
    tx.execute_later(
        "UPDATE turns SET position = $2 WHERE id = $1",
        vec![lease.turn.uuid().into(), rows::int(last.position)?],
    )
    .await?;
    Ok(())
}

async fn write_audit(
    tx: &mut Tx,
    lease: &Lease,
    note: &NewAudit,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    let fact = TurnFact {
        call_id: &note.call_id,
        tool: &note.tool,
        target: note.target.as_deref(),
        outcome: note.outcome,
        decider: note.approver.map(|approver| (approver, None)),
    };
    audit::note_for_turn(tx, lease.turn, fact, now).await
}

/// Stores the cards, if there are any, and gives the lease up until the last of them is decided
/// or expired.
async fn await_decisions(tx: &mut Tx, lease: &Lease, record: &Record) -> Result<(), Fault> {
    if record.awaiting.is_empty() {
        return Ok(());
    }
    for card in &record.awaiting {
        let asked = record
            .audit
            .iter()
            .find(|note| note.call_id == card.call_id);
        let target = asked.and_then(|note| note.target.as_deref());
        store_card(tx, lease, card, target, record.now).await?;
        change_feed::publish_card(tx, lease.conversation, lease.turn, card).await?;
    }
    let last = record.awaiting.iter().map(|card| card.expires_at).max();
    tx.execute_later(
        "UPDATE turns SET state = 'awaiting_approval', lease_until = $2, paused_at = $3 \
         WHERE id = $1",
        vec![lease.turn.uuid().into(), last.into(), record.now.into()],
    )
    .await?;
    Ok(())
}

async fn store_card(
    tx: &mut Tx,
    lease: &Lease,
    card: &ApprovalCard,
    target: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    tx.execute_later(
        "INSERT INTO approvals (turn_id, call_id, conversation_id, company_id, scope_id, \
             assistant, requested_by, for_roles, card, requested_at, expires_at, target) \
         SELECT $1::uuid, $3::text, c.id, c.company_id, c.scope_id, c.assistant, $4::uuid, \
             $5::boolean, $6::text::json, $7::timestamptz, $8::timestamptz, $9::text \
         FROM conversations c WHERE c.id = $2",
        vec![
            lease.turn.uuid().into(),
            lease.conversation.uuid().into(),
            (&card.call_id).into(),
            card.requested_by.uuid().into(),
            (!card.approvers.is_empty()).into(),
            json_text(card)?,
            now.into(),
            card.expires_at.into(),
            target.into(),
        ],
    )
    .await?;
    Ok(())
}
