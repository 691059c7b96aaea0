//! Fetching within limits. A canary server on loopback must never be reached.

use std::collections::HashMap;
use std::io::Write;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::future::BoxFuture;
use reqwest::Url;
use tokio::net::TcpListener;

use super::super::address::{AddressError, AllowedHosts};
use super::{Egress, FetchError, Limits, Resolver};

/// A scripted resolver: each look-up of a name returns the next answer.
#[derive(Default)]
struct FakeDns(Mutex<HashMap<String, Vec<Vec<IpAddr>>>>);

impl FakeDns {
    fn lead(&self, name: &str, answers: &[&str]) {
        let answers = answers.iter().map(|ip| vec![ip.parse().unwrap()]).collect();
        self.0.lock().unwrap().insert(name.to_owned(), answers);
    }
}

impl Resolver for FakeDns {
    fn resolve(&self, name: &str) -> BoxFuture<'static, std::io::Result<Vec<IpAddr>>> {
        let mut names = self.0.lock().unwrap();
        let found = match names.get_mut(name) {
            Some(answers) if answers.len() > 1 => Ok(answers.remove(0)),
            Some(answers) => Ok(answers[0].clone()),
            None => Err(std::io::Error::other("no such name")),
        };
        Box::pin(async move { found })
    }
}

/// Starts a server on loopback that counts its requests.
async fn serve(router: Router) -> (u16, Arc<AtomicUsize>) {
    let visits = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&visits);
    let router = router.layer(axum::middleware::map_request(
        move |request: axum::extract::Request| {
            counted.fetch_add(1, Ordering::SeqCst);
            async move { request }
        },
    ));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (port, visits)
}

const QUICK: Limits = Limits {
    time: Duration::from_secs(5),
    bytes: 64 * 1024,
    hops: 3,
    attempts: 4,
    first_pause: Duration::from_millis(1),
    longest_pause: Duration::from_millis(4),
};

fn egress(names: FakeDns, allowed: &[String], limits: Limits) -> Egress {
    Egress::new(
        AllowedHosts::new(allowed.iter().cloned()),
        limits,
        Arc::new(names),
    )
    .unwrap()
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_page_of_an_allowed_host_is_fetched() {
    let page = || async {
        Response::builder()
            .header("content-type", "text/html; charset=\"utf-8\"")
            .header("content-encoding", "gzip")
            .header("etag", "\"v1\"")
            .body(Body::from(gzip(b"<p>hello</p>")))
            .unwrap()
    };
    let (port, visits) = serve(Router::new().route("/", get(page))).await;
    let egress = egress(FakeDns::default(), &[format!("127.0.0.1:{port}")], QUICK);
    let found = egress
        .fetch(&url(&format!("http://127.0.0.1:{port}/")), None)
        .await
        .unwrap();
    assert_eq!(found.bytes, b"<p>hello</p>");
    assert_eq!(found.charset.as_deref(), Some("utf-8"));
    assert_eq!(found.etag.as_deref(), Some("\"v1\""));
    assert_eq!(visits.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn names_that_resolve_to_private_addresses_are_not_dialled() {
    let (_, visits) = serve(Router::new()).await;
    for inward in [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "::1",
        "::ffff:127.0.0.1",
        "fd00::1",
    ] {
        let names = FakeDns::default();
        names.lead("evil.example", &[inward]);
        let egress = egress(names, &[], QUICK);
        let refused = egress
            .fetch(&url("http://evil.example/"), None)
            .await
            .unwrap_err();
        assert_eq!(
            refused,
            FetchError::Address(AddressError::NotPublic),
            "{inward}"
        );
    }
    assert_eq!(visits.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn the_address_that_was_checked_is_the_one_that_is_dialled() {
    // With one look-up for the check and a second for the connection, the second answer
    // would be dialled unchecked.
    let names = FakeDns::default();
    names.lead("rebind.example", &["127.0.0.1", "93.184.215.14"]);
    let egress = egress(names, &[], QUICK);
    let refused = egress
        .once(&url("http://rebind.example/"), None)
        .await
        .unwrap_err();
    assert_eq!(refused.0, FetchError::Address(AddressError::NotPublic));
}

#[tokio::test]
async fn redirects_to_private_addresses_are_refused_on_every_hop() {
    let (canary, visits) = serve(Router::new()).await;
    let targets = [
        format!("http://127.0.0.1:{canary}/"),
        format!("http://[::ffff:7f00:1]:{canary}/"),
        "http://169.254.169.254/latest/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "http://user@example.com/".to_owned(),
        "http://2130706433/".to_owned(),
    ];
    for target in targets {
        let location = target.clone();
        let hop = move || {
            let location = location.clone();
            async move { (StatusCode::FOUND, [("location", location)]) }
        };
        let router = Router::new()
            .route(
                "/",
                get(|| async { (StatusCode::FOUND, [("location", "/second")]) }),
            )
            .route("/second", get(hop));
        let (port, _) = serve(router).await;
        let egress = egress(FakeDns::default(), &[format!("127.0.0.1:{port}")], QUICK);
        let refused = egress
            .fetch(&url(&format!("http://127.0.0.1:{port}/")), None)
            .await
            .unwrap_err();
        assert!(
            matches!(refused, FetchError::Address(_)),
            "{target}: {refused}"
        );
    }
    assert_eq!(visits.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_chain_of_redirects_ends() {
    let (port, visits) = serve(Router::new().route(
        "/",
        get(|| async { (StatusCode::FOUND, [("location", "/")]) }),
    ))
    .await;
    let egress = egress(FakeDns::default(), &[format!("127.0.0.1:{port}")], QUICK);
    let refused = egress
        .fetch(&url(&format!("http://127.0.0.1:{port}/")), None)
        .await
        .unwrap_err();
    assert_eq!(refused, FetchError::Hops(3));
    assert_eq!(visits.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_page_without_end_is_cut() {
    let endless = || async {
        let chunk = || Ok::<_, std::io::Error>(vec![b'a'; 8_192]);
        Body::from_stream(futures_util::stream::repeat_with(chunk))
    };
    let bomb = || async {
        Response::builder()
            .header("content-encoding", "gzip")
            .body(Body::from(gzip(&vec![0; 20 * 1024 * 1024])))
            .unwrap()
    };
    let slow = || async {
        let drip = futures_util::stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            Some((Ok::<_, std::io::Error>("x"), ()))
        });
        Body::from_stream(drip)
    };
    let router = Router::new()
        .route("/endless", get(endless))
        .route("/bomb", get(bomb))
        .route("/slow", get(slow));
    let (port, _) = serve(router).await;
    let limits = Limits {
        time: Duration::from_millis(300),
        attempts: 1,
        ..QUICK
    };
    let egress = egress(FakeDns::default(), &[format!("127.0.0.1:{port}")], limits);
    let at = |path: &str| url(&format!("http://127.0.0.1:{port}/{path}"));
    let large = FetchError::TooLarge(limits.bytes);
    let patient = egress.with_limits(QUICK);
    assert_eq!(
        patient.fetch(&at("endless"), None).await.unwrap_err(),
        large
    );
    assert_eq!(patient.fetch(&at("bomb"), None).await.unwrap_err(), large);
    assert_eq!(
        egress.fetch(&at("slow"), None).await.unwrap_err(),
        FetchError::TimedOut(limits.time)
    );
}

#[tokio::test]
async fn an_overloaded_server_is_retried_three_times() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let busy = move || {
        let attempt = counted.fetch_add(1, Ordering::SeqCst);
        async move {
            match attempt {
                0 => (StatusCode::TOO_MANY_REQUESTS, "wait"),
                1 => (StatusCode::BAD_GATEWAY, "broken"),
                2 => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
                _ => (StatusCode::OK, "there"),
            }
        }
    };
    let (port, _) = serve(
        Router::new()
            .route("/", get(busy))
            .route("/gone", get(|| async { StatusCode::GONE })),
    )
    .await;
    let egress = egress(FakeDns::default(), &[format!("127.0.0.1:{port}")], QUICK);
    let page = egress
        .fetch(&url(&format!("http://127.0.0.1:{port}/")), None)
        .await
        .unwrap();
    assert_eq!(
        (page.bytes.as_slice(), count.load(Ordering::SeqCst)),
        (b"there".as_slice(), 4)
    );
    let gone = egress
        .fetch(&url(&format!("http://127.0.0.1:{port}/gone")), None)
        .await;
    assert_eq!(gone.unwrap_err(), FetchError::Status(410));
}

#[tokio::test]
async fn a_page_that_did_not_change_is_not_sent_again() {
    let page = |request: axum::extract::Request| async move {
        match request.headers().get("if-none-match") {
            Some(tag) if tag == "\"v1\"" => StatusCode::NOT_MODIFIED,
            Some(_) | None => StatusCode::OK,
        }
    };
    let (port, _) = serve(Router::new().route("/", get(page))).await;
    let egress = egress(FakeDns::default(), &[format!("127.0.0.1:{port}")], QUICK);
    let at = url(&format!("http://127.0.0.1:{port}/"));
    assert_eq!(
        egress.fetch(&at, Some("\"v1\"")).await.unwrap_err(),
        FetchError::NotModified
    );
    assert!(egress.fetch(&at, Some("\"v2\"")).await.is_ok());
}
