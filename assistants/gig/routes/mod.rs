//! What the page and other programs ask about gigs: which there are, one with its figures, its
//! candidates, and the chat about it.

mod shapes;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Path, Query};
use axum::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use frontdesk_core::access::Principal;
use frontdesk_core::store::IdempotencyKey;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::chat::{Chat, Failure, checked_gig, checked_limit, checked_message};
use super::domain::prompt;
use super::domain::tongue::Tongue;
use shapes::{
    CandidatePage, CandidateQuery, Cleared, GigChat, GigDetail, GigList, GigMessage, HistoryQuery,
};

type Who = Extension<Principal>;
type Said = Extension<Arc<Chat>>;

const MOST_CANDIDATES: usize = 200;
const CANDIDATES: usize = 50;
const LONGEST_KEY: usize = 255;

pub(super) fn router(chat: &Arc<Chat>) -> Router {
    Router::new()
        .route("/gigs", get(list))
        .route("/gigs/{id}", get(one))
        .route("/gigs/{id}/candidates", get(candidates))
        .route(
            "/gigs/{id}/chat",
            get(history).put(open).post(send).delete(clear),
        )
        .layer(Extension(Arc::clone(chat)))
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
    Extension(chat): Said,
    headers: HeaderMap,
) -> Result<Response, Denied> {
    let found = chat.gigs.list(&who).await.map_err(Failure::from);
    let items = told(found, &headers)?;
    Ok(private(&GigList { items }))
}

async fn one(
    Extension(who): Who,
    Extension(chat): Said,
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
        prompt_tokens: prompt::build("", &seen.pool, &[]).len().div_ceil(4),
    }))
}

async fn candidates(
    Extension(who): Who,
    Extension(chat): Said,
    Path(id): Path<String>,
    query: Result<Query<CandidateQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Denied> {
    let gig = told(checked_gig(&id), &headers)?;
    let Query(page) = told(query.map_err(|_| Failure::BadLimit), &headers)?;
    let number = |text: Option<String>, otherwise: usize| match text {
        None => Ok(otherwise),
        Some(text) => text.parse::<usize>().map_err(|_| Failure::BadLimit),
    };
    let limit = told(number(page.limit, CANDIDATES), &headers)?.clamp(1, MOST_CANDIDATES);
    let from = told(number(page.cursor, 0), &headers)?;
    let seen = chat.gigs.load(&who, gig).await.map_err(Failure::from);
    let pool = told(seen, &headers)?.pool;
    let shown = pool.candidates.iter().skip(from).take(limit);
    let items: Vec<_> = shown.cloned().collect();
    let next = from.saturating_add(items.len());
    let more = next < pool.candidates.len();
    Ok(private(&CandidatePage {
        items,
        total: pool.candidates.len(),
        cursor: more.then(|| next.to_string()),
        has_more: more,
    }))
}

async fn open(
    Extension(who): Who,
    Extension(chat): Said,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Denied> {
    let gig_id = told(checked_gig(&id), &headers)?;
    let session_id = told(chat.open(&who, gig_id).await, &headers)?;
    Ok(private(&GigChat { session_id, gig_id }))
}

async fn history(
    Extension(who): Who,
    Extension(chat): Said,
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
    Extension(chat): Said,
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
    Extension(chat): Said,
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
