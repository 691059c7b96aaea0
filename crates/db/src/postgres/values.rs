//! Binary encoding of values: written for the parameter's type, read by the column's type.

use std::{error::Error, fmt};

use bytes::{BufMut, BytesMut};
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use postgres_types::{FromSql, IsNull, Kind, ToSql, Type, to_sql_checked};
use tokio_postgres::Statement;
use uuid::Uuid;

use super::numeric;
use crate::{Cell, DbError, Value, value::refused};

/// Microseconds from 1970 to 2000, the epoch of Postgres.
const EPOCH_MICROS: i64 = 946_684_800_000_000;
/// The first year of a Postgres timestamp: 4713 BC in astronomical counting.
const FIRST_YEAR: i32 = -4712;

/// Rejects values that do not fit the statement, before anything is sent.
pub(super) fn check(statement: &Statement, values: &[Value]) -> Result<(), DbError> {
    let wanted = statement.params();
    if wanted.len() != values.len() {
        return Err(DbError::Statement(format!(
            "{} values were given for {} parameters",
            values.len(),
            wanted.len()
        )));
    }
    for (index, (value, ty)) in values.iter().zip(wanted).enumerate() {
        if !fits_by_type(value, ty) {
            encode(value, ty, &mut BytesMut::new()).map_err(|problem| refused(index, problem))?;
        }
    }
    Ok(())
}

/// True if the type alone decides, so that long values are not encoded twice.
fn fits_by_type(value: &Value, ty: &Type) -> bool {
    match value {
        Value::Text(_) => is_text(ty),
        Value::Bytes(_) => *ty == Type::BYTEA,
        Value::Json(_) => *ty == Type::JSON || *ty == Type::JSONB,
        Value::List(values) => {
            member(ty).is_some_and(|ty| values.iter().all(|value| fits_by_type(value, ty)))
        }
        Value::Null
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::Uuid(_)
        | Value::Time(_) => false,
    }
}

/// The element type of an array.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "not our enum, and most of it is alike"
)]
fn member(ty: &Type) -> Option<&Type> {
    match ty.kind() {
        Kind::Array(member) => Some(member),
        _ => None,
    }
}

/// A parameter for the driver. Its `Debug`, which the driver may log, shows only the kind.
pub(super) struct Param<'a>(pub(super) &'a Value);

impl fmt::Debug for Param<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.kind())
    }
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        encode(self.0, ty, out).map_err(Into::into)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

fn encode(value: &Value, ty: &Type, out: &mut BytesMut) -> Result<IsNull, String> {
    let mismatch = || {
        format!(
            "is {} where the database wants {}; convert it or cast the parameter",
            value.kind(),
            ty.name()
        )
    };
    match value {
        Value::Null => return Ok(IsNull::Yes),
        Value::Bool(value) if *ty == Type::BOOL => out.put_u8((*value).into()),
        Value::Int(value) => integer(*value, ty, out).ok_or_else(mismatch)?,
        Value::Real(value) => real(*value, ty, out).ok_or_else(mismatch)?,
        Value::Text(value) if is_text(ty) => out.put_slice(value.as_bytes()),
        Value::Text(value) if *ty == Type::DATE => date(value, out).ok_or_else(mismatch)?,
        Value::Bytes(value) if *ty == Type::BYTEA => out.put_slice(value),
        Value::Uuid(value) if *ty == Type::UUID => out.put_slice(value.as_bytes()),
        Value::Uuid(value) if is_text(ty) => out.put_slice(value.to_string().as_bytes()),
        Value::Time(value) if *ty == Type::TIMESTAMPTZ || *ty == Type::TIMESTAMP => {
            time(*value, out).ok_or_else(mismatch)?
        }
        Value::Json(value) if *ty == Type::JSON || *ty == Type::JSONB => {
            if *ty == Type::JSONB {
                out.put_u8(JSONB_VERSION);
            }
            out.put_slice(value.to_string().as_bytes());
        }
        Value::List(values) if member(ty).is_some() => {
            let members: Vec<Param<'_>> = values.iter().map(Param).collect();
            members.to_sql(ty, out).map_err(|error| error.to_string())?;
        }
        Value::Bool(_)
        | Value::Text(_)
        | Value::Bytes(_)
        | Value::Uuid(_)
        | Value::Time(_)
        | Value::Json(_)
        | Value::List(_) => {
            return Err(mismatch());
        }
    }
    Ok(IsNull::No)
}

/// The first byte of binary `jsonb`.
const JSONB_VERSION: u8 = 1;

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "not our enum, and most of it is alike"
)]
fn is_text(ty: &Type) -> bool {
    const TEXTS: [Type; 5] = [
        Type::TEXT,
        Type::VARCHAR,
        Type::BPCHAR,
        Type::NAME,
        Type::UNKNOWN,
    ];
    match ty.kind() {
        Kind::Enum(_) => true,
        Kind::Domain(inner) => is_text(inner),
        _ => TEXTS.contains(ty) || ty.name() == "citext",
    }
}

fn integer(value: i64, ty: &Type, out: &mut BytesMut) -> Option<()> {
    match *ty {
        Type::INT8 => out.put_i64(value),
        Type::INT4 => out.put_i32(value.try_into().ok()?),
        Type::INT2 => out.put_i16(value.try_into().ok()?),
        Type::FLOAT8 => out.put_f64(value as f64),
        Type::NUMERIC => numeric::encode(&value.to_string(), out)?,
        _ => return None,
    }
    Some(())
}

fn real(value: f64, ty: &Type, out: &mut BytesMut) -> Option<()> {
    match *ty {
        Type::FLOAT8 => out.put_f64(value),
        Type::FLOAT4 => out.put_f32(value as f32),
        Type::NUMERIC => numeric::encode(&value.to_string(), out)?,
        _ => return None,
    }
    Some(())
}

fn date(text: &str, out: &mut BytesMut) -> Option<()> {
    let date: NaiveDate = text.parse().ok()?;
    let days = date.signed_duration_since(first_day()?).num_days();
    out.put_i32(days.try_into().ok()?);
    Some(())
}

/// The epoch of dates.
fn first_day() -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(2000, 1, 1)
}

fn time(time: DateTime<Utc>, out: &mut BytesMut) -> Option<()> {
    if time.year() < FIRST_YEAR {
        return None;
    }
    out.put_i64(time.timestamp_micros().checked_sub(EPOCH_MICROS)?);
    Some(())
}

impl<'a> FromSql<'a> for Cell<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *ty {
            Type::BOOL => Cell::Bool(bool::from_sql(ty, raw)?),
            Type::INT2 => Cell::Int(i16::from_sql(ty, raw)?.into()),
            Type::INT4 => Cell::Int(i32::from_sql(ty, raw)?.into()),
            Type::INT8 => Cell::Int(i64::from_sql(ty, raw)?),
            Type::OID => Cell::Int(u32::from_sql(ty, raw)?.into()),
            Type::FLOAT4 => Cell::Real(f32::from_sql(ty, raw)?.into()),
            Type::FLOAT8 => Cell::Real(f64::from_sql(ty, raw)?),
            Type::NUMERIC => Cell::Real(numeric::decode(raw).ok_or("numeric")?),
            Type::BYTEA => Cell::Bytes(raw),
            Type::UUID => Cell::Uuid(Uuid::from_slice(raw)?),
            Type::TIMESTAMPTZ | Type::TIMESTAMP => Cell::Time(read_time(raw)?),
            Type::JSON => Cell::Json(std::str::from_utf8(raw)?),
            Type::JSONB => Cell::Json(std::str::from_utf8(raw.get(1..).unwrap_or_default())?),
            Type::VOID => Cell::Null,
            _ if is_text(ty) => Cell::Text(std::str::from_utf8(raw)?),
            _ => return Err("unsupported type".into()),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Cell::Null)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

fn read_time(raw: &[u8]) -> Result<DateTime<Utc>, Box<dyn Error + Sync + Send>> {
    let micros = i64::from_be_bytes(raw.try_into()?);
    micros
        .checked_add(EPOCH_MICROS)
        .and_then(DateTime::from_timestamp_micros)
        .ok_or_else(|| "the time is out of range".into())
}
