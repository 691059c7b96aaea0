//! Calls that were started in a turn which goes no further: nobody will ever report how they
//! went, so the audit says that it is unknown.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use frontdesk_core::approval::arguments_hash;
use frontdesk_core::event::Event;
use frontdesk_core::id::TurnId;
use frontdesk_core::store::AuditOutcome;
use frontdesk_db::{Tx, Value};

use super::journal;
use crate::audit;
use crate::fault::Fault;

/// Must be called while the turn and its journal are still there.
pub(crate) async fn note_unknown(
    tx: &mut Tx,
    turn: TurnId,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    let mut open = BTreeMap::new();
    for entry in journal::all(tx, turn).await? {
        match entry.event {
            Event::ToolStarted {
                call_id,
                name,
                arguments,
                effect,
                ..
            } if effect.leaves_doubt() => {
                let first = (entry.position, name, arguments);
                open.entry(call_id).or_insert(first);
            }
            Event::ToolFinished(finished) => {
                open.remove(&finished.call_id);
            }
            Event::ToolStarted { .. }
            | Event::TurnStarted { .. }
            | Event::TextDelta { .. }
            | Event::TextReset { .. }
            | Event::ModelReplied { .. }
            | Event::ToolProgress { .. }
            | Event::DraftDelta { .. }
            | Event::ApprovalRequested { .. }
            | Event::ApprovalDecided { .. }
            | Event::ArtifactSaved { .. }
            | Event::PhaseChanged(_)
            | Event::SourceCited { .. }
            | Event::Snapshot(_)
            | Event::TurnCompleted(_)
            | Event::TurnFailed(_)
            | Event::TurnCancelled(_)
            | Event::TurnInterrupted(_) => {}
        }
    }
    for (call_id, (_, tool, arguments)) in open {
        tx.execute_later(
            audit::INSERT_FOR_TURN,
            vec![
                turn.uuid().into(),
                now.into(),
                call_id.into(),
                tool.into(),
                arguments_hash(&arguments.to_string()).into(),
                AuditOutcome::Unknown.as_str().into(),
                Value::Null,
            ],
        )
        .await?;
    }
    Ok(())
}
