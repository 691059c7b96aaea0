//! Checks the right to write for a turn: the newest epoch, and a person who still has access.

use frontdesk_core::store::{Lease, StoreError};
use frontdesk_db::{Dialect, Tx};
use uuid::Uuid;

use crate::access;
use crate::tx_error::TxError;

/// The scope of a worker's write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Touch {
    /// Only what belongs to the turn itself.
    Journal,
    /// The conversation as well.
    Conversation,
}

/// Fails when the lease was lost. On Postgres it also makes the rest of the transaction act as
/// the person who opened the turn, and is answered together with what follows.
pub(super) async fn hold(tx: &mut Tx, lease: &Lease, touch: Touch) -> Result<(), TxError> {
    if touch == Touch::Conversation {
        // Before the turn's own lock, as everywhere: nobody waits in a circle.
        access::lock(tx, lease.conversation).await?;
    }
    match tx.dialect() {
        Dialect::Postgres => {
            let values = vec![lease.turn.into(), lease.epoch.into()];
            Ok(tx.execute_later("SELECT fd.hold($1, $2)", values).await?)
        }
        Dialect::Sqlite => hold_here(tx, lease).await.map(drop),
    }
}

const HOLD_HERE: &str = concat!(
    "SELECT t.scope_id, ",
    access::access_of!("t.profile_id"),
    " AS allowed FROM turns t JOIN conversations c ON c.id = t.conversation_id \
     WHERE t.id = $1 AND t.epoch = $2 AND t.state = 'running'"
);

/// The same on SQLite, which tells where the turn belongs: its scope.
pub(super) async fn hold_here(tx: &mut Tx, lease: &Lease) -> Result<Uuid, TxError> {
    let row = tx
        .row(HOLD_HERE, &[lease.turn.into(), lease.epoch.into()])
        .await?
        .ok_or(StoreError::Fenced)?;
    match row.get::<Option<bool>>("allowed")? {
        Some(true) => Ok(row.get("scope_id")?),
        Some(false) | None => Err(StoreError::Forbidden.into()),
    }
}
