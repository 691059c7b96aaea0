//! Serves the web page from files in the binary. Its headers stop text of people, documents or
//! models from running or loading anything.

mod assets;
mod branded;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::{Html, IntoResponse, Response};

use super::AppState;
use super::error::ApiError;
use assets::Asset;

/// Scripts, styles and requests are same-origin only. Images are ours, or fetched by the page with
/// the person's token (`blob:`).
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    media-src blob:; worker-src 'self'; manifest-src 'self'; connect-src 'self'; font-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
const WELCOME_CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";
/// The page takes photos and scans codes.
const PERMISSIONS: &str = "camera=(self), microphone=(), geolocation=()";
const INDEX: &str = "index.html";
/// Files with a content hash in their name.
const HASHED: &str = "assets/";
/// API prefixes: a 404 below these never falls back to index.html.
const API_PREFIXES: [&str; 4] = ["api/", "services/", "v1/", "mcp"];

/// A file of the page, or index.html for the page's own routes.
pub(super) async fn show(State(state): State<AppState>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads || API_PREFIXES.iter().any(|prefix| path.starts_with(prefix)) {
        return ApiError::not_found("Resource").into_response();
    }
    let brand = &state.app.brand;
    if let Some(own) = branded::file(brand, path) {
        return own.respond(request.headers());
    }
    if !path.is_empty()
        && let Some(asset) = Asset::named(path)
    {
        return file(path, &asset, request.headers());
    }
    if path.starts_with(HASHED) || !accepts_a_page(request.headers()) {
        return ApiError::not_found("Resource").into_response();
    }
    if let Some(index) = branded::file(brand, INDEX) {
        return index.respond(request.headers());
    }
    match Asset::named(INDEX) {
        Some(index) => file(INDEX, &index, request.headers()),
        None => not_built(),
    }
}

fn accepts_a_page(headers: &HeaderMap) -> bool {
    let Some(accepted) = headers.get(header::ACCEPT) else {
        return true;
    };
    accepted
        .to_str()
        .is_ok_and(|text| text.contains("text/html") || text.contains("*/*"))
}

fn file(path: &str, asset: &Asset, asked: &HeaderMap) -> Response {
    let (encoding, bytes, tag) = asset.encoded_for(asked);
    let caching = if path.starts_with(HASHED) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut response = unless_known(asked, &tag, bytes);
    let headers = response.headers_mut();
    set(headers, header::CONTENT_TYPE, asset.media_type());
    set(headers, header::CACHE_CONTROL, caching);
    set(headers, header::VARY, "Accept-Encoding");
    if let Some(encoding) = encoding {
        set(headers, header::CONTENT_ENCODING, encoding);
    }
    set(headers, header::CONTENT_SECURITY_POLICY, CSP);
    protect(headers);
    response
}

/// The content with its ETag, or 304 for a client that has it.
fn unless_known(asked: &HeaderMap, tag: &str, bytes: Bytes) -> Response {
    let known = asked
        .get(header::IF_NONE_MATCH)
        .is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        bytes.into_response()
    };
    if let Ok(tag) = HeaderValue::from_str(tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// A placeholder if the page was not built.
fn not_built() -> Response {
    let mut response = Html(include_str!("page/welcome.html")).into_response();
    let headers = response.headers_mut();
    set(headers, header::CONTENT_SECURITY_POLICY, WELCOME_CSP);
    set(headers, header::CACHE_CONTROL, "no-store");
    protect(headers);
    response
}

fn protect(headers: &mut HeaderMap) {
    set(
        headers,
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    set(
        headers,
        HeaderName::from_static("permissions-policy"),
        PERMISSIONS,
    );
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}

/// Text as HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
