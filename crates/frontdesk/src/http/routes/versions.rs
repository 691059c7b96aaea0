//! Versions of a message: change it or have it answered again, and choose the version that is shown.

use axum::response::Response;
use frontdesk_core::id::{ConversationId, MessageId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::{answers, respond};
use super::{
    ApiError, Caller, Content, Header, HeaderMap, Ids, JsonBody, MESSAGE_BYTES, Naming, NoContent,
    Route,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct VersionCreate {
    /// The new text; if absent, the same message is answered again.
    #[serde(default)]
    content: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "messages";
    vec![
        answers(
            Route::post("/conversations/{id}/messages/{message}/versions", create)
                .named("create_version", SUBJECT, "Change a message or have it answered again")
                .about("For the message's author, as long as no colleague wrote after it. The message and what followed it are set aside and can be selected again. What earlier turns changed stays changed: `kept_effects` in the new message's metadata lists it, the model is told not to repeat it, and a person confirms each further change. Such a message is not answered again without a change.")
                .header(Header::IdempotencyKey)
                .takes::<VersionCreate>(),
            "The new version and its answer",
        ),
        Route::post("/conversations/{id}/messages/{message}/select", select)
            .named("select_version", SUBJECT, "Show a version of a message")
            .about("Shows the version and what followed it, for everyone in the conversation.")
            .gives_content(204, "It is shown", Content::Nothing)
            .refuses(&[403, 409]),
    ]
}

async fn create(
    Caller { state, who }: Caller,
    Ids((id, message)): Ids<(ConversationId, MessageId)>,
    headers: HeaderMap,
    body: JsonBody<VersionCreate, MESSAGE_BYTES>,
) -> Result<Response, ApiError> {
    let key = body.idempotency_key(
        &headers,
        format_args!("POST /conversations/{id}/messages/{message}/versions"),
    )?;
    let content = body.value.content;
    let runtime = state.runtime();
    let started = runtime.revise(&who, id, message, content, key).await?;
    respond(&state, &who, id, started, &headers).await
}

async fn select(
    Caller { state, who }: Caller,
    Ids((id, message)): Ids<(ConversationId, MessageId)>,
) -> Result<NoContent, ApiError> {
    let (store, now) = (state.store(), state.now());
    let selected = store.select_version(&who, id, message, now).await;
    selected.naming("conversation")?;
    Ok(NoContent)
}
