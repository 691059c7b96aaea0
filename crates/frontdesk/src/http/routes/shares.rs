//! Pin and archive conversations, and share them by link.

use frontdesk_core::id::{ConversationId, ShareId};
use frontdesk_core::store::{Audience, Marks, NewShare, Share, SharedConversation};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    ApiError, Caller, Content, Created, Header, HeaderMap, Ids, Json, JsonBody, JsonResult,
    ListResponse, ListResult, Naming, NoContent, Route, checked_days,
};

const DEFAULT_DAYS: i64 = 30;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ShareCreate {
    audience: Audience,
    /// 1 to 365; 30 if absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = 365))]
    days: Option<i64>,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "conversations";
    vec![
        Route::put("/conversations/{id}/marks", mark)
            .named("mark_conversation", SUBJECT, "Pin or archive a conversation")
            .about("Changes the caller's own list only.")
            .takes::<Marks>()
            .gives_content(204, "It is marked", Content::Nothing)
            .refuses(&[403]),
        Route::post("/conversations/{id}/shares", share)
            .named("share_conversation", SUBJECT, "Share a conversation by link")
            .about("For the owner. The link, `/shared/{id}` on the page, shows the conversation to one colleague or to the members of a company, for reading. It works while they share a company with the owner and the owner has access. A conversation about a subject, such as a gig, cannot be shared: 409.")
            .header(Header::IdempotencyKey)
            .takes::<ShareCreate>()
            .gives::<Share>(201, "The link")
            .refuses(&[403, 409]),
        Route::get("/conversations/{id}/shares", list)
            .named("list_shares", SUBJECT, "List my links to a conversation")
            .gives::<ListResponse<Share>>(200, "Oldest first")
            .refuses(&[403]),
        Route::delete("/conversations/{id}/shares/{share}", revoke)
            .named("revoke_share", SUBJECT, "Revoke a link")
            .gives_content(204, "It works no longer", Content::Nothing)
            .refuses(&[403]),
        Route::get("/shared/{id}", show)
            .named("get_shared_conversation", SUBJECT, "Read a shared conversation")
            .about("404 for everyone who is not meant, and when the link has expired or was revoked.")
            .gives::<SharedConversation>(200, "The conversation with its newest messages"),
    ]
}

async fn mark(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
    body: JsonBody<Marks>,
) -> Result<NoContent, ApiError> {
    state.store().mark(&who, id, body.value).await?;
    Ok(NoContent)
}

async fn share(
    Caller { state, who }: Caller,
    Ids(conversation): Ids<ConversationId>,
    headers: HeaderMap,
    body: JsonBody<ShareCreate>,
) -> Result<Created<Share>, ApiError> {
    let key = body.idempotency_key(
        &headers,
        format_args!("POST /conversations/{conversation}/shares"),
    )?;
    let ShareCreate { audience, days } = body.value;
    let valid = checked_days(days, DEFAULT_DAYS)?;
    let now = state.now();
    // Random, because it is part of an address.
    let id = ShareId::from_uuid(Uuid::new_v4());
    let new = NewShare {
        id,
        conversation,
        audience,
        expires_at: now + valid,
        key,
        now,
    };
    let made = state.store().share(&who, new).await?;
    Ok(Created::new(made.id != id, made))
}

async fn list(Caller { state, who }: Caller, Ids(id): Ids<ConversationId>) -> ListResult<Share> {
    let shares = state.store().shares(&who, id).await?;
    Ok(Json(ListResponse::complete(shares)))
}

async fn revoke(
    Caller { state, who }: Caller,
    Ids((conversation, share)): Ids<(ConversationId, ShareId)>,
) -> Result<NoContent, ApiError> {
    state
        .store()
        .revoke_share(&who, conversation, share)
        .await?;
    Ok(NoContent)
}

async fn show(
    Caller { state, who }: Caller,
    Ids(id): Ids<ShareId>,
) -> JsonResult<SharedConversation> {
    let found = state.store().shared(&who, id, state.now()).await;
    Ok(Json(found.naming("link")?))
}
