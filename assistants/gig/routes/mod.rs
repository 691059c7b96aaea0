//! The REST routes of gigs: list, create, edit, one with its figures, its candidates, and the chat about it.

mod shapes;

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Path, Query};
use axum::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, patch, post, put};
use frontdesk_core::access::Principal;
use frontdesk_core::store::IdempotencyKey;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::chat::{Chat, ChatReply, Failure, History, checked_gig, checked_limit, checked_message};
use frontdesk_bundle::ListResponse;
use frontdesk_bundle::route::{Header, OwnRoute, Route};

use super::domain::gig_fields::GigFields;
use super::domain::language::Language;
use super::domain::plots::Plots;
use super::store::GigCard;
use shapes::{
    CandidatePage, CandidateQuery, CandidateRow, Cleared, GigChat, GigDetail, GigEdit, GigInput,
    GigMessage, HistoryQuery, NewGigId,
};

type Who = Extension<Principal>;
type ChatHandle = Extension<Arc<Chat>>;

const MOST_CANDIDATES: usize = 200;
const CANDIDATES: usize = 50;
const LONGEST_KEY: usize = 255;

const SUBJECT: &str = "gigs";
/// Statuses of a gig that cannot be read.
const CLOSED: &[u16] = &[400, 403, 404];
const CHAT: &[u16] = &[400, 403, 404, 408, 409, 429, 500];

/// Descriptions of the routes, for the API reference.
pub(crate) fn operations() -> Vec<Route> {
    vec![
        Route::described(Method::GET, "/gigs")
            .named("list_gigs", SUBJECT, "Gigs of one's workspaces")
            .gives::<ListResponse<GigCard>>(200, "Newest first"),
        Route::described(Method::POST, "/gigs")
            .named("create_gig", SUBJECT, "Create a gig")
            .header(Header::IdempotencyKey)
            .takes::<GigInput>()
            .gives::<NewGigId>(201, "The gig's id")
            .refuses(&[400, 403, 422]),
        Route::described(Method::PATCH, "/gigs/{id}")
            .named("edit_gig", SUBJECT, "Change a gig")
            .takes::<GigEdit>()
            .gives::<GigDetail>(200, "The gig")
            .refuses(CLOSED),
        Route::described(Method::GET, "/gigs/{id}")
            .named("get_gig", SUBJECT, "A gig with its figures")
            .gives::<GigDetail>(200, "The gig")
            .refuses(CLOSED),
        Route::described(Method::GET, "/gigs/{id}/candidates")
            .named("list_candidates", SUBJECT, "Candidates by rank")
            .about("Without phone, email and Telegram. Every parameter narrows the list; candidates without a value in the sort column come last.")
            .query::<CandidateQuery>()
            .gives::<CandidatePage>(200, "A page of candidates")
            .refuses(CLOSED),
        Route::described(Method::GET, "/gigs/{id}/chat")
            .named("get_gig_chat", SUBJECT, "Messages of the chat about a gig")
            .query::<HistoryQuery>()
            .gives::<History>(200, "The newest messages, oldest first")
            .refuses(CLOSED),
        Route::described(Method::PUT, "/gigs/{id}/chat")
            .named("open_gig_chat", SUBJECT, "Open the chat about a gig")
            .about("One chat for each gig and person. `sessionId` is its conversation: messages sent there are streamed, and their turns can be stopped.")
            .gives::<GigChat>(200, "The chat")
            .refuses(CHAT),
        Route::described(Method::POST, "/gigs/{id}/chat")
            .named("ask_about_gig", SUBJECT, "Ask about a gig's candidates")
            .header(Header::IdempotencyKey)
            .takes::<GigMessage>()
            .gives::<ChatReply>(200, "The answer")
            .refuses(CHAT),
        Route::described(Method::DELETE, "/gigs/{id}/chat")
            .named("clear_gig_chat", SUBJECT, "Clear the chat about a gig")
            .gives::<Cleared>(200, "Also when the chat was empty")
            .refuses(CHAT),
    ]
}

pub(super) fn routes(chat: &Arc<Chat>) -> Vec<OwnRoute> {
    let handlers = [
        get(list),
        post(create),
        patch(edit),
        get(one),
        get(candidates),
        get(history),
        put(open),
        post(send),
        delete(clear),
    ];
    operations()
        .into_iter()
        .zip(handlers)
        .map(|(route, handler)| route.answered_by(handler.layer(Extension(Arc::clone(chat)))))
        .collect()
}

/// A failure with the reader's language.
struct ErrorResponse(Failure, Language);

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let Self(failure, language) = self;
        let body =
            json!({ "error": { "code": failure.code(), "message": failure.words(language) } });
        let mut response = (failure.status(), Json(body)).into_response();
        if let Some(wait) = failure.retry_after() {
            // Rounded up: coming back a moment early would be refused again.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            let seconds = HeaderValue::from(seconds.max(1));
            response.headers_mut().insert(RETRY_AFTER, seconds);
        }
        response
    }
}

fn language(headers: &HeaderMap) -> Language {
    let accepted = headers.get(ACCEPT_LANGUAGE);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    Language::preferred(accepted.unwrap_or_default())
}

fn in_language<T>(result: Result<T, Failure>, headers: &HeaderMap) -> Result<T, ErrorResponse> {
    result.map_err(|failure| ErrorResponse(failure, language(headers)))
}

fn private(body: &impl Serialize) -> Response {
    let mut response = (StatusCode::OK, Json(body)).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn list(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    headers: HeaderMap,
) -> Result<Response, ErrorResponse> {
    let found = chat.gigs.list(&who).await.map_err(Failure::from);
    let items = in_language(found, &headers)?;
    Ok(private(&ListResponse::complete(items)))
}

async fn one(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ErrorResponse> {
    let gig = in_language(checked_gig(&id), &headers)?;
    let detail = in_language(detail(&chat, &who, gig).await, &headers)?;
    Ok(private(&detail))
}

async fn detail(chat: &Chat, who: &Principal, gig: Uuid) -> Result<GigDetail, Failure> {
    let card = chat.gigs.card(who, gig).await?;
    let loaded = chat.gigs.load(who, gig).await?;
    let pool = &loaded.pool;
    Ok(GigDetail {
        gig: pool.gig.clone(),
        workspace_id: loaded.workspace,
        stats: pool.stats.clone(),
        figures: pool.figures(),
        plots: Plots::of(&pool.gig, &pool.candidates),
        is_active: card.is_active,
    })
}

/// The body as an object: whether its fields fit is said field by field.
fn fields(body: &[u8]) -> Result<Map<String, Value>, Failure> {
    serde_json::from_slice(body).map_err(|_| Failure::NotAnObject)
}

async fn create(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ErrorResponse> {
    let created = async {
        let mut fields = fields(&body)?;
        let workspace = match fields.remove("workspaceId") {
            None | Some(Value::Null) => None,
            Some(id) => Some(checked_gig(id.as_str().unwrap_or_default())?),
        };
        let fields = GigFields::read(None, fields).map_err(Failure::BadField)?;
        let key = key_header(&headers)?;
        Ok(chat.gigs.create(&who, key, workspace, fields).await?)
    };
    let created = in_language(created.await, &headers)?;
    let mut response = private(&NewGigId { id: created.id });
    *response.status_mut() = StatusCode::CREATED;
    if created.is_replayed {
        let replayed = HeaderValue::from_static("true");
        response
            .headers_mut()
            .insert("idempotent-replayed", replayed);
    }
    Ok(response)
}

async fn edit(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ErrorResponse> {
    let edited = async {
        let gig = checked_gig(&id)?;
        chat.gigs.edit(&who, gig, fields(&body)?).await?;
        detail(&chat, &who, gig).await
    };
    Ok(private(&in_language(edited.await, &headers)?))
}

async fn candidates(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    query: Result<Query<CandidateQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ErrorResponse> {
    let gig = in_language(checked_gig(&id), &headers)?;
    let Query(mut page) = in_language(query.map_err(|_| Failure::BadFilter), &headers)?;
    let number = |text: Option<String>, otherwise: usize| match text {
        None => Ok(otherwise),
        Some(text) => text.parse::<usize>().map_err(|_| Failure::BadLimit),
    };
    let limit =
        in_language(number(page.limit.take(), CANDIDATES), &headers)?.clamp(1, MOST_CANDIDATES);
    let from = in_language(number(page.cursor.take(), 0), &headers)?;
    let query = in_language(page.query().ok_or(Failure::BadFilter), &headers)?;
    let loaded = chat.gigs.load(&who, gig).await.map_err(Failure::from);
    let pool = in_language(loaded, &headers)?.pool;
    let found = pool.query(&query);
    let language = language(&headers);
    let shown = found.iter().skip(from).take(limit);
    let items: Vec<_> = shown
        .map(|one| CandidateRow::of(&pool, one, language))
        .collect();
    let next = from.saturating_add(items.len());
    let more = next < found.len();
    Ok(private(&CandidatePage {
        page: ListResponse {
            items,
            cursor: more.then(|| next.to_string()),
            has_more: more,
        },
        total: found.len(),
    }))
}

async fn open(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ErrorResponse> {
    let gig_id = in_language(checked_gig(&id), &headers)?;
    let session_id = in_language(chat.open(&who, gig_id).await, &headers)?;
    Ok(private(&GigChat { session_id, gig_id }))
}

async fn history(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    query: Result<Query<HistoryQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ErrorResponse> {
    let gig = in_language(checked_gig(&id), &headers)?;
    let Query(page) = in_language(query.map_err(|_| Failure::BadLimit), &headers)?;
    let limit = match page.limit {
        None => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| Failure::BadLimit),
    };
    let limit = in_language(limit.and_then(checked_limit), &headers)?;
    let found = in_language(chat.history(&who, gig, limit).await, &headers)?;
    Ok(private(&found))
}

async fn send(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ErrorResponse> {
    let read = serde_json::from_slice::<GigMessage>(&body).map_err(|_| Failure::BadBody);
    let message = in_language(read, &headers)?.message;
    in_language(checked_message(&message), &headers)?;
    let gig = in_language(checked_gig(&id), &headers)?;
    let given = in_language(key_header(&headers), &headers)?;
    let key = given.map(|given| key(given, gig, &message)).transpose();
    let key = in_language(key, &headers)?;
    let sent = in_language(chat.send(&who, gig, message, key).await, &headers)?;
    Ok(private(&sent))
}

async fn clear(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ErrorResponse> {
    let gig = in_language(checked_gig(&id), &headers)?;
    in_language(chat.clear(&who, gig).await, &headers)?;
    Ok(private(&Cleared { success: true }))
}

/// The `Idempotency-Key` of the request, if it has one.
fn key_header(headers: &HeaderMap) -> Result<Option<&str>, Failure> {
    let Some(given) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    match given.to_str() {
        Ok(key) if !key.is_empty() && key.len() <= LONGEST_KEY => Ok(Some(key)),
        Ok(_) | Err(_) => Err(Failure::BadBody),
    }
}

/// Identifies a repeated request.
pub(super) fn key(key: &str, gig: Uuid, message: &str) -> Result<IdempotencyKey, Failure> {
    if key.is_empty() || key.len() > LONGEST_KEY {
        return Err(Failure::BadBody);
    }
    Ok(IdempotencyKey {
        route: format!("POST /gigs/{gig}/chat"),
        key: key.to_owned(),
        fingerprint: format!("{:x}", Sha256::digest(message)),
    })
}
