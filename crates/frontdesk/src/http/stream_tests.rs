//! Event streams stay alive through proxies, and a dropped stream frees its permit.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::to_bytes;
use axum::response::Response;
use axum::response::sse::Event as SseEvent;
use bytes::Bytes;
use frontdesk_core::event::{Entry, Event};
use futures_util::{StreamExt, stream};
use tokio::time::Instant;
use uuid::Uuid;

use super::{KEEP_ALIVE, SHUTDOWN, StreamLimiter, answer, shutdown, sse_response, write_event};

// design: promises H6
#[tokio::test(start_paused = true)]
async fn a_silent_stream_is_kept_alive_and_not_buffered() {
    let silence = stream::pending::<Result<SseEvent, Infallible>>();
    kept_alive(answer(silence)).await;
    kept_alive(sse_response(stream::pending())).await;
}

async fn kept_alive(response: Response) {
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    assert_eq!(response.headers()["cache-control"], "no-store");
    let since = Instant::now();
    let mut body = response.into_body().into_data_stream();
    for round in 1..=3 {
        let comment = body.next().await.unwrap().unwrap();
        assert!(comment.starts_with(b":"), "{comment:?}");
        assert_eq!(since.elapsed().as_secs(), KEEP_ALIVE.as_secs() * round);
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_resets_the_keep_alive_timer() {
    let words = stream::once(async {
        tokio::time::sleep(KEEP_ALIVE / 2).await;
        Bytes::from_static(b"words")
    });
    let since = Instant::now();
    let mut body = sse_response(words.chain(stream::pending()))
        .into_body()
        .into_data_stream();
    assert_eq!(body.next().await.unwrap().unwrap(), "words");
    assert_eq!(body.next().await.unwrap().unwrap(), ":\n\n");
    assert_eq!(since.elapsed(), KEEP_ALIVE * 3 / 2);
}

#[tokio::test]
async fn an_event_on_the_wire_is_its_position_its_name_and_its_data() {
    let mut chunk = Vec::new();
    for (position, text) in [(7, "a \"b\"\nc"), (9, "event")] {
        let event = Event::TextDelta {
            text: text.to_owned(),
        };
        write_event(&mut chunk, &Entry { position, event });
    }
    assert_eq!(
        String::from_utf8(chunk).unwrap(),
        "id: 7\nevent: text.delta\ndata: {\"text\":\"a \\\"b\\\"\\nc\"}\n\n\
         id: 9\nevent: text.delta\ndata: {\"text\":\"event\"}\n\n"
    );
    let last = answer(stream::iter([Ok(shutdown())])).into_body();
    assert_eq!(to_bytes(last, 1024).await.unwrap(), SHUTDOWN);
}

#[test]
fn a_dropped_permit_frees_its_slot() {
    let stream_limiter = Arc::new(StreamLimiter::default());
    let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let mut taken: Vec<_> = (0..3)
        .map(|_| stream_limiter.take(one, 3).unwrap())
        .collect();
    assert!(stream_limiter.take(one, 3).is_none());
    assert!(stream_limiter.take(other, 3).is_some());
    taken.pop();
    assert!(stream_limiter.take(one, 3).is_some());
}
