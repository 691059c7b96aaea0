//! A server whose people come from an issuer with public keys, on a real socket: group A7 and
//! the life of a key.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use frontdesk_core::env::Env;
use frontdesk_testkit::model_server::ModelServer;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use std::collections::HashMap;

use super::claims;
use crate::harness::{Backing, TestApp};
use crate::server::{Person, TestServer};

struct Issuer {
    url: String,
    keys: Arc<Mutex<Value>>,
    fetches: Arc<AtomicUsize>,
}

type Published = (Arc<Mutex<Value>>, Arc<AtomicUsize>);

impl Issuer {
    async fn start() -> Self {
        let keys = Arc::new(Mutex::new(published(&[("first", "a")])));
        let fetches = Arc::new(AtomicUsize::new(0));
        let state: Published = (Arc::clone(&keys), Arc::clone(&fetches));
        let router = Router::new()
            .route("/auth/v1/.well-known/jwks.json", get(answer))
            .with_state(state);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, keys, fetches }
    }

    fn fetches(&self) -> usize {
        self.fetches.load(Ordering::SeqCst)
    }
}

async fn answer(State((keys, fetches)): State<Published>) -> String {
    fetches.fetch_add(1, Ordering::SeqCst);
    keys.lock().unwrap().to_string()
}

fn key(name: &str) -> EncodingKey {
    EncodingKey::from_ec_der(match name {
        "a" => include_bytes!("../../../keys/ec-a.der"),
        _ => include_bytes!("../../../keys/ec-b.der"),
    })
}

fn published(keys: &[(&str, &str)]) -> Value {
    let keys: Vec<Value> = keys
        .iter()
        .map(|(kid, name)| {
            let jwk = Jwk::from_encoding_key(&key(name), Algorithm::ES256).unwrap();
            let mut jwk = serde_json::to_value(jwk).unwrap();
            jwk["kid"] = json!(kid);
            jwk
        })
        .collect();
    json!({ "keys": keys })
}

fn token(server: &TestServer, issuer: &Issuer, kid: &str, name: &str) -> Person {
    let mut said = claims(server, "ann", &["Reader"]);
    said["iss"] = json!(format!("{}/auth/v1", issuer.url));
    let header = Header {
        kid: Some(kid.to_owned()),
        ..Header::new(Algorithm::ES256)
    };
    Person {
        token: encode(&header, &said, &key(name)).unwrap(),
    }
}

async fn served(backing: Backing, issuer: &Issuer) -> TestServer {
    let model = ModelServer::start().await;
    let settings = [("auth.supabase_url", issuer.url.as_str())];
    let test = TestApp::with_settings(backing, &model.url(), &settings).await;
    TestServer::serve(test, model, HashMap::new()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn people_of_an_issuer_sign_in_and_keys_may_change() {
    for backing in [Backing::Sqlite, Backing::Postgres] {
        let issuer = Issuer::start().await;
        let server = served(backing, &issuer).await;
        let ann = token(&server, &issuer, "first", "a");
        let me = server.get(&ann, "/me").await;
        assert_eq!(me.status, 200, "{me:?}");
        assert_eq!(me.body["email"], "ann@example.com");
        assert_eq!(server.conversation(&ann).await.len(), 36);
        assert_eq!(issuer.fetches(), 1);

        // A new key takes over; the old one is withdrawn.
        *issuer.keys.lock().unwrap() = published(&[("second", "b")]);
        server.clock.advance(Duration::from_secs(60));
        let newer = token(&server, &issuer, "second", "b");
        assert_eq!(server.get(&newer, "/me").await.status, 200);
        let old = server.get(&ann, "/me").await;
        assert_eq!(old.body["error"]["code"], "INVALID_SIGNATURE", "{old:?}");
        assert_eq!(issuer.fetches(), 2);
        server.stop().await;
    }
}

/// A7: a thousand made-up keys are a thousand refusals and one fetch.
// design: promises A7
#[tokio::test(flavor = "multi_thread")]
async fn made_up_keys_do_not_make_us_fetch() {
    let issuer = Issuer::start().await;
    let server = served(Backing::Sqlite, &issuer).await;
    let ann = token(&server, &issuer, "first", "a");
    assert_eq!(server.get(&ann, "/me").await.status, 200);
    server.clock.advance(Duration::from_secs(61));
    for number in 0..1_000 {
        let kid = match number {
            0 => "../../dev/null".to_owned(),
            _ => format!("made-up-{number}"),
        };
        let forged = token(&server, &issuer, &kid, "b");
        let refused = server.get(&forged, "/me").await;
        assert_eq!(refused.status, 401, "{refused:?}");
    }
    assert_eq!(issuer.fetches(), 2);
    assert_eq!(server.get(&ann, "/me").await.status, 200);
    server.stop().await;
}

/// An issuer that is away is told as such: nobody is refused for what cannot be checked.
#[tokio::test(flavor = "multi_thread")]
async fn an_issuer_that_is_away_is_our_trouble_and_not_the_persons() {
    let issuer = Issuer::start().await;
    *issuer.keys.lock().unwrap() = json!("gone");
    let server = served(Backing::Sqlite, &issuer).await;
    let ann = token(&server, &issuer, "first", "a");
    let away = server.get(&ann, "/me").await;
    assert_eq!(away.status, 503, "{away:?}");
    assert!(away.headers.contains_key("retry-after"));
    // The server's own secret signs nothing that people sign in with.
    let local = super::somebody(&server, "ann");
    assert_eq!(server.get(&local, "/me").await.status, 401);
    *issuer.keys.lock().unwrap() = published(&[("first", "a")]);
    server.clock.advance(Duration::from_secs(5));
    assert_eq!(server.get(&ann, "/me").await.status, 200);
    assert!(server.clock.now().timestamp() > 0);
    server.stop().await;
}
