//! Records a step of a running turn atomically: journal, results of calls, audit and requests for
//! approval.

use chrono::{DateTime, Utc};
use frontdesk_core::approval::ApprovalCard;
use frontdesk_core::store::{Lease, NewAudit, Record};
use frontdesk_db::{Dialect, Tx, Value};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::hold::{Touch, hold_here};
use super::{journal, saves};
use crate::applier::Appliers;
use crate::audit::{self, TurnFact};
use crate::change_feed::publish_turn;
use crate::rows::{self, json_string, json_text};
use crate::tx_error::TxError;
use crate::{access, change_feed};

pub(super) async fn record(
    tx: &mut Tx,
    appliers: &Appliers,
    lease: &Lease,
    record: Record,
) -> Result<(), TxError> {
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
            let report = report(lease, touch, &record, record.now)?;
            tx.execute_later("SELECT fd.step($1)", vec![Value::Json(report)])
                .await?;
            if !record.entries.is_empty() {
                publish_turn(tx, lease.turn)?;
            }
            saves::save(tx, appliers, lease, &record.saves, record.now).await?;
            await_decisions(tx, lease, &record).await
        }
    }
}

/// The lease, the entries and the audit, as `fd.step` and `fd.finish` expect them. Events stay
/// text: `jsonb` refuses the escaped NUL characters that they may contain.
pub(super) fn report(
    lease: &Lease,
    touch: Touch,
    record: &Record,
    now: DateTime<Utc>,
) -> Result<Json, TxError> {
    let lock = match touch {
        Touch::Journal => None,
        Touch::Conversation => Some(access::lock_of(lease.conversation)),
    };
    let mut entries = Vec::with_capacity(record.entries.len());
    for entry in &record.entries {
        let event = json_string(&entry.event)?;
        entries.push(json!({ "position": entry.position, "event": event }));
    }
    let audit: Vec<Json> = record
        .audit
        .iter()
        .map(|note| {
            json!({
                "call": note.call_id,
                "tool": note.tool,
                "target": note.target,
                "outcome": note.outcome.as_str(),
                "approver": note.approver,
            })
        })
        .collect();
    Ok(json!({
        "turn": lease.turn,
        "epoch": lease.epoch,
        "lock": lock,
        "now": now,
        "entries": entries,
        "audit": audit,
    }))
}

/// The common part of [`record`] and the end of a turn on SQLite. The caller holds the lease.
pub(super) async fn write(
    tx: &mut Tx,
    appliers: &Appliers,
    lease: &Lease,
    scope: Uuid,
    record: &Record,
) -> Result<(), TxError> {
    // The journal comes first: a repeated record fails here, before its change is applied again.
    journal::append_all(tx, lease, scope, &record.entries).await?;
    saves::save(tx, appliers, lease, &record.saves, record.now).await?;
    for note in &record.audit {
        write_audit(tx, lease, note, record.now).await?;
    }
    await_decisions(tx, lease, record).await
}

/// Sets the position of the turn to that of its last entry.
async fn move_position(tx: &mut Tx, lease: &Lease, record: &Record) -> Result<(), TxError> {
    let Some(last) = record.entries.last() else {
        return Ok(());
    };
    Ok(tx
        .execute_later(
            "UPDATE turns SET position = $2 WHERE id = $1",
            vec![lease.turn.into(), rows::int(last.position)?],
        )
        .await?)
}

async fn write_audit(
    tx: &mut Tx,
    lease: &Lease,
    note: &NewAudit,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let fact = TurnFact {
        call_id: &note.call_id,
        tool: &note.tool,
        target: note.target.as_deref(),
        outcome: note.outcome,
        decider: note.approver.map(|approver| (approver, None)),
    };
    audit::note_for_turn(tx, lease.turn, fact, now).await
}

/// Stores the cards, if any, and releases the lease until the last of them is decided or expires.
async fn await_decisions(tx: &mut Tx, lease: &Lease, record: &Record) -> Result<(), TxError> {
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
    Ok(tx
        .execute_later(
            "UPDATE turns SET state = 'awaiting_approval', lease_until = $2, paused_at = $3 \
         WHERE id = $1",
            vec![lease.turn.into(), last.into(), record.now.into()],
        )
        .await?)
}

async fn store_card(
    tx: &mut Tx,
    lease: &Lease,
    card: &ApprovalCard,
    target: Option<&str>,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    Ok(tx
        .execute_later(
            "INSERT INTO approvals (turn_id, call_id, conversation_id, company_id, scope_id, \
             assistant, requested_by, for_roles, card, requested_at, expires_at, target) \
         SELECT $1::uuid, $3::text, c.id, c.company_id, c.scope_id, c.assistant, $4::uuid, \
             $5::boolean, $6::text::json, $7::timestamptz, $8::timestamptz, $9::text \
         FROM conversations c WHERE c.id = $2",
            vec![
                lease.turn.into(),
                lease.conversation.into(),
                (&card.call_id).into(),
                card.requested_by.into(),
                (!card.approvers.is_empty()).into(),
                json_text(card)?,
                now.into(),
                card.expires_at.into(),
                target.into(),
            ],
        )
        .await?)
}
