//! What the page and other programs ask about gigs: which there are, one with its figures, its
//! candidates, and the chat about it.

mod shapes;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Path, Query};
use axum::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use frontdesk_core::access::Principal;
use frontdesk_core::store::IdempotencyKey;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::chat::{Chat, Failure, History, Sent, checked_gig, checked_limit, checked_message};
use frontdesk_bundle::route::{Header, OwnRoute, Route};

use super::domain::plots::Plots;
use super::domain::prompt;
use super::domain::tongue::Tongue;
use shapes::{
    CandidatePage, CandidateQuery, CandidateRow, Cleared, GigChat, GigDetail, GigList, GigMessage,
    HistoryQuery,
};

type Who = Extension<Principal>;
type FinalAnswer = Extension<Arc<Chat>>;

const MOST_CANDIDATES: usize = 200;
const CANDIDATES: usize = 50;
const LONGEST_KEY: usize = 255;

const SUBJECT: &str = "gigs";
/// Not a member of the workspace, or no such gig.
const CLOSED: &[u16] = &[400, 403, 404];
const CHAT: &[u16] = &[400, 403, 404, 408, 409, 429, 500];

/// The routes in words, before there is anything to answer them.
pub(crate) fn operations() -> Vec<Route> {
    vec![
        Route::described(Method::GET, "/gigs")
            .named("list_gigs", SUBJECT, "Gigs of one's workspaces")
            .gives::<GigList>(200, "Newest first"),
        Route::described(Method::GET, "/gigs/{id}")
            .named("get_gig", SUBJECT, "A gig with its figures")
            .gives::<GigDetail>(200, "The gig")
            .refuses(CLOSED),
        Route::described(Method::GET, "/gigs/{id}/candidates")
            .named("list_candidates", SUBJECT, "Candidates by rank")
            .about("Without phone, email and Telegram. Every parameter narrows the list; whoever has nothing to be sorted by comes last.")
            .query::<CandidateQuery>()
            .gives::<CandidatePage>(200, "A page of candidates")
            .refuses(CLOSED),
        Route::described(Method::GET, "/gigs/{id}/chat")
            .named("get_gig_chat", SUBJECT, "What was said about a gig")
            .query::<HistoryQuery>()
            .gives::<History>(200, "The newest messages, oldest first")
            .refuses(CLOSED),
        Route::described(Method::PUT, "/gigs/{id}/chat")
            .named("open_gig_chat", SUBJECT, "Open the chat about a gig")
            .about("One chat for each gig and person. `sessionId` is its conversation: messages said there are streamed, and their turns can be stopped.")
            .gives::<GigChat>(200, "The chat")
            .refuses(CHAT),
        Route::described(Method::POST, "/gigs/{id}/chat")
            .named("ask_about_gig", SUBJECT, "Ask about a gig's candidates")
            .header(Header::IdempotencyKey)
            .takes::<GigMessage>()
            .gives::<Sent>(200, "The answer")
            .refuses(CHAT),
        Route::described(Method::DELETE, "/gigs/{id}/chat")
            .named("clear_gig_chat", SUBJECT, "Forget the chat about a gig")
            .gives::<Cleared>(200, "Also where there was nothing to forget")
            .refuses(CHAT),
    ]
}

pub(super) fn routes(chat: &Arc<Chat>) -> Vec<OwnRoute> {
    let handlers = [
        get(list),
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

/// A failure with the language it is told in.
struct Denied(Failure, Tongue);

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        let Self(failure, tongue) = self;
        let body = json!({ "error": { "code": failure.code(), "message": failure.words(tongue) } });
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

/// The language of the person's screen: Russian unless they prefer English to it.
pub(super) fn tongue(headers: &HeaderMap) -> Tongue {
    let wanted = headers
        .get(ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok());
    let first = wanted
        .unwrap_or_default()
        .split(',')
        .map(|one| one.trim().to_ascii_lowercase())
        .find(|one| one.starts_with("ru") || one.starts_with("en"));
    match first {
        Some(language) if language.starts_with("en") => Tongue::English,
        Some(_) | None => Tongue::Russian,
    }
}

fn told<T>(result: Result<T, Failure>, headers: &HeaderMap) -> Result<T, Denied> {
    result.map_err(|failure| Denied(failure, tongue(headers)))
}

fn private(body: &impl Serialize) -> Response {
    let mut response = (StatusCode::OK, Json(body)).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn list(
    Extension(who): Who,
    Extension(chat): FinalAnswer,
    headers: HeaderMap,
) -> Result<Response, Denied> {
    let found = chat.gigs.list(&who).await.map_err(Failure::from);
    let items = told(found, &headers)?;
    Ok(private(&GigList { items }))
}

async fn one(
    Extension(who): Who,
    Extension(chat): FinalAnswer,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Denied> {
    let gig = told(checked_gig(&id), &headers)?;
    let seen = chat.gigs.load(&who, gig).await.map_err(Failure::from);
    let seen = told(seen, &headers)?;
    Ok(private(&GigDetail {
        gig: seen.pool.gig.clone(),
        workspace_id: seen.workspace,
        stats: seen.pool.stats.clone(),
        figures: seen.pool.figures(),
        plots: Plots::of(&seen.pool.gig, &seen.pool.candidates),
        prompt_tokens: prompt::build("", &seen.pool, &[]).len().div_ceil(4),
    }))
}

async fn candidates(
    Extension(who): Who,
    Extension(chat): FinalAnswer,
    Path(id): Path<String>,
    query: Result<Query<CandidateQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Denied> {
    let gig = told(checked_gig(&id), &headers)?;
    let Query(mut page) = told(query.map_err(|_| Failure::BadFilter), &headers)?;
    let number = |text: Option<String>, otherwise: usize| match text {
        None => Ok(otherwise),
        Some(text) => text.parse::<usize>().map_err(|_| Failure::BadLimit),
    };
    let limit = told(number(page.limit.take(), CANDIDATES), &headers)?.clamp(1, MOST_CANDIDATES);
    let from = told(number(page.cursor.take(), 0), &headers)?;
    let listing = told(page.listing().ok_or(Failure::BadFilter), &headers)?;
    let seen = chat.gigs.load(&who, gig).await.map_err(Failure::from);
    let pool = told(seen, &headers)?.pool;
    let found = pool.list(&listing);
    let tongue = tongue(&headers);
    let shown = found.iter().skip(from).take(limit);
    let items: Vec<_> = shown
        .map(|one| CandidateRow::of(&pool, one, tongue))
        .collect();
    let next = from.saturating_add(items.len());
    let more = next < found.len();
    Ok(private(&CandidatePage {
        items,
        total: found.len(),
        cursor: more.then(|| next.to_string()),
        has_more: more,
    }))
}

async fn open(
    Extension(who): Who,
    Extension(chat): FinalAnswer,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Denied> {
    let gig_id = told(checked_gig(&id), &headers)?;
    let session_id = told(chat.open(&who, gig_id).await, &headers)?;
    Ok(private(&GigChat { session_id, gig_id }))
}

async fn history(
    Extension(who): Who,
    Extension(chat): FinalAnswer,
    Path(id): Path<String>,
    query: Result<Query<HistoryQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Denied> {
    let gig = told(checked_gig(&id), &headers)?;
    let Query(page) = told(query.map_err(|_| Failure::BadLimit), &headers)?;
    let limit = match page.limit {
        None => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| Failure::BadLimit),
    };
    let limit = told(limit.and_then(checked_limit), &headers)?;
    let found = told(chat.history(&who, gig, limit).await, &headers)?;
    Ok(private(&found))
}

async fn send(
    Extension(who): Who,
    Extension(chat): FinalAnswer,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Denied> {
    let read = serde_json::from_slice::<GigMessage>(&body).map_err(|_| Failure::BadBody);
    let message = told(read, &headers)?.message;
    told(checked_message(&message), &headers)?;
    let gig = told(checked_gig(&id), &headers)?;
    let key = match headers.get("idempotency-key") {
        None => Ok(None),
        Some(given) => match given.to_str() {
            Ok(given) => key(given, gig, &message).map(Some),
            Err(_) => Err(Failure::BadBody),
        },
    };
    let key = told(key, &headers)?;
    let sent = told(chat.send(&who, gig, message, key).await, &headers)?;
    Ok(private(&sent))
}

async fn clear(
    Extension(who): Who,
    Extension(chat): FinalAnswer,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Denied> {
    let gig = told(checked_gig(&id), &headers)?;
    told(chat.clear(&who, gig).await, &headers)?;
    Ok(private(&Cleared { success: true }))
}

/// What makes a repeated request the same one.
pub(super) fn key(key: &str, gig: Uuid, message: &str) -> Result<IdempotencyKey, Failure> {
    if key.is_empty() || key.len() > LONGEST_KEY {
        return Err(Failure::BadBody);
    }
    let mut hasher = DefaultHasher::new();
    message.hash(&mut hasher);
    Ok(IdempotencyKey {
        route: format!("POST /gigs/{gig}/chat"),
        key: key.to_owned(),
        fingerprint: format!("{:016x}", hasher.finish()),
    })
}
