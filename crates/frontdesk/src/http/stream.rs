//! A turn as server-sent events.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use frontdesk_core::event::Entry;
use frontdesk_core::id::ProfileId;
use futures_util::stream::{self, Stream};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::desk::Watch;

const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// After a shutdown, come back this much later.
const RETRY: Duration = Duration::from_secs(2);

/// Everything a watcher sees from here on, until the turn rests or the server stops.
pub fn events(watch: Watch, stopping: CancellationToken) -> Response {
    answer(sse_events(watch, stopping))
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

/// How many streams each person has open here.
#[derive(Default)]
pub struct Seats(Mutex<HashMap<ProfileId, usize>>);

/// One of them; it is free again when this is dropped.
pub struct Seat {
    seats: Arc<Seats>,
    profile: ProfileId,
}

impl Seats {
    /// `None` when this person has `max` already.
    pub fn take(self: &Arc<Self>, profile: ProfileId, max: usize) -> Option<Seat> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(profile).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(Seat {
            seats: Arc::clone(self),
            profile,
        })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.profile) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.profile);
            }
        }
    }
}

enum Following {
    Watching(Box<Watch>),
    Done,
}

fn sse_events(
    watch: Watch,
    stopping: CancellationToken,
) -> impl Stream<Item = Result<SseEvent, Infallible>> {
    let present = watch.metrics().stream();
    let start = (Following::Watching(Box::new(watch)), (stopping, present));
    stream::unfold(start, |(following, around)| async move {
        let (stopping, _) = &around;
        let Following::Watching(mut watch) = following else {
            return None;
        };
        let next = tokio::select! {
            next = watch.next() => next,
            () = stopping.cancelled() => {
                return Some((Ok(shutdown()), (Following::Done, around)));
            }
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
