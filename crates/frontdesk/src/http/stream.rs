//! A turn as server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use frontdesk_core::event::Entry;
use futures_util::stream::{self, Stream};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::desk::Watch;

const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// After a shutdown, come back this much later.
const RETRY: Duration = Duration::from_secs(2);

/// Everything a watcher sees from here on, until the turn rests or the server stops.
pub fn events(watch: Watch, stopping: CancellationToken) -> Response {
    let stream =
        Sse::new(sse_events(watch, stopping)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
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

enum Following {
    Watching(Box<Watch>),
    Done,
}

fn sse_events(
    watch: Watch,
    stopping: CancellationToken,
) -> impl Stream<Item = Result<SseEvent, Infallible>> {
    let start = (Following::Watching(Box::new(watch)), stopping);
    stream::unfold(start, |(following, stopping)| async move {
        let Following::Watching(mut watch) = following else {
            return None;
        };
        let next = tokio::select! {
            next = watch.next() => next,
            () = stopping.cancelled() => {
                let event = SseEvent::default().event("shutdown").retry(RETRY).data("{}");
                return Some((Ok(event), (Following::Done, stopping)));
            }
        };
        match next {
            Ok(Some(entry)) => Some((Ok(event(&entry)), (Following::Watching(watch), stopping))),
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
