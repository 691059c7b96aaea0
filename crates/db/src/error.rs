//! Database errors as an enum for callers to match on. Each message is one sentence for the
//! operator that names the fix; none contains credentials.

use std::time::Duration;

use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DbError {
    /// A unique constraint failed. `constraint` is its name on Postgres and `table.column,
    /// …` on SQLite.
    #[error(
        "a row with the same values already exists ({constraint}); change the values or update that row"
    )]
    Unique { constraint: String },
    /// A referenced row is missing, or a row is still referenced. SQLite does not name the
    /// constraint.
    #[error(
        "a referenced row does not exist, or this row is still referenced ({constraint}); create or remove the other row first"
    )]
    ForeignKey { constraint: String },
    /// A check constraint failed.
    #[error("a value breaks a rule of its table ({constraint}); correct the value")]
    Check { constraint: String },
    /// A required value is missing.
    #[error("a required value is missing ({column}); supply it")]
    NotNull { column: String },
    /// A row-level policy or a missing privilege refused the statement.
    #[error("the database role may not do this ({rule}); check the role's grants and policies")]
    Denied { rule: String },
    /// Another transaction held a lock beyond the timeout.
    #[error(
        "{place} is locked by another program or transaction; try again, and close other programs that write to it"
    )]
    Busy { place: String },
    /// A statement exceeded its timeout.
    #[error(
        "{place} took too long to answer; try again, and look for slow queries or an overloaded machine"
    )]
    Timeout { place: String },
    /// A serialization failure or deadlock; the transaction was rolled back and can be
    /// retried.
    #[error(
        "the transaction collided with another one (SQLSTATE {code}) and was undone; run it again"
    )]
    Retryable { code: String },
    /// Cannot connect, or the connection was lost before the commit.
    #[error("{place} cannot be reached: {reason}")]
    Unavailable { place: String, reason: String },
    /// The connection was lost during the commit.
    #[error(
        "the connection to {place} was lost while committing: the change may or may not be saved; look before doing it again"
    )]
    OutcomeUnknown { place: String },
    /// No connection, or no slot in the writer's queue, became free in time.
    #[error(
        "{place} had no free connection within {waited:?}; lower the load or raise the pool size"
    )]
    PoolExhausted { place: String, waited: Duration },
    /// The disk is full.
    #[error(
        "no space is left for {place}: nothing of this change was saved; free space on its disk and try again"
    )]
    Full { place: String },
    /// The stored data are corrupt.
    #[error(
        "{place} is damaged: stop the program, keep a copy of the file, and restore the last backup"
    )]
    Corrupt { place: String },
    /// The file is not an SQLite database.
    #[error("{place} is not a database: choose another path, or move that file away")]
    NotADatabase { place: String },
    /// The file, its folder or the transaction is read-only.
    #[error(
        "{place} cannot be written: check the permissions of the file and its folder, and that this is not a read-only transaction or standby"
    )]
    ReadOnly { place: String },
    /// A newer release has migrated the database.
    #[error(
        "the tables of {owner} are at version {found}, this program knows {known}: start the newer release, or restore a backup from before it"
    )]
    NewerSchema {
        owner: String,
        found: i64,
        known: i64,
    },
    /// An applied migration was edited or removed.
    #[error(
        "migration {version} ({name}) of {owner} is not the one that was applied to this database: restore its text and add a new migration instead"
    )]
    ChangedMigration {
        owner: String,
        version: i64,
        name: String,
    },
    /// A value does not fit its column or parameter.
    #[error("{column} {problem}")]
    BadValue { column: String, problem: String },
    /// The work inside a transaction panicked; the transaction was rolled back.
    #[error(
        "work inside a transaction panicked and was undone: this is a defect, see the log for the place"
    )]
    Panicked,
    /// The statement is invalid: a defect of the program. The text is for the log only.
    #[error("a database statement failed: {0}")]
    Statement(String),
}

impl DbError {
    pub(crate) fn bad_value(column: impl Into<String>, problem: impl Into<String>) -> Self {
        DbError::BadValue {
            column: column.into(),
            problem: problem.into(),
        }
    }
}
