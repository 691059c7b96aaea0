//! Idempotent requests: the key, the effect and the response are written in one
//! transaction.

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use frontdesk_db::Tx;
use serde_json::Value;

use crate::auth::Caller;
use crate::error::ApiError;
use crate::service::{GatePass, Work};
use crate::tables::requests::{self, Claim, RequestKey};

const HEADER: &str = "idempotency-key";
const MAX_KEY: usize = 255;

/// The response to a changing request. Refusals that depend on the pass's state are
/// included: a repeated request with the same key gets the same refusal.
pub(crate) struct Answer {
    status: StatusCode,
    pub(crate) body: Value,
    /// An earlier request with the same key made the change.
    replayed: bool,
}

impl Answer {
    fn new(status: StatusCode, body: Value) -> Self {
        Self {
            status,
            body,
            replayed: false,
        }
    }

    pub(crate) fn created(body: Value) -> Self {
        Self::new(StatusCode::CREATED, body)
    }

    pub(crate) fn ok(body: Value) -> Self {
        Self::new(StatusCode::OK, body)
    }

    pub(crate) fn refused(error: &ApiError) -> Self {
        Self::new(error.status, error.body())
    }

    /// True if this request made the change.
    pub(crate) fn is_fresh_success(&self) -> bool {
        !self.replayed && self.status.is_success()
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        if self.replayed {
            response
                .headers_mut()
                .insert("idempotent-replayed", HeaderValue::from_static("true"));
        }
        response
    }
}

/// The key of a request, if it has one. `route` names the operation; the fingerprint covers
/// the object.
pub(crate) fn key(
    headers: &HeaderMap,
    caller: &Caller,
    route: &'static str,
) -> Result<Option<RequestKey>, ApiError> {
    let mut values = headers.get_all(HEADER).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let text = value
        .to_str()
        .ok()
        .filter(|text| (1..=MAX_KEY).contains(&text.len()) && values.next().is_none());
    let text = text.ok_or_else(|| {
        ApiError::bad_request(format!(
            "Send one Idempotency-Key of 1 to {MAX_KEY} visible ASCII characters."
        ))
    })?;
    Ok(Some(RequestKey {
        principal: caller.sub.clone(),
        route,
        key: text.to_owned(),
    }))
}

/// Does the work once per key. Without a key, always does it.
pub(crate) async fn run_once<F>(
    service: &GatePass,
    key: Option<RequestKey>,
    fingerprint: Vec<u8>,
    work: F,
) -> Result<Answer, ApiError>
where
    F: for<'t> FnOnce(&'t mut Tx) -> Work<'t, Answer> + Send + 'static,
{
    let now = service.now();
    let keyed = key.is_some();
    let given = service
        .write(move |tx| {
            Box::pin(async move {
                let Some(key) = key else {
                    return work(tx).await;
                };
                match requests::claim(tx, &key, &fingerprint, now).await? {
                    Claim::First => {
                        let answer = work(tx).await?;
                        let (status, body) = (answer.status.as_u16(), answer.body.to_string());
                        requests::answer(tx, &key, status, &body).await?;
                        Ok(answer)
                    }
                    Claim::Seen {
                        fingerprint: first, ..
                    } if first != fingerprint => Err(reused()),
                    Claim::Seen { status, body, .. } => replay(status, &body),
                }
            })
        })
        .await?;
    if keyed {
        service.purge_old_keys().await;
    }
    Ok(given)
}

fn replay(status: u16, body: &str) -> Result<Answer, ApiError> {
    let status = StatusCode::from_u16(status).map_err(ApiError::internal)?;
    let body = serde_json::from_str(body).map_err(ApiError::internal)?;
    Ok(Answer {
        replayed: true,
        ..Answer::new(status, body)
    })
}

fn reused() -> ApiError {
    ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "IDEMPOTENCY_KEY_REUSED",
        "This Idempotency-Key was used for another request. Use a new key for a new request.",
    )
}
