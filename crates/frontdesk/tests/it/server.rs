//! A complete server on a real socket, and clients of it.

use std::collections::HashMap;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk::app::MakeBundles;
use frontdesk_core::env::Env;
use frontdesk_store::Store;
use frontdesk_testkit::clock::FakeClock;
use frontdesk_testkit::model_server::ModelServer;
use jsonwebtoken::{EncodingKey, Header, encode};
use reqwest::{Method, StatusCode};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::harness::{self, Backing, Keep, TestApp};

pub struct TestServer {
    pub url: String,
    pub model: ModelServer,
    pub client: reqwest::Client,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
    tokens: HashMap<String, String>,
    /// The clock of the whole server.
    pub clock: FakeClock,
    /// Direct database access, for what no route does.
    pub store: Store,
    /// Signs tokens.
    pub secret: String,
    pub keep: Keep,
}

/// A signed-in person.
#[derive(Clone)]
pub struct Person {
    pub token: String,
}

/// A response whose body is read.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl TestServer {
    /// One server on each database.
    pub async fn on_both() -> [Self; 2] {
        [
            Self::start(Backing::Sqlite).await,
            Self::start(Backing::Postgres).await,
        ]
    }

    pub async fn start(backing: Backing) -> Self {
        Self::start_with(backing, &[]).await
    }

    /// The same with additional settings.
    pub async fn start_with(backing: Backing, settings: &[(&'static str, &str)]) -> Self {
        Self::of_with(backing, harness::assistants, settings).await
    }

    /// A server with these assistants.
    pub async fn of(backing: Backing, make: MakeBundles) -> Self {
        Self::of_with(backing, make, &[]).await
    }

    pub async fn of_with(
        backing: Backing,
        make: MakeBundles,
        settings: &[(&'static str, &str)],
    ) -> Self {
        let model = ModelServer::start().await;
        let test = TestApp::of(backing, &model.url(), make, settings).await;
        let mut tokens = HashMap::new();
        for persona in test.app.runtime.installed().personas() {
            let token = harness::token(&test.app, &persona.name).await;
            tokens.insert(persona.name.to_string(), token);
        }
        Self::serve(test, model, tokens).await
    }

    /// Serves an app that the test set up.
    pub async fn serve(test: TestApp, model: ModelServer, tokens: HashMap<String, String>) -> Self {
        let TestApp { app, clock, keep } = test;
        let store = app.runtime.store().clone();
        let secret = app.tokens.secret().expose_secret().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            frontdesk::http::serve(app, listener, stopped)
                .await
                .unwrap();
        });
        Self {
            url,
            model,
            client: client(),
            stop: Some(stop),
            serving: Some(serving),
            tokens,
            clock,
            store,
            secret,
            keep,
        }
    }

    pub fn sign_in(&self, persona: &str) -> Person {
        Person {
            token: self.tokens[persona].clone(),
        }
    }

    /// A token of this person that expires soon.
    pub fn brief_token(&self, persona: &str, lasts: Duration) -> Person {
        let expires = (self.clock.now() + lasts).timestamp();
        self.token_with(persona, |claims| claims["exp"] = json!(expires))
    }

    /// A token of this person with changed claims.
    pub fn token_with(&self, persona: &str, change: impl FnOnce(&mut Value)) -> Person {
        let payload = self.tokens[persona].split('.').nth(1).unwrap();
        let claims = URL_SAFE_NO_PAD.decode(payload).unwrap();
        let mut claims: Value = serde_json::from_slice(&claims).unwrap();
        change(&mut claims);
        let key = EncodingKey::from_secret(self.secret.as_bytes());
        let token = encode(&Header::default(), &claims, &key).unwrap();
        Person { token }
    }

    pub async fn get(&self, who: &Person, path: &str) -> Answer {
        self.send(Method::GET, path, Some(who), None).await
    }

    /// The items of a list.
    pub async fn list(&self, who: &Person, path: &str) -> Vec<Value> {
        let answer = self.get(who, path).await;
        let items = answer.body["items"].as_array();
        items.unwrap_or_else(|| panic!("{answer:?}")).clone()
    }

    pub async fn post(&self, who: &Person, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(who), Some(body)).await
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        who: Option<&Person>,
        body: Option<Value>,
    ) -> Answer {
        let mut request = self.request(method, path, who);
        if let Some(body) = body {
            request = request.json(&body);
        }
        answer(request).await
    }

    pub fn request(
        &self,
        method: Method,
        path: &str,
        who: Option<&Person>,
    ) -> reqwest::RequestBuilder {
        let request = self
            .client
            .request(method, format!("{}/api/v1{path}", self.url));
        match who {
            Some(who) => request.bearer_auth(&who.token),
            None => request,
        }
    }

    /// A new conversation with the notebook.
    pub async fn conversation(&self, who: &Person) -> String {
        let created = self
            .post(who, "/conversations", json!({ "assistant": "notes" }))
            .await;
        assert_eq!(created.status, StatusCode::CREATED, "{created:?}");
        created.body["id"].as_str().unwrap().to_owned()
    }

    /// Stops the server and waits until it is gone.
    pub async fn stop(self) {
        self.stop_and_keep().await;
    }

    /// The same, keeping its data.
    pub async fn stop_and_keep(mut self) -> Keep {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(serving) = self.serving.take() {
            serving.await.unwrap();
        }
        self.keep
    }
}

pub fn client() -> reqwest::Client {
    // The provider is process-wide; in later tests it is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

pub async fn answer(request: reqwest::RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    let status = response.status();
    let headers = response.headers().clone();
    let text = response.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    Answer {
        status,
        headers,
        body,
    }
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct SseEvent {
    pub id: u64,
    pub name: String,
    pub data: Value,
}

/// Reads a stream to its end.
pub async fn events(request: reqwest::RequestBuilder) -> Vec<SseEvent> {
    let response = request
        .header("accept", "text/event-stream")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    parse_events(&response.text().await.unwrap())
}

pub fn parse_events(text: &str) -> Vec<SseEvent> {
    text.split("\n\n")
        .filter(|block| block.lines().any(|line| line.starts_with("data:")))
        .map(|block| {
            let field = |name: &str| {
                block
                    .lines()
                    .filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
                    .map(str::trim_start)
                    .collect::<Vec<_>>()
                    .join("\n")
            };
            SseEvent {
                id: field("id").parse().unwrap_or(0),
                name: field("event"),
                data: serde_json::from_str(&field("data")).unwrap(),
            }
        })
        .collect()
}

/// Reads a stream until its text equals this, and leaves it open.
pub async fn read_until(response: &mut reqwest::Response, text: &str) -> Vec<SseEvent> {
    let mut seen = String::new();
    loop {
        // The last block may be incomplete.
        let whole = seen.rfind("\n\n").map_or("", |end| &seen[..end]);
        let events = parse_events(whole);
        if text_of(&events) == text {
            return events;
        }
        let chunk = response.chunk().await.unwrap().expect("the stream ended");
        seen.push_str(std::str::from_utf8(&chunk).unwrap());
    }
}

/// The text that a reader of these events ends up with.
pub fn text_of(events: &[SseEvent]) -> String {
    let mut text = String::new();
    for event in events {
        match event.name.as_str() {
            "text.delta" => text.push_str(event.data["text"].as_str().unwrap()),
            "text.reset" => text.clear(),
            "snapshot" => event.data["text"].as_str().unwrap().clone_into(&mut text),
            _ => {}
        }
    }
    text
}
