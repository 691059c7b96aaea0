//! The database handle: open, read, write, listen, close.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::future::BoxFuture;
use secrecy::SecretString;

use crate::{
    Claims, DbError, Listener, MigrationSet, PostgresOptions, SqliteOptions, Tx, migrate,
    pool::PoolState,
    postgres::{NodeLock, Postgres},
    sqlite::Sqlite,
    work::{Mode, Verdict, Work},
};

/// The database behind a [`Db`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

/// An open database. Clones share it.
#[derive(Clone)]
pub struct Db {
    backend: Backend,
    #[cfg(debug_assertions)]
    hook: Option<crate::faults::Hook>,
}

#[derive(Clone)]
enum Backend {
    Sqlite(Arc<Sqlite>),
    Postgres(Arc<Postgres>),
}

impl Db {
    /// Opens an SQLite file; creates it and its folder if missing.
    pub async fn open_sqlite(path: &Path, options: SqliteOptions) -> Result<Db, DbError> {
        let sqlite = Sqlite::open(path.to_owned(), options).await?;
        Ok(Db {
            #[cfg(debug_assertions)]
            hook: crate::faults::hook_of(sqlite.place()),
            backend: Backend::Sqlite(Arc::new(sqlite)),
        })
    }

    /// Connects to Postgres and checks that the server answers and is recent enough.
    pub async fn connect_postgres(
        url: &SecretString,
        options: PostgresOptions,
    ) -> Result<Db, DbError> {
        let postgres = Postgres::connect(url, options).await?;
        Ok(Db {
            #[cfg(debug_assertions)]
            hook: crate::faults::hook_of(postgres.place()),
            backend: Backend::Postgres(Arc::new(postgres)),
        })
    }

    pub fn dialect(&self) -> Dialect {
        match self.backend {
            Backend::Sqlite(_) => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Migrates each set to the version of this binary. Several nodes may call it
    /// concurrently. A newer or altered schema is refused before any change.
    pub async fn migrate(&self, sets: &[MigrationSet]) -> Result<(), DbError> {
        migrate::migrate(self, sets).await
    }

    /// Runs read-only work on one snapshot, concurrently with writers. Writing in it is an
    /// error.
    pub async fn read<T, E, F>(&self, who: &Claims, work: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        self.transact(Mode::Read, who, work).await
    }

    /// Runs the work in one transaction and commits if it returns `Ok`. When this returns
    /// `Ok`, the changes are durable. Dropping the caller does not cancel work that has
    /// started.
    ///
    /// The work must await nothing but its transaction: all SQLite writes share one thread,
    /// which refuses work that waits for something else.
    pub async fn write<T, E, F>(&self, who: &Claims, work: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        self.transact(Mode::Write, who, work).await
    }

    /// Subscribes to `channel`. Use few channels and put the changed id into the payload:
    /// each call re-registers all channels of this process.
    pub async fn listen(&self, channel: &str) -> Result<Listener, DbError> {
        crate::listen::check(channel, "")?;
        match &self.backend {
            Backend::Sqlite(sqlite) => Ok(sqlite.channels().subscribe(channel)),
            Backend::Postgres(postgres) => postgres.listen(channel).await,
        }
    }

    /// Sends a notice outside of any transaction. Delivery is best-effort.
    pub fn notify(&self, channel: &str, payload: &str) {
        if let Err(error) = crate::listen::check(channel, payload) {
            tracing::error!("notice dropped: {error}");
            return;
        }
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.channels().publish(channel, payload),
            Backend::Postgres(postgres) => postgres.notify(channel, payload),
        }
    }

    /// The Postgres schema that migrations create and every transaction uses; `None` on SQLite
    /// and without `PostgresOptions::schema`.
    pub fn schema(&self) -> Option<&str> {
        match &self.backend {
            Backend::Sqlite(_) => None,
            Backend::Postgres(postgres) => postgres.schema(),
        }
    }

    /// The state of the Postgres connection pool; all zero on SQLite.
    pub fn pool(&self) -> PoolState {
        match &self.backend {
            Backend::Sqlite(_) => PoolState::default(),
            Backend::Postgres(postgres) => postgres.pool(),
        }
    }

    /// Database waits so far: round trips on Postgres, statements on SQLite.
    pub fn round_trips(&self) -> u64 {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.trips(),
            Backend::Postgres(postgres) => postgres.trips(),
        }
    }

    /// Rows that SQLite scanned without an index so far; always 0 on Postgres. For growth
    /// tests.
    pub fn rows_scanned(&self) -> u64 {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.scanned(),
            Backend::Postgres(_) => 0,
        }
    }

    /// Finishes running work, refuses new work and checkpoints the files.
    pub async fn close(self) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.close().await,
            Backend::Postgres(postgres) => postgres.close().await,
        }
    }

    /// Keeps other nodes from the same work until the guard is dropped.
    pub(crate) async fn lock(
        &self,
        lock: NodeLock,
    ) -> Result<Option<crate::postgres::Connection>, DbError> {
        match &self.backend {
            // Each migration step is a separate write that checks whether it is still due.
            Backend::Sqlite(_) => Ok(None),
            Backend::Postgres(postgres) => postgres.lock(lock).await.map(Some),
        }
    }

    /// Runs a Postgres statement that cannot be part of a transaction.
    pub(crate) async fn run_outside(
        &self,
        connection: &crate::postgres::Connection,
        sql: &str,
    ) -> Result<(), DbError> {
        match &self.backend {
            Backend::Sqlite(_) => Ok(()),
            Backend::Postgres(postgres) => postgres.run_outside(connection, sql).await,
        }
    }

    /// The generic wrapper of [`Db::run`]: keeps the typed result while the type-erased
    /// work runs.
    pub(crate) async fn transact<T, E, F>(&self, mode: Mode, who: &Claims, work: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        let result = Arc::new(Mutex::new(None));
        let kept = Arc::clone(&result);
        let erased: Work = Box::new(move |tx| {
            Box::pin(async move {
                let answer = work(tx).await;
                let verdict = match answer {
                    Ok(_) => Verdict::Keep,
                    Err(_) => Verdict::Undo,
                };
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
                verdict
            })
        });
        self.run(mode, who, erased).await?;
        let answer = result.lock().unwrap_or_else(PoisonError::into_inner).take();
        answer.unwrap_or_else(|| Err(DbError::Panicked.into()))
    }

    /// `Ok` means that the work's own result is final: committed if it was `Ok`, rolled
    /// back if not.
    async fn run(&self, mode: Mode, who: &Claims, work: Work) -> Result<(), DbError> {
        #[cfg(debug_assertions)]
        let work = crate::faults::hooked(self.hook.as_ref(), mode, who, work);
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.run(mode, work).await,
            Backend::Postgres(postgres) => postgres.run(mode, who, work).await,
        }
    }
}
