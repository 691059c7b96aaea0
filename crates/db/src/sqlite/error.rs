//! Maps SQLite errors to [`DbError`].

use std::io;

use rusqlite::{ErrorCode, ffi};

use crate::DbError;

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "not our enum, and most of it is alike"
)]
pub(super) fn typed(error: &rusqlite::Error, place: &str) -> DbError {
    let rusqlite::Error::SqliteFailure(failure, text) = error else {
        return DbError::Statement(error.to_string());
    };
    let place = place.to_owned();
    let text = text.as_deref().unwrap_or_default();
    match failure.code {
        ErrorCode::ConstraintViolation => constraint(failure.extended_code, text),
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => DbError::Busy { place },
        ErrorCode::OperationInterrupted => DbError::Timeout { place },
        ErrorCode::DiskFull => DbError::Full { place },
        ErrorCode::DatabaseCorrupt => DbError::Corrupt { place },
        ErrorCode::NotADatabase => DbError::NotADatabase { place },
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => DbError::ReadOnly { place },
        ErrorCode::CannotOpen => DbError::Unavailable {
            place,
            reason: "the file cannot be opened; check the path and the permissions of its folder"
                .to_owned(),
        },
        ErrorCode::SystemIoFailure => DbError::Unavailable {
            place,
            reason: format!("the disk reported an error ({text}); check the disk and its mount"),
        },
        ErrorCode::TooBig => DbError::bad_value("a value", "is too large to be stored"),
        _ => DbError::Statement(error.to_string()),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "not our enum, and most of it is alike"
)]
pub(super) fn from_io(error: &io::Error, place: &str) -> DbError {
    let place = place.to_owned();
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            DbError::ReadOnly { place }
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => DbError::Full { place },
        _ => DbError::Unavailable {
            place,
            reason: format!("{error}; check the path"),
        },
    }
}

/// SQLite names the constraint only in the message, after the colon.
fn constraint(extended: i32, text: &str) -> DbError {
    let constraint = text
        .split_once(": ")
        .map_or(text, |(_, name)| name)
        .to_owned();
    match extended {
        ffi::SQLITE_CONSTRAINT_UNIQUE
        | ffi::SQLITE_CONSTRAINT_PRIMARYKEY
        | ffi::SQLITE_CONSTRAINT_ROWID => DbError::Unique { constraint },
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => DbError::ForeignKey { constraint },
        ffi::SQLITE_CONSTRAINT_NOTNULL => DbError::NotNull { column: constraint },
        ffi::SQLITE_CONSTRAINT_DATATYPE => DbError::bad_value("a value", text),
        _ => DbError::Check { constraint },
    }
}
