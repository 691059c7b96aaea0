//! Sends spans to a collector in the background. The queue is bounded and drops the excess. A
//! collector that is down, slow or returns invalid responses is logged once and retried with
//! exponential backoff.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::otlp::{Protocol, is_response};
use super::span::Span;
use crate::outgoing;

/// Limits of the queue: turns, and bytes of their spans.
const QUEUE: usize = 2_048;
const MOST_BYTES: usize = 8 * 1024 * 1024;
/// Spans per request.
const BATCH: usize = 256;
/// Time to wait for more spans before a request.
const GATHER: Duration = Duration::from_millis(500);
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Maximum response size in bytes.
const LONGEST_ANSWER: usize = 64 * 1024;

#[derive(Clone)]
pub struct Target {
    /// Display name, for the log.
    pub name: &'static str,
    pub url: String,
    pub headers: HeaderMap,
    pub protocol: Protocol,
    pub timeout: Duration,
    pub service: String,
}

/// Omits the address and headers, which may contain secrets.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Target");
        shown.field("name", &self.name).finish_non_exhaustive()
    }
}

impl Target {
    /// Adds a header whose value is never logged.
    pub fn secret_header(&mut self, name: HeaderName, value: &str) -> Result<(), String> {
        let mut value = HeaderValue::from_str(value).map_err(|error| error.to_string())?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Tally {
    sent: AtomicU64,
    dropped: AtomicU64,
    failures: AtomicU64,
    /// Bytes in the queue.
    waiting: AtomicUsize,
}

/// Cheap to clone; clones share one queue.
#[derive(Clone)]
pub struct Exporter {
    name: &'static str,
    queue: mpsc::Sender<Message>,
    tally: Arc<Tally>,
}

enum Message {
    Spans(Vec<Span>),
    /// Send everything queued now.
    Flush(oneshot::Sender<()>),
}

impl Exporter {
    /// Starts the sender task, which ends when all clones are dropped.
    pub fn start(target: Target) -> Result<Self, reqwest::Error> {
        let client = client(&target)?;
        let name = target.name;
        let (queue, waiting) = mpsc::channel(QUEUE);
        let tally = Arc::<Tally>::default();
        let sender = Sender {
            client,
            target,
            tally: Arc::clone(&tally),
            waiting,
            batch: Vec::new(),
            pause: Duration::ZERO,
            rest_until: None,
        };
        tokio::spawn(sender.run());
        Ok(Self { name, queue, tally })
    }

    /// Sends a request without spans, to test the collector.
    pub async fn probe(target: &Target) -> Result<(), String> {
        let client = client(target).map_err(with_causes)?;
        post(&client, target, Vec::new()).await
    }

    /// Queues spans without waiting. Excess spans are dropped and counted.
    pub fn offer(&self, spans: Vec<Span>) {
        let count = spans.len() as u64;
        let bytes: usize = spans.iter().map(prost::Message::encoded_len).sum();
        let waiting = self.tally.waiting.fetch_add(bytes, Ordering::Relaxed);
        let fits = waiting + bytes <= MOST_BYTES;
        if !fits || self.queue.try_send(Message::Spans(spans)).is_err() {
            self.tally.waiting.fetch_sub(bytes, Ordering::Relaxed);
            self.tally.dropped.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// The name, spans sent, spans dropped and failed requests.
    pub fn tally(&self) -> (&'static str, [u64; 3]) {
        let tally = &self.tally;
        let counts = [&tally.sent, &tally.dropped, &tally.failures];
        (self.name, counts.map(|count| count.load(Ordering::Relaxed)))
    }

    pub fn waiting(&self) -> usize {
        self.tally.waiting.load(Ordering::Relaxed)
    }

    /// Sends all queued spans, waiting at most this long.
    pub async fn flush(&self, at_most: Duration) {
        let (done, acknowledged) = oneshot::channel();
        if self.queue.try_send(Message::Flush(done)).is_ok() {
            // After the timeout the caller continues without the acknowledgement.
            let _ = tokio::time::timeout(at_most, acknowledged).await;
        }
    }
}

struct Sender {
    client: reqwest::Client,
    target: Target,
    tally: Arc<Tally>,
    waiting: mpsc::Receiver<Message>,
    batch: Vec<Span>,
    /// Zero while requests succeed; otherwise the current backoff.
    pause: Duration,
    rest_until: Option<Instant>,
}

impl Sender {
    async fn run(mut self) {
        loop {
            let Some(message) = self.waiting.recv().await else {
                return self.send().await;
            };
            let mut flushed = self.take(message);
            let until = Instant::now() + GATHER;
            while flushed.is_none() && self.batch.len() < BATCH {
                match tokio::time::timeout_at(until, self.waiting.recv()).await {
                    Ok(Some(message)) => flushed = self.take(message),
                    Ok(None) | Err(_) => break,
                }
            }
            self.send().await;
            if let Some(done) = flushed {
                // The caller may have timed out.
                let _ = done.send(());
            }
        }
    }

    fn take(&mut self, message: Message) -> Option<oneshot::Sender<()>> {
        match message {
            Message::Spans(spans) => {
                self.batch.extend(spans);
                None
            }
            Message::Flush(done) => Some(done),
        }
    }

    /// Sends the batch once. During backoff the batch is dropped, which bounds the memory; the
    /// journal still has the turn.
    async fn send(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return;
        }
        let count = batch.len() as u64;
        let bytes: usize = batch.iter().map(prost::Message::encoded_len).sum();
        let resting = self.rest_until.is_some_and(|until| Instant::now() < until);
        let sent = match resting {
            true => None,
            false => Some(post(&self.client, &self.target, batch).await),
        };
        self.tally.waiting.fetch_sub(bytes, Ordering::Relaxed);
        match sent {
            Some(Ok(())) => {
                self.tally.sent.fetch_add(count, Ordering::Relaxed);
                if self.pause > Duration::ZERO {
                    tracing::info!(collector = self.target.name, "traces are taken again");
                }
                self.pause = Duration::ZERO;
                self.rest_until = None;
            }
            Some(Err(problem)) => {
                self.tally.failures.fetch_add(1, Ordering::Relaxed);
                self.tally.dropped.fetch_add(count, Ordering::Relaxed);
                self.back_off(&problem);
            }
            None => {
                self.tally.dropped.fetch_add(count, Ordering::Relaxed);
            }
        }
    }

    fn back_off(&mut self, problem: &str) {
        if self.pause.is_zero() {
            tracing::warn!(
                collector = self.target.name,
                problem,
                "traces are not taken; they are dropped until they are, and turns go on"
            );
            self.pause = FIRST_PAUSE;
        } else {
            self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        }
        self.rest_until = Some(Instant::now() + self.pause);
    }
}

fn client(target: &Target) -> Result<reqwest::Client, reqwest::Error> {
    outgoing::client(&target.url, target.timeout)
}

async fn post(client: &reqwest::Client, target: &Target, batch: Vec<Span>) -> Result<(), String> {
    let body = target.protocol.encode(&target.service, batch);
    let request = client
        .post(&target.url)
        .headers(target.headers.clone())
        .header("content-type", target.protocol.content_type())
        .body(body);
    // The URL may contain a password, so errors omit it.
    let response = request.send().await;
    let response = response.map_err(|error| with_causes(error.without_url()))?;
    if !response.status().is_success() {
        return Err(format!("the collector answered {}", response.status()));
    }
    let answer = outgoing::body(response, LONGEST_ANSWER).await;
    let answer = answer.map_err(|problem| format!("the collector's response {problem}"))?;
    match is_answer(&answer) {
        true => Ok(()),
        false => Err("the collector's response is not OTLP".to_owned()),
    }
}

/// An empty body, a protobuf message or a JSON object.
fn is_answer(answer: &[u8]) -> bool {
    if let Ok(value) = serde_json::from_slice::<serde_json::Value>(answer) {
        return value.is_object();
    }
    is_response(answer)
}

fn with_causes(error: reqwest::Error) -> String {
    format!("{:#}", anyhow::Error::from(error))
}
