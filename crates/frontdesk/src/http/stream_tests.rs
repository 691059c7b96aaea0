//! Event streams stay alive through proxies, and the seats of those who left are free again.

use std::convert::Infallible;
use std::sync::Arc;

use axum::response::sse::Event as SseEvent;
use futures_util::{StreamExt, stream};
use tokio::time::Instant;
use uuid::Uuid;

use super::{KEEP_ALIVE, Seats, answer};

#[tokio::test(start_paused = true)]
async fn h6_a_silent_stream_is_kept_alive_and_not_buffered() {
    let silence = stream::pending::<Result<SseEvent, Infallible>>();
    let response = answer(silence);
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

#[test]
fn seats_are_free_again_when_they_are_left() {
    let seats = Arc::new(Seats::default());
    let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let mut taken: Vec<_> = (0..3).map(|_| seats.take(one, 3).unwrap()).collect();
    assert!(seats.take(one, 3).is_none());
    assert!(seats.take(other, 3).is_some());
    taken.pop();
    assert!(seats.take(one, 3).is_some());
}
