//! Statements on an SQLite connection.

use std::sync::Arc;

use rusqlite::{
    CachedStatement, Connection, StatementStatus,
    types::{ToSqlOutput, Value as Stored, ValueRef},
};

use super::{SqliteShared, error};
use crate::{DbError, Row, Value};

/// A connection and the current job's notices.
pub(crate) struct SqliteTx {
    connection: Connection,
    shared: Arc<SqliteShared>,
    notices: Vec<(String, String)>,
}

impl SqliteTx {
    pub(super) fn new(connection: Connection, shared: Arc<SqliteShared>) -> Self {
        SqliteTx {
            connection,
            shared,
            notices: Vec::new(),
        }
    }

    pub(super) fn into_connection(self) -> Connection {
        self.connection
    }

    /// True outside of any transaction.
    pub(super) fn is_idle(&self) -> bool {
        self.connection.is_autocommit()
    }

    pub(super) fn take_notices(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.notices)
    }

    /// Runs a control statement from the statement cache. Not counted as a round trip.
    pub(super) fn control(&mut self, sql: &str) -> Result<(), DbError> {
        let typed = |error| error::typed(&error, &self.shared.place);
        let mut statement = self.connection.prepare_cached(sql).map_err(typed)?;
        statement.raw_execute().map(drop).map_err(typed)
    }

    /// Runs several control statements. Not counted as round trips.
    pub(super) fn batch(&mut self, sql: &str) -> Result<(), DbError> {
        self.connection
            .execute_batch(sql)
            .map_err(|error| error::typed(&error, &self.shared.place))
    }

    pub(crate) fn script(&mut self, sql: &str) -> Result<(), DbError> {
        self.shared.trips.add_one();
        self.batch(sql)
    }

    pub(crate) fn notify(&mut self, channel: &str, payload: &str) {
        self.notices.push((channel.to_owned(), payload.to_owned()));
    }

    pub(crate) fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, DbError> {
        let mut statement = self.bound(sql, values)?;
        let changes = !statement.readonly();
        let mut rows = statement.raw_query();
        while rows
            .next()
            .map_err(|error| error::typed(&error, &self.shared.place))?
            .is_some()
        {}
        drop(rows);
        self.count_scanned(&mut statement);
        Ok(if changes {
            self.connection.changes()
        } else {
            0
        })
    }

    pub(crate) fn rows(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, DbError> {
        let mut statement = self.bound(sql, values)?;
        let columns: Arc<[String]> = statement.column_names().map(str::to_owned).collect();
        let mut found = Vec::new();
        let mut rows = statement.raw_query();
        while let Some(row) = rows
            .next()
            .map_err(|error| error::typed(&error, &self.shared.place))?
        {
            let mut cells = Vec::with_capacity(columns.len());
            for (index, column) in columns.iter().enumerate() {
                let cell = row
                    .get_ref(index)
                    .map_err(|error| error::typed(&error, &self.shared.place))?;
                cells.push(stored(cell, column)?);
            }
            found.push(Row::sqlite(Arc::clone(&columns), cells));
        }
        drop(rows);
        self.count_scanned(&mut statement);
        Ok(found)
    }

    fn count_scanned(&self, statement: &mut CachedStatement<'_>) {
        let steps = statement.reset_status(StatementStatus::FullscanStep);
        self.shared.scanned.add(u64::try_from(steps).unwrap_or(0));
    }

    /// A cached statement with bound values. SQLite treats `$1` as a *name* and numbers
    /// parameters by first appearance, so each is bound by the number in its name.
    /// `$1::text`, a cast for Postgres, is also a name and maps to the same value.
    fn bound(&self, sql: &str, values: &[Value]) -> Result<CachedStatement<'_>, DbError> {
        self.shared.trips.add_one();
        let typed = |error| error::typed(&error, &self.shared.place);
        let mut statement = self.connection.prepare_cached(sql).map_err(typed)?;
        let mut highest = 0;
        for index in 1..=statement.parameter_count() {
            let number = statement.parameter_name(index).and_then(number);
            let value = number.and_then(|number| values.get(number.checked_sub(1)?));
            let (Some(number), Some(value)) = (number, value) else {
                return Err(wrong_count(sql, values.len()));
            };
            highest = highest.max(number);
            statement
                .raw_bind_parameter(index, BoundValue(value))
                .map_err(typed)?;
        }
        if highest != values.len() {
            return Err(wrong_count(sql, values.len()));
        }
        Ok(statement)
    }
}

fn number(name: &str) -> Option<usize> {
    let name = name.strip_prefix('$')?;
    name.split("::").next()?.parse().ok()
}

fn wrong_count(sql: &str, given: usize) -> DbError {
    DbError::Statement(format!(
        "{given} values do not fit the parameters $1, $2, … of: {sql}"
    ))
}

fn stored(cell: ValueRef<'_>, column: &str) -> Result<Stored, DbError> {
    Ok(match cell {
        ValueRef::Null => Stored::Null,
        ValueRef::Integer(int) => Stored::Integer(int),
        ValueRef::Real(real) => Stored::Real(real),
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Stored::Text(text.to_owned()),
            Err(_) => return Err(DbError::bad_value(column, "holds text that is not UTF-8")),
        },
        ValueRef::Blob(bytes) => Stored::Blob(bytes.to_vec()),
    })
}

const NO_ARRAYS: &str = "SQLite has no arrays; run the statement for each value";

/// Maps each kind of value to its stored form.
struct BoundValue<'a>(&'a Value);

impl rusqlite::ToSql for BoundValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Null => ToSqlOutput::Owned(Stored::Null),
            Value::Bool(value) => ToSqlOutput::Owned(Stored::Integer((*value).into())),
            Value::Int(value) => ToSqlOutput::Owned(Stored::Integer(*value)),
            Value::Real(value) => ToSqlOutput::Owned(Stored::Real(*value)),
            Value::Text(value) => ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())),
            Value::Bytes(value) => ToSqlOutput::Borrowed(ValueRef::Blob(value)),
            Value::Uuid(value) => ToSqlOutput::Owned(Stored::Text(value.to_string())),
            Value::Time(value) => ToSqlOutput::Owned(Stored::Integer(value.timestamp_micros())),
            Value::Json(value) => ToSqlOutput::Owned(Stored::Text(value.to_string())),
            Value::List(_) => {
                return Err(rusqlite::Error::ToSqlConversionFailure(NO_ARRAYS.into()));
            }
        })
    }
}
