//! A turn as server-sent events.

use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::event::Entry;
use futures_util::stream::{self, Stream};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::Shared;
use crate::desk::Watch;
use crate::metrics::Present;

const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// After a shutdown, come back this much later.
const RETRY: Duration = Duration::from_secs(2);

/// Everything a watcher sees from here on, until the turn rests, the server stops, or the sign-in runs out.
pub fn events(shared: &Shared, who: &Principal, watch: Watch) -> Response {
    watched(shared, who, watch, None)
}

/// The same for one more reader of a turn that may have many.
pub fn events_from(shared: &Shared, who: &Principal, watch: Watch, seat: Seat) -> Response {
    watched(shared, who, watch, Some(seat))
}

fn watched(shared: &Shared, who: &Principal, watch: Watch, seat: Option<Seat>) -> Response {
    let around = Around {
        stopping: shared.stopping.clone(),
        expired: Box::pin(expired(shared.clone(), who.expires())),
        _present: watch.metrics().stream(),
        _seat: seat,
    };
    answer(sse_events(watch, around))
}

/// Resolves when what a token proved counts no more.
pub async fn expired(shared: Shared, at: Option<DateTime<Utc>>) {
    match at {
        Some(at) => {
            let left = (at - shared.world.now()).to_std().unwrap_or_default();
            shared.world.sleep(left).await;
        }
        None => std::future::pending().await,
    }
}

/// The last thing a stream says before the server ends.
pub fn shutdown() -> SseEvent {
    SseEvent::default()
        .event("shutdown")
        .retry(RETRY)
        .data("{}")
}

/// Events as a response that nobody stores or buffers.
pub fn answer(
    events: impl Stream<Item = Result<SseEvent, Infallible>> + Send + 'static,
) -> Response {
    let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    let mut response: Response<Body> = stream.into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CACHE_CONTROL,
        header::HeaderValue::from_static("no-store"),
    );
    // Proxies that buffer would make a stream arrive at its end.
    headers.insert("x-accel-buffering", header::HeaderValue::from_static("no"));
    response
}

/// How many streams there are of each person, and of each turn, here.
#[derive(Default)]
pub struct Seats(Mutex<HashMap<Uuid, usize>>);

/// One of them; it is free again when this is dropped.
pub struct Seat {
    seats: Arc<Seats>,
    of: Uuid,
}

impl Seats {
    /// `None` when there are `max` already.
    pub fn take(self: &Arc<Self>, of: Uuid, max: usize) -> Option<Seat> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(of).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(Seat {
            seats: Arc::clone(self),
            of,
        })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.of) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.of);
            }
        }
    }
}

enum Following {
    Watching(Box<Watch>),
    Done,
}

/// What ends a stream, and what it holds while it lasts.
struct Around {
    stopping: CancellationToken,
    expired: Pin<Box<dyn Future<Output = ()> + Send>>,
    _present: Present,
    _seat: Option<Seat>,
}

fn sse_events(watch: Watch, around: Around) -> impl Stream<Item = Result<SseEvent, Infallible>> {
    let start = (Following::Watching(Box::new(watch)), around);
    stream::unfold(start, |(following, mut around)| async move {
        let Following::Watching(mut watch) = following else {
            return None;
        };
        let next = tokio::select! {
            next = watch.next() => next,
            () = around.stopping.cancelled() => {
                return Some((Ok(shutdown()), (Following::Done, around)));
            }
            () = &mut around.expired => return None,
        };
        match next {
            Ok(Some(entry)) => Some((Ok(event(&entry)), (Following::Watching(watch), around))),
            Ok(None) => None,
            Err(error) => {
                // The reader comes back with its last position.
                tracing::warn!("a stream ended early: {error}");
                None
            }
        }
    })
}

fn event(entry: &Entry) -> SseEvent {
    let data = match serde_json::to_value(&entry.event) {
        Ok(Value::Object(mut map)) => map.remove("data").unwrap_or(Value::Null),
        Ok(_) | Err(_) => Value::Null,
    };
    SseEvent::default()
        .id(entry.position.to_string())
        .event(entry.event.name())
        .data(data.to_string())
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod stream_tests;
