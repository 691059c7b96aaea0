//! A scripted OpenAI-compatible server on a real socket. It uses raw TCP, so that it can
//! also send malformed responses.
//!
//! ```text
//! let server = ModelServer::start().await;
//! server.script([
//!     call("find_candidate", json!({"name": "Ada"})),
//!     status(429).retry_after("2"),
//!     say("Ada is in this gig."),
//! ]);
//! // … talk to `server.url()` …
//! assert_eq!(server.request(1).tool_result("call_1").unwrap(), "…");
//! server.finish();
//! ```
//!
//! A request without a line in the script, and a line without a request, fail the test:
//! in [`ModelServer::finish`], or when the server is dropped.

mod answer;
mod answer_with_model;
mod chunks;
mod connection;
pub mod fault;
mod gate;
mod request;
mod wire;

pub use answer::{Answer, call, calls, say, say_and_call, status};
pub use gate::Gate;
pub use request::Request;

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

type Handler = Box<dyn Fn(&Request) -> Answer + Send + Sync>;

/// The server; stops when dropped.
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

/// The state shared by all connections.
struct Shared {
    state: Mutex<State>,
    counts: watch::Sender<Counts>,
}

#[derive(Default)]
struct State {
    script: VecDeque<Answer>,
    otherwise: Option<Handler>,
    requests: Vec<Request>,
    unexpected: Vec<String>,
    without_history: bool,
    latency: Duration,
    /// Calls are numbered in the order of sending.
    calls_sent: usize,
    models: Vec<String>,
    embedding: fault::Embedding,
}

/// Counters that tests wait for.
#[derive(Clone, Copy, Default)]
struct Counts {
    connections: usize,
    /// Chat completion requests, read in full.
    requests: usize,
    /// Answers that are withheld for good.
    silent: usize,
    /// Answers that the client did not wait for.
    abandoned: usize,
}

impl ModelServer {
    /// Listens on a free port of 127.0.0.1.
    #[expect(clippy::expect_used, reason = "without a port there is no test")]
    pub async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .expect("a free port on 127.0.0.1");
        let address = listener.local_addr().expect("the port we are bound to");
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                models: vec!["scripted".to_owned()],
                ..State::default()
            }),
            counts: watch::Sender::new(Counts::default()),
        });
        let accepting = tokio::spawn(connection::accept(listener, Arc::clone(&shared)));
        Self {
            address,
            shared,
            accepting,
        }
    }

    /// The base URL, as in `OPENAI_BASE_URL`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The same port as an `https` URL; the server does not support TLS.
    pub fn tls_url(&self) -> String {
        format!("https://{}/v1", self.address)
    }

    /// Appends answers, one per request.
    pub fn script(&self, answers: impl IntoIterator<Item = Answer>) -> &Self {
        self.shared.state().script.extend(answers);
        self
    }

    /// Sets the answer to requests beyond the script; without it they fail the test.
    pub fn otherwise(&self, answer: Answer) -> &Self {
        self.otherwise_with(move |_| answer.clone())
    }

    /// As [`Self::otherwise`], computed from the request.
    pub fn otherwise_with(
        &self,
        answer: impl Fn(&Request) -> Answer + Send + Sync + 'static,
    ) -> &Self {
        self.shared.state().otherwise = Some(Box::new(answer));
        self
    }

    /// Sets the delay before each answer; the default is zero.
    pub fn latency(&self, latency: Duration) -> &Self {
        self.shared.state().latency = latency;
        self
    }

    /// Counts requests without storing them, for benchmarks.
    pub fn without_history(&self) -> &Self {
        self.shared.state().without_history = true;
        self
    }

    /// Sets the list of `/v1/models`.
    pub fn models<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> &Self {
        self.shared.state().models = names.into_iter().map(str::to_owned).collect();
        self
    }

    /// Sets the answer of `/v1/embeddings`.
    pub fn embeddings(&self, embedding: fault::Embedding) -> &Self {
        self.shared.state().embedding = embedding;
        self
    }

    /// The chat completion requests so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.state().requests.clone()
    }

    /// The request number `index`, counted from 0.
    pub fn request(&self, index: usize) -> Request {
        let requests = self.requests();
        assert!(
            index < requests.len(),
            "there is no request {index}; the server received {}",
            requests.len()
        );
        requests[index].clone()
    }

    pub fn request_count(&self) -> usize {
        self.shared.counts.borrow().requests
    }

    pub fn connection_count(&self) -> usize {
        self.shared.counts.borrow().connections
    }

    /// True if an answer is withheld for good.
    pub fn is_silent(&self) -> bool {
        self.shared.counts.borrow().silent > 0
    }

    /// Resolves once `count` requests have been read in full.
    pub async fn requested(&self, count: usize) {
        self.reached(|counts| counts.requests >= count).await;
    }

    /// Resolves once the client has hung up on `count` unfinished answers.
    pub async fn abandoned(&self, count: usize) {
        self.reached(|counts| counts.abandoned >= count).await;
    }

    async fn reached(&self, enough: impl Fn(&Counts) -> bool) {
        // The sender lives in `self.shared`, so waiting cannot fail.
        let _ = self.shared.counts.subscribe().wait_for(enough).await;
    }

    /// Fails the test unless the script was followed exactly.
    pub fn finish(self) {
        drop(self);
    }

    /// Drops the rest of the script, for tests that stop early on purpose.
    pub fn abandon_script(&self) {
        let mut state = self.shared.state();
        state.script.clear();
        state.unexpected.clear();
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.accepting.abort();
        if std::thread::panicking() {
            return;
        }
        let state = self.shared.state();
        let left: Vec<String> = state.script.iter().map(Answer::summary).collect();
        let unexpected = state.unexpected.clone();
        drop(state);
        assert!(
            unexpected.is_empty(),
            "the script has no answer for: {}",
            unexpected.join("; ")
        );
        assert!(
            left.is_empty(),
            "unused lines of the script: {}",
            left.join("; ")
        );
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, change: impl FnOnce(&mut Counts)) {
        self.counts.send_modify(change);
    }

    /// Selects the answer to a request, as steps for the connection to perform.
    fn answer(&self, request: &Request) -> (Vec<wire::Step>, Duration) {
        let mut state = self.state();
        let latency = state.latency;
        let answer = match (request.method(), request.path()) {
            ("POST", path) if path.ends_with("/chat/completions") => state.next_answer(request),
            ("GET", path) if path.ends_with("/models") => {
                let data: Vec<_> = state
                    .models
                    .iter()
                    .map(|id| json!({"id": id, "object": "model", "created": 0, "owned_by": "frontdesk"}))
                    .collect();
                status(200).body(json!({"object": "list", "data": data}).to_string())
            }
            ("POST", path) if path.ends_with("/embeddings") => {
                status(200).body(state.embedding.body(request))
            }
            (method, path) => {
                let what = format!("{method} {path} is not served");
                state.unexpected.push(what.clone());
                status(404).body(json!({"error": {"message": what}}).to_string())
            }
        };
        let steps = wire::steps(&answer, request, &mut state.calls_sent);
        drop(state);
        if request.path().ends_with("/chat/completions") {
            self.count(|counts| counts.requests += 1);
        }
        (steps, latency)
    }
}

impl State {
    fn next_answer(&mut self, request: &Request) -> Answer {
        if !self.without_history {
            self.requests.push(request.clone());
        }
        if let Some(answer) = self.script.pop_front() {
            return answer;
        }
        if let Some(otherwise) = &self.otherwise {
            return otherwise(request);
        }
        let what = format!(
            "no line for request {} (last message: {})",
            self.requests.len(),
            request.last_message_summary()
        );
        self.unexpected.push(what.clone());
        // A status that clients do not retry.
        status(400).body(json!({"error": {"message": what}}).to_string())
    }
}

#[cfg(test)]
mod model_server_tests;
