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
use frontdesk_core::id::ConversationId;
use frontdesk_core::news::News;
use frontdesk_core::store::Conversations;
use frontdesk_store::Heard;
use futures_util::stream::{self, Stream};
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::Shared;
use crate::desk::Watch;
use crate::metrics::Present;

const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// After a shutdown, come back this much later.
const RETRY: Duration = Duration::from_secs(2);

/// Everything a watcher sees from here on, until the turn rests, the server stops, or the watcher may no longer look.
pub fn events(shared: &Shared, who: &Principal, at: ConversationId, watch: Watch) -> Response {
    watched(shared, who, at, watch, None)
}

/// The same for one more reader of a turn that may have many.
pub fn events_from(
    shared: &Shared,
    who: &Principal,
    at: ConversationId,
    watch: Watch,
    seat: Seat,
) -> Response {
    watched(shared, who, at, watch, Some(seat))
}

fn watched(
    shared: &Shared,
    who: &Principal,
    at: ConversationId,
    watch: Watch,
    seat: Option<Seat>,
) -> Response {
    let around = Around {
        stopping: shared.stopping.clone(),
        no_longer: Box::pin(no_longer(shared.clone(), who.clone(), at)),
        _present: watch.metrics().stream(),
        _seat: seat,
    };
    answer(sse_events(watch, around))
}

/// Tells streams that somebody may see less than before. One listener a node, so that streams need not hear of
/// everything that happens.
#[derive(Clone)]
pub struct Departures(broadcast::Sender<()>);

impl Departures {
    pub fn new() -> Self {
        // One is as good as many: whoever misses some looks again all the same.
        Self(broadcast::Sender::new(1))
    }

    pub async fn listen(self, mut heard: Receiver<Heard>) {
        loop {
            match heard.recv().await {
                Ok(Heard::News(News::Membership { joined: false, .. }) | Heard::Gap)
                | Err(RecvError::Lagged(_)) => {
                    // Nobody watches: nobody needs to know.
                    let _ = self.0.send(());
                }
                Ok(Heard::News(_)) => {}
                Err(RecvError::Closed) => return,
            }
        }
    }
}

/// Resolves when this person may no longer look at this conversation: their sign-in ran out, or they left its company.
async fn no_longer(shared: Shared, who: Principal, at: ConversationId) {
    let mut departures = shared.departures.0.subscribe();
    let mut expired = std::pin::pin!(expired(&shared, who.expires()));
    loop {
        tokio::select! {
            () = &mut expired => return,
            told = departures.recv() => match told {
                Ok(()) | Err(RecvError::Lagged(_)) => {
                    if shared.desk.store().get(&who, at).await.is_err() {
                        return;
                    }
                }
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

/// Resolves when what a token proved counts no more.
pub async fn expired(shared: &Shared, at: Option<DateTime<Utc>>) {
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
    no_longer: Pin<Box<dyn Future<Output = ()> + Send>>,
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
            () = &mut around.no_longer => return None,
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
