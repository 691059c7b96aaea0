//! Maps Postgres errors to [`DbError`], by SQLSTATE.

use std::error::Error as _;

use tokio_postgres::{
    Error,
    error::{DbError as ServerError, SqlState},
};

use crate::DbError;

/// An error without an SQLSTATE is a connection failure.
pub(super) fn typed(error: &Error, place: &str) -> DbError {
    match error.as_db_error() {
        Some(server) => from_server(server, place),
        None if error.is_closed() || is_io(error) => lost(place),
        None => DbError::Statement(with_causes(error)),
    }
}

/// Every failure to connect is `Unavailable`; the reason names the cause and the fix.
pub(super) fn connecting(error: &Error, place: &str) -> DbError {
    let reason = match error.as_db_error() {
        Some(server) => match server.code() {
            &SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
                "the server refused the user name or password; check the credentials in DATABASE_URL"
                    .to_owned()
            }
            &SqlState::UNDEFINED_DATABASE => {
                "the database does not exist; create it with createdb".to_owned()
            }
            &SqlState::TOO_MANY_CONNECTIONS => {
                "the server has no connections left; lower the pool size or raise max_connections"
                    .to_owned()
            }
            _ => format!("{}; see the server log", server.message()),
        },
        None => format!(
            "{}; check that it is running and that DATABASE_URL is right",
            with_causes(error)
        ),
    };
    DbError::Unavailable {
        place: place.to_owned(),
        reason,
    }
}

/// True if a `COMMIT` got no definite result.
pub(super) fn leaves_commit_open(error: &Error) -> bool {
    match error.code() {
        Some(code) => code.code().starts_with("57P") || code.code().starts_with("08"),
        None => true,
    }
}

/// True if a migration has outdated a prepared statement.
pub(super) fn is_stale_statement(error: &Error) -> bool {
    error.as_db_error().is_some_and(|server| {
        server.code() == &SqlState::INVALID_SQL_STATEMENT_NAME
            || server.routine() == Some("RevalidateCachedQuery")
    })
}

pub(super) fn lost(place: &str) -> DbError {
    DbError::Unavailable {
        place: place.to_owned(),
        reason: "the connection was lost and nothing was saved; try again, and see the server log if it persists".to_owned(),
    }
}

fn from_server(server: &ServerError, place: &str) -> DbError {
    let place = place.to_owned();
    let constraint = || server.constraint().unwrap_or("unnamed").to_owned();
    match server.code() {
        &SqlState::UNIQUE_VIOLATION | &SqlState::EXCLUSION_VIOLATION => DbError::Unique {
            constraint: constraint(),
        },
        &SqlState::FOREIGN_KEY_VIOLATION | &SqlState::RESTRICT_VIOLATION => DbError::ForeignKey {
            constraint: constraint(),
        },
        &SqlState::CHECK_VIOLATION => DbError::Check {
            constraint: constraint(),
        },
        &SqlState::NOT_NULL_VIOLATION => DbError::NotNull {
            column: format!(
                "{}.{}",
                server.table().unwrap_or("?"),
                server.column().unwrap_or("?")
            ),
        },
        &SqlState::INSUFFICIENT_PRIVILEGE => DbError::Denied {
            rule: server.message().to_owned(),
        },
        &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => {
            DbError::Retryable {
                code: server.code().code().to_owned(),
            }
        }
        &SqlState::LOCK_NOT_AVAILABLE => DbError::Busy { place },
        &SqlState::QUERY_CANCELED => DbError::Timeout { place },
        &SqlState::DISK_FULL => DbError::Full { place },
        &SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED => DbError::Corrupt { place },
        &SqlState::READ_ONLY_SQL_TRANSACTION => DbError::ReadOnly { place },
        code => by_class(code.code(), server, place),
    }
}

fn by_class(code: &str, server: &ServerError, place: String) -> DbError {
    let class = code.get(..2).unwrap_or_default();
    match class {
        // Data exceptions: the message names the type and at most the caller's own value.
        "22" => DbError::bad_value("a value", format!("cannot be stored: {}", server.message())),
        "08" | "57" | "53" => DbError::Unavailable {
            place,
            reason: format!(
                "{} (SQLSTATE {code}); try again, and see the server log if it persists",
                server.message()
            ),
        },
        // The server closed a session that was idle in a transaction for too long.
        "25" if code == "25P03" => lost(&place),
        _ => DbError::Statement(format!("{} (SQLSTATE {code})", server.message())),
    }
}

fn is_io(error: &Error) -> bool {
    error
        .source()
        .is_some_and(|cause| cause.is::<std::io::Error>())
}

fn with_causes(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text.push_str(": ");
        text.push_str(&next.to_string());
        cause = next.source();
    }
    text
}
