//! Turns that ended long ago are told as one snapshot instead of event by event.

use chrono::{DateTime, Utc};
use frontdesk_core::event::{Event, Snapshot};
use frontdesk_core::id::TurnId;
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::StoreError;
use frontdesk_db::{Claims, Dialect, Tx};

use super::journal;
use crate::Store;
use crate::rows;
use crate::tx_error::{TxError, unreadable};

/// Turns folded in one transaction: few enough that nobody waits for it.
const AT_ONCE: u32 = 50;

impl Store {
    /// Folds some of the turns that ended before this moment. `false` when none is left.
    pub async fn fold_ended(&self, before: DateTime<Utc>) -> Result<bool, StoreError> {
        self.write_as(&Claims::system("turns that ended long ago"), move |tx| {
            Box::pin(async move { fold(tx, before).await })
        })
        .await
    }
}

async fn fold(tx: &mut Tx, before: DateTime<Utc>) -> Result<bool, TxError> {
    match tx.dialect() {
        // The worker's role reads no table, so the function returns the count.
        Dialect::Postgres => {
            let row = tx
                .row(
                    "SELECT fd.fold($1, $2) AS done",
                    &[before.into(), i64::from(AT_ONCE).into()],
                )
                .await?
                .ok_or_else(|| unreadable("how many turns were folded"))?;
            Ok(row.get::<i64>("done")? > 0)
        }
        Dialect::Sqlite => {
            let found = tx
                .rows(
                    "SELECT id, state FROM turns WHERE ended_at < $1 AND folded = 0 \
                     AND ended_at IS NOT NULL ORDER BY ended_at LIMIT $2",
                    &[before.into(), AT_ONCE.into()],
                )
                .await?;
            for row in &found {
                fold_one(tx, row.get("id")?, rows::named(row, "state")?).await?;
            }
            Ok(!found.is_empty())
        }
    }
}

async fn fold_one(tx: &mut Tx, turn: TurnId, state: TurnState) -> Result<(), TxError> {
    let entries = journal::all(tx, turn).await?;
    let events = entries.into_iter().map(|entry| entry.event);
    let snapshot = Event::Snapshot(Snapshot::of(state, events));
    tx.execute_later("DELETE FROM journal WHERE turn_id = $1", vec![turn.into()])
        .await?;
    tx.execute_later(
        "INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event) \
         SELECT t.id, t.position, t.conversation_id, t.scope_id, t.epoch, $2 \
         FROM turns t WHERE t.id = $1",
        vec![turn.into(), rows::json_text(&snapshot)?],
    )
    .await?;
    tx.execute_later(
        "UPDATE turns SET folded = 1 WHERE id = $1",
        vec![turn.into()],
    )
    .await?;
    Ok(())
}
