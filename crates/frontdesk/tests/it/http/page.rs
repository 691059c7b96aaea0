//! The page: its files, its headers, and the paths that never return it. A placeholder page
//! replaces one that was not built.

use std::path::Path;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap};
use reqwest::{Method, Response, StatusCode};

use crate::harness::Backing;
use crate::server::{TestServer, client};

async fn get(server: &TestServer, path: &str, headers: &[(&'static str, &str)]) -> Response {
    let mut request = client()
        .request(Method::GET, format!("{}{path}", server.url))
        .header(ACCEPT, "text/html");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers
        .get(name)
        .map_or("", |value| value.to_str().unwrap_or_default())
}

fn is_built() -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../web/dist/index.html")
        .exists()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_address_returns_the_page_with_security_headers() {
    let server = TestServer::start(Backing::Sqlite).await;
    for path in [
        "/",
        "/a/anything",
        "/c/00000000-0000-4000-8000-000000000000",
        // The target of a file citation.
        "/sources/handbook/people/leave.md",
    ] {
        let page = get(&server, path, &[]).await;
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        let headers = page.headers().clone();
        assert!(header(&headers, "content-type").starts_with("text/html"));
        let policy = header(&headers, "content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(
            !policy.contains("https:") && !policy.contains('*'),
            "{policy}"
        );
        assert_eq!(header(&headers, "x-content-type-options"), "nosniff");
        assert_eq!(header(&headers, "referrer-policy"), "no-referrer");
        assert_eq!(
            header(&headers, "cross-origin-opener-policy"),
            "same-origin"
        );
        assert!(header(&headers, "permissions-policy").contains("microphone=()"));
        let text = page.text().await.unwrap();
        assert!(text.contains("<title>Frontdesk</title>"), "{text}");
        if is_built() {
            assert!(policy.contains("script-src 'self'"), "{policy}");
            assert!(policy.contains("require-trusted-types-for 'script'"));
            assert!(!policy.contains("unsafe"), "{policy}");
        } else {
            assert!(text.contains("make run"), "{text}");
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn api_and_asset_paths_never_return_the_page() {
    let server = TestServer::start(Backing::Sqlite).await;
    for path in [
        "/api/v1/nothing",
        "/api/nothing",
        "/services/nothing",
        "/v1/nothing",
        "/assets/gone.js",
        "/assets/../Cargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
    ] {
        let answer = get(&server, path, &[]).await;
        let kind = header(answer.headers(), "content-type").to_owned();
        let status = answer.status();
        let text = answer.text().await.unwrap();
        assert!(!text.contains("[package]"), "{path}: {text}");
        if path.contains("..") || path.contains("%2e") {
            continue;
        }
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(kind.starts_with("application/json"), "{path}: {kind}");
    }
    let posted = client().post(&server.url).send().await.unwrap();
    assert_eq!(posted.status(), StatusCode::NOT_FOUND);
    let script = client()
        .get(format!("{}/elsewhere", server.url))
        .header(ACCEPT, "application/json")
        .send()
        .await
        .unwrap();
    assert_eq!(script.status(), StatusCode::NOT_FOUND);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn built_files_are_compressed_and_cached() {
    if !is_built() {
        return;
    }
    let server = TestServer::start(Backing::Sqlite).await;
    let plain = get(&server, "/", &[("accept-encoding", "identity")]).await;
    assert_eq!(header(plain.headers(), "content-encoding"), "");
    assert_eq!(header(plain.headers(), "cache-control"), "no-cache");
    let tag = header(plain.headers(), "etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    let again = get(
        &server,
        "/",
        &[("accept-encoding", "identity"), ("if-none-match", &tag)],
    )
    .await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(again.text().await.unwrap(), "");

    let text = plain.text().await.unwrap();
    let script = text
        .split('"')
        .find(|part| part.starts_with("/assets/") && part.ends_with(".js") && !part.contains(' '))
        .unwrap();
    for (asked, encoding) in [
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("identity", ""),
    ] {
        let request = client()
            .get(format!("{}{script}", server.url))
            .header(ACCEPT_ENCODING, asked);
        let file = request.send().await.unwrap();
        assert_eq!(file.status(), StatusCode::OK);
        let headers = file.headers();
        assert_eq!(header(headers, "content-encoding"), encoding, "{asked}");
        assert_eq!(header(headers, "vary"), "Accept-Encoding");
        assert!(header(headers, "cache-control").contains("immutable"));
        assert!(header(headers, "content-type").starts_with("text/javascript"));
        assert!(header(headers, "etag").contains(if encoding.is_empty() {
            "plain"
        } else {
            encoding
        }));
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_has_the_installations_name_logo_and_colour() {
    if !is_built() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let logo = folder.path().join("logo.svg");
    std::fs::write(&logo, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    let settings = [
        ("brand.name", "Acme & Sons"),
        ("brand.logo", logo.to_str().unwrap()),
        ("brand.accent", "#ffcc00"),
    ];
    let server = TestServer::start_with(Backing::Sqlite, &settings).await;
    let page = get(&server, "/a/anything", &[("accept-encoding", "gzip")]).await;
    let headers = page.headers().clone();
    assert!(header(&headers, "content-security-policy").starts_with("default-src 'none'"));
    let html = page.text().await.unwrap();
    assert!(html.contains("<title>Acme &amp; Sons</title>"), "{html}");
    let tag = header(&headers, "etag");
    let again = get(&server, "/", &[("if-none-match", tag)]).await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);

    let style = get(&server, "/brand/style.css", &[]).await;
    assert!(
        style
            .text()
            .await
            .unwrap()
            .contains("--accent: light-dark(")
    );
    let logo = get(&server, "/brand/logo", &[]).await;
    assert_eq!(header(logo.headers(), "content-type"), "image/svg+xml");
    // A picture that is opened by itself runs nothing.
    let policy = header(logo.headers(), "content-security-policy");
    assert!(policy.contains("sandbox"), "{policy}");
    let manifest = get(&server, "/manifest.webmanifest", &[]).await;
    assert!(manifest.text().await.unwrap().contains("Acme & Sons"));
    server.stop().await;
}
