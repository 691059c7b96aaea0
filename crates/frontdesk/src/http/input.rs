//! Parameters of requests, with errors that name the parameter.

use std::fmt::Display;

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use chrono::TimeDelta;
use frontdesk_core::store::IdempotencyKey;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;

use super::error::ApiError;

/// Ids from the path. A malformed id is reported as not found.
pub struct Ids<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Ids<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let found: Result<Path<T>, PathRejection> = Path::from_request_parts(parts, state).await;
        match found {
            Ok(Path(ids)) => Ok(Self(ids)),
            Err(_) => Err(ApiError::not_found("Resource")),
        }
    }
}

/// Query parameters; unknown ones are refused.
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let found: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        match found {
            Ok(Query(params)) => Ok(Self(params)),
            Err(rejection) => Err(ApiError::invalid("query", rejection.body_text())),
        }
    }
}

const MAX_LIMIT: u32 = 100;

/// The JSON schema of `limit`.
pub fn limit_shape(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "integer", "minimum": 1, "maximum": MAX_LIMIT,
        "description": "How many at most.",
    })
}

/// Parses `limit`, 1 to 100.
pub fn checked_limit(given: Option<&str>, default: u32) -> Result<u32, ApiError> {
    let Some(given) = given else {
        return Ok(default);
    };
    match given.parse() {
        Ok(limit) if (1..=MAX_LIMIT).contains(&limit) => Ok(limit),
        Ok(_) | Err(_) => Err(ApiError::invalid(
            "limit",
            format!("must be a whole number from 1 to {MAX_LIMIT}"),
        )),
    }
}

/// Refuses a text with more characters than `most`.
pub fn check_length(field: &str, text: &str, most: usize) -> Result<(), ApiError> {
    if text.chars().count() > most {
        let problem = format!("must be at most {most} characters long");
        return Err(ApiError::invalid(field, problem));
    }
    Ok(())
}

const LONGEST_VALIDITY: i64 = 365;

/// How long a link or a token is valid, 1 to 365 days.
pub fn checked_days(given: Option<i64>, default: i64) -> Result<TimeDelta, ApiError> {
    match given.unwrap_or(default) {
        days if (1..=LONGEST_VALIDITY).contains(&days) => Ok(TimeDelta::days(days)),
        _ => Err(ApiError::invalid(
            "days",
            format!("must be from 1 to {LONGEST_VALIDITY}"),
        )),
    }
}

pub const IDEMPOTENCY_KEY: &str = "idempotency-key";
const LONGEST_KEY: usize = 255;

/// The `Idempotency-Key` header, bound to a route and the fingerprint of a body. Both are
/// serialised only if there is a key.
pub fn idempotency_key(
    headers: &HeaderMap,
    route: impl Display,
    fingerprint: impl FnOnce() -> String,
) -> Result<Option<IdempotencyKey>, ApiError> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else {
        return Ok(None);
    };
    let key = value.to_str().ok().filter(|key| {
        (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic())
    });
    match key {
        Some(key) => Ok(Some(IdempotencyKey {
            route: route.to_string(),
            key: key.to_owned(),
            fingerprint: fingerprint(),
        })),
        None => Err(ApiError::bad_request(format!(
            "Idempotency-Key must be 1 to {LONGEST_KEY} visible ASCII characters"
        ))),
    }
}
