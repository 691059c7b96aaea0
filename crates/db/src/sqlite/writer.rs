//! The writer thread of an SQLite file. It takes the queued jobs, runs each in its own
//! savepoint, commits the group once and only then answers: one disk flush serves many
//! callers.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::{Duration, Instant},
};

use rusqlite::Connection;
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};

use super::{SqliteShared, SqliteTx, drive, error};
#[cfg(debug_assertions)]
use crate::faults::{Point, reach};
use crate::{
    DbError, Tx,
    pool::closed,
    tx::Backend,
    work::{Verdict, Work},
};

/// Queued jobs; further callers wait for a bounded time.
const QUEUE: usize = 1024;
/// Maximum jobs per group, so that the first caller of a burst does not wait for all
/// others.
const GROUP_JOBS: usize = 128;
const GROUP_TIME: Duration = Duration::from_millis(20);

/// The sending end of the queue.
pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
    shared: Arc<SqliteShared>,
}

enum Message {
    Job(Job),
    Close(oneshot::Sender<()>),
}

struct Job {
    work: Work,
    answer: oneshot::Sender<Result<(), DbError>>,
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        shared: Arc<SqliteShared>,
    ) -> Result<Self, DbError> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let tx = Tx::new(Backend::Sqlite(Box::new(SqliteTx::new(
            connection,
            Arc::clone(&shared),
        ))));
        let thread = Thread {
            tx,
            jobs,
            shared: Arc::clone(&shared),
        };
        // Makes timers and spawned tasks work inside a transaction, as on Postgres.
        let runtime = Handle::current();
        std::thread::Builder::new()
            .name("db-writer".to_owned())
            .spawn(move || {
                let _inside = runtime.enter();
                thread.run();
            })
            .map_err(|error| error::from_io(&error, &shared.place))?;
        Ok(Writer { queue, shared })
    }

    pub(super) async fn run(&self, work: Work) -> Result<(), DbError> {
        let wait = self.shared.options.pool_wait;
        let place = tokio::time::timeout(wait, self.queue.reserve())
            .await
            .map_err(|_| DbError::PoolExhausted {
                place: self.shared.place.clone(),
                waited: wait,
            })?
            .map_err(|_| closed(&self.shared.place))?;
        let (send, receive) = oneshot::channel();
        place.send(Message::Job(Job { work, answer: send }));
        // A missing result means that the group was aborted.
        receive.await.unwrap_or_else(|_| {
            Err(DbError::OutcomeUnknown {
                place: self.shared.place.clone(),
            })
        })
    }

    pub(super) async fn close(&self) {
        let (done, wait) = oneshot::channel();
        if self.queue.send(Message::Close(done)).await.is_ok() {
            // The thread has ended in either case.
            wait.await.ok();
        }
    }
}

struct Thread {
    tx: Tx,
    jobs: mpsc::Receiver<Message>,
    shared: Arc<SqliteShared>,
}

/// The end of one job, before the group's commit.
enum End {
    Kept(Vec<(String, String)>),
    Undone,
    Failed(DbError),
}

impl Thread {
    fn run(mut self) {
        let mut closing = Vec::new();
        while let Some(message) = self.jobs.blocking_recv() {
            match message {
                Message::Job(first) => self.group_or_nothing(first, &mut closing),
                Message::Close(done) => closing.push(done),
            }
            if !closing.is_empty() {
                // Queued jobs are still served; new ones are refused.
                self.jobs.close();
            }
        }
        if let Err(error) = self.batch("PRAGMA wal_checkpoint(TRUNCATE)") {
            tracing::warn!(error = %error, "the write-ahead log could not be truncated; the next start will do it");
        }
        // Closes the connection first: the caller may move the file, or its disk, at once.
        drop(self);
        for done in closing {
            done.send(()).ok();
        }
    }

    /// Rolls a panicking group back and keeps the thread alive.
    fn group_or_nothing(&mut self, first: Job, closing: &mut Vec<oneshot::Sender<()>>) {
        let group = catch_unwind(AssertUnwindSafe(|| self.group(first, closing)));
        if group.is_err() {
            tracing::error!("a group of writes panicked; the panic message above names the place");
            self.undo();
        }
    }

    fn undo(&mut self) {
        if !self.is_idle()
            && let Err(error) = self.control("ROLLBACK")
        {
            tracing::error!(error = %error, "a failed group of writes could not be rolled back");
        }
    }

    /// Runs the first job and those queued behind it, commits once, and answers all.
    fn group(&mut self, first: Job, closing: &mut Vec<oneshot::Sender<()>>) {
        let started = Instant::now();
        let mut ends = Vec::new();
        let mut outcome = self.control("BEGIN IMMEDIATE");
        let mut next = Some(first);
        #[cfg(debug_assertions)]
        let mut hook = None;
        while let Some(job) = next.take() {
            let end = match &outcome {
                Ok(()) => self.job(job.work),
                Err(error) => End::Failed(error.clone()),
            };
            // On a full disk SQLite rolls the whole transaction back by itself.
            if outcome.is_ok() && self.is_idle() {
                outcome = Err(match &end {
                    End::Failed(error) => error.clone(),
                    End::Kept(_) | End::Undone => {
                        DbError::Statement("the transaction of a group vanished".to_owned())
                    }
                });
            }
            #[cfg(debug_assertions)]
            {
                hook = self.tx.hook.take().or(hook);
            }
            ends.push((job.answer, end));
            if ends.len() < GROUP_JOBS && started.elapsed() < GROUP_TIME {
                next = match self.jobs.try_recv() {
                    Ok(Message::Job(job)) => Some(job),
                    Ok(Message::Close(done)) => {
                        closing.push(done);
                        None
                    }
                    Err(_) => None,
                };
            }
        }
        #[cfg(debug_assertions)]
        let outcome = outcome.and_then(|()| reach(hook.as_ref(), Point::Commit));
        let outcome = outcome.and_then(|()| self.control("COMMIT"));
        #[cfg(debug_assertions)]
        let outcome = outcome.and_then(|()| reach(hook.as_ref(), Point::Committed));
        if outcome.is_err() {
            self.undo();
        }
        for (answer, end) in ends {
            self.settle(answer, end, &outcome);
        }
    }

    /// Runs one job in its own savepoint, so that it fails alone.
    fn job(&mut self, work: Work) -> End {
        if let Err(error) = self.control("SAVEPOINT job") {
            return End::Failed(error);
        }
        let tx = &mut self.tx;
        let verdict = catch_unwind(AssertUnwindSafe(|| drive(work(tx))));
        let failure = self.tx.take_failure();
        let notices = self.take_notices();
        let end = match (verdict, failure) {
            (Err(_panic), _) => End::Failed(DbError::Panicked),
            (Ok(Err(refused)), _) => End::Failed(refused),
            (Ok(Ok(Verdict::Undo)), _) => End::Undone,
            (Ok(Ok(Verdict::Keep)), Some(failure)) => End::Failed(failure),
            (Ok(Ok(Verdict::Keep)), None) => End::Kept(notices),
        };
        if self.is_idle() {
            return end;
        }
        let undone = match end {
            End::Kept(_) => Ok(()),
            End::Undone | End::Failed(_) => self.control("ROLLBACK TO job"),
        };
        match undone.and_then(|()| self.control("RELEASE job")) {
            Ok(()) => end,
            Err(error) => End::Failed(error),
        }
    }

    fn settle(
        &self,
        answer: oneshot::Sender<Result<(), DbError>>,
        end: End,
        group: &Result<(), DbError>,
    ) {
        let result = match end {
            End::Undone => Ok(()),
            End::Failed(error) => Err(error),
            End::Kept(notices) => {
                if group.is_ok() {
                    for (channel, payload) in notices {
                        self.shared.channels.publish(&channel, &payload);
                    }
                }
                group.clone()
            }
        };
        // The caller may be gone; the work is done anyway.
        answer.send(result).ok();
    }

    fn control(&mut self, sql: &str) -> Result<(), DbError> {
        match &mut self.tx.backend {
            Backend::Sqlite(tx) => tx.control(sql),
            Backend::Postgres(_) => Err(closed(&self.shared.place)),
        }
    }

    fn batch(&mut self, sql: &str) -> Result<(), DbError> {
        match &mut self.tx.backend {
            Backend::Sqlite(tx) => tx.batch(sql),
            Backend::Postgres(_) => Err(closed(&self.shared.place)),
        }
    }

    /// True outside of any transaction.
    fn is_idle(&self) -> bool {
        match &self.tx.backend {
            Backend::Sqlite(tx) => tx.is_idle(),
            Backend::Postgres(_) => true,
        }
    }

    fn take_notices(&mut self) -> Vec<(String, String)> {
        match &mut self.tx.backend {
            Backend::Sqlite(tx) => tx.take_notices(),
            Backend::Postgres(_) => Vec::new(),
        }
    }
}
