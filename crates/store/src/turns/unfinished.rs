//! Calls that were started in a turn which goes no further: nobody will ever report how they
//! went, so the audit says that it is unknown.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use frontdesk_core::event::Event;
use frontdesk_core::id::TurnId;
use frontdesk_core::store::AuditOutcome;
use frontdesk_db::Tx;

use super::journal;
use crate::audit::{self, TurnFact};
use crate::fault::Fault;

/// Must be called while the turn and its journal are still there.
pub(crate) async fn note_unknown(
    tx: &mut Tx,
    turn: TurnId,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    let mut open = BTreeMap::new();
    for entry in journal::all(tx, turn).await? {
        if let Event::ToolStarted {
            call_id,
            name,
            effect,
            ..
        } = entry.event
        {
            if effect.leaves_doubt() {
                open.entry(call_id).or_insert(name);
            }
        } else if let Event::ToolFinished(finished) = entry.event {
            open.remove(&finished.call_id);
        }
    }
    for (call_id, tool) in open {
        let fact = TurnFact {
            call_id: &call_id,
            tool: &tool,
            target: None,
            outcome: AuditOutcome::Unknown,
            decider: None,
        };
        audit::note_for_turn(tx, turn, fact, now).await?;
    }
    Ok(())
}
