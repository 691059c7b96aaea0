//! Conversations: create, list, show, change, delete, reset.

use frontdesk_core::id::{CompanyId, ConversationId};
use frontdesk_core::phase::PhaseChange;
use frontdesk_core::store::{ConversationPatch, ConversationQuery, ConversationView};
use frontdesk_core::untrusted;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    ApiError, Caller, Content, Created, Header, HeaderMap, Ids, Json, JsonBody, JsonResult,
    ListResponse, ListResult, NoContent, Params, Route, check_length, checked_limit, limit_shape,
};
use crate::http::wire::{ConversationCreate, ConversationResponse, ConversationUpdate};
use crate::runtime::NewConversationRequest;

const LONGEST_TITLE: usize = 255;
const MAX_METADATA_BYTES: usize = 16 * 1024;
const DEFAULT_LIMIT: u32 = 20;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ListParams {
    /// Cursor of the previous page.
    cursor: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "limit_shape")]
    limit: Option<String>,
    /// Only conversations of this company.
    company_id: Option<CompanyId>,
    /// Only conversations with this assistant.
    assistant: Option<String>,
    /// By the caller's own marks; `current` leaves out the archive.
    #[serde(default)]
    view: ConversationView,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "conversations";
    vec![
        Route::post("/conversations", create)
            .named("create_conversation", SUBJECT, "Start a conversation")
            .header(Header::IdempotencyKey)
            .takes::<ConversationCreate>()
            .gives::<ConversationResponse>(201, "The new conversation")
            .refuses(&[403, 404, 409]),
        Route::get("/conversations", list)
            .named("list_conversations", SUBJECT, "List conversations")
            .about("The caller's own and those of their companies, most recently updated first.")
            .query::<ListParams>()
            .gives::<ListResponse<ConversationResponse>>(200, "A page of conversations")
            .refuses(&[403]),
        Route::get("/conversations/{id}", show)
            .named("get_conversation", SUBJECT, "Show a conversation")
            .gives::<ConversationResponse>(200, "The conversation")
            .refuses(&[403]),
        Route::patch("/conversations/{id}", update)
            .named("update_conversation", SUBJECT, "Change a conversation's title, metadata, phase or owner")
            .about("Title and metadata: owner only. Phase: also members of the company. Owner: the owner and the company's owner may transfer a company's conversation to another member.")
            .takes::<ConversationUpdate>()
            .gives::<ConversationResponse>(200, "The updated conversation")
            .refuses(&[403, 409]),
        Route::delete("/conversations/{id}", delete)
            .named("delete_conversation", SUBJECT, "Delete a conversation")
            .about("For the owner and the company's owner. Deletion is permanent. A running turn is cancelled; the audit log keeps the ids.")
            .gives_content(204, "It is gone", Content::Nothing)
            .refuses(&[403]),
        Route::post("/conversations/{id}/reset", reset)
            .named("reset_conversation", SUBJECT, "Clear a conversation")
            .about("Deletes messages and metadata but keeps documents. A running turn is cancelled.")
            .gives::<ConversationResponse>(200, "The empty conversation")
            .refuses(&[403]),
        Route::post("/conversations/{id}/title", title)
            .named("title_conversation", SUBJECT, "Give an untitled conversation a title")
            .about("The language model writes it; without one, it is the suggestion or the beginning of the first message. A conversation with a title keeps it.")
            .takes::<TitleRequest>()
            .gives::<ConversationResponse>(200, "The conversation")
            .refuses(&[403, 409]),
    ]
}

async fn create(
    Caller { state, who }: Caller,
    headers: HeaderMap,
    body: JsonBody<ConversationCreate>,
) -> Result<Created<ConversationResponse>, ApiError> {
    let key = body.idempotency_key(&headers, "POST /conversations")?;
    let new = body.value;
    check_title(new.title.as_deref())?;
    check_metadata(new.metadata.as_ref())?;
    let talk = NewConversationRequest {
        assistant: new
            .assistant
            .unwrap_or_else(|| state.app.default_assistant.clone()),
        title: new.title,
        company_id: new.company_id,
        subject: new.subject,
        metadata: new.metadata.unwrap_or_default(),
        key,
    };
    let id = state.runtime().new_conversation_id(&talk);
    let made = state.runtime().start_as(&who, id, talk).await?;
    Ok(Created::new(made.id != id, made.into()))
}

async fn list(
    Caller { state, who }: Caller,
    Params(params): Params<ListParams>,
) -> ListResult<ConversationResponse> {
    let query = ConversationQuery {
        cursor: params.cursor,
        limit: checked_limit(params.limit.as_deref(), DEFAULT_LIMIT)?,
        company_id: params.company_id,
        assistant: params.assistant,
        view: params.view,
    };
    let page = state.store().list(&who, query).await?;
    Ok(Json(ListResponse::of(page)))
}

async fn show(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
) -> JsonResult<ConversationResponse> {
    let found = state.store().get(&who, id).await?;
    Ok(Json(found.into()))
}

async fn update(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
    body: JsonBody<ConversationUpdate>,
) -> JsonResult<ConversationResponse> {
    let change = body.value;
    check_title(change.title.as_deref())?;
    check_metadata(change.metadata.as_ref())?;
    let conversation = state.store().get(&who, id).await?;
    let phase = match change.phase {
        None => None,
        Some(name) => {
            let assistant = state.runtime().assistant(&who, &conversation.assistant)?;
            let to = assistant
                .phase(&name)
                .ok_or_else(|| ApiError::invalid("phase", "there is no such phase"))?;
            Some(PhaseChange {
                from: conversation.phase,
                to,
                reason: format!("moved by {}", who.name()),
            })
        }
    };
    let patch = ConversationPatch {
        title: change.title,
        owner: change.owner,
        phase,
        metadata: change.metadata.unwrap_or_default(),
        now: state.now(),
    };
    let changed = state.store().update(&who, id, patch).await?;
    Ok(Json(changed.into()))
}

async fn delete(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
) -> Result<NoContent, ApiError> {
    state.store().delete(&who, id).await?;
    Ok(NoContent)
}

async fn reset(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
) -> JsonResult<ConversationResponse> {
    let cleared = state.store().reset(&who, id).await?;
    Ok(Json(cleared.into()))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TitleRequest {
    /// The title if no language model can write one.
    #[serde(default)]
    #[schemars(length(min = 1, max = 255))]
    suggestion: Option<String>,
}

async fn title(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
    body: JsonBody<TitleRequest>,
) -> JsonResult<ConversationResponse> {
    let suggestion = body.value.suggestion;
    check_title(suggestion.as_deref())?;
    let runtime = state.runtime();
    let titled = runtime
        .title_conversation(&who, id, suggestion.as_deref())
        .await?;
    Ok(Json(titled.into()))
}

fn check_title(title: Option<&str>) -> Result<(), ApiError> {
    match title {
        Some(title) if untrusted::is_blank(title) => {
            Err(ApiError::invalid("title", "must not be empty"))
        }
        Some(title) => check_length("title", title, LONGEST_TITLE),
        None => Ok(()),
    }
}

fn check_metadata(
    metadata: Option<&serde_json::Map<String, serde_json::Value>>,
) -> Result<(), ApiError> {
    let bytes = metadata.map_or(0, |map| {
        serde_json::to_string(map).map_or(usize::MAX, |text| text.len())
    });
    if bytes > MAX_METADATA_BYTES {
        return Err(ApiError::invalid(
            "metadata",
            format!("must be at most {MAX_METADATA_BYTES} bytes long"),
        ));
    }
    Ok(())
}
