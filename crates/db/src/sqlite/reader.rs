//! Reads on a snapshot of a SQLite file, on a blocking thread with a read-only connection.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{Shared, SqliteTx, drive};
use crate::{
    DbError, Tx,
    pool::{Lane, Pool, Ticket, closed},
    tx::Backend,
    work::{Verdict, Work},
};

pub(super) async fn run(
    readers: &Arc<Pool<Connection>>,
    shared: &Arc<Shared>,
    work: Work,
) -> Result<(), DbError> {
    let ticket = readers.ticket(Lane::Platform).await?;
    let (send, receive) = oneshot::channel();
    let of_thread = Arc::clone(shared);
    tokio::task::spawn_blocking(move || {
        let result = read(ticket, of_thread, work);
        // The caller may have gone.
        send.send(result).ok();
    });
    receive.await.unwrap_or_else(|_| Err(closed(&shared.place)))
}

fn read(ticket: Ticket<Connection>, shared: Arc<Shared>, work: Work) -> Result<(), DbError> {
    let connection = match ticket.take_idle() {
        Some(connection) => connection,
        None => shared.open_reader()?,
    };
    let mut sqlite = SqliteTx::new(connection, shared);
    sqlite.control("BEGIN")?;
    let mut tx = Tx::new(Backend::Sqlite(Box::new(sqlite)));
    let verdict = catch_unwind(AssertUnwindSafe(|| drive(work(&mut tx))));
    let failure = tx.take_failure();
    if let Backend::Sqlite(mut sqlite) = tx.backend
        && sqlite.control("ROLLBACK").is_ok()
    {
        ticket.give_back(sqlite.into_connection());
    }
    match (verdict, failure) {
        (Err(_panic), _) => Err(DbError::Panicked),
        (Ok(Err(refused)), _) => Err(refused),
        (Ok(Ok(Verdict::Undo)), _) | (Ok(Ok(Verdict::Keep)), None) => Ok(()),
        (Ok(Ok(Verdict::Keep)), Some(failure)) => Err(failure),
    }
}
