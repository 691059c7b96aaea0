//! The service: its state in one struct, and its database access.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use frontdesk_db::{Db, DbError, Dialect, Tx};
use tokio::sync::Semaphore;

use crate::auth::Verifier;
use crate::error::ApiError;
use crate::photo::Photos;
use crate::settings::{Settings, SettingsError};
use crate::tables;
use frontdesk_print::{Fonts, ScriptCoverage};

pub type Clock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// Work inside a transaction.
pub(crate) type Work<'t, T> = Pin<Box<dyn Future<Output = Result<T, ApiError>> + Send + 't>>;

/// Concurrent photo decodes; each may use 64 MB.
const DECODES_AT_ONCE: usize = 2;
/// Minimum retention of idempotency keys; purged at most once an hour.
const KEEP_KEYS: TimeDelta = TimeDelta::hours(48);
const PURGE_EVERY_SECONDS: i64 = 3600;

/// The Gate Pass API. Clones share everything.
#[derive(Clone)]
pub struct GatePass {
    db: Db,
    pub(crate) settings: Arc<Settings>,
    pub(crate) photos: Photos,
    pub(crate) fonts: Arc<Fonts>,
    pub(crate) verifier: Arc<Verifier>,
    pub(crate) uploads: Arc<Semaphore>,
    pub(crate) decodes: Arc<Semaphore>,
    writes: Arc<Semaphore>,
    clock: Clock,
    purged_at: Arc<AtomicI64>,
}

impl GatePass {
    /// The service on a migrated database ([`crate::MIGRATIONS`]).
    pub fn new(
        db: Db,
        settings: Settings,
        photos: Photos,
        clock: Clock,
    ) -> Result<GatePass, SettingsError> {
        settings.check()?;
        let fonts = Fonts::new(settings.fonts_dir.clone()).ok_or(SettingsError::Fonts)?;
        Ok(GatePass {
            photos,
            fonts: Arc::new(fonts),
            verifier: Arc::new(Verifier::new(&settings)),
            uploads: Arc::new(Semaphore::new(settings.max_uploads)),
            decodes: Arc::new(Semaphore::new(DECODES_AT_ONCE)),
            writes: Arc::new(Semaphore::new(writes_at_once(db.dialect()))),
            db,
            settings: Arc::new(settings),
            clock,
            purged_at: Arc::new(AtomicI64::new(0)),
        })
    }

    /// Now, truncated to the millisecond, so that stored and shown times agree.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        (self.clock)().trunc_subsecs(3)
    }

    /// The scripts that a printed pass supports.
    pub fn scripts(&self) -> Vec<ScriptCoverage> {
        self.fonts.coverage()
    }

    pub(crate) async fn read<T, F>(&self, work: F) -> Result<T, ApiError>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> Work<'t, T> + Send + 'static,
        T: Send + 'static,
    {
        self.db.read(&tables::claims(), work).await
    }

    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, ApiError>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> Work<'t, T> + Send + 'static,
        T: Send + 'static,
    {
        let _turn = self.writes.acquire().await.map_err(ApiError::unavailable)?;
        self.db.write(&tables::claims(), work).await
    }

    /// Purges old idempotency keys occasionally, after a request that used one.
    pub(crate) async fn purge_old_keys(&self) {
        let now = self.now();
        let last = self.purged_at.load(Ordering::Relaxed);
        let due = now.timestamp() - last >= PURGE_EVERY_SECONDS
            && self
                .purged_at
                .compare_exchange(last, now.timestamp(), Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if !due {
            return;
        }
        let purged = self.write(move |tx| {
            Box::pin(async move { Ok(tables::requests::purge(tx, now - KEEP_KEYS).await?) })
        });
        if let Err(error) = purged.await {
            tracing::warn!(
                error.code = error.code,
                "old idempotency keys could not be removed; retrying in an hour"
            );
        }
    }
}

/// Concurrent writes; further ones wait here. Postgres must keep connections for reads,
/// SQLite commits many writes with one flush.
fn writes_at_once(dialect: Dialect) -> usize {
    match dialect {
        Dialect::Postgres => 8,
        Dialect::Sqlite => 128,
    }
}

impl From<DbError> for ApiError {
    fn from(error: DbError) -> Self {
        match error {
            DbError::Busy { .. }
            | DbError::Timeout { .. }
            | DbError::Retryable { .. }
            | DbError::Unavailable { .. }
            | DbError::PoolExhausted { .. } => ApiError::unavailable(error),
            DbError::OutcomeUnknown { .. } => ApiError::outcome_unknown(error),
            DbError::Full { .. } => ApiError::storage_full(error),
            DbError::Unique { .. }
            | DbError::ForeignKey { .. }
            | DbError::Check { .. }
            | DbError::NotNull { .. }
            | DbError::Denied { .. }
            | DbError::Corrupt { .. }
            | DbError::NotADatabase { .. }
            | DbError::ReadOnly { .. }
            | DbError::NewerSchema { .. }
            | DbError::ChangedMigration { .. }
            | DbError::BadValue { .. }
            | DbError::Panicked
            | DbError::Statement(_) => ApiError::internal(error),
        }
    }
}
