//! The database as the rest of the product holds it: open, read, write, listen, close.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::future::BoxFuture;
use secrecy::SecretString;

use crate::{
    Claims, DbError, Listener, MigrationSet, PostgresOptions, SqliteOptions, Tx, migrate,
    pool::PoolState,
    postgres::Postgres,
    sqlite::Sqlite,
    work::{Mode, Verdict, Work},
};

/// Which database is behind a [`Db`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

/// An open database; clones share it.
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
    /// Opens a SQLite file, creating it and its folder when they are missing.
    pub async fn open_sqlite(path: &Path, options: SqliteOptions) -> Result<Db, DbError> {
        let sqlite = Sqlite::open(path.to_owned(), options).await?;
        Ok(Db {
            #[cfg(debug_assertions)]
            hook: crate::faults::hook_of(sqlite.place()),
            backend: Backend::Sqlite(Arc::new(sqlite)),
        })
    }

    /// Connects to Postgres and checks that it answers and is new enough.
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

    /// Brings the tables of each set to the version this binary knows. Several nodes may do so at
    /// once; a newer or a changed schema is refused before anything is touched.
    pub async fn migrate(&self, sets: &[MigrationSet]) -> Result<(), DbError> {
        migrate::migrate(self, sets).await
    }

    /// Reads on one snapshot, beside writers and other readers. Writing in it is an error.
    pub async fn read<T, E, F>(&self, who: &Claims, work: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        self.transact(Mode::Read, who, work).await
    }

    /// Runs the work in one transaction, committed if and only if it returns `Ok`; when this returns
    /// `Ok`, the changes are on disk. Work that began goes on to its end when the caller is dropped.
    ///
    /// Inside, await nothing but the transaction: the SQLite writer serves everyone in turn and
    /// refuses work that waits for something else.
    pub async fn write<T, E, F>(&self, who: &Claims, work: F) -> Result<T, E>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        T: Send + 'static,
        E: From<DbError> + Send + 'static,
    {
        self.transact(Mode::Write, who, work).await
    }

    /// Hears everything said on `channel` from now on. Have few channels and say in the payload
    /// what changed: each `listen` names all channels of this process to the server again.
    pub async fn listen(&self, channel: &str) -> Result<Listener, DbError> {
        crate::listen::check(channel, "")?;
        match &self.backend {
            Backend::Sqlite(sqlite) => Ok(sqlite.hub().subscribe(channel)),
            Backend::Postgres(postgres) => postgres.listen(channel).await,
        }
    }

    /// Says something that is not about a transaction of its own. A hint like any notice.
    pub fn notify(&self, channel: &str, payload: &str) {
        if let Err(error) = crate::listen::check(channel, payload) {
            tracing::error!("a notice that cannot be said: {error}");
            return;
        }
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.hub().publish(channel, payload),
            Backend::Postgres(postgres) => postgres.say(channel, payload),
        }
    }

    /// Connections to Postgres at this moment; SQLite has none.
    pub fn pool(&self) -> PoolState {
        match &self.backend {
            Backend::Sqlite(_) => PoolState::default(),
            Backend::Postgres(postgres) => postgres.pool(),
        }
    }

    /// How often we waited for the database so far: round trips on Postgres, statements on SQLite.
    pub fn round_trips(&self) -> u64 {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.trips(),
            Backend::Postgres(postgres) => postgres.trips(),
        }
    }

    /// Rows that SQLite stepped over without an index so far; Postgres does not tell. For tests of growth.
    pub fn rows_scanned(&self) -> u64 {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.scanned(),
            Backend::Postgres(_) => 0,
        }
    }

    /// Finishes what was begun, refuses what comes later, and leaves the files tidy.
    pub async fn close(self) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.close().await,
            Backend::Postgres(postgres) => postgres.close().await,
        }
    }

    /// Keeps other nodes from migrating for as long as the answer lives.
    pub(crate) async fn migration_lock(
        &self,
    ) -> Result<Option<crate::postgres::Connection>, DbError> {
        match &self.backend {
            // Each step is a write of its own that looks again whether it is still due.
            Backend::Sqlite(_) => Ok(None),
            Backend::Postgres(postgres) => postgres.migration_lock().await.map(Some),
        }
    }

    /// The generic shell over [`Db::run`]: keeps the typed result while the erased work runs.
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

    /// `Ok` means that the work's own result stands: committed if it was `Ok`, undone if not.
    async fn run(&self, mode: Mode, who: &Claims, work: Work) -> Result<(), DbError> {
        #[cfg(debug_assertions)]
        let work = crate::faults::hooked(self.hook.as_ref(), mode, who, work);
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.run(mode, work).await,
            Backend::Postgres(postgres) => postgres.run(mode, who, work).await,
        }
    }
}
