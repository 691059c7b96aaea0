//! The answer to a request that makes something, which may have made it before.

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

pub struct Created<T> {
    replayed: bool,
    body: T,
}

impl<T> Created<T> {
    /// `replayed` where the same request, under the same key, made it before.
    pub fn new(replayed: bool, body: T) -> Self {
        Self { replayed, body }
    }
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let mut response = (StatusCode::CREATED, Json(self.body)).into_response();
        if self.replayed {
            mark_replayed(response.headers_mut());
        }
        response
    }
}

/// It was done before, under the same key.
pub fn mark_replayed(headers: &mut HeaderMap) {
    headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
}
