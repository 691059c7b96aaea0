//! Approvals are checked again when the effect is about to run: an approval by somebody who has
//! left the company meanwhile counts no more.

use chrono::{DateTime, Utc};
use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::event::Event;
use frontdesk_core::id::{ProfileId, TurnId};
use frontdesk_core::store::AuditOutcome;
use frontdesk_db::Tx;

use super::append_next;
use crate::audit::{self, TurnFact};
use crate::rows;
use crate::tx_error::TxError;

const REASON: &str = "the person who approved this is no member of the company any more";

/// Approved cards whose decider is not the requester and not a member now. The requester's own
/// access is checked with the lease.
const VOID: &str = "SELECT a.card, a.decided_by, coalesce(p.display_name, '') AS decider_name \
     FROM approvals a LEFT JOIN profiles p ON p.id = a.decided_by \
     WHERE a.turn_id = $1 AND a.decision = 'approved' AND a.company_id IS NOT NULL \
         AND a.decided_by <> a.requested_by AND NOT EXISTS (SELECT 1 FROM company_members m \
             WHERE m.company_id = a.company_id AND m.profile_id = a.decided_by) \
     ORDER BY a.call_id";

/// Whether the call was started, or its approval withdrawn before.
fn settles(event: &Event, call: &str) -> bool {
    matches!(event, Event::ToolStarted { call_id, .. } if call_id == call)
        || matches!(event, Event::ApprovalDecided { call_id, decision: Decision::Rejected, .. }
            if call_id == call)
}

/// Journals a rejection behind such an approval, unless its call was started before. The later
/// decision counts.
pub(super) async fn withdraw_void_approvals(
    tx: &mut Tx,
    turn: TurnId,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let found = tx.rows(VOID, &[turn.into()]).await?;
    if found.is_empty() {
        return Ok(());
    }
    let entries = super::journal::all(tx, turn).await?;
    for row in &found {
        let card: ApprovalCard = rows::json(row, "card")?;
        if entries
            .iter()
            .any(|entry| settles(&entry.event, &card.call_id))
        {
            continue;
        }
        let event = Event::ApprovalDecided {
            call_id: card.call_id.clone(),
            decision: Decision::Rejected,
            by: None,
            reason: Some(REASON.to_owned()),
            arguments: None,
            state: None,
        };
        append_next(tx, turn, &event).await?;
        let decider: ProfileId = row.get("decided_by")?;
        let name: String = row.get("decider_name")?;
        let fact = TurnFact {
            call_id: &card.call_id,
            tool: &card.tool,
            target: None,
            outcome: AuditOutcome::Denied,
            decider: Some((decider, Some(&name))),
        };
        audit::note_for_turn(tx, turn, fact, now).await?;
    }
    Ok(())
}
