//! Snapshot reads of an SQLite file: a few threads, each with its own read-only connection.
//! Tokio's blocking pool would grow by a thread, and its memory, whenever reads overlap.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread::JoinHandle,
};

use rusqlite::Connection;
use tokio::{runtime::Handle, sync::oneshot};

use super::{SqliteShared, SqliteTx, drive, error};
use crate::{
    DbError, Tx,
    pool::{Lane, Pool, Ticket, closed},
    tx::Backend,
    work::{Verdict, Work},
};

/// A reader thread. Dropping it ends the thread.
pub(super) struct Reader {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// A read, and the permit that returns the reader to the pool.
struct Job {
    work: Work,
    reader: Reader,
    ticket: Ticket<Reader>,
    answer: oneshot::Sender<Result<(), DbError>>,
}

pub(super) async fn run(
    readers: &Arc<Pool<Reader>>,
    shared: &Arc<SqliteShared>,
    work: Work,
) -> Result<(), DbError> {
    let ticket = readers.ticket(Lane::Platform).await?;
    let reader = match ticket.take_idle() {
        Some(reader) => reader,
        None => Reader::start(Arc::clone(shared))?,
    };
    let (answer, receive) = oneshot::channel();
    if let Some(jobs) = reader.jobs.clone() {
        let job = Job {
            work,
            reader,
            ticket,
            answer,
        };
        // If the thread is gone, the dropped sender reports it below.
        jobs.send(job).ok();
    }
    receive.await.unwrap_or_else(|_| Err(closed(&shared.place)))
}

impl Reader {
    fn start(shared: Arc<SqliteShared>) -> Result<Self, DbError> {
        let place = shared.place.clone();
        let (jobs, waiting) = mpsc::channel();
        // As on the writer's thread.
        let runtime = Handle::current();
        let thread = std::thread::Builder::new()
            .name("db-reader".to_owned())
            .spawn(move || {
                let _inside = runtime.enter();
                serve(&waiting, &shared);
            })
            .map_err(|error| error::from_io(&error, &place))?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }
}

impl Drop for Reader {
    /// Returns after the connection is closed: the caller may then move the file.
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
        {
            // A panic in the thread was reported by its job.
            thread.join().ok();
        }
    }
}

fn serve(waiting: &mpsc::Receiver<Job>, shared: &Arc<SqliteShared>) {
    let mut connection = None;
    while let Ok(job) = waiting.recv() {
        let Job {
            work,
            reader,
            ticket,
            answer,
        } = job;
        let result = read(&mut connection, shared, work);
        ticket.give_back(reader);
        // The caller may be gone.
        answer.send(result).ok();
    }
}

/// Keeps the connection unless its state is unknown.
fn read(
    kept: &mut Option<Connection>,
    shared: &Arc<SqliteShared>,
    work: Work,
) -> Result<(), DbError> {
    let connection = match kept.take() {
        Some(connection) => connection,
        None => shared.open_reader()?,
    };
    let mut sqlite = SqliteTx::new(connection, Arc::clone(shared));
    sqlite.control("BEGIN")?;
    let mut tx = Tx::new(Backend::Sqlite(Box::new(sqlite)));
    let verdict = catch_unwind(AssertUnwindSafe(|| drive(work(&mut tx))));
    let failure = tx.take_failure();
    if let Backend::Sqlite(mut sqlite) = tx.backend
        && sqlite.control("ROLLBACK").is_ok()
    {
        *kept = Some(sqlite.into_connection());
    }
    match (verdict, failure) {
        (Err(_panic), _) => Err(DbError::Panicked),
        (Ok(Err(refused)), _) => Err(refused),
        (Ok(Ok(Verdict::Undo)), _) | (Ok(Ok(Verdict::Keep)), None) => Ok(()),
        (Ok(Ok(Verdict::Keep)), Some(failure)) => Err(failure),
    }
}
