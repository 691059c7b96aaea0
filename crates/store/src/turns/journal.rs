//! The journal of a turn: entries are only ever added.

use frontdesk_core::event::{Entry, Event};
use frontdesk_core::id::TurnId;
use frontdesk_core::store::Lease;
use frontdesk_db::{Dialect, Row, Tx};
use uuid::Uuid;

use crate::change_feed::publish_turn;
use crate::rows::{self, json_text};
use crate::tx_error::TxError;

/// Adds an event whose position is known.
pub(super) async fn append(
    tx: &mut Tx,
    turn: TurnId,
    position: u64,
    event: &Event,
) -> Result<(), TxError> {
    Ok(tx
        .execute_later(
            "INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event) \
         SELECT t.id, $2::bigint, t.conversation_id, t.scope_id, t.epoch, $3::text::json \
         FROM turns t WHERE t.id = $1",
            vec![turn.into(), rows::int(position)?, json_text(event)?],
        )
        .await?)
}

/// The same for whoever holds the lease and knows the scope; on SQLite.
pub(super) async fn append_held(
    tx: &mut Tx,
    lease: &Lease,
    scope: Uuid,
    entry: &Entry,
) -> Result<(), TxError> {
    Ok(tx
        .execute_later(
            "INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event) \
         VALUES ($1, $2, $3, $4, $5, $6)",
            vec![
                lease.turn.into(),
                rows::int(entry.position)?,
                lease.conversation.into(),
                scope.into(),
                lease.epoch.into(),
                json_text(&entry.event)?,
            ],
        )
        .await?)
}

/// Adds an event behind the last one of a turn that nobody works on.
pub(crate) async fn append_next(tx: &mut Tx, turn: TurnId, event: &Event) -> Result<(), TxError> {
    tx.execute_later(
        "UPDATE turns SET position = position + $2::bigint WHERE id = $1",
        vec![turn.into(), rows::int(event.advance())?],
    )
    .await?;
    tx.execute_later(
        "INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event) \
         SELECT t.id, t.position, t.conversation_id, t.scope_id, t.epoch, $2::text::json \
         FROM turns t WHERE t.id = $1",
        vec![turn.into(), json_text(event)?],
    )
    .await?;
    Ok(())
}

/// Adds what a worker reports; whoever writes the turn's row moves its position behind it.
pub(super) async fn append_all(
    tx: &mut Tx,
    lease: &Lease,
    scope: Uuid,
    entries: &[Entry],
) -> Result<(), TxError> {
    for entry in entries {
        append_held(tx, lease, scope, entry).await?;
    }
    if entries.is_empty() {
        return Ok(());
    }
    publish_turn(tx, lease.turn)
}

/// Whether this worker has written this very entry before.
pub(super) async fn is_recorded(
    tx: &mut Tx,
    lease: &Lease,
    entry: &Entry,
) -> Result<bool, TxError> {
    let sql = match tx.dialect() {
        Dialect::Postgres => "SELECT fd.recorded($1, $2, $3, $4) AS found",
        Dialect::Sqlite => {
            "SELECT EXISTS (SELECT 1 FROM journal WHERE turn_id = $1 AND epoch = $2 \
                 AND position = $3 AND event = $4) AS found"
        }
    };
    let values = [
        lease.turn.into(),
        lease.epoch.into(),
        rows::int(entry.position)?,
        json_text(&entry.event)?,
    ];
    match tx.row(sql, &values).await? {
        Some(row) => Ok(row.get("found")?),
        None => Ok(false),
    }
}

/// Everything a turn has told so far.
pub(super) async fn all(tx: &mut Tx, turn: TurnId) -> Result<Vec<Entry>, TxError> {
    let found = tx
        .rows(
            "SELECT position, event FROM journal WHERE turn_id = $1 ORDER BY position",
            &[turn.into()],
        )
        .await?;
    found.iter().map(entry).collect()
}

pub(crate) fn entry(row: &Row) -> Result<Entry, TxError> {
    Ok(Entry {
        position: row.get("position")?,
        event: rows::json(row, "event")?,
    })
}
