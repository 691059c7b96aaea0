//! Messages: send one and get the answer, whole or streamed.

use axum::extract::State;
use axum::http::header::ACCEPT;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::id::ConversationId;
use frontdesk_core::model::ModelErrorKind;
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::TurnStatus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::time::Duration;

use super::{
    ApiError, AppState, Caller, Content, Header, HeaderMap, Ids, Json, JsonBody, ListResponse,
    ListResult, MESSAGE_BYTES, Params, Route, StatusCode, VerifiedToken, checked_limit,
    limit_shape,
};
use crate::http::created::mark_replayed;
use crate::http::input::IDEMPOTENCY_KEY;
use crate::http::stream;
use crate::http::wire::{MessageCreate, MessageResponse, MessageWithAgentResponse, TurnResponse};
use crate::runtime::{RateState, Saying, Started};

const DEFAULT_LIMIT: u32 = 50;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ListParams {
    /// Cursor of the previous page.
    cursor: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "limit_shape")]
    limit: Option<String>,
    #[serde(default)]
    order: Order,
}

/// The end from which a history is read. Each page is oldest first.
#[derive(Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::http) enum Order {
    #[default]
    Oldest,
    Newest,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct FormCreate {
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "messages";
    const ANSWERED: &str = "The message and its answer";
    vec![
        answers(
            Route::post("/conversations/{id}/messages", create)
                .named("create_message", SUBJECT, "Send a message")
                .about("The message is stored before the model runs. With `Accept: text/event-stream` the answer is streamed.")
                .header(Header::IdempotencyKey)
                .takes::<MessageCreate>(),
            ANSWERED,
        ),
        Route::get("/conversations/{id}/messages", list)
            .named("list_messages", SUBJECT, "List the messages of a conversation")
            .about("Each page is oldest first. The cursor leads to newer messages, or with `order=newest` to older ones.")
            .query::<ListParams>()
            .gives::<ListResponse<MessageResponse>>(200, "A page of messages")
            .refuses(&[403]),
        answers(
            Route::post("/conversations/{id}/forms", fill_form)
                .named("fill_form", SUBJECT, "Submit a tool's form")
                .about("Runs one tool with these arguments, with the same checks as a model's call but without a model.")
                .header(Header::IdempotencyKey)
                .takes::<FormCreate>(),
            ANSWERED,
        ),
    ]
}

/// The responses of every operation that opens a turn.
pub(super) fn answers(route: Route, about: &'static str) -> Route {
    route
        .gives_content(
            200,
            "The events of the turn, if the client accepts a stream",
            Content::TurnEvents,
        )
        .gives::<MessageWithAgentResponse>(201, about)
        .gives::<MessageWithAgentResponse>(
            202,
            "The turn waits for an approval and has no answer yet",
        )
        .refuses(&[403, 409, 429])
}

async fn create(
    State(state): State<AppState>,
    token: VerifiedToken,
    Ids(id): Ids<ConversationId>,
    headers: HeaderMap,
    body: JsonBody<MessageCreate, MESSAGE_BYTES>,
) -> Result<Response, ApiError> {
    let key = body.idempotency_key(&headers, format_args!("POST /conversations/{id}/messages"))?;
    let message = body.value;
    let saying = Saying {
        content: message.content,
        metadata: message.metadata.unwrap_or_default(),
        attachments: message.attachments,
        key,
    };
    let (who, conversation) = token.resolve(&state, id).await?;
    let started = state.runtime().say_in(&who, &conversation, saying).await?;
    let rate = started.rate;
    let mut response = respond(&state, &who, id, started, &headers).await?;
    if let Some(rate) = rate {
        add_rate_headers(response.headers_mut(), rate, state.now());
    }
    Ok(response)
}

/// Adds the remaining rate, so that clients can slow down before they are refused.
fn add_rate_headers(headers: &mut HeaderMap, rate: RateState, now: DateTime<Utc>) {
    let seconds = (rate.left.next_at - now).num_seconds().max(1);
    headers.insert("x-ratelimit-limit", rate.max.into());
    headers.insert("x-ratelimit-remaining", rate.left.left.into());
    headers.insert("x-ratelimit-reset", seconds.into());
}

async fn fill_form(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
    headers: HeaderMap,
    body: JsonBody<FormCreate, MESSAGE_BYTES>,
) -> Result<Response, ApiError> {
    let key = body.idempotency_key(&headers, format_args!("POST /conversations/{id}/forms"))?;
    let form = body.value;
    let started = state
        .runtime()
        .fill_form(&who, id, &form.tool, form.arguments, key)
        .await?;
    respond(&state, &who, id, started, &headers).await
}

async fn list(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
    Params(params): Params<ListParams>,
) -> ListResult<MessageResponse> {
    let limit = checked_limit(params.limit.as_deref(), DEFAULT_LIMIT)?;
    let store = state.store();
    let page = match params.order {
        Order::Oldest => store.messages(&who, id, params.cursor, limit).await?,
        Order::Newest => {
            store
                .newest_messages(&who, id, params.cursor, limit)
                .await?
        }
    };
    Ok(Json(ListResponse::of(page)))
}

/// Streams the answer if the client accepts a stream; otherwise sends it whole.
pub(super) async fn respond(
    state: &AppState,
    who: &Principal,
    conversation: ConversationId,
    started: Started,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let replayed = started.replayed && headers.contains_key(IDEMPOTENCY_KEY);
    let mut response = if wants_stream(headers) {
        stream::events(state, who, started.watch, None)
    } else {
        whole_answer(state, who, conversation, started).await?
    };
    if replayed {
        mark_replayed(response.headers_mut());
    }
    Ok(response)
}

async fn whole_answer(
    state: &AppState,
    who: &Principal,
    conversation: ConversationId,
    mut started: Started,
) -> Result<Response, ApiError> {
    loop {
        let next = tokio::select! {
            next = started.watch.next() => next?,
            () = state.stopping.cancelled() => return Err(ApiError::agent_error()),
        };
        if next.is_none() {
            break;
        }
    }
    let status = state.store().turn(who, conversation, started.turn).await?;
    answer(status)
}

pub(super) fn wants_stream(headers: &HeaderMap) -> bool {
    headers
        .get(ACCEPT)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains("text/event-stream"))
}

/// The response for a turn that ended or waits, with the design's status codes.
fn answer(status: TurnStatus) -> Result<Response, ApiError> {
    let turn = TurnResponse::from(&status);
    let body = MessageWithAgentResponse {
        user_message: status.user_message.into(),
        agent_message: status.agent_message.map(Into::into),
        turn: Some(turn),
    };
    match (status.state, &status.outcome) {
        (TurnState::Running | TurnState::AwaitingApproval, _) => {
            Ok((StatusCode::ACCEPTED, Json(body)).into_response())
        }
        (
            TurnState::Failed,
            Some(Outcome::ModelFailed {
                kind: ModelErrorKind::RateLimited,
                retry_after_seconds,
            }),
        ) => Err(ApiError::rate_limited(Duration::from_secs(
            retry_after_seconds.unwrap_or(1),
        ))),
        (TurnState::Failed, _) => Err(ApiError::agent_error()),
        (TurnState::Completed | TurnState::Cancelled | TurnState::Interrupted, _) => {
            Ok((StatusCode::CREATED, Json(body)).into_response())
        }
    }
}
