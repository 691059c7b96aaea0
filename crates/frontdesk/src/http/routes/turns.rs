//! Turns: look at one, watch it, stop it, try it again.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::store::TurnViews;
use serde_json::{Value, json};

use super::messages::respond;
use crate::http::Shared;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::input::Ids;
use crate::http::stream;
use crate::http::wire::TurnResponse;

pub(in crate::http) async fn show(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids((id, turn)): Ids<(ConversationId, TurnId)>,
) -> Result<Json<TurnResponse>, ApiError> {
    let status = shared.desk.store().turn(&who, id, turn).await?;
    Ok(Json(TurnResponse::from(&status)))
}

pub(in crate::http) async fn events(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids((id, turn)): Ids<(ConversationId, TurnId)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let after = match headers.get("last-event-id") {
        None => 0,
        Some(value) => value
            .to_str()
            .ok()
            .and_then(|value| value.parse().ok())
            .ok_or_else(|| ApiError::bad_request("Last-Event-ID is not one of ours"))?,
    };
    let watch = shared.desk.watch(&who, id, turn, after).await?;
    Ok(stream::events(watch, shared.stopping.clone()))
}

pub(in crate::http) async fn cancel(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids((id, turn)): Ids<(ConversationId, TurnId)>,
) -> Result<Json<Value>, ApiError> {
    let asked = shared.desk.cancel(&who, id, turn).await?;
    Ok(Json(json!({ "cancelling": asked })))
}

/// Answers the message of a failed turn again, without storing it twice.
pub(in crate::http) async fn retry(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids((id, turn)): Ids<(ConversationId, TurnId)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let started = shared.desk.retry(&who, id, turn).await?;
    respond(&shared, &who, id, started, &headers).await
}
