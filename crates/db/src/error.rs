//! What can go wrong in a database, as an enum that callers branch on.
//! Each text is one sentence for the operator that says what to do next; none carries credentials.

use std::time::Duration;

use thiserror::Error;

/// A failed database operation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DbError {
    /// A row with these values is there already. `constraint` is the constraint's name on Postgres
    /// and `table.column, …` on SQLite.
    #[error(
        "a row with the same values exists already ({constraint}); change the values or update that row"
    )]
    Unique { constraint: String },
    /// A referenced row is missing, or a row is still referenced. SQLite does not name the constraint.
    #[error(
        "a referenced row does not exist, or this row is still referenced ({constraint}); create or remove the other row first"
    )]
    ForeignKey { constraint: String },
    /// A value breaks a rule of its table.
    #[error("a value breaks a rule of its table ({constraint}); correct the value")]
    Check { constraint: String },
    /// A value that must be given is missing.
    #[error("a required value is missing ({column}); supply it")]
    NotNull { column: String },
    /// A row-level policy or a missing privilege refused the statement.
    #[error("the database role may not do this ({rule}); check the role's grants and policies")]
    Denied { rule: String },
    /// Someone else held a lock for longer than we wait.
    #[error(
        "{place} is locked by another program or transaction; try again, and close other programs that write to it"
    )]
    Busy { place: String },
    /// A statement ran for longer than it may.
    #[error(
        "{place} took too long to answer; try again, and look for slow queries or an overloaded machine"
    )]
    Timeout { place: String },
    /// Two transactions collided and this one was rolled back.
    #[error(
        "the transaction collided with another one (SQLSTATE {code}) and was undone; run it again"
    )]
    Retryable { code: String },
    /// Cannot connect, or the connection was lost before anything was committed.
    #[error("{place} cannot be reached: {reason}")]
    Unavailable { place: String, reason: String },
    /// The connection was lost while committing.
    #[error(
        "the connection to {place} was lost while committing: the change may or may not be saved; look before doing it again"
    )]
    OutcomeUnknown { place: String },
    /// All connections, or all places in the writer's queue, were taken for too long.
    #[error(
        "{place} had no free connection within {waited:?}; lower the load or raise the pool size"
    )]
    PoolExhausted { place: String, waited: Duration },
    /// No space is left.
    #[error(
        "no space is left for {place}: nothing of this change was saved; free space on its disk and try again"
    )]
    Full { place: String },
    /// The stored data are damaged.
    #[error(
        "{place} is damaged: stop the program, keep a copy of the file, and restore the last backup"
    )]
    Corrupt { place: String },
    /// The file is something else.
    #[error("{place} is not a database: choose another path, or move that file away")]
    NotADatabase { place: String },
    /// The database, its folder or the transaction does not allow writing.
    #[error(
        "{place} cannot be written: check the permissions of the file and its folder, and that this is no read-only transaction or standby"
    )]
    ReadOnly { place: String },
    /// The database was migrated by a newer release.
    #[error(
        "the tables of {owner} are at version {found}, this program knows {known}: start the newer release, or restore a backup from before it"
    )]
    NewerSchema {
        owner: String,
        found: i64,
        known: i64,
    },
    /// A migration that was applied reads differently now, or is gone.
    #[error(
        "migration {version} ({name}) of {owner} is not the one that was applied to this database: restore its text and add a new migration instead"
    )]
    ChangedMigration {
        owner: String,
        version: i64,
        name: String,
    },
    /// A value cannot be stored in, or read from, this column or parameter.
    #[error("{column} {problem}")]
    BadValue { column: String, problem: String },
    /// The work inside a transaction panicked; it was rolled back.
    #[error(
        "work inside a transaction panicked and was undone: this is a defect, see the log for the place"
    )]
    Panicked,
    /// The statement itself is wrong: a defect of the program. The text is for the log only.
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
