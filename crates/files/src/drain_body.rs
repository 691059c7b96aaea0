//! Drains the rest of refused request bodies. Closing a connection while the client still
//! writes resets it, and the client never reads the error response.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use futures_util::StreamExt;
use http_body::{Frame, SizeHint};
use tokio::runtime::Handle;

/// Maximum bytes of a refused body that are read and dropped.
const LINGER_BYTES: usize = 32 * 1024 * 1024;
const LINGER_TIME: Duration = Duration::from_secs(10);

/// Middleware for all routes of a server.
pub async fn drain_refused_bodies(request: Request, next: Next) -> Response {
    let request = match request.body().is_end_stream() {
        true => request,
        false => request.map(|body| Body::new(DrainedOnDrop { body, ended: false })),
    };
    next.run(request).await
}

struct DrainedOnDrop {
    body: Body,
    ended: bool,
}

impl HttpBody for DrainedOnDrop {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = std::task::ready!(Pin::new(&mut self.body).poll_frame(cx));
        self.ended = !matches!(frame, Some(Ok(_)));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.ended || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for DrainedOnDrop {
    fn drop(&mut self) {
        if self.is_end_stream() {
            return;
        }
        // Without a runtime there is no connection to read from.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(drain(std::mem::take(&mut self.body)));
        }
    }
}

async fn drain(body: Body) {
    let drain_body = async {
        let mut pieces = body.into_data_stream();
        let mut dropped = 0;
        while let Some(Ok(piece)) = pieces.next().await {
            dropped += piece.len();
            if dropped > LINGER_BYTES {
                return;
            }
        }
    };
    // The result is irrelevant: the response has been sent.
    let _ = tokio::time::timeout(LINGER_TIME, drain_body).await;
}
