//! A SQLite file: one writer thread that commits in groups, readers on snapshots beside it.

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
    listen::Hub,
    pool::Pool,
    work::{Counter, Mode, Verdict, Work},
};

use reader::Reader;
pub(crate) use tx::SqliteTx;
use writer::Writer;

/// How a SQLite file is opened.
#[derive(Clone, Copy, Debug)]
pub struct SqliteOptions {
    /// How many snapshots may be read at once.
    pub readers: u32,
    /// How long to wait for another program that holds the file.
    pub busy_timeout: Duration,
    /// How long to wait for a place in the writer's queue or for a reader.
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

/// When a commit counts as done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synchronous {
    /// When it survives a power cut.
    Full,
    /// When it survives a crash of the program: for benchmarks and data that can be made again.
    Normal,
}

/// What every connection to the file shares.
pub(crate) struct Shared {
    path: PathBuf,
    options: SqliteOptions,
    /// How error texts call the file.
    pub(crate) place: String,
    pub(crate) trips: Counter,
    /// Rows that were stepped over without an index.
    pub(crate) scanned: Counter,
    hub: Hub,
}

pub(crate) struct Sqlite {
    shared: Arc<Shared>,
    writer: Writer,
    readers: Arc<Pool<Reader>>,
}

impl Sqlite {
    pub(crate) async fn open(path: PathBuf, options: SqliteOptions) -> Result<Self, DbError> {
        let place = format!("the database file {}", path.display());
        let shared = Arc::new(Shared {
            path,
            options,
            place: place.clone(),
            trips: Counter::default(),
            scanned: Counter::default(),
            hub: Hub::default(),
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

    pub(crate) fn hub(&self) -> &Hub {
        &self.shared.hub
    }

    pub(crate) fn trips(&self) -> u64 {
        self.shared.trips.so_far()
    }

    pub(crate) fn scanned(&self) -> u64 {
        self.shared.scanned.so_far()
    }

    pub(crate) async fn close(&self) {
        // Readers first: the last checkpoint can empty the log only when nobody reads from it.
        self.readers.close().await;
        self.writer.close().await;
        self.shared.hub.close();
    }
}

impl Shared {
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
            // The write lock shows now, and not at the first message, that the file cannot be written.
            .and_then(|()| connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK;"))
            .map_err(|error| error::typed(&error, &self.place))?;
        Ok(connection)
    }

    fn open_reader(&self) -> Result<Connection, DbError> {
        let connection = self.open(OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        // Whatever a reader has in memory is void after the next write; the operating system has it too.
        connection
            .pragma_update(None, "cache_size", READER_CACHE)
            .map_err(|error| error::typed(&error, &self.place))?;
        Ok(connection)
    }

    fn open(&self, access: OpenFlags) -> Result<Connection, DbError> {
        // One thread uses a connection at a time, so SQLite's own mutex would be waste.
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || {
            let connection = Connection::open_with_flags(&self.path, flags)?;
            connection.busy_timeout(self.options.busy_timeout)?;
            connection.set_prepared_statement_cache_capacity(STATEMENTS);
            // Otherwise a statement is prepared anew whenever a value is bound that a partial index might care about.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
            connection.execute_batch("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;")?;
            Ok(connection)
        };
        open().map_err(|error| error::typed(&error, &self.place))
    }
}

/// What a reader keeps of the file in memory, in KiB below zero as SQLite has it.
const READER_CACHE: i32 = -256;
/// Prepared statements kept per connection.
const STATEMENTS: usize = 256;

/// Makes the folder and an empty file that only its owner can read; SQLite gives the same rights to
/// the files beside it.
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

/// Drives the work to its end on this thread. A transaction's own futures never wait here; whatever
/// else the work waits for would stop everyone, or for ever (a write inside a write), so it is
/// refused.
fn drive(mut work: BoxFuture<'_, Verdict>) -> Result<Verdict, DbError> {
    struct Woken(AtomicBool);
    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::Release);
        }
    }
    let woken = Arc::new(Woken(AtomicBool::new(false)));
    let waker = Waker::from(Arc::clone(&woken));
    loop {
        match work.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(verdict) => return Ok(verdict),
            // It only gave way to others: there are none here.
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
