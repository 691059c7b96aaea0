//! Fetching, caching and rotation of keys, against an issuer on a real socket.

use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode as Status;
use axum::routing::get;
use frontdesk_testkit::clock::FakeClock;
use jsonwebtoken::EncodingKey;
use jsonwebtoken::jwk::Jwk;
use proptest::prelude::*;
use serde_json::json;

use super::*;

pub(crate) const ISSUER: &str = "https://issuer.example/auth/v1";

macro_rules! key {
    ($name:literal) => {
        include_bytes!(concat!("../../tests/keys/", $name, ".der"))
    };
}

pub(crate) fn rsa_key(name: &str) -> EncodingKey {
    EncodingKey::from_rsa_der(match name {
        "a" => key!("rsa-a"),
        "b" => key!("rsa-b"),
        _ => key!("rsa-short"),
    })
}

pub(crate) fn ec_key(name: &str) -> EncodingKey {
    EncodingKey::from_ec_der(match name {
        "a" => key!("ec-a"),
        _ => key!("ec-b"),
    })
}

fn public(key: &EncodingKey, algorithm: Algorithm, kid: &str) -> Value {
    let mut jwk = serde_json::to_value(Jwk::from_encoding_key(key, algorithm).unwrap()).unwrap();
    jwk["kid"] = json!(kid);
    jwk["use"] = json!("sig");
    jwk
}

fn both() -> Value {
    json!({ "keys": [
        public(&rsa_key("a"), Algorithm::RS256, "rsa-a"),
        public(&ec_key("a"), Algorithm::ES256, "ec-a"),
    ] })
}

struct Says {
    status: Status,
    body: String,
}

struct Runtime {
    says: StdMutex<Says>,
    fetches: AtomicUsize,
}

pub(crate) struct Issuer {
    pub(crate) url: String,
    runtime: Arc<Runtime>,
}

impl Issuer {
    pub(crate) async fn start() -> Self {
        let runtime = Arc::new(Runtime {
            says: StdMutex::new(Says {
                status: Status::OK,
                body: both().to_string(),
            }),
            fetches: AtomicUsize::new(0),
        });
        let router = Router::new()
            .route("/keys", get(answer))
            .with_state(Arc::clone(&runtime));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/keys", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, runtime }
    }

    pub(crate) fn keys(&self, env: Arc<FakeClock>) -> KeySet {
        KeySet::new(&self.url, env).unwrap()
    }

    pub(crate) fn fetches(&self) -> usize {
        self.runtime.fetches.load(Ordering::SeqCst)
    }

    fn says(&self, status: u16, body: impl Into<String>) {
        *self.runtime.says.lock().unwrap() = Says {
            status: Status::from_u16(status).unwrap(),
            body: body.into(),
        };
    }
}

async fn answer(State(runtime): State<Arc<Runtime>>) -> (Status, String) {
    runtime.fetches.fetch_add(1, Ordering::SeqCst);
    let says = runtime.says.lock().unwrap();
    (says.status, says.body.clone())
}

async fn fixture() -> (Issuer, Arc<FakeClock>, KeySet) {
    let issuer = Issuer::start().await;
    let clock = Arc::new(FakeClock::starting(Utc::now()));
    let keys = issuer.keys(Arc::clone(&clock));
    (issuer, clock, keys)
}

fn minutes(count: u64) -> Duration {
    Duration::from_secs(count * 60)
}

#[tokio::test]
async fn keys_are_fetched_once_and_kept_for_ten_minutes() {
    let (issuer, clock, keys) = fixture().await;
    for _ in 0..5 {
        assert_eq!(keys.find("ec-a").await.unwrap().algorithm, Algorithm::ES256);
        assert_eq!(
            keys.find("rsa-a").await.unwrap().algorithm,
            Algorithm::RS256
        );
    }
    assert_eq!(issuer.fetches(), 1);
    clock.advance(minutes(9));
    keys.find("ec-a").await.unwrap();
    assert_eq!(issuer.fetches(), 1);
    clock.advance(minutes(1));
    keys.find("ec-a").await.unwrap();
    assert_eq!(issuer.fetches(), 2);
}

/// A7: made-up key ids cause at most one fetch per minute.
#[tokio::test(flavor = "multi_thread")]
async fn unknown_keys_are_fetched_once_a_minute() {
    let (issuer, clock, keys) = fixture().await;
    keys.find("ec-a").await.unwrap();
    clock.advance(minutes(1));
    let mut all = tokio::task::JoinSet::new();
    for number in 0..1_000 {
        let keys = keys.clone();
        all.spawn(async move { keys.find(&format!("made-up-{number}")).await.err() });
    }
    for refused in all.join_all().await {
        assert_eq!(refused, Some(TokenError::Signature));
    }
    assert_eq!(issuer.fetches(), 2);
    for name in ["../../dev/null", "", "rsa-a\0", "' OR 1=1"] {
        assert_eq!(keys.find(name).await.err(), Some(TokenError::Signature));
    }
    assert_eq!(issuer.fetches(), 2);
}

#[tokio::test]
async fn a_new_key_is_found_and_a_withdrawn_one_is_gone() {
    let (issuer, clock, keys) = fixture().await;
    keys.find("ec-a").await.unwrap();
    let next = json!({ "keys": [public(&ec_key("b"), Algorithm::ES256, "ec-b")] });
    issuer.says(200, next.to_string());
    // Too early: the next fetch is allowed one minute after the last.
    assert_eq!(keys.find("ec-b").await.err(), Some(TokenError::Signature));
    clock.advance(minutes(1));
    keys.find("ec-b").await.unwrap();
    assert_eq!(keys.find("ec-a").await.err(), Some(TokenError::Signature));
}

#[tokio::test]
async fn keys_outlive_an_unreachable_issuer_by_a_day() {
    let (issuer, clock, keys) = fixture().await;
    keys.find("ec-a").await.unwrap();
    issuer.says(500, "");
    clock.advance(minutes(60 * 23));
    keys.find("ec-a").await.unwrap();
    clock.advance(minutes(61));
    assert_eq!(keys.find("ec-a").await.err(), Some(TokenError::Unavailable));
    issuer.says(200, both().to_string());
    clock.advance(minutes(1));
    keys.find("ec-a").await.unwrap();
}

#[tokio::test]
async fn an_issuer_that_is_unreachable_at_start_is_retried_soon() {
    let (issuer, clock, keys) = fixture().await;
    issuer.says(503, "");
    assert_eq!(keys.find("ec-a").await.err(), Some(TokenError::Unavailable));
    assert_eq!(keys.find("ec-a").await.err(), Some(TokenError::Unavailable));
    assert_eq!(issuer.fetches(), 1);
    issuer.says(200, both().to_string());
    clock.advance(Duration::from_secs(5));
    keys.find("ec-a").await.unwrap();
}

#[tokio::test]
async fn an_invalid_response_does_not_change_the_keys() {
    let (issuer, clock, keys) = fixture().await;
    keys.find("ec-a").await.unwrap();
    for (status, body) in [
        (200, "<html>".to_owned()),
        (200, "{}".to_owned()),
        (200, json!({ "keys": [] }).to_string()),
        (200, " ".repeat(MAX_BYTES + 1)),
        (302, String::new()),
    ] {
        issuer.says(status, body);
        clock.advance(minutes(11));
        keys.find("ec-a").await.unwrap();
    }
    assert_eq!(issuer.fetches(), 6);
}

#[test]
fn weak_or_unsuitable_keys_are_ignored() {
    let good = both();
    let short = public(&rsa_key("short"), Algorithm::RS256, "short");
    let mut for_encryption = public(&ec_key("a"), Algorithm::ES256, "enc");
    for_encryption["use"] = json!("enc");
    let mut other_algorithm = public(&rsa_key("a"), Algorithm::RS256, "rs512");
    other_algorithm["alg"] = json!("RS512");
    let mut other_curve = public(&ec_key("a"), Algorithm::ES256, "p384");
    other_curve["crv"] = json!("P-384");
    let mut unnamed = public(&ec_key("a"), Algorithm::ES256, "x");
    unnamed.as_object_mut().unwrap().remove("kid");
    let secret = json!({ "kty": "oct", "kid": "oct", "k": "c2VjcmV0", "alg": "HS256" });
    let all = json!({ "keys": [
        good["keys"][0], good["keys"][1], short, for_encryption, other_algorithm, other_curve,
        unnamed, secret, 7, null, "x",
    ] });
    let mut names: Vec<String> = read(all.to_string().as_bytes())
        .unwrap()
        .into_keys()
        .collect();
    names.sort();
    assert_eq!(names, ["ec-a", "rsa-a"]);
}

#[test]
fn keys_come_only_from_an_encrypted_or_local_address() {
    for (url, safe) in [
        ("https://issuer.example/keys", true),
        ("http://127.0.0.1:9/keys", true),
        ("http://localhost/keys", true),
        ("http://[::1]:9/keys", true),
        ("http://issuer.example/keys", false),
        ("http://127.0.0.1.evil.example/keys", false),
        ("file:///etc/passwd", false),
        ("keys", false),
    ] {
        assert_eq!(is_safe_source(url), safe, "{url}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Parsing any response terminates and yields only complete keys.
    #[test]
    fn any_response_can_be_parsed(body in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(keys) = read(&body) {
            prop_assert!(keys.is_empty());
        }
    }
}
