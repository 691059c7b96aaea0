//! Statement parameters, and the checks shared by both databases.

use chrono::{DateTime, Utc};
use frontdesk_core::id::Id;
use uuid::Uuid;

use crate::DbError;

/// One statement parameter. Times have microsecond precision.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
    Uuid(Uuid),
    Time(DateTime<Utc>),
    Json(serde_json::Value),
    /// Values of one kind for a Postgres array parameter; SQLite has no arrays.
    List(Vec<Value>),
}

impl Value {
    /// Rejects values that one database would refuse or alter: NUL characters (Postgres
    /// cannot store them) and NaN (SQLite stores NULL). `index` counts from 0.
    pub(crate) fn check(&self, index: usize) -> Result<(), DbError> {
        match self {
            Value::Text(text) if text.contains('\0') => Err(refused(index, NUL)),
            Value::Json(json) if json_has_nul(json) => Err(refused(index, NUL)),
            Value::Real(real) if real.is_nan() => Err(refused(index, "is not a number")),
            Value::List(values) => values.iter().try_for_each(|value| value.check(index)),
            Value::Null
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::Text(_)
            | Value::Bytes(_)
            | Value::Uuid(_)
            | Value::Time(_)
            | Value::Json(_) => Ok(()),
        }
    }

    /// The kind's name, for error messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Int(_) => "integer",
            Value::Real(_) => "real number",
            Value::Text(_) => "text",
            Value::Bytes(_) => "bytes",
            Value::Uuid(_) => "uuid",
            Value::Time(_) => "time",
            Value::Json(_) => "json",
            Value::List(_) => "list",
        }
    }
}

const NUL: &str = "contains the character NUL (U+0000), which cannot be stored; remove it";

/// An error about the parameter `$index+1`.
pub(crate) fn refused(index: usize, problem: impl Into<String>) -> DbError {
    DbError::bad_value(format!("${}", index + 1), problem)
}

fn json_has_nul(json: &serde_json::Value) -> bool {
    match json {
        serde_json::Value::String(text) => text.contains('\0'),
        serde_json::Value::Array(items) => items.iter().any(json_has_nul),
        serde_json::Value::Object(fields) => fields
            .iter()
            .any(|(key, value)| key.contains('\0') || json_has_nul(value)),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {
            false
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Value::Int(value.into())
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Value::Int(value.into())
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Real(value)
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::Text(value)
    }
}

impl From<&String> for Value {
    fn from(value: &String) -> Self {
        Value::Text(value.clone())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.to_owned())
    }
}

impl From<Vec<u8>> for Value {
    fn from(value: Vec<u8>) -> Self {
        Value::Bytes(value)
    }
}

impl From<&[u8]> for Value {
    fn from(value: &[u8]) -> Self {
        Value::Bytes(value.to_vec())
    }
}

impl From<Uuid> for Value {
    fn from(value: Uuid) -> Self {
        Value::Uuid(value)
    }
}

impl<T> From<Id<T>> for Value {
    fn from(value: Id<T>) -> Self {
        Value::Uuid(value.uuid())
    }
}

impl From<DateTime<Utc>> for Value {
    fn from(value: DateTime<Utc>) -> Self {
        Value::Time(value)
    }
}

impl From<serde_json::Value> for Value {
    fn from(value: serde_json::Value) -> Self {
        Value::Json(value)
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Value::List(values.into_iter().collect())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
