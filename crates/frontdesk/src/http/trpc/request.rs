//! tRPC requests: inputs in the query or the body, single or by index.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderName, Method};
use frontdesk_bundle::{ProcedureCall, ProcedureCode, ProcedureError};
use serde_json::Value;

use super::transformer::Spelling;
use crate::http::body::{OTHER_BYTES, read, strict};
use crate::http::error::ApiError;

/// The inputs of a request, and the headers that apply to all of its calls.
pub(super) struct TrpcRequest {
    /// An error when they cannot be read: then every call is refused with it.
    inputs: Result<Value, ProcedureError>,
    batch: bool,
    /// Answer in the format of `httpBatchStreamLink`.
    pub(super) json_lines: bool,
    language: Option<String>,
    key: Option<String>,
    last_event_id: Option<String>,
}

impl TrpcRequest {
    pub(super) async fn read(
        parts: &Parts,
        query: Option<String>,
        last_event_id: Option<String>,
        body: Body,
        within: Duration,
        batch: bool,
    ) -> Result<Self, ProcedureError> {
        let text = match parts.method == Method::POST {
            true => body_of(parts, body, within).await?,
            false => query.unwrap_or_default().into_bytes(),
        };
        let inputs = match text.is_empty() {
            true => Ok(Value::Null),
            false => strict::parse(&text)
                .map_err(|error| ProcedureError::new(ProcedureCode::BadRequest, error.message)),
        };
        let inputs = inputs.and_then(|inputs| {
            if batch && !inputs.is_object() && !inputs.is_null() {
                let problem = "\"input\" needs to be an object when doing a batch call";
                return Err(ProcedureError::new(ProcedureCode::BadRequest, problem));
            }
            Ok(inputs)
        });
        let header = |name: HeaderName| {
            let value = parts.headers.get(name)?.to_str().ok()?;
            Some(value.to_owned())
        };
        Ok(Self {
            inputs,
            batch,
            json_lines: header(HeaderName::from_static("trpc-accept")).as_deref()
                == Some("application/jsonl"),
            language: header(ACCEPT_LANGUAGE),
            key: header(HeaderName::from_static("idempotency-key")),
            last_event_id: header(HeaderName::from_static("last-event-id")).or(last_event_id),
        })
    }

    /// The input of the call at this place.
    pub(super) fn input(&self, place: usize) -> Result<(Value, Spelling), ProcedureError> {
        let inputs = self.inputs.as_ref().map_err(Clone::clone)?;
        let input = match self.batch {
            true => inputs.get(place.to_string()),
            false => Some(inputs),
        };
        Ok(Spelling::read(input.cloned().unwrap_or_default()))
    }

    pub(super) fn call(&self, mut input: Value) -> ProcedureCall {
        // An EventSource that reconnects by itself has the id in a header, not in the input.
        if let (Value::Object(fields), Some(id)) = (&mut input, &self.last_event_id) {
            fields.insert("lastEventId".to_owned(), Value::from(id.as_str()));
        }
        ProcedureCall {
            input,
            language: self.language.clone(),
            key: self.key.clone(),
        }
    }
}

async fn body_of(parts: &Parts, body: Body, within: Duration) -> Result<Vec<u8>, ProcedureError> {
    let bytes = read(body, OTHER_BYTES, within).await?;
    let kind = parts.headers.get(CONTENT_TYPE);
    let json = kind
        .and_then(|kind| kind.to_str().ok())
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if !bytes.is_empty() && (!json || parts.headers.contains_key(CONTENT_ENCODING)) {
        let problem = "Send the body as application/json";
        return Err(ProcedureError::new(
            ProcedureCode::UnsupportedMediaType,
            problem,
        ));
    }
    Ok(bytes.to_vec())
}

/// Maps HTTP statuses to tRPC codes.
impl From<ApiError> for ProcedureError {
    fn from(error: ApiError) -> Self {
        let code = match error.status.as_u16() {
            401 => ProcedureCode::Unauthorized,
            403 => ProcedureCode::Forbidden,
            404 => ProcedureCode::NotFound,
            408 => ProcedureCode::Timeout,
            409 => ProcedureCode::Conflict,
            413 => ProcedureCode::PayloadTooLarge,
            415 => ProcedureCode::UnsupportedMediaType,
            429 => ProcedureCode::TooManyRequests,
            503 => ProcedureCode::ServiceUnavailable,
            400..=499 => ProcedureCode::BadRequest,
            _ => ProcedureCode::InternalServerError,
        };
        ProcedureError {
            retry_after: error.retry_after,
            ..ProcedureError::new(code, error.message)
        }
    }
}
