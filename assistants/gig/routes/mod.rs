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
use frontdesk_bundle::route::{Header, OwnRoute, Route};
use frontdesk_bundle::{BoxError, Import, ImportReport, ListResponse};

use super::domain::gig_fields::GigFields;
use super::domain::language::Language;
use super::domain::plots::Plots;
use super::domain::pool::Pool;
use super::import::Responses;
use super::store::{CreatedGig, GigCard, GigError, GigWriteError};
use shapes::{
    CandidatePage, CandidateQuery, CandidateRow, Cleared, GigChat, GigDetail, GigEdit, GigInput,
    GigMessage, HistoryQuery, NewGigId, ResponseFile,
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
        Route::described(Method::POST, "/gigs/{id}/responses")
            .named("import_responses", SUBJECT, "Import responses from a file")
            .about("CSV with a line of headings, or JSON. A known `candidate_id` is updated. A row that cannot be read is refused by itself.")
            .takes::<ResponseFile>()
            .gives::<ImportReport>(200, "What became of each row")
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
        post(import_responses),
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

fn language(headers: &HeaderMap) -> Language {
    let accepted = headers.get(ACCEPT_LANGUAGE);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    Language::preferred(accepted.unwrap_or_default())
}

/// The body, or the failure in the reader's language.
fn respond(result: Result<impl Serialize, Failure>, headers: &HeaderMap) -> Response {
    let failure = match result {
        Ok(body) => {
            let no_store = HeaderValue::from_static("no-store");
            return ([(CACHE_CONTROL, no_store)], Json(body)).into_response();
        }
        Err(failure) => failure,
    };
    let message = failure.words(language(headers));
    let body = json!({ "error": { "code": failure.code(), "message": message } });
    let mut response = (failure.status(), Json(body)).into_response();
    if let Some(wait) = failure.retry_after() {
        // Rounded up: coming back a moment early would be refused again.
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        let seconds = HeaderValue::from(seconds.max(1));
        response.headers_mut().insert(RETRY_AFTER, seconds);
    }
    response
}

async fn list(Extension(who): Who, Extension(chat): ChatHandle, headers: HeaderMap) -> Response {
    let found = chat.gigs.list(&who).await.map_err(Failure::from);
    respond(found.map(ListResponse::complete), &headers)
}

async fn one(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let found = async { detail(&chat, &who, checked_gig(&id)?).await };
    respond(found.await, &headers)
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
    serde_json::from_slice(body).map_err(|_| Failure::NOT_AN_OBJECT)
}

async fn create(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
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
    let created: Result<CreatedGig, Failure> = created.await;
    let is_replayed = created.as_ref().is_ok_and(|gig| gig.is_replayed);
    let is_created = created.is_ok();
    let mut response = respond(created.map(|gig| NewGigId { id: gig.id }), &headers);
    if is_created {
        *response.status_mut() = StatusCode::CREATED;
    }
    if is_replayed {
        let replayed = HeaderValue::from_static("true");
        let headers = response.headers_mut();
        headers.insert("idempotent-replayed", replayed);
    }
    response
}

async fn edit(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let edited = async {
        let gig = checked_gig(&id)?;
        chat.gigs.edit(&who, gig, fields(&body)?).await?;
        detail(&chat, &who, gig).await
    };
    respond(edited.await, &headers)
}

async fn candidates(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    query: Result<Query<CandidateQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let gig = checked_gig(&id)?;
        let Query(query) = query.map_err(|_| Failure::BAD_FILTER)?;
        let pool = chat.gigs.load(&who, gig).await?.pool;
        page(&pool, query, language(&headers)).ok_or(Failure::BAD_FILTER)
    };
    respond(found.await, &headers)
}

async fn import_responses(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let imported = async {
        let gig = checked_gig(&id)?;
        let file = serde_json::from_slice::<ResponseFile>(&body);
        let file = file.map_err(|_| Failure::NOT_A_FILE)?;
        chat.gigs.card(&who, gig).await?;
        let responses = Responses {
            gigs: Arc::clone(&chat.gigs),
        };
        let (into, content) = (gig.to_string(), file.content.as_bytes());
        let report = responses.import(&who, Some(&into), &file.name, content);
        report.await.map_err(not_imported)
    };
    respond(imported.await, &headers)
}

/// Problems of the file are for the person, those of the gig have words of their own.
fn not_imported(error: BoxError) -> Failure {
    let error = match error.downcast::<GigError>() {
        Ok(error) => return (*error).into(),
        Err(error) => error,
    };
    match error.downcast::<GigWriteError>() {
        Ok(error) => (*error).into(),
        Err(error) => Failure::BadFile(error.to_string()),
    }
}

/// `None` when a value of the query cannot be read.
fn page(pool: &Pool, mut query: CandidateQuery, language: Language) -> Option<CandidatePage> {
    let number = |text: Option<String>, otherwise: usize| match text {
        None => Some(otherwise),
        Some(text) => text.parse().ok(),
    };
    let limit = number(query.limit.take(), CANDIDATES)?.clamp(1, MOST_CANDIDATES);
    let from = number(query.cursor.take(), 0)?;
    let found = pool.query(&query.query()?);
    let shown = found.iter().skip(from).take(limit);
    let items: Vec<_> = shown
        .map(|one| CandidateRow::of(pool, one, language))
        .collect();
    let next = from.saturating_add(items.len());
    let has_more = next < found.len();
    Some(CandidatePage {
        page: ListResponse {
            items,
            cursor: has_more.then(|| next.to_string()),
            has_more,
        },
        total: found.len(),
    })
}

async fn open(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let opened = async {
        let gig_id = checked_gig(&id)?;
        let session_id = chat.open(&who, gig_id).await?;
        Ok(GigChat { session_id, gig_id })
    };
    respond(opened.await, &headers)
}

async fn history(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    query: Result<Query<HistoryQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let gig = checked_gig(&id)?;
        let Query(page) = query.map_err(|_| Failure::BAD_LIMIT)?;
        let limit = page.limit.map(|text| text.parse()).transpose();
        let limit = checked_limit(limit.map_err(|_| Failure::BAD_LIMIT)?)?;
        chat.history(&who, gig, limit).await
    };
    respond(found.await, &headers)
}

async fn send(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let sent = async {
        let read = serde_json::from_slice::<GigMessage>(&body);
        let message = read.map_err(|_| Failure::BAD_BODY)?.message;
        checked_message(&message)?;
        let gig = checked_gig(&id)?;
        let key = key_header(&headers)?;
        let key = key.map(|key| message_key(key, gig, &message)).transpose()?;
        chat.send(&who, gig, message, key).await
    };
    respond(sent.await, &headers)
}

async fn clear(
    Extension(who): Who,
    Extension(chat): ChatHandle,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let cleared = async {
        chat.clear(&who, checked_gig(&id)?).await?;
        Ok(Cleared { success: true })
    };
    respond(cleared.await, &headers)
}

/// The `Idempotency-Key` of the request, if it has one.
fn key_header(headers: &HeaderMap) -> Result<Option<&str>, Failure> {
    let given = headers.get("idempotency-key");
    let key = given.map(|given| given.to_str().map_err(|_| Failure::BAD_KEY));
    key.transpose()?.map(checked_key).transpose()
}

fn checked_key(key: &str) -> Result<&str, Failure> {
    let fits = (1..=LONGEST_KEY).contains(&key.len());
    fits.then_some(key).ok_or(Failure::BAD_KEY)
}

/// Identifies a repeated message.
pub(super) fn message_key(key: &str, gig: Uuid, message: &str) -> Result<IdempotencyKey, Failure> {
    Ok(IdempotencyKey {
        route: format!("POST /gigs/{gig}/chat"),
        key: checked_key(key)?.to_owned(),
        fingerprint: format!("{:x}", Sha256::digest(message)),
    })
}
