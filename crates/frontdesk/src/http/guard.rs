//! Middleware of all routes: request ids, panic handling, host check, security headers.

use std::any::Any;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{
    CONTENT_TYPE, HOST, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use frontdesk_files::drain_refused_bodies;
use serde_json::{Value, json};
use tower_http::catch_panic::CatchPanicLayer;
use tracing::Instrument;

use super::AppState;
use super::error::ApiError;
use crate::config::Config;
use crate::metrics::Limit;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Marks an error in another protocol's format, which has no field for a request id.
#[derive(Clone, Copy)]
pub(super) struct ForeignShape;

/// Maximum size of an error body that gets a request id.
const ERROR_BYTES: usize = 64 * 1024;

pub(super) fn around(routes: Router, state: AppState) -> Router {
    routes
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(
            state.clone(),
            refuse_while_stopping,
        ))
        .layer(middleware::from_fn_with_state(state.clone(), check_host))
        .layer(middleware::from_fn_with_state(state.clone(), identify))
        .layer(middleware::from_fn_with_state(state, measure))
        .layer(middleware::from_fn(drain_refused_bodies))
}

/// Accepted host names: the bind address and the public one.
pub(super) fn hosts(config: &Config) -> Vec<String> {
    let mut hosts = vec![config.server.bind.ip().to_string()];
    if config.server.bind.ip().is_loopback() || config.server.bind.ip().is_unspecified() {
        hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(str::to_owned));
    }
    let public = config.server.public_url.parse::<Uri>().ok();
    hosts.extend(public.and_then(|uri| uri.host().map(str::to_owned)));
    hosts
}

/// The `Host` header without its port.
pub(super) fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        Some(_) | None => host,
    }
}

/// An unknown host name may be a DNS rebinding attack.
async fn check_host(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let host = request
        .headers()
        .get(HOST)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let name = host_name(host);
    if state
        .hosts
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
    {
        return next.run(request).await;
    }
    ApiError::new(
        StatusCode::MISDIRECTED_REQUEST,
        "UNKNOWN_HOST",
        "This server does not answer for that host; set server.public_url",
    )
    .into_response()
}

/// Counts and times responses. Unknown paths are labelled `other`, which bounds the number of
/// labels.
async fn measure(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("other", MatchedPath::as_str)
        .to_owned();
    let method = METHODS
        .iter()
        .find(|known| request.method().as_str() == **known)
        .unwrap_or(&"other");
    let since = Instant::now();
    let response = next.run(request).await;
    let metrics = state.runtime().metrics();
    metrics.request(method, &route, response.status().as_u16(), since.elapsed());
    if let Some(limit) = response.extensions().get::<Limit>() {
        metrics.limit_hit(*limit);
    }
    response
}

const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// Refuses new requests during shutdown, except health checks.
async fn refuse_while_stopping(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let about_us = matches!(request.uri().path(), "/healthz" | "/readyz");
    if state.stopping.is_cancelled() && !about_us {
        return ApiError::unavailable().into_response();
    }
    next.run(request).await
}

/// Assigns an id to each request, for its log lines and errors.
async fn identify(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let id = state.app.env.id().to_string();
    let span = tracing::info_span!(
        "request", request.id = id, method = %request.method(), path = request.uri().path()
    );
    let response = next.run(request).instrument(span).await;
    let mut response = with_request_id(response, &id).await;
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, value);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers
        .entry("content-security-policy")
        .or_insert(HeaderValue::from_static(
            "default-src 'none'; frame-ancestors 'none'",
        ));
    response
}

async fn with_request_id(response: Response, id: &str) -> Response {
    let status = response.status();
    let json = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let foreign = response.extensions().get::<ForeignShape>().is_some();
    if !(status.is_client_error() || status.is_server_error()) || !json || foreign {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, ERROR_BYTES).await else {
        return ApiError::not_found("Resource").into_response();
    };
    let amended = match serde_json::from_slice::<Value>(&bytes) {
        Ok(mut value) if value.get("error").is_some() => {
            value["error"]["request_id"] = json!(id);
            Body::from(value.to_string())
        }
        Ok(_) | Err(_) => Body::from(bytes),
    };
    // Keeps the response's extensions, such as metrics labels.
    parts.headers.remove(axum::http::header::CONTENT_LENGTH);
    Response::from_parts(parts, amended)
}

/// A panic fails one request, never the process.
fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let what = cause
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| cause.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    tracing::error!("a handler panicked: {what}");
    ApiError::internal().into_response()
}

pub(super) async fn method_not_allowed() -> ApiError {
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "METHOD_NOT_ALLOWED",
        "This method is not allowed here",
    )
}
