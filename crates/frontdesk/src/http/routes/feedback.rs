//! A person's feedback on a message of an assistant: up or down, with a comment; can be changed.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use frontdesk_core::id::MessageId;
use frontdesk_core::store::{Feedback, NewFeedback, Rating};
use frontdesk_core::untrusted;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::AppState;
use crate::http::body::JsonBody;
use crate::http::caller::Caller;
use crate::http::error::{ApiError, Naming};
use crate::http::input::{Ids, check_length};
use crate::http::route::{Content, Route};

const LONGEST_COMMENT: usize = 2_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct FeedbackCreate {
    rating: Rating,
    #[serde(default)]
    #[schemars(length(max = 2000))]
    comment: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "messages";
    const PATH: &str = "/messages/{id}/feedback";
    vec![
        Route::post(PATH, rate)
            .named("rate_message", SUBJECT, "Rate an answer")
            .about("One rating per person; a new one replaces the old one.")
            .takes::<FeedbackCreate>()
            .gives::<Feedback>(200, "The stored feedback")
            .refuses(&[403, 409]),
        Route::get(PATH, show)
            .named("get_feedback", SUBJECT, "Get my feedback on a message")
            .gives::<Feedback>(200, "The feedback")
            .refuses(&[403]),
        Route::delete(PATH, forget)
            .named("delete_feedback", SUBJECT, "Delete my feedback")
            .gives_content(204, "It is gone", Content::Nothing)
            .refuses(&[403]),
    ]
}

pub(in crate::http) async fn rate(
    State(state): State<AppState>,
    Caller(who): Caller,
    Ids(message): Ids<MessageId>,
    body: JsonBody<FeedbackCreate>,
) -> Result<Json<Feedback>, ApiError> {
    let FeedbackCreate { rating, comment } = body.value;
    let comment = comment.filter(|comment| !untrusted::is_blank(comment));
    check_length(
        "comment",
        comment.as_deref().unwrap_or_default(),
        LONGEST_COMMENT,
    )?;
    let new = NewFeedback {
        message,
        rating,
        comment,
        now: state.now(),
    };
    let rated = state.store().rate(&who, new).await;
    Ok(Json(rated.naming("message")?))
}

pub(in crate::http) async fn show(
    State(state): State<AppState>,
    Caller(who): Caller,
    Ids(message): Ids<MessageId>,
) -> Result<Json<Feedback>, ApiError> {
    let found = state.store().opinion(&who, message).await;
    match found.naming("message")? {
        Some(opinion) => Ok(Json(opinion)),
        None => Err(ApiError::not_found("Feedback")),
    }
}

pub(in crate::http) async fn forget(
    State(state): State<AppState>,
    Caller(who): Caller,
    Ids(message): Ids<MessageId>,
) -> Result<StatusCode, ApiError> {
    let forgotten = state.store().forget(&who, message).await;
    forgotten.naming("message")?;
    Ok(StatusCode::NO_CONTENT)
}
