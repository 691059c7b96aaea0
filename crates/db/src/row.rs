//! Result rows, read by column name into Rust types.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use frontdesk_core::id::Id;
use uuid::Uuid;

use crate::DbError;

#[derive(Clone, Debug)]
pub struct Row(Source);

#[derive(Clone, Debug)]
enum Source {
    Sqlite {
        columns: Arc<[String]>,
        cells: Vec<rusqlite::types::Value>,
    },
    Postgres(Arc<tokio_postgres::Row>),
}

impl Row {
    pub(crate) fn sqlite(columns: Arc<[String]>, cells: Vec<rusqlite::types::Value>) -> Self {
        Row(Source::Sqlite { columns, cells })
    }

    pub(crate) fn postgres(row: tokio_postgres::Row) -> Self {
        Row(Source::Postgres(Arc::new(row)))
    }

    /// Converts a column's value; a wrong type or an unexpected NULL is a `BadValue`.
    pub fn get<T: FromValue>(&self, column: &str) -> Result<T, DbError> {
        let cell = self.cell(column)?;
        let found = cell.kind();
        T::from_cell(cell).ok_or_else(|| {
            DbError::bad_value(
                column,
                format!("holds {found} where {} was expected", T::EXPECTED),
            )
        })
    }

    /// Borrows a text, for parsing without a copy.
    pub fn text(&self, column: &str) -> Result<&str, DbError> {
        let cell = self.cell(column)?;
        let (Cell::Text(text) | Cell::Json(text)) = cell else {
            let found = cell.kind();
            return Err(DbError::bad_value(
                column,
                format!("holds {found} where a text was expected"),
            ));
        };
        Ok(text)
    }

    fn cell(&self, column: &str) -> Result<Cell<'_>, DbError> {
        match &self.0 {
            Source::Sqlite { columns, cells } => columns
                .iter()
                .position(|name| name == column)
                .and_then(|index| cells.get(index))
                .map(Cell::from)
                .ok_or_else(|| missing(column)),
            Source::Postgres(row) => {
                let index = row
                    .columns()
                    .iter()
                    .position(|found| found.name() == column)
                    .ok_or_else(|| missing(column))?;
                row.try_get::<_, Cell<'_>>(index).map_err(|_| {
                    let kind = row.columns().get(index).map_or("?", |c| c.type_().name());
                    DbError::bad_value(
                        column,
                        format!("has the unsupported type {kind}; cast it in the statement"),
                    )
                })
            }
        }
    }
}

fn missing(column: &str) -> DbError {
    DbError::bad_value(column, "is not a column of this answer")
}

/// A borrowed value before conversion. SQLite has only `Null`, `Int`, `Real`, `Text` and
/// `Bytes`; conversions accept those for the types stored in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
    Uuid(Uuid),
    Time(DateTime<Utc>),
    /// JSON as text.
    Json(&'a str),
}

impl Cell<'_> {
    fn kind(&self) -> &'static str {
        match self {
            Cell::Null => "NULL",
            Cell::Bool(_) => "a bool",
            Cell::Int(_) => "an integer",
            Cell::Real(_) => "a real number",
            Cell::Text(_) => "a text",
            Cell::Bytes(_) => "bytes",
            Cell::Uuid(_) => "a uuid",
            Cell::Time(_) => "a time",
            Cell::Json(_) => "json",
        }
    }
}

impl<'a> From<&'a rusqlite::types::Value> for Cell<'a> {
    fn from(value: &'a rusqlite::types::Value) -> Self {
        match value {
            rusqlite::types::Value::Null => Cell::Null,
            rusqlite::types::Value::Integer(int) => Cell::Int(*int),
            rusqlite::types::Value::Real(real) => Cell::Real(*real),
            rusqlite::types::Value::Text(text) => Cell::Text(text),
            rusqlite::types::Value::Blob(bytes) => Cell::Bytes(bytes),
        }
    }
}

/// A type that a column can be read into.
pub trait FromValue: Sized {
    /// The type's name in error messages.
    const EXPECTED: &'static str;

    /// Converts the cell; `None` if it holds another type.
    fn from_cell(cell: Cell<'_>) -> Option<Self>;
}

impl FromValue for bool {
    const EXPECTED: &'static str = "a bool";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Bool(value) = cell {
            return Some(value);
        }
        match i64::from_cell(cell)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl FromValue for i64 {
    const EXPECTED: &'static str = "an integer";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Int(value) = cell {
            return Some(value);
        }
        // `sum(bigint)` is numeric on Postgres. Beyond 2^53 an `f64` is not exact.
        let Cell::Real(value) = cell else { return None };
        let exact = value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0;
        exact.then_some(value as i64)
    }
}

impl FromValue for i32 {
    const EXPECTED: &'static str = "an integer of 32 bits";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        i64::from_cell(cell).and_then(|value| value.try_into().ok())
    }
}

impl FromValue for u64 {
    const EXPECTED: &'static str = "a natural number";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        i64::from_cell(cell).and_then(|value| value.try_into().ok())
    }
}

impl FromValue for u32 {
    const EXPECTED: &'static str = "a natural number of 32 bits";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        i64::from_cell(cell).and_then(|value| value.try_into().ok())
    }
}

impl FromValue for f64 {
    const EXPECTED: &'static str = "a number";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Real(value) = cell {
            return Some(value);
        }
        let Cell::Int(value) = cell else { return None };
        Some(value as f64)
    }
}

impl FromValue for String {
    const EXPECTED: &'static str = "a text";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Uuid(id) = cell {
            return Some(id.to_string());
        }
        let (Cell::Text(text) | Cell::Json(text)) = cell else {
            return None;
        };
        Some(text.to_owned())
    }
}

impl FromValue for Vec<u8> {
    const EXPECTED: &'static str = "bytes";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        let Cell::Bytes(bytes) = cell else {
            return None;
        };
        Some(bytes.to_vec())
    }
}

impl FromValue for Uuid {
    const EXPECTED: &'static str = "a uuid";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Uuid(id) = cell {
            return Some(id);
        }
        let Cell::Text(text) = cell else { return None };
        text.parse().ok()
    }
}

impl<T> FromValue for Id<T> {
    const EXPECTED: &'static str = Uuid::EXPECTED;

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        Uuid::from_cell(cell).map(Id::from_uuid)
    }
}

impl FromValue for DateTime<Utc> {
    const EXPECTED: &'static str = "a time";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if let Cell::Time(time) = cell {
            return Some(time);
        }
        let Cell::Int(micros) = cell else { return None };
        DateTime::from_timestamp_micros(micros)
    }
}

impl FromValue for serde_json::Value {
    const EXPECTED: &'static str = "json";

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        let (Cell::Json(text) | Cell::Text(text)) = cell else {
            return None;
        };
        serde_json::from_str(text).ok()
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if cell == Cell::Null {
            return Some(None);
        }
        T::from_cell(cell).map(Some)
    }
}
