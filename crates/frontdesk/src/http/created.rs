//! Responses to idempotent creation requests.

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

pub struct Created<T> {
    replayed: bool,
    body: T,
}

impl<T> Created<T> {
    /// `replayed` if an earlier request with the same idempotency key created the object.
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

/// Marks the response of an earlier request with the same idempotency key.
pub fn mark_replayed(headers: &mut HeaderMap) {
    headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
}
