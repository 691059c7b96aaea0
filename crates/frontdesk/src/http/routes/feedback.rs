//! A person's feedback on a message of an assistant: up or down, with a comment; can be changed.

use frontdesk_core::id::MessageId;
use frontdesk_core::store::{Feedback, NewFeedback, Rating};
use frontdesk_core::untrusted;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    ApiError, Caller, Content, Ids, Json, JsonBody, JsonResult, Naming, NoContent, Route,
    check_length,
};

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

async fn rate(
    Caller { state, who }: Caller,
    Ids(message): Ids<MessageId>,
    body: JsonBody<FeedbackCreate>,
) -> JsonResult<Feedback> {
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

async fn show(Caller { state, who }: Caller, Ids(message): Ids<MessageId>) -> JsonResult<Feedback> {
    let found = state.store().opinion(&who, message).await;
    match found.naming("message")? {
        Some(opinion) => Ok(Json(opinion)),
        None => Err(ApiError::not_found("Feedback")),
    }
}

async fn forget(
    Caller { state, who }: Caller,
    Ids(message): Ids<MessageId>,
) -> Result<NoContent, ApiError> {
    let forgotten = state.store().forget(&who, message).await;
    forgotten.naming("message")?;
    Ok(NoContent)
}
