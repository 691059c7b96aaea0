//! A turn as server-sent events.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Write as _;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::event::Entry;
use futures_util::stream::{self, Stream};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::AppState;
use crate::metrics::GaugeGuard;
use crate::runtime::Watch;

const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Reconnect delay for clients after a shutdown.
const RETRY: Duration = Duration::from_secs(2);

/// Streams a turn until it ends or waits, the server stops, or the token expires. An additional
/// reader needs a permit, which limits the readers per turn.
pub fn events(
    state: &AppState,
    who: &Principal,
    watch: Watch,
    permit: Option<StreamPermit>,
) -> Response {
    let guards = StreamGuards {
        stopping: state.stopping.clone(),
        expired: Box::pin(expired(state.clone(), who.expires())),
        _present: watch.metrics().stream(),
        _permit: permit,
    };
    sse_response(chunks(watch, guards))
}

/// Server-sent events in wire format, with comments that keep the connection open.
pub(super) fn sse_response(chunks: impl Stream<Item = Bytes> + Send + 'static) -> Response {
    let alive = WithKeepAlive {
        said: Box::pin(chunks),
        timer: Box::pin(tokio::time::sleep(KEEP_ALIVE)),
        last: Instant::now(),
    };
    let mut response = Body::from_stream(alive).into_response();
    let kind = header::HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    unbuffered(response)
}

/// Resolves when the token expires.
pub async fn expired(state: AppState, at: Option<DateTime<Utc>>) {
    match at {
        Some(at) => {
            let left = (at - state.now()).to_std().unwrap_or_default();
            state.app.env.sleep(left).await;
        }
        None => std::future::pending().await,
    }
}

/// The last event of a stream before the server stops.
pub fn shutdown() -> SseEvent {
    SseEvent::default()
        .event("shutdown")
        .retry(RETRY)
        .data("{}")
}

/// An event stream that is neither cached nor buffered.
pub fn answer(
    events: impl Stream<Item = Result<SseEvent, Infallible>> + Send + 'static,
) -> Response {
    let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    unbuffered(stream.into_response())
}

fn unbuffered(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(
        header::CACHE_CONTROL,
        header::HeaderValue::from_static("no-store"),
    );
    // A buffering proxy would deliver the whole stream at its end.
    headers.insert("x-accel-buffering", header::HeaderValue::from_static("no"));
    response
}

/// Counts the streams per person and per turn on this node.
#[derive(Default)]
pub struct StreamLimiter(Mutex<HashMap<Uuid, usize>>);

/// Releases its slot when dropped.
pub struct StreamPermit {
    stream_limiter: Arc<StreamLimiter>,
    of: Uuid,
}

impl StreamLimiter {
    /// `None` if there are `max` already.
    pub fn take(self: &Arc<Self>, of: Uuid, max: usize) -> Option<StreamPermit> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(of).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(StreamPermit {
            stream_limiter: Arc::clone(self),
            of,
        })
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut taken = self
            .stream_limiter
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.of) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.of);
            }
        }
    }
}

/// The end conditions of a stream, and the guards it holds.
struct StreamGuards {
    stopping: CancellationToken,
    expired: Pin<Box<dyn Future<Output = ()> + Send>>,
    _present: GaugeGuard,
    _permit: Option<StreamPermit>,
}

/// In bytes. A larger chunk is sent without waiting for more events.
const CHUNK: usize = 64 * 1024;

/// Batches the events that are available at the same time into one chunk.
fn chunks(watch: Watch, guards: StreamGuards) -> impl Stream<Item = Bytes> {
    let start = Some((Box::new(watch), guards));
    stream::unfold(start, |following| async move {
        let (mut watch, mut guards) = following?;
        let next = tokio::select! {
            // Checked in order: a turn with a steady flow of events must not starve shutdown and
            // expiry.
            biased;
            () = guards.stopping.cancelled(), if !watch.is_over() => {
                return Some((Bytes::from_static(SHUTDOWN), None));
            }
            () = &mut guards.expired, if !watch.is_over() => return None,
            next = watch.next() => next,
        };
        let mut next = match next {
            Ok(next) => next,
            Err(error) => {
                // The client reconnects with its last position.
                tracing::warn!("a stream ended early: {error}");
                None
            }
        };
        let mut chunk = Vec::new();
        while let Some(entry) = next {
            write_event(&mut chunk, &entry);
            next = if chunk.len() < CHUNK {
                watch.at_hand()
            } else {
                None
            };
        }
        (!chunk.is_empty()).then(|| (chunk.into(), Some((watch, guards))))
    })
}

/// [`shutdown`] in wire format.
const SHUTDOWN: &[u8] = b"event: shutdown\nretry: 2000\ndata: {}\n\n";

fn write_event(out: &mut Vec<u8>, entry: &Entry) {
    let name = entry.event.name();
    // Writing to a Vec cannot fail. Without an id a client resumes from the previous event.
    if !entry.event.is_display_only() {
        let _ = writeln!(out, "id: {}", entry.position);
    }
    let _ = write!(out, "event: {name}\ndata: ");
    let start = out.len();
    let before = format!("{{\"event\":\"{name}\",\"data\":");
    let written = serde_json::to_writer(&mut *out, &entry.event);
    let data = out.get(start..).unwrap_or_default();
    if written.is_ok() && data.starts_with(before.as_bytes()) {
        // Strips the envelope: the event name has its own SSE field.
        out.drain(start..start + before.len());
        out.pop();
    } else {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
    out.extend_from_slice(b"\n\n");
}

/// Sends a comment after silence, so that proxies keep the connection open.
struct WithKeepAlive<S> {
    said: Pin<Box<S>>,
    timer: Pin<Box<Sleep>>,
    last: Instant,
}

impl<S: Stream<Item = Bytes>> Stream for WithKeepAlive<S> {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Poll::Ready(chunk) = self.said.as_mut().poll_next(cx) {
            self.last = Instant::now();
            return Poll::Ready(chunk.map(Ok));
        }
        loop {
            ready!(self.timer.as_mut().poll(cx));
            let now = Instant::now();
            let due = self.last + KEEP_ALIVE;
            if now >= due {
                self.last = now;
                self.timer.as_mut().reset(now + KEEP_ALIVE);
                return Poll::Ready(Some(Ok(Bytes::from_static(b":\n\n"))));
            }
            // A chunk was sent since the timer was set.
            self.timer.as_mut().reset(due);
        }
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod stream_tests;
