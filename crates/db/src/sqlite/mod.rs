//! An SQLite file: one writer thread that commits in groups, and readers on snapshots.

mod error;
mod reader;
mod tx;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    sync::atomic::{AtomicBool, Ordering},
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use futures_util::future::BoxFuture;
use rusqlite::{Connection, OpenFlags, config::DbConfig};

use crate::{
    DbError,
    listen::ChannelRegistry,
    pool::Pool,
    work::{Counter, Mode, Verdict, Work},
};

use reader::Reader;
pub(crate) use tx::SqliteTx;
use writer::Writer;

#[derive(Clone, Copy, Debug)]
pub struct SqliteOptions {
    /// Maximum concurrent snapshot readers.
    pub readers: u32,
    /// Maximum wait for another program that holds the file.
    pub busy_timeout: Duration,
    /// Maximum wait for a slot in the writer's queue or for a reader.
    pub pool_wait: Duration,
    pub synchronous: Synchronous,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        SqliteOptions {
            readers: 4,
            busy_timeout: Duration::from_secs(5),
            pool_wait: Duration::from_secs(30),
            synchronous: Synchronous::Full,
        }
    }
}

/// The durability of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synchronous {
    /// A commit survives a power cut.
    Full,
    /// A commit survives a crash of the program: for benchmarks and data that can be
    /// rebuilt.
    Normal,
}

/// The state shared by all connections to the file.
pub(crate) struct SqliteShared {
    path: PathBuf,
    options: SqliteOptions,
    /// The file's name in error messages.
    pub(crate) place: String,
    pub(crate) trips: Counter,
    /// Rows scanned without an index.
    pub(crate) scanned: Counter,
    channels: ChannelRegistry,
}

pub(crate) struct Sqlite {
    shared: Arc<SqliteShared>,
    writer: Writer,
    readers: Arc<Pool<Reader>>,
}

impl Sqlite {
    pub(crate) async fn open(path: PathBuf, options: SqliteOptions) -> Result<Self, DbError> {
        let place = format!("the database file {}", path.display());
        let shared = Arc::new(SqliteShared {
            path,
            options,
            place: place.clone(),
            trips: Counter::default(),
            scanned: Counter::default(),
            channels: ChannelRegistry::default(),
        });
        let opening = Arc::clone(&shared);
        let connection = tokio::task::spawn_blocking(move || opening.open_writer())
            .await
            .map_err(|_| crate::pool::closed(&place))??;
        let writer = Writer::start(connection, Arc::clone(&shared))?;
        let readers = Arc::new(Pool::new(options.readers, options.pool_wait, place));
        Ok(Sqlite {
            shared,
            writer,
            readers,
        })
    }

    pub(crate) async fn run(&self, mode: Mode, work: Work) -> Result<(), DbError> {
        match mode {
            Mode::Write | Mode::Migrate => self.writer.run(work).await,
            Mode::Read => reader::run(&self.readers, &self.shared, work).await,
        }
    }

    #[cfg(debug_assertions)]
    pub(crate) fn place(&self) -> &str {
        &self.shared.place
    }

    pub(crate) fn channels(&self) -> &ChannelRegistry {
        &self.shared.channels
    }

    pub(crate) fn trips(&self) -> u64 {
        self.shared.trips.total()
    }

    pub(crate) fn scanned(&self) -> u64 {
        self.shared.scanned.total()
    }

    pub(crate) async fn close(&self) {
        // Readers first: the final checkpoint can truncate the log only without readers.
        self.readers.close().await;
        self.writer.close().await;
        self.shared.channels.close();
    }
}

impl SqliteShared {
    fn open_writer(&self) -> Result<Connection, DbError> {
        prepare_file(&self.path).map_err(|error| error::from_io(&error, &self.place))?;
        let connection = self.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let synchronous = match self.options.synchronous {
            Synchronous::Full => "FULL",
            Synchronous::Normal => "NORMAL",
        };
        let settings = format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous};
             PRAGMA journal_size_limit = 67108864;"
        );
        connection
            .execute_batch(&settings)
            // Takes the write lock once, to detect an unwritable file at start.
            .and_then(|()| connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK;"))
            .map_err(|error| error::typed(&error, &self.place))?;
        Ok(connection)
    }

    fn open_reader(&self) -> Result<Connection, DbError> {
        let connection = self.open(OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        // Every write invalidates a reader's page cache; the operating system caches the
        // file as well.
        connection
            .pragma_update(None, "cache_size", READER_CACHE)
            .map_err(|error| error::typed(&error, &self.place))?;
        Ok(connection)
    }

    fn open(&self, access: OpenFlags) -> Result<Connection, DbError> {
        // One thread uses a connection at a time, so SQLite's own mutex is unnecessary.
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || {
            let connection = Connection::open_with_flags(&self.path, flags)?;
            connection.busy_timeout(self.options.busy_timeout)?;
            connection.set_prepared_statement_cache_capacity(STATEMENTS);
            // Without this, SQLite re-prepares a statement when a bound value could affect
            // a partial index.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
            connection.execute_batch("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;")?;
            Ok(connection)
        };
        open().map_err(|error| error::typed(&error, &self.place))
    }
}

/// Page cache of a reader; a negative number is KiB in SQLite's convention.
const READER_CACHE: i32 = -256;
/// Prepared statements per connection.
const STATEMENTS: usize = 256;

/// Creates the folder and an empty file readable only by its owner; SQLite copies the mode
/// to its side files.
fn prepare_file(path: &Path) -> std::io::Result<()> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Drives the work to completion on this thread. The transaction's own futures never block;
/// work that waits for anything else would block all writers, or deadlock (a write inside a
/// write), so it is refused.
fn drive(mut work: BoxFuture<'_, Verdict>) -> Result<Verdict, DbError> {
    struct WakeFlag(AtomicBool);
    impl Wake for WakeFlag {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::Release);
        }
    }
    let woken = Arc::new(WakeFlag(AtomicBool::new(false)));
    let waker = Waker::from(Arc::clone(&woken));
    loop {
        match work.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(verdict) => return Ok(verdict),
            // The work yielded; there is nothing else to run.
            Poll::Pending if woken.0.swap(false, Ordering::Acquire) => {}
            Poll::Pending => {
                return Err(DbError::Statement(
                    "work inside a transaction waited for something other than its transaction"
                        .to_owned(),
                ));
            }
        }
    }
}
