//! Failures inside a transaction, and their translation for callers.

use frontdesk_core::store::StoreError;
use frontdesk_db::DbError;

/// The constraint name with which Postgres reports a lost lease.
pub(crate) const LEASE_CONSTRAINT: &str = "turn_lease";

/// The cause of a rollback.
#[derive(Debug)]
pub(crate) enum TxError {
    Db(DbError),
    Store(StoreError),
}

impl From<DbError> for TxError {
    fn from(error: DbError) -> Self {
        TxError::Db(error)
    }
}

impl From<StoreError> for TxError {
    fn from(error: StoreError) -> Self {
        TxError::Store(error)
    }
}

impl TxError {
    pub(crate) fn into_store(self) -> StoreError {
        match self {
            TxError::Db(error) => store_error(error),
            TxError::Store(error) => error,
        }
    }
}

/// Unreadable data in our own tables: a defect, never the caller's fault.
pub(crate) fn unreadable(what: &str) -> TxError {
    TxError::Store(StoreError::Internal(format!("{what} cannot be read")))
}

/// Translates a database error for callers of the store.
pub fn store_error(error: DbError) -> StoreError {
    match error {
        DbError::Check { constraint } if constraint == LEASE_CONSTRAINT => StoreError::Fenced,
        DbError::Denied { .. } => StoreError::Forbidden,
        DbError::Unique { .. } => StoreError::Conflict(
            "the same thing was stored at the same moment; look at it and try again".to_owned(),
        ),
        DbError::Busy { .. }
        | DbError::Timeout { .. }
        | DbError::Retryable { .. }
        | DbError::Unavailable { .. }
        | DbError::OutcomeUnknown { .. }
        | DbError::PoolExhausted { .. }
        | DbError::Full { .. }
        | DbError::ReadOnly { .. } => StoreError::Unavailable(error.to_string()),
        DbError::ForeignKey { .. }
        | DbError::Check { .. }
        | DbError::NotNull { .. }
        | DbError::Corrupt { .. }
        | DbError::NotADatabase { .. }
        | DbError::NewerSchema { .. }
        | DbError::ChangedMigration { .. }
        | DbError::BadValue { .. }
        | DbError::Panicked
        | DbError::Statement(_) => StoreError::Internal(error.to_string()),
    }
}
