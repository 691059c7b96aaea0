//! The journal of a turn: entries are only ever added.

use frontdesk_core::event::{Entry, Event};
use frontdesk_core::id::TurnId;
use frontdesk_core::store::Lease;
use frontdesk_db::{Dialect, Row, Tx, Value};
use uuid::Uuid;

use crate::change_feed::publish_turn;
use crate::fault::Fault;
use crate::rows::{self, json_text, natural};

/// Adds an event whose position is known.
pub(super) async fn append(
    tx: &mut Tx,
    turn: TurnId,
    position: u64,
    event: &Event,
) -> Result<(), Fault> {
    tx.execute_later(
        "INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event) \
         SELECT t.id, $2::bigint, t.conversation_id, t.scope_id, t.epoch, $3::text::json \
         FROM turns t WHERE t.id = $1",
        vec![turn.uuid().into(), rows::int(position)?, json_text(event)?],
    )
    .await?;
    Ok(())
}

/// The same for whoever holds the lease and knows the scope; on SQLite.
pub(super) async fn append_held(
    tx: &mut Tx,
    lease: &Lease,
    scope: Uuid,
    entry: &Entry,
) -> Result<(), Fault> {
    tx.execute_later(
        "INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event) \
         VALUES ($1, $2, $3, $4, $5, $6)",
        vec![
            lease.turn.uuid().into(),
            rows::int(entry.position)?,
            lease.conversation.uuid().into(),
            scope.into(),
            lease.epoch.into(),
            json_text(&entry.event)?,
        ],
    )
    .await?;
    Ok(())
}

/// Adds an event behind the last one of a turn that nobody works on.
pub(crate) async fn append_next(tx: &mut Tx, turn: TurnId, event: &Event) -> Result<(), Fault> {
    tx.execute_later(
        "UPDATE turns SET position = position + $2::bigint WHERE id = $1",
        vec![turn.uuid().into(), rows::int(event.advance())?],
    )
    .await?;
    tx.execute_later(
        "INSERT INTO journal (turn_id, position, conversation_id, scope_id, epoch, event) \
         SELECT t.id, t.position, t.conversation_id, t.scope_id, t.epoch, $2::text::json \
         FROM turns t WHERE t.id = $1",
        vec![turn.uuid().into(), json_text(event)?],
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
) -> Result<(), Fault> {
    for entry in entries {
        append_held(tx, lease, scope, entry).await?;
    }
    if entries.is_empty() {
        return Ok(());
    }
    publish_turn(tx, lease.turn)
}

/// Positions and events, as the functions of Postgres take them.
pub(super) fn columns(entries: &[Entry]) -> Result<[Value; 2], Fault> {
    let mut positions = Vec::with_capacity(entries.len());
    let mut events = Vec::with_capacity(entries.len());
    for entry in entries {
        positions.push(rows::int(entry.position)?);
        events.push(json_text(&entry.event)?);
    }
    Ok([Value::List(positions), Value::List(events)])
}

/// Whether this worker has written this very entry before.
pub(super) async fn is_recorded(tx: &mut Tx, lease: &Lease, entry: &Entry) -> Result<bool, Fault> {
    let sql = match tx.dialect() {
        Dialect::Postgres => "SELECT fd.recorded($1, $2, $3, $4) AS found",
        Dialect::Sqlite => {
            "SELECT EXISTS (SELECT 1 FROM journal WHERE turn_id = $1 AND epoch = $2 \
                 AND position = $3 AND event = $4) AS found"
        }
    };
    let values = [
        lease.turn.uuid().into(),
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
pub(super) async fn all(tx: &mut Tx, turn: TurnId) -> Result<Vec<Entry>, Fault> {
    let found = tx
        .rows(
            "SELECT position, event FROM journal WHERE turn_id = $1 ORDER BY position",
            &[turn.uuid().into()],
        )
        .await?;
    found.iter().map(entry).collect()
}

pub(crate) fn entry(row: &Row) -> Result<Entry, Fault> {
    Ok(Entry {
        position: natural(row, "position")?,
        event: rows::json(row, "event")?,
    })
}
