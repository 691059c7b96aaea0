//! Path and query parameters, with errors that name the parameter.

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
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

const LONGEST_KEY: usize = 255;

/// The `Idempotency-Key` header, bound to route and body. Both are serialised only if there is a
/// key.
pub fn idempotency_key(
    headers: &HeaderMap,
    bound_to: impl FnOnce() -> (String, String),
) -> Result<Option<IdempotencyKey>, ApiError> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    let key = value.to_str().ok().filter(|key| {
        (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic())
    });
    match key {
        Some(key) => {
            let (route, fingerprint) = bound_to();
            Ok(Some(IdempotencyKey {
                route,
                key: key.to_owned(),
                fingerprint,
            }))
        }
        None => Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "BAD_REQUEST",
            format!("Idempotency-Key must be 1 to {LONGEST_KEY} visible ASCII characters"),
        )),
    }
}
