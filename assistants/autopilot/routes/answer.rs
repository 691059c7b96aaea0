//! Errors in the platform's form, and JSON bodies with a sentence about what is wrong with them.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use frontdesk_core::search::SearchError;
use frontdesk_core::store::StoreError;
use frontdesk_db::DbError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub(super) type Answer = Result<Response, RouteError>;
/// The bytes of a body, or why they could not be read.
pub(super) type Body = Result<Bytes, BytesRejection>;

/// An error answer: the status and the error of the body.
#[derive(Debug)]
pub(super) struct RouteError(StatusCode, Value);

impl RouteError {
    fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(status, json!({ "code": code, "message": message }))
    }

    pub(super) fn invalid((field, problem): (&'static str, String)) -> Self {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        let mut error = Self::new(status, "VALIDATION_ERROR", format!("{field}: {problem}"));
        error.1["details"] = json!([{ "field": field, "problem": problem }]);
        error
    }

    pub(super) fn not_found(message: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)
    }

    pub(super) fn conflict(message: &str) -> Self {
        Self::new(StatusCode::CONFLICT, "CONFLICT", message)
    }

    pub(super) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "FORBIDDEN", message)
    }

    fn unavailable() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "UNAVAILABLE",
            "This cannot be answered just now, please try again",
        )
    }
}

impl From<DbError> for RouteError {
    fn from(error: DbError) -> Self {
        tracing::error!("the catalogue cannot be reached: {error}");
        Self::unavailable()
    }
}

impl From<StoreError> for RouteError {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::NotFound) {
            return Self::not_found("Conversation not found");
        }
        if matches!(error, StoreError::Forbidden) {
            return Self::forbidden("You don't have access to this conversation");
        }
        tracing::error!("a conversation cannot be read: {error}");
        Self::unavailable()
    }
}

impl From<SearchError> for RouteError {
    fn from(error: SearchError) -> Self {
        if let SearchError::Invalid(problem) = error {
            return Self::invalid(("query", problem));
        }
        tracing::warn!("products cannot be searched: {error}");
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "RETRIEVAL_UNAVAILABLE",
            "Products cannot be searched just now; list them instead",
        )
    }
}

impl IntoResponse for RouteError {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// A JSON body of this form, or what is wrong with it.
pub(super) fn json_of<T: DeserializeOwned>(body: Body) -> Result<T, RouteError> {
    let bytes = body.map_err(|rejection| {
        RouteError::new(
            rejection.status(),
            "VALIDATION_ERROR",
            "The body could not be read, or is too large",
        )
    })?;
    serde_json::from_slice(&bytes).map_err(|error| match error.is_data() {
        true => RouteError::invalid(("body", error.to_string())),
        false => RouteError::new(
            StatusCode::BAD_REQUEST,
            "VALIDATION_ERROR",
            format!("The body is not as expected: {error}"),
        ),
    })
}

/// Forbids caching.
pub(super) async fn inert(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
