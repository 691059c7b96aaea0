//! Reads on snapshots of a SQLite file: a few threads, each with a read-only connection of its own. A
//! thread of the runtime's pool for each read would be one more whenever the last is not quite done,
//! and each of them keeps memory.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread::JoinHandle,
};

use rusqlite::Connection;
use tokio::{runtime::Handle, sync::oneshot};

use super::{Shared, SqliteTx, drive, error};
use crate::{
    DbError, Tx,
    pool::{Lane, Pool, Ticket, closed},
    tx::Backend,
    work::{Verdict, Work},
};

/// A thread that waits for something to read. It ends with this.
pub(super) struct Reader {
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// Something to read, and how the reader comes back into the pool.
struct Job {
    work: Work,
    reader: Reader,
    ticket: Ticket<Reader>,
    answer: oneshot::Sender<Result<(), DbError>>,
}

pub(super) async fn run(
    readers: &Arc<Pool<Reader>>,
    shared: &Arc<Shared>,
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
        // Were the thread gone, the dropped sender would tell us below.
        jobs.send(job).ok();
    }
    receive.await.unwrap_or_else(|_| Err(closed(&shared.place)))
}

impl Reader {
    fn start(shared: Arc<Shared>) -> Result<Self, DbError> {
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
    /// Returns when the connection is closed: whoever closes a database may then move its file.
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
        {
            // What a thread was working on has told its own end.
            thread.join().ok();
        }
    }
}

fn serve(waiting: &mpsc::Receiver<Job>, shared: &Arc<Shared>) {
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
        // The caller may have gone.
        answer.send(result).ok();
    }
}

/// Leaves the connection where it was, unless its state is in doubt.
fn read(kept: &mut Option<Connection>, shared: &Arc<Shared>, work: Work) -> Result<(), DbError> {
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
