//! Turns: show, stream, cancel and retry.

use axum::response::Response;
use frontdesk_core::id::{ConversationId, TurnId};
use schemars::JsonSchema;
use serde::Serialize;

use super::messages::{answers, respond};
use super::{
    ApiError, Caller, Content, Header, HeaderMap, Ids, Json, JsonResult, Route, idempotency_key,
};
use crate::http::stream;
use crate::http::wire::TurnResponse;

/// More streams of one turn indicate a leaking client.
const READERS_A_TURN: usize = 10;

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct Cancelling {
    /// `false` if the turn had already ended.
    cancelling: bool,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "turns";
    vec![
        Route::get("/conversations/{id}/turns/{turn}", show)
            .named("get_turn", SUBJECT, "Get the status of a turn")
            .gives::<TurnResponse>(200, "The turn")
            .refuses(&[403]),
        Route::get("/conversations/{id}/turns/{turn}/events", events)
            .named("watch_turn", SUBJECT, "Stream the events of a turn")
            .about("From the start, or after `Last-Event-ID`. A turn that ended long ago is one `snapshot`. The stream ends when the turn ends or waits for an approval.")
            .header(Header::LastEventId)
            .gives_content(200, "The events of the turn", Content::TurnEvents)
            .refuses(&[403, 429]),
        Route::post("/conversations/{id}/turns/{turn}/cancel", cancel)
            .named("cancel_turn", SUBJECT, "Stop a turn")
            .about("Text written so far is kept.")
            .gives::<Cancelling>(200, "Whether the turn was still running")
            .refuses(&[403]),
        answers(
            Route::post("/conversations/{id}/turns/{turn}/retry", retry)
                .named("retry_turn", SUBJECT, "Retry a failed turn")
                .about("Answers the message again without storing it twice.")
                .header(Header::IdempotencyKey),
            "The message and its answer",
        ),
    ]
}

async fn show(
    Caller { state, who }: Caller,
    Ids((id, turn)): Ids<(ConversationId, TurnId)>,
) -> JsonResult<TurnResponse> {
    let status = state.store().turn(&who, id, turn).await?;
    Ok(Json(TurnResponse::from(&status)))
}

async fn events(
    Caller { state, who }: Caller,
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
    let watch = state.runtime().watch(&who, id, turn, after).await?;
    let permit = state
        .stream_limiter
        .take(turn.uuid(), READERS_A_TURN)
        .ok_or_else(ApiError::too_many_streams)?;
    Ok(stream::events(&state, &who, watch, Some(permit)))
}

async fn cancel(
    Caller { state, who }: Caller,
    Ids((id, turn)): Ids<(ConversationId, TurnId)>,
) -> JsonResult<Cancelling> {
    let cancelling = state.runtime().cancel(&who, id, turn).await?;
    Ok(Json(Cancelling { cancelling }))
}

/// Retries the message of a failed turn without storing it twice.
async fn retry(
    Caller { state, who }: Caller,
    Ids((id, turn)): Ids<(ConversationId, TurnId)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    // The request has no body, so the key covers only the route.
    let key = idempotency_key(
        &headers,
        format_args!("POST /conversations/{id}/turns/{turn}/retry"),
        String::new,
    )?;
    let started = state.runtime().retry(&who, id, turn, key).await?;
    respond(&state, &who, id, started, &headers).await
}
