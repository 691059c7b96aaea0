//! Clients that send messages and record the acknowledgements they receive.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use frontdesk::identity::{Tokens, Verified};
use frontdesk_core::access::Role;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::server::{SseEvent, parse_events};

pub const SECRET: &str = "a secret for tests that is long enough";

/// An acknowledged message, and the part of the answer that its sender received.
#[derive(Clone, Debug)]
pub struct Ack {
    pub person: usize,
    pub conversation: Uuid,
    pub turn: Uuid,
    pub message: Uuid,
    pub content: String,
    pub seen: Vec<SseEvent>,
}

/// Acknowledgements received by all clients.
#[derive(Clone, Default)]
pub struct ClientLog {
    acks: Arc<Mutex<Vec<Ack>>>,
    in_flight: Arc<AtomicUsize>,
}

impl ClientLog {
    pub fn acks(&self) -> Vec<Ack> {
        self.acks.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.acks.lock().unwrap().len()
    }

    /// Number of accepted turns whose end no client has received.
    pub fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::SeqCst)
    }

    pub fn extend(&self, acks: impl IntoIterator<Item = Ack>) {
        for ack in acks {
            self.add(ack);
        }
    }

    pub fn add(&self, ack: Ack) -> usize {
        let mut acks = self.acks.lock().unwrap();
        acks.push(ack);
        acks.len() - 1
    }
}

/// Result of sending a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendResult {
    /// Accepted; the stream was read until it ended or broke off.
    Accepted {
        whole: bool,
    },
    Refused(StatusCode),
    /// No response: the server may or may not have accepted the message.
    Lost,
}

#[derive(Clone)]
pub struct Person {
    number: usize,
    token: String,
    http: reqwest::Client,
    log: ClientLog,
}

impl Person {
    pub fn new(number: usize, log: &ClientLog) -> Self {
        // The provider is process-wide; in later tests it is already installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Self {
            number,
            token: token(number),
            // Longer than any turn may take: a stream that never ends is a bug.
            http: reqwest::Client::builder()
                .no_proxy()
                .timeout(Duration::from_secs(180))
                .build()
                .unwrap(),
            log: log.clone(),
        }
    }

    pub fn request(&self, url: &str, method: Method, path: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{url}/api/v1{path}"))
            .bearer_auth(&self.token)
    }

    pub fn bearer(&self) -> &str {
        &self.token
    }

    /// Creates a conversation; `None` if the server is gone.
    pub async fn conversation(&self, url: &str, assistant: &str) -> Option<Uuid> {
        let created = self
            .request(url, Method::POST, "/conversations")
            .json(&json!({ "assistant": assistant }))
            .send()
            .await
            .ok()?;
        let body: Value = created.json().await.ok()?;
        body["id"].as_str()?.parse().ok()
    }

    /// Sends a message and reads the streamed answer. The content is also the idempotency key, so
    /// sending it again is a retry.
    pub async fn say(&self, url: &str, conversation: Uuid, content: &str) -> SendResult {
        let request = self.message(url, conversation, content);
        let Ok(mut response) = request.send().await else {
            return SendResult::Lost;
        };
        if response.status() != StatusCode::OK {
            return SendResult::Refused(response.status());
        }
        let mut bytes = Vec::new();
        let mut place = None;
        let whole = loop {
            match response.chunk().await {
                Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
                Ok(None) => break true,
                Err(_) => break false,
            }
            if place.is_none()
                && let Some(ack) = acknowledged(self.number, content, &bytes)
            {
                self.log.in_flight.fetch_add(1, Ordering::SeqCst);
                place = Some(self.log.add(ack));
            }
        };
        let Some(place) = place else {
            return SendResult::Lost;
        };
        self.log.in_flight.fetch_sub(1, Ordering::SeqCst);
        self.log.acks.lock().unwrap()[place].seen = complete_events(&bytes);
        SendResult::Accepted { whole }
    }

    /// Sends a message, waits for the acknowledgement, and reads no further.
    pub async fn say_unread(&self, url: &str, conversation: Uuid, content: &str) -> Response {
        let mut response = self
            .message(url, conversation, content)
            .send()
            .await
            .unwrap();
        let mut bytes = Vec::new();
        loop {
            bytes.extend_from_slice(&response.chunk().await.unwrap().unwrap());
            if let Some(ack) = acknowledged(self.number, content, &bytes) {
                self.log.add(ack);
                return response;
            }
        }
    }

    fn message(&self, url: &str, conversation: Uuid, content: &str) -> RequestBuilder {
        let path = format!("/conversations/{conversation}/messages");
        self.request(url, Method::POST, &path)
            .header("idempotency-key", content.replace(' ', "-"))
            .header("accept", "text/event-stream")
            .json(&json!({ "content": content }))
    }

    /// Events of a turn after the last one that this client received.
    pub async fn rest(&self, url: &str, ack: &Ack) -> Vec<SseEvent> {
        let last = ack.seen.iter().map(|event| event.id).max().unwrap_or(0);
        let path = format!(
            "/conversations/{}/turns/{}/events",
            ack.conversation, ack.turn
        );
        let request = self
            .request(url, Method::GET, &path)
            .header("last-event-id", last.to_string());
        crate::server::events(request).await
    }
}

/// The first event of a stream acknowledges the message: from here on it must not be lost.
pub fn acknowledged(person: usize, content: &str, bytes: &[u8]) -> Option<Ack> {
    let seen = complete_events(bytes);
    let started = seen.iter().find(|event| event.name == "turn.started")?;
    let id = |name: &str| started.data[name].as_str()?.parse().ok();
    Some(Ack {
        person,
        conversation: id("conversation")?,
        turn: id("turn")?,
        message: id("message")?,
        content: content.to_owned(),
        seen,
    })
}

/// Events that arrived completely.
pub fn complete_events(bytes: &[u8]) -> Vec<SseEvent> {
    let end = bytes.windows(2).rposition(|pair| pair == b"\n\n");
    match end {
        Some(end) => parse_events(std::str::from_utf8(&bytes[..end]).unwrap())
            .into_iter()
            .filter(|event| event.name != "shutdown")
            .collect(),
        None => Vec::new(),
    }
}

fn token(number: usize) -> String {
    let now = chrono::Utc::now();
    let tokens = Tokens::with_secret(SECRET.into(), None, "authenticated".into());
    let identity = Verified {
        subject: Uuid::from_u128(number as u128 + 1),
        name: format!("Person {number}"),
        email: None,
        roles: vec![Role::READER.to_string()],
        expires: now + chrono::Duration::hours(6),
    };
    tokens.sign(&identity, now).unwrap()
}
